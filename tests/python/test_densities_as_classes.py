"""Classifiers by kernels, histograms, nearest rows and mixtures against scikit-learn's densities put together by hand."""
import pickle

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.mixture import GaussianMixture
from sklearn.neighbors import KernelDensity, KNeighborsClassifier

import suffice


@pytest.fixture(scope="module")
def iris():
    X, y = load_iris(return_X_y=True)
    return X + np.random.default_rng(0).normal(0, 1e-3, X.shape), y


def posteriors(log_joint):
    log_joint = log_joint - log_joint.max(axis=1, keepdims=True)
    return np.exp(log_joint) / np.exp(log_joint).sum(axis=1, keepdims=True)


@pytest.mark.parametrize("kernel", ["gaussian", "exponential"])
def test_kernel_densities_by_class_are_scikit_learns(iris, kernel):
    X, y = iris
    joint = np.column_stack([KernelDensity(bandwidth=0.4, kernel=kernel, rtol=0).fit(X[y == c]).score_samples(X)
                             for c in range(3)]) + np.log(1 / 3)
    model = suffice.KernelDensityClassifier(bandwidth=0.4, kernel=kernel).fit(X, y)
    assert np.allclose(model.predict_proba(X), posteriors(joint), atol=1e-10)
    assert np.allclose(model.log_evidence(X), np.log(np.exp(joint).sum(axis=1)), atol=1e-10)


def test_kernel_densities_add_up_and_can_be_taken_apart(iris):
    X, y = iris
    whole = suffice.KernelDensityClassifier().fit(X, y)
    one, two = suffice.KernelDensityClassifier().fit(X[::2], y[::2]), suffice.KernelDensityClassifier().fit(X[1::2], y[1::2])
    assert np.allclose((one + two).predict_proba(X), whole.predict_proba(X))
    assert np.allclose((whole - two).predict_proba(X), one.predict_proba(X))
    contributions, intercepts = whole.explain(X)
    assert np.allclose(contributions.sum(axis=2) + intercepts, whole.predict_joint_log_proba(X))


def test_the_nearest_rows_share_out_the_posterior_as_scikit_learns_do(iris):
    X, y = iris
    X = X + np.random.default_rng(0).normal(scale=1e-4, size=X.shape)  # no two at one distance
    model = suffice.NearestClassifier(n_neighbors=7).fit(X, y)
    within = X / np.sqrt(np.mean([X[y == c].var(axis=0) for c in range(3)], axis=0))  # classes of equal size
    theirs = KNeighborsClassifier(7).fit(within, y).predict_proba(within)
    assert np.allclose(model.predict_proba(X), theirs, atol=1e-12)
    one, two = suffice.NearestClassifier(7).fit(X[::2], y[::2]), suffice.NearestClassifier(7).fit(X[1::2], y[1::2])
    assert np.allclose((one + two).predict_proba(X), theirs, atol=1e-12)


def test_histograms_by_class_multiply_as_numpys_do(iris):
    X, y = iris
    joint = np.full((len(X), 3), np.log(1 / 3))
    for c in range(3):
        for j in range(X.shape[1]):
            counts, edges = np.histogram(X[y == c, j], bins=np.histogram_bin_edges(X[:, j], 6))
            cell = np.clip(np.searchsorted(edges, X[:, j], side="right") - 1, 0, 5)
            density = (counts + 1) / (counts.sum() + 6) / np.diff(edges)
            joint[:, c] += np.log(density[cell])
    model = suffice.HistogramNB(bins=6).fit(X, y)
    assert np.allclose(model.predict_joint_log_proba(X), joint, atol=1e-9)


@pytest.mark.parametrize("covariance_type", ["full", "diag", "spherical"])
def test_mixtures_by_class_are_scikit_learns_where_each_has_one_component(iris, covariance_type):
    X, y = iris
    joint = np.column_stack([GaussianMixture(1, covariance_type=covariance_type, reg_covar=0).fit(X[y == c]).score_samples(X)
                             for c in range(3)]) + np.log(1 / 3)
    model = suffice.MixtureDiscriminantAnalysis(1, covariance_type=covariance_type).fit(X, y)
    assert np.allclose(model.predict_proba(X), posteriors(joint), atol=1e-4)


def test_a_mixture_discriminant_is_saved_pickled_and_shared_with_the_command(iris, tmp_path):
    X, y = iris
    model = suffice.MixtureDiscriminantAnalysis(2, random_state=0).fit(X, y)
    model.save(tmp_path / "mda.suf")
    loaded = suffice.load(tmp_path / "mda.suf")
    assert np.array_equal(loaded.predict_proba(X), model.predict_proba(X))
    assert np.array_equal(pickle.loads(pickle.dumps(model)).predict_proba(X), model.predict_proba(X))
    assert model.n_components_.tolist() == [2, 2, 2]
    rows, labels = model.sample(2000, random_state=1)
    assert rows.shape == (2000, 4) and (model.predict(rows) == labels).mean() > 0.9
    with pytest.raises(TypeError, match="no sum"):
        model + model
