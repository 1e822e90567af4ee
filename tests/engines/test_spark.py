"""suffice.spark: the answers of local fits, whatever the partitions, and however often a task was run."""
import subprocess
import sys

import numpy as np
import pytest

import suffice

pa = pytest.importorskip("pyarrow")


def frame(spark, table, parts):
    return spark.createDataFrame(table.to_pandas()).repartition(parts) if parts else spark.createDataFrame(table.to_pandas())


def in_order(spark, table, cuts):
    """A frame whose partitions are these runs of rows; some may be empty."""
    records = table.to_pylist()
    pieces = [records[a:b] for a, b in zip(cuts, cuts[1:])]
    rdd = spark.sparkContext.parallelize(list(range(len(pieces))), len(pieces)).flatMap(lambda k: [tuple(each.values()) for each in pieces[k]])
    from pyspark.sql import types
    kinds = {"double": types.DoubleType(), "int64": types.LongType(), "bool": types.BooleanType(), "string": types.StringType()}
    schema = types.StructType([types.StructField(field.name, kinds[str(field.type)]) for field in table.schema])
    return spark.createDataFrame(rdd, schema)


def posteriors(model, table):
    read = suffice.predict_stream(model, table).read_all()
    return np.column_stack([read[name].to_numpy() for name in read.column_names if name.startswith("p(")])


def close(a, b, tolerance=1e-9):
    np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance)


CUTS = [0, 0, 1, 700, 1999, 2000]
OTHER_CUTS = [0, 2000], list(range(0, 2001, 25)), [0, 500, 501, 1300, 2000]


def test_partitions_do_not_change_a_bit(spark, mixed_rows, grouped_rows):
    from suffice import _core
    from suffice import spark as engine
    from suffice.rounds import fit_parts
    from suffice.streams import bytes_of

    wide = {f"x{k}": mixed_rows(seed=k)["width"] for k in range(80)}  # so many columns that a block has few rows, and 80 partitions are merged by executors
    table = pa.table({**wide, "bought": mixed_rows()["bought"]})
    assert _core.stream_block_rows(81) < 500
    expected = bytes_of(suffice.fit_stream(table, "bought"))
    for cuts in (CUTS, *OTHER_CUTS):
        assert bytes_of(engine.fit(in_order(spark, table, cuts), target="bought")) == expected, cuts
    rows = table.drop_columns(["bought"])
    means = fit_parts([rows], model="gaussian_mixture", k=2, starts=1, steps=2, covariance="diagonal").means_
    for cuts in (CUTS, OTHER_CUTS[2]):
        made = engine.fit(in_order(spark, rows, cuts), model="gaussian_mixture", k=2, starts=1, steps=2, covariance="diagonal")
        assert made.n_iter_ == 2
        np.testing.assert_array_equal(made.means_, means)


def test_rows_that_the_driver_holds_lie_in_partitions_too(spark, mixed_rows):
    from suffice import spark as engine
    from suffice.streams import bytes_of

    table = mixed_rows(rows=6000)
    spark.conf.set("spark.sql.execution.arrow.pyspark.enabled", "true")  # then the frame is a LocalRelation, as with Spark Connect
    try:
        assert bytes_of(engine.fit(spark.createDataFrame(table.to_pandas()), target="bought")) == bytes_of(suffice.fit_stream(table, "bought"))
    finally:
        spark.conf.set("spark.sql.execution.arrow.pyspark.enabled", "false")


@pytest.mark.parametrize("model", ["naive_bayes", "lda", "qda"])
def test_one_pass_models_are_those_of_all_rows_in_one_place(spark, model, mixed_rows):
    from suffice import spark as engine

    table = mixed_rows()
    exclude = () if model == "naive_bayes" else ("town",)
    whole = suffice.fit_stream(table, "bought", model, exclude=exclude)
    made = engine.fit(in_order(spark, table, CUTS), target="bought", model=model, exclude=exclude)
    assert type(made) is type(whole)
    close(posteriors(made, table), posteriors(whole, table))
    other = engine.fit(frame(spark, table, 3), target="bought", model=model, exclude=exclude)  # rows in another order
    close(posteriors(other, table), posteriors(whole, table))


