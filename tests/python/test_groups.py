"""Groups by hard and stepwise EM and under other distances, and bandwidths of Sheather and Jones."""
import csv
import pathlib

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.cluster import KMeans as TheirKMeans

import suffice

GOLDENS = pathlib.Path(__file__).resolve().parents[1] / "goldens"


def clouds(n=600, seed=0):
    random = np.random.default_rng(seed)
    label = random.integers(3, size=n)
    return random.normal(size=(n, 2)) + np.array([[0.0, 0.0], [8.0, 0.0], [0.0, 8.0]])[label], label


def golden(name, sample):
    with open(GOLDENS / name) as rows:
        return [float(row[1]) for row in csv.reader(rows) if row[0] == sample]


@pytest.mark.parametrize("sample", ["eruptions", "waiting", "skewed_2000"])
def test_sheather_jones_is_the_bandwidth_of_r(sample):
    values = np.array(golden("bandwidth_rows.csv", sample))[:, None]
    model = suffice.KernelDensity(bandwidth="sheather_jones").fit(values)
    assert model.bandwidth_ == pytest.approx(golden("bandwidth_values.csv", sample)[0], rel=1e-9)
    same = suffice.KernelDensity(bandwidth=model.bandwidth_).fit(values)
    np.testing.assert_array_equal(model.score_samples(values[:5]), same.score_samples(values[:5]))


def test_sheather_jones_refuses_two_columns():
    with pytest.raises(ValueError, match="for one column, not for 2"):
        suffice.KernelDensity(bandwidth="sheather_jones").fit(np.eye(5)[:, :2])


def test_hard_em_ends_at_the_moments_of_its_own_rows():
    X, _ = clouds()
    model = suffice.Mixture(family="gaussian", n_components=3, hard=True, tol=1e-9, random_state=1).fit(X)
    labels = model.predict(X)
    np.testing.assert_allclose(model.weights_, np.bincount(labels) / len(X), rtol=1e-9)
    for k in range(3):
        assert model.parameters_["x0"][k]["mean"] == pytest.approx(X[labels == k, 0].mean(), rel=1e-9)


def test_batches_that_forget_follow_what_moves():
    X, _ = clouds()
    kept = suffice.Mixture(family="gaussian", n_components=3, random_state=1)
    forgetting = suffice.Mixture(family="gaussian", n_components=3, keep=0.5, random_state=1)
    for model in (kept, forgetting):
        model.partial_fit(X)
        for _ in range(8):
            model.partial_fit(X + [1.0, 0.0])
    first = [sorted(float(each["mean"]) for each in model.parameters_["x0"])[2] for model in (kept, forgetting)]
    moved = X[X[:, 0] > 4, 0].mean() + 1
    assert abs(first[1] - moved) < 0.1 < abs(first[0] - moved)
    assert kept.statistics_.weight == pytest.approx(9 * len(X))


@pytest.mark.parametrize("distance, scipy_name", [("manhattan", "cityblock"), ("euclidean", "euclidean"),
                                                  ("chebyshev", "chebyshev"), ("cosine", "cosine")])
def test_rows_lie_at_their_nearest_centre_and_no_step_raises_the_sum(distance, scipy_name):
    X, label = clouds()
    X = X + 20
    found = suffice.CentreClusters(n_clusters=3, distance=distance, random_state=0).fit(X)
    far = cdist(X, found.cluster_centers_, scipy_name)
    np.testing.assert_array_equal(found.labels_, far.argmin(axis=1))
    np.testing.assert_array_equal(found.predict(X), found.labels_)
    assert found.inertia_ == pytest.approx(far.min(axis=1).sum(), rel=1e-9)
    assert (np.diff(found.inertias_) <= 1e-9).all()
    if distance == "manhattan":
        for k in range(3):
            np.testing.assert_allclose(found.cluster_centers_[k], np.median(X[found.labels_ == k], axis=0))
    if distance == "cosine":
        np.testing.assert_allclose(np.linalg.norm(found.cluster_centers_, axis=1), 1)


def test_spherical_k_means_is_k_means_of_directions():
    X, _ = clouds()
    X = X + 3
    X = X[np.linalg.norm(X, axis=1) > 1]
    directions = X / np.linalg.norm(X, axis=1, keepdims=True)
    ours = suffice.CentreClusters(n_clusters=3, distance="cosine", n_init=20, random_state=0).fit(X)
    theirs = TheirKMeans(n_clusters=3, n_init=20, random_state=0).fit(directions)
    cost = 1 - (directions @ ours.cluster_centers_.T).max(axis=1)
    unit = theirs.cluster_centers_ / np.linalg.norm(theirs.cluster_centers_, axis=1, keepdims=True)
    assert cost.sum() <= (1 - (directions @ unit.T).max(axis=1)).sum() * (1 + 1e-3)


def test_bad_distances_and_too_many_clusters_are_told():
    X, _ = clouds(30)
    with pytest.raises(ValueError, match="distance must be"):
        suffice.CentreClusters(distance="hamming").fit(X)
    with pytest.raises(ValueError, match="too few"):
        suffice.CentreClusters(n_clusters=31).fit(X)
