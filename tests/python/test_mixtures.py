"""Mixtures, k-means and kernel densities against scikit-learn, and what ours add."""
import csv
import pathlib
import pickle

import numpy as np
import pytest
from sklearn.cluster import KMeans as TheirKMeans
from sklearn.cluster import MiniBatchKMeans as TheirMiniBatch
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import BayesianGaussianMixture as TheirVariational
from sklearn.mixture import GaussianMixture as TheirMixture
from sklearn.neighbors import KernelDensity as TheirDensity

import suffice

SHAPES = ["full", "tied", "diag", "spherical"]
STARTS = ["kmeans", "k-means++", "random", "random_from_data"]


def rows(n=900, d=4, k=3, seed=0):
    random = np.random.default_rng(seed)
    centres = random.normal(size=(k, d)) * 3
    spread = random.normal(size=(k, d, d)) * 0.5 + np.eye(d)
    label = random.integers(k, size=n)
    return centres[label] + np.einsum("nij,nj->ni", spread[label], random.normal(size=(n, d)))


def same_mixture(ours, theirs, tolerance=1e-6):
    for name in ("weights_", "means_", "covariances_", "precisions_", "precisions_cholesky_"):
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=tolerance, atol=tolerance)
    assert ours.n_iter_ == theirs.n_iter_
    assert ours.converged_ == theirs.converged_
    np.testing.assert_allclose(ours.lower_bounds_, np.ravel(theirs.lower_bounds_), rtol=tolerance)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("start", STARTS)
def test_the_same_start_gives_the_parameters_of_scikit_learn(shape, start):
    X = rows()
    made = {"n_components": 3, "covariance_type": shape, "init_params": start, "random_state": 5, "max_iter": 300}
    ours, theirs = suffice.GaussianMixture(**made).fit(X), TheirMixture(**made).fit(X)
    same_mixture(ours, theirs)
    np.testing.assert_allclose(ours.score_samples(X), theirs.score_samples(X), rtol=1e-6)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-6)
    assert (ours.predict(X) == theirs.predict(X)).all()
    np.testing.assert_allclose([ours.bic(X), ours.aic(X)], [theirs.bic(X), theirs.aic(X)], rtol=1e-6)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("prior", ["dirichlet_process", "dirichlet_distribution"])
def test_the_variational_mixture_is_that_of_scikit_learn(shape, prior):
    X = rows(seed=3)
    made = {"n_components": 5, "covariance_type": shape, "weight_concentration_prior_type": prior, "random_state": 1,
            "max_iter": 400}
    ours, theirs = suffice.BayesianGaussianMixture(**made).fit(X), TheirVariational(**made).fit(X)
    same_mixture(ours, theirs)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-6)


@pytest.mark.parametrize("kind", [suffice.GaussianMixture, suffice.BayesianGaussianMixture])
@pytest.mark.parametrize("shape", SHAPES)
def test_a_weight_of_two_is_a_row_twice(kind, shape):
    X = rows(n=300)
    weight = np.random.default_rng(1).integers(0, 3, size=len(X)).astype(float)
    repeated = np.repeat(X, weight.astype(int), axis=0)
    start = {"n_components": 3, "covariance_type": shape, "max_iter": 40, "tol": 0, "random_state": 0}
    if kind is suffice.GaussianMixture:
        given = suffice.GaussianMixture(3, covariance_type=shape, random_state=0).fit(X)
        start.update(weights_init=given.weights_, means_init=given.means_, precisions_init=given.precisions_)
    with pytest.warns(ConvergenceWarning, match="last change of the lower bound"):
        weighted = kind(**start).fit(X, sample_weight=weight)
    if kind is suffice.GaussianMixture:
        with pytest.warns(ConvergenceWarning):
            plain = kind(**start).fit(repeated)
        np.testing.assert_allclose(weighted.means_, plain.means_, rtol=1e-8)
        np.testing.assert_allclose(weighted.covariances_, plain.covariances_, rtol=1e-7, atol=1e-10)
        np.testing.assert_allclose(weighted.lower_bound_, plain.lower_bound_, rtol=1e-9)
    else:
        np.testing.assert_allclose(weighted.mean_precision_.sum(), weight.sum() + 3, rtol=1e-9)


def test_means_far_apart_keep_their_covariances():
    X = np.vstack([rows(n=200, k=1), rows(n=200, k=1) + 1e7])
    ours, theirs = (kind(2, random_state=0).fit(X) for kind in (suffice.GaussianMixture, TheirMixture))
    np.testing.assert_allclose(np.sort(ours.covariances_.ravel()), np.sort(theirs.covariances_.ravel()), rtol=1e-6)


