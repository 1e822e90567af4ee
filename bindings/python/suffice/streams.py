"""Rows that arrive batch after batch by Arrow's C stream, fitted and scored in constant memory, and statistics as bytes.

``statistics_of``, ``merge_bytes`` and ``model_from_bytes`` are all that an engine needs: it carries rows to the first and
bytes to the second.
"""
import itertools
import tempfile

from suffice import _core, frames

MANY = "this stream gives its rows once, and they are needed again; give a table, a dataset or a function that opens it"


class Rows:
    """Whatever rows come from, as something with an Arrow C stream that can be asked again where the source can."""

    def __init__(self, source):
        self._source = source
        self._opened = 0
        self.once = _comes_once(source)

    def reader(self):
        """A pyarrow.RecordBatchReader over the rows, dates and times as words."""
        if self._opened and self.once:
            raise ValueError(MANY)
        self._opened += 1
        return frames.dates_as_words(_reader_of(self._source))

    def __arrow_c_stream__(self, requested_schema=None):
        return self.reader().__arrow_c_stream__()

    def spooled(self):
        """The same rows in a temporary file, if they come only once."""
        return Rows(_Spool(self.reader())) if self.once else self


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
    if callable(source) or hasattr(source, "scanner") or type(source).__name__ in ("LazyFrame", "DuckDBPyRelation"):
        return False
    if hasattr(source, "fetch_record_batch") or type(source).__name__ == "RecordBatchReader":
        return True
    return not hasattr(source, "__arrow_c_stream__") and not isinstance(source, (list, tuple))


def _reader_of(source):
    import pyarrow as pa

    if callable(source):
        return _reader_of(source())
    if isinstance(source, pa.RecordBatchReader):
        return source
    if hasattr(source, "scanner"):  # a dataset of pyarrow
        return source.scanner().to_reader()
    if hasattr(source, "collect_batches"):  # a LazyFrame of polars: batches as its streaming engine makes them
        return _reader_of(frame.to_arrow() for frame in source.collect_batches())
    if hasattr(source, "__arrow_c_stream__"):
        return pa.RecordBatchReader.from_stream(source)
    if hasattr(source, "fetch_record_batch"):  # a cursor of ADBC
        return source.fetch_record_batch()
    if hasattr(source, "columns") and hasattr(source, "iloc"):
        return pa.Table.from_pandas(source, preserve_index=False).to_reader()
    if not hasattr(source, "__iter__"):
        raise TypeError(f"{type(source).__name__} is no stream of rows: it has neither an Arrow C stream nor batches")
    batches = _batches_of(source)
    first = next(batches, None)
    if first is None:
        raise ValueError("the stream has no batch, so its columns are not known")
    return pa.RecordBatchReader.from_batches(first.schema, itertools.chain([first], batches))


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


def job_of(target, model, families, exclude, weight, settings):
    """All that a fit must know beside its rows, as plain values that any process can be sent."""
    from suffice.loaded import given_setting

    return {"target": target or "", "model": model, "families": dict(families or {}),
            "exclude": [exclude] if isinstance(exclude, str) else list(exclude), "weight": weight or "",
            "settings": {name: given_setting(value) for name, value in settings.items()}}


def fit_stream(reader, target, model="naive_bayes", families=None, exclude=(), weight="", threads=0, **settings):
    """Fits a model to rows that arrive by a stream, in constant memory, as ``suffice fit`` fits files.

    ``reader`` is anything with an Arrow C stream: a pyarrow reader, table or dataset, a DuckDB relation, a polars
    LazyFrame, an ADBC cursor, batches in a list or from a generator, or a function that opens one of these. Models that
    pass over their rows repeatedly ask for them again; what comes only once is kept in a temporary file for them.
    Settings are those of ``suffice.fit_files``.

    >>> import pyarrow as pa, suffice
    >>> table = pa.table({"x": [0.0, 1.0, 5.0, 6.0], "y": ["low", "low", "high", "high"]})
    >>> model = suffice.fit_stream(table.to_reader(max_chunksize=2), target="y", model="lda")
    >>> model.classes_.tolist()
    ['high', 'low']
    """
    from suffice.estimator import say
    from suffice.loaded import fitted_model

    job = job_of(target, model, families, exclude, weight, settings)
    rows = Rows(reader)
    state, notes = _core.fit_stream(rows.spooled() if _core.takes_passes(job) else rows, job, threads)
    say(notes)
    return fitted_model(state)


def plan_of(rows, job):
    """(what every part of the rows must agree on, the job with what a look at some rows has settled)."""
    from suffice.estimator import say

    blank, job, notes = _core.plan_parts(rows, job)
    say(notes)
    return blank, job


def statistics_of(batches, target, model="naive_bayes", families=None, exclude=(), weight="", threads=0, plan=None, name="",
                  **settings):
    """The statistics of some of the rows, as bytes that ``merge_bytes`` adds to those of others.

    ``batches``: what ``fit_stream`` takes, or the path of a file (or a list of paths). Every part must treat its columns
    alike: kinds of columns come from a look at the first rows of the part, or, where ``plan`` is the bytes of
    another part (or of ``plan_statistics``), from there. A part may lack classes and levels, or have no rows. ``name``
    stands in messages.

    >>> import pyarrow as pa, suffice
    >>> jan = pa.table({"x": [0.0, 5.0], "y": ["low", "high"]})
    >>> feb = pa.table({"x": [1.0, 6.0], "y": ["low", "high"]})
    >>> parts = [suffice.statistics_of(part, target="y", model="gaussian_nb") for part in (jan, feb)]
    >>> suffice.model_from_bytes(suffice.merge_bytes(parts)).theta_.ravel().tolist()
    [5.5, 0.5]
    """
    job = job_of(target, model, families, exclude, weight, settings)
    rows = _part(batches)
    if plan is None:
        rows = rows if isinstance(rows, list) else rows.spooled()  # looked at, then learned from
        plan, job, _ = _core.plan_parts(rows, job)
    return _core.part_statistics(_core.blank_part(plan), rows, job, name, threads)


