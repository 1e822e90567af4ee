"""Data frames, Arrow tables and arrays as columns of numbers, flags and categories, copied only where they must be."""
import importlib.util
from typing import NamedTuple

import numpy as np

from suffice import _core


_NOTHING = np.array([-1], dtype=np.int32)  # what codes mean where no row has a level: to the library none at all are codes as they are


class Column(NamedTuple):
    """One column: numbers with NaN for missing, or codes of `levels` with -1 for missing."""

    name: str
    kind: str
    values: np.ndarray
    levels: list | None
    declared: int = 0  # how many of the levels exist whether seen or not
    dated: bool = False  # spelled from dates


class Columns:
    """Columns of a data frame, or of an array of objects."""

    named = True

    def __init__(self, columns):
        self._columns = columns
        self.described = [(c.name, c.kind, c.levels or [], c.declared) for c in columns]
        self.row_count = len(columns[0].values) if columns else 0
        self.dates = [c.name for c in columns if c.dated]

    def under_names(self, names):
        """The same columns under these names."""
        return Columns([column._replace(name=name) for column, name in zip(self._columns, names)])

    def pulled(self):
        """The columns with their values."""
        return self._columns

    def select(self, places):
        """These columns in another order."""
        return Columns([self._columns[place] for place in places])

    def of_kinds(self, kinds):
        """The same with columns as these kinds by name: words are read as numbers, numbers name levels."""
        return Columns([_of_kind(column, kinds.get(column.name)) for column in self._columns])

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
            lent.append((column.values, meaning if len(meaning) else _NOTHING))
        return lent


class ArrowColumns:
    """Columns of a table that speaks the Arrow C interface: nothing is copied but words without a dictionary."""

    named = True

    def __init__(self, table, which=None, dates=()):
        self._table = table
        self.dates = dates
        self._which = list(range(len(table.columns))) if which is None else which
        described = table.columns
        self.described = [described[k] for k in self._which]
        self.row_count = table.row_count

    def select(self, places):
        """These columns in another order."""
        return ArrowColumns(self._table, [self._which[place] for place in places], self.dates)

    def of_kinds(self, kinds):
        """The same with columns as these kinds by name; copied where one is of another kind."""
        if all(kinds.get(name) in (None, _plain_kind(kind)) for name, kind, *_ in self.described):
            return self
        return Columns(self.pulled()).of_kinds(kinds)

    def pulled(self):
        """The columns with their values, copied."""
        pulled = []
        for k, (name, kind, _, declared) in zip(self._which, self.described):
            values, levels = self._table.pull(k)
            pulled.append(Column(name, kind, values, levels, declared))
        return pulled

    def under_names(self, names):
        """The same columns under these names, copied."""
        return Columns(self.pulled()).under_names(names)

    def lend(self, levels=None):
        """What the library reads; `levels` are the model's, by column."""
        return _core.ArrowRows(self._table, self._which, [] if levels is None else levels)


class SparseRows:
    """Rows of a SciPy sparse matrix, whose columns are all numbers."""

    def __init__(self, matrix, names):
        self._matrix = matrix
        self.described = [(name, "number", [], 0) for name in names]
        self.row_count = matrix.shape[0]

    def of_kinds(self, kinds):
        """Refuses categories: what a sparse matrix leaves out is the number 0."""
        for name, *_ in self.described:
            if kinds.get(name) == "category":
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


def is_missing(value):
    """None, NaN, pandas' NA and NaT."""
    if value is None:
        return True
    different = value != value
    return different is not False and (type(value).__name__ in ("NAType", "NaTType") or bool(different))


def check_names(names):
    """Refuses two columns of one name."""
    seen = set()
    for name in names:
        if name in seen:
            raise ValueError(f"two columns have the name {name}")
        seen.add(name)


def _plain_kind(kind):
    return "number" if kind == "flag" else kind


def _of_kind(column, kind):
    if kind == "number" and column.levels is not None:
        return _read_numbers(column)
    if kind == "category" and column.levels is None:
        return _numbered_levels(column)
    return column


