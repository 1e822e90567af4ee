"""Models beside each other, cross-validated on the same folds."""
import time as time_module

import numpy as np

from suffice import _core, frames, inputs
from suffice.decisions import evaluate
from suffice.labels import known_labels, row_weights
from suffice.statistics import class_names


def compare(X, y, folds=10, models=None, sample_weight=None, random_state=0, unlabeled=None, *, groups=None, time=None,
            repeats=1, nested=False, budget=None):
    """Cross-validates models, best first by log loss, with the keys of ``suffice compare --json``.

    Parameters
    ----------
    X, y : data frame, Arrow table or array, and labels; rows without a label (None, NaN, ``unlabeled``) are left out
    folds : int or array-like of fold numbers, default=10
        A number: stratified folds, the same as the command's under the same seed.
    models : list, default=None
        Names of models and estimators; None: every model that fits the columns. Named models are never fitted again:
        the model of "all but one fold" is the whole less the fold. Estimators, also of other libraries, are.
    sample_weight : array-like of shape (n_samples,), default=None
    random_state : int, default=0
    groups : array-like, default=None
        Rows of one group stay in one fold.
    time : array-like, default=None
        Folds follow its order; each is scored by what was learned from those before it, and the first is not scored.
    repeats : int, default=1
        How often rows are dealt out to folds anew; means and errors are over all folds.
    nested : bool, default=False
        Then the answer is a dict of ``candidates`` and ``nested``: how "choose the best by the other folds, then fit it"
        does on each fold. The best of many models looks better in its table than it is.
    budget : float, default=None
        Seconds of computing (by the processor) that one model may take; one that takes longer is ``unfinished``.

    Examples
    --------
    >>> import numpy as np, suffice
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 200)
    >>> X = rng.normal(size=(200, 2)) + 2 * y[:, None]
    >>> done = suffice.compare(X, y, folds=5, models=["lda", "naive_bayes", suffice.GaussianNB()])
    >>> sorted(each["model"] for each in done)
    ['GaussianNB', 'linear_discriminant', 'naive_bayes']
    """
    rows = frames.read(X)
    labels, codes = known_labels(y, unlabeled)
    if rows is None:
        rows = inputs.readable(np.asarray(X))
    count = rows.shape[0] if isinstance(rows, np.ndarray) else rows.row_count
    if len(codes) != count:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: [{count}, {len(codes)}]")
    weight = row_weights(sample_weight, count)
    if int(repeats) < 1:
        raise ValueError("repeats must be at least 1")
    if budget is not None and not budget > 0:
        raise ValueError("budget must be a positive number of seconds")
    dealt = [_folds(folds, codes, len(labels), random_state + k, groups, time) for k in range(int(repeats))]
    named = [model for model in models or [] if isinstance(model, str)]
    estimators = [model for model in models or [] if not isinstance(model, str)]
    if nested and estimators:
        raise ValueError("nested choosing takes named models")
    done, inner = [], None
    if named or not models:
        done, inner = _core.compare(rows if isinstance(rows, np.ndarray) else rows.lend(), codes, class_names(labels),
                                    weight, _described(rows), dealt, named, time is not None, bool(nested),
                                    0.0 if budget is None else float(budget))
    done += [_refitted(model, X, codes, labels, weight, dealt, time is not None) for model in estimators]
    done.sort(key=lambda each: np.inf if each["log_loss"] is None else each["log_loss"])
    best = np.array(done[0]["fold_log_loss"])
    for each in done:
        own = np.array(each.pop("fold_log_loss"))
        if each["log_loss"] is not None:
            each["difference"] = each["log_loss"] - done[0]["log_loss"]
            each["difference_se"] = _error(own - best)
    return {"candidates": done, "nested": inner} if nested else done


def _error(values):
    """The standard error of a mean over folds."""
    return float(np.std(values, ddof=1) / np.sqrt(len(values))) if len(values) > 1 else 0.0


def _described(rows):
    if not isinstance(rows, np.ndarray):
        return rows.described
    flags = rows.dtype.kind in "iub"
    return [(f"x{k}", "flag" if flags and frames.is_flag(rows[:, k]) else "number", [], 0)
            for k in range(rows.shape[1])]


