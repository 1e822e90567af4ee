"""Classifiers that only this library has: mixed columns, missing values, every covariance structure, files."""
import html
import os
import warnings

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from suffice import _core, frames, inputs
from suffice.estimator import Explanation, SufficientMixin, say, write_file
from suffice.statistics import Statistics, class_names, labels_from

__all__ = ["GaussianDiscriminant", "LoadedModel", "NaiveBayes", "PoissonNB", "RegularizedDiscriminantAnalysis",
           "fit_files", "load"]


def _known_labels(y, unlabeled):
    """Sorted labels and codes, -1 where a label is not known."""
    y = np.asarray(y)
    if y.ndim == 2 and y.shape[1] == 1:
        y = y[:, 0]
    if y.ndim != 1:
        raise ValueError(f"y should be a 1d array, got an array of shape {y.shape} instead.")
    known = np.ones(len(y), dtype=bool)
    if y.dtype.kind == "f":
        known &= ~np.isnan(y)
    elif y.dtype == object:
        known &= np.array([v is not None and v == v for v in y], dtype=bool)
    if unlabeled is not None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            marked = np.asarray(y == unlabeled)
        if marked.shape == y.shape:
            if y.dtype.kind in "if" and set(np.unique(y[known]).tolist()) == {-1, 1} and unlabeled == -1:
                raise ValueError("the labels are -1 and 1, and unlabeled=-1 would hide one class; pass unlabeled=None")
            known &= ~marked
    found = y[known]
    if found.dtype == object and all(isinstance(v, str) for v in found):
        found = found.astype(str)
    labels, inverse = np.unique(found, return_inverse=True)
    codes = np.full(len(y), -1, dtype=np.int32)
    codes[known] = inverse
    if labels.dtype.kind == "f" and (labels == np.trunc(labels)).all():
        labels = labels.astype(np.int64)
    return labels, codes


