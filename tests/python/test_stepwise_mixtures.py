"""Mixtures that take their rows batch by batch, that have priors, and that go to files."""
import pickle

import numpy as np
import pytest
from sklearn.mixture import GaussianMixture as TheirMixture

import suffice

SHAPES = ["full", "tied", "diag", "spherical"]


def rows(n, seed=0, shift=0.0):
    random = np.random.default_rng(seed)
    hidden = random.random(n) < 0.4
    return random.normal(size=(n, 2)) + np.where(hidden, 2.0, -2.0)[:, np.newaxis] + shift


def by_mean(model):
    order = np.argsort(model.means_[:, 0])
    covariances = model.covariances_ if model.covariance_type == "tied" else model.covariances_[order]
    return model.weights_[order], model.means_[order], covariances


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("keep", [1.0, None])
def test_one_pass_in_batches_ends_within_the_sampling_error_of_em_over_all_rows(shape, keep):
    X = rows(40_000)
    model = suffice.GaussianMixture(2, covariance_type=shape, keep=keep, random_state=0)
    for first in range(0, len(X), 500):
        model.partial_fit(X[first:first + 500])
    theirs = TheirMixture(2, covariance_type=shape, random_state=0, tol=1e-6).fit(X)
    error = 1 / np.sqrt(0.4 * len(X))  # of the mean of the smaller cloud
    for ours, other in zip(by_mean(model), by_mean(theirs)):
        np.testing.assert_allclose(ours, other, atol=5 * error)
    assert model.n_iter_ > 79
    np.testing.assert_allclose(model.score_samples(X[:9]), theirs.score_samples(X[:9]), atol=0.1)


def test_what_counts_less_and_less_is_forgotten_and_a_drift_is_followed():
    keeping, forgetting = (suffice.GaussianMixture(2, keep=keep, random_state=0) for keep in (1.0, 0.5))
    for batch in range(60):
        X = rows(300, seed=batch, shift=0.05 * batch)
        keeping.partial_fit(X)
        forgetting.partial_fit(X)
    now = np.array([-2.0, 2.0]) + 2.95
    np.testing.assert_allclose(by_mean(forgetting)[1][:, 0], now, atol=0.5)
    assert (by_mean(keeping)[1][:, 0] < now - 0.8).any()


@pytest.mark.parametrize("shape", SHAPES)
def test_a_batch_is_the_step_of_scikit_learn_from_the_sums_of_both(shape):
    """With the shares that scikit-learn computes, the M-step of all rows seen: what Neal and Hinton's steps are."""
    X, more = rows(600), rows(400, seed=1)
    model = suffice.GaussianMixture(2, covariance_type=shape, random_state=0, tol=1e-9, max_iter=500).fit(X)
    theirs = TheirMixture(2, covariance_type=shape, random_state=0, tol=1e-9, max_iter=500).fit(X)
    shares = theirs.predict_proba(np.vstack([X, more]))
    weight = np.linspace(0.5, 2.0, len(more))
    shares[len(X):] *= weight[:, np.newaxis]
    model.partial_fit(more, sample_weight=weight)
    means = shares.T @ np.vstack([X, more]) / shares.sum(axis=0)[:, np.newaxis]
    np.testing.assert_allclose(model.means_, means, rtol=1e-5)
    np.testing.assert_allclose(model.weights_, shares.sum(axis=0) / shares.sum(), rtol=1e-5)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("prior", [None, "default"])
def test_a_mixture_is_saved_loaded_and_goes_on(shape, prior, tmp_path):
    model = suffice.GaussianMixture(2, covariance_type=shape, prior=prior, random_state=0).fit(rows(500))
    model.save(tmp_path / "groups.suf")
    loaded = suffice.load(tmp_path / "groups.suf")
    assert (loaded.covariance_type, loaded.n_components) == (shape, 2)
    np.testing.assert_allclose(loaded.score_samples(rows(50)), model.score_samples(rows(50)), rtol=1e-9)
    np.testing.assert_allclose(loaded.precisions_, model.precisions_, rtol=1e-8)
    more = rows(300, seed=3)
    np.testing.assert_allclose(loaded.partial_fit(more).means_, model.partial_fit(more).means_, rtol=1e-9)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.partial_fit(more).means_, model.partial_fit(more).means_)


def test_a_mixture_of_families_is_saved_loaded_and_learns_categories_in_any_order(tmp_path):
    import pandas

    random = np.random.default_rng(1)

    def frame(n):
        hidden = random.random(n) < 0.5
        colour = np.where(random.random(n) < 0.1 + 0.8 * hidden, "red", "blue")
        return pandas.DataFrame({"count": random.poisson(2 + 10 * hidden), "colour": colour})

    model = suffice.Mixture({"count": "poisson"}, 2, random_state=0).fit(frame(400))
    model.save(tmp_path / "groups.suf")
    loaded = suffice.load(tmp_path / "groups.suf")
    more = frame(300)
    more = more.iloc[np.argsort(more["colour"].to_numpy() == "blue", kind="stable")]  # the other level comes first
    np.testing.assert_array_equal(loaded.predict(more), model.predict(more))
    high = int(np.argmax([each["rate"] for each in model.partial_fit(more).parameters_["count"]]))
    np.testing.assert_array_equal(loaded.partial_fit(more).predict_proba(more), model.predict_proba(more))
    red = model.predict_proba(pandas.DataFrame({"count": [6, 6], "colour": ["red", "blue"]}))[:, high]
    assert red[0] > 0.5 > red[1]


