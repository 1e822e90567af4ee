"""A logistic regression with categories or basis functions, which no array of coefficients tells whole."""
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from suffice import _core, inputs
from suffice.deciding import DecidingMixin
from suffice.estimator import Explanation
from suffice.generative import FrameRowsMixin
from suffice.logistic import from_model
from suffice.refusals import RegressionRefusalsMixin
from suffice.statistics import class_names, labels_of_file


class LoadedRegression(FrameRowsMixin, RegressionRefusalsMixin, DecidingMixin, ClassifierMixin, BaseEstimator):
    """A regression from a file or from ``fit_files``: scores, explains and saves rows of its columns, by name."""

    def __init__(self):
        pass

    @classmethod
    def _of(cls, model):
        made = cls()
        made._regression = model
        names = model.classes
        made.classes_ = labels_of_file(names, model.integer_classes)
        made.n_features_in_ = len(model.columns)
        made.feature_names_in_ = np.array(model.columns, dtype=object)
        made.deviance_, made.null_deviance_ = model.deviance, model.null_deviance
        made.log_likelihood_, made.parameter_count_ = model.log_likelihood, model.parameter_count
        made.aic_, made.bic_ = model.aic, model.bic
        if model.path:
            made.penalty_path_ = model.path
        return made

    def fit(self, X, y, sample_weight=None):
        """Refuses: ``update`` goes on from where the model stands."""
        raise TypeError("a loaded regression cannot be fitted anew; update goes on from where it stands")

    def update(self, X, y, sample_weight=None):
        """Fits again, to these rows, from where the model stands; settings, levels and basis functions stay."""
        labels, codes = np.unique(np.asarray(y), return_inverse=True)
        codes = inputs.codes_among(np.array(self._regression.classes), np.array(class_names(labels)), codes.astype(np.int32))
        rows = self._lend(X)
        weight = None if sample_weight is None else np.ascontiguousarray(sample_weight, dtype=np.float64)
        found = self._regression.updated(rows, np.ascontiguousarray(codes, dtype=np.int32), weight)
        self.__dict__.update(vars(type(self)._of(found)))
        return self

    def _lend(self, X):
        rows = self._rows_of(X, False)
        if isinstance(rows, np.ndarray):
            return rows
        return rows.lend(self._regression.levels)

    def _kinds(self, reset):
        return {name: "category" if levels else "number"
                for name, levels in zip(self._regression.columns, self._regression.levels, strict=True)}

    def predict(self, X):
        """The most probable class of each row."""
        return self.classes_[self._regression.score(self._lend(X), "best")]

    def predict_proba(self, X, moderated=False):
        """p(class | x) of each row, classes in the order of ``classes_``; as ``LogisticRegression.predict_proba``."""
        if moderated:
            return self._regression.moderated().score(self._lend(X), "posterior")
        return self._regression.score(self._lend(X), "posterior")

    def predict_log_proba(self, X):
        """log p(class | x), computed in the log domain."""
        return self._regression.score(self._lend(X), "log_posterior")

    def explain(self, X):
        """What each column adds to each class's score."""
        return Explanation.of(self, *self._regression.explain(self._lend(X)))

    def table(self, coverage=0.95):
        """One dict per coefficient: class, name, coefficient, standard_error, z, p_value, low and high."""
        return self._regression.table(coverage)

    def _model(self):
        return self._regression

    def _file_bytes(self):
        return self._regression.to_file()

    def __reduce__(self):
        return (_read, (self._regression.to_file(),))


def _read(data):
    return LoadedRegression._of(_core.logistic_from_file(data))


def regression_of(model):
    """The estimator of a regression from a file: scikit-learn's class where its coefficients tell all."""
    return from_model(model) if model.plain else LoadedRegression._of(model)
