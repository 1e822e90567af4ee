"""What every fitted classifier can do with its statistics: merge, subtract, decay, explain, sample, save."""
import os
import tempfile
import warnings

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from suffice import notebook, threads
from suffice.deciding import DecidingMixin, codes_of
from suffice.inputs import seed_of
from suffice.statistics import Statistics, class_names

threads.register()  # scikit-learn, which this module needs, brings threadpoolctl


class Explanation:
    """Contributions (rows, classes, features) and intercepts (rows, classes); their sum is the log joint. Unpacks as a pair."""

    def __init__(self, contributions, intercepts, classes=None, names=None):
        self.contributions, self.intercepts = contributions, intercepts
        self._classes = list(range(intercepts.shape[1])) if classes is None else list(classes)
        self._names = [f"x{k}" for k in range(contributions.shape[2])] if names is None else [str(name) for name in names]

    @classmethod
    def of(cls, estimator, contributions, intercepts, names=None):
        """With the names of the estimator's classes and features."""
        return cls(contributions, intercepts, estimator.classes_, getattr(estimator, "feature_names_in_", None) if names is None else names)

    def __iter__(self):
        return iter((self.contributions, self.intercepts))

    def __len__(self):
        return 2

    def __getitem__(self, place):
        return (self.contributions, self.intercepts)[place]

    def to_frame(self):
        """A data frame with a line for each row and class, ``intercept`` and a column for each feature: their sum is the log joint.

        Of text only the words that occur are columns.
        """
        import pandas

        rows, classes = self.intercepts.shape
        contributions, names = self.contributions, self._names
        if not isinstance(contributions, np.ndarray):
            row, of_class, word = contributions.coords
            seen, place = np.unique(word, return_inverse=True)
            dense = np.zeros((rows, classes, len(seen)))
            np.add.at(dense, (row, of_class, place), contributions.data)
            contributions, names = dense, [names[k] for k in seen]
        index = pandas.MultiIndex.from_product([range(rows), self._classes], names=["row", "class"])
        frame = pandas.DataFrame(contributions.reshape(rows * classes, -1), index=index, columns=names)
        frame.insert(0, "intercept", self.intercepts.reshape(-1), allow_duplicates=True)
        return frame


def same_parameters(a, b):
    """Are two estimators made alike?"""
    left, right = a.get_params(deep=False), b.get_params(deep=False)
    return left.keys() == right.keys() and all(_same(left[key], right[key]) for key in left)


def _same(a, b):
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return a is not None and b is not None and np.array_equal(a, b)
    return a == b or (a is b)


def write_file(path, data):
    """Writes beside the file and renames, so that an earlier file is whole until the new one is."""
    path = os.fspath(path)
    handle, beside = tempfile.mkstemp(dir=os.path.dirname(path) or ".", prefix=".suffice-")
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        os.chmod(beside, 0o666 & ~_umask())
        os.replace(beside, path)
    except BaseException:
        os.unlink(beside)
        raise


def _umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