RETRIED = """
import os, pathlib, sys
import pyarrow as pa
from pyspark import TaskContext
from pyspark.sql import SparkSession
from suffice import rounds, spark as engine
from suffice.streams import bytes_of

folder = pathlib.Path(sys.argv[1])


class Dying:
    \"\"\"Ends its worker once in each partition and round, after the work is done: Spark's scheduler runs the task again.\"\"\"

    def __init__(self, task, marks):
        self.task, self.marks, self.block = task, marks, getattr(task, "block", 0)

    def __call__(self, *given):
        return self.told(self.task(*given))

    def sums(self, *given):
        return self.told(self.task.sums(*given))

    def told(self, made):
        mark = f"{self.marks}-{TaskContext.get().partitionId()}"
        if not os.path.exists(mark):
            open(mark, "w").close()
            os._exit(1)
        assert TaskContext.get().attemptNumber() > 0
        return made


def fitted(frame, marks, **words):
    run = rounds.run

    def with_deaths(plan, over):
        counted = iter(range(1000))
        deaths = 2  # rounds in which every worker dies
        return run(plan, lambda task: over(Dying(task, folder / f"{marks}-{k}") if (k := next(counted)) < deaths else task))

    plain = engine.fit(frame, **words)
    rounds.run = with_deaths
    try:
        return plain, engine.fit(frame, **words)
    finally:
        rounds.run = run


spark = (SparkSession.builder.master("local[2,4]").config("spark.ui.enabled", "false").config("spark.driver.host", "127.0.0.1")
         .config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.memory", "1g").getOrCreate())
spark.sparkContext.setLogLevel("OFF")
frame = spark.read.parquet(str(folder / "rows")).coalesce(2)
plain, retried = fitted(frame, "sum", target="bought")
assert bytes_of(plain) == bytes_of(retried)
plain, retried = fitted(frame.select("width", "visits"), "round", model="k_means", k=2, starts=1, steps=2)
assert (plain.cluster_centers_ == retried.cluster_centers_).all()
print("tasks run again:", len(list(folder.glob("sum-*"))), len(list(folder.glob("round-*"))))
spark.stop()
"""


