"""Histogram and nearest-neighbour densities against NumPy and scikit-learn's neighbours."""
import pickle

import numpy as np
import pytest
from scipy.special import gammaln
from sklearn.neighbors import NearestNeighbors

import suffice


@pytest.mark.parametrize(("bins", "rule"), [(7, 7), ("freedman_diaconis", "fd")])
def test_a_histogram_of_one_column_is_numpys(bins, rule):
    X = np.random.default_rng(0).normal(size=(500, 1))
    density, edges = np.histogram(X[:, 0], bins=rule, density=True)
    middles = (edges[1:] + edges[:-1]) / 2
    with np.errstate(divide="ignore"):
        expected = np.log(density)
    found = suffice.HistogramDensity(bins=bins).fit(X).score_samples(middles[:, np.newaxis])
    np.testing.assert_allclose(found[density > 0], expected[density > 0], rtol=1e-9)
    assert (found[density == 0] < -300).all()


def test_a_histogram_of_several_columns_is_their_product_and_takes_weights():
    random = np.random.default_rng(1)
    X, weight = random.uniform(size=(300, 2)), random.integers(1, 4, size=300).astype(float)
    both = suffice.HistogramDensity(bins=5).fit(X, sample_weight=weight)
    one, two = (suffice.HistogramDensity(bins=5).fit(X[:, [j]], sample_weight=weight) for j in (0, 1))
    np.testing.assert_allclose(both.score_samples(X), one.score_samples(X[:, [0]]) + two.score_samples(X[:, [1]]), rtol=1e-9)
    repeated = suffice.HistogramDensity(bins=5).fit(np.repeat(X, weight.astype(int), axis=0))
    np.testing.assert_allclose(both.score_samples(X), repeated.score_samples(X), rtol=1e-9)


def test_blocks_put_edges_where_the_density_changes():
    random = np.random.default_rng(2)
    X = np.concatenate([random.uniform(0, 1, 900), random.uniform(1, 10, 100)])[:, np.newaxis]
    found = np.exp(suffice.HistogramDensity(bins="blocks").fit(X).score_samples([[0.5], [5.0]]))
    np.testing.assert_allclose(found, [0.9, 0.1 / 9], rtol=0.05)


@pytest.mark.parametrize("d", [1, 2, 3])
def test_the_nearest_rows_tell_the_density(d):
    random = np.random.default_rng(d)
    X, at, k = random.normal(size=(400, d)), random.normal(size=(50, d)), 15
    unit = X.std(axis=0)  # neighbours are near in units of each column
    radius = NearestNeighbors(n_neighbors=k).fit(X / unit).kneighbors(at / unit)[0][:, -1]
    log_ball = d / 2 * np.log(np.pi) - gammaln(d / 2 + 1) + d * np.log(radius) + np.log(unit).sum()
    found = suffice.NearestDensity(n_neighbors=k).fit(X).score_samples(at)
    np.testing.assert_allclose(found, np.log(k) - np.log(len(X)) - log_ball, rtol=1e-9)


@pytest.mark.parametrize("model", [suffice.HistogramDensity(bins=6), suffice.NearestDensity(n_neighbors=5)])
def test_a_density_is_pickled_and_says_what_is_wrong(model):
    X = np.random.default_rng(3).normal(size=(100, 2))
    before = model.fit(X).score_samples(X[:5])
    assert (pickle.loads(pickle.dumps(model)).score_samples(X[:5]) == before).all()
    with pytest.raises(ValueError, match="NaN"):
        model.fit([[np.nan, 1.0]])
    with pytest.raises(ValueError, match="features"):
        suffice.HistogramDensity().fit(X).score_samples(X[:, :1])
    with pytest.raises((ValueError, TypeError), match="bins"):
        suffice.HistogramDensity(bins="many").fit(X)
