"""How time grows with rows, columns, classes and threads: linear cost shows as a constant note (nanoseconds per cell)."""
import numpy
import sklearn.discriminant_analysis
import sklearn.naive_bayes
from threadpoolctl import threadpool_limits

import suffice
from bench.classifiers.task import gaussian_rows
from bench.contest import Entry, contest


def pair(name: str, X: numpy.ndarray, y: numpy.ndarray, title: str, rival: bool, budget: float) -> list[Entry]:
    theirs = {**vars(sklearn.naive_bayes), **vars(sklearn.discriminant_analysis)}[name]()
    ours = getattr(suffice, name)()
    contenders = {"suffice": lambda: ours.fit(X, y)}
    if rival:
        contenders["scikit-learn"] = lambda: theirs.fit(X, y)
    timed = contest("growth", f"{name} fit, {title}", contenders, budget_seconds=budget)
    for entry in timed:
        entry.note = f"{entry.seconds / X.size * 1e9:.3g} ns a cell"
    return timed


def run(quick: bool) -> list[Entry]:
    budget = 0.2 if quick else 1.0
    entries: list[Entry] = []
    for rows in (10_000, 100_000, 1_000_000) if quick else (10_000, 100_000, 1_000_000, 10_000_000):
        X, y = gaussian_rows(rows, 10, 5)
        for name in ("GaussianNB", "LinearDiscriminantAnalysis"):
            entries += pair(name, X, y, f"{rows} rows x 10", rows <= 1_000_000, budget)
    for columns in (4, 20, 100, 500, 2000):
        X, y = gaussian_rows(max(4_000_000 // columns // (10 if quick else 1), 2 * columns), columns, 2)
        entries += pair("GaussianNB", X, y, f"{columns} columns, {len(X)} rows", True, budget)
    for classes in (2, 10, 100, 1000):
        X, y = gaussian_rows(20_000 if quick else 200_000, 20, classes)
        entries += pair("GaussianNB", X, y, f"{classes} classes, {len(X)} x 20", classes <= 100, budget)
    X, y = gaussian_rows(50_000 if quick else 500_000, 50, 5)
    for threads in (1, 2):
        with threadpool_limits(threads):
            for name in ("GaussianNB", "QuadraticDiscriminantAnalysis"):
                entries += pair(name, X, y, f"{threads} threads, {len(X)} x 50", False, budget)
    return entries
