"""Kernel densities through Python, ours beside scikit-learn's: exact, and within a bound by a tree."""
import numpy
import sklearn.neighbors

import suffice
from bench.contest import Entry, contest


def same_numbers(allowed: float):  # type: ignore[no-untyped-def]
    return lambda ours, theirs: bool(numpy.abs(numpy.asarray(ours) - numpy.asarray(theirs)).max() < allowed)


def run(quick: bool) -> list[Entry]:
    rng = numpy.random.default_rng(1)
    entries: list[Entry] = []
    share = 20 if quick else 1
    for points, queries, columns, made in ((5_000, 5_000, 3, {}), (20_000, 20_000 // share, 10, {}),
                                           (1_000_000 // share, 10_000 // share, 2, {"rtol": 1e-4})):
        X, at = rng.standard_normal((points, columns)), rng.standard_normal((queries, columns))
        kind = {"bandwidth": "scott", **made}
        ours, theirs = suffice.KernelDensity(**kind).fit(X), sklearn.neighbors.KernelDensity(**kind).fit(X)
        allowed = 3 * made["rtol"] if made else 1e-6  # its own rtol is 1e-8 of a density far from the points
        entries += contest("density", f"KernelDensity {points} x {queries}, {columns} columns{' rtol 1e-4' if made else ''}",
                           {"suffice": lambda: ours.score_samples(at), "scikit-learn": lambda: theirs.score_samples(at)},
                           same_numbers(allowed), 0.5 if quick else 1.0)
    return entries
