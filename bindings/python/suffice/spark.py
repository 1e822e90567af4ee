"""Fits, predictions and measures of Spark's data frames: rows stay where they are, and bytes come back.

A model of one pass (naive Bayes, discriminants, counts of words) costs a count of the rows and one job: each partition
gives its statistics, neighbours are merged, and the driver estimates. Mixtures, k-means and regressions cost a job for
each pass. The answer is that of ``suffice.fit_stream`` on the same rows, to the bit, whatever the partitions, however
often a task was run, by whom, and in which order they ended (``suffice.blocks`` says how).
"""
from suffice import rounds
from suffice.file_parts import file_parts
from suffice.spark_parts import aligned, answers, packed, pieces
from suffice.streams import Rows, Scorer, bytes_of, merge_bytes, model_from_bytes

LOOK_ROWS = 20_000


def _arrow_batches(frame):
    """Asks the version of Spark for what is used here."""
    if not hasattr(frame, "mapInArrow"):
        raise TypeError(f"{type(frame).__name__} is no data frame of Spark 3.3 or newer")
    return frame


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
        return rounds.run(plan, lambda task: pieces(frame, task))
    held = frame.mapInArrow(packed, "rows long, block binary").persist()  # so that rounds do not make batches of the JVM's rows again
    try:
        cut, places = aligned(held, plan.block)
        cut.persist()
        try:
            return rounds.run(plan, lambda task: answers(cut, task, places))
        finally:
            cut.unpersist()
    finally:
        held.unpersist()


def fit_paths(spark, paths, target=None, model="naive_bayes", families=None, exclude=(), weight="", seed=0, **settings):
    """Fits a model to Parquet or CSV files, each read by an executor with our own readers and not by the JVM.

    ``paths`` must be there under the same names for every executor. A Parquet file is cut by its row groups, so that a
    large one is read by several tasks.
    """
    parts = file_parts([paths] if isinstance(paths, str) else [str(each) for each in paths])

    return rounds.fit_parts(parts, target, model, families, exclude, weight, seed,
                            map=lambda function, items: _by_executors(spark, function, list(items)), **settings)


def _by_executors(spark, function, items):
    """The function of every item, each by a task of its own; of a session of Spark Connect too, which has no RDDs."""
    import pickle

    def work(batches):
        import pyarrow as pa

        for batch in batches:
            for place in batch.column(0).to_pylist():
                answer = pickle.dumps(function(items[place]))
                yield pa.record_batch([pa.array([place], pa.int64()), pa.array([answer], pa.binary())], names=["place", "answer"])

    rows = spark.range(0, len(items), 1, len(items)).mapInArrow(work, "place long, answer binary").collect()
    found = {row["place"]: pickle.loads(bytes(row["answer"])) for row in rows}
    return [found[place] for place in range(len(items))]


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

    scores = _core.scores_of_parts(answers(_arrow_batches(df), task))
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


def _whole(task):
    return lambda rows, name, first_row: task(rows, name)


def _fold_models(parted, column, look, target, model, folds, seed, settings):
    """The model without each fold."""
    from pyspark.sql import functions

    def plan():
        return rounds.Parts(look, target, model, seed=seed, **settings)

    if plan().repeated:
        for fold in range(folds):
            yield fit(parted.where(functions.col(column) != fold).drop(column), target, model, seed=seed, **settings)
        return
    task = plan().task()
    statistics = [merge_bytes(answers(parted.where(functions.col(column) == fold).drop(column), _whole(task))) for fold in range(folds)]
    for fold in range(folds):
        yield model_from_bytes(merge_bytes(statistics[:fold] + statistics[fold + 1:]))


def __getattr__(name):
    if name in ("Classifier", "ClassifierModel"):
        from suffice import spark_ml

        return getattr(spark_ml, name)
    raise AttributeError(f"module 'suffice.spark' has no attribute {name!r}")


__all__ = ["fit", "fit_paths", "predict", "explain", "evaluate", "compare", "Classifier", "ClassifierModel", "bytes_of"]