@pytest.mark.parametrize("shape", SHAPES)
def test_one_component_is_the_mode_of_the_normal_wishart_posterior(shape):
    X = rows(50)
    n, d = X.shape
    prior = {"mean": [1.0, -1.0], "mean_weight": 2.0, "degrees": 5.0, "scatter": [[3.0, 0.5], [0.5, 2.0]]}
    model = suffice.GaussianMixture(1, covariance_type=shape, reg_covar=0, prior=prior).fit(X)
    mean, way = X.mean(axis=0), X.mean(axis=0) - prior["mean"]
    scatter = np.array(prior["scatter"]) + n * np.cov(X.T, bias=True) + 2 * n / (2 + n) * np.outer(way, way)
    mode = scatter / (prior["degrees"] + n - d)
    expected = {"full": mode[np.newaxis], "tied": mode, "diag": np.diag(mode)[np.newaxis],
                "spherical": [np.diag(mode).mean()]}[shape]
    np.testing.assert_allclose(model.means_[0], (2 * np.array(prior["mean"]) + n * mean) / (2 + n), rtol=1e-9)
    np.testing.assert_allclose(model.covariances_, expected, rtol=1e-7)


@pytest.mark.parametrize("shape", SHAPES)
def test_under_a_prior_no_component_collapses_on_equal_rows(shape):
    X = np.vstack([rows(100), np.full((4, 2), 30.0)])
    without = suffice.GaussianMixture(3, covariance_type=shape, reg_covar=1e-9, random_state=0).fit(X)
    model = suffice.GaussianMixture(3, covariance_type=shape, reg_covar=1e-9, prior="default", random_state=0).fit(X)
    alone = np.argmax(model.means_[:, 0])
    variance = np.ravel(model.covariances_ if shape == "tied" else model.covariances_[alone])[0]
    assert variance > 1e-2
    if shape != "tied":
        assert np.ravel(without.covariances_[np.argmax(without.means_[:, 0])])[0] < 1e-6
    assert np.isfinite(model.score_samples(X)).all()


def test_settings_that_mean_nothing_are_refused():
    X = rows(40)
    with pytest.raises(ValueError, match="keep"):
        suffice.GaussianMixture(2, keep=0.0).fit(X)
    with pytest.raises(ValueError, match="prior"):
        suffice.GaussianMixture(2, prior="strong").fit(X)
    with pytest.raises((ValueError, TypeError), match="2 means"):
        suffice.GaussianMixture(2, prior={"mean": [0.0], "mean_weight": 1, "degrees": 5, "scatter": [[1.0]]}).fit(X)
    with pytest.warns(UserWarning, match="all components start alike"):
        suffice.GaussianMixture(2, means_init=np.zeros((2, 2)), precisions_init=[np.eye(2)] * 2).fit(X)
    model = suffice.GaussianMixture(2, random_state=0).fit(X)
    with pytest.raises(ValueError, match="features"):
        model.partial_fit(X[:, :1])
    with pytest.raises(ValueError, match="NaN"):
        model.partial_fit([[np.nan, 1.0]])


def test_rows_of_an_unknown_class_take_part_in_a_mixture_discriminant():
    random = np.random.default_rng(2)
    centres, label = np.array([[-4.0, 0], [4, 0], [0, 4], [0, -4]]), np.array(["across", "across", "along", "along"])
    which = random.integers(4, size=800)
    X, truth = centres[which] + random.normal(size=(800, 2)), label[which]
    known = np.concatenate([np.flatnonzero(which == k)[:3] for k in range(4)])
    y = np.full(800, None, dtype=object)
    y[known] = truth[known]
    few = suffice.MixtureDiscriminantAnalysis(2, "spherical", random_state=0).fit(X[known], truth[known])
    more = suffice.MixtureDiscriminantAnalysis(2, "spherical", random_state=0).fit(X, y)
    none = suffice.MixtureDiscriminantAnalysis(2, "spherical", random_state=0, unlabeled_weight=0).fit(X, y)
    assert more.score(X, truth) > 0.95 and more.score(X, truth) >= few.score(X, truth)
    np.testing.assert_allclose(none.predict_proba(X), few.predict_proba(X), atol=0.05)
    with pytest.raises(TypeError, match="weight of rows without a class"):
        suffice.MixtureDiscriminantAnalysis(1, unlabeled_weight=-1).fit(X, y)