def test_spark_runs_tasks_of_killed_workers_again_and_they_count_once(spark, tmp_path, mixed_rows):
    import pyarrow.parquet

    (tmp_path / "rows").mkdir()
    rows = mixed_rows(rows=24_000)  # so many that blocks of rows begin in either partition
    for k in range(2):
        pyarrow.parquet.write_table(rows.slice(12_000 * k, 12_000), tmp_path / "rows" / f"{k}.parquet")
    (tmp_path / "retried.py").write_text(RETRIED)
    done = subprocess.run([sys.executable, tmp_path / "retried.py", tmp_path], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    sums, rounds = done.stdout.split(":")[1].split()
    assert (int(sums), int(rounds)) == (2, 4)


def test_mixtures_k_means_and_regression_by_rounds(spark, mixed_rows, grouped_rows):
    from suffice import spark as engine
    from suffice.rounds import fit_parts

    table = grouped_rows()
    cut = in_order(spark, table, CUTS)
    made, whole = (engine.fit(cut, model="gaussian_mixture", k=3, starts=1), fit_parts([table], model="gaussian_mixture", k=3, starts=1))
    close(made.means_, whole.means_)
    close(made.covariances_, whole.covariances_)
    centres = engine.fit(cut, model="k_means", k=3, starts=1)
    close(centres.cluster_centers_, fit_parts([table], model="k_means", k=3, starts=1).cluster_centers_)
    predicted = engine.predict(made, cut).toPandas()
    assert list(predicted.columns) == ["a", "b", "c", "prediction", "p(0)", "p(1)", "p(2)"]
    close(predicted["p(1)"].to_numpy(), posteriors(made, table)[:, 1])
    assert engine.predict(centres, cut).toPandas()["prediction"].nunique() == 3
    mixed = mixed_rows().drop_columns(["size"])
    regression = engine.fit(in_order(spark, mixed, CUTS), target="bought", model="logistic_regression")
    close(posteriors(regression, mixed), posteriors(suffice.fit_stream(mixed, "bought", "logistic_regression"), mixed), 1e-7)


def test_a_class_and_a_level_that_one_partition_alone_has(spark, mixed_rows):
    from suffice import spark as engine

    rare = mixed_rows(2, 100, ("never",)).to_pandas().assign(town="Assen")
    table = pa.concat_tables([mixed_rows(), pa.Table.from_pandas(rare, schema=mixed_rows().schema, preserve_index=False)])
    made = engine.fit(in_order(spark, table, [0, 1000, 2000, 2100]), target="bought")
    assert made.classes_.tolist() == ["never", "no", "yes"]
    close(posteriors(made, table), posteriors(suffice.fit_stream(table, "bought"), table))


def test_predict_explain_and_evaluate(spark, mixed_rows):
    from suffice import spark as engine

    table = mixed_rows()
    cut = in_order(spark, table, CUTS)
    model = engine.fit(cut, target="bought")
    predicted = engine.predict(model, cut).toPandas()
    assert {"prediction", "p(no)", "p(yes)"} <= set(predicted.columns) and len(predicted) == 2000
    close(predicted[["p(no)", "p(yes)"]].to_numpy(), posteriors(model, table))
    explained = engine.explain(model, cut).toPandas()
    joint = {name: explained[[column for column in explained if column == f"intercept({name})" or column.startswith(f"{name}: ")]].sum(axis=1)
             for name in ("no", "yes")}
    close(1 / (1 + np.exp(joint["no"] - joint["yes"])), predicted["p(yes)"].to_numpy())
    measured = engine.evaluate(model, cut)
    expected = suffice.evaluate(table["bought"].to_numpy(zero_copy_only=False), posteriors(model, table), classes=["no", "yes"])
    for key in ("rows", "accuracy", "log_loss", "brier", "confusion", "roc_auc"):
        if isinstance(expected[key], (int, float)):
            close(measured[key], expected[key])
        else:
            assert str(measured[key])[:40] == str(expected[key])[:40] or key == "roc_auc"


def test_compare_puts_the_better_model_first(spark, mixed_rows):
    from suffice import spark as engine

    table = mixed_rows().drop_columns(["town", "size", "new"])
    told = engine.compare(in_order(spark, table, CUTS), "bought", models=("lda", "qda"), folds=3)
    assert told[0]["model"] == "quadratic_discriminant"  # the classes differ in spread
    assert {"linear_discriminant", "quadratic_discriminant"} <= {row["model"] for row in told}
    from suffice.part_comparison import compare_parts

    expected = compare_parts([table], "bought", models=("lda", "qda"), folds=3)
    assert [(row["model"], row["log_loss"], row["bic"]) for row in told] == [(row["model"], row["log_loss"], row["bic"]) for row in expected]
    with pytest.raises(ValueError, match="prediction already"):
        engine.predict(engine.fit(in_order(spark, table, CUTS), "bought"), in_order(spark, table, CUTS).withColumnRenamed("bought", "prediction"))


def test_differences_of_schemas_name_the_partition(spark, mixed_rows):
    from suffice import rounds, spark_parts

    table = mixed_rows()
    plan = rounds.Parts(table, "bought")
    words = table.set_column(1, "width", pa.array(["wide"] * 2000))
    with pytest.raises(Exception, match="partition [01].*column width"):
        spark_parts.pieces(in_order(spark, words, [0, 1000, 2000]), plan.task())


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_executors_read_files_themselves(spark, tmp_path, ending, mixed_rows):
    import pyarrow.csv
    import pyarrow.parquet

    from suffice import spark as engine

    table = mixed_rows()
    for k in range(3):
        part = table.slice(k * 700, 700)
        if ending == "parquet":
            pyarrow.parquet.write_table(part, tmp_path / f"part-{k}.parquet", row_group_size=300)
        else:
            pyarrow.csv.write_csv(part, tmp_path / f"part-{k}.csv")
    made = engine.fit_paths(spark, str(tmp_path / f"part-*.{ending}"), target="bought", model="naive_bayes")
    close(posteriors(made, table), posteriors(suffice.fit_stream(table, "bought"), table), 1e-7)


def test_a_pipeline_with_cross_validation(spark, mixed_rows):
    from pyspark.ml import Pipeline
    from pyspark.ml.evaluation import MulticlassClassificationEvaluator
    from pyspark.ml.tuning import CrossValidator, ParamGridBuilder

    from suffice.spark_ml import Classifier

    table = mixed_rows().drop_columns(["bought", "size", "town"])
    label = (mixed_rows()["bought"].to_numpy(zero_copy_only=False) == "yes").astype(float)
    cut = in_order(spark, table.append_column("label", pa.array(label)), CUTS)
    classifier = Classifier(model="naive_bayes", labelCol="label")
    grid = ParamGridBuilder().addGrid(classifier.model, ["gaussian_nb", "naive_bayes"]).build()
    search = CrossValidator(estimator=Pipeline(stages=[classifier]), estimatorParamMaps=grid, numFolds=2,
                            evaluator=MulticlassClassificationEvaluator(metricName="accuracy"))
    best = search.fit(cut)
    assert max(best.avgMetrics) > 0.7
    assert {"prediction", "probability", "predicted"} <= set(best.transform(cut).columns)


def test_texts_whose_words_no_partition_has_all_of(spark):
    from suffice import spark as engine

    rng = np.random.default_rng(8)
    words = {"sport": ["goal", "match", "team", "run"], "space": ["orbit", "moon", "launch", "run"]}
    labels = np.repeat(["space", "sport"], 300)  # sorted: a partition has the words of one class alone
    texts = [" ".join(rng.choice(words[label], 6)) for label in labels]
    table = pa.table({"text": texts, "topic": labels})
    whole = suffice.fit_stream(table, "topic", "multinomial_nb")
    for cuts in ([0, 300, 600], [0, 0, 10, 599, 600]):
        made = engine.fit(in_order(spark, table, cuts), target="topic", model="multinomial_nb")
        close(posteriors(made, table), posteriors(whole, table), 1e-12)


LIMITED = """
import resource, signal, sys
import pyarrow as pa
from suffice import spark_parts

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
table = pa.table({"x": [float(k) for k in range(100_000)]})
rows = spark_parts._kept_rows(table.to_reader(max_chunksize=10_000), sys.argv[1])
kept = callable(rows)
assert (rows() if kept else rows).read_all().equals(table)
print("kept" if kept else "brought")
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="files are limited as Linux does it")
@pytest.mark.parametrize("limit, told", [(10_000_000, "kept"), (500_000, "brought"), (100, "brought"), (0, "brought")])
def test_rows_of_rounds_are_whole_where_the_disk_takes_some_of_them(tmp_path, limit, told):
    done = subprocess.run([sys.executable, "-c", LIMITED, tmp_path / "rows", str(limit)], capture_output=True, text=True)
    assert done.stdout == told + "\n", done.stderr[-2000:]
    assert [each.name for each in tmp_path.iterdir()] == (["rows"] if told == "kept" else [])


def test_rounds_find_their_rows_beside_the_executor_and_ask_for_those_that_are_gone(spark, grouped_rows, monkeypatch):
    import os

    from pyspark import SparkFiles

    from suffice import spark as engine
    from suffice import spark_parts

    folder, told = SparkFiles.getRootDirectory(), []
    brought, rows = spark_parts.Kept._brought, in_order(spark, grouped_rows(rows=20_000), [0, 0, 1, 9000, 9001, 20_000])

    def counted(self, task, parts):
        told.append(len(parts))
        made = brought(self, task, parts)
        kept = sorted(name for name in os.listdir(folder) if name.startswith(self._name))
        assert len(kept) == 3  # of the partitions in which a block of 8,192 rows begins
        if len(told) == 1 and loses:
            os.unlink(os.path.join(folder, kept[0]))
        return made

    monkeypatch.setattr(spark_parts.Kept, "_brought", counted)
    centres = []
    for loses in (False, True):
        told.clear()
        centres.append(engine.fit(rows, model="k_means", k=3, starts=1, steps=3).cluster_centers_)
        assert told == ([5, 1] if loses else [5])
        assert not [name for name in os.listdir(folder) if name.startswith("suffice-")]
    np.testing.assert_array_equal(*centres)


def test_settings_reach_the_partitions(spark, mixed_rows):
    from suffice import spark as engine

    table = mixed_rows()
    rows = in_order(spark, table, CUTS)
    for words in ({"smoothing": 50.0}, {"estimate": "predictive"}, {"families": {"visits": "gaussian"}}, {"priors": "uniform"}, {"weight": "visits"},
                  {"model": "lda", "shrinkage": 0.5, "exclude": ["town"]}):
        made, whole = engine.fit(rows, target="bought", **words), suffice.fit_stream(table, "bought", **words)
        close(posteriors(made, table), posteriors(whole, table))
        plain = suffice.fit_stream(table, "bought", words.get("model", "naive_bayes"), exclude=words.get("exclude", ()))
        assert np.abs(posteriors(plain, table) - posteriors(made, table)).max() > 1e-6, words
    with pytest.raises(suffice.UsageError, match="smoothing"):
        engine.fit(rows, target="bought", smoothing=-1.0)
