"""Fits, predictions and measures of Spark's data frames: rows stay where they are, and bytes come back.

A model of one pass (naive Bayes, discriminants, counts of words) costs one job: each partition gives its statistics,
neighbours are merged, and the driver estimates. Mixtures, k-means and regressions cost a job for each pass. The answer is
that of ``suffice.fit_files`` on the same rows, whatever the partitions: to rounding (1e-12), and to the bit for the same
partitions however often a task was run, by whom, and in which order they ended.
"""
from suffice import rounds
from suffice.streams import Rows, Scorer, bytes_of, merge_bytes

LOOK_ROWS = 20_000
PACKED_ROWS = 65_536  # of a block that is kept for further rounds
MERGED_AT_ONCE = 64  # answers of partitions that the driver takes before executors merge runs of them


def _arrow_batches(frame):
    """Asks the version of Spark for what is used here."""
    if not hasattr(frame, "mapInArrow"):
        raise TypeError(f"{type(frame).__name__} is no data frame of Spark 3.3 or newer")
    return frame


def _packed(batches):
    """Batches of a partition to rows of (number of rows, bytes of Arrow)."""
    import pyarrow as pa

    def block(gathered):
        sink = pa.BufferOutputStream()
        table = pa.Table.from_batches(gathered).combine_chunks()
        with pa.ipc.new_stream(sink, table.schema) as writer:
            writer.write_table(table)
        return pa.record_batch([pa.array([table.num_rows], pa.int64()), pa.array([sink.getvalue().to_pybytes()], pa.binary())], names=["rows", "block"])

    gathered, count = [], 0
    for batch in batches:
        gathered.append(batch)
        count += batch.num_rows
        if count >= PACKED_ROWS:
            yield block(gathered)
            gathered, count = [], 0
    if count:
        yield block(gathered)


def _unpacked(batches):
    import pyarrow as pa

    for batch in batches:
        for block in batch.column(1):
            yield from pa.ipc.open_stream(block.as_buffer())


def _one_row(task, starts):
    """A function for mapInArrow: all batches of a partition to one row of (partition, bytes). With starts they are packed."""

    def answer(batches):
        import pyarrow as pa
        from pyspark import TaskContext

        part = TaskContext.get().partitionId()
        batches = _unpacked(batches) if starts else batches
        first = next(batches, None)
        if first is None:
            yield pa.record_batch([pa.array([part], pa.int32()), pa.array([None], pa.binary())], names=["part", "bytes"])
            return

        def all_batches():
            yield first
            yield from batches

        rows = pa.RecordBatchReader.from_batches(first.schema, all_batches())
        made = task(rows, f"partition {part}", starts[part] if starts else 0)
        for _ in batches:  # a learner that has seen enough stops early, and Spark ends a worker that leaves rows unread
            pass
        yield pa.record_batch([pa.array([part], pa.int32()), pa.array([made], pa.binary())], names=["part", "bytes"])

    return answer


