"""What users pass in: plain arrays go straight to the library, everything else through scikit-learn's validators.

The fast path reads nothing of X: a value that is not finite shows in the sums of the pass, and only then does
scikit-learn's validator look for it, so that its words are the ones the user sees.
"""
import numpy as np
import scipy.sparse
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    _check_feature_names,
    _check_n_features,
    _check_sample_weight,
    check_array,
    validate_data,
)

from suffice import _core

_READABLE = frozenset("dfbBhHiIlLqQ?")
_DOUBLE, _NARROW, _WIDE = np.dtype(np.float64), np.dtype(np.int32), np.dtype(np.int64)  # in this machine's byte order


def seed_of(random_state):
    """A whole number is the seed that the command takes; whatever else is drawn from."""
    if isinstance(random_state, (int, np.integer)) and random_state >= 0:
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31))


def is_plain(X):
    """Can the library read this array where it lies?"""
    return (type(X) is np.ndarray and X.ndim == 2 and X.dtype.char in _READABLE and X.dtype.isnative
            and X.shape[0] > 0 and X.shape[1] > 0 and X.flags.aligned
            and X.strides[0] % X.itemsize == 0 and X.strides[1] % X.itemsize == 0)


def readable(X):
    """An array of numbers as the library reads it, in this machine's byte order, copied only if it must be."""
    if isinstance(X, np.ndarray) and X.dtype.kind not in "fiub":
        raise TypeError(f"values of the type {X.dtype} are not numbers")
    if isinstance(X, np.ndarray) and (X.dtype.char not in _READABLE or not is_plain(X)):
        return np.require(X, X.dtype.newbyteorder("=") if X.dtype.char in _READABLE else np.float64, ["C", "ALIGNED"])
    return X


def _is_plain_labels(y, count):
    return (type(y) is np.ndarray and y.ndim == 1 and y.dtype.char in _READABLE and y.dtype.isnative
            and y.shape[0] == count)


def _note_width(estimator, X, reset):
    """scikit-learn's checks of names and number of features, for an X without names: called where they matter."""
    if hasattr(estimator, "feature_names_in_"):  # which X lacks: they are forgotten, or the user is warned
        _check_feature_names(estimator, X, reset=reset)
    if reset or X.shape[1] != getattr(estimator, "n_features_in_", None):
        _check_n_features(estimator, X, reset=reset)


def of_model(estimator, X):
    """Rows without the columns that ``suffice.fit``, or the command, left out; estimators that users fit have all of theirs."""
    kept = getattr(estimator, "_chosen_columns", None)
    if kept is None:
        return X
    if hasattr(X, "columns"):
        named = list(getattr(X, "column_names", X.columns))
        wanted = [name for name in getattr(estimator, "feature_names_in_", ())]
        if not wanted or named == wanted or not set(wanted) <= set(named):  # fitted to an array: it knows no names
            return X
        return X.select(wanted) if hasattr(X, "select") else X[wanted]
    width, places = kept
    if places is None or len(np.shape(X)) != 2 or np.shape(X)[1] != width:
        return X
    return X[:, places] if hasattr(X, "shape") else np.asarray(X)[:, places]


def rows_and_labels(estimator, X, y, *, reset=True, min_rows=1, as_is=True, **checks):
    """X as the library reads it, the sorted labels found in y, and y as codes of them.

    Unless `as_is`, X is always taken through the validator, which may convert it.
    """
    if reset:
        vars(estimator).pop("_chosen_columns", None)
    if as_is and is_plain(X) and X.shape[0] >= min_rows and _is_plain_labels(y, X.shape[0]):
        encoded = _core.encode_labels(y)
        if encoded is not None:
            _note_width(estimator, X, reset)
            return X, encoded[0].astype(y.dtype), encoded[1]
    X, y = validate_data(estimator, X, y, reset=reset, ensure_min_samples=min_rows, **checks)
    check_classification_targets(y)
    encoded = _core.encode_labels(y) if y.dtype.char in _READABLE else None
    if encoded is not None:
        return readable(X), encoded[0].astype(y.dtype), encoded[1]
    labels, codes = np.unique(y, return_inverse=True)
    return readable(X), labels, codes.astype(np.int32)


def is_plain_sparse(X):
    """Is this a CSR matrix of float64 that the library can read where it lies?"""
    if type(X) not in (scipy.sparse.csr_array, scipy.sparse.csr_matrix) or X.data.dtype != _DOUBLE:
        return False
    shape = X.shape
    return len(shape) == 2 and shape[0] > 0 and shape[1] > 0


def rows(estimator, X, **checks):
    """X as the library reads it, of a fitted estimator."""
    X = of_model(estimator, X)
    if is_plain(X) or (checks.get("accept_sparse") == "csr" and is_plain_sparse(X)):
        _note_width(estimator, X, False)
        return X
    return readable(validate_data(estimator, X, reset=False, **checks))


def weights(sample_weight, X):
    """Row weights as float64, or None."""
    if sample_weight is None:
        return None
    return np.ascontiguousarray(_check_sample_weight(sample_weight, X, dtype=np.float64))


def refuse_holes(estimator, X):
    """Raises scikit-learn's ValueError if X has a value that is not finite."""
    check_array(X, accept_sparse=True, dtype="numeric", estimator=estimator, input_name="X")


def lend(X, wide=False):
    """A CSR matrix as the tuple that the library reads; arrays as they are. `wide`: indices may have 64 bits."""
    if isinstance(X, np.ndarray):
        return X
    starts, columns, values = X.indptr, X.indices, X.data
    if columns.dtype != _NARROW and not (wide and columns.dtype == _WIDE):
        columns = columns.astype(_NARROW)
    if starts.dtype != _NARROW and starts.dtype != _WIDE:
        starts = starts.astype(_WIDE)
    return (np.ascontiguousarray(starts), np.ascontiguousarray(columns), np.ascontiguousarray(values, dtype=_DOUBLE),
            X.shape[1])


def codes_among(classes, labels, codes):
    """Codes of `labels` as codes of `classes`; a label that is not there is a ValueError."""
    if classes is labels or (classes.shape == labels.shape and np.array_equal(classes, labels)):
        return codes
    unknown = ~np.isin(labels, classes)
    if unknown.any():
        raise ValueError(
            "The target label(s) %s in y do not exist in the initial classes %s" % (labels[unknown], classes))
    return np.searchsorted(classes, labels).astype(np.int32)[codes]


def number_columns(estimator):
    """The columns of a model without categories, by the names of the features where they have names."""
    names = getattr(estimator, "feature_names_in_", None)
    if names is None:
        names = [f"x{k}" for k in range(estimator.n_features_in_)]
    return [(str(name), "number", [], 0) for name in names]
