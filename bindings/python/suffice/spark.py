"""Fits, predictions and measures of Spark's data frames: rows stay where they are, and bytes come back.

A model of one pass (naive Bayes, discriminants, counts of words) costs a count of the rows and one job: each partition
gives its statistics, neighbours are merged, and the driver estimates. Mixtures, k-means and regressions cost a job for
each pass. The answer is that of ``suffice.fit_stream`` on the same rows, to the bit, whatever the partitions, however
often a task was run, by whom, and in which order they ended (``suffice.blocks`` says how).
"""
from suffice import rounds
from suffice.file_parts import file_parts
from suffice.part_comparison import comparison, told
from suffice.scorer import Scorer, bytes_of
from suffice.spark_parts import PACKED, Kept, aligned, answers, packed, pieces

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
    return _run(frame, rounds.Parts(_look(frame), target, model, families, exclude, weight, seed, **settings))


def _run(frame, plan):
    """What a plan comes to over a frame."""
    if not plan.repeated:
        return rounds.run(plan, lambda task: pieces(frame, task))
    held = frame.mapInArrow(packed(plan.block), PACKED).persist()  # so that rounds do not make batches of the JVM's rows again
    try:
        cut, places = aligned(held, plan.block)
        if cut is not held:
            cut.persist()
        kept = Kept(cut, places)
        try:
            return rounds.run(plan, kept.answers)
        finally:
            kept.let_go()
            if cut is not held:
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

    taken = [name for name, _ in fields if name in df.columns]
    if taken:
        raise ValueError(f"the frame has a column {taken[0]} already; drop or rename it")
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
    return _mapped(df, scorer.explain_fields(), lambda batch: scorer.explain_columns(batch, threads=1))


def evaluate(model, df, weight=""):
    """The measures of ``suffice.evaluate`` over a frame that has the target's column, gathered where the rows are."""
    scorer = Scorer(model)
    return scorer.measures(answers(_arrow_batches(df), lambda rows, name, first_row: scorer.measure(rows, name, weight, 1)))


def compare(df, target, models=None, folds=10, families=None, exclude=(), weight="", seed=0, repeats=1, nested=False, **settings):
    """Cross-validates models over a frame of Spark, best first, with the keys of ``suffice compare --json``.

    Folds are those that the command deals out under the same seed, whatever the partitions. All models that are sums over
    rows take four jobs together, and without ``models`` all that fit the columns are tried; mixtures and regressions
    take a job for each of their passes over each fold, and are tried where they are named.
    """
    frame = _arrow_batches(df)
    plan = comparison(_look(frame), target, models, folds, families, exclude, weight, seed, repeats, nested, **settings)
    return told(_run(frame, plan))


def __getattr__(name):
    if name in ("Classifier", "ClassifierModel"):
        from suffice import spark_ml

        return getattr(spark_ml, name)
    raise AttributeError(f"module 'suffice.spark' has no attribute {name!r}")


__all__ = ["fit", "fit_paths", "predict", "explain", "evaluate", "compare", "Classifier", "ClassifierModel", "bytes_of"]
