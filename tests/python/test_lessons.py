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


@pytest.mark.parametrize(("penalty", "weighted"), [(0.0, False), (2.0, False), (0.0, True)])
def test_steps_against_the_gradient_are_the_loop_by_hand(penalty, weighted):
    Phi, w, weight = np.column_stack([np.ones(150), X + 3]), np.zeros(3), rng.integers(1, 4, 150) if weighted else np.ones(150)
    steps = suffice.gradient_steps(X + 3, t, rate=0.001, penalty=penalty, sample_weight=weight if weighted else None, max_iter=40)
    assert len(steps) == 41 and steps[0]["step_length"] == 0 and steps[1]["step_length"] == 0.001
    for step in steps:
        np.testing.assert_allclose(step["coefficients"], w, rtol=1e-8, atol=1e-10)
        y = 1 / (1 + np.exp(-Phi @ w))
        gradient = Phi.T @ (weight * (y - t)) + penalty * w * [0, 1, 1]
        assert step["gradient_norm"] == pytest.approx(np.linalg.norm(gradient), rel=1e-6)
        w = w - 0.001 * gradient


def test_steps_against_the_gradient_of_three_classes():
    y = np.digitize(X[:, 0] + 0.5 * np.random.default_rng(5).normal(size=150), [-0.5, 0.5])
    Phi, W, one = np.column_stack([np.ones(150), X]), np.zeros((3, 3)), np.eye(3)[y]
    for step in suffice.gradient_steps(X, y, rate=0.003, max_iter=20):
        np.testing.assert_allclose(step["coefficients"], W[1:], rtol=1e-8, atol=1e-10)
        scores = np.exp(Phi @ W.T)
        W[1:] -= 0.003 * ((scores / scores.sum(1, keepdims=True) - one).T @ Phi)[1:]


def test_the_rate_that_is_found_never_goes_too_far_and_ends_at_newtons_optimum():
    steps = suffice.gradient_steps(X, t, max_iter=3000)
    losses = [step["objective"] for step in steps]
    assert all(after <= before + 1e-12 * before for before, after in zip(losses, losses[1:]))
    Phi = np.column_stack([np.ones(150), X])
    assert steps[1]["step_length"] == pytest.approx(4 / np.linalg.eigvalsh(Phi.T @ Phi)[-1], rel=1e-9)
    newton = suffice.newton_steps(X, t, start="zeros")
    np.testing.assert_allclose(steps[-1]["coefficients"], newton[-1]["coefficients"], rtol=1e-6)
    assert len(steps) > 5 * len(newton)
    rising = [step["objective"] for step in suffice.gradient_steps(X, t, rate=1.0, max_iter=10)]
    assert rising[1] > rising[0]  # a rate that is too large
    with pytest.raises(ValueError, match="rate"):
        suffice.gradient_steps(X, t, rate=-1)


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


def test_a_log_normals_intervals_are_of_logarithms():
    intervals = suffice.families.LogNormal().credible_intervals(suffice.families.NormalGamma(1, 4, 3, 2))
    assert list(intervals) == ["log_mean", "log_variance"]
    np.testing.assert_allclose(intervals["log_mean"], stats.t(6, 1, np.sqrt(2 / 3 / 4)).ppf([0.025, 0.975]))


@pytest.mark.parametrize("covariance", ["full", "diagonal", "spherical", "tied"])
def test_steps_of_em_are_the_e_and_m_steps(covariance):
    rng = np.random.default_rng(3)
    X = np.vstack([rng.normal(size=(60, 2)), rng.normal([3, 1], [0.5, 2], size=(40, 2))])
    start = np.arange(100) % 2
    weight = rng.uniform(0.5, 2, 100)
    steps = suffice.group_steps(X, 2, covariance=covariance, start=start, sample_weight=weight, max_iter=6)
    assert [each["step"] for each in steps] == list(range(len(steps))) and len(steps) > 2
    for now, after in zip(steps, steps[1:]):
        joint = np.column_stack([s * stats.multivariate_normal(m, c).pdf(X) for s, m, c in zip(now["shares"], now["means"], now["covariances"])])
        assert now["objective"] == pytest.approx(weight @ np.log(joint.sum(1)), rel=1e-10)
        r = joint / joint.sum(1, keepdims=True) * weight[:, None]
        np.testing.assert_allclose(after["shares"], r.sum(0) / weight.sum(), rtol=1e-9)
        np.testing.assert_allclose(after["means"], r.T @ X / r.sum(0)[:, None], rtol=1e-8)
        own = [((X - m).T * r[:, k]) @ (X - m) for k, m in enumerate(after["means"])]
        if covariance == "tied":
            own = [sum(own) / weight.sum()] * 2
        else:
            own = [each / r[:, k].sum() for k, each in enumerate(own)]
        if covariance == "diagonal":
            own = [np.diag(np.diag(each)) for each in own]
        if covariance == "spherical":
            own = [np.eye(2) * np.trace(each) / 2 for each in own]
        np.testing.assert_allclose(after["covariances"], own, rtol=1e-7, atol=1e-12)


def test_steps_of_k_means_are_lloyds():
    X = np.random.default_rng(4).normal(size=(80, 3)) * [1, 2, 3]
    start = np.arange(80) % 4
    steps = suffice.group_steps(X, 4, model="k_means", start=start)
    centres = np.array([X[start == k].mean(0) for k in range(4)])
    order = [int(np.abs(centres - each).sum(1).argmin()) for each in steps[0]["means"]]
    for step in steps:
        distance = ((X[:, None] - centres) ** 2).sum(2)
        np.testing.assert_allclose(step["means"], centres[order], rtol=1e-9, atol=1e-12)
        assert step["objective"] == pytest.approx(distance.min(1).sum()) and step["covariances"] is None
        centres = np.array([X[distance.argmin(1) == k].mean(0) for k in range(4)])


def test_a_start_of_another_length_or_an_unknown_covariance_is_refused():
    X = np.zeros((3, 1))
    with pytest.raises(ValueError, match="3 rows"):
        suffice.group_steps(X, 2, start=[0, 1])
    with pytest.raises(ValueError, match="round"):
        suffice.group_steps(X, 2, covariance="round")
