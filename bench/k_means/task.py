"""k-means through Python beside scikit-learn's and, where installed, scikit-learn-intelex's: twenty steps from the same
start, on clusters and on rows without any."""
import warnings

import numpy

from bench.contest import Entry, contest, entrants


def rows_of(kind: str, rows: int, columns: int, count: int) -> numpy.ndarray:
    rng = numpy.random.default_rng(1)
    X = rng.standard_normal((rows, columns))
    if kind == "clusters":
        X += 2 * rng.standard_normal((count, columns))[rng.integers(0, count, rows)]
    return X


def same_inertia(ours: object, theirs: object) -> bool:
    return abs(ours.inertia_ / theirs.inertia_ - 1) < 1e-6  # type: ignore[attr-defined]


def run(quick: bool) -> list[Entry]:
    entries: list[Entry] = []
    share = 20 if quick else 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for columns, count, steps in ((50, 10, 20), (20, 1000, 10)):
            for kind in ("clusters", "no clusters"):
                X = rows_of(kind, 500_000 // share, columns, count)
                made = {"n_clusters": count, "init": X[:count].copy(), "n_init": 1, "max_iter": steps, "tol": 0}
                entries += contest("k_means", f"KMeans {X.shape[0]} x {columns}, {count} centres, {steps} steps, {kind}",
                                   {who: module and (lambda module=module: module.KMeans(**made).fit(X))
                                    for who, module in entrants("k_means").items()}, same_inertia, 0.3 if quick else 2.0)
    return entries