class SufficientMixin(DecidingMixin):
    """A classifier whose fitted attributes are a function of ``statistics_``.

    A class gives ``_estimate()``, which sets the attributes from the statistics, and ``_recipe()``, the model name and
    settings under which the command line and the library's own estimate know it.
    """

    statistics_: Statistics
    _by_statistics = True  # which files hold

    def _estimate(self):
        raise NotImplementedError

    def _recipe(self):
        raise NotImplementedError

    def _with_statistics(self, statistics):
        made = clone(self)
        made._restore(statistics, getattr(self, "feature_names_in_", None), self._kept())
        return made

    def _restore(self, statistics, names, kept):
        """Becomes the estimator that was fitted to these statistics; ``kept`` is what it kept beside them."""
        self.n_features_in_ = len(statistics._state.columns)
        if names is not None:
            self.feature_names_in_ = np.array(names, dtype=object)
        self.__dict__.update(kept)
        self.classes_ = statistics.classes
        self.statistics_ = statistics
        self._estimate()

    def _check_alike(self, other):
        check_is_fitted(self)
        check_is_fitted(other)
        if not same_parameters(self, other):
            raise ValueError(f"these {type(self).__name__} models were made with different parameters")
        if self.n_features_in_ != other.n_features_in_:
            raise ValueError(f"one model has {self.n_features_in_} features, the other {other.n_features_in_}")

    def __add__(self, other):
        """The model trained on the rows of both, exactly."""
        if type(other) is not type(self):
            return NotImplemented
        self._check_alike(other)
        return self._with_statistics(self.statistics_ + other.statistics_)

    def __sub__(self, other):
        """The model without the rows of the other."""
        if type(other) is not type(self):
            return NotImplemented
        self._check_alike(other)
        left = self.statistics_ - other.statistics_
        if not left.weight > 0:
            raise ValueError("no row would be left: the other model holds all rows of this one")
        return self._with_statistics(left)

    def decay(self, factor):
        """The model with the weight of all its rows multiplied by ``factor``."""
        check_is_fitted(self)
        return self._with_statistics(self.statistics_.decay(factor))

    def _model(self):
        check_is_fitted(self)
        return self.statistics_.model(*self._recipe())

    @property
    def parameter_count_(self):
        """How many free parameters the model has."""
        return self._fitted("parameter_count")

    @property
    def log_likelihood_(self):
        """Joint log p(x, y) of the training rows."""
        return self._fitted("log_likelihood")

    @property
    def bic_(self):
        """-2 log-likelihood + parameters * log(weight of the rows)."""
        return self._fitted("bic")

    @property
    def aic_(self):
        """-2 log-likelihood + 2 * parameters."""
        return self._fitted("aic")

    def _fitted(self, name):
        if not hasattr(self, "statistics_"):
            raise AttributeError(f"this {type(self).__name__} instance is not fitted yet")
        try:
            return getattr(self._model(), name)
        except ValueError as refused:  # what an estimator cannot tell it does not have: dir() and hasattr() ask for all
            raise AttributeError(str(refused)) from refused

    def _html_repr(self):
        """scikit-learn's diagram, and of a fitted model what it has learned above it."""
        diagram = super()._html_repr()
        try:
            fitted = self._model()
        except (NotFittedError, ValueError):  # or it is no function of its statistics
            return diagram
        label_of = dict(zip(class_names(self.classes_), self.classes_))
        return notebook.page(self, fitted, [label_of.get(name, name) for name in fitted.classes]) + diagram

    def _file_bytes(self):
        check_is_fitted(self)
        return self.statistics_.settled(*self._recipe()).to_file()

    def _given_priors(self, priors):
        """Settings for given class priors, or none."""
        if priors is None:
            return {}
        values = np.asarray(priors, dtype=float)
        return {"priors": dict(zip(class_names(self.classes_), (values / values.sum()).tolist()))}

    def _scorer(self):
        """The library's model that scores, explains and draws rows."""
        return self._model()

    def log_evidence(self, X):
        """log p(x) of each row: low where no class explains it."""
        return self._scorer().score(self._lend(X), "log_evidence")

    def _log_joint(self, X):
        """log p(x, class), normalised as a density."""
        return self._scorer().score(self._lend(X), "joint")

    def explain(self, X):
        """What each column adds to each class's log joint."""
        return Explanation.of(self, *self._scorer().explain(self._lend(X)))

    def leave_one_out(self, X, y, sample_weight=None):
        """log p(class | row) of each training row, under the model refitted without that row: (rows, classes)."""
        model = self._model()
        codes = codes_of(model.classes, y)
        if (codes < 0).any():
            raise ValueError("y has labels that the model has not seen")
        weight = None if sample_weight is None else np.ascontiguousarray(sample_weight, dtype=np.float64)
        return model.leave_one_out(self._lend(X), codes, weight)

    def _lend(self, X):
        """Rows as the library reads them."""
        from suffice import inputs

        return inputs.lend(inputs.rows(self, X))

    def sample(self, n_samples=1, random_state=None):
        """Draws labelled rows from the model: X, y. Categories come back by name, and text as the words drawn."""
        check_is_fitted(self, "classes_")
        rows, codes, documents = self._scorer().sample(int(n_samples), seed_of(random_state))
        drawn = self._drawn(rows)
        if documents:
            drawn = drawn.astype(object)
            for column, texts in documents.items():
                drawn[:, column] = texts
        return drawn, self.classes_[codes]

    def _drawn(self, rows):
        return rows


def say(notes):
    """Warns about what the library noted while estimating."""
    for note in notes:
        warnings.warn(note, UserWarning, stacklevel=4)
