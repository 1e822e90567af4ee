"""Gaussian mixtures through Python, ours beside scikit-learn's: ten steps of EM from the same start, and densities."""
import warnings

import numpy

from bench.contest import Entry, contest, entrants

STEPS = 10


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
    budget = 0.3 if quick else 2.0
    precisions = {"full": numpy.tile(numpy.eye(columns), (count, 1, 1)), "tied": numpy.eye(columns),
                  "diag": numpy.ones((count, columns)), "spherical": numpy.ones(count)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for shape, start in precisions.items():
            made = {"n_components": count, "covariance_type": shape, "max_iter": STEPS, "tol": 0,
                    "weights_init": numpy.full(count, 1 / count), "means_init": X[:count], "precisions_init": start}
            title = f"GaussianMixture {shape} {rows} x {columns}, {count} components"
            models = {who: module and module.GaussianMixture(**made) for who, module in entrants("mixture").items()}
            # A factor times a row, and the row's outer product, per component: each d(d + 1) operations.
            work = 2 * rows * count * columns * (columns + 1) * STEPS if shape == "full" else 0
            learned = contest("mixture", f"{title}, {STEPS} steps", {
                who: model and (lambda model=model: model.fit(X)) for who, model in models.items()},
                same_means, budget, operations=work)
            for entry in learned:
                entry.note = entry.note or f"{entry.seconds / STEPS * 1e3:.3g} ms a step"
            entries += learned
            entries += contest("mixture", f"{title}, score_samples", {
                who: model and (lambda model=model: model.score_samples(X)) for who, model in models.items()},
                same_numbers, budget)
    return entries