class GenerativeMixin(SufficientMixin, ClassifierMixin):
    """Fitting and scoring through the library's own estimate."""

    def _rows_of(self, X, reset):
        columns = frames.read(X)
        if columns is not None:
            names = [column.name for column in columns]
            if reset:
                self.n_features_in_ = len(names)
                self.feature_names_in_ = np.array(names, dtype=object)
            elif names != self._names():
                place = {name: k for k, name in enumerate(names)}
                lost = [name for name in self._names() if name not in place]
                if lost:
                    raise ValueError(f"the rows have no column {lost[0]}")
                columns = [columns[place[name]] for name in self._names()]
            return columns
        X = inputs._readable(np.asarray(X))
        if reset:
            self.n_features_in_ = X.shape[1]
            if hasattr(self, "feature_names_in_"):
                del self.feature_names_in_
        elif X.shape[1] != self.n_features_in_:
            raise ValueError(f"X has {X.shape[1]} features, but {type(self).__name__} is expecting "
                             f"{self.n_features_in_} features as input.")
        return X

    def _names(self):
        names = getattr(self, "feature_names_in_", None)
        return [str(n) for n in names] if names is not None else [f"x{k}" for k in range(self.n_features_in_)]

    def _described(self, rows, before=None):
        """(name, kind, levels, declared) of each column."""
        if not isinstance(rows, list):
            flags = rows.dtype.kind in "iub"
            made = [(name, "flag" if flags and frames._is_flag(rows[:, k]) else "number", [], 0)
                    for k, name in enumerate(self._names())]
        else:
            made = [(c.name, c.kind, c.levels or [], 0) for c in rows]
        if before is None:
            return made
        return [(name, "number" if "number" in (kind, old) and old != "category" else old, levels, 0)
                for (name, kind, levels, _), (_, old, _, _) in zip(made, before)]

    def fit(self, X, y, sample_weight=None):
        """Fits the model: X is a data frame, an Arrow table or an array; missing values are NaN, null or None."""
        return self._learn(X, y, sample_weight, True)

    def partial_fit(self, X, y, sample_weight=None, classes=None):
        """Adds rows to the model: pieces in any order give what ``fit`` gives on all of them."""
        return self._learn(X, y, sample_weight, not hasattr(self, "statistics_"))

    def _learn(self, X, y, sample_weight, first):
        rows = self._rows_of(X, first)
        labels, codes = _known_labels(y, self.unlabeled)
        count = len(rows[0].values) if isinstance(rows, list) else rows.shape[0]
        if len(codes) != count:
            raise ValueError(f"Found input variables with inconsistent numbers of samples: [{count}, {len(codes)}]")
        weight = None
        if sample_weight is not None:
            weight = np.ascontiguousarray(np.broadcast_to(sample_weight, (count,)), dtype=np.float64)
        if (codes < 0).any():
            warnings.warn(f"{int((codes < 0).sum())} rows without a label were left out", UserWarning, stacklevel=3)
        columns = self._described(rows, None if first else self.statistics_._state.columns)
        lent = frames.lend(rows) if isinstance(rows, list) else rows
        if first:
            name, settings = self._recipe_for(labels)
            state = _core.State.make(name, settings, columns, self._families(columns), self._keep(),
                                     labels.dtype.kind in "iu")
            seen = Statistics(state, labels)
        else:
            labels_all = np.union1d(self.classes_, labels)
            codes = np.where(codes >= 0, np.searchsorted(labels_all, labels).astype(np.int32)[codes], -1)
            seen = self.statistics_.with_classes(labels_all)
        fed = seen.feed(lent, np.ascontiguousarray(codes, dtype=np.int32), weight, columns=columns)
        self.statistics_ = fed._seen_only()
        self.classes_ = self.statistics_.classes
        self._estimate()
        say(self._model().notes)
        return self

    def _families(self, columns):
        return {}

    def _keep(self):
        return "automatic"

    def _recipe(self):
        return self._recipe_for(self.classes_)

    def _estimate(self):
        model = self._model()
        self.class_prior_ = np.exp(model.log_prior)

    def _lend(self, X):
        check_is_fitted(self)
        rows = self._rows_of(X, False)
        if not isinstance(rows, list):
            if any(kind == "category" for _, kind, _, _ in self.statistics_._state.columns):
                rows = [frames._category_column(n, rows[:, k].tolist()) if kind == "category"
                        else frames._number_column(n, rows[:, k])
                        for k, (n, kind, _, _) in enumerate(self.statistics_._state.columns)]
            else:
                return rows
        levels = [levels for _, _, levels, _ in self.statistics_._state.columns]
        return frames.lend(rows, levels)

    def predict(self, X):
        """The most probable class of each row."""
        return self.classes_[self._model().score(self._lend(X), "best")]

    def predict_proba(self, X):
        """p(class | x) of each row, classes in the order of ``classes_``."""
        return self._model().score(self._lend(X), "posterior")

    def predict_log_proba(self, X):
        """log p(class | x), computed in the log domain."""
        return self._model().score(self._lend(X), "log_posterior")

    def predict_joint_log_proba(self, X):
        """log p(x, class)."""
        return self._model().score(self._lend(X), "joint")

    def log_evidence(self, X):
        """log p(x) of each row: low where no class explains it."""
        return self._model().score(self._lend(X), "log_evidence")

    def explain(self, X):
        """What each column adds to each class's log joint."""
        return Explanation(*self._model().explain(self._lend(X)))

    def sample(self, n_samples=1, random_state=None):
        """Draws labelled rows from the model: X, y. Categories come back by name."""
        model = self._model()
        seed = int(check_random_state(random_state).randint(2**31))
        rows, codes = model.sample(int(n_samples), seed)
        columns = self.statistics_._state.columns
        if any(kind == "category" for _, kind, _, _ in columns):
            named = rows.astype(object)
            for k, (_, kind, levels, _) in enumerate(columns):
                if kind == "category":
                    named[:, k] = np.array(levels, dtype=object)[rows[:, k].astype(int)]
            rows = named
        return rows, self.classes_[codes]

    def _coefficients(self):
        if not hasattr(self, "statistics_"):
            raise AttributeError(f"this {type(self).__name__} instance is not fitted yet")
        found = self._model().form()
        if found is None:
            raise AttributeError("the scores of this model are neither linear nor quadratic in the columns")
        return found

    @property
    def coef_(self):
        """Of linear scores: (classes, features); of two classes the difference, as scikit-learn has it."""
        _, linear, quadratic = self._coefficients()
        if quadratic is not None:
            if not (quadratic == quadratic[0]).all():
                raise AttributeError("the scores are quadratic: see quadratic_, linear_ and constant_")
        return linear[1:] - linear[:1] if len(linear) == 2 else linear

    @property
    def intercept_(self):
        """Of linear scores."""
        constant = self._coefficients()[0]
        self.coef_  # noqa: B018  (refuses where scores are not linear)
        return constant[1:] - constant[:1] if len(constant) == 2 else constant

    @property
    def quadratic_(self):
        """score_k = x' quadratic_[k] x + linear_[k] . x + constant_[k]."""
        constant, linear, quadratic = self._coefficients()
        return np.zeros((len(constant), linear.shape[1], linear.shape[1])) if quadratic is None else quadratic

    @property
    def linear_(self):
        """Of the quadratic scores: (classes, features)."""
        return self._coefficients()[1]

    @property
    def constant_(self):
        """Of the quadratic scores: (classes,)."""
        return self._coefficients()[0]

    @property
    def rank_(self):
        """Ranks of the covariance matrices."""
        return np.asarray(self._fitted("rank"))

    def _repr_html_(self):
        if not hasattr(self, "statistics_"):
            return f"<pre>{html.escape(repr(self))}</pre>"
        parts = {part["part"]: part["columns"] for part in self.statistics_._state.parts()}
        family = {column: name for name, columns in parts.items() for column in columns}
        names = [name for name, *_ in self.statistics_._state.columns]
        classes = "".join(f"<tr><td>{html.escape(str(label))}</td><td>{prior:.4g}</td></tr>"
                          for label, prior in zip(self.classes_, np.exp(self._model().log_prior)))
        columns = "".join(f"<tr><td>{html.escape(name)}</td><td>{html.escape(family.get(k, ''))}</td></tr>"
                          for k, name in enumerate(names[:30]))
        more = f"<p>and {len(names) - 30} more columns</p>" if len(names) > 30 else ""
        return (f"<p><b>{html.escape(type(self).__name__)}</b>, {self.statistics_.weight:g} rows, "
                f"{self._model().parameter_count} parameters</p>"
                f"<table><tr><th>class</th><th>prior</th></tr>{classes}</table>"
                f"<table><tr><th>column</th><th>family</th></tr>{columns}</table>{more}")


