"""What every fitted classifier can do with its posteriors: be calibrated, decide under thresholds, and report."""
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import NotFittedError

from suffice import _core
from suffice.decisions import decide, top_k
from suffice.exporting import ExportMixin
from suffice.labels import row_weights
from suffice.statistics import class_names
from suffice.shared_docs import documented

_GOALS = ("precision", "recall", "cost")


class DecidingMixin(ExportMixin):
    """A classifier with ``predict_proba``, ``classes_``, ``_file_bytes()`` and mostly ``log_evidence``."""

    _by_model = True  # all that was learned is in the model of its file

    def calibrate(self, X, y, method="auto", thresholds=None, novelty=False, sample_weight=None):
        """The model with a calibration behind it, fitted to rows that it was not trained on; as ``suffice calibrate``.

        Parameters
        ----------
        method : {"auto", "none", "temperature", "platt", "beta", "isotonic"}, default="auto"
            "auto": the smallest cross-validated log loss.
        thresholds : dict or None, default=None
            From which posterior a class is decided for: a number, or ("precision", p), ("recall", r) or ("cost", c),
            where missing the class costs c false alarms; chosen on these rows.
        novelty : bool, default=False
            Keep which ``log_evidence`` is usual, for ``is_novel`` and ``predict(X, novelty=...)``.

        Examples
        --------
        >>> import suffice
        >>> from sklearn.datasets import load_iris
        >>> X, y = load_iris(return_X_y=True)
        >>> model = suffice.GaussianNB().fit(X[::2], y[::2]).calibrate(X[1::2], y[1::2], "temperature", novelty=True)
        >>> model.method_, model.predict(X[:2]).tolist(), model.predict([[50, 50, 50, 50]], novelty=0.01).tolist()
        ('temperature', [0, 0], [None])
        """
        proba = np.ascontiguousarray(self.predict_proba(X), dtype=np.float64)
        names = class_names(self.classes_)
        codes = codes_of(names, y)
        if len(codes) != len(proba):
            raise ValueError(f"Found input variables with inconsistent numbers of samples: [{len(proba)}, {len(codes)}]")
        place = {label: code for code, label in enumerate(self.classes_.tolist())}
        goals, fixed = [], []
        for label, goal in (thresholds or {}).items():
            if label not in place:
                raise ValueError(f"thresholds name the class {label!r}, which the model does not have")
            if isinstance(goal, (int, float, np.number)):
                if not 0 <= goal <= 1:
                    raise ValueError(f"the threshold of {label!r} is {goal}; it must lie in [0, 1]")
                fixed.append((label, float(goal)))
            elif len(goal) == 2 and goal[0] in _GOALS:
                goals.append((place[label], goal[0], float(goal[1])))
            else:
                raise ValueError(f"a threshold is a number or a pair of {', '.join(_GOALS)} and a number, not {goal!r}")
        weight = row_weights(sample_weight, len(codes))
        evidence = None
        if novelty:
            if not hasattr(self, "log_evidence"):
                raise TypeError(f"{type(self).__name__} has no density of rows, so none of them is novel to it")
            evidence = np.ascontiguousarray(self.log_evidence(X), dtype=np.float64)
        stages, scores = _core.Stages.fit(proba, codes, weight, names, method, goals, evidence)
        for label, value in fixed:
            stages = stages.with_threshold(names[place[label]], value)
        return CalibratedModel._of(self, stages, dict(scores))

    def top_k(self, X, k):
        """The k most probable classes of each row, most probable first: (rows, k)."""
        return self.classes_[top_k(self.predict_proba(X), k)]

    def report(self, X, y, sample_weight=None, columns=None):
        """A report on labelled rows: notebooks show it, ``save`` writes it as .html, .md or .json."""
        from suffice import plots

        return plots.report(self, X, y, sample_weight, columns)