def _read_numbers(column):
    """Words as numbers, as files have them; a word that is none is an error with its row."""
    numbers, bad = _core.number_words(column.levels)
    if bad is not None:
        rows = np.flatnonzero(column.values == bad)
        if len(rows):
            raise ValueError(f"row {rows[0] + 1}, column {column.name}: {column.levels[bad]!r} is no number")
        kept = np.unique(column.values[column.values >= 0])  # of levels that no row has nothing need be known
        moved = np.full(len(column.levels), -1, dtype=np.int32)
        moved[kept] = np.arange(len(kept), dtype=np.int32)
        codes = np.where(column.values >= 0, moved[column.values], -1).astype(np.int32)
        return _read_numbers(Column(column.name, "category", codes, [column.levels[k] for k in kept]))
    return Column(column.name, "number", np.append(numbers, np.nan)[column.values], None)


def _number_column(name, values, whole=False):
    """Numbers; `whole` says that they stand for whole numbers or flags, of which some are missing."""
    flags = is_flag(values) or (whole and bool(((values == 0) | (values == 1) | np.isnan(values)).all()))
    if values.dtype.kind not in "fiub" or values.dtype.itemsize > 8 or values.dtype == np.float16:
        values = values.astype(np.float64)
    return Column(str(name), "flag" if flags else "number", np.ascontiguousarray(values), None)


def _numbered_levels(column):
    """A column of numbers as categories; 1 and 1.0 are the same level, NaN is missing."""
    values = column.values
    distinct, codes = np.unique(values, return_inverse=True)
    named = [str(int(v)) if v == v and abs(v) != np.inf and v == int(v) else str(v) for v in distinct.tolist()]
    known = [k for k, v in enumerate(distinct.tolist()) if v == v]
    place = np.full(len(distinct), -1, dtype=np.int32)
    place[known] = np.arange(len(known), dtype=np.int32)
    return Column(column.name, "category", np.ascontiguousarray(place[codes.reshape(-1)]), [named[k] for k in known])


def _category_column(name, values, missing):
    """Levels of Python objects, by their names."""
    codes, levels = np.empty(len(values), dtype=np.int32), {}
    for row, (value, absent) in enumerate(zip(values, missing)):
        codes[row] = -1 if absent else levels.setdefault(str(value), len(levels))
    return Column(str(name), "category", codes, list(levels))


def read(X):
    """Columns of a data frame or of an array of objects; None if X is an array of numbers."""
    if hasattr(X, "iloc") and hasattr(X, "dtypes"):
        return Columns(_from_pandas(X))
    if hasattr(X, "__arrow_c_stream__") or hasattr(X, "__arrow_c_array__"):
        return _arrow_columns(X)
    X = np.asarray(X)
    if X.ndim != 2:
        raise ValueError(f"Expected 2D array, got {X.ndim}D array instead. Reshape your data: array.reshape(-1, 1) makes one column of it, "
                         "array.reshape(1, -1) one row")
    if X.shape[1] == 0:
        raise ValueError(f"Found array with 0 feature(s) (shape={X.shape}) while a minimum of 1 is required.")
    if X.dtype.kind in "fiub":
        return None
    if X.dtype.kind == "c":
        raise ValueError(f"Complex data not supported: {X.dtype}")
    if X.dtype.kind not in "OUST":
        raise TypeError(f"values of the type {X.dtype} are neither numbers, flags nor categories")
    made = Columns([_from_objects(f"x{k}", X[:, k]) for k in range(X.shape[1])])
    made.named = False
    return made


def _arrow_columns(X):
    """Dates and times come as words, as files have them, where pyarrow is there to spell them."""
    try:
        return ArrowColumns(_core.ArrowTable(X))
    except TypeError:  # of a type that is neither a number nor a word
        if not hasattr(X, "__arrow_c_stream__") or importlib.util.find_spec("pyarrow") is None:
            raise
    import pyarrow as pa

    reader = pa.RecordBatchReader.from_stream(X)
    dates = [each.name for each in reader.schema if pa.types.is_temporal(each.type)]
    return ArrowColumns(_core.ArrowTable(dates_as_words(reader)), dates=dates)


