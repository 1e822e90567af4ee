"""Gaussian naive Bayes."""
from numbers import Real

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils._param_validation import Interval

from suffice import inputs
from suffice.naive_bayes.base import NaiveBayesMixin
from suffice.score_form import QuadraticFormMixin
from suffice.stated import log, numbers
from suffice.statistics import ordered
from suffice.shared_docs import documented


@documented
class GaussianNB(NaiveBayesMixin, QuadraticFormMixin, BaseEstimator):
    """Gaussian naive Bayes, as ``sklearn.naive_bayes.GaussianNB``: each column is Gaussian given the class, with a mean and a
    variance of its own, and independent of the others.

    Differences: ``partial_fit`` over pieces equals ``fit`` (there the smoothing follows the last piece alone), weights enter
    the smoothing, and models can be added and subtracted.

    Parameters
    ----------
    priors : array-like of shape (n_classes,), default=None
        Class probabilities; None: from the data.
    var_smoothing : float, default=1e-9
        Share of the largest column variance that is added to all variances.

    Attributes
    ----------
    <attributes of classifiers>
    class_count_ : ndarray of shape (n_classes,)
        Weight of the rows of each class.
    class_prior_ : ndarray of shape (n_classes,)
        Class probabilities.
    theta_, var_ : ndarray of shape (n_classes, n_features)
        Mean and variance of each column in each class.
    epsilon_ : float
        What was added to the variances.

    See Also
    --------
    GaussianDiscriminant : The same with covariances.
    NaiveBayes : A family of its own for each column; missing values.

    Notes
    -----
    <what sums add>

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import GaussianNB
    >>> X = np.array([[-1, -1], [-2, -1], [-3, -2], [1, 1], [2, 1], [3, 2]])
    >>> y = np.array([1, 1, 1, 2, 2, 2])
    >>> GaussianNB().fit(X, y).predict([[-0.8, -1]])
    array([1])
    """

    _joint_form = "joint"
    _stated_by = ("class_prior_", "theta_", "var_")
    _parameter_constraints: dict = {
        "priors": ["array-like", None],
        "var_smoothing": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(self, *, priors=None, var_smoothing=1e-9):
        self.priors = priors
        self.var_smoothing = var_smoothing

    def _recipe_name(self):
        return "gaussian_nb", {}

    def _recipe(self):
        return "gaussian_nb", {"estimate": "likelihood", "added_variance_share": float(self.var_smoothing),
                               **self._given_priors(self.priors)}

    def _feed(self, seen, X, codes, weight):
        self._dtype = X.dtype.str if X.dtype == np.float32 else "<f8"
        seen = super()._feed(seen, X, codes, weight)
        part = seen._state.parts()[0]
        if part["refused"] or not _is_complete(part, seen):
            inputs.refuse_holes(self, X)
        return seen

    def _kept(self):
        return {"_dtype": self._dtype}

    def _checked_priors(self):
        if self.priors is None:
            return None
        priors = np.asarray(self.priors, dtype=self._dtype)
        if len(priors) != len(self.classes_):
            raise ValueError("Number of priors must match number of classes.")
        if not np.isclose(priors.sum(), 1.0):
            raise ValueError("The sum of the priors should be 1.")
        if (priors < 0).any():
            raise ValueError("Priors must be non-negative.")
        return priors

    def _estimate(self):
        part, priors = self.statistics_.parts()[0], self._checked_priors()
        count, mean = self.statistics_.class_weight(), part["mean"]
        # The variance of all rows together, from the classes' moments.
        centre = count @ mean / count.sum()
        spread = (part["scatter"].sum(axis=0) + count @ (mean - centre) ** 2) / count.sum()
        self.epsilon_ = self.var_smoothing * spread.max()
        model, order = self._estimated(), self.statistics_._order()
        variance = ordered(model.parameter("variance"), order)
        variance[order < 0] = self.epsilon_
        self.theta_ = ordered(model.parameter("mean"), order).astype(self._dtype, copy=False)
        self.var_ = variance.astype(self._dtype, copy=False)
        self.class_count_ = count.astype(self._dtype, copy=False)
        self.class_prior_ = priors if priors is not None else self.class_count_ / self.class_count_.sum()

    def _parameters(self):
        return log(self.class_prior_), {"mean": numbers(self.theta_), "variance": numbers(self.var_)}

    def _coefficients(self):
        if not hasattr(self, "statistics_"):
            raise AttributeError(f"this {type(self).__name__} instance is not fitted yet")
        return self._scorer().form()


def _is_complete(part, statistics):
    weight, all_weight = part["weight"][:, 0], statistics._state.class_weight
    return bool(part["complete"]) and bool((np.abs(weight - all_weight) <= 1e-8 + 1e-9 * all_weight).all())
