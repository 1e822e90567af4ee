"""Fitting and scoring through the library's own estimate, for the classifiers that only this library has."""
import warnings

import numpy as np
import scipy.sparse
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from suffice import _core, frames, inputs
from suffice.estimator import SufficientMixin, say
from suffice.labels import known_labels, row_weights, weighty_classes
from suffice.score_form import LinearFormMixin
from suffice.statistics import Statistics, class_names


class FrameRowsMixin:
    """Rows of data frames, Arrow tables and arrays, by the names that an estimator was fitted with."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = tags.input_tags.allow_nan = tags.input_tags.categorical = True
        return tags

    def _rows_of(self, X, reset):
        """X as an array of numbers or as columns, in the model's order and of its kinds."""
        if reset:
            vars(self).pop("_chosen_columns", None)
        else:
            X = inputs.of_model(self, X)
        if scipy.sparse.issparse(X):
            return self._sparse_rows(X, reset)
        columns = frames.read(X)
        if columns is None:
            return self._array_rows(inputs.readable(np.asarray(X)), reset)
        names = [name for name, *_ in columns.described]
        if not names:
            raise ValueError("Found array with 0 feature(s) while a minimum of 1 is required.")
        frames.check_names(names)
        if reset:
            if columns.dates:
                raise _core.UsageError(f"column {columns.dates[0]} holds dates, which {type(self).__name__} takes no more for categories than "
                                       "for numbers; suffice.fit splits them into years, months and days")
            self.n_features_in_ = len(names)
            self.feature_names_in_ = np.array(names, dtype=object)
        elif not columns.named:  # of an array: they come in the model's order
            self._check_count(len(names))
            columns = columns.under_names(self._names())
        elif names != self._names():
            lost = [name for name in self._names() if name not in set(names)]
            columns = self._with_parts(columns, lost) if lost else columns
            place = {name: k for k, (name, *_) in enumerate(columns.described)}
            columns = columns.select([place[name] for name in self._names()])
        return columns.of_kinds(self._kinds(reset))

    def _with_parts(self, columns, lost):
        """The columns, and what the model knows of their dates: the parts that files are split into ("sold.month")."""
        held = {column.name: column for column in columns.pulled()}
        state = getattr(getattr(self, "statistics_", None), "_state", None)
        parts = []
        for name in lost:
            dates = held.get(name.rpartition(".")[0])
            values = None if dates is None or dates.levels is None else _core.date_part(state, name, dates.levels)
            if values is None:
                raise ValueError(f"the rows have no column {name}")
            parts.append(frames.Column(name, "number", np.append(values, np.nan)[dates.values], None))
        return frames.Columns([*held.values(), *parts])

    def _array_rows(self, X, reset):
        self._check_width(X, reset)
        kinds = self._kinds(reset)
        return frames.as_columns(X, self._names(), kinds) if "category" in kinds.values() else X

    def _sparse_rows(self, X, reset):
        self._check_width(X, reset)
        rows = frames.SparseRows(scipy.sparse.csr_array(X, dtype=np.float64), self._names())
        return rows.of_kinds(self._kinds(reset))

    def _check_width(self, X, reset):
        if reset:
            self.n_features_in_ = X.shape[1]
            if hasattr(self, "feature_names_in_"):
                del self.feature_names_in_
        else:
            self._check_count(X.shape[1])

    def _check_count(self, count):
        if count != self.n_features_in_:
            raise ValueError(f"X has {count} features, but {type(self).__name__} is expecting "
                             f"{self.n_features_in_} features as input.")
        if hasattr(self, "feature_names_in_"):  # the words of scikit-learn, which filters know
            warnings.warn(f"X does not have valid feature names, but {type(self).__name__} was fitted with feature "
                          "names", UserWarning, stacklevel=7)

    def _kinds(self, reset):
        """"number" or "category" of the columns by name: what the model knows them as, or what their families take."""
        if not reset and hasattr(self, "statistics_"):
            return {name: "number" if kind == "flag" else kind for name, kind, *_ in self.statistics_._state.columns}
        return {name: "category" if family == "categorical" else "number"
                for name, family in self._families_of(self._names()).items() if family != "auto"}

    def _families_of(self, names):
        """The families that the user has chosen, by column."""
        return {}

    def _names(self):
        names = getattr(self, "feature_names_in_", None)
        return [str(n) for n in names] if names is not None else [f"x{k}" for k in range(self.n_features_in_)]

    def _described(self, rows, before=None):
        """(name, kind, levels, declared) of each column."""
        if isinstance(rows, np.ndarray):
            flags = rows.dtype.kind in "iub"
            made = [(name, "flag" if flags and frames.is_flag(rows[:, k]) else "number", [], 0)
                    for k, name in enumerate(self._names())]
        else:
            made = rows.described
        if before is None:
            return made
        return [(name, "number" if "number" in (kind, old) and old != "category" else old, levels, declared)
                for (name, kind, levels, declared), (_, old, _, _) in zip(made, before)]

    def _lend(self, X):
        check_is_fitted(self)
        rows = self._rows_of(X, False)
        if isinstance(rows, np.ndarray):
            return rows
        state = self.statistics_._state
        if "text" in state.column_kinds:  # whose words the library finds
            return _core.TableRows(state, frames.as_table(rows))
        return rows.lend([levels for _, _, levels, _ in state.columns])


