"""Kernel densities through Python, ours beside scikit-learn's: exact, and within a bound by a tree."""
import numpy
import scipy.special

from bench.contest import Entry, contest, entrants


def check_ours(X: numpy.ndarray, at: numpy.ndarray, bandwidth: float, ours: numpy.ndarray, allowed: float) -> None:
    """Against the sum written out, at the queries farthest from the middle and at some others."""
    chosen = numpy.r_[numpy.argsort((at**2).sum(axis=1))[-20:], :20]
    squares = ((at[chosen, None, :] - X[None, :, :]) ** 2).sum(axis=2) / bandwidth**2
    constant = numpy.log(len(X)) + X.shape[1] * numpy.log(bandwidth * numpy.sqrt(2 * numpy.pi))
    off = numpy.abs(scipy.special.logsumexp(-squares / 2, axis=1) - constant - ours[chosen]).max()
    if off > allowed:
        raise ValueError(f"our log densities are off by {off}")


def same_numbers(allowed: float):  # type: ignore[no-untyped-def]
    """For 99 of 100 queries: far from all points scikit-learn's trees lose digits, with rtol=0 too; check_ours holds there."""
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
        ours = models["suffice"]
        check_ours(X, at, ours.bandwidth_, ours.score_samples(at), 3 * made["rtol"] if made else 1e-9)
        entries += contest("density", f"KernelDensity {points} x {queries}, {columns} columns{' rtol 1e-4' if made else ''}",
                           {who: model and (lambda model=model: model.score_samples(at)) for who, model in models.items()},
                           same_numbers(allowed), 0.3 if quick else 1.0, least_rounds=2)
    return entries
