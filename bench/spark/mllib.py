"""Ours beside MLlib in local[2], session start not counted: the same rows, answers compared, then times.

usage: .venv/bin/python bench/spark/mllib.py [--rows N] [--columns D] [--cases LIST] [--json FILE]    (tools/bootstrap engines first)

Seconds are the clock's; those of the processors, of Spark and its workers together, stand beside them, for a machine that does other things as well.
"""
import argparse
import json
import os
import pathlib
import sys
import tempfile
import time

import numpy
import psutil
import pyarrow
import pyarrow.parquet
from pyspark.ml.classification import LogisticRegression, NaiveBayes
from pyspark.ml.clustering import GaussianMixture, KMeans
from pyspark.ml.feature import VectorAssembler
from pyspark.sql import SparkSession

from suffice import spark as ours


def processor() -> str:
    with open("/proc/cpuinfo") as file:
        return next((line.split(":", 1)[1].strip() for line in file if line.startswith("model name")), "unknown")


def processor_seconds() -> float:
    """Of this process and all that it started and that run still: Spark keeps its workers."""
    total = 0.0
    for each in [psutil.Process(), *psutil.Process().children(recursive=True)]:
        try:
            times = each.cpu_times()
            total += times.user + times.system + times.children_user + times.children_system
        except psutil.NoSuchProcess:
            pass
    return total


class Contest:
    """The rows as a frame over Parquet files, as vectors for MLlib, and what was timed."""

    def __init__(self, spark, folder, rows, columns, files):  # type: ignore[no-untyped-def]
        draw = numpy.random.default_rng(1)
        label = draw.integers(0, 3, rows)
        self.names = [f"x{j}" for j in range(columns)]
        self.table = pyarrow.table({"label": label.astype(float), **{name: draw.normal(size=rows) + 0.4 * (label == j % 3) for j, name in enumerate(self.names)}})
        self.spark, self.paths, self.lines = spark, f"{folder}/part-*.parquet", []
        per_file = -(-rows // files)
        for k in range(files):
            pyarrow.parquet.write_table(self.table.slice(k * per_file, per_file), pathlib.Path(folder) / f"part-{k}.parquet")
        self.frame = spark.read.parquet(folder)
        self.frame.count()  # the JVM is warm, and so are the workers
        self.frame.mapInArrow(lambda batches: batches, self.frame.schema).count()
        self.rows = self.frame.drop("label")
        self.vectors = VectorAssembler(inputCols=self.names, outputCol="features").transform(self.frame)

    def timed(self, case, who, work, note=lambda made: ""):  # type: ignore[no-untyped-def]
        started, used = time.perf_counter(), processor_seconds()
        made = work()
        seconds, used = time.perf_counter() - started, processor_seconds() - used
        self.lines.append({"case": case, "contender": who, "seconds": seconds, "processor_seconds": used, "note": note(made)})
        print(f"{case:<28}{who:<34}{seconds:9.2f} s {used:9.2f} s of processors   {note(made)}", flush=True)
        return made


def gaussian_nb(contest: Contest) -> None:
    case = "Gaussian naive Bayes"
    theirs = contest.timed(case, "MLlib", lambda: NaiveBayes(modelType="gaussian").fit(contest.vectors))
    for who, work in (("suffice.spark.fit (mapInArrow)", lambda: ours.fit(contest.frame, "label", "gaussian_nb")),
                      ("suffice.spark.fit_paths", lambda: ours.fit_paths(contest.spark, contest.paths, "label", "gaussian_nb"))):
        contest.timed(case, who, work, lambda mine: f"means differ by {numpy.abs(mine.theta_ - theirs.theta.toArray()).max():.1e}")
    for model in ("lda", "qda"):
        contest.timed(f"{model.upper()} (MLlib has none)", "suffice.spark.fit_paths", lambda model=model: ours.fit_paths(contest.spark, contest.paths, "label", model))


def logistic(contest: Contest) -> None:
    theirs = contest.timed("logistic regression", "MLlib", lambda: LogisticRegression(maxIter=100, tol=1e-8).fit(contest.vectors),
                           lambda made: f"{made.summary.totalIterations} iterations")
    shift = theirs.coefficientMatrix.toArray() - theirs.coefficientMatrix.toArray().mean(0)
    contest.timed("logistic regression", "suffice.spark.fit", lambda: ours.fit(contest.frame, "label", "logistic_regression"),
                  lambda mine: f"coefficients differ by {numpy.abs(shift - (mine.coef_ - mine.coef_.mean(0))).max():.1e}")


def k_means(contest: Contest) -> None:
    contest.timed("k-means, k=3", "MLlib", lambda: KMeans(k=3, seed=1, maxIter=20, tol=1e-6).fit(contest.vectors),
                  lambda made: f"inertia {made.summary.trainingCost:.6g}")
    contest.timed("k-means, k=3", "suffice.spark.fit", lambda: ours.fit(contest.rows, model="k_means", k=3, steps=20),
                  lambda mine: f"inertia {mine.inertia_:.6g}, {mine.n_iter_} steps")


def mixture(contest: Contest) -> None:
    contest.timed("Gaussian mixture, k=5", "MLlib", lambda: GaussianMixture(k=5, seed=1, maxIter=10, tol=0.0).fit(contest.vectors),
                  lambda made: f"10 rounds, log-likelihood {made.summary.logLikelihood:.7g}")
    plain = contest.table.drop_columns(["label"]).to_pandas()
    contest.timed("Gaussian mixture, k=5", "suffice.spark.fit",
                  lambda: ours.fit(contest.rows, model="gaussian_mixture", k=5, steps=10, starts=1, tolerance=0.0),
                  lambda mine: f"10 rounds, log-likelihood {mine.score(plain) * len(plain):.7g}")


CASES = {"gaussian_nb": gaussian_nb, "logistic": logistic, "k_means": k_means, "mixture": mixture}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rows", type=int, default=100_000)
    arguments.add_argument("--columns", type=int, default=20)
    arguments.add_argument("--files", type=int, default=4)
    arguments.add_argument("--cases", default=",".join(CASES))
    arguments.add_argument("--json")
    given = arguments.parse_args()
    os.environ["PYSPARK_PYTHON"] = sys.executable
    spark = (SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").config("spark.driver.host", "127.0.0.1")
             .config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.memory", "2g").getOrCreate())
    spark.sparkContext.setLogLevel("OFF")
    with tempfile.TemporaryDirectory() as folder:
        contest = Contest(spark, folder, given.rows, given.columns, given.files)
        for case in given.cases.split(","):
            CASES[case](contest)
    spark.stop()
    if given.json:
        told = {"processor": processor(), "rows": given.rows, "columns": given.columns, "lines": contest.lines}
        pathlib.Path(given.json).write_text(json.dumps(told, indent=1) + "\n")


if __name__ == "__main__":
    main()
