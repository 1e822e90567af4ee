"""Fits to rows that lie in parts, whoever has them: an engine runs a function over every part and brings bytes back."""
import numpy as np

from suffice import _core
from suffice.streams import Rows, job_of, plan_of

GROUPS = {"gaussian_mixture": "gaussian_mixture", "gmm": "gaussian_mixture", "mixture": "mixture", "k_means": "k_means",
          "kmeans": "k_means"}
_GROUP_SETTINGS = ("k", "covariance", "starts", "steps", "tolerance", "hard")


class Parts:
    """A fit over parts: what to ask each part, and what to do with the answers.

    ``look`` is a table with some of the rows, which decides the kinds of the columns for all parts.
    """

    def __init__(self, look, target, model="naive_bayes", families=None, exclude=(), weight="", seed=0, **settings):
        groups = GROUPS.get(model)
        own = {name: settings.pop(name) for name in _GROUP_SETTINGS if groups and name in settings}
        job = job_of(target, model, families, exclude, weight, settings)
        if groups:
            if target:
                raise _core.UsageError(f"{model} looks for groups that nobody has named, so it takes no target")
            job["groups"] = {"model": groups, **{name: _plain(value) for name, value in own.items()}}
            job["model"] = "gaussian_nb"
        elif not target:
            raise _core.UsageError("the column that holds the classes is not named; name it with target")
        job["seed"] = int(seed)
        self.blank, self.job = plan_of(_given(look), job)
        self.repeated = _core.takes_passes(self.job)
        self.log = []

    def task(self):
        """What a part is asked now: a function of (rows, its name, rows of the parts before it) that gives bytes."""
        return RoundTask(self.blank, self.job, self.log) if self.repeated else SumTask(self.blank, self.job)

    def take(self, answers):
        """The answers of all parts, in their order; the model where they were the last, else None."""
        from suffice.streams import merge_bytes, model_from_bytes

        if not self.repeated:
            return model_from_bytes(merge_bytes(answers))
        added, ended = _core.lead_round(self.blank, self.job, self.log, list(answers))
        self.log = self.log + list(added)
        return None if ended is None else _ended(ended, self.job, self.blank)


class SumTask:
    """The statistics of a part; a run of neighbours may be merged by ``streams.merge_bytes``."""

    def __init__(self, blank, job):
        self.blank, self.job = blank, job

    def __call__(self, rows, name="", first_row=0, threads=1):
        return _core.part_statistics(self.blank, _given(rows), self.job, name, threads)


class RoundTask:
    """What a part adds to one round of a fit by repeated passes."""

    def __init__(self, blank, job, log):
        self.blank, self.job, self.log = blank, job, log

    def __call__(self, rows, name="", first_row=0, threads=1):
        return _core.part_round(self.blank, self.job, self.log, _given(rows), first_row, name, threads)


def _given(rows):
    return rows if isinstance(rows, list) and all(isinstance(each, str) for each in rows) else Rows(rows)


def _plain(value):
    return value.item() if isinstance(value, np.generic) else value


def _ended(ended, job, blank):
    from suffice.estimator import say
    from suffice.loaded import fitted_model

    model, _, groups = ended
    say((groups or {}).get("notes", []))
    if model is None:
        return _centres(groups, [name for name, *_ in _core.State.from_file(blank).columns])
    state, notes = model
    if groups is None:
        say(notes)
    return fitted_model(state)


def _centres(groups, names):
    """k-means as scikit-learn has it, without the labels of rows that are elsewhere."""
    from suffice.cluster import KMeans

    made = KMeans(n_clusters=len(groups["centres"]))
    made.cluster_centers_ = groups["centres"]
    made.inertia_, made.n_iter_ = groups["objective"], int(groups["steps"])
    made.n_features_in_ = len(names)
    made.feature_names_in_ = np.array(names, dtype=object)
    made._n_threads = 1
    return made


def run(parts, over):
    """Asks until the fit ends. ``over(task)`` runs a task over every part and gives the answers in the parts' order."""
    if parts.repeated:
        model = parts.take([])  # whoever leads begins
        while model is None:
            model = parts.take(over(parts.task()))
        return model
    return parts.take(over(parts.task()))


def fit_parts(readers, target=None, model="naive_bayes", families=None, exclude=(), weight="", seed=0, map=map, **settings):
    """Fits a model to parts of rows by any engine that has a ``map``: a pool of processes, joblib, MPI, Ray.

    ``readers``: for each part a table, a list of paths of files, or a function that opens it. ``map(function, items)`` gives
    the results in the order of the items. Models of one pass take one round, others a round for each pass; the result is
    that of a fit to all rows in one place. The first part that has rows is looked at for the kinds of the columns.

    >>> import pyarrow as pa
    >>> from suffice.rounds import fit_parts
    >>> parts = [pa.table({"x": [0.0, 5.0], "y": ["low", "high"]}), pa.table({"x": [1.0, 6.0], "y": ["low", "high"]})]
    >>> fit_parts(parts, target="y", model="gaussian_nb").theta_.ravel().tolist()
    [5.5, 0.5]
    """
    readers = list(readers)
    if not readers:
        raise ValueError("there are no parts to fit")
    plan = Parts(_first_with_rows(readers), target, model, families, exclude, weight, seed, **settings)
    starts = np.concatenate([[0], np.cumsum(list(map(count_rows, readers)))[:-1]]).tolist() if plan.repeated else [0] * len(readers)
    places = [(reader, f"part {k + 1}", first) for k, (reader, first) in enumerate(zip(readers, starts))]
    return run(plan, lambda task: list(map(PlacedTask(task), places)))


class PlacedTask:
    """A task over (rows, name, first row), for engines that map functions of one argument."""

    def __init__(self, task):
        self.task = task

    def __call__(self, place):
        return self.task(*place)


def count_rows(rows):
    """How many rows a part has."""
    if isinstance(rows, list) and rows and isinstance(rows[0], str):
        return sum(_core.count_rows([each]) for each in rows)
    return sum(batch.num_rows for batch in Rows(rows).reader())


def _first_with_rows(readers):
    for rows in readers:
        if isinstance(rows, list) and rows and isinstance(rows[0], str):
            return rows
        reader = Rows(rows).reader()
        batches = []
        for batch in reader:
            batches.append(batch)
            if sum(each.num_rows for each in batches) >= 20_000:
                break
        if sum(each.num_rows for each in batches):
            import pyarrow as pa

            return pa.Table.from_batches(batches)
    return readers[0]
