"""Kernel densities through Python, ours beside scikit-learn's: exact, and within a bound by a tree."""
import numpy

from bench.contest import Entry, contest, entrants


def same_numbers(allowed: float):  # type: ignore[no-untyped-def]
    """For 99 of 100 queries: far from all points scikit-learn's default answer is off by up to 0.2 (SciPy's is ours)."""
    return lambda ours, theirs: bool(numpy.quantile(numpy.abs(numpy.asarray(ours) - numpy.asarray(theirs)), 0.99) < allowed)


def run(quick: bool) -> list[Entry]:
    rng = numpy.random.default_rng(1)
    entries: list[Entry] = []
    share = 20 if quick else 1
    for points, queries, columns, made in ((5_000, 5_000, 3, {}), (20_000, 20_000 // share, 10, {}),
                                           (1_000_000 // share, 10_000 // share, 2, {"rtol": 1e-4})):
        X, at = rng.standard_normal((points, columns)), rng.standard_normal((queries, columns))
        kind = {"bandwidth": "scott", **made}
        models = {who: module and module.KernelDensity(**kind).fit(X) for who, module in entrants("density").items()}
        allowed = 3 * made["rtol"] if made else 1e-6
        entries += contest("density", f"KernelDensity {points} x {queries}, {columns} columns{' rtol 1e-4' if made else ''}",
                           {who: model and (lambda model=model: model.score_samples(at)) for who, model in models.items()},
                           same_numbers(allowed), 0.3 if quick else 1.0, least_rounds=2)
    return entries
