"""Arrays of every element type give what the same numbers give as float64, where they are read in place."""
import numpy as np
import pytest
import sklearn.naive_bayes

import suffice
from suffice import _core


@pytest.mark.parametrize("kind", ["int64", "int8", "uint8", "uint64", "bool", "float64", "float32"])
@pytest.mark.parametrize("values", [[0, 1], [0, 1, 2, 3], [1, 2, 5], [7], [0, 255], [3, 250], [0, 300], [1000, 1001],
                                    [-1, 1], [-5, 0, 4], [10**6, 10**6 + 9]], ids=str)
def test_labels_are_coded_as_numpy_unique_codes_them(kind, values):
    if kind == "bool" and set(values) - {0, 1}:
        pytest.skip("not flags")
    if not np.array_equal(np.array(values).astype(kind).astype(np.float64), values):
        pytest.skip("the type does not hold them")
    y = np.array(values)[np.random.default_rng(1).integers(0, len(values), 500)].astype(kind)
    for given in (y, y[::3], y[::-1]):
        labels, codes = np.unique(given, return_inverse=True)
        found = _core.encode_labels(given)
        assert found is not None
        assert found[0].tolist() == labels.tolist()
        assert found[1].tolist() == codes.tolist()


@pytest.mark.parametrize("name", ["GaussianNB", "LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis"])
@pytest.mark.parametrize("far", [False, True], ids=["near", "far from the first row"])
def test_float32_gives_the_statistic_of_the_same_numbers_as_float64(name, far):
    rng = np.random.default_rng(2)
    y = rng.integers(0, 3, 9000)
    X = (rng.standard_normal((9000, 13)) + y[:, None]).astype(np.float32)
    if far:
        X[y == 2] += np.float32(1e6)
    narrow = getattr(suffice, name)().fit(X, y)
    wide = getattr(suffice, name)().fit(X.astype(np.float64), y)
    assert narrow.statistics_._state == wide.statistics_._state
    if not far:  # coefficients of float32 rows are float32, as scikit-learn's, and too coarse a million away
        np.testing.assert_allclose(narrow.predict_proba(X), wide.predict_proba(X.astype(np.float64)), rtol=1e-5,
                                   atol=1e-6)


@pytest.mark.parametrize("kind", ["bool", "uint8", "int64", "float32", "float64"])
@pytest.mark.parametrize("binarize", [0.0, None])
@pytest.mark.parametrize("weighted", [False, True])
def test_flags_of_every_type_are_those_of_scikit_learn(kind, binarize, weighted):
    rng = np.random.default_rng(3)
    X, y = rng.integers(0, 2, (5000, 21)).astype(kind), rng.integers(0, 4, 5000)
    weight = rng.random(5000) if weighted else None
    ours = suffice.BernoulliNB(binarize=binarize).fit(X, y, weight)
    theirs = sklearn.naive_bayes.BernoulliNB(binarize=binarize).fit(X, y, weight)
    np.testing.assert_allclose(ours.feature_count_, theirs.feature_count_, rtol=1e-12)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=1e-9)


def test_bytes_that_are_no_flags_are_refused_where_flags_are_promised():
    X = np.array([[0, 1], [1, 2]], dtype=np.uint8)
    with pytest.raises(ValueError, match="zeros and ones"):
        suffice.BernoulliNB(binarize=None).fit(X, [0, 1])


def test_counts_small_large_and_broken_are_summed_as_by_scikit_learn():
    rng = np.random.default_rng(4)
    X, y = rng.integers(0, 4, (5000, 21)).astype(np.float64), rng.integers(0, 4, 5000)
    X[::7] *= 100
    X[::11] += 0.25
    ours, theirs = suffice.MultinomialNB().fit(X, y), sklearn.naive_bayes.MultinomialNB().fit(X, y)
    np.testing.assert_allclose(ours.feature_count_, theirs.feature_count_, rtol=1e-12)
