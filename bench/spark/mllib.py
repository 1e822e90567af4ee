"""Ours beside MLlib in local[2], session start not counted: the same rows, answers compared, then times.

usage: .venv/bin/python bench/spark/mllib.py [--rows N] [--columns D] [--json FILE]    (tools/bootstrap engines first)
"""
import argparse
import json
import os
import pathlib
import sys
import tempfile
import time

import numpy
import pyarrow
import pyarrow.parquet
from pyspark.ml.classification import LogisticRegression, NaiveBayes
from pyspark.ml.clustering import GaussianMixture, KMeans
from pyspark.ml.feature import VectorAssembler
from pyspark.sql import SparkSession

from suffice import spark as ours


def timed(work):  # type: ignore[no-untyped-def]
    started = time.perf_counter()
    made = work()
    return time.perf_counter() - started, made


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rows", type=int, default=100_000)
    arguments.add_argument("--columns", type=int, default=20)
    arguments.add_argument("--files", type=int, default=4)
    arguments.add_argument("--json")
    given = arguments.parse_args()
    draw = numpy.random.default_rng(1)
    label = draw.integers(0, 3, given.rows)
    names = [f"x{j}" for j in range(given.columns)]
    table = pyarrow.table({"label": label.astype(float), **{name: draw.normal(size=given.rows) + 0.4 * (label == j % 3) for j, name in enumerate(names)}})
    os.environ["PYSPARK_PYTHON"] = sys.executable
    spark = (SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").config("spark.driver.host", "127.0.0.1")
             .config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.memory", "2g").getOrCreate())
    spark.sparkContext.setLogLevel("OFF")
    lines = []

    def told(case: str, who: str, seconds: float, note: str = "") -> None:
        lines.append({"case": case, "contender": who, "seconds": seconds, "note": note})
        print(f"{case:<28}{who:<34}{seconds:9.2f} s   {note}", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        per_file = -(-given.rows // given.files)
        for k in range(given.files):
            pyarrow.parquet.write_table(table.slice(k * per_file, per_file), pathlib.Path(folder) / f"part-{k}.parquet")
        frame = spark.read.parquet(folder)
        frame.count()  # the JVM is warm, and so are the workers
        frame.mapInArrow(lambda batches: batches, frame.schema).count()
        vectors = VectorAssembler(inputCols=names, outputCol="features").transform(frame)

        seconds, theirs = timed(lambda: NaiveBayes(modelType="gaussian").fit(vectors))
        told("Gaussian naive Bayes", "MLlib", seconds)
        for who, work in (("suffice.spark.fit (mapInArrow)", lambda: ours.fit(frame, "label", "gaussian_nb")),
                          ("suffice.spark.fit_paths", lambda: ours.fit_paths(spark, f"{folder}/part-*.parquet", "label", "gaussian_nb"))):
            seconds, mine = timed(work)
            difference = numpy.abs(mine.theta_ - theirs.theta.toArray()).max()
            told("Gaussian naive Bayes", who, seconds, f"means differ by {difference:.1e}")
        for model in ("lda", "qda"):
            told(f"{model.upper()} (MLlib has none)", "suffice.spark.fit_paths", timed(lambda model=model: ours.fit_paths(spark, f"{folder}/part-*.parquet", "label", model))[0])

        seconds, theirs = timed(lambda: LogisticRegression(maxIter=100, tol=1e-8).fit(vectors))
        told("logistic regression", "MLlib", seconds, f"{theirs.summary.totalIterations} iterations")
        seconds, mine = timed(lambda: ours.fit(frame, "label", "logistic_regression"))
        shift = theirs.coefficientMatrix.toArray() - theirs.coefficientMatrix.toArray().mean(0)
        centred = mine.coef_ - mine.coef_.mean(0)
        told("logistic regression", "suffice.spark.fit", seconds, f"coefficients differ by {numpy.abs(shift - centred).max():.1e}")

        rows = frame.drop("label")
        seconds, theirs = timed(lambda: KMeans(k=3, seed=1, maxIter=20, tol=1e-6).fit(vectors))
        told("k-means, k=3", "MLlib", seconds, f"inertia {theirs.summary.trainingCost:.6g}")
        seconds, mine = timed(lambda: ours.fit(rows, model="k_means", k=3, steps=20))
        told("k-means, k=3", "suffice.spark.fit", seconds, f"inertia {mine.inertia_:.6g}, {mine.n_iter_} steps")

        seconds, theirs = timed(lambda: GaussianMixture(k=5, seed=1, maxIter=10, tol=0.0).fit(vectors))
        told("Gaussian mixture, k=5", "MLlib", seconds, f"10 rounds, log-likelihood {theirs.summary.logLikelihood:.7g}")
        seconds, mine = timed(lambda: ours.fit(rows, model="gaussian_mixture", k=5, steps=10, starts=1, tolerance=0.0))
        likelihood = mine.score(table.drop_columns(["label"]).to_pandas()) * given.rows
        told("Gaussian mixture, k=5", "suffice.spark.fit", seconds, f"10 rounds, log-likelihood {likelihood:.7g}")
    spark.stop()
    if given.json:
        pathlib.Path(given.json).write_text(json.dumps({"rows": given.rows, "columns": given.columns, "lines": lines}, indent=1) + "\n")


if __name__ == "__main__":
    main()
