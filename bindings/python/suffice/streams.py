"""Rows that arrive batch after batch by Arrow's C stream, fitted and scored in constant memory, and statistics as bytes.

``statistics_of``, ``merge_bytes`` and ``model_from_bytes`` are all that an engine needs: it carries rows to the first and
bytes to the second.
"""
from suffice import _core
from suffice.arrow_rows import Rows
from suffice.scorer import Scorer, arrow_type, bytes_of  # noqa: F401 - bytes_of is for users


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
    with (rows.spooled() if _core.takes_passes(job) else rows).read() as rows:
        state, notes = _core.fit_stream(rows, job, threads)
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
