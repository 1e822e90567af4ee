"""Small problems: fit + predict of 150 rows, and the score of a single row, ours from C++ beside scikit-learn."""
import pathlib
import subprocess
import time

import numpy
import sklearn.discriminant_analysis
import sklearn.naive_bayes

from bench.contest import Entry

ROOT = pathlib.Path(__file__).resolve().parents[2]
RIVALS = {"gaussian_nb": sklearn.naive_bayes.GaussianNB,
          "lda": sklearn.discriminant_analysis.LinearDiscriminantAnalysis,
          "qda": sklearn.discriminant_analysis.QuadraticDiscriminantAnalysis}
CASES = {"fit_predict": "{} fit + predict 150 x 4", "one_row": "{} posterior of one row, 50 columns"}


def rows(count: int, columns: int, classes: int) -> tuple[numpy.ndarray, numpy.ndarray]:
    y = numpy.arange(count) % classes
    return numpy.random.default_rng(1).uniform(size=(count, columns)) + 0.2 * y[:, None], y


def least(work, repetitions: int) -> float:
    times = []
    for _ in range(repetitions):
        started = time.thread_time()
        work()
        times.append(time.thread_time() - started)
    return min(times)


def theirs(what: str, model: str) -> float:
    if what == "fit_predict":
        X, y = rows(150, 4, 3)
        return least(lambda: RIVALS[model]().fit(X, y).predict(X), 50)
    X, y = rows(5000, 50, 5)
    fitted = RIVALS[model]().fit(X, y)
    return least(lambda: fitted.predict_proba(X[:1]), 200)


def run(quick: bool) -> list[Entry]:
    build = ROOT / "build/release"
    subprocess.run(["cmake", "--preset", "release"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", build, "--target", "latency_bench"], check=True, stdout=subprocess.DEVNULL)
    printed = subprocess.run([build / "latency_bench"], check=True, capture_output=True, text=True).stdout
    entries: list[Entry] = []
    for line in printed.splitlines():
        what, model, microseconds = line.split()
        case = CASES[what].format(model)
        note = "processor time, least of many"
        entries.append(Entry("latency", case, "suffice", float(microseconds) * 1e-6, 0, 200, note))
        entries.append(Entry("latency", case, "scikit-learn", theirs(what, model), 0, 50, note))
    return entries