def dates_as_words(reader):
    """Dates and times of a pyarrow reader are read as files have them: by their words."""
    import pyarrow as pa

    wanted = pa.schema([pa.field(each.name, pa.string()) if pa.types.is_temporal(each.type) else each
                        for each in reader.schema])
    if wanted.equals(reader.schema):
        return reader

    def cast():
        for batch in reader:
            yield pa.record_batch([column.cast(field.type) for column, field in zip(batch.columns, wanted)], schema=wanted)

    return pa.RecordBatchReader.from_batches(wanted, cast())


def _spelled_dates(name, series):
    """Dates of pandas as a CSV file of them has them: without a time where there is none."""
    moments = series.dt.tz_localize(None) if getattr(series.dtype, "tz", None) is not None else series
    codes, levels = moments.factorize()
    plain = bool((levels == levels.normalize()).all())
    spelled = list(levels.strftime("%Y-%m-%d" if plain else "%Y-%m-%d %H:%M:%S"))
    return Column(str(name), "category", codes.astype(np.int32), spelled, dated=True)


def as_columns(X, names, kinds):
    """An array of numbers as columns of which some are categories, named by the numbers."""
    return Columns([_number_column(name, X[:, k]) for k, name in enumerate(names)]).of_kinds(kinds)


def as_table(columns):
    """(name, numbers, None, 0) or (name, codes, levels, how many of them are declared) of each column."""
    return [(column.name, np.ascontiguousarray(column.values, dtype=np.float64 if column.levels is None else np.int32),
             column.levels, column.declared) for column in columns.pulled()]


def _from_objects(name, values):
    """Numbers where all that is there is a number or spells one, as in files; else categories."""
    for row, value in enumerate(values):
        if isinstance(value, (dict, list, set, tuple, np.ndarray)):
            raise TypeError(f"row {row + 1}, column {name}: argument must be a string or a number, not {type(value).__name__!r}")
    missing = [is_missing(value) for value in values]
    there = [value for value, absent in zip(values, missing) if not absent]
    if any(isinstance(value, (str, bytes)) for value in there):
        words = _category_column(name, values, missing)
        numbers = _core.number_words(words.levels)[0]
        return words if numbers is None else _read_numbers(words)
    try:
        numbers = np.array([np.nan if absent else value for value, absent in zip(values, missing)], dtype=np.float64)
    except (TypeError, ValueError):
        return _category_column(name, values, missing)
    return _number_column(name, numbers, bool(there) and all(isinstance(value, (bool, np.bool_)) for value in there))


def _from_pandas(X):
    columns = []
    for k, name in enumerate(X.columns):
        series = X.iloc[:, k]
        dtype = series.dtype
        if hasattr(dtype, "categories") and len(dtype.categories) == 0:
            columns.append(Column(str(name), "number", np.full(len(series), np.nan), None))
        elif hasattr(dtype, "categories"):
            columns.append(Column(str(name), "category", np.ascontiguousarray(series.cat.codes, dtype=np.int32),
                                  [str(level) for level in dtype.categories], len(dtype.categories)))
        elif getattr(dtype, "kind", "O") in "fiub":
            if hasattr(dtype, "na_value") and series.isna().any():
                numbers = series.to_numpy(dtype=np.float64, na_value=np.nan)
                made = _number_column(name, numbers, dtype.kind in "iub")
            else:
                made = _number_column(name, series.to_numpy())
            columns.append(made)
        elif getattr(dtype, "kind", "O") == "M":
            columns.append(_spelled_dates(name, series))
        elif dtype == object or str(dtype) in ("str", "string") or str(dtype).startswith("string"):
            try:
                codes, levels = series.factorize()
            except TypeError:  # lists and the like, of which the row is told
                codes, levels = None, [None]
            if not len(levels):  # no value in it, so that it may be of any kind
                columns.append(Column(str(name), "number", np.full(len(series), np.nan), None))
            elif all(isinstance(level, str) for level in levels):
                columns.append(Column(str(name), "category", codes.astype(np.int32), [str(v) for v in levels]))
            else:
                columns.append(_from_objects(str(name), series.to_numpy(dtype=object)))
        else:
            raise TypeError(f"column {name} has the type {dtype}, which is neither a number, a flag nor a category")
    return columns