def _prior_settings(priors, labels):
    if priors is None:
        return {}
    if isinstance(priors, str):
        return {"class_priors": priors}
    values = np.asarray(priors, dtype=float)
    if values.shape != (len(labels),):
        raise ValueError("Number of priors must match number of classes.")
    return {"class_priors": "given", "given_priors": dict(zip(class_names(labels), values.tolist()))}


class GaussianDiscriminant(GenerativeMixin, BaseEstimator):
    """Gaussian classes with every covariance structure; a singular covariance or a missing value is no obstacle.

    Parameters
    ----------
    covariance : {"full", "diagonal", "spherical"}, default="full"
    shared : "all", "none" or list of groups of classes, default="all"
        Whose covariance a class uses: everyone's (linear), its own (quadratic), or its group's.
    shrinkage : None, "auto", "oas", "ledoit_wolf" or float, default=None
    estimate : {"likelihood", "unbiased", "map", "predictive"}, default="likelihood"
    priors : None, "uniform" or array-like, default=None
    prior : None, "vague" or dict(mean=, mean_weight=, degrees=, scatter=), default=None
    unlabeled : default=-1
        A label that means: not known. None: there is none.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import GaussianDiscriminant
    >>> X = np.array([[0.0, 1], [1, 0], [0, 0], [5, 5], [6, 5], [np.nan, 6]])
    >>> y = np.array(["a", "a", "a", "b", "b", "b"])
    >>> GaussianDiscriminant(shared="none").fit(X, y).predict([[5, np.nan]]).tolist()
    ['b']
    """

    def __init__(self, covariance="full", shared="all", shrinkage=None, estimate="likelihood", priors=None, prior=None,
                 unlabeled=-1):
        self.covariance = covariance
        self.shared = shared
        self.shrinkage = shrinkage
        self.estimate = estimate
        self.priors = priors
        self.prior = prior
        self.unlabeled = unlabeled

    def _recipe_for(self, labels):
        settings = {"estimate": self.estimate, "covariance": self.covariance, **_prior_settings(self.priors, labels)}
        if isinstance(self.shared, str):
            sharing = {"all": "all", "none": "own"}.get(self.shared)
            if sharing is None:
                raise ValueError(f"shared must be 'all', 'none' or groups of classes, not {self.shared!r}")
            settings["sharing"] = sharing
        else:
            settings |= {"sharing": "groups", "groups": [class_names(group) for group in self.shared]}
        if isinstance(self.shrinkage, str):
            settings["shrinkage"] = self.shrinkage
        elif self.shrinkage is not None:
            settings |= {"shrinkage": "fixed", "shrinkage_amount": float(self.shrinkage)}
        if isinstance(self.prior, dict):
            settings["gaussian_prior"] = {
                "mean": np.ravel(self.prior["mean"]).astype(float).tolist(),
                "mean_weight": float(self.prior["mean_weight"]), "degrees": float(self.prior["degrees"]),
                "scatter": np.ravel(self.prior["scatter"]).astype(float).tolist()}
        name = {"all": "linear_discriminant", "own": "quadratic_discriminant", "groups": "grouped_discriminant"}
        return name[settings["sharing"]], settings

    def _keep(self):
        return "automatic" if self.shared == "all" else "per_class"


