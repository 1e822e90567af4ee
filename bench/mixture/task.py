"""Gaussian mixtures through Python, ours beside scikit-learn's: ten steps of EM from the same start, and densities."""
import warnings

import numpy
import sklearn.mixture

import suffice
from bench.contest import Entry, contest


def clouds(rows: int, columns: int, count: int) -> numpy.ndarray:
    rng = numpy.random.default_rng(1)
    X = rng.standard_normal((rows, columns))
    X += 1.5 * rng.standard_normal((count, columns))[rng.integers(0, count, rows)]
    return X


def same_means(ours: object, theirs: object) -> bool:
    return bool(numpy.abs(ours.means_ - theirs.means_).max() < 1e-6)  # type: ignore[attr-defined]


def same_numbers(ours: object, theirs: object) -> bool:
    return bool(numpy.abs(numpy.asarray(ours) - numpy.asarray(theirs)).max() < 1e-6)


def run(quick: bool) -> list[Entry]:
    rows, columns, count = 100_000 // (10 if quick else 1), 50, 5
    X = clouds(rows, columns, count)
    entries: list[Entry] = []
    budget = 0.5 if quick else 3.0
    precisions = {"full": numpy.tile(numpy.eye(columns), (count, 1, 1)), "tied": numpy.eye(columns),
                  "diag": numpy.ones((count, columns)), "spherical": numpy.ones(count)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for shape, start in precisions.items():
            made = {"n_components": count, "covariance_type": shape, "max_iter": 10, "tol": 0,
                    "weights_init": numpy.full(count, 1 / count), "means_init": X[:count], "precisions_init": start}
            title = f"GaussianMixture {shape} {rows} x {columns}, {count} components"
            ours, theirs = suffice.GaussianMixture(**made), sklearn.mixture.GaussianMixture(**made)
            entries += contest("mixture", f"{title}, 10 steps", {
                "suffice": lambda: ours.fit(X), "scikit-learn": lambda: theirs.fit(X)}, same_means, budget)
            entries += contest("mixture", f"{title}, score_samples", {
                "suffice": lambda: ours.score_samples(X), "scikit-learn": lambda: theirs.score_samples(X)},
                same_numbers, budget)
    return entries
