"""Models compared over rows that lie in parts: folds and all, by rounds that any engine runs (``suffice.rounds``)."""
import operator

from suffice import rounds


def comparison(look, target, models=None, folds=10, families=None, exclude=(), weight="", seed=0, repeats=1, nested=False, **settings):
    """The plan of a comparison, for ``rounds.run``; ``told`` makes its answer the table."""
    if not target:
        raise ValueError("the column that holds the classes is not named; name it with target")
    names = [models] if isinstance(models, str) else list(models or [])
    unnamed = [type(each).__name__ for each in names if not isinstance(each, str)]
    if unnamed:
        raise TypeError(f"models of rows in parts are told by their names, and {unnamed[0]} is none")
    how = {"models": names, "folds": _count(folds, "folds"), "repeats": _count(repeats, "repeats"), "nested": bool(nested)}
    return rounds.Parts(look, target, families=families, exclude=exclude, weight=weight, seed=seed, compare=how, **settings)


def _count(value, name):
    """A whole number that is not negative; what it may be else, the library says."""
    whole = operator.index(value)
    if not 0 <= whole < 2**32 or (name == "repeats" and whole < 1):
        raise ValueError(f"{name} must be a positive whole number, not {value}")
    return whole


def told(compared):
    """The table as ``suffice.compare`` gives it: best first, a dict where nested choosing was asked for."""
    for each in compared["candidates"]:
        each.pop("fold_log_loss")
    if compared["nested"] is None:
        return compared["candidates"]
    return {"candidates": compared["candidates"], "nested": compared["nested"]}


def compare_parts(readers, target, models=None, folds=10, families=None, exclude=(), weight="", seed=0, repeats=1, nested=False,
                  map=map, **settings):
    """Cross-validates models over parts of rows, best first, with the keys of ``suffice compare --json``.

    Folds are dealt out class by class, as the command deals them under the same seed, whatever the parts. Models that are
    sums over rows take four rounds together; mixtures and regressions, which are tried where they are named, take a round
    for each of their passes over each fold. ``readers`` and ``map`` are those of ``suffice.rounds.fit_parts``.

    >>> import pyarrow as pa
    >>> from suffice.part_comparison import compare_parts
    >>> part = pa.table({"x": [0.0, 0.3, 0.2, 5.0, 5.1, 6.0], "y": ["low", "low", "low", "high", "high", "high"]})
    >>> table = compare_parts([part, part], target="y", models=["gaussian_nb", "priors_only"], folds=3)
    >>> [(each["model"], each["accuracy"]) for each in table]
    [('gaussian_nb', 1.0), ('priors_only', 0.5)]
    """
    readers = list(readers)
    plan = comparison(rounds.look(readers), target, models, folds, families, exclude, weight, seed, repeats, nested, **settings)
    return told(rounds.run_over(readers, plan, map))
