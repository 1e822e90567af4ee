"""Posteriors of logistic regression: sparse rows of every layout, and matrices that are none."""
import pickle

import numpy as np
import pytest
import scipy.sparse as sp
import scipy.special
from sklearn.datasets import make_classification
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression as Theirs

import suffice


def problem(classes=3):
    return make_classification(400, 8, n_informative=5, n_redundant=2, n_classes=classes, random_state=0)


def test_sparse_rows_are_predicted_as_dense_ones_and_holes_are_refused():
    for classes in (2, 3):
        X, y = problem(classes)
        X[np.abs(X) < 0.7] = 0
        model = suffice.LogisticRegression().fit(X, y)
        np.testing.assert_allclose(model.predict_proba(sp.csr_array(X)), model.predict_proba(X), atol=1e-12)
        np.testing.assert_array_equal(model.predict(sp.csr_matrix(X)), model.predict(X))
        np.testing.assert_allclose(model.predict_proba(sp.csc_array(X)), model.predict_proba(X), atol=1e-12)
        again = pickle.loads(pickle.dumps(model))
        again.coef_ = np.ascontiguousarray(model.coef_)  # class by class, where fit leaves column by column
        np.testing.assert_array_equal(again.predict_proba(sp.csr_array(X)), model.predict_proba(sp.csr_array(X)))
        wide = sp.csr_array(X)
        wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
        np.testing.assert_array_equal(model.predict_proba(wide), model.predict_proba(sp.csr_array(X)))
        X[3, 1] = np.nan
        with pytest.raises(ValueError, match="NaN"):
            model.predict(sp.csr_array(X))
        with pytest.raises(ValueError, match="features"):
            model.predict(sp.csr_array(X[:, :4]))


@pytest.mark.parametrize("kind", [np.int32, np.int64])
@pytest.mark.parametrize("part, place, value", [("indices", 4, 8), ("indices", 3000, -1), ("indptr", 3, 10**6),
                                                ("indptr", 2, -5), ("indptr", 0, -1), ("indptr", 400, 3201)])
def test_a_matrix_that_is_none_is_refused(kind, part, place, value):
    X, y = problem()
    model = suffice.LogisticRegression().fit(X, y)
    broken = sp.csr_array(X)
    assert broken.nnz == 3200
    broken.indices, broken.indptr = broken.indices.astype(kind), broken.indptr.astype(kind)
    getattr(broken, part)[place] = value
    with pytest.raises(ValueError, match="consistent"):
        model.predict_proba(broken)


def awkward_rows(count, columns, kind, seed=0):
    """CSR rows of 0 to 2 * columns entries in no order, with columns twice and zeros written out."""
    rng = np.random.default_rng(seed)
    starts = np.concatenate([[0], np.cumsum(rng.integers(0, 2 * columns, count))])
    values = rng.standard_normal(starts[-1])
    values[::5] = 0
    rows = sp.csr_array((count, columns))
    rows.data, rows.indptr = values, starts.astype(kind)
    rows.indices = rng.integers(0, columns, starts[-1]).astype(kind)
    return rows


def by_hand(model, X):
    """Posteriors of two classes or more from the formulas, by NumPy and SciPy alone."""
    scores = X @ model.coef_.T + model.intercept_
    return scipy.special.softmax(np.hstack([np.zeros_like(scores), scores]) if scores.shape[1] == 1 else scores, axis=1)