def _folds(folds, codes, class_count, seed, groups, time):
    """The fold of each row."""
    if np.ndim(folds) > 0:
        if groups is not None or time is not None:
            raise ValueError("folds that are given leave nothing for groups or time to say")
        made = np.unique(np.asarray(folds), return_inverse=True)[1]
        if made.shape != codes.shape:
            raise ValueError(f"there are {made.size} folds for {codes.size} rows")
        return np.ascontiguousarray(made, dtype=np.int32)
    if int(folds) < 2:
        raise ValueError("cross-validation needs at least two folds")
    if int(folds) > codes.size:
        raise ValueError(f"{int(folds)} folds are too many for {codes.size} rows")
    if groups is not None and time is not None:
        raise ValueError("groups and time each say what the folds are; give one")
    if groups is None and time is None:
        return np.maximum(_core.stratified_folds(codes, class_count, int(folds), int(seed)), 0)
    values = np.asarray(groups if time is None else time)
    if values.shape != codes.shape:
        raise ValueError(f"there are {values.size} values for {codes.size} rows")
    names, place = np.unique(values, return_inverse=True)
    place = np.ascontiguousarray(place, dtype=np.int32)
    if groups is not None:
        if len(names) < int(folds):
            raise ValueError(f"there are {len(names)} groups, too few for {folds} folds")
        return _core.group_folds(place, int(folds), int(seed))
    before = np.concatenate(([0], np.cumsum(np.bincount(place))[:-1]))
    return np.ascontiguousarray((before * int(folds) // len(place))[place], dtype=np.int32)


def _taken(X, chosen):
    if hasattr(X, "iloc"):
        return X.iloc[chosen]
    if hasattr(X, "take") and not isinstance(X, np.ndarray):  # Arrow
        return X.take(chosen)
    return X[chosen] if hasattr(X, "__getitem__") and not isinstance(X, (list, tuple)) else np.asarray(X)[chosen]


def _joint_bic(fitted):
    """BIC where it is that of rows and classes together near its maximum, as that of named models."""
    shrunken = getattr(fitted, "shrinkage", None) or type(fitted).__name__ in (
        "KernelDensityClassifier", "NearestClassifier", "HistogramNB", "RegularizedDiscriminantAnalysis")
    return None if shrunken or not hasattr(fitted, "log_evidence") else getattr(fitted, "bic_", None)


def _refitted(model, X, codes, labels, weight, dealt, ordered):
    """An estimator fitted once per fold."""
    from sklearn.base import clone

    started = time_module.perf_counter()
    line = {"model": type(model).__name__, "options": repr(model)}
    correct, loss, total = [], [], []
    for fold in dealt:
        for held in range(int(ordered), int(fold.max()) + 1):
            train = np.flatnonzero((fold < held if ordered else fold != held) & (codes >= 0))
            test = np.flatnonzero((fold == held) & (codes >= 0))
            if not len(test):
                continue
            given = {} if weight is None else {"sample_weight": weight[train]}
            fitted = clone(model).fit(_taken(X, train), labels[codes[train]], **given)
            proba = np.zeros((len(test), len(labels)))
            proba[:, np.searchsorted(labels, fitted.classes_)] = fitted.predict_proba(_taken(X, test))
            scores = evaluate(labels[codes[test]], proba, labels, None if weight is None else weight[test])
            total.append(len(test) if weight is None else weight[test].sum())
            correct.append(scores["accuracy"])
            loss.append(scores["log_loss"])
    whole = clone(model).fit(_taken(X, np.flatnonzero(codes >= 0)), labels[codes[codes >= 0]],
                             **({} if weight is None else {"sample_weight": weight[codes >= 0]}))
    return {**line, "accuracy": float(np.average(correct, weights=total)), "accuracy_se": _error(correct),
            "log_loss": float(np.average(loss, weights=total)), "log_loss_se": _error(loss), "difference": None,
            "difference_se": None, "parameters": getattr(whole, "parameter_count_", None), "bic": _joint_bic(whole),
            "evidence": None, "seconds": time_module.perf_counter() - started, "fold_log_loss": loss}
