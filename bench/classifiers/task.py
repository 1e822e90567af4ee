"""Naive Bayes and discriminants through Python, ours beside scikit-learn's on the same arrays, validation included."""
import warnings

import numpy

from bench.contest import Entry, contest, entrants


def gaussian_rows(rows: int, columns: int, classes: int) -> tuple[numpy.ndarray, numpy.ndarray]:
    rng = numpy.random.default_rng(1)
    y = rng.integers(0, classes, rows)
    X = rng.standard_normal((rows, columns))
    X += rng.standard_normal((classes, columns))[y]
    return X, y


def count_rows(rows: int, columns: int, classes: int, levels: int) -> tuple[numpy.ndarray, numpy.ndarray]:
    rng = numpy.random.default_rng(2)
    return rng.integers(0, levels, (rows, columns)), rng.integers(0, classes, rows)


def operations(name: str, columns: int, classes: int) -> tuple[int, int]:
    """Multiplications and additions a row needs at least: to fit, to predict; 0 where the work is reading."""
    scatter = columns * (columns + 1)
    return {"GaussianNB": (4 * columns, 4 * columns * classes), "LinearDiscriminantAnalysis": (scatter, 2 * columns * classes),
            "QuadraticDiscriminantAnalysis": (scatter, scatter * classes)}.get(name, (0, 0))


def close(ours: numpy.ndarray, theirs: numpy.ndarray) -> bool:
    return bool(numpy.abs(ours - theirs).max() < 1e-7)


def run(quick: bool) -> list[Entry]:
    share = 10 if quick else 1
    X, y = gaussian_rows(500_000 // share, 50, 5)
    counts, kinds = count_rows(200_000 // share, 60, 8, 4)
    numbers = counts.astype(numpy.float64)
    levels, groups = count_rows(300_000 // share, 20, 4, 12)
    wide, digits = gaussian_rows(60_000 // share, 100 if quick else 784, 10)
    cases: list[tuple[str, dict[str, object], numpy.ndarray, numpy.ndarray]] = [
        ("GaussianNB", {}, X, y), ("LinearDiscriminantAnalysis", {}, X, y),
        ("LinearDiscriminantAnalysis", {"solver": "lsqr"}, X, y),
        ("LinearDiscriminantAnalysis", {"solver": "lsqr", "shrinkage": "auto"}, X, y),
        ("QuadraticDiscriminantAnalysis", {}, X, y), ("LinearDiscriminantAnalysis", {}, wide, digits),
        ("LinearDiscriminantAnalysis", {"solver": "lsqr"}, wide, digits), ("QuadraticDiscriminantAnalysis", {}, wide, digits),
        ("MultinomialNB", {}, numbers, kinds), ("BernoulliNB", {}, numbers, kinds),
        ("CategoricalNB", {}, levels, groups)]
    entries: list[Entry] = []
    budget = 0.3 if quick else 3.0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, settings, rows, labels in cases:
            models = {who: module.make(name, settings) if module else None for who, module in entrants("classifiers").items()}
            title = " ".join([name, *settings.values(), f"{rows.shape[0]} x {rows.shape[1]}"])
            fit, predict = (each * len(rows) for each in operations(name, rows.shape[1], int(labels.max()) + 1))
            entries += contest("classifiers", f"{title} fit", {
                who: model and (lambda model=model: model.fit(rows, labels)) for who, model in models.items()},
                lambda ours, theirs: close(ours.predict_proba(rows[:1000]), theirs.predict_proba(rows[:1000])), budget,
                bytes=rows.nbytes, operations=fit)
            entries += contest("classifiers", f"{title} predict_proba", {
                who: model and (lambda model=model: model.predict_proba(rows)) for who, model in models.items()},
                close, budget, bytes=rows.nbytes, operations=predict)
    return entries
