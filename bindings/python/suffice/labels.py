"""Class labels of which some may not be known."""
import warnings

import numpy as np


def known_labels(y, unlabeled):
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
