"""Gaussian naive Bayes."""
from numbers import Real

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_is_fitted

from suffice import _core, inputs
from suffice.estimator import Explanation
from suffice.naive_bayes.base import NaiveBayesMixin
from suffice.score_form import QuadraticFormMixin


class GaussianNB(NaiveBayesMixin, QuadraticFormMixin, BaseEstimator):
    """Gaussian naive Bayes, as ``sklearn.naive_bayes.GaussianNB``.

    Differences: ``partial_fit`` over pieces equals ``fit`` (there the smoothing follows the last piece alone).

    Parameters
    ----------
    priors : array-like of shape (n_classes,), default=None
        Class probabilities; None: from the data.
    var_smoothing : float, default=1e-9
        Share of the largest column variance that is added to all variances.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import GaussianNB
    >>> X = np.array([[-1, -1], [-2, -1], [-3, -2], [1, 1], [2, 1], [3, 2]])
    >>> y = np.array([1, 1, 1, 2, 2, 2])
    >>> GaussianNB().fit(X, y).predict([[-0.8, -1]])
    array([1])
    """

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
        return "gaussian_nb", {"estimate": "likelihood", "variance_floor": float(self.var_smoothing),
                               **self._given_priors(self.priors)}

    def _feed(self, seen, X, codes, weight):
        self._dtype = np.float32 if X.dtype == np.float32 else np.float64
        seen = super()._feed(seen, X, codes, weight)
        part = seen._state.parts()[0]
        if part["refused"] or not _is_complete(part, seen):
            inputs.refuse_holes(self, X)
        return seen

    def _carry(self, fitted):
        self._dtype = fitted._dtype

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
        part = self.statistics_.parts()[0]
        weight, mean, scatter = part["weight"], part["mean"], part["scatter"]
        class_count = self.statistics_.class_weight()
        total = class_count.sum()
        priors = self._checked_priors()
        # The variance of all rows together, from the classes' moments.
        centre = class_count @ mean / total
        spread = (scatter.sum(axis=0) + class_count @ (mean - centre) ** 2) / total
        self.epsilon_ = self.var_smoothing * spread.max()
        variance = np.zeros_like(scatter)
        np.divide(scatter, weight, out=variance, where=weight > 0)
        self.theta_ = mean.astype(self._dtype, copy=False)
        self.var_ = (variance + self.epsilon_).astype(self._dtype, copy=False)
        self.class_count_ = class_count.astype(self._dtype, copy=False)
        self.class_prior_ = priors if priors is not None else self.class_count_ / self.class_count_.sum()

    def _log_prior(self):
        with np.errstate(divide="ignore"):
            return np.log(self.class_prior_, dtype=np.float64)

    def _scores(self, X, form):
        variance = self.var_.astype(np.float64, copy=False)
        mean = self.theta_.astype(np.float64, copy=False)
        centre = mean.mean(axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            scale = 1.0 / np.sqrt(variance)
            bias = self._log_prior() - 0.5 * np.log(2.0 * np.pi * variance).sum(axis=1)
            offset = scale * (mean - centre)
        scores, finite = _core.diagonal_scores(X, centre, scale, offset, bias, form)
        if form != "best" and X.dtype == np.float32 and self._dtype == np.float32:
            scores = scores.astype(np.float32)
        return scores, finite

    def _coefficients(self):
        if not hasattr(self, "statistics_"):
            raise AttributeError(f"this {type(self).__name__} instance is not fitted yet")
        mean, variance = self.theta_.astype(np.float64), self.var_.astype(np.float64)
        linear = mean / variance
        constant = self._log_prior() - 0.5 * (np.log(2 * np.pi * variance) + mean * linear).sum(axis=1)
        return constant, linear, np.array([np.diag(-0.5 / each) for each in variance])

    def explain(self, X):
        """What each feature adds to each class's log joint."""
        check_is_fitted(self)
        X = np.asarray(inputs.rows(self, X), dtype=np.float64)
        if not np.isfinite(X).all():
            inputs.refuse_holes(self, X)
        shifted = X[:, None, :] - self.theta_[None]
        contributions = -0.5 * (np.log(2 * np.pi * self.var_)[None] + shifted**2 / self.var_[None])
        return Explanation(contributions, np.broadcast_to(self._log_prior(), contributions.shape[:2]).copy())

    def _class_probabilities(self):
        return np.asarray(self.class_prior_, dtype=np.float64) / np.sum(self.class_prior_, dtype=np.float64)

    def _draw(self, codes, random):
        return random.normal(self.theta_[codes], np.sqrt(self.var_[codes]))


def _is_complete(part, statistics):
    weight, all_weight = part["weight"][:, 0], statistics._state.class_weight
    return bool(part["complete"]) and bool((np.abs(weight - all_weight) <= 1e-8 + 1e-9 * all_weight).all())