@pytest.mark.parametrize("shape", SHAPES)
def test_any_number_of_threads_gives_the_same_bits(shape):
    from threadpoolctl import threadpool_limits

    X = rows(n=30_000, d=6)
    found = []
    for count in (1, 2, 3):
        with threadpool_limits(limits=count, user_api="suffice"):
            model = suffice.GaussianMixture(3, covariance_type=shape, random_state=0).fit(X)
            clusters = suffice.KMeans(5, random_state=0).fit(X)
            found.append((model.means_.tobytes(), model.covariances_.tobytes(), clusters.cluster_centers_.tobytes(),
                          clusters.inertia_))
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("init", ["k-means++", "random"])
@pytest.mark.parametrize("k", [1, 3, 40])
@pytest.mark.parametrize("weighted", [False, True])
def test_k_means_from_the_same_draws_is_that_of_scikit_learn(init, k, weighted):
    X = rows(n=2000, d=5, k=6, seed=8)
    weight = np.random.default_rng(2).uniform(0, 2, len(X)) if weighted else None
    made = {"n_clusters": k, "init": init, "n_init": 3, "random_state": 4}
    ours = suffice.KMeans(**made).fit(X, sample_weight=weight)
    theirs = TheirKMeans(**made).fit(X, sample_weight=weight)
    np.testing.assert_allclose(ours.cluster_centers_, theirs.cluster_centers_, rtol=1e-9, atol=1e-9)
    assert (ours.labels_ == theirs.labels_).all()
    assert ours.n_iter_ == theirs.n_iter_
    assert ours.inertia_ == pytest.approx(theirs.inertia_, rel=1e-10)
    assert (ours.predict(X) == ours.labels_).all()
    assert ours.score(X, sample_weight=weight) == pytest.approx(-ours.inertia_, rel=1e-10)


def test_bounds_do_not_change_the_answer_of_many_steps():
    X = np.random.default_rng(0).normal(size=(6000, 3))
    start = X[:64].copy()
    ours = suffice.KMeans(64, init=start, n_init=1, max_iter=200, tol=0).fit(X)
    theirs = TheirKMeans(64, init=start, n_init=1, max_iter=200, tol=0).fit(X)
    assert ours.n_iter_ == theirs.n_iter_ > 20
    assert (ours.labels_ == theirs.labels_).all()


