"""What the naive Bayes classes over counts, flags and categories share: smoothing and class priors."""
import warnings
from numbers import Real

import numpy as np
from sklearn.utils._param_validation import Interval

from suffice import inputs
from suffice.naive_bayes.base import NaiveBayesMixin
from suffice.statistics import ordered


class DiscreteMixin(NaiveBayesMixin):
    """What the naive Bayes classes over counts, flags and categories share."""

    _parameter_constraints: dict = {
        "alpha": [Interval(Real, 0, None, closed="left"), "array-like"],
        "fit_prior": ["boolean"],
        "class_prior": ["array-like", None],
        "force_alpha": ["boolean"],
    }
    _sparse: str | bool = "csr"
    _stated_by = ("class_log_prior_", "feature_log_prob_")

    def _read(self, X, y, reset):
        return inputs.rows_and_labels(self, X, y, reset=reset, accept_sparse=self._sparse)

    def _read_rows(self, X):
        return inputs.rows(self, X, accept_sparse=self._sparse)

    def _check_alpha(self):
        alpha = np.asarray(self.alpha) if not isinstance(self.alpha, Real) else self.alpha
        lowest = np.min(alpha)
        if isinstance(alpha, np.ndarray):
            if alpha.shape[0] != self.n_features_in_:
                raise ValueError(
                    "When alpha is an array, it should contains `n_features`. "
                    f"Got {alpha.shape[0]} elements instead of {self.n_features_in_}.")
            if lowest < 0:
                raise ValueError("All values in alpha must be greater than 0.")
        least = 1e-10
        if lowest < least and not self.force_alpha:
            warnings.warn(
                f"alpha too small will result in numeric errors, setting alpha = {least:.1e}. "
                "Use `force_alpha=True` to keep alpha unchanged.", stacklevel=4)
            return np.maximum(alpha, least)
        return alpha

    def _take_class_prior(self):
        count = len(self.classes_)
        if self.class_prior is not None:
            if len(self.class_prior) != count:
                raise ValueError("Number of priors must match number of classes.")
            self.class_log_prior_ = np.log(self.class_prior)
        elif self.fit_prior:
            with np.errstate(divide="ignore"):
                self.class_log_prior_ = np.log(self.class_count_) - np.log(self.class_count_.sum())
        else:
            self.class_log_prior_ = np.full(count, -np.log(count))

    def _prior_settings(self):
        if self.class_prior is not None:
            return self._given_priors(self.class_prior)
        return {} if self.fit_prior else {"priors": "uniform"}

    def _smoothing_settings(self):
        alpha = np.asarray(self._check_alpha(), dtype=float)
        if alpha.size > 1 and (alpha != alpha.flat[0]).any():
            return {"estimate": "map", **self._alpha_settings(alpha)}
        return {"estimate": "map", "smoothing": float(alpha.flat[0])}

    def _alpha_settings(self, alpha):
        """Of a pseudo-count for each feature."""
        return {"column_smoothing": alpha.tolist()}

    def _log_probabilities(self, linear):
        """What the library estimated, by the places of ``classes_``; a class without rows knows its pseudo-counts alone."""
        order = self.statistics_._order()
        found = ordered(linear, order)
        if (order < 0).any():
            found[order < 0] = self._blank_line()
        return found

    def _coefficients(self):
        if not hasattr(self, "statistics_"):
            raise AttributeError(f"this {type(self).__name__} instance is not fitted yet")
        return self._scorer().form()

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self._sparse is not False
        tags.classifier_tags.poor_score = True
        return tags