class RegularizedDiscriminantAnalysis(GenerativeMixin, BaseEstimator):
    """Friedman's regularised discriminant analysis.

    Parameters
    ----------
    alpha : float, default=0.5
        Weight of the class's own covariance against the pooled one.
    gamma : float, default=0.0
        Then toward trace/d times the identity.
    priors : None, "uniform" or array-like, default=None
    unlabeled : default=-1

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import RegularizedDiscriminantAnalysis
    >>> X = np.array([[0.0, 1], [1, 0], [0, 0], [5, 5], [6, 5], [5, 6]])
    >>> RegularizedDiscriminantAnalysis(alpha=0.3).fit(X, [0, 0, 0, 1, 1, 1]).predict([[5, 5]]).tolist()
    [1]
    """

    def __init__(self, alpha=0.5, gamma=0.0, priors=None, unlabeled=-1):
        self.alpha = alpha
        self.gamma = gamma
        self.priors = priors
        self.unlabeled = unlabeled

    def _recipe_for(self, labels):
        return "regularized_discriminant", {
            "estimate": "likelihood", "own_share": float(self.alpha), "identity_share": float(self.gamma),
            **_prior_settings(self.priors, labels)}

    def _keep(self):
        return "per_class"


class NaiveBayes(GenerativeMixin, BaseEstimator):
    """Naive Bayes with a family per column, inferred from the column or chosen; missing values tell nothing.

    Parameters
    ----------
    families : None, dict of column name to family, or list of families, default=None
    priors : None, "uniform" or array-like, default=None
    estimate : {"map", "likelihood", "unbiased", "predictive"}, default="map"
    smoothing : float, default=1.0
        Pseudo-count of levels, flags and counts.
    column_priors : dict of column name to prior, default=None
        Such as {"x": "beta(2, 5)"}.
    unlabeled : default=-1

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import NaiveBayes
    >>> X = np.array([["red", 1.0], ["red", 1.5], ["blue", 4.0], ["blue", None]], dtype=object)
    >>> NaiveBayes().fit(X, ["a", "a", "b", "b"]).predict(np.array([["blue", None]], dtype=object)).tolist()
    ['b']
    """

    def __init__(self, families=None, priors=None, estimate="map", smoothing=1.0, column_priors=None, unlabeled=-1):
        self.families = families
        self.priors = priors
        self.estimate = estimate
        self.smoothing = smoothing
        self.column_priors = column_priors
        self.unlabeled = unlabeled

    def _recipe_for(self, labels):
        settings = {"estimate": self.estimate, "smoothing": float(self.smoothing),
                    **_prior_settings(self.priors, labels)}
        if self.column_priors:
            settings["column_priors"] = {str(column): str(prior) for column, prior in self.column_priors.items()}
        return "naive_bayes", settings

    def _families(self, columns):
        if self.families is None:
            return {}
        names = [name for name, *_ in columns]
        if isinstance(self.families, dict):
            return {str(name): str(family) for name, family in self.families.items()}
        if len(self.families) != len(names):
            raise ValueError(f"there are {len(self.families)} families for {len(names)} columns")
        return dict(zip(names, map(str, self.families)))

    def _described(self, rows, before=None):
        made = super()._described(rows, before)
        chosen = self._families(made)
        return [(name, "number" if chosen.get(name, "bernoulli") != "bernoulli" and kind == "flag" else kind, levels, n)
                for name, kind, levels, n in made]


