"""Decisions from posteriors, and how good posteriors are."""
import numpy as np

from suffice import _core


def evaluate(y, proba, classes=None, sample_weight=None, *, details=False):
    """Measures of posteriors beside the truth, with the keys of ``suffice evaluate --json``; undefined is None.

    ``details``: also DeLong's 95 % intervals (``roc_auc["interval"]``) and the calibration lines of the classes, logit
    P(class) = intercept + slope logit(p) (``calibration``; ``in_the_large``: the intercept where the slope is 1).

    >>> import numpy as np, suffice
    >>> scores = suffice.evaluate([0, 1, 1], np.array([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]]))
    >>> round(scores["accuracy"], 3)
    0.667
    """
    proba = np.ascontiguousarray(proba, dtype=np.float64)
    if proba.ndim != 2:
        raise ValueError("proba must have one row per label and one column per class")
    y = np.asarray(y)
    if classes is None:
        classes = np.unique(y)
        if len(classes) != proba.shape[1] and y.dtype.kind in "iu":
            classes = np.arange(proba.shape[1])
    classes = np.asarray(classes)
    if len(classes) != proba.shape[1]:
        raise ValueError(f"proba has {proba.shape[1]} columns, but there are {len(classes)} classes")
    order = np.argsort(classes)
    place = np.minimum(np.searchsorted(classes[order], y), len(classes) - 1)
    codes = np.where(classes[order][place] == y, order[place], -1).astype(np.int32)
    weights = None if sample_weight is None else np.ascontiguousarray(sample_weight, dtype=np.float64)
    scores = _core.evaluate(proba, np.ascontiguousarray(codes), weights)
    if not details:
        del scores["calibration"], scores["roc_auc"]["interval"]
    names = classes.tolist()
    if scores["majority"] is not None:
        scores["majority"]["class"] = names[scores["majority"]["class"]]
    return {**scores, "classes": names}


def decide(proba, cost=None, reject=None, thresholds=None, log_evidence=None, novelty=None):
    """Positions of the decided classes, -1 where rejected; ``cost[truth, decision]``.

    ``reject``: where the largest posterior is below it. ``thresholds``: from which posterior each class is decided for,
    NaN where it has none; of several that are reached the one furthest above in proportion, else the most probable
    class without one, else the row is rejected. ``novelty``: rejected where ``log_evidence`` is below it.

    >>> import numpy as np, suffice
    >>> proba = np.array([[0.6, 0.4], [0.1, 0.9]])
    >>> suffice.decide(proba).tolist()
    [0, 1]
    >>> suffice.decide(proba, cost=np.array([[0, 1], [50, 0]])).tolist()
    [1, 1]
    >>> suffice.decide(proba, reject=0.7).tolist()
    [-1, 1]
    >>> suffice.decide(proba, thresholds=[np.nan, 0.3]).tolist()
    [1, 1]
    >>> suffice.decide(proba, log_evidence=[-3.5, -80.0], novelty=-20).tolist()
    [0, -1]
    """
    proba = np.ascontiguousarray(proba, dtype=np.float64)
    if proba.ndim != 2:
        raise ValueError("proba must have one row per decision and one column per class")
    if cost is not None:
        cost = np.ascontiguousarray(cost, dtype=np.float64)
        if cost.ndim != 2 or cost.shape[0] != proba.shape[1]:
            raise ValueError(f"cost must have one row for each of the {proba.shape[1]} classes")
    if reject is not None and (isinstance(reject, str) or not 0 <= reject <= 1):
        raise ValueError(f"reject must lie between 0 and 1, not {reject!r}")
    if (log_evidence is None) != (novelty is None):
        raise ValueError("novelty needs log_evidence, and log_evidence is of use for novelty only")
    numbers = [None if each is None else np.ascontiguousarray(each, dtype=np.float64)
               for each in (thresholds, log_evidence)]
    return _core.decide(proba, cost, 0.0 if reject is None else float(reject), *numbers,
                        None if novelty is None else float(novelty))


def top_k(proba, k):
    """Positions of the k most probable classes of each row, most probable first: (rows, k).

    >>> import numpy as np, suffice
    >>> suffice.top_k(np.array([[0.2, 0.5, 0.3]]), 2).tolist()
    [[1, 2]]
    """
    proba = np.ascontiguousarray(proba, dtype=np.float64)
    if proba.ndim != 2:
        raise ValueError("proba must have one row per decision and one column per class")
    if not 1 <= k <= proba.shape[1]:
        raise ValueError(f"k is {k}, but there are {proba.shape[1]} classes")
    return _core.top_classes(proba, int(k))
