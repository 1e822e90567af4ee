"""Small functions of the field as the library computes them: finite and accurate at the extremes.

>>> from suffice import math
>>> math.sigmoid(0.0), math.logit(0.5)
(0.5, 0.0)
>>> math.softmax([1000.0, 1000.0]).tolist()
[0.5, 0.5]
>>> math.sigmoid([-800.0, 800.0]).tolist()
[0.0, 1.0]

Numbers give a float, arrays an array of their shape; lists of numbers are taken along the last axis. Affine maps,
marginals and conditionals of Gaussians are methods of :class:`suffice.families.GaussianVector`.
"""
import numpy as np

from suffice import _core

__all__ = ["hoeffding", "hoeffding_reach", "log_sum_exp", "logit", "logit_derivative", "robbins_monro", "sigmoid",
           "sigmoid_derivative", "softmax", "softmax_jacobian"]


def _each(function, a):
    a = np.asarray(a, dtype=np.float64)
    made = function(np.ascontiguousarray(a).reshape(-1)).reshape(a.shape)
    return float(made) if a.ndim == 0 else made


def _row(a, what):
    a = np.asarray(a, dtype=np.float64, order="C")
    if a.ndim == 0 or a.shape[-1] == 0:
        raise ValueError(f"{what} takes a list of one number or more")
    return a


def sigmoid(a):
    """1 / (1 + exp(-a)).

    >>> round(sigmoid(1.0), 6)
    0.731059
    """
    return _each(_core.sigmoid, a)


def sigmoid_derivative(a):
    """sigmoid(a) sigmoid(-a), which keeps its digits where the sigmoid is near one.

    >>> sigmoid_derivative(0.0)
    0.25
    """
    return _each(_core.sigmoid_derivative, a)


def logit(p):
    """log(p / (1 - p)), the inverse of the sigmoid: -inf at 0, inf at 1, NaN outside of [0, 1].

    >>> round(logit(0.75), 6)
    1.098612
    """
    return _each(_core.logit, p)


def logit_derivative(p):
    """1 / (p (1 - p)): infinite at 0 and at 1.

    >>> logit_derivative(0.5)
    4.0
    """
    return _each(_core.logit_derivative, p)


def softmax(a):
    """exp(a_i) / sum_j exp(a_j). Terms that are all infinite alike share the whole.

    >>> softmax([0.0, 0.0]).tolist()
    [0.5, 0.5]
    """
    a = _row(a, "softmax")
    return _core.softmax(a.reshape(-1), a.shape[-1]).reshape(a.shape)


def softmax_jacobian(a):
    """The derivatives of softmax_i (rows) by a_j (columns): s_i ([i = j] - s_j).

    >>> softmax_jacobian([0.0, 0.0]).tolist()
    [[0.25, -0.25], [-0.25, 0.25]]
    """
    a = _row(a, "softmax_jacobian")
    if a.ndim != 1:
        raise ValueError("softmax_jacobian takes one list of numbers")
    return _core.softmax_jacobian(a).reshape(len(a), len(a))


def log_sum_exp(a):
    """log(sum_i exp(a_i)), without overflow.

    >>> round(log_sum_exp([1000.0, 1000.0]), 6)
    1000.693147
    """
    a = _row(a, "log_sum_exp")
    made = _core.log_sum_exp(a.reshape(-1), a.shape[-1]).reshape(a.shape[:-1])
    return float(made) if a.ndim == 1 else made


def hoeffding(n, epsilon):
    """A bound on the probability that the mean of n independent values in [0, 1] misses its expectation by epsilon or
    more, on either side: 2 exp(-2 n epsilon^2), and never above one (Hoeffding, 1963).

    >>> round(hoeffding(1000, 0.05), 6)
    0.013476
    """
    n, epsilon = np.broadcast_arrays(np.asarray(n, float), np.asarray(epsilon, float))
    if np.any(n < 0) or np.any(epsilon < 0):
        raise ValueError("hoeffding takes n and epsilon from 0")
    made = np.array([_core.hoeffding(k, e) for k, e in zip(n.ravel().tolist(), epsilon.ravel().tolist())])
    return float(made[0]) if n.ndim == 0 else made.reshape(n.shape)


def hoeffding_reach(n, delta, rules=1):
    """How far a risk may lie from what n rows show of it, with a probability of 1 - delta, for every one of so many rules
    at once: sqrt(log(2 rules / delta) / (2 n)), by Hoeffding's bound and the union over the rules.

    >>> round(hoeffding_reach(100, 0.05), 6), round(hoeffding_reach(100, 0.05, rules=50), 6)
    (0.13581, 0.194947)
    """
    if not (n > 0 and 0 < delta <= 1 and rules >= 1):
        raise ValueError("hoeffding_reach takes n above 0, delta from 0 to 1, and rules from 1")
    return _core.hoeffding_reach(float(n), float(delta), float(rules))


def robbins_monro(values, start=0.0):
    """The estimate after each value by the steps of Robbins and Monro (1951): t + (x - t) / k at the k-th value x.

    It is the running mean: the first step is a whole one, so that `start` is forgotten with the first value. Without
    values there is no estimate but `start`.

    >>> robbins_monro([2.0, 4.0, 9.0]).tolist()
    [2.0, 3.0, 5.0]
    """
    values = np.ascontiguousarray(values, dtype=np.float64)
    if values.ndim != 1:
        raise ValueError("robbins_monro takes one list of numbers")
    return _core.robbins_monro(values, float(start))
