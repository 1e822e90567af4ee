"""Fitting and predicting, the same for every naive Bayes."""
from sklearn.base import ClassifierMixin, _fit_context
from sklearn.utils.multiclass import _check_partial_fit_first_call

from suffice import inputs
from suffice.statistics import Statistics
from suffice.stated import StatedMixin


class NaiveBayesMixin(StatedMixin, ClassifierMixin):
    """Fitting and predicting, the same for every naive Bayes."""

    _joint_form = "score"  # without what all classes share

    def _read(self, X, y, reset):
        return inputs.rows_and_labels(self, X, y, reset=reset)

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
        return Statistics.blank(name, inputs.number_columns(self), self.classes_)

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

    def predict_joint_log_proba(self, X):
        """log p(x, class) up to terms that all classes share."""
        return self._checked_scores(X, self._joint_form)