class PoissonNB(NaiveBayes):
    """Naive Bayes over counts, every column Poisson.

    Parameters
    ----------
    priors : None, "uniform" or array-like, default=None
    smoothing : float, default=1.0
        Pseudo-rows at the column's overall mean.
    unlabeled : default=-1

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import PoissonNB
    >>> X = np.array([[1, 7], [0, 8], [9, 1], [8, 0]])
    >>> PoissonNB().fit(X, [0, 0, 1, 1]).predict([[7, 2]]).tolist()
    [1]
    """

    def __init__(self, priors=None, smoothing=1.0, unlabeled=-1):
        self.priors = priors
        self.smoothing = smoothing
        self.unlabeled = unlabeled

    def _recipe_for(self, labels):
        return "poisson_nb", {"estimate": "map", "smoothing": float(self.smoothing),
                              **_prior_settings(self.priors, labels)}

    def _families(self, columns):
        return {}

    def _described(self, rows, before=None):
        return [(name, "number" if kind == "flag" else kind, levels, n)
                for name, kind, levels, n in GenerativeMixin._described(self, rows, before)]


class LoadedModel(GenerativeMixin, BaseEstimator):
    """A model from a file or from ``fit_files``; scores, explains, samples, merges and saves as every other."""

    unlabeled = None

    def __init__(self):
        pass

    @classmethod
    def _of(cls, state):
        made = cls()
        made._state_model = state
        names = state.classes
        labels = labels_from(names, "<i8") if state.integer_classes else np.array(names)
        made.statistics_ = Statistics(state, labels)
        made.classes_ = labels
        columns = [name for name, *_ in state.columns]
        made.n_features_in_ = len(columns)
        made.feature_names_in_ = np.array(columns, dtype=object)
        made._estimate()
        return made

    def _model(self):
        if self.statistics_._model is None:
            self.statistics_._model = (None, _core.Model.estimate(self.statistics_._state))
        return self.statistics_._model[1]

    def _with_statistics(self, statistics):
        return LoadedModel._of(statistics._state)

    def fit(self, X, y, sample_weight=None):
        """Refuses: a loaded model gains rows by ``partial_fit``."""
        raise TypeError("a loaded model cannot be fitted anew; partial_fit adds rows to it")

    def save(self, path):
        """Writes the model file that the command line and ``suffice.load`` read."""
        write_file(path, self.statistics_._state.to_file())

    def __reduce__(self):
        return (_reload, (self.statistics_._state.to_file(),))


def _reload(data):
    return LoadedModel._of(_core.State.from_file(data))


def load(path):
    """Reads a model file that the command line, ``save`` or another program has written."""
    with open(os.fspath(path), "rb") as file:
        return _reload(file.read())


def fit_files(paths, target, model="naive_bayes", families=None, exclude=(), weight="", threads=0, **settings):
    """Fits a model from files in constant memory, as ``suffice fit`` does.

    Settings: estimate, smoothing, shrinkage, groups, priors ("uniform"), alpha, gamma, strict.
    """
    paths = [os.fspath(paths)] if isinstance(paths, (str, os.PathLike)) else [os.fspath(each) for each in paths]
    given = {}
    renamed = {"alpha": "own_share", "gamma": "identity_share", "priors": "class_priors"}
    for key, value in settings.items():
        if key == "shrinkage" and not isinstance(value, str):
            given |= {"shrinkage": "fixed", "shrinkage_amount": float(value)}
        elif key == "priors" and isinstance(value, dict):
            given |= {"class_priors": "given", "given_priors": {str(k): float(v) for k, v in value.items()}}
        elif key == "groups":
            given[key] = [class_names(group) for group in value]
        else:
            given[renamed.get(key, key)] = value
    state, notes = _core.fit_files(paths, target, model, given, dict(families or {}), list(exclude), weight, threads)
    say(notes)
    return LoadedModel._of(state)