def plan_statistics(batches, target, model="naive_bayes", families=None, exclude=(), weight="", **settings):
    """What a look at some rows decides for all parts, as bytes: ``statistics_of(part, ..., plan=these)``."""
    return plan_of(_part(batches), job_of(target, model, families, exclude, weight, settings))[0]


def _part(batches):
    import os

    if isinstance(batches, (str, os.PathLike)):
        return [os.fspath(batches)]
    if isinstance(batches, (list, tuple)) and batches and all(isinstance(each, (str, os.PathLike)) for each in batches):
        return [os.fspath(each) for each in batches]
    return Rows(batches)


def merge_bytes(parts):
    """The statistics of all parts together, in their order; runs of 2, 4, 8 ... neighbours may be merged before."""
    return _core.merge_parts(list(parts))


def model_from_bytes(data):
    """The model of merged statistics, or of a model file's bytes."""
    from suffice.estimator import say
    from suffice.loaded import load_bytes

    data, notes = _core.finish_parts(data)
    say(notes)
    return load_bytes(data)


def bytes_of(model):
    """A fitted model as the bytes of its file."""
    if isinstance(model, (bytes, bytearray, memoryview)):
        return bytes(model)
    if hasattr(model, "save"):
        with tempfile.NamedTemporaryFile(suffix=".suf") as file:
            model.save(file.name)
            with open(file.name, "rb") as saved:
                return saved.read()
    raise TypeError(f"{type(model).__name__} is no model of suffice")


class Scorer:
    """A model as engines send it: bytes, from which whoever scores makes the model once."""

    def __init__(self, model):
        self._centres = None
        if hasattr(model, "cluster_centers_"):
            names = getattr(model, "feature_names_in_", None)
            if names is None:
                raise ValueError("the k-means model has no names of columns; fit it to a frame")
            self._centres = (model.cluster_centers_, [str(each) for each in names])
            self._data = None
        else:
            self._data = bytes_of(model)
        self._core = None

    def __getstate__(self):
        return {"_centres": self._centres, "_data": self._data, "_core": None}

    @property
    def core(self):
        """The compiled half, made where it is used."""
        if self._core is None:
            self._core = _core.PartScorer(self._data)
        return self._core

    @property
    def groups(self):
        """Whether these are centres, which have no posteriors."""
        return self._centres is not None

    @property
    def integer(self):
        return self.groups or self.core.integer_classes

    @property
    def classes(self):
        return [str(k) for k in range(len(self._centres[0]))] if self.groups else self.core.classes

    def fields(self, proba=True, evidence=False):
        """Names and kinds of what ``columns`` gives: int, str or float."""
        made = [("prediction", "int" if self.integer else "str")]
        if proba and not self.groups:
            made += [(f"p({name})", "float") for name in self.classes]
        return made + ([("log_evidence", "float")] if evidence else [])

    def columns(self, rows, proba=True, evidence=False, name="", threads=0):
        """Arrays of Arrow, one for each of ``fields``."""
        import numpy as np
        import pyarrow as pa

        if self.groups:
            return [pa.array(self._nearest(rows))]
        best, posteriors, density = self.core.score(Rows(rows), name, evidence, threads)
        classes = np.array([int(each) for each in self.classes]) if self.integer else np.array(self.classes, dtype=object)
        made = [pa.array(classes[best], type=pa.int64() if self.integer else pa.string())]
        if proba:
            made += [pa.array(np.ascontiguousarray(posteriors[:, k])) for k in range(len(self.classes))]
        return made + ([pa.array(density)] if evidence else [])

    def _nearest(self, batch):
        import numpy as np

        centres, names = self._centres
        X = np.column_stack([np.asarray(batch.column(name).to_numpy(zero_copy_only=False), dtype=np.float64) for name in names])
        return _core.nearest_centres(np.ascontiguousarray(X), np.ascontiguousarray(centres, dtype=np.float64))[0].astype(np.int64)


def arrow_type(kind):
    """The Arrow type of a kind of ``Scorer.fields``."""
    import pyarrow as pa

    return {"int": pa.int64(), "str": pa.string(), "float": pa.float64()}[kind]


def predict_stream(model, reader, proba=True, evidence=False, keep=(), threads=0):
    """Predictions of rows that arrive by a stream, as a pyarrow.RecordBatchReader: batch for batch, in constant memory.

    Columns are those of ``suffice predict --proba``: ``keep`` first, then ``prediction`` and ``p(CLASS)`` of every class.

    >>> import pyarrow as pa, suffice
    >>> table = pa.table({"x": [0.0, 1.0, 5.0, 6.0], "y": ["low", "low", "high", "high"]})
    >>> model = suffice.fit_stream(table, target="y", model="lda")
    >>> suffice.predict_stream(model, table.to_reader(max_chunksize=2)).read_all()["prediction"].to_pylist()
    ['low', 'low', 'high', 'high']
    """
    import pyarrow as pa

    scorer, rows = Scorer(model), Rows(reader).reader()
    keep = [keep] if isinstance(keep, str) else list(keep)
    schema = pa.schema([rows.schema.field(name) for name in keep]
                       + [pa.field(name, arrow_type(kind)) for name, kind in scorer.fields(proba, evidence)])

    def batches():
        for batch in rows:
            made = scorer.columns(batch, proba, evidence, threads=threads)
            yield pa.record_batch([batch.column(name) for name in keep] + made, schema=schema)

    return pa.RecordBatchReader.from_batches(schema, batches())
