"""Models from files, and models fitted to files."""
import json
import os

import numpy as np
from sklearn.base import BaseEstimator

from suffice import _core
from suffice.deciding import CalibratedModel
from suffice.estimator import say
from suffice.generative import GenerativeMixin
from suffice.loaded_regression import regression_of
from suffice.mixture_discriminant import MixtureDiscriminantAnalysis
from suffice.statistics import Statistics, class_names, labels_of_file


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
        labels = labels_of_file(names, state.integer_classes)
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
        return type(self)._of(statistics._state)

    def fit(self, X, y, sample_weight=None):
        """Refuses: a loaded model gains rows by ``partial_fit``."""
        raise TypeError("a loaded model cannot be fitted anew; partial_fit adds rows to it")

    def _file_bytes(self):
        return self.statistics_._state.to_file()

    def __reduce__(self):
        return (_reload, (self.statistics_._state.to_file(),))


def _loaded(state):
    if state.model in ("mixture", "gaussian_mixture"):
        return _mixture_of(state)
    if state.column_kinds != ["text"]:
        return LoadedModel._of(state)
    from suffice.loaded_text import LoadedText

    return LoadedText._of(state)


def _reload(data):
    return _loaded(_core.State.from_file(data))


def load(path):
    """Reads a model file that the command line, ``save`` or another program has written.

    >>> import os, tempfile
    >>> import numpy as np, suffice
    >>> X, y = np.array([[0.0], [1.0], [5.0], [6.0]]), np.array(["low", "low", "high", "high"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "model.suf")
    ...     suffice.GaussianNB().fit(X, y).save(path)
    ...     suffice.load(path).predict(X).tolist()
    ['low', 'low', 'high', 'high']
    """
    with open(os.fspath(path), "rb") as file:
        data = file.read()
    model, stages = _model_of(data), _core.stages_of_file(data)
    return model if stages is None else CalibratedModel._of(model, stages)


def _model_of(data):
    regression = _core.logistic_from_file(data)
    if regression is not None:
        return regression_of(regression)
    mixture = _core.mixture_discriminant_from_file(data)
    return _reload(data) if mixture is None else MixtureDiscriminantAnalysis._of(mixture)


def _mixture_of(state):
    if state.model == "mixture":
        from suffice.family_mixture import Mixture

        return Mixture._of(state)
    from suffice.gaussian_mixture import GaussianMixture

    return GaussianMixture._of(state)


def given_model(priors, means=None, covariance=None, columns=None, families=None):
    """A classifier from stated parameters, without data; it scores, samples, explains and saves as a fitted one.

    ``priors`` names the classes. ``means`` has a vector for each class; ``covariance`` is one matrix, or a dict with one
    for each class; ``columns`` names what they are about. ``families`` has columns that are independent given the class:
    ``{"visits": {"family": "poisson", "a": [4.0], "b": [1.5]}}`` (gaussian: mean and variance; bernoulli: the
    probability of 1; categorical: one probability for each of ``"levels"``).

    >>> import suffice
    >>> model = suffice.given_model({"a": 0.5, "b": 0.5}, {"a": [0.0], "b": [2.0]}, [[1.0]])
    >>> model.predict_proba([[1.0]]).round(6).tolist()
    [[0.5, 0.5]]
    """
    def plain(value):
        if isinstance(value, dict):
            return {str(key): plain(each) for key, each in value.items()}
        return value if isinstance(value, str) else np.asarray(value).tolist()

    stated = {"priors": plain(priors)}
    if means is not None:
        width = len(next(iter(means.values())))
        stated["columns"] = [f"x{k}" for k in range(width)] if columns is None else [str(name) for name in columns]
        stated["means"] = plain(means)
        stated["covariances" if isinstance(covariance, dict) else "covariance"] = plain(covariance)
    if families is not None:
        stated["families"] = plain(families)
    return _loaded(_core.given_state(json.dumps(stated)))


_REGRESSION = ("penalty", "lasso", "link", "offset", "class_weight", "path", "folds", "choose")
_WORDS = {"penalty": ("auto", "evidence", "firth"), "lasso": ("auto",), "link": ("logit", "probit"),
          "choose": ("best", "simplest"), "class_weight": ("balanced",)}


def fit_files(paths, target, model="naive_bayes", families=None, exclude=(), weight="", threads=0, joint=(), unlabeled="skip",
              **settings):
    """Fits a model from files in constant memory, as ``suffice fit`` does.

    ``joint`` lists groups of columns that depend on each other; rows without a label are left out or, with
    ``unlabeled="use"``, take part by EM.

    Settings: estimate, smoothing, shrinkage, groups, priors ("uniform"), alpha, gamma, strict; of logistic_regression:
    basis (a list such as ``["age=spline(5)", "age*income"]``), penalty (a number, "evidence" or "firth"), lasso, link, offset
    (a column, or a list with one for each class), class_weight ("balanced" or a dict); of mixture_discriminant: components.
    penalty and lasso may be "auto" or a list of strengths: then cross-validation chooses, on ``folds`` (how many, or a
    column's name), among ``path`` strengths, by ``choose="best"`` or ``"simplest"``, and ``penalty_path_`` tells of each.
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
    if unlabeled not in ("skip", "use"):
        raise ValueError(f"unlabeled must be 'skip' or 'use', not {unlabeled!r}")
    if any(isinstance(group, str) for group in joint):
        raise ValueError("joint is a list of groups of columns, such as [['a', 'b']]")
    basis = given.pop("basis", [])
    regression = {key: given.pop(key) for key in _REGRESSION if key in given}
    regression = {key: value if isinstance(value, (str, dict)) or not np.ndim(value) else list(value)
                  for key, value in regression.items()}
    for key, words in _WORDS.items():
        if isinstance(regression.get(key), str) and regression[key] not in words:
            number = "a number, " if key in ("penalty", "lasso") else ""
            raise ValueError(f"{key} must be {number}{' or '.join(map(repr, words))}, not {regression[key]!r}")
    if isinstance(regression.get("penalty"), list) and isinstance(regression.get("lasso"), list):
        raise ValueError("one list of strengths is for penalty or for lasso; the other is a number or 'auto'")
    components = given.pop("components", 0) or 0
    state, notes = _core.fit_files(paths, target, model, given, dict(families or {}), list(exclude), weight,
                                   [basis] if isinstance(basis, str) else list(basis), regression,
                                   [[str(name) for name in group] for group in joint], unlabeled == "use",
                                   int(components), threads)
    say(notes)
    if isinstance(state, _core.LogisticModel):
        return regression_of(state)
    return MixtureDiscriminantAnalysis._of(state) if isinstance(state, _core.MixtureDiscriminant) else _loaded(state)
