"""Class labels of which some may not be known."""
import warnings

import numpy as np

from suffice import _core
from suffice.frames import is_missing


def known_labels(y, unlabeled, refuse_quantities=False):
    """Sorted labels and codes, -1 where a label is None, NaN or `unlabeled`; a warning where they look like quantities, or an
    error where they have fractions and scikit-learn's contract holds."""
    labels, codes = _labels_and_codes(y, unlabeled)
    if labels.dtype.kind == "f" and np.isinf(labels).any():
        raise ValueError("Input y contains infinity or a value too large for a label.")
    few = 10 if labels.dtype.kind == "f" else 30  # codes of classes seldom have fractions
    if labels.dtype.kind in "fiu" and len(labels) > max(few, 0.1 * len(codes)):
        if refuse_quantities and labels.dtype.kind == "f":
            raise ValueError(f"Unknown label type: continuous. y holds {len(labels)} different numbers in {len(codes)} rows, which are no classes")
        warnings.warn(f"y holds {len(labels)} different numbers in {len(codes)} rows; is it a class, or a quantity?",
                      UserWarning, stacklevel=4)
    return labels, codes


def row_weights(sample_weight, count):
    """A weight for each row; one number is that of every row. None where none is given."""
    if sample_weight is None:
        return None
    weight = np.asarray(sample_weight, dtype=np.float64)
    if weight.ndim and weight.shape != (count,):
        raise ValueError(f"sample_weight.shape == {weight.shape}, expected {(count,)}!")
    if count and not weight.any():
        raise ValueError("Sample weights must contain at least one non-zero number.")
    return np.ascontiguousarray(np.broadcast_to(weight, (count,)))


def _labels_and_codes(y, unlabeled):
    y = np.asarray(y)
    if y.ndim == 2 and y.shape[1] == 1:
        from sklearn.exceptions import DataConversionWarning

        warnings.warn("A column-vector y was passed when a 1d array was expected. Please change the shape of y to (n_samples,), for example using ravel().",
                      DataConversionWarning, stacklevel=5)
        y = y[:, 0]
    if y.ndim != 1:
        raise ValueError(f"y should be a 1d array, got an array of shape {y.shape} instead.")
    if not y.dtype.isnative:
        y = y.astype(y.dtype.newbyteorder("="))
    if y.dtype.kind not in "OUSTfiub":
        raise ValueError(f"Unknown label type: {y.dtype}")
    quick = _whole_numbers(y, unlabeled)
    if quick is not None:
        return quick
    known = np.ones(len(y), dtype=bool)
    if y.dtype.kind == "f":
        known &= ~np.isnan(y)
    elif y.dtype == object:
        known &= np.array([not is_missing(v) for v in y], dtype=bool)
    if unlabeled is not None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            marked = np.asarray(y[known] == unlabeled)
        if marked.shape == (np.count_nonzero(known),):
            known[known] = ~marked
    found = y[known]
    if found.dtype == object and all(isinstance(v, str) for v in found):
        found = found.astype(str)
    try:
        labels, inverse = _unique(found)
    except TypeError:
        raise TypeError("the labels are of types that cannot be sorted together") from None
    if labels.dtype.kind == "f" and (labels == np.trunc(labels)).all() and np.isfinite(labels).all():
        labels = labels.astype(np.int64)
    codes = np.full(len(y), -1, dtype=np.int32)
    codes[known] = inverse
    return labels, codes


def _unique(found):
    """As np.unique with the inverse; labels that come class by class are sorted as few as they are."""
    if found.dtype.kind in "US" and len(found) > 1:
        first = np.flatnonzero(np.concatenate(([True], found[1:] != found[:-1])))
        if len(first) < len(found) // 4:
            labels, inverse = np.unique(found[first], return_inverse=True)
            return labels, np.repeat(inverse, np.diff(np.append(first, len(found))))
    return np.unique(found, return_inverse=True)


def weighty_classes(labels, codes, weight):
    """Labels that some row has with a weight above zero, and the codes among them; the rest is not known."""
    if weight is None:
        return labels, np.ascontiguousarray(codes, dtype=np.int32)
    weighty = np.bincount(codes[codes >= 0], weights=weight[codes >= 0], minlength=len(labels)) > 0
    codes = np.where(codes >= 0, np.where(weighty, np.cumsum(weighty) - 1, -1)[codes], -1)
    return labels[weighty], codes.astype(np.int32)


def _whole_numbers(y, unlabeled):
    """Without sorting, where the labels are whole numbers that lie close together."""
    if y.dtype.kind not in "iu" or not y.dtype.isnative or not len(y):
        return None
    encoded = _core.encode_labels(y)
    if encoded is None:
        return None
    labels, codes = encoded[0].astype(y.dtype), encoded[1]
    place = np.flatnonzero(labels == unlabeled) if isinstance(unlabeled, (int, float, np.number)) else ()
    if not len(place):
        return labels, codes
    moved = np.arange(len(labels), dtype=np.int32)
    moved[place[0]:] -= 1
    moved[place[0]] = -1
    return np.delete(labels, place[0]), moved[codes]
