"""Data frames, Arrow tables and arrays as columns of numbers, flags and categories, copied only where they must be."""
from typing import NamedTuple

import numpy as np


class Column(NamedTuple):
    """One column: numbers with NaN for missing, or codes of `levels` with -1 for missing."""

    name: str
    kind: str
    values: np.ndarray
    levels: list | None


def _is_flag(values):
    return values.dtype.kind == "b" or (values.dtype.kind in "iu" and values.size > 0
                                        and values.min() >= 0 and values.max() <= 1)


def _number_column(name, values):
    kind = "flag" if _is_flag(values) else "number"
    if values.dtype.kind not in "fiub" or values.dtype.itemsize > 8 or values.dtype == np.float16:
        values = values.astype(np.float64)
    return Column(str(name), kind, np.ascontiguousarray(values), None)


def _category_column(name, values):
    """Levels of Python objects; None and NaN are missing."""
    codes, levels = np.empty(len(values), dtype=np.int32), {}
    for row, value in enumerate(values):
        missing = value is None or value != value
        codes[row] = -1 if missing else levels.setdefault(str(value), len(levels))
    return Column(str(name), "category", codes, list(levels))


def _arrow_column(pa, name, column):
    column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if isinstance(column, pa.ChunkedArray):
        column = column.chunk(0) if column.num_chunks else pa.array([], type=column.type)
    kind = column.type
    if pa.types.is_dictionary(kind) or pa.types.is_string(kind) or pa.types.is_large_string(kind) \
            or getattr(pa.types, "is_string_view", lambda _: False)(kind):
        if not pa.types.is_dictionary(kind):
            if getattr(pa.types, "is_string_view", lambda _: False)(kind):
                column = column.cast(pa.large_string())
            column = column.dictionary_encode()
        codes = column.indices.fill_null(-1) if column.indices.null_count else column.indices
        return Column(name, "category", np.ascontiguousarray(codes.to_numpy(zero_copy_only=False), dtype=np.int32),
                      [str(level) for level in column.dictionary.to_pylist()])
    if pa.types.is_boolean(kind) or pa.types.is_integer(kind) or pa.types.is_floating(kind) \
            or pa.types.is_decimal(kind):
        if pa.types.is_decimal(kind):
            column = column.cast(pa.float64())
        flag = pa.types.is_boolean(kind)
        if flag:
            column = column.cast(pa.uint8())
        made = _number_column(name, column.to_numpy(zero_copy_only=False))
        return made._replace(kind="flag") if flag else made
    if pa.types.is_null(kind):
        return Column(name, "number", np.full(len(column), np.nan), None)
    raise TypeError(f"column {name} has the type {kind}, which is neither a number, a flag nor a category")


def read(X):
    """Columns of a data frame or an array, or None if X is neither."""
    if hasattr(X, "iloc") and hasattr(X, "dtypes"):
        return _from_pandas(X)
    if hasattr(X, "__arrow_c_stream__"):
        try:
            import pyarrow as pa
        except ImportError:
            raise TypeError("reading this table needs pyarrow") from None
        table = pa.table(X)
        return [_arrow_column(pa, str(name), table.column(k)) for k, name in enumerate(table.column_names)]
    X = np.asarray(X)
    if X.ndim != 2:
        raise ValueError(f"Expected 2D array, got {X.ndim}D array instead")
    if X.shape[1] == 0:
        raise ValueError(f"Found array with 0 feature(s) (shape={X.shape}) while a minimum of 1 is required.")
    if X.dtype.kind in "fiub":
        return None
    if X.dtype.kind not in "OUST":
        raise TypeError(f"values of the type {X.dtype} are neither numbers, flags nor categories")
    return [_from_objects(f"x{k}", X[:, k]) for k in range(X.shape[1])]


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
                                  [str(level) for level in dtype.categories]))
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


def lend(columns, levels=None):
    """What the library reads: (values, None) or (codes, their meaning); `levels` are the model's, by column."""
    lent = []
    for k, column in enumerate(columns):
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
