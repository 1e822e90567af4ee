"""Naive Bayes and discriminants through Python, ours beside scikit-learn's on the same arrays, validation included."""
import warnings

import numpy
import sklearn.discriminant_analysis
import sklearn.naive_bayes

import suffice
from bench.contest import Entry, contest


def gaussian_rows(rows: int, columns: int, classes: int) -> tuple[numpy.ndarray, numpy.ndarray]:
    rng = numpy.random.default_rng(1)
    y = rng.integers(0, classes, rows)
    X = rng.standard_normal((rows, columns))
    X += rng.standard_normal((classes, columns))[y]
    return X, y


def count_rows(rows: int, columns: int, classes: int, levels: int) -> tuple[numpy.ndarray, numpy.ndarray]:
    rng = numpy.random.default_rng(2)
    return rng.integers(0, levels, (rows, columns)), rng.integers(0, classes, rows)


def close(ours: object, theirs: object) -> bool:
    if isinstance(ours, numpy.ndarray) and isinstance(theirs, numpy.ndarray):
        return bool(numpy.abs(ours - theirs).max() < 1e-7)
    return True


def run(quick: bool) -> list[Entry]:
    share = 10 if quick else 1
    X, y = gaussian_rows(500_000 // share, 50, 5)
    counts, kinds = count_rows(200_000 // share, 60, 8, 4)
    numbers = counts.astype(numpy.float64)
    levels, groups = count_rows(300_000 // share, 20, 4, 12)
    theirs = {**vars(sklearn.naive_bayes), **vars(sklearn.discriminant_analysis)}
    cases = [("GaussianNB", {}, X, y), ("LinearDiscriminantAnalysis", {}, X, y),
             ("LinearDiscriminantAnalysis", {"solver": "lsqr"}, X, y), ("QuadraticDiscriminantAnalysis", {}, X, y),
             ("MultinomialNB", {}, numbers, kinds), ("BernoulliNB", {}, numbers, kinds),
             ("CategoricalNB", {}, levels, groups)]
    entries: list[Entry] = []
    budget = 0.5 if quick else 3.0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, made, rows, labels in cases:
            ours, rival = getattr(suffice, name)(**made), theirs[name](**made)
            title = f"{name}{'' if not made else ' ' + made['solver']} {rows.shape[0]} x {rows.shape[1]}"
            entries += contest("classifiers", f"{title} fit", {
                "suffice": lambda: ours.fit(rows, labels), "scikit-learn": lambda: rival.fit(rows, labels)},
                budget_seconds=budget)
            entries += contest("classifiers", f"{title} predict_proba", {
                "suffice": lambda: ours.predict_proba(rows), "scikit-learn": lambda: rival.predict_proba(rows)},
                agree=close, budget_seconds=budget)
    return entries
