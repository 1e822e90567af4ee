"""Models beside each other, cross-validated on the same folds."""
import time

import numpy as np

from suffice import _core, frames, inputs
from suffice.decisions import evaluate
from suffice.labels import known_labels
from suffice.statistics import class_names


def compare(X, y, folds=10, models=None, sample_weight=None, random_state=0, unlabeled=None):
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
    weight = None if sample_weight is None else np.ascontiguousarray(
        np.broadcast_to(sample_weight, (count,)), dtype=np.float64)
    fold, fold_count = _folds(folds, codes, len(labels), random_state)
    named = [model for model in models or [] if isinstance(model, str)]
    done = []
    if named or not models:
        done += _core.compare(rows if isinstance(rows, np.ndarray) else rows.lend(), codes, class_names(labels), weight,
                              _described(rows), fold, named)
    for model in models or []:
        if not isinstance(model, str):
            done.append(_refitted(model, X, codes, labels, weight, fold, fold_count))
    return sorted(done, key=lambda each: np.inf if each["log_loss"] is None else each["log_loss"])


def _described(rows):
    if not isinstance(rows, np.ndarray):
        return rows.described
    flags = rows.dtype.kind in "iub"
    return [(f"x{k}", "flag" if flags and frames.is_flag(rows[:, k]) else "number", [], 0)
            for k in range(rows.shape[1])]


def _folds(folds, codes, class_count, seed):
    """The fold of each row, and how many there are."""
    if np.ndim(folds) == 0:
        if int(folds) < 2:
            raise ValueError("cross-validation needs at least two folds")
        made = _core.stratified_folds(codes, class_count, int(folds), int(seed))
        return np.maximum(made, 0), int(folds)
    names, made = np.unique(np.asarray(folds), return_inverse=True)
    if made.shape != codes.shape:
        raise ValueError(f"there are {made.size} folds for {codes.size} rows")
    return np.ascontiguousarray(made, dtype=np.int32), len(names)


def _taken(X, chosen):
    if hasattr(X, "iloc"):
        return X.iloc[chosen]
    if hasattr(X, "take") and not isinstance(X, np.ndarray):  # Arrow
        return X.take(chosen)
    return X[chosen] if hasattr(X, "__getitem__") and not isinstance(X, (list, tuple)) else np.asarray(X)[chosen]


def _refitted(model, X, codes, labels, weight, fold, fold_count):
    """An estimator fitted once per fold."""
    from sklearn.base import clone

    started = time.perf_counter()
    line = {"model": type(model).__name__, "options": repr(model)}
    correct, loss, total = (np.zeros(fold_count) for _ in range(3))
    for held in range(fold_count):
        train = np.flatnonzero((fold != held) & (codes >= 0))
        test = np.flatnonzero((fold == held) & (codes >= 0))
        if not len(test):
            continue
        given = {} if weight is None else {"sample_weight": weight[train]}
        fitted = clone(model).fit(_taken(X, train), labels[codes[train]], **given)
        known = np.searchsorted(labels, fitted.classes_)
        proba = np.zeros((len(test), len(labels)))
        proba[:, known] = fitted.predict_proba(_taken(X, test))
        scores = evaluate(labels[codes[test]], proba, labels, None if weight is None else weight[test])
        total[held] = len(test) if weight is None else weight[test].sum()
        correct[held], loss[held] = scores["accuracy"], scores["log_loss"]
    whole = clone(model).fit(_taken(X, np.flatnonzero(codes >= 0)), labels[codes[codes >= 0]],
                             **({} if weight is None else {"sample_weight": weight[codes >= 0]}))
    used = total > 0

    def error(values):
        return float(values[used].std(ddof=1) / np.sqrt(used.sum())) if used.sum() > 1 else 0.0

    return {**line, "accuracy": float(correct @ total / total.sum()), "accuracy_se": error(correct),
            "log_loss": float(loss @ total / total.sum()), "log_loss_se": error(loss),
            "parameters": getattr(whole, "parameter_count_", None), "bic": getattr(whole, "bic_", None),
            "seconds": time.perf_counter() - started}