@pytest.mark.parametrize("classes", [2, 3, 9])
@pytest.mark.parametrize("columns", [8, 40])
def test_posteriors_are_those_of_the_formula_in_every_layout(classes, columns):
    X, y = make_classification(400, columns, n_informative=7, n_redundant=0, n_classes=classes, random_state=1)
    model = suffice.LogisticRegression().fit(X, y)
    for kind in (np.int32, np.int64):
        for count in (1, 300):
            rows = awkward_rows(count, columns, kind)
            expected = by_hand(model, rows.toarray())
            np.testing.assert_allclose(model.predict_proba(rows), expected, rtol=0, atol=1e-12)
            np.testing.assert_allclose(model.predict_log_proba(rows), np.log(expected), rtol=1e-11, atol=1e-12)
            np.testing.assert_array_equal(model.predict(rows), model.classes_[expected.argmax(axis=1)])
            turned = rows.copy()
            turned.data = rows.data.astype(">f8")
            turned.indices, turned.indptr = rows.indices.astype(">i4"), rows.indptr.astype(">i8")
            np.testing.assert_allclose(model.predict_proba(turned), expected, rtol=0, atol=1e-12)
            # Values of 32 bits are widened, not the products rounded.
            narrow = rows.astype(np.float32)
            np.testing.assert_allclose(model.predict_proba(narrow), by_hand(model, narrow.toarray().astype(float)),
                                       rtol=0, atol=1e-6)
    wide = np.zeros((300, 3 * columns))
    wide[:, ::3] = X[:300]
    for layout in (X[:300], np.asfortranarray(X[:300]), wide[:, ::3], X[:300][::-1][::-1], X[:1]):
        np.testing.assert_allclose(model.predict_proba(layout), by_hand(model, layout), rtol=0, atol=1e-12)
    narrow = X[:300].astype(np.float32)
    np.testing.assert_allclose(model.predict_proba(narrow), by_hand(model, narrow.astype(float)), rtol=0, atol=1e-12)


@pytest.mark.parametrize("classes", [2, 3])
def test_many_sparse_rows_on_several_threads_are_predicted_as_few(classes):
    X, y = problem(classes)
    model = suffice.LogisticRegression().fit(X, y)
    rows = awkward_rows(50_000, 8, np.int32)
    found = model.predict_proba(rows)
    for first in (0, 12_345, 49_990):
        np.testing.assert_array_equal(found[first:first + 10], model.predict_proba(rows[first:first + 10]))


@pytest.mark.parametrize("hole", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("classes", [2, 3])
def test_holes_are_refused_in_the_words_of_scikit_learn(classes, hole):
    X, y = problem(classes)
    ours, theirs = suffice.LogisticRegression().fit(X, y), Theirs().fit(X, y)
    X[37, 5] = hole
    for rows in (X, X.astype(np.float32), sp.csr_array(X)):
        with pytest.raises(ValueError) as expected:
            theirs.predict_proba(rows)
        with pytest.raises(ValueError) as found:
            ours.predict_proba(rows)
        assert str(found.value) == str(expected.value).replace("LogisticRegression", type(ours).__name__)


def test_rows_without_entries_have_the_posterior_of_the_intercept_and_no_rows_are_refused():
    X, y = problem(2)
    ours, theirs = suffice.LogisticRegression().fit(X, y), Theirs().fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(sp.csr_array((3, 8))), by_hand(ours, np.zeros((3, 8))), atol=1e-15)
    for nothing in (sp.csr_array((0, 8)), np.zeros((0, 8)), sp.csr_array((4, 0)), np.zeros((4, 0))):
        with pytest.raises(ValueError) as expected:
            theirs.predict_proba(nothing)
        with pytest.raises(ValueError) as found:
            ours.predict_proba(nothing)
        assert str(found.value) == str(expected.value)


def test_fewer_rows_than_columns_and_the_limit_of_steps_are_warnings():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((12, 20)), np.arange(12) % 2
    with pytest.warns(ConvergenceWarning, match="separated"):
        model = suffice.LogisticRegression(C=np.inf).fit(X, y)
    assert model.rank_ == 11 and (model.predict(X) == y).all()
    X, y = problem()
    with pytest.warns(ConvergenceWarning, match="number of iterations"):
        assert suffice.LogisticRegression(C=100, max_iter=1).fit(X, y).score(X, y) > 0.5
