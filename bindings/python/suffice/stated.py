"""Classifiers whose fitted attributes are the model: what a user sets is what is scored, explained and drawn."""
import numpy as np
from sklearn.utils.validation import check_is_fitted

from suffice import _core, inputs
from suffice.estimator import SufficientMixin
from suffice.statistics import class_names


class StatedMixin(SufficientMixin):
    """Scores by the library's model of the attributes ``_stated_by``, which ``_parameters()`` gives as log priors and the rest."""

    _dtype: str = "<f8"
    _stated_by: tuple[str, ...] = ()

    def _parameters(self):
        raise NotImplementedError

    def _columns(self):
        return inputs.number_columns(self)

    def _settled(self):
        check_is_fitted(self)

    def _scorer(self):
        self._settled()
        return self.statistics_.stated({name: getattr(self, name) for name in self._stated_by}, self._state_model)

    def _state_model(self):
        log_prior, parameters = self._parameters()
        return _core.stated_model(class_names(self.classes_), numbers(log_prior), self._columns(), parameters)

    def _estimated(self):
        """The library's estimate under the fitted settings; what they say of priors is no matter of the parameters."""
        name, settings = self._recipe()
        return self.statistics_.model(name, {key: value for key, value in settings.items() if key != "priors"})

    def _read_rows(self, X):
        return inputs.rows(self, X)

    def _refuse(self, X):
        """Raises scikit-learn's words for values that no row may have."""
        inputs.refuse_holes(self, X)

    def _scores(self, X, form):
        """Scores, and whether all rows were usual ones."""
        odd = []
        return self._scorer().score(inputs.lend(X), form, odd=lambda: odd.append(True)), not odd

    def _checked_scores(self, X, form):
        self._settled()
        X = self._read_rows(X)
        try:
            scores, usual = self._scores(X, form)
        except ValueError:
            self._refuse(X)
            raise
        if not usual:
            self._refuse(X)
        if form != "best" and np.dtype(self._dtype) == X.dtype == np.float32:
            return scores.astype(np.float32)
        return scores

    def _lend(self, X):
        self._settled()
        X = self._read_rows(X)
        self._refuse(X)
        return inputs.lend(X)

    def predict(self, X):
        """The most probable class of each row."""
        self._settled()
        return self.classes_[self._checked_scores(X, "best")]

    def predict_proba(self, X):
        """p(class | x) of each row, classes in the order of ``classes_``."""
        return self._checked_scores(X, "posterior")

    def predict_log_proba(self, X):
        """log p(class | x), computed in the log domain."""
        return self._checked_scores(X, "log_posterior")


def numbers(values):
    """As the library takes them."""
    return np.ascontiguousarray(values, dtype=np.float64)


def log(values):
    """Of zero: minus infinity, without a word."""
    with np.errstate(divide="ignore"):
        return np.log(numbers(values))