def _merged_runs(run):
    """A function for applyInArrow: the answers of a run of partitions to one."""

    def merge(table):
        import pyarrow as pa

        table = table.sort_by("part")
        parts = [each for each in table["bytes"].to_pylist() if each is not None]
        made = merge_bytes(parts) if parts else None
        return pa.table({"part": pa.array([table["part"][0].as_py() // run], pa.int32()), "bytes": pa.array([made], pa.binary())})

    return merge


def _answers(frame, task, starts, mergeable):
    """One answer for each partition that has rows, in the order of the partitions."""
    answered = frame.mapInArrow(_one_row(task, starts), "part int, bytes binary")
    count = frame.rdd.getNumPartitions() if mergeable and not type(frame).__module__.startswith("pyspark.sql.connect") else 0
    if mergeable and count > MERGED_AT_ONCE:
        from pyspark.sql import functions

        run = 16  # a run of aligned neighbours merges to the same bits as all of them at once
        answered = answered.groupBy(functions.expr(f"int(part / {run})")).applyInArrow(_merged_runs(run), "part int, bytes binary")
    found = sorted((row["part"], bytes(row["bytes"])) for row in answered.collect() if row["bytes"] is not None)
    return [answer for _, answer in found]


def _row_counts(packed):
    """How many rows the partitions before each have."""

    def count(batches):
        import pyarrow as pa
        from pyspark import TaskContext

        rows = sum(sum(batch.column(0).to_pylist()) for batch in batches)
        yield pa.record_batch([pa.array([TaskContext.get().partitionId()], pa.int32()), pa.array([rows], pa.int64())],
                              names=["part", "rows"])

    counted = {row["part"]: row["rows"] for row in packed.select("rows").mapInArrow(count, "part int, rows long").collect()}
    starts, total = [], 0
    for part in range(max(counted, default=-1) + 1):
        starts.append(total)
        total += counted.get(part, 0)
    return starts


def _look(frame):
    import pyarrow as pa

    some = frame.limit(LOOK_ROWS)
    table = some.toArrow() if hasattr(some, "toArrow") else pa.Table.from_pandas(some.toPandas(), preserve_index=False)
    if table.num_rows == 0:
        raise ValueError("the data frame has no rows")
    return table


def fit(df, target=None, model="naive_bayes", families=None, exclude=(), weight="", seed=0, **settings):
    """Fits a model to a data frame of Spark; names of models and settings are those of ``suffice.fit_files``.

    ``gaussian_mixture`` and ``k_means`` take no target, but ``k`` (and ``covariance``, ``starts``, ``steps``, ``tolerance``).
    """
    frame = _arrow_batches(df)
    plan = rounds.Parts(_look(frame), target, model, families, exclude, weight, seed, **settings)
    if not plan.repeated:
        return rounds.run(plan, lambda task: _answers(frame, task, None, True))
    held = frame.mapInArrow(_packed, "rows long, block binary").persist()  # so that rounds do not make batches of the JVM's rows again
    try:
        starts = _row_counts(held)
        return rounds.run(plan, lambda task: _answers(held, task, starts, False))
    finally:
        held.unpersist()


def fit_paths(spark, paths, target=None, model="naive_bayes", families=None, exclude=(), weight="", seed=0, **settings):
    """Fits a model to Parquet or CSV files, each read by an executor with our own readers and not by the JVM.

    ``paths`` must be there under the same names for every executor. A Parquet file is cut by its row groups, so that a
    large one is read by several tasks.
    """
    pieces = _pieces([paths] if isinstance(paths, str) else [str(each) for each in paths])
    plan = rounds.Parts(_look_at_piece(pieces[0]), target, model, families, exclude, weight, seed, **settings)
    starts, total = [], 0
    if plan.repeated:
        for rows in spark.sparkContext.parallelize(pieces, len(pieces)).map(_rows_of_piece).collect():
            starts.append(total)
            total += rows
    places = [(piece, starts[k] if starts else 0) for k, piece in enumerate(pieces)]

    def over(task):
        def answer(place):
            piece, first_row = place
            return task(_open_piece(piece), piece[0], first_row)

        return spark.sparkContext.parallelize(places, len(places)).map(answer).collect()

    return rounds.run(plan, over)


def _pieces(paths):
    """(path, row groups or None) in the order of the rows."""
    from suffice import _core

    made = []
    for path in _core.expand_paths(paths):
        if path.endswith((".parquet", ".pq")):
            import pyarrow.parquet as pq

            groups = pq.ParquetFile(path).num_row_groups
            made += [(path, [k]) for k in range(groups)] if groups > 1 else [(path, None)]
        else:
            made.append((path, None))
    return made


def _open_piece(piece):
    path, groups = piece
    if not path.endswith((".parquet", ".pq")):
        return [path]
    return _ParquetPiece(path, groups)


class _ParquetPiece:
    def __init__(self, path, groups):
        self._path, self._groups = path, groups

    def __call__(self):
        import pyarrow as pa
        import pyarrow.parquet as pq

        file = pq.ParquetFile(self._path)
        return pa.RecordBatchReader.from_batches(file.schema_arrow, file.iter_batches(65_536, row_groups=self._groups))


def _rows_of_piece(piece):
    import pyarrow.parquet as pq

    path, groups = piece
    if not path.endswith((".parquet", ".pq")):
        return rounds.count_rows([path])
    about = pq.ParquetFile(path).metadata
    return about.num_rows if groups is None else sum(about.row_group(k).num_rows for k in groups)


def _look_at_piece(piece):
    import itertools

    import pyarrow as pa

    if not piece[0].endswith((".parquet", ".pq")):
        return [piece[0]]
    reader = _open_piece(piece)()
    batches, rows = [], 0
    for batch in itertools.islice(reader, 4):
        batches.append(batch)
        rows += batch.num_rows
        if rows >= LOOK_ROWS:
            break
    return pa.Table.from_batches(batches, schema=reader.schema)


def _spark_type(kind):
    from pyspark.sql import types

    return {"int": types.LongType(), "str": types.StringType(), "float": types.DoubleType()}[kind]


def _mapped(df, fields, columns):
    """The frame with further columns, computed batch by batch where the rows are."""
    from pyspark.sql import types

    schema = types.StructType(df.schema.fields + [types.StructField(name, _spark_type(kind)) for name, kind in fields])

    def work(batches):
        import pyarrow as pa

        for batch in batches:
            made = columns(batch)
            yield pa.RecordBatch.from_arrays(batch.columns + made, names=batch.schema.names + [name for name, _ in fields])

    return df.mapInArrow(work, schema)


def predict(model, df, proba=True, evidence=False):
    """The frame with the columns ``prediction`` and ``p(CLASS)`` of every class, and ``log_evidence`` where asked for."""
    scorer = Scorer(model)
    return _mapped(df, scorer.fields(proba, evidence), lambda batch: scorer.columns(batch, proba, evidence, threads=1))


def explain(model, df):
    """The frame with ``prediction``, ``intercept(CLASS)`` and ``CLASS: COLUMN``, which sum to the log joint of the class."""
    scorer = Scorer(model)
    classes, names = scorer.classes, scorer.core.columns
    fields = [("prediction", "int" if scorer.integer else "str")] + [(f"intercept({name})", "float") for name in classes]
    fields += [(f"{name}: {column}", "float") for name in classes for column in names]

    def columns(batch):
        import numpy as np
        import pyarrow as pa

        best, contributions, intercepts = scorer.core.explain(Rows(batch), threads=1)
        named = np.array([int(each) for each in classes]) if scorer.integer else np.array(classes, dtype=object)
        made = [pa.array(named[best], type=pa.int64() if scorer.integer else pa.string())]
        made += [pa.array(np.ascontiguousarray(intercepts[:, c])) for c in range(len(classes))]
        return made + [pa.array(np.ascontiguousarray(contributions[:, c, j])) for c in range(len(classes)) for j in range(len(names))]

    return _mapped(df, fields, columns)


def evaluate(model, df, weight=""):
    """The measures of ``suffice.evaluate`` over a frame that has the target's column, gathered where the rows are."""
    from suffice import _core

    scorer = Scorer(model)

    def task(rows, name, first_row):
        return scorer.core.measure(Rows(rows), name, weight, 1)

    scores = _core.scores_of_parts(_answers(_arrow_batches(df), task, None, False))
    classes = [int(each) for each in scorer.classes] if scorer.integer else scorer.classes
    if scores["majority"] is not None:
        scores["majority"]["class"] = classes[scores["majority"]["class"]]
    return {**scores, "classes": classes}


def compare(df, target, models=("naive_bayes", "linear_discriminant", "quadratic_discriminant"), folds=5, seed=0, **settings):
    """Cross-validated accuracy and log loss of models, best first, as ``suffice compare`` tells them.

    A fold is a random part of the rows. Models of one pass read the rows once for all folds and once to be scored: the
    statistics of a fold are those of the others merged. Others are fitted for each fold.
    """
    import math

    from pyspark.sql import functions

    frame = _arrow_batches(df)
    column = "_fold"
    while column in frame.columns:
        column += "_"
    parted = frame.withColumn(column, functions.floor(functions.rand(seed) * folds).cast("int")).persist()
    try:
        look, told = _look(frame), []
        for name in models:
            own = {key: value for key, value in settings.items()}
            losses, rights, rows = [], [], []
            for fold, made in enumerate(_fold_models(parted, column, look, target, name, folds, seed, own)):
                measured = evaluate(made, parted.where(functions.col(column) == fold).drop(column))
                losses.append(measured["log_loss"])
                rights.append(measured["accuracy"])
                rows.append(measured["rows"])
            total = sum(rows)
            mean = [sum(value * n for value, n in zip(values, rows)) / total for values in (rights, losses)]
            spread = [math.sqrt(sum((value - middle) ** 2 for value in values) / (folds * (folds - 1)))
                      for values, middle in zip((rights, losses), mean)]
            told.append({"model": name, "accuracy": mean[0], "accuracy_se": spread[0], "log_loss": mean[1], "log_loss_se": spread[1]})
        return sorted(told, key=lambda row: row["log_loss"])
    finally:
        parted.unpersist()


def _fold_models(parted, column, look, target, model, folds, seed, settings):
    """The model without each fold."""
    from pyspark.sql import functions

    from suffice.streams import model_from_bytes

    def plan():
        return rounds.Parts(look, target, model, seed=seed, **settings)

    if plan().repeated:
        for fold in range(folds):
            yield fit(parted.where(functions.col(column) != fold).drop(column), target, model, seed=seed, **settings)
        return
    task = plan().task()
    statistics = [merge_bytes(_answers(parted.where(functions.col(column) == fold).drop(column), task, None, True)) for fold in range(folds)]
    for fold in range(folds):
        yield model_from_bytes(merge_bytes(statistics[:fold] + statistics[fold + 1:]))


def __getattr__(name):
    if name in ("Classifier", "ClassifierModel"):
        from suffice import spark_ml

        return getattr(spark_ml, name)
    raise AttributeError(f"module 'suffice.spark' has no attribute {name!r}")


__all__ = ["fit", "fit_paths", "predict", "explain", "evaluate", "compare", "Classifier", "ClassifierModel", "bytes_of"]
