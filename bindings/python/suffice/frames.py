"""Data frames, Arrow tables and arrays as columns of numbers, flags and categories, copied only where they must be."""
from typing import NamedTuple

import numpy as np

from suffice import _core


class Column(NamedTuple):
    """One column: numbers with NaN for missing, or codes of `levels` with -1 for missing."""

    name: str
    kind: str
    values: np.ndarray
    levels: list | None
    declared: int = 0  # how many of the levels exist whether seen or not


class Columns:
    """Columns of a data frame, or of an array of objects."""

    def __init__(self, columns):
        self._columns = columns
        self.described = [(c.name, c.kind, c.levels or [], c.declared) for c in columns]
        self.row_count = len(columns[0].values) if columns else 0

    def select(self, places):
        """These columns in another order."""
        return Columns([self._columns[place] for place in places])

    def with_categories(self, names):
        """The same with the columns of these names as categories, numbers being the names of their levels."""
        return Columns([_numbered_levels(c) if c.levels is None and c.name in names else c for c in self._columns])

    def lend(self, levels=None):
        """What the library reads: (values, None) or (codes, their meaning); `levels` are the model's, by column."""
        lent = []
        for k, column in enumerate(self._columns):
            if column.levels is None:
                lent.append((column.values, None))
                continue
            if levels is None:
                meaning = np.arange(len(column.levels), dtype=np.int32)
            else:
                place = {name: code for code, name in enumerate(levels[k])}
                meaning = np.array([place.get(name, -1) for name in column.levels], dtype=np.int32)
            lent.append((column.values, meaning))
        return lent


class ArrowColumns:
    """Columns of a table that speaks the Arrow C interface: nothing is copied but words without a dictionary."""

    def __init__(self, table, which=None):
        self._table = table
        self._which = list(range(len(table.columns))) if which is None else which
        described = table.columns
        self.described = [described[k] for k in self._which]
        self.row_count = table.row_count

    def select(self, places):
        """These columns in another order."""
        return ArrowColumns(self._table, [self._which[place] for place in places])

    def with_categories(self, names):
        """The same; a column of numbers must be words or a dictionary in the table to be categories."""
        for name, kind, *_ in self.described:
            if name in names and kind not in ("category", "text"):
                raise ValueError(f"column {name} holds numbers in this table; cast it to strings or to a dictionary, "
                                 "so that its values are categories")
        return self

    def lend(self, levels=None):
        """What the library reads; `levels` are the model's, by column."""
        return _core.ArrowRows(self._table, self._which, [] if levels is None else levels)


class SparseRows:
    """Rows of a SciPy sparse matrix, whose columns are all numbers."""

    def __init__(self, matrix, names):
        self._matrix = matrix
        self.described = [(name, "number", [], 0) for name in names]
        self.row_count = matrix.shape[0]

    def with_categories(self, names):
        """Refuses categories: what a sparse matrix leaves out is the number 0."""
        for name, *_ in self.described:
            if name in names:
                raise ValueError(f"column {name} of a sparse matrix holds numbers; categories come in an array or a data frame")
        return self

    def lend(self, levels=None):
        """What the library reads."""
        from suffice import inputs  # which needs scikit-learn

        return inputs.lend(self._matrix)


def is_flag(values):
    """Are these whole numbers zeros and ones only?"""
    return values.dtype.kind == "b" or (values.dtype.kind in "iu" and values.size > 0
                                        and values.min() >= 0 and values.max() <= 1)


def _number_column(name, values):
    kind = "flag" if is_flag(values) else "number"
    if values.dtype.kind not in "fiub" or values.dtype.itemsize > 8 or values.dtype == np.float16:
        values = values.astype(np.float64)
    return Column(str(name), kind, np.ascontiguousarray(values), None)


def _numbered_levels(column):
    """A column of numbers as categories; 1 and 1.0 are the same level, NaN is missing."""
    values = column.values
    distinct, codes = np.unique(values, return_inverse=True)
    named = [str(int(v)) if v == v and abs(v) != np.inf and v == int(v) else str(v) for v in distinct.tolist()]
    known = [k for k, v in enumerate(distinct.tolist()) if v == v]
    place = np.full(len(distinct), -1, dtype=np.int32)
    place[known] = np.arange(len(known), dtype=np.int32)
    return Column(column.name, "category", np.ascontiguousarray(place[codes.reshape(-1)]), [named[k] for k in known])


def _category_column(name, values):
    """Levels of Python objects; None and NaN are missing."""
    codes, levels = np.empty(len(values), dtype=np.int32), {}
    for row, value in enumerate(values):
        missing = value is None or value != value
        codes[row] = -1 if missing else levels.setdefault(str(value), len(levels))
    return Column(str(name), "category", codes, list(levels))


def read(X):
    """Columns of a data frame or of an array of objects; None if X is an array of numbers."""
    if hasattr(X, "iloc") and hasattr(X, "dtypes"):
        return Columns(_from_pandas(X))
    if hasattr(X, "__arrow_c_stream__") or hasattr(X, "__arrow_c_array__"):
        return ArrowColumns(_core.ArrowTable(X))
    X = np.asarray(X)
    if X.ndim != 2:
        raise ValueError(f"Expected 2D array, got {X.ndim}D array instead")
    if X.shape[1] == 0:
        raise ValueError(f"Found array with 0 feature(s) (shape={X.shape}) while a minimum of 1 is required.")
    if X.dtype.kind in "fiub":
        return None
    if X.dtype.kind not in "OUST":
        raise TypeError(f"values of the type {X.dtype} are neither numbers, flags nor categories")
    return Columns([_from_objects(f"x{k}", X[:, k]) for k in range(X.shape[1])])


def as_columns(X, described):
    """An array of numbers as columns of which some are categories, named by the numbers."""
    columns = Columns([_number_column(name, X[:, k]) for k, (name, *_) in enumerate(described)])
    return columns.with_categories({name for name, kind, *_ in described if kind == "category"})


def _from_objects(name, values):
    try:
        return _number_column(name, np.array([np.nan if v is None else v for v in values], dtype=np.float64))
    except (TypeError, ValueError):
        return _category_column(name, values)


def _from_pandas(X):
    columns = []
    for k, name in enumerate(X.columns):
        series = X.iloc[:, k]
        dtype = series.dtype
        if hasattr(dtype, "categories"):
            columns.append(Column(str(name), "category", np.ascontiguousarray(series.cat.codes, dtype=np.int32),
                                  [str(level) for level in dtype.categories], len(dtype.categories)))
        elif getattr(dtype, "kind", "O") in "fiub":
            if hasattr(dtype, "na_value") and series.isna().any():
                made = _number_column(name, series.to_numpy(dtype=np.float64, na_value=np.nan))
            else:
                made = _number_column(name, series.to_numpy())
            columns.append(made)
        elif dtype == object or str(dtype) in ("str", "string") or str(dtype).startswith("string"):
            codes, levels = series.factorize()
            if all(isinstance(level, str) for level in levels):
                columns.append(Column(str(name), "category", codes.astype(np.int32), [str(v) for v in levels]))
            else:
                columns.append(_from_objects(str(name), series.to_numpy(dtype=object)))
        else:
            raise TypeError(f"column {name} has the type {dtype}, which is neither a number, a flag nor a category")
    return columns
