"""What a model file says of the estimator that wrote it, so that ``load`` gives the same class with the same parameters."""
import importlib
import json
from hashlib import sha256

import numpy as np
from sklearn.base import BaseEstimator

import suffice
from suffice import _core
from suffice.families import Family
from suffice.family_values import Named
from suffice.statistics import Statistics, class_names, kind_of, labels_from


def with_author(estimator, data):
    """The bytes of a model file with the estimator's class, parameters and what it keeps beside its statistics."""
    return _core.file_with_author(data, json.dumps(_author_of(estimator)))


def _author_of(estimator):
    author = {"class": type(estimator).__name__, "parameters": _plain(estimator.get_params(deep=False))}
    if getattr(estimator, "_by_model", False):
        kind = kind_of(estimator.classes_)
        author |= {"classes": class_names(estimator.classes_), "labels": "str" if kind == "mixed" else kind,
                   "named": hasattr(estimator, "feature_names_in_"),
                   "own": getattr(estimator, "_by_statistics", False) and estimator.statistics_._own,
                   "kept": _plain(estimator._kept())}
    else:
        author["attributes"] = _plain(_attributes(estimator))
    if hasattr(estimator, "best_estimator_"):
        author["best"] = _author_of(estimator.best_estimator_)
    return author


def _attributes(estimator):
    """What fitting has set, but for what is about the single rows and what no file can say."""
    given = estimator.get_params(deep=False)
    return {name: value for name, value in vars(estimator).items()
            if name not in given and name not in ("labels_", "_origin") and _is_plain(value)} | estimator._kept()


def of_origin(estimator, data):
    """The estimator of a file's model, which remembers what only the file knew: the rows' files and how they were read."""
    estimator._origin = _core.origin_of_file(data), sha256(estimator._file_bytes()).digest()
    return estimator


def with_origin(estimator, data):
    """The bytes of a model file with that memory, where the model still is what was loaded."""
    origin, loaded = getattr(estimator, "_origin", (None, None))
    return data if origin is None or sha256(data).digest() != loaded else _core.file_with_origin(data, origin)


def restored(data, read):
    """The estimator that wrote a file, or None: another program did. ``read`` makes the estimator of its model."""
    return _made_by(json.loads(_core.author_of_file(data) or "null"), data, read)


def _made_by(author, data, read):
    kind = getattr(suffice, author["class"], None) if author else None
    if not isinstance(kind, type) or not issubclass(kind, BaseEstimator):
        return None
    if "attributes" in author:
        made = kind._blank(data).set_params(**_value(author["parameters"]))
        vars(made).update(_value(author["attributes"]))
        if "best" in author:
            made.best_estimator_ = _made_by(author["best"], data, read)
        return made
    labels = labels_from(author["classes"], author["labels"])
    if getattr(kind, "_by_statistics", False):
        made, state = kind(**_value(author["parameters"])), _core.State.from_file(data)
        names = [name for name, *_ in state.columns]
        made._restore(Statistics(state, labels, author["own"]), names if author["named"] else None, _value(author["kept"]))
        return made
    made = read(data).set_params(**_value(author["parameters"]))
    made.classes_ = labels
    if not author["named"] and hasattr(made, "feature_names_in_"):
        del made.feature_names_in_
    return made


def _plain(value):
    """As JSON has it; lists of one item carry what JSON does not know."""
    if isinstance(value, np.ndarray):
        return {"array": value.tolist(), "type": value.dtype.str if value.dtype != object else "O"}
    if isinstance(value, np.generic):
        return _plain(value.item())
    if isinstance(value, tuple):
        return {"tuple": [_plain(each) for each in value]}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if isinstance(value, dict):
        return {"dict": [[_plain(key), _plain(each)] for key, each in value.items()]}
    if isinstance(value, BaseEstimator):
        return {"estimator": _place(value), "parameters": _plain(value.get_params(deep=False))}
    if isinstance(value, Named):
        return {"named": _place(value), "values": _plain(value.as_dict()), "levels": _plain(value.levels)}
    if hasattr(value, "_given"):  # a family
        return {"estimator": _place(value), "parameters": _plain(value._given)}
    known = value is None or isinstance(value, (bool, int, float, str))
    return value if known else None  # such as a generator of random numbers


def _is_plain(value):
    """Whether ``_plain`` says all of it."""
    if isinstance(value, dict):
        return all(_is_plain(each) for pair in value.items() for each in pair)
    if isinstance(value, (list, tuple)):
        return all(map(_is_plain, value))
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "biufU" or (value.dtype == object and all(map(_is_plain, value.flat)))
    return value is None or isinstance(value, (bool, int, float, str, np.generic))


def _place(value):
    return f"{type(value).__module__}:{type(value).__qualname__}"


def _value(plain):
    if isinstance(plain, list):
        return [_value(each) for each in plain]
    if not isinstance(plain, dict):
        return plain
    if "array" in plain:
        return np.array(plain["array"], dtype=plain["type"])
    if "tuple" in plain:
        return tuple(_value(each) for each in plain["tuple"])
    if "dict" in plain:
        return {_value(key): _value(each) for key, each in plain["dict"]}
    if "named" in plain:
        kind = _class_at(plain["named"], Named)
        made = kind.__new__(kind)
        Named.__init__(made, _value(plain["values"]), _value(plain["levels"]))
        return made
    return _class_at(plain["estimator"], (BaseEstimator, Family))(**_value(plain["parameters"]))


def _class_at(place, wanted):
    """A file shall not choose what code runs: only classes of this package and of scikit-learn are looked for."""
    module, _, name = place.partition(":")
    kind = None
    if module.partition(".")[0] in ("sklearn", "suffice"):
        kind = getattr(importlib.import_module(module), name, None)
    if not isinstance(kind, type) or not issubclass(kind, wanted):
        raise ValueError(f"the file names the class {name} of {module}, which is not made from files")
    return kind
