"""Sufficient statistics as a value: added, subtracted, decayed, turned into bytes; a model is a function of it."""
import json
import struct

import numpy as np

from suffice import _core
from suffice.same_numbers import same_numbers

_MAGIC = b"SUFSTAT1"


def class_names(labels):
    """The names that stand for class labels inside statistics and files."""
    return [str(label) for label in np.asarray(labels).tolist()]


def kind_of(labels):
    labels = np.asarray(labels)
    if labels.dtype.kind in "iu":
        return labels.dtype.str
    if labels.dtype.kind in "fb":
        return labels.dtype.kind
    if all(isinstance(label, str) for label in labels.tolist()):
        return "object" if labels.dtype == object else "str"
    return "mixed"


def labels_from(names, kind):
    """Class labels of the given kind from their names."""
    if kind == "f":
        return np.array([float(name) for name in names])
    if kind == "b":
        return np.array([name == "True" for name in names])
    if kind == "str":
        return np.array(names)
    if kind == "object":
        return np.array(names, dtype=object)
    return np.array([int(name) for name in names], dtype=kind)


def labels_of_file(names, whole):
    """Class labels of a model file: integers where it says so, else the names."""
    if whole and all(name.removeprefix("-").isdecimal() for name in names):  # rows may have brought others since
        return labels_from(names, "<i8")
    return np.array(names)


