"""Generative models written as logistic regressions, and one sigmoid as the scores of two classes."""
import numpy as np
import pytest
from sklearn.datasets import make_classification

import suffice


def problem(classes=3, rows=400, columns=8, redundant=2):
    """Columns are collinear unless told otherwise: a penalty must cope."""
    return make_classification(rows, columns, n_informative=5, n_redundant=redundant, n_classes=classes, random_state=0)


@pytest.mark.parametrize("generative", [suffice.LinearDiscriminantAnalysis(), suffice.BernoulliNB(),
                                        suffice.MultinomialNB()])
def test_a_linear_model_written_as_a_regression_has_its_posterior(generative):
    X, y = problem(redundant=0)
    if not isinstance(generative, suffice.LinearDiscriminantAnalysis):
        X = (X > 0).astype(float)
    generative.fit(X, y)
    np.testing.assert_allclose(suffice.to_logistic(generative).predict_proba(X), generative.predict_proba(X), atol=1e-10)


@pytest.mark.parametrize("kind", ["CategoricalNB", "NaiveBayes"])
def test_naive_bayes_of_categories_written_as_a_regression_has_its_posterior(kind, tmp_path):
    rng = np.random.default_rng(3)
    X = rng.integers(0, [3, 4, 2], size=(80, 3))
    y = np.array(["low", "middle", "top"])[(X.sum(axis=1) + rng.integers(0, 3, 80)) % 3]
    generative = suffice.CategoricalNB() if kind == "CategoricalNB" else suffice.NaiveBayes(families=["categorical"] * 3)
    same = suffice.to_logistic(generative.fit(X, y))
    np.testing.assert_allclose(same.predict_proba(X), generative.predict_proba(X), atol=1e-12)
    assert (same.predict(X) == generative.predict(X)).all()
    contributions, intercepts = same.explain(X)
    scores = contributions.sum(axis=2) + intercepts
    np.testing.assert_allclose(scores - scores[:, :1], np.log(generative.predict_proba(X) / generative.predict_proba(X)[:, :1]),
                               atol=1e-10)
    same.save(tmp_path / "m.suf")
    np.testing.assert_allclose(suffice.load(tmp_path / "m.suf").predict_proba(X), generative.predict_proba(X), atol=1e-12)


def test_one_sigmoid_and_two_scores_convert_both_ways_exactly():
    X, y = problem(classes=2)
    model = suffice.LogisticRegression().fit(X, y)
    coef, intercept = suffice.to_softmax(model.coef_, model.intercept_)
    assert (coef[1] - coef[0] == model.coef_[0]).all() and intercept[1] - intercept[0] == model.intercept_[0]
    back = suffice.to_binary(coef, intercept)
    assert (back[0] == model.coef_).all() and (back[1] == model.intercept_).all()
    with pytest.raises(ValueError, match="only two classes"):
        suffice.to_binary(np.zeros((3, 2)), np.zeros(3))
    with pytest.raises(ValueError, match="one sigmoid"):
        suffice.to_softmax(np.zeros((3, 2)), np.zeros(3))


def test_a_quadratic_model_is_no_regression():
    X, y = problem(redundant=0)
    with pytest.raises(TypeError, match="not linear"):
        suffice.to_logistic(suffice.QuadraticDiscriminantAnalysis().fit(X, y))
