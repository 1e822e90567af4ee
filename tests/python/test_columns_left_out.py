"""Columns that a fit leaves out, or that hold no value, keep no rows from being scored."""
import numpy as np
import pandas as pd
import pytest

import suffice

N = 60
Y = np.arange(N) % 2
A = np.random.default_rng(0).normal(size=(N, 2)) + Y[:, None]
MODELS = ["naive_bayes", "lda", "qda", "regularized_discriminant", "logistic_regression", "mixture_discriminant", "kernel_density", "auto"]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("model", MODELS)
def test_frames_with_an_identifier_are_scored_by_what_was_learned(tmp_path, model):
    frame = pd.DataFrame({"id": [f"u{k}" for k in range(N)], "a": A[:, 0], "b": A[:, 1]})
    made = suffice.fit(frame, Y, model)
    assert made.feature_names_in_.tolist() == ["a", "b"]
    expected = suffice.fit(frame[["a", "b"]], Y, model).predict_proba(frame[["a", "b"]])
    for rows in (frame, frame[["b", "id", "a"]], frame[["a", "b"]]):
        np.testing.assert_array_equal(made.predict_proba(rows), expected)
    made.save(tmp_path / "model.suf")
    np.testing.assert_allclose(suffice.load(tmp_path / "model.suf").predict_proba(frame), expected, rtol=1e-12)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("model", MODELS)
def test_arrays_with_a_column_without_values_are_scored(model):
    rows = np.column_stack([A[:, 0], np.full(N, np.nan), A[:, 1]])
    made = suffice.fit(rows, Y, model)
    np.testing.assert_allclose(made.predict_proba(rows), suffice.fit(A, Y, model).predict_proba(A), rtol=1e-12)
    with pytest.raises(ValueError, match="features"):
        made.predict_proba(np.column_stack([rows, rows]))


def test_columns_are_excluded_by_name():
    frame = pd.DataFrame({"size": A[:, 0], "town": np.where(Y, "Delft", "Gouda"), "b": A[:, 1]})
    made = suffice.fit(frame, Y, "gaussian_nb", exclude="town")
    np.testing.assert_array_equal(made.predict_proba(frame), suffice.fit(frame[["size", "b"]], Y, "gaussian_nb").predict_proba(frame[["size", "b"]]))
    by_place = suffice.fit(np.column_stack([A, 1e6 * Y]), Y, "gaussian_nb", exclude=["x2"])
    np.testing.assert_allclose(by_place.predict_proba(np.column_stack([A, Y])), made.predict_proba(frame), rtol=1e-12)
    with pytest.raises(ValueError, match="no column city"):
        suffice.fit(frame, Y, exclude=["city"])


@pytest.mark.parametrize("empty", [[None] * N, [np.nan] * N, pd.Categorical([None] * N), pd.Series([None] * N, dtype="string")])
@pytest.mark.parametrize("make", [suffice.NaiveBayes, suffice.GaussianDiscriminant])
def test_a_column_without_any_value_changes_nothing(make, empty):
    frame = pd.DataFrame({"a": A[:, 0], "b": A[:, 1]})
    expected = make().fit(frame, Y).predict_proba(frame)
    with_empty = frame.assign(empty=empty)
    np.testing.assert_allclose(make().fit(with_empty, Y).predict_proba(with_empty), expected, rtol=1e-9)


def test_estimators_that_users_fit_stay_as_strict_as_scikit_learns():
    frame = pd.DataFrame({"a": A[:, 0], "b": A[:, 1]})
    made = suffice.fit(frame, Y, "lda")
    made.fit(frame, Y)
    for model in (made, suffice.GaussianNB().fit(frame, Y)):
        with pytest.raises(ValueError, match="feature names should match"):
            model.predict(frame.assign(c=1.0))