@pytest.mark.parametrize("weighted", [False, True])
def test_mini_batches_from_the_same_draws_are_those_of_scikit_learn(weighted):
    X = rows(n=3000, d=5, k=6, seed=8)
    weight = np.random.default_rng(2).uniform(0, 2, len(X)) if weighted else None
    made = {"n_clusters": 6, "batch_size": 100, "random_state": 4, "n_init": 3}
    ours = suffice.MiniBatchKMeans(**made).fit(X, sample_weight=weight)
    theirs = TheirMiniBatch(**made).fit(X, sample_weight=weight)
    np.testing.assert_allclose(ours.cluster_centers_, theirs.cluster_centers_, rtol=1e-9, atol=1e-9)
    assert ours.n_steps_ == theirs.n_steps_
    assert (ours.labels_ == theirs.labels_).all()
    for piece in np.split(X, 6):
        ours.partial_fit(piece)
        theirs.partial_fit(piece)
    np.testing.assert_allclose(ours.cluster_centers_, theirs.cluster_centers_, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("kernel", ["gaussian", "tophat", "epanechnikov", "exponential", "linear", "cosine"])
@pytest.mark.parametrize("d", [1, 3, 7])
@pytest.mark.parametrize("weighted", [False, True])
def test_exact_densities_are_those_of_scikit_learn(kernel, d, weighted):
    random = np.random.default_rng(d)
    X, at = random.normal(size=(400, d)), random.normal(size=(150, d))
    weight = random.uniform(size=len(X)) if weighted else None
    made = {"kernel": kernel, "bandwidth": 0.9}
    ours = suffice.KernelDensity(**made).fit(X, sample_weight=weight).score_samples(at)
    theirs = TheirDensity(**made).fit(X, sample_weight=weight).score_samples(at)
    reached = theirs > -30  # where no kernel reaches, their trees leave a trace of rounding and ours is -inf
    np.testing.assert_allclose(ours[reached], theirs[reached], rtol=1e-12, atol=1e-12)
    assert np.isneginf(ours[~reached]).all()


@pytest.mark.parametrize("kernel", ["gaussian", "exponential", "epanechnikov"])
@pytest.mark.parametrize("tolerance", [{"rtol": 1e-3}, {"atol": 1e-4}, {"rtol": 1e-2, "atol": 1e-6}])
def test_the_tree_keeps_its_bound(kernel, tolerance):
    random = np.random.default_rng(4)
    X, at = random.normal(size=(5000, 2)), np.vstack([random.normal(size=(300, 2)), [[60.0, -80.0]]])
    weight = random.uniform(size=len(X))
    made = {"kernel": kernel, "bandwidth": 0.2}
    exact = np.exp(suffice.KernelDensity(**made).fit(X, sample_weight=weight).score_samples(at))
    found = np.exp(suffice.KernelDensity(**made, **tolerance).fit(X, sample_weight=weight).score_samples(at))
    bound = tolerance.get("atol", 0) + tolerance.get("rtol", 0) * exact
    assert (np.abs(found - exact) <= bound + 1e-12 * exact).all()
    assert kernel == "epanechnikov" or (found != exact).any()  # else nothing was spared


def test_a_weight_of_two_is_a_row_twice_under_one_bandwidth_and_a_rule_counts_rows_as_scikit_learn_does():
    X, weight = rows(120, d=2), np.tile([1.0, 2.0, 3.0], 40)
    twice = suffice.KernelDensity(bandwidth=0.7).fit(np.repeat(X, weight.astype(int), axis=0))
    once = suffice.KernelDensity(bandwidth=0.7).fit(X, sample_weight=weight)
    np.testing.assert_allclose(once.score_samples(X), twice.score_samples(X), rtol=1e-11)
    by_rule = suffice.KernelDensity(bandwidth="scott").fit(X, sample_weight=weight)
    theirs = TheirDensity(bandwidth="scott").fit(X, sample_weight=weight)
    np.testing.assert_allclose(by_rule.bandwidth_, theirs.bandwidth_, rtol=1e-12)


def test_a_fitted_density_survives_pickling():
    X = rows()
    model = suffice.KernelDensity(bandwidth="scott").fit(X)
    before = model.score_samples(X[:5])
    assert (pickle.loads(pickle.dumps(model)).score_samples(X[:5]) == before).all()


def test_a_mixture_of_poissons_is_the_textbook_em():
    random = np.random.default_rng(5)
    X = np.concatenate([random.poisson(2, (400, 2)), random.poisson([9, 5], (300, 2))]).astype(float)
    model = suffice.Mixture(family="poisson", n_components=2, tol=1e-12, max_iter=5000, random_state=0).fit(X)
    from scipy.stats import poisson

    rate = np.array([[each["rate"] for each in model.parameters_[name]] for name in ("x0", "x1")]).T
    weight = model.weights_
    joint = np.log(weight) + poisson.logpmf(X[:, np.newaxis, :], rate).sum(axis=2)
    log_density = np.logaddexp.reduce(joint, axis=1)
    np.testing.assert_allclose(model.score_samples(X), log_density, rtol=1e-9)
    assert model.log_likelihood_ == pytest.approx(log_density.sum(), rel=1e-10)
    assert model.bic_ == pytest.approx(-2 * log_density.sum() + 5 * np.log(len(X)), rel=1e-10)
    share = np.exp(joint - log_density[:, np.newaxis])
    np.testing.assert_allclose(model.predict_proba(X), share, atol=1e-9)
    # A fixed point of EM: the M-step from these shares gives the parameters back.
    np.testing.assert_allclose(share.T @ X / share.sum(axis=0)[:, np.newaxis], rate, rtol=1e-4)
    assert (np.diff(model.lower_bounds_) > -1e-9).all()


def test_a_mixture_takes_mixed_columns_with_holes():
    import pandas

    random = np.random.default_rng(1)
    hidden = random.integers(2, size=600)
    frame = pandas.DataFrame({"count": random.poisson(2 + 8 * hidden), "size": random.normal(4 * hidden, 1),
                              "colour": np.where(random.random(600) < 0.15 + 0.7 * hidden, "red", "blue")})
    frame.loc[::7, "size"] = np.nan
    model = suffice.Mixture({"count": "poisson"}, 2, random_state=0).fit(frame)
    found = model.predict(frame)
    assert max((found == hidden).mean(), (found != hidden).mean()) > 0.95
    assert set(model.parameters_) == {"count", "size", "colour"}
    with pytest.warns(ConvergenceWarning, match="still rose by"):
        suffice.Mixture({"count": "poisson"}, 2, max_iter=1, tol=0, random_state=0).fit(frame)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict(frame), found)
    with pytest.raises(ValueError, match="too few for 5 components"):
        suffice.Mixture(n_components=5).fit(frame[:3])


@pytest.mark.parametrize("name", ["faithful", "banknote"])
def test_structures_per_class_are_no_worse_than_those_of_mclusts_mclustda(name):
    """Each class by the BIC of its own rows; tools/goldens/mclust.R has what mclust's starts come to."""
    folder = pathlib.Path(__file__).resolve().parents[1] / "goldens"
    with open(folder / "mclust_da.csv", newline="") as file:
        theirs = {row["class"]: row for row in csv.DictReader(file) if row["data"] == name}
    with open(folder / "mclust_data" / f"{name}.csv", newline="") as file:
        _, *rows = csv.reader(file)
    X, y = np.array([row[:-1] for row in rows], dtype=float), np.array([row[-1] for row in rows])
    model = suffice.MixtureDiscriminantAnalysis(structures="per_class", random_state=0).fit(X, y)
    assert set(model.structures_) == set(y) and model.parameter_count_ > 0
    share = sum((y == c).sum() * np.log((y == c).mean()) for c in set(y))
    least = sum(2 * float(each["log_likelihood"]) - float(each["parameters"]) * np.log(float(each["rows"])) for each in theirs.values())
    sizes = {(y == c).sum() for c in set(y)}
    assert 2 * (model.log_likelihood_ - share) - (model.parameter_count_ - 1) * np.log(min(sizes)) >= least - 0.5
    np.testing.assert_allclose(model.predict_proba(X).sum(1), 1)
    with pytest.raises(ValueError, match="shared"):
        suffice.MixtureDiscriminantAnalysis(structures="some").fit(X, y)
