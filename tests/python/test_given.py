"""Models stated rather than learned, against SciPy's densities."""
import numpy as np
import pytest
import suffice
from scipy.stats import multivariate_normal, norm, poisson


def test_posteriors_follow_bayes_rule_over_scipys_densities(tmp_path):
    means = {"a": [0.0, 0.0], "b": [2.0, 1.0], "c": [-1.0, 3.0]}
    covariance = {"a": np.eye(2), "b": [[2.0, 0.5], [0.5, 1.0]], "c": [[1.0, -0.3], [-0.3, 0.5]]}
    model = suffice.given_model({"a": 0.2, "b": 0.5, "c": 0.3}, means, covariance, columns=["length", "width"])
    X = np.random.default_rng(0).normal(size=(20, 2)) * 2
    joint = np.column_stack([p * multivariate_normal(means[c], covariance[c]).pdf(X) for c, p in zip("abc", (0.2, 0.5, 0.3))])
    np.testing.assert_allclose(model.predict_proba(X), joint / joint.sum(1, keepdims=True), rtol=1e-10)
    model.save(tmp_path / "stated.suf")
    assert np.array_equal(suffice.load(tmp_path / "stated.suf").predict_proba(X), model.predict_proba(X))
    drawn, labels = model.sample(2000, random_state=1)
    assert drawn.shape == (2000, 2) and abs(np.mean(labels == "b") - 0.5) < 0.05


def test_columns_may_have_families_of_their_own():
    model = suffice.given_model({"ham": 0.6, "spam": 0.4}, families={
        "marks": {"family": "poisson", "ham": [1.5], "spam": [4.0]},
        "length": {"family": "gaussian", "ham": [20.0, 9.0], "spam": [10.0, 4.0]}})
    columns = list(model.feature_names_in_)
    row = {"marks": 3.0, "length": 14.0}
    joint = [p * poisson(r).pmf(3) * norm(m, s).pdf(14) for p, r, m, s in ((0.6, 1.5, 20, 3), (0.4, 4, 10, 2))]
    np.testing.assert_allclose(model.predict_proba([[row[c] for c in columns]])[0], np.array(joint) / sum(joint), rtol=1e-10)


def test_bayes_error_is_the_tail_of_half_the_distance_between_the_means():
    model = suffice.given_model({0: 0.5, 1: 0.5}, {0: [0.0], 1: [2.0]}, [[1.0]])
    error, standard_error = model.bayes_error(40_000, random_state=0)
    assert abs(error - norm.cdf(-1)) < 4 * standard_error < 0.01


def test_what_is_no_model_is_one_sentence():
    with pytest.raises(ValueError, match="means lacks class b"):
        suffice.given_model({"a": 0.5, "b": 0.5}, {"a": [0.0]}, [[1.0]])


def test_what_is_no_covariance_is_refused_with_its_eigenvalue():
    with pytest.raises(ValueError, match="eigenvalue -1"):
        suffice.given_model({"a": 0.5, "b": 0.5}, {"a": [0.0, 0.0], "b": [1.0, 1.0]}, [[1.0, 2.0], [2.0, 1.0]])
