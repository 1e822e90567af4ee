"""Fits, predictions and measures of Dask's data frames: partitions stay where they are, and bytes come back.

The same as ``suffice.spark``, in fewer lines, for it has the same three parts: a partition to bytes, bytes merged, a
partition scored.
"""
import functools

from suffice import rounds
from suffice.part_comparison import comparison, told
from suffice.scorer import Scorer

LOOK_ROWS = 20_000


def _answer(frame, task, place):
    return task(place.of(frame))


def _rows_of(frame):
    return len(frame)


def _computed(delayed):
    import dask

    return dask.compute(*delayed)


def _look(parts):
    """Some rows of the first partition that has any."""
    for part in parts:
        frame = _computed([part])[0]
        if len(frame):
            return frame.head(LOOK_ROWS)
    raise ValueError("the data frame has no rows")


def fit(df, target=None, model="naive_bayes", families=None, exclude=(), weight="", seed=0, **settings):
    """Fits a model to a data frame of Dask; names of models and settings are those of ``suffice.fit_files``.

    ``gaussian_mixture`` and ``k_means`` take no target, but ``k`` (and ``covariance``, ``starts``, ``steps``, ``tolerance``).
    Mixtures, k-means and regressions pass over the rows repeatedly: ``df.persist()`` keeps them in the cluster's memory.
    """
    return _run(df, lambda look: rounds.Parts(look, target, model, families, exclude, weight, seed, **settings))


def _run(df, planned):
    """What a plan comes to over a frame; ``planned(some rows)`` makes it."""
    from dask import delayed

    parts = df.to_delayed()
    plan = planned(_look(parts))
    counts = _computed([delayed(_rows_of)(part) for part in df.index.to_delayed()])
    places = [rounds.Place(None, f"partition {k}", sum(counts[:k]), counts[k]) for k in range(len(parts))]

    def by_workers(function):
        sent = delayed(function, pure=False)
        return _computed([delayed(_answer)(part, sent, place) for part, place in zip(parts, places)])

    if plan.repeated:
        rounds.align(places, plan.block, by_workers(rounds.EndsTask(plan.block)))

    def over(task):
        return [answer for answer in by_workers(rounds.PlacedTask(task)) if answer is not None]

    return rounds.run(plan, over)


def _widened(frame, fields, columns):
    """The frame with further columns; ``columns(table)`` computes them."""
    import pandas as pd
    import pyarrow as pa

    taken = [name for name, _ in fields if name in frame.columns]
    if taken:
        raise ValueError(f"the frame has a column {taken[0]} already; drop or rename it")
    if not len(frame):
        return frame.assign(**{name: pd.Series(dtype={"int": "int64", "str": "str", "float": "float64"}[kind]) for name, kind in fields})
    made = columns(pa.Table.from_pandas(frame, preserve_index=False))
    return frame.assign(**{name: values.to_pandas().to_numpy() for (name, _), values in zip(fields, made)})


def _mapped(df, fields, columns):
    return df.map_partitions(_widened, fields, columns, meta=_widened(df._meta, fields, columns))


def predict(model, df, proba=True, evidence=False):
    """The frame with the columns ``prediction`` and ``p(CLASS)`` of every class, and ``log_evidence`` where asked for."""
    scorer = Scorer(model)
    return _mapped(df, scorer.fields(proba, evidence), functools.partial(scorer.columns, proba=proba, evidence=evidence, threads=1))


def explain(model, df):
    """The frame with ``prediction``, ``intercept(CLASS)`` and ``CLASS: COLUMN``, which sum to the log joint of the class."""
    scorer = Scorer(model)
    return _mapped(df, scorer.explain_fields(), functools.partial(scorer.explain_columns, threads=1))


def evaluate(model, df, weight=""):
    """The measures of ``suffice.evaluate`` over a frame that has the target's column, gathered where the rows are."""
    from dask import delayed

    scorer = Scorer(model)

    def measured(frame, part):
        return scorer.measure(frame, f"partition {part}", weight, 1) if len(frame) else None

    answers = _computed([delayed(measured)(part, k) for k, part in enumerate(df.to_delayed())])
    return scorer.measures(answer for answer in answers if answer is not None)


def compare(df, target, models=None, folds=10, families=None, exclude=(), weight="", seed=0, repeats=1, nested=False, **settings):
    """Cross-validates models over a frame of Dask, best first, with the keys of ``suffice compare --json``.

    Folds are those that the command deals out under the same seed, whatever the partitions. All models that are sums over
    rows take four rounds together; mixtures and regressions take a round for each of their passes over each fold, and are
    tried where they are named.
    """
    return told(_run(df, lambda look: comparison(look, target, models, folds, families, exclude, weight, seed, repeats, nested, **settings)))