class Statistics:
    """What a model has seen of its rows: a value that never changes; ``+`` and ``-`` make new ones.

    It is all that a model of sums needs: parameters follow from it, under any settings. Sums do not care how rows were cut, in
    which order they came or on which machine they were added, so statistics can be gathered apart, sent as bytes and added.

    Methods and attributes
    ----------------------
    a + b, a - b : Statistics
        Of the rows of both; of the rows of one without those of the other.
    a.decay(factor) : Statistics
        Every row counts so much less.
    to_bytes(), Statistics.from_bytes(bytes)
        For files, queues and wires.
    weight : float
        Of all rows.
    parts() : list of dict
        What was gathered, group of columns by group of columns.

    See Also
    --------
    GaussianNB.statistics_ : Of a fitted model, and so on every model of sums.

    Examples
    --------
    >>> import numpy as np, suffice
    >>> X, y = np.array([[0.0], [1.0], [5.0], [6.0]]), np.array([0, 0, 1, 1])
    >>> seen = suffice.GaussianNB().fit(X, y).statistics_
    >>> suffice.Statistics.from_bytes(seen.to_bytes()) == seen
    True
    >>> (seen + seen).weight
    8.0
    """

    __slots__ = ("_labels", "_model", "_own", "_state", "_stated")

    def __init__(self, state, labels, own=False):
        self._state = state
        self._labels = np.asarray(labels)
        self._model = self._stated = None
        self._own = own  # the state comes from a file, whose settings are the model's

    @classmethod
    def blank(cls, model, columns, labels, keep="auto", settings=None):
        """Statistics that have seen nothing, for columns of (name, kind, levels, how many of them are declared)."""
        whole = np.asarray(labels).dtype.kind in "iu"
        return cls(_core.State.make(model, {"estimate": "likelihood", **(settings or {})}, columns, {}, keep, whole), labels)

    @property
    def classes(self):
        """Labels of all classes that were seen or announced."""
        return self._labels

    @property
    def weight(self):
        """The sum of the weights of all rows."""
        return self._state.weight

    def parts(self):
        """One dict per group of columns: its numbers per class, in the order of ``classes``."""
        order, parts = self._order(), self._state.parts()
        if np.array_equal(order, np.arange(len(self._state.classes))):
            return parts
        return [{key: value if key == "scatter" and part.get("pooled") else _reorder(value, order)
                 for key, value in part.items()} for part in parts]

    def class_weight(self):
        """The sum of row weights of each class."""
        return ordered(self._state.class_weight, self._order())

    def _order(self):
        place = {name: code for code, name in enumerate(self._state.classes)}
        return np.array([place.get(name, -1) for name in class_names(self._labels)], dtype=np.intp)

    def feed(self, rows, codes, weights=None, columns=(), threshold=None, threads=0):
        """These statistics with more rows; codes mean ``classes``. Above a threshold is 1, else 0."""
        state = self._state.feed(rows, codes, class_names(self._labels), weights, list(columns), threshold, threads)
        return Statistics(state, self._labels, self._own)

    def with_classes(self, labels):
        return Statistics(self._state, labels, self._own)

    def model(self, name, settings):
        """The library's own estimate of these statistics; the last one is kept."""
        key = None if self._own else (name, repr(sorted(settings.items())))
        if self._model is None or self._model[0] != key:
            self._model = (key, _core.Model.estimate(self.settled(name, settings)))
        return self._model[1]

    def settled(self, name, settings):
        """The state under these settings, or its own."""
        return self._state if self._own else self._state.with_settings(name, settings)

    def stated(self, given, make):
        """What ``make`` makes of these attributes; the last one is kept."""
        if self._stated is None or not same_numbers(self._stated[0], given):
            kept = {key: list(map(np.copy, value)) if isinstance(value, list) else np.copy(value)
                    for key, value in given.items()}
            self._stated = (kept, make())
        return self._stated[1]

    def __add__(self, other):
        if not isinstance(other, Statistics):
            return NotImplemented
        left, right = _same_kind(self, other)
        return Statistics(left._state.merge(right._state), np.union1d(left._labels, right._labels), left._own)

    def __sub__(self, other):
        if not isinstance(other, Statistics):
            return NotImplemented
        left, right = _same_kind(self, other)
        return Statistics(left._state.subtract(right._state), left._labels, left._own)._seen_only()

    def decay(self, factor):
        """These statistics with all weights multiplied by ``factor``, which lies in (0, 1]."""
        return Statistics(self._state.decay(float(factor)), self._labels, self._own)

    def _with_real_labels(self):
        """Whole labels as real ones: 1 is then the class that others call 1.0."""
        names = [class_names([float(name)])[0] for name in self._state.classes]
        return Statistics(self._state.with_class_names(names), self._labels.astype(float))

    def _seen_only(self):
        kept = self._order() >= 0
        return Statistics(self._state, self._labels[kept], self._own)

    def __eq__(self, other):
        if not isinstance(other, Statistics):
            return NotImplemented
        return self._state == other._state and np.array_equal(self._labels, other._labels)

    __hash__ = None  # type: ignore[assignment]

    def to_bytes(self):
        """All of it, little endian; ``from_bytes`` reads it back."""
        kind = kind_of(self._labels)
        if kind == "mixed":
            raise TypeError("class labels must be numbers or strings to be written as bytes")
        head = json.dumps({"kind": kind, "names": class_names(self._labels)}).encode()
        return _MAGIC + struct.pack("<Q", len(head)) + head + self._state.to_bytes()

    @classmethod
    def from_bytes(cls, data):
        """Reads what ``to_bytes`` wrote; anything else is a ValueError."""
        data = bytes(data)
        start = len(_MAGIC) + 8
        if data[: len(_MAGIC)] != _MAGIC or len(data) < start:
            raise ValueError("these bytes are not statistics of suffice")
        end = start + struct.unpack("<Q", data[start - 8 : start])[0]
        try:
            head = json.loads(data[start:end])
            labels = labels_from(head["names"], head["kind"])
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError("these bytes are not statistics of suffice") from error
        return cls(_core.State.from_bytes(data[end:]), labels)

    def __reduce__(self):
        if self._own or kind_of(self._labels) == "mixed":
            return (_from_parts, (self._state.to_bytes(), self._labels, self._own))
        return (Statistics.from_bytes, (self.to_bytes(),))

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __repr__(self):
        return f"Statistics(model={self._state.model!r}, classes={len(self._labels)}, weight={self.weight:g})"


def _same_kind(left, right):
    kinds = {side._labels.dtype.kind for side in (left, right)}
    if "f" not in kinds or not kinds & {"i", "u"}:
        return left, right
    return tuple(side if side._labels.dtype.kind == "f" else side._with_real_labels() for side in (left, right))


def _from_parts(data, labels, own=False):
    return Statistics(_core.State.from_bytes(data), labels, own)


def ordered(values, order):
    """Lines by their places in another order; zeros where there is none."""
    if np.array_equal(order, np.arange(len(values))):
        return values
    taken = np.zeros((len(order),) + values.shape[1:])
    taken[order >= 0] = values[order[order >= 0]]
    return taken


def _reorder(value, order):
    if isinstance(value, np.ndarray):
        return ordered(value, order)
    if isinstance(value, list) and value and isinstance(value[0], np.ndarray):
        return [ordered(each, order) for each in value]
    return value
