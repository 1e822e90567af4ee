"""Lists, arrays and columns of strings as the library reads documents: where they lie, wherever that can be."""
import numpy as np


def documents_of(X):
    """What the library reads, and how many documents there are; None, NaN and null are missing ones."""
    if isinstance(X, (str, bytes)):
        raise ValueError("Iterable over raw text documents expected, string object received.")
    if type(X) is list:
        return X, len(X)
    if hasattr(X, "iloc"):
        return _from_pandas(X)
    if hasattr(X, "__arrow_c_stream__") or hasattr(X, "__arrow_c_array__"):
        return _from_arrow(X)
    if isinstance(X, np.ndarray):
        X = _one_column(X).tolist()
    documents = [None if document is None or document != document else document for document in X]
    return documents, len(documents)


def _one_column(X):
    if X.ndim == 2 and X.shape[1] == 1:
        return X[:, 0]
    if X.ndim != 1:
        raise ValueError(f"documents are one string each, but X has the shape {X.shape}")
    return X


def _from_pandas(X):
    if X.ndim == 2:
        if X.shape[1] != 1:
            raise ValueError(f"documents are one column of strings, but X has {X.shape[1]} columns")
        X = X.iloc[:, 0]
    if hasattr(X.array, "__arrow_array__"):
        try:
            return _from_arrow(X)
        except (ImportError, TypeError, ValueError):
            pass
    values = X.to_numpy(dtype=object)
    missing = X.isna().to_numpy()
    return ([None if gone else value for value, gone in zip(values, missing)] if missing.any() else values.tolist(),
            len(values))


def _from_arrow(X):
    import pyarrow as pa

    if hasattr(X, "array") and hasattr(X, "iloc"):
        column = pa.chunked_array([pa.array(X)])
    elif hasattr(X, "__arrow_c_stream__"):
        column = pa.chunked_array(X)
    else:
        column = pa.chunked_array([pa.array(X)])
    if pa.types.is_struct(column.type):  # a table is a stream of records
        if column.type.num_fields != 1:
            raise ValueError(f"documents are one column of strings, but X has {column.type.num_fields} columns")
        column = pa.table(X).column(0)
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)
            or getattr(pa.types, "is_string_view", lambda _: False)(column.type) or pa.types.is_null(column.type)):
        raise TypeError(f"documents are strings, but the column has the type {column.type}")
    whole = column.cast(pa.large_string()).combine_chunks()
    if isinstance(whole, pa.ChunkedArray):
        whole = whole.chunk(0) if whole.num_chunks else pa.array([], pa.large_string())
    count = len(whole)
    if count == 0:
        return [], 0
    _, offsets, letters = whole.buffers()
    starts = np.frombuffer(offsets, dtype=np.int64)[whole.offset : whole.offset + count + 1]
    bytes_ = np.frombuffer(letters, dtype=np.uint8) if letters is not None else np.zeros(0, dtype=np.uint8)
    there = whole.is_valid().to_numpy(zero_copy_only=False).astype(np.uint8) if whole.null_count else None
    return (starts, bytes_, there), count
