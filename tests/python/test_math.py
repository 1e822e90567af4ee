"""suffice.math beside SciPy at every kind of argument, and beside closed forms."""
import numpy as np
import pytest
from scipy import special

from suffice import math

INF, NAN = np.inf, np.nan
EXTREMES = np.array([0.0, -0.0, 1.0, -1.0, 0.5, INF, -INF, 1e300, -1e300, 1e-300, 5e-324, 36.7, -36.7, 745.2, -745.2, NAN])


def test_sigmoid_and_its_derivative():
    np.testing.assert_allclose(math.sigmoid(EXTREMES), special.expit(EXTREMES), rtol=1e-15)
    np.testing.assert_allclose(math.sigmoid_derivative(EXTREMES), special.expit(EXTREMES) * special.expit(-EXTREMES),
                               rtol=1e-15)
    assert math.sigmoid(0) == 0.5 and isinstance(math.sigmoid(0), float)
    assert math.sigmoid([[1.0, 2.0]]).shape == (1, 2)


def test_logit():
    p = np.array([0.0, 1.0, 0.5, 0.25, 0.75, 0.3, 1e-300, 5e-324, 1 - 1e-16, -1.0, 2.0, INF, -INF, 1e300, NAN])
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(math.logit(p), special.logit(p), rtol=1e-14)


@pytest.mark.parametrize("row", [[0.0], [1.0, 2.0, 3.0], [1e300, 1e300], [-1e300, 0.0], [-INF, 0.0], [-INF, -INF],
                                 [INF, 0.0], [INF, INF], [NAN, 1.0], [1.0, NAN], [1000.0, 999.0], [1e-300, -1e-300]])
def test_log_sum_exp_and_softmax(row):
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(math.log_sum_exp(row), special.logsumexp(row), rtol=1e-15)
        theirs = special.softmax(row)
    ours = math.softmax(row)
    if not np.isinf(np.max(row)):  # there SciPy has NaN, and the limit is stated
        np.testing.assert_allclose(ours, theirs, rtol=1e-15)
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(math.softmax_jacobian(row), np.diag(ours) - np.outer(ours, ours), atol=1e-16)


def test_infinite_terms_share_the_whole():
    assert math.softmax([INF, 0.0]).tolist() == [1, 0]
    assert math.softmax([INF, INF, 1.0]).tolist() == [0.5, 0.5, 0]
    assert math.softmax([-INF, -INF]).tolist() == [0.5, 0.5]


def test_rows_are_taken_along_the_last_axis():
    a = np.random.default_rng(0).normal(size=(3, 4, 5))
    np.testing.assert_allclose(math.softmax(a), special.softmax(a, axis=-1))
    np.testing.assert_allclose(math.log_sum_exp(a), special.logsumexp(a, axis=-1))
    np.testing.assert_allclose(math.softmax(a[:, :, 0].T), special.softmax(a[:, :, 0].T, axis=-1))
    assert isinstance(math.log_sum_exp([1.0]), float)
    for bad in ([], 1.0):
        with pytest.raises(ValueError):
            math.softmax(bad)
    with pytest.raises(ValueError):
        math.softmax_jacobian(a)


def test_the_jacobian_keeps_digits_that_subtraction_loses():
    jacobian = math.softmax_jacobian([40.0, 0.0])
    np.testing.assert_allclose(jacobian[0, 0], special.expit(40) * special.expit(-40), rtol=1e-14)
    assert 1 - math.softmax([40.0, 0.0])[0] == 0


def test_hoeffding():
    assert math.hoeffding(1000, 0.05) == pytest.approx(2 * np.exp(-5))
    np.testing.assert_allclose(math.hoeffding([10, 1000], 0.1), [1.0, 2 * np.exp(-20)])
    assert math.hoeffding(0, 0.1) == 1 and math.hoeffding(10, 0) == 1 and math.hoeffding(10, INF) == 0
    assert math.hoeffding(1e300, 1e-3) == 0 and np.isnan(math.hoeffding(NAN, 0.1))
    for bad in ((-1, 0.1), (10, -0.1)):
        with pytest.raises(ValueError):
            math.hoeffding(*bad)


def test_the_reach_of_hoeffdings_bound():
    for rules in (1, 50):
        reach = math.hoeffding_reach(100, 0.05, rules)
        assert reach == pytest.approx(np.sqrt(np.log(2 * rules / 0.05) / 200)) and rules * math.hoeffding(100, reach) == pytest.approx(0.05)
    for bad in ((0, 0.1), (10, 0.0), (10, 1.5), (10, 0.1, 0)):
        with pytest.raises(ValueError):
            math.hoeffding_reach(*bad)


def test_the_derivative_of_the_logit():
    p = np.array([0.1, 0.5, 0.9, 1e-300])
    np.testing.assert_allclose(math.logit_derivative(p), 1 / (p * (1 - p)), rtol=1e-15)
    assert math.logit_derivative(0.0) == INF == math.logit_derivative(1.0) and np.isnan(math.logit_derivative(2.0))


def test_robbins_monro_is_the_running_mean():
    x = np.random.default_rng(0).normal(size=100)
    expected = np.cumsum(x) / np.arange(1, 101)
    np.testing.assert_allclose(math.robbins_monro(x, start=0.0), expected, atol=1e-14)
    np.testing.assert_allclose(math.robbins_monro(x, start=50.0), expected, atol=1e-13)
    assert math.robbins_monro([]).shape == (0,)
    assert np.isnan(math.robbins_monro([1.0, NAN, 2.0])).tolist() == [False, True, True]
    with pytest.raises(ValueError):
        math.robbins_monro([[1.0]])
