"""Whatever rows come from, as batches of Arrow."""
import contextlib
import itertools
import os
import tempfile

from suffice import frames

MANY = "this stream gives its rows once, and they are needed again; give a table, a dataset or a function that opens it"


class Rows:
    """Whatever rows come from, as something with an Arrow C stream that can be asked again where the source can."""

    def __init__(self, source):
        self._source = source
        self._opened = 0
        self._failures = []  # of Python within the stream, which would carry their words only
        self.once = _comes_once(source)

    def reader(self):
        """A pyarrow.RecordBatchReader over the rows, dates and times as words."""
        if self._opened and self.once:
            raise ValueError(MANY)
        self._opened += 1
        try:
            return frames.dates_as_words(_reader_of(self._source, self._failures))
        except Exception as error:
            self._failures.append(error)
            raise

    @contextlib.contextmanager
    def read(self):
        """Around the reading of the rows: what the source itself raised is raised as it was."""
        try:
            yield self
        except Exception:
            if self._failures:
                raise self._failures[-1] from None
            raise

    def __arrow_c_stream__(self, requested_schema=None):
        return self.reader().__arrow_c_stream__()

    def spooled(self):
        """The same rows in a temporary file, if they come only once."""
        if not self.once:
            return self
        with self.read():
            return Rows(_Spool(self.reader()))


class _Spool:
    def __init__(self, reader):
        import pyarrow as pa

        self._file = tempfile.TemporaryFile()
        with pa.ipc.new_stream(self._file, reader.schema) as writer:
            for batch in reader:
                writer.write_batch(batch)

    def __call__(self):
        import pyarrow as pa

        self._file.seek(0)
        return pa.ipc.open_stream(self._file)


def _comes_once(source):
    """Whether rows that were asked for cannot be asked for again."""
    if callable(source) or hasattr(source, "scanner") or type(source).__name__ in ("LazyFrame", "DuckDBPyRelation"):
        return False
    if hasattr(source, "fetch_record_batch") or type(source).__name__ == "RecordBatchReader":
        return True
    return not hasattr(source, "__arrow_c_stream__") and not isinstance(source, (list, tuple))


def _reader_of(source, failures):
    import pyarrow as pa

    if callable(source):
        return _reader_of(source(), failures)
    if isinstance(source, pa.RecordBatchReader):
        return source
    if hasattr(source, "scanner"):
        return _dataset_reader(source)
    if hasattr(source, "to_reader"):  # a table, a scanner, a reader of Flight
        return source.to_reader()
    if hasattr(source, "collect_batches"):  # a LazyFrame of polars: batches as its streaming engine makes them
        return _reader_of((frame.to_arrow() for frame in source.collect_batches()), failures)
    if hasattr(source, "__arrow_c_stream__"):
        return pa.RecordBatchReader.from_stream(source)
    if hasattr(source, "fetch_record_batch"):  # a cursor of ADBC
        return source.fetch_record_batch()
    if hasattr(source, "columns") and hasattr(source, "iloc"):
        return pa.Table.from_pandas(source, preserve_index=False).to_reader()
    if isinstance(source, (str, bytes, os.PathLike)):
        raise TypeError(f"{source!r} is a path and no stream of rows; suffice.fit_files reads files")
    if not hasattr(source, "__iter__"):
        raise TypeError(f"{type(source).__name__} is no stream of rows: it has neither an Arrow C stream nor batches")
    batches = _told(_batches_of(source), failures)
    first = next(batches, None)
    if first is None:
        raise ValueError("the stream has no batch, so its columns are not known")
    return pa.RecordBatchReader.from_batches(first.schema, itertools.chain([first], batches))


READ_ROWS = 16_384  # of a batch of a dataset
UNUSED_BYTES = 16 << 20  # that may pass before memory of earlier batches goes back to the system


def _dataset_reader(dataset):
    """Batches of a dataset of pyarrow, read one after the other: by itself it reads a gigabyte ahead."""
    import pyarrow as pa
    import pyarrow.dataset

    settings = {"batch_size": READ_ROWS, "batch_readahead": 1, "fragment_readahead": 1}
    local = type(getattr(dataset, "filesystem", None)).__name__ == "LocalFileSystem"
    if local and isinstance(dataset.format, pyarrow.dataset.ParquetFileFormat):  # an object store is asked for much at once
        settings["fragment_scan_options"] = pyarrow.dataset.ParquetFragmentScanOptions(pre_buffer=False)
    scanner = dataset.scanner(**settings)

    def batches():
        pool, passed = pa.default_memory_pool(), 0
        for batch in scanner.to_batches():
            yield batch
            passed += batch.nbytes
            if passed > UNUSED_BYTES:
                pool.release_unused()
                passed = 0

    return pa.RecordBatchReader.from_batches(scanner.projected_schema, batches())


def _told(batches, failures):
    """The batches; an exception that ends them is kept, for a stream in C tells no more than its text."""
    try:
        yield from batches
    except Exception as error:
        failures.append(error)
        raise


def _batches_of(source):
    """Record batches of an iterable of batches, tables or frames, all with the schema of the first."""
    import pyarrow as pa

    schema = None
    for each in source:
        table = pa.Table.from_batches([each]) if isinstance(each, pa.RecordBatch) else pa.table(each)
        if schema is not None and table.schema != schema:
            table = table.select(schema.names).cast(schema) if set(schema.names) <= set(table.schema.names) else table
        if schema is None:
            schema = table.schema
        elif table.schema != schema:
            raise ValueError(f"a batch has the columns {', '.join(table.schema.names)} where the first has {', '.join(schema.names)}")
        yield from table.to_batches()
