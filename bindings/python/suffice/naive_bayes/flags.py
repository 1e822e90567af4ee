"""Naive Bayes over flags."""
from numbers import Real

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils._param_validation import Interval

from suffice import _core, inputs
from suffice.estimator import Explanation
from suffice.naive_bayes.discrete import DiscreteMixin
from suffice.score_form import LinearFormMixin


class BernoulliNB(DiscreteMixin, LinearFormMixin, BaseEstimator):
    """Naive Bayes over flags, as ``sklearn.naive_bayes.BernoulliNB``.

    Parameters
    ----------
    alpha : float or array-like of shape (n_features,), default=1.0
    force_alpha : bool, default=True
    binarize : float or None, default=0.0
        Values above it are ones; None: X holds zeros and ones already.
    fit_prior : bool, default=True
    class_prior : array-like of shape (n_classes,), default=None

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import BernoulliNB
    >>> X = np.array([[1, 0], [1, 1], [0, 1], [0, 1]])
    >>> y = np.array([0, 0, 1, 1])
    >>> BernoulliNB().fit(X, y).predict([[1, 0]]).tolist()
    [0]
    """

    _parameter_constraints: dict = {**DiscreteMixin._parameter_constraints,
                                    "binarize": [None, Interval(Real, 0, None, closed="left")]}

    def __init__(self, *, alpha=1.0, force_alpha=True, binarize=0.0, fit_prior=True, class_prior=None):
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.binarize = binarize
        self.fit_prior = fit_prior
        self.class_prior = class_prior

    def _recipe_name(self):
        return "bernoulli_nb", {}

    def _recipe(self):
        return "bernoulli_nb", {**self._smoothing_settings(), **self._prior_settings()}

    def _flags(self, X):
        """Sparse entries as ones and zeros; arrays are read through the threshold."""
        if isinstance(X, np.ndarray):
            return X, None if self.binarize is None else float(self.binarize)
        if self.binarize is not None:
            X = type(X)(((X.data > self.binarize).astype(np.float64), X.indices, X.indptr), shape=X.shape)
        return X, None

    def _feed(self, seen, X, codes, weight):
        flags, threshold = self._flags(X)
        try:
            fed = seen.feed(inputs.lend(flags), codes, weight, threshold=threshold)
        except ValueError:
            inputs.refuse_holes(self, X)
            raise
        part = fed._state.parts()[0]
        if part["refused"] or not part["complete"]:
            inputs.refuse_holes(self, X)
            raise ValueError("BernoulliNB with binarize=None needs zeros and ones in X")
        return fed

    def _estimate(self):
        part = self.statistics_.parts()[0]
        self.class_count_ = self.statistics_.class_weight()
        self.feature_count_ = part["one_weight"]
        alpha = self._check_alpha()
        smoothed = self.feature_count_ + alpha
        total = self.class_count_.reshape(-1, 1) + alpha * 2
        with np.errstate(divide="ignore"):
            self.feature_log_prob_ = np.log(smoothed) - np.log(total)
        self._take_class_prior()

    def _log_absent(self):
        with np.errstate(divide="ignore"):
            return np.log1p(-np.exp(self.feature_log_prob_))

    def _coefficients(self):
        """Linear in the flags, which are 1 where X is above ``binarize``."""
        if not hasattr(self, "statistics_"):
            raise AttributeError(f"this {type(self).__name__} instance is not fitted yet")
        absent = self._log_absent()
        return self.class_log_prior_ + absent.sum(axis=1), self.feature_log_prob_ - absent, None

    def _scores(self, X, form):
        bias, weight = (np.ascontiguousarray(each) for each in self._coefficients()[:2])
        flags, threshold = self._flags(X)
        return _core.affine_scores(inputs.lend(flags), np.zeros(weight.shape[1]), weight, bias, form, threshold)

    def explain(self, X):
        """What each feature adds to each class's log joint."""
        X = self._dense(X)
        present = (X > self.binarize if self.binarize is not None else X != 0)[:, None, :]
        contributions = np.where(present, self.feature_log_prob_[None], self._log_absent()[None])
        return Explanation(contributions, np.broadcast_to(self.class_log_prior_, contributions.shape[:2]).copy())

    def _draw(self, codes, random):
        return (random.uniform(size=(len(codes), self.n_features_in_))
                < np.exp(self.feature_log_prob_)[codes]).astype(np.float64)
