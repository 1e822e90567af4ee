"""Naive Bayes classes named and shaped as scikit-learn's, fitted in one pass over the rows."""
from numbers import Integral, Real

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, _fit_context
from sklearn.utils._param_validation import Interval
from sklearn.utils.multiclass import _check_partial_fit_first_call
from sklearn.utils.validation import check_is_fitted

from suffice import _core, inputs
from suffice.estimator import Explanation, SufficientMixin
from suffice.statistics import Statistics

__all__ = ["BernoulliNB", "CategoricalNB", "ComplementNB", "GaussianNB", "MultinomialNB"]


def number_columns(estimator):
    """The columns of a model without categories, by the names of the features where they have names."""
    names = getattr(estimator, "feature_names_in_", None)
    if names is None:
        names = [f"x{k}" for k in range(estimator.n_features_in_)]
    return [(str(name), "number", [], 0) for name in names]


class NaiveBayesMixin(SufficientMixin, ClassifierMixin):
    """Fitting and predicting, the same for every naive Bayes."""

    def _read(self, X, y, reset):
        return inputs.rows_and_labels(self, X, y, reset=reset)

    def _read_rows(self, X):
        return inputs.rows(self, X)

    def _learn(self, X, y, classes, sample_weight, refit):
        if refit:
            self.classes_ = None
            X, labels, codes = self._read(X, y, True)
            self.classes_ = labels
            first = True
        else:
            first = _check_partial_fit_first_call(self, classes)
            X, labels, codes = self._read(X, y, first)
        codes = inputs.codes_among(self.classes_, labels, codes)
        weight = inputs.weights(sample_weight, X)
        seen = self._blank(X) if first else self.statistics_
        self.statistics_ = self._feed(seen, X, codes, weight)
        self._estimate()
        return self

    def _blank(self, X):
        name, _ = self._recipe_name()
        state = _core.State.make(name, {"estimate": "likelihood"}, number_columns(self), {})
        return Statistics(state, self.classes_)

    def _feed(self, seen, X, codes, weight):
        return seen.feed(inputs.lend(X), codes, weight)

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None):
        """Fits the model to X, y; rows may be weighted."""
        return self._learn(X, y, None, sample_weight, True)

    @_fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X, y, classes=None, sample_weight=None):
        """Adds rows to the model: pieces in any order give what ``fit`` gives on all of them.

        ``classes``, all labels that may ever come, is needed on the first call.
        """
        return self._learn(X, y, classes, sample_weight, False)

    def _scores(self, X, form):
        raise NotImplementedError

    def _checked_scores(self, X, form):
        check_is_fitted(self)
        X = self._read_rows(X)
        scores, finite = self._scores(X, form)
        if not finite:
            self._refuse(X)
        return scores

    def _refuse(self, X):
        inputs.refuse_holes(self, X)

    def predict(self, X):
        """The most probable class of each row."""
        return self.classes_[self._checked_scores(X, "best")] if hasattr(self, "classes_") else self._not_fitted()

    def _not_fitted(self):
        check_is_fitted(self)

    def predict_proba(self, X):
        """p(class | x) of each row, classes in the order of ``classes_``."""
        return self._checked_scores(X, "posterior")

    def predict_log_proba(self, X):
        """log p(class | x), computed in the log domain."""
        return self._checked_scores(X, "log_posterior")

    def predict_joint_log_proba(self, X):
        """log p(x, class) up to terms that all classes share."""
        return self._checked_scores(X, "joint")


class GaussianNB(NaiveBayesMixin, BaseEstimator):
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
    return bool(part["complete"]) and np.array_equal(part["weight"][:, 0], statistics._state.class_weight)
