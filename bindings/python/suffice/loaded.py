"""Models from files, and models fitted to files."""
import json
import os

import numpy as np
from sklearn.base import BaseEstimator

from suffice import _core
from suffice.deciding import CalibratedModel
from suffice.estimator import say
from suffice.generative import GenerativeMixin
from suffice.loaded_classes import class_of
from suffice.loaded_regression import regression_of
from suffice.mixture_discriminant import MixtureDiscriminantAnalysis
from suffice.saved import of_origin, restored
from suffice.statistics import Statistics, class_names, labels_of_file
from suffice.shared_docs import documented


@documented
class LoadedModel(GenerativeMixin, BaseEstimator):
    """A model from a file that no other class stands for; scores, explains, samples, merges and saves as every other.

    Parameters
    ----------
    model : str, default="naive_bayes"
        The name that the command knows it by.
    settings : dict or None, default=None
        Those of ``suffice.fit_files``; ``fit`` learns anew under them.
    families : dict of column name to family or None, default=None
    unlabeled : default=None
        A label that means: not known.

    Attributes
    ----------
    <attributes of classifiers>

    See Also
    --------
    load : Reads a file, and gives the class that saved it where there is one.
    fit_files : Fits to files in constant memory.
    given_model : States a model instead of learning it.

    Examples
    --------
    >>> import numpy as np, suffice
    >>> X, y = np.array([[0.0], [1.0], [5.0], [6.0]]), np.array(["low", "low", "high", "high"])
    >>> suffice.LoadedModel("kernel_nb", {"bandwidth": 1.0}).fit(X, y).predict([[0.5]]).tolist()
    ['low']
    """

    def __init__(self, model="naive_bayes", settings=None, families=None, unlabeled=None):
        self.model = model
        self.settings = settings
        self.families = families
        self.unlabeled = unlabeled

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True  # of some models, such as one that knows priors only
        return tags

    @classmethod
    def _of(cls, state):
        made = cls(state.model, {name: value for name, value in state.settings.items() if value != _USUAL.get(name)})
        return _settled(made, state)

    def _recipe_for(self, labels):
        return self.model, dict(self.settings or {})

    def _families_of(self, names):
        return {str(name): str(family) for name, family in (self.families or {}).items()}


_USUAL = _core.State.make("naive_bayes", {}, [("x", "number", [], 0)], {}, "auto").settings


def _settled(made, state):
    """An estimator with the state of a file, under the file's own settings."""
    labels = labels_of_file(state.classes, state.integer_classes)
    names = [name for name, *_ in state.columns]
    made._restore(Statistics(state, labels, own=True), names, {})
    return made


def _loaded(state):
    if state.model in ("mixture", "gaussian_mixture"):
        return _mixture_of(state)
    made = class_of(state)
    return LoadedModel._of(state) if made is None else _settled(made, state)


def _reload(data):
    return _loaded(_core.State.from_file(data))


def load(path):
    """Reads a model file that the command line, ``save`` or another program has written.

    What ``save`` wrote comes back as the same class with the same parameters; other files as the class of their model's
    name, and where there is none as a ``LoadedModel``.

    >>> import os, tempfile
    >>> import numpy as np, suffice
    >>> X, y = np.array([[0.0], [1.0], [5.0], [6.0]]), np.array(["low", "low", "high", "high"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "model.suf")
    ...     suffice.GaussianNB(var_smoothing=1e-8).fit(X, y).save(path)
    ...     suffice.load(path)
    GaussianNB(var_smoothing=1e-08)
    """
    with open(os.fspath(path), "rb") as file:
        return load_bytes(file.read())


def load_bytes(data):
    """The model of a model file's bytes."""
    made = restored(data, _model_of)
    model, stages = _taking_columns(_model_of(data) if made is None else made), _core.stages_of_file(data)
    return model if stages is None else CalibratedModel._of(model, stages)


def _model_of(data):
    regression = _core.logistic_from_file(data)
    if regression is not None:
        return of_origin(regression_of(regression), data)
    mixture = _core.mixture_discriminant_from_file(data)
    return _reload(data) if mixture is None else of_origin(MixtureDiscriminantAnalysis._of(mixture), data)


def _mixture_of(state):
    if state.model == "mixture":
        from suffice.family_mixture import Mixture

        return Mixture._of(state)
    from suffice.gaussian_mixture import GaussianMixture

    if _core.mixture_settings(_core.Model.estimate(state))["covariance_type"].isupper():  # mclust's
        from suffice.family_mixture import Mixture

        return Mixture._of(state)
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
    return LoadedModel._of(_core.given_state(json.dumps(stated)))


def given_setting(value):
    """Classes and columns by the names the library knows them by."""
    if isinstance(value, dict):
        return dict(zip(class_names(list(value)), value.values()))
    if isinstance(value, (list, tuple)) and value and all(isinstance(each, (list, tuple, set)) for each in value):
        return [class_names(list(each)) for each in value]
    return value


def fit_files(paths, target, model="naive_bayes", families=None, exclude=(), weight="", threads=0, weight_kind="frequency",
              **settings):
    """Fits a model from files in constant memory, as ``suffice fit`` does.

    ``weight`` is a column: how often each row was seen, or with ``weight_kind="importance"`` how much it is worth.
    A setting that the model does not take is refused. None is the default. Settings:

    {settings}
    """
    paths = [os.fspath(paths)] if isinstance(paths, (str, os.PathLike)) else [os.fspath(each) for each in paths]
    state, notes = _core.fit_files(paths, target, model, {key: given_setting(value) for key, value in settings.items()},
                                   dict(families or {}), [exclude] if isinstance(exclude, str) else list(exclude), weight, weight_kind, threads)
    say(notes)
    return fitted_model(state)


def fitted_model(state):
    """What users hold of a fit."""
    if isinstance(state, _core.LogisticModel):
        return _taking_columns(regression_of(state))
    return _taking_columns(MixtureDiscriminantAnalysis._of(state) if isinstance(state, _core.MixtureDiscriminant) else _loaded(state))


def _taking_columns(made):
    """Columns were chosen by the library, and by their names: rows may have others (``inputs.of_model``)."""
    made._chosen_columns = None, None
    return made


if fit_files.__doc__:  # not under python -OO
    fit_files.__doc__ = fit_files.__doc__.replace("{settings}", "\n    ".join(
        f"{each['name']} : {each['told']}" for each in _core.settings_list()))
