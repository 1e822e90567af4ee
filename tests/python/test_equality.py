"""Drop-in classes give scikit-learn's answers over random shapes, weights, types and priors."""
import warnings

import numpy as np
import pytest
import sklearn.discriminant_analysis as their_discriminants
import sklearn.naive_bayes as their_bayes
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import suffice

RELAXED = settings(deadline=None, max_examples=25, derandomize=True, suppress_health_check=list(HealthCheck))


def problem(seed, rows, columns, classes, dtype=np.float64):
    rng = np.random.default_rng(seed)
    y = np.concatenate([np.repeat(np.arange(classes), columns + 2), rng.integers(0, classes, rows)])
    X = rng.normal(size=(len(y), columns)) @ rng.normal(size=(columns, columns)) + rng.normal(size=columns)
    X += 2 * rng.normal(size=(classes, columns))[y]
    return X.astype(dtype), y, rng


SHAPES = st.tuples(st.integers(0, 10**6), st.integers(5, 80), st.integers(1, 6), st.integers(2, 4))


def alike(ours, theirs, X, tolerance=1e-9):
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=0, atol=tolerance)
    assert (ours.predict(X) == theirs.predict(X)).mean() > 0.99


@RELAXED
@given(SHAPES, st.booleans(), st.booleans())
def test_gaussian_nb_equals_theirs(shape, weighted, uniform):
    X, y, rng = problem(*shape)
    weight = rng.uniform(0.1, 3, len(y)) if weighted else None
    priors = np.full(shape[3], 1 / shape[3]) if uniform else None
    ours = suffice.GaussianNB(priors=priors).fit(X, y, weight)
    # Theirs takes the smoothing from unweighted variances, and where a class is narrow that shows.
    share = ours.epsilon_ / X.var(axis=0).max()
    theirs = their_bayes.GaussianNB(priors=priors, var_smoothing=share).fit(X, y, weight)
    np.testing.assert_allclose(ours.theta_, theirs.theta_, rtol=1e-9, atol=1e-12)
    if weight is None:
        np.testing.assert_allclose(share, 1e-9, rtol=1e-9)
    np.testing.assert_allclose(ours.var_, theirs.var_, rtol=1e-8)
    alike(ours, theirs, X, 1e-7 if weighted else 1e-9)
    np.testing.assert_allclose(ours.predict_joint_log_proba(X), theirs.predict_joint_log_proba(X), rtol=1e-6)


@RELAXED
@given(SHAPES, st.sampled_from(["svd", "lsqr", "eigen"]), st.sampled_from([None, 0.2, "auto"]), st.booleans())
def test_lda_equals_theirs(shape, solver, shrinkage, uniform):
    if solver == "svd":
        shrinkage = None
    X, y, _ = problem(*shape)
    made = dict(solver=solver, shrinkage=shrinkage, priors=np.full(shape[3], 1 / shape[3]) if uniform else None)
    ours = suffice.LinearDiscriminantAnalysis(**made).fit(X, y)
    theirs = their_discriminants.LinearDiscriminantAnalysis(**made).fit(X, y)
    alike(ours, theirs, X, 1e-8)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-6, atol=1e-6 * abs(theirs.coef_).max())


@RELAXED
@given(SHAPES, st.sampled_from([dict(), dict(reg_param=0.3), dict(solver="eigen", shrinkage=0.1),
                                dict(solver="eigen", shrinkage="auto")]))
def test_qda_equals_theirs(shape, made):
    X, y, _ = problem(*shape)
    made = {"tol": 0.0, **made}
    alike(suffice.QuadraticDiscriminantAnalysis(**made).fit(X, y),
          their_discriminants.QuadraticDiscriminantAnalysis(**made).fit(X, y), X, 1e-7)


@RELAXED
@given(SHAPES, st.sampled_from(["MultinomialNB", "ComplementNB", "BernoulliNB", "CategoricalNB"]), st.booleans(),
       st.sampled_from([1.0, 0.1]))
def test_discrete_classes_equal_theirs(shape, name, weighted, alpha):
    _, y, rng = problem(*shape)
    X = rng.integers(0, 5, (len(y), shape[2]))
    weight = rng.uniform(0.1, 3, len(y)) if weighted else None
    ours = getattr(suffice, name)(alpha=alpha).fit(X, y, weight)
    theirs = getattr(their_bayes, name)(alpha=alpha).fit(X, y, weight)
    alike(ours, theirs, X)
    np.testing.assert_allclose(ours.predict_joint_log_proba(X), theirs.predict_joint_log_proba(X), rtol=1e-9,
                               atol=1e-9)


