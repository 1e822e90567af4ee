"""Lessons in Python: Newton's steps against IRLS by hand, learning curves against the Bayes error, pictures of families."""
import numpy as np
import pytest
import suffice
from scipy import stats

rng = np.random.default_rng(0)
X = rng.normal(size=(150, 2))
t = (rng.random(150) < 1 / (1 + np.exp(-(1 + X @ [1.5, -1.0])))).astype(int)


def test_newtons_steps_are_irls():
    Phi, w = np.column_stack([np.ones(150), X]), np.zeros(3)
    steps = suffice.newton_steps(X, t, start="zeros")
    for step in steps[:4]:
        np.testing.assert_allclose(step["coefficients"], w, rtol=1e-8, atol=1e-10)
        y = 1 / (1 + np.exp(-Phi @ w))
        hessian = Phi.T * (y * (1 - y)) @ Phi
        assert step["condition"] == pytest.approx(np.linalg.cond(hessian), rel=1e-6)
        assert step["gradient_norm"] == pytest.approx(np.linalg.norm(Phi.T @ (y - t)), rel=1e-6)
        w = w - np.linalg.solve(hessian, Phi.T @ (y - t))
    fitted = suffice.LogisticRegression(C=np.inf, tol=1e-12).fit(X, t)
    np.testing.assert_allclose(steps[-1]["coefficients"], [*fitted.intercept_, *fitted.coef_[0]], rtol=1e-7)


def test_three_classes_have_a_matrix_of_coefficients_against_the_first():
    y = np.digitize(X[:, 0] + 0.5 * rng.normal(size=150), [-0.5, 0.5])
    steps = suffice.newton_steps(X, y, penalty=1.0, start=np.zeros((2, 3)))
    assert steps[0]["coefficients"].shape == (2, 3) and not steps[0]["coefficients"].any()
    assert steps[0]["log_likelihood"] == pytest.approx(150 * np.log(1 / 3))
    objectives = [step["objective"] for step in steps]
    assert all(after <= before + 1e-9 for before, after in zip(objectives, objectives[1:]))
    assert steps[-1]["gradient_norm"] < 1e-5


def test_learning_curves_meet_the_bayes_error():
    truth = suffice.given_model({"a": 0.5, "b": 0.5}, {"a": [0.0], "b": [2.0]}, [[1.0]])
    curve = suffice.learn_curve(truth, models=["lda", "qda"], sizes=[12, 2000], repeats=8, test_rows=4000)
    assert curve["bayes_error"] == pytest.approx(stats.norm.cdf(-1), abs=0.01)
    at = {(point["rows"], point["model"]): point for point in curve["points"]}
    assert at[12, "quadratic_discriminant"]["log_loss"] > at[12, "linear_discriminant"]["log_loss"]
    assert 0 <= at[2000, "linear_discriminant"]["error"] - curve["bayes_error"] < 0.005
    assert curve["picture"].svg.startswith("<svg")
    of_rows = suffice.learn_curve(X, t, models=["lda"], sizes=[20, 100], repeats=5)
    assert of_rows["bayes_error"] is None and len(of_rows["points"]) == 2
    with pytest.raises(ValueError, match="labels"):
        suffice.learn_curve(X)


def test_pictures_of_families():
    assert "posterior predictive" in suffice.plot_family(X[:, 0], "gaussian").svg
    assert "after 100 rows" in suffice.plot_family(t, "bernoulli", what="prior", prior="beta(2,5)").svg
    assert "prior" in suffice.plot_family(what="prior", prior="gamma(2,1)").svg
    with pytest.raises((ValueError, TypeError), match="histogram needs rows"):
        suffice.plot_family(family="gaussian")
