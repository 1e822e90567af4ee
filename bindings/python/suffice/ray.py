"""Fits, predictions and measures of Ray's datasets: blocks stay in the object store, and bytes come back.

The same as ``suffice.spark`` and ``suffice.dask``: a block to bytes, bytes merged, a block scored. The order of the blocks
is that of the dataset.
"""
import functools

from suffice import rounds
from suffice.part_comparison import comparison, told
from suffice.scorer import Scorer

LOOK_ROWS = 20_000


def _rows_of(block, place):
    return block.num_rows


def _some_rows(block, place):
    return block.slice(0, LOOK_ROWS)


def _placed(block, place, task):
    return task(place.of(block))


def _measured(block, place, scorer, weight):
    return scorer.measure(block, place.name, weight, 1) if block.num_rows else None


def _by_workers(function, blocks, places, *sent):
    """``function(block, place, *sent)`` of every block, where the engine likes; what is sent is stored once."""
    import ray

    task, stored = ray.remote(function), [ray.put(each) for each in sent]
    return ray.get([task.remote(block, place, *stored) for block, place in zip(blocks, places)])


def _places(blocks):
    """Where the rows of each block lie among all."""
    counts = _by_workers(_rows_of, blocks, blocks)
    if not sum(counts):
        raise ValueError("the dataset has no rows")
    return [rounds.Place(None, f"block {k}", sum(counts[:k]), counts[k]) for k in range(len(blocks))]


def _run(ds, planned):
    """What a plan comes to over a dataset; ``planned(some rows)`` makes it."""
    blocks = ds.to_arrow_refs()
    places = _places(blocks)
    first = next(k for k, place in enumerate(places) if place.count)
    plan = planned(_by_workers(_some_rows, blocks[first:first + 1], places[first:])[0])
    if plan.repeated:
        rounds.align(places, plan.block, _by_workers(_placed, blocks, places, rounds.EndsTask(plan.block)))

    def over(task):
        return [answer for answer in _by_workers(_placed, blocks, places, rounds.PlacedTask(task)) if answer is not None]

    return rounds.run(plan, over)


def fit(ds, target=None, model="naive_bayes", families=None, exclude=(), weight="", seed=0, **settings):
    """Fits a model to a dataset of Ray; names of models and settings are those of ``suffice.fit_files``.

    ``gaussian_mixture`` and ``k_means`` take no target, but ``k`` (and ``covariance``, ``starts``, ``steps``, ``tolerance``).
    """
    return _run(ds, lambda look: rounds.Parts(look, target, model, families, exclude, weight, seed, **settings))


def _widened(table, fields, columns):
    """A block with further columns; ``columns(table)`` computes them."""
    from suffice.scorer import arrow_type

    made = columns(table)
    for (name, kind), values in zip(fields, made):
        table = table.append_column(name, values.cast(arrow_type(kind)))
    return table


def _mapped(ds, fields, columns):
    names = ds.schema().names
    taken = [name for name, _ in fields if name in names]
    if taken:
        raise ValueError(f"the dataset has a column {taken[0]} already; drop or rename it")
    return ds.map_batches(_widened, batch_format="pyarrow", fn_kwargs={"fields": fields, "columns": columns})


def predict(model, ds, proba=True, evidence=False):
    """The dataset with the columns ``prediction`` and ``p(CLASS)`` of every class, and ``log_evidence`` where asked for."""
    scorer = Scorer(model)
    return _mapped(ds, scorer.fields(proba, evidence), functools.partial(scorer.columns, proba=proba, evidence=evidence, threads=1))


def explain(model, ds):
    """The dataset with ``prediction``, ``intercept(CLASS)`` and ``CLASS: COLUMN``, which sum to the log joint of the class."""
    scorer = Scorer(model)
    return _mapped(ds, scorer.explain_fields(), functools.partial(scorer.explain_columns, threads=1))


def evaluate(model, ds, weight=""):
    """The measures of ``suffice.evaluate`` over a dataset that has the target's column, gathered where the rows are."""
    scorer, blocks = Scorer(model), ds.to_arrow_refs()
    found = _by_workers(_measured, blocks, _places(blocks), scorer, weight)
    return scorer.measures(answer for answer in found if answer is not None)


def compare(ds, target, models=None, folds=10, families=None, exclude=(), weight="", seed=0, repeats=1, nested=False, **settings):
    """Cross-validates models over a dataset of Ray, best first, with the keys of ``suffice compare --json``.

    Folds are those that the command deals out under the same seed, whatever the blocks. All models that are sums over
    rows take four rounds together; mixtures and regressions take a round for each of their passes over each fold, and are
    tried where they are named.
    """
    return told(_run(ds, lambda look: comparison(look, target, models, folds, families, exclude, weight, seed, repeats, nested, **settings)))