@pytest.mark.parametrize("name", ["MultinomialNB", "ComplementNB", "BernoulliNB"])
def test_sparse_rows_give_the_answers_of_dense_ones(name):
    import scipy.sparse

    rng = np.random.default_rng(3)
    X, y = rng.poisson(0.3, (200, 30)), rng.integers(0, 3, 200)
    dense = getattr(suffice, name)().fit(X, y)
    for form in (scipy.sparse.csr_matrix, scipy.sparse.csc_matrix, scipy.sparse.coo_matrix, scipy.sparse.csr_array):
        sparse = getattr(suffice, name)().fit(form(X), y)
        np.testing.assert_allclose(sparse.feature_log_prob_, dense.feature_log_prob_, rtol=1e-12)
        np.testing.assert_allclose(sparse.predict_proba(form(X)), dense.predict_proba(X), rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", ["GaussianNB", "LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis"])
@pytest.mark.parametrize("change", [
    lambda X: X.astype(np.float32).astype(np.float64), np.asfortranarray, lambda X: np.repeat(X, 2, axis=0)[::2],
    lambda X: np.repeat(X, 3, axis=1)[:, ::3], lambda X: X[::-1][::-1]])
def test_layout_does_not_matter(name, change):
    X, y, _ = problem(1, 60, 4, 3)
    X = X.astype(np.float32).astype(np.float64)
    plain = getattr(suffice, name)().fit(X, y)
    other = getattr(suffice, name)().fit(change(X), y)
    np.testing.assert_allclose(other.predict_proba(change(X)), plain.predict_proba(X), rtol=0, atol=1e-12)


def test_read_only_arrays_are_read():
    X, y, _ = problem(1, 60, 4, 3)
    X.setflags(write=False)
    y.setflags(write=False)
    assert suffice.GaussianNB().fit(X, y).predict(X).shape == y.shape


def test_labels_of_every_type_come_back_as_they_were():
    X, y, _ = problem(1, 60, 4, 2)
    for labels in (y.astype(np.int8), y.astype(bool), np.array(["no", "yes"])[y], np.array(["no", "yes"], dtype=object)[y],
                   y * 1000 - 5, y.astype(float)):
        model = suffice.GaussianNB().fit(X, labels)
        assert model.classes_.dtype == labels.dtype
        assert model.predict(X).dtype == labels.dtype


@pytest.mark.parametrize("kind", ["int64", "int32", "int16", "int8", "uint64", "uint32", "uint16", "uint8", "bool"])
def test_categories_are_counted_in_whole_numbers_of_any_type_and_layout(kind):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2 if kind == "bool" else 9, (5001, 6)).astype(kind)
    y = rng.integers(0, 3, len(X))
    for rows in (X, np.asfortranarray(X), X[::-1, ::-1], X[:, 1:4]):
        ours, theirs = suffice.CategoricalNB().fit(rows, y), their_bayes.CategoricalNB().fit(rows, y)
        np.testing.assert_array_equal(ours.n_categories_, theirs.n_categories_)
        np.testing.assert_allclose(ours.predict_proba(rows), theirs.predict_proba(rows), rtol=0, atol=1e-12)


@pytest.mark.parametrize("apart", [1.0, 1e-2, 1e-4, 0.0])
def test_least_squares_of_columns_that_are_nearly_the_same_are_theirs(apart):
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((300, 6)), rng.integers(0, 3, 300)
    X[:, 5] = X[:, 0] + apart * X[:, 5]
    X += y[:, None]
    ours = suffice.LinearDiscriminantAnalysis(solver="lsqr").fit(X, y)
    theirs = their_discriminants.LinearDiscriminantAnalysis(solver="lsqr").fit(X, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-7)


def test_least_squares_of_a_constant_column_are_theirs_with_a_warning_that_names_it():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 200)
    X = np.column_stack([rng.standard_normal((200, 2)) + y[:, None], np.full(200, 0.1), np.where(y == 1, 7.0, 3.0)])
    theirs = their_discriminants.LinearDiscriminantAnalysis(solver="lsqr").fit(X, y)
    with pytest.warns(UserWarning, match="without variance within classes: x2, x3;"):
        ours = suffice.LinearDiscriminantAnalysis(solver="lsqr").fit(X, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-7)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        suffice.LinearDiscriminantAnalysis(solver="lsqr").fit(X[:, :2], y)


@pytest.mark.parametrize("solver", ["lsqr", "eigen"])
@pytest.mark.parametrize("shrinkage", [None, 0.2])
def test_discriminants_of_many_classes_keep_one_scatter_and_equal_theirs(solver, shrinkage):
    random = np.random.default_rng(3)
    y = np.arange(900) % 60
    X = random.standard_normal((900, 400)) + random.standard_normal((60, 400))[y]  # a scatter per class is 77 MB
    ours = suffice.LinearDiscriminantAnalysis(solver=solver, shrinkage=shrinkage).fit(X, y)
    theirs = their_discriminants.LinearDiscriminantAnalysis(solver=solver, shrinkage=shrinkage).fit(X, y)
    assert ours._moments()[2].shape == (400, 400)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-9)
    np.testing.assert_allclose(ours.covariance_, theirs.covariance_, atol=1e-10)
    with pytest.raises(ValueError, match="only the pooled scatter was kept"):
        ours.set_params(priors=np.full(60, 1 / 60)).partial_fit(X, y).predict(X)
