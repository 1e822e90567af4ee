"""Bad input gives scikit-learn's exceptions and one clear sentence; a Python error never becomes a crash."""
import numpy as np
import pytest

import suffice

DROP_INS = [suffice.GaussianNB, suffice.BernoulliNB, suffice.MultinomialNB, suffice.ComplementNB,
            suffice.CategoricalNB, suffice.LinearDiscriminantAnalysis, suffice.QuadraticDiscriminantAnalysis]
OURS = [suffice.GaussianDiscriminant, suffice.NaiveBayes, suffice.PoissonNB, suffice.RegularizedDiscriminantAnalysis]
X = np.arange(40.0).reshape(20, 2) % 7
Y = np.arange(20) % 2


@pytest.mark.parametrize("kind", DROP_INS)
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_values_that_are_not_finite_are_named(kind, bad):
    spoilt = X.copy()
    spoilt[7, 1] = bad
    with pytest.raises(ValueError, match="Input X contains"):
        kind().fit(spoilt, Y)
    model = kind().fit(X, Y)
    with pytest.raises(ValueError, match="Input X contains"):
        model.predict_proba(spoilt)


@pytest.mark.parametrize("kind", DROP_INS + OURS)
@pytest.mark.parametrize("rows, labels", [
    (np.empty((0, 2)), np.empty(0)), (np.empty((20, 0)), Y), (X[:, 0], Y), (X[None], Y), (X, Y[:19]),
    (X.astype(complex) + 1j, Y), (X.astype("datetime64[s]"), Y), (X, None)])
def test_wrong_shapes_and_types_are_refused(kind, rows, labels):
    if kind is suffice.CategoricalNB and rows.dtype.kind == "M":
        pytest.skip("dates are whole numbers to scikit-learn's validator")
    with pytest.raises((ValueError, TypeError)):
        kind().fit(rows, labels)


@pytest.mark.parametrize("kind", DROP_INS)
def test_words_are_no_numbers(kind):
    with pytest.raises(ValueError):
        kind().fit(np.full((20, 2), "a"), Y)


@pytest.mark.parametrize("kind", DROP_INS + OURS)
def test_another_number_of_columns_is_refused(kind):
    model = kind().fit(X, Y)
    with pytest.raises(ValueError):
        model.predict(np.ones((3, 5)))


@pytest.mark.parametrize("kind", [suffice.MultinomialNB, suffice.ComplementNB, suffice.CategoricalNB])
def test_negative_counts_are_refused(kind):
    with pytest.raises(ValueError, match="Negative values"):
        kind().fit((X - 1).astype(int), Y)


@pytest.mark.parametrize("kind", DROP_INS + OURS)
@pytest.mark.parametrize("weight", [-1.0, np.nan, np.inf])
def test_weights_that_are_no_weights_are_refused(kind, weight):
    weights = np.ones(20)
    weights[3] = weight
    with pytest.raises(ValueError):
        kind().fit(X, Y, sample_weight=weights)


def test_a_singular_class_names_the_class_that_would_not_mind():
    flat = X.copy()
    flat[:, 1] = 1
    with pytest.raises(np.linalg.LinAlgError, match="GaussianDiscriminant"):
        suffice.QuadraticDiscriminantAnalysis().fit(flat, Y)
    with pytest.warns(UserWarning):
        model = suffice.GaussianDiscriminant(shared="none").fit(flat, Y)
    assert np.isfinite(model.predict_proba(flat)).all()


@pytest.mark.parametrize("kind", [suffice.NaiveBayes, suffice.GaussianDiscriminant, suffice.KernelDensityClassifier,
                                  suffice.RegularizedDiscriminantAnalysis, suffice.MixtureDiscriminantAnalysis,
                                  suffice.NearestClassifier])
def test_minus_one_is_a_class_unless_it_is_said_to_mean_unknown(kind):
    for labels in (np.where(Y == 1, 1, -1), np.arange(len(Y)) % 3 - 1):
        assert kind().fit(X, labels).classes_.tolist() == np.unique(labels).tolist()
    labels = np.arange(len(Y)) % 3 - 1
    if kind is not suffice.KernelDensityClassifier:
        assert kind(unlabeled=-1).fit(X, labels).classes_.tolist() == [0, 1]
    told = {each["model"]: each for each in suffice.compare(X, labels, folds=3, models=["gaussian_nb"])}
    apart = suffice.compare(X, labels, folds=3, models=["gaussian_nb"], unlabeled=-1)[0]
    assert told["gaussian_nb"]["accuracy"] != apart["accuracy"]


@pytest.mark.parametrize("wrong", [1.5, -0.1, float("nan"), "often"])
def test_a_share_of_rejected_rows_outside_zero_to_one_is_a_value_error(wrong):
    with pytest.raises(ValueError, match="reject"):
        suffice.decide([[0.5, 0.5]], reject=wrong)


def test_more_folds_than_rows_are_refused_at_once():
    rows = np.arange(40.0).reshape(20, 2)
    with pytest.raises(ValueError, match="1000000 folds are too many for 20 rows"):
        suffice.compare(rows, np.arange(20) % 2, folds=10**6)