class GenerativeMixin(FrameRowsMixin, LinearFormMixin, SufficientMixin, ClassifierMixin):
    """Fitting and scoring through the library's own estimate."""

    def fit(self, X, y, sample_weight=None):
        """Fits the model: X is a data frame, an Arrow table or an array; missing values are NaN, null or None.

        Rows whose label is not known take part by EM; a model with such rows cannot be merged or fed.
        """
        rows, labels, codes, weight = self._lesson(X, y, sample_weight, True)
        columns = self._described(rows)
        state = self._blank(labels, columns)
        if not len(labels):
            raise ValueError("there is no labelled row to fit")
        if (codes < 0).any():
            self._share_unlabeled(state, rows, labels, codes, weight, columns)
        else:
            self._take(Statistics(state, labels).feed(lent(rows), codes, weight, columns=columns))
        return self

    def partial_fit(self, X, y, sample_weight=None, classes=None):
        """Adds rows to the model: pieces in any order give what ``fit`` gives on all of them.

        Rows whose label is not known are left out.
        """
        first = not hasattr(self, "statistics_")
        rows, labels, codes, weight = self._lesson(X, y, sample_weight, first)
        if (codes < 0).any():
            warnings.warn(f"{int((codes < 0).sum())} rows without a label were left out", UserWarning, stacklevel=2)
        columns = self._described(rows, None if first else self.statistics_._state.columns)
        if first:
            seen = Statistics(self._blank(labels, columns), labels)
        else:
            both = np.union1d(self.classes_, labels)
            codes = np.where(codes >= 0, np.searchsorted(both, labels).astype(np.int32)[codes], -1)
            seen = self.statistics_.with_classes(both)
        self._take(seen.feed(lent(rows), np.ascontiguousarray(codes, dtype=np.int32), weight, columns=columns))
        return self

    def _lesson(self, X, y, sample_weight, first):
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None")
        rows = self._rows_of(X, first)
        labels, codes = known_labels(y, self.unlabeled, refuse_quantities=True)
        count = rows.shape[0] if isinstance(rows, np.ndarray) else rows.row_count
        if len(codes) != count:
            raise ValueError(f"Found input variables with inconsistent numbers of samples: [{count}, {len(codes)}]")
        weight = row_weights(sample_weight, count)
        return rows, labels, codes, weight

    def _blank(self, labels, columns):
        name, settings = self._recipe_for(labels)
        return _core.State.make(name, settings, columns, self._families_of([each for each, *_ in columns]), self._keep(),
                                labels.dtype.kind in "iu", self._joint())

    def _share_unlabeled(self, state, rows, labels, codes, weight, columns):
        """EM from the labelled rows; every level is declared and sorted, so that codes mean the same in all passes."""
        labels, codes = weighty_classes(labels, codes, weight)
        columns = [(name, kind, _core.sorted_names(levels), len(levels)) for name, kind, levels, _ in columns]
        lent = rows if isinstance(rows, np.ndarray) else rows.lend([levels for _, _, levels, _ in columns])
        names = class_names(labels)
        self._take(Statistics(state.feed_unlabeled(lent, codes, names, weight, columns), labels))

    def _take(self, statistics):
        self.statistics_ = statistics._seen_only()
        self.classes_ = self.statistics_.classes
        self._estimate()
        say(self._model().notes)

    def _joint(self):
        return []

    def _keep(self):
        return "auto"

    def _recipe(self):
        return self._recipe_for(self.classes_)

    def _estimate(self):
        model = self._model()
        self.class_prior_ = np.exp(model.log_prior)

    def predict(self, X):
        """The most probable class of each row."""
        best = self._model().score(self._lend(X), "best")
        return self.classes_[best]

    def predict_proba(self, X):
        """p(class | x) of each row, classes in the order of ``classes_``."""
        return self._model().score(self._lend(X), "posterior")

    def predict_log_proba(self, X):
        """log p(class | x), computed in the log domain."""
        return self._model().score(self._lend(X), "log_posterior")

    def predict_joint_log_proba(self, X):
        """log p(x, class)."""
        return self._model().score(self._lend(X), "joint")

    def _drawn(self, rows):
        columns = self.statistics_._state.columns
        if all(kind != "category" for _, kind, _, _ in columns):
            return rows
        named = rows.astype(object)
        for k, (_, kind, levels, _) in enumerate(columns):
            if kind == "category":
                named[:, k] = np.array([*levels, None], dtype=object)[np.nan_to_num(rows[:, k], nan=-1).astype(int)]
        return named

    def bayes_error(self, n_samples=100_000, random_state=None):
        """The error that no rule can beat if the model is true, from rows drawn of it, and its standard error."""
        return self._model().bayes_error(int(n_samples), inputs.seed_of(random_state))

    def _coefficients(self):
        if not hasattr(self, "statistics_"):
            raise AttributeError(f"this {type(self).__name__} instance is not fitted yet")
        found = self._model().form()
        if found is None:
            raise AttributeError("the scores of this model are neither linear nor quadratic in the columns")
        return found

    @property
    def rank_(self):
        """Ranks of the covariance matrices."""
        return np.asarray(self._fitted("rank"))


def lent(rows):
    """Rows as the library reads them."""
    return rows if isinstance(rows, np.ndarray) else rows.lend()


def prior_settings(priors, labels):
    if priors is None:
        return {}
    if isinstance(priors, str):
        return {"priors": priors}
    values = np.asarray(priors, dtype=float)
    if values.shape != (len(labels),):
        raise ValueError("Number of priors must match number of classes.")
    return {"priors": dict(zip(class_names(labels), values.tolist()))}
