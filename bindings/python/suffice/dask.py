"""Fits and predictions of Dask's data frames: partitions stay where they are, and bytes come back.

The same as ``suffice.spark``, in fewer lines, for it has the same three parts: a partition to bytes, bytes merged, a
partition scored.
"""
from suffice import rounds
from suffice.streams import Scorer

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
    from dask import delayed

    parts = df.to_delayed()
    plan = rounds.Parts(_look(parts), target, model, families, exclude, weight, seed, **settings)
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


def _predicted(frame, scorer, proba, evidence):
    import pandas as pd
    import pyarrow as pa

    if not len(frame):
        return frame.assign(**{name: pd.Series(dtype={"int": "int64", "str": "str", "float": "float64"}[kind])
                               for name, kind in scorer.fields(proba, evidence)})
    table = pa.Table.from_pandas(frame, preserve_index=False)
    made = scorer.columns(table if not scorer.groups else table.combine_chunks().to_batches()[0], proba, evidence, threads=1)
    return frame.assign(**{name: values.to_pandas().to_numpy() for (name, _), values in zip(scorer.fields(proba, evidence), made)})


def predict(model, df, proba=True, evidence=False):
    """The frame with the columns ``prediction`` and ``p(CLASS)`` of every class, and ``log_evidence`` where asked for."""
    scorer = Scorer(model)
    meta = _predicted(df._meta, scorer, proba, evidence)
    return df.map_partitions(_predicted, scorer, proba, evidence, meta=meta)


def evaluate(model, df, weight=""):
    """The measures of ``suffice.evaluate`` over a frame that has the target's column, gathered where the rows are."""
    from dask import delayed

    from suffice import _core
    from suffice.streams import Rows

    scorer = Scorer(model)

    def measured(frame, part):
        return scorer.core.measure(Rows(frame), f"partition {part}", weight, 1) if len(frame) else None

    answers = _computed([delayed(measured)(part, k) for k, part in enumerate(df.to_delayed())])
    scores = _core.scores_of_parts([answer for answer in answers if answer is not None])
    classes = [int(each) for each in scorer.classes] if scorer.integer else scorer.classes
    if scores["majority"] is not None:
        scores["majority"]["class"] = classes[scores["majority"]["class"]]
    return {**scores, "classes": classes}