@documented
class CalibratedModel(ClassifierMixin, DecidingMixin, BaseEstimator):
    """A fitted model with the stages behind it that ``calibrate`` fits and model files keep.

    Parameters
    ----------
    model : fitted classifier
        What stands before the stages. Usually made by ``model.calibrate(X, y, method=...)`` and not by hand.

    Attributes
    ----------
    model : fitted classifier
    method_ : str
        The calibration: "temperature", "platt", "isotonic", "beta" or "none".
    scores_ : dict
        Cross-validated log losses of the methods, where it was chosen among several.
    thresholds_ : dict
        Posteriors from which classes are decided for, where they were chosen.
    classes_ : ndarray of shape (n_classes,)

    See Also
    --------
    evaluate : Log loss, calibration error and the rest, of probabilities.
    decide : Decisions from probabilities and costs.

    Examples
    --------
    >>> import numpy as np, suffice
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 400)
    >>> x = rng.normal(size=(400, 1)) + y[:, None]
    >>> X = np.hstack([x, x, x])                       # one column counted three times: too sure
    >>> plain = suffice.GaussianNB().fit(X[:200], y[:200])
    >>> warm = plain.calibrate(X[200:], y[200:], method="temperature")
    >>> loss = [suffice.evaluate(y[200:], model.predict_proba(X[200:]))["log_loss"] for model in (plain, warm)]
    >>> loss[1] < loss[0]
    True
    """

    def __init__(self, model=None):
        self.model = model

    @classmethod
    def _of(cls, model, stages, scores=None):
        made = cls(model)
        made._stages = stages
        made.scores_ = scores or {}
        made.classes_ = model.classes_
        made.method_ = stages.method
        label_of = dict(zip(class_names(model.classes_), model.classes_.tolist()))
        made.thresholds_ = {label_of[name]: value for name, value in stages.thresholds}
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(model, name):
                setattr(made, name, getattr(model, name))
        return made

    def fit(self, X, y, sample_weight=None):
        """Refuses: the model is fitted already, and ``model.calibrate`` makes another of these."""
        raise TypeError("a calibrated model is not fitted anew; fit the model and calibrate it")

    def _author(self):
        return self.model

    def _behind(self):
        if not hasattr(self, "_stages"):
            raise NotFittedError("this CalibratedModel is not fitted yet: it comes from model.calibrate(X, y)")
        return self._stages

    def predict_proba(self, X):
        """Calibrated p(class | x) of each row, classes in the order of ``classes_``."""
        return self._behind().apply(np.ascontiguousarray(self.model.predict_proba(X), dtype=np.float64))

    def predict_log_proba(self, X):
        """log p(class | x)."""
        return np.log(np.maximum(self.predict_proba(X), np.finfo(float).tiny))

    def predict(self, X, cost=None, reject=None, novelty=None):
        """The class decided for, by ``thresholds_`` where there are any and no ``cost`` is given.

        Rows may be rejected: where the largest posterior is below ``reject``, where log p(x) is below that of the share
        ``novelty`` of the usual rows, where every class has a threshold and none is reached, or where that is cheapest.
        They are None, in an array of objects; where nothing can be rejected labels come as they are.
        """
        proba = self.predict_proba(X)
        thresholds = None
        if cost is None and self.thresholds_:
            thresholds = np.array([self.thresholds_.get(label, np.nan) for label in self.classes_.tolist()])
        level = None if novelty is None else self._level(novelty)
        evidence = None if novelty is None else self.log_evidence(X)
        codes = decide(proba, cost, reject, thresholds, evidence, level)
        may = (reject is not None or novelty is not None or (cost is not None and np.shape(cost)[1] > len(self.classes_))
               or (thresholds is not None and not np.isnan(thresholds).any()))
        if not may:
            return self.classes_[codes]
        made = np.full(len(codes), None, dtype=object)
        made[codes >= 0] = self.classes_[codes[codes >= 0]]
        return made

    def _level(self, share):
        if not self._behind().knows_usual:
            raise ValueError("the model does not know which rows are usual; calibrate(X, y, novelty=True) keeps them")
        return self._stages.novelty_level(float(share))

    def is_novel(self, X, share=0.01):
        """Whether log p(x) is below that of a share of the usual rows."""
        return ~(self.log_evidence(X) >= self._level(share))

    def log_evidence(self, X):
        """log p(x) of each row, which no calibration changes."""
        return self.model.log_evidence(X)

    def calibrate(self, X, y, method="auto", thresholds=None, novelty=False, sample_weight=None):
        """The same model with other stages behind it."""
        return self.model.calibrate(X, y, method, thresholds, novelty, sample_weight)

    def _model(self):
        return self.model._model()

    def _lend(self, X):
        return self.model._lend(X)

    def _file_bytes(self):
        return _core.file_with_stages(self.model._file_bytes(), self._behind())

    def __getstate__(self):
        kept = dict(super().__getstate__())
        if "_stages" in kept:
            kept["_stages"] = kept["_stages"].to_bytes()
        return kept

    def __setstate__(self, kept):
        if "_stages" in kept:
            kept = {**kept, "_stages": _core.Stages.from_bytes(kept["_stages"])}
        super().__setstate__(kept)


def codes_of(names, y):
    """Places of labels among the names of classes, -1 where a label is not one of them."""
    place = {name: code for code, name in enumerate(names)}
    return np.array([place.get(name, -1) for name in class_names(y)], dtype=np.int32)
