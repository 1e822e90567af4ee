"""AutoClassifier, and families chosen by the data."""
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.model_selection import cross_val_score

import suffice
from suffice.auto import _made


def test_it_takes_part_in_cross_validation_and_keeps_its_parameters():
    X, y = load_iris(return_X_y=True)
    model = suffice.AutoClassifier(folds=5, random_state=3)
    assert clone(model).get_params() == model.get_params()
    assert cross_val_score(model, X, y, cv=3).mean() > 0.94


def test_it_is_the_best_of_its_comparison():
    X, y = load_breast_cancer(return_X_y=True)
    model = suffice.AutoClassifier(folds=5).fit(X, y)
    losses = [line["log_loss"] for line in model.comparison_ if line["log_loss"] is not None]
    assert losses == sorted(losses) and losses[0] < 0.12
    assert np.allclose(model.predict_proba(X), model.best_estimator_.predict_proba(X))
    assert model.n_features_in_ == 30 and list(model.classes_) == [0, 1]


def test_structures_that_classes_share_in_part_are_tried_and_made():
    X, y = load_iris(return_X_y=True)
    lines = [line for line in suffice.compare(X, y) if line["model"] == "grouped_discriminant"]
    assert len(lines) == 8
    for line in lines[:2]:
        made = _made(line)
        assert isinstance(made, suffice.GaussianDiscriminant) and made.covariance in line["options"]
        assert suffice.compare(X, y, models=[made])[0]["log_loss"] == pytest.approx(line["log_loss"], rel=1e-6)


def test_one_class_is_refused():
    with pytest.raises(ValueError, match="at least 2 classes"):
        suffice.AutoClassifier().fit(np.ones((4, 2)), [1, 1, 1, 1])


def test_auto_as_a_word_is_for_all_columns_and_families_tell_what_was_used():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 400)
    X = np.column_stack([rng.normal(y, 1), np.exp(rng.normal(y, 1)), rng.choice([1, 2, 9], 400)])
    model = suffice.NaiveBayes(families="auto").fit(X, y)
    assert model.families_ == {"x0": "gaussian", "x1": "log_normal", "x2": "categorical"}
    assert suffice.NaiveBayes().fit(X, y).families_["x1"] == "gaussian"
