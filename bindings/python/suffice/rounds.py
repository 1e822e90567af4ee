"""Fits to rows that lie in parts, whoever has them: an engine runs a function over every part and brings bytes back."""
import copy

import numpy as np

from suffice import _core, blocks
from suffice.streams import Rows, job_of, model_from_bytes, plan_of

GROUPS = {"gaussian_mixture": "gaussian_mixture", "gmm": "gaussian_mixture", "mixture": "mixture", "k_means": "k_means",
          "kmeans": "k_means"}
_GROUP_SETTINGS = ("k", "covariance", "starts", "steps", "tolerance", "hard")


class Parts:
    """A fit over parts: what to ask each part, and what to do with the answers.

    ``look`` is a table with some of the rows, which decides the kinds of the columns for all parts. ``compare``: models
    are compared (``suffice.part_comparison``).
    """

    def __init__(self, look, target, model="naive_bayes", families=None, exclude=(), weight="", seed=0, compare=None, **settings):
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
        if compare is not None:
            job["compare"] = compare
        self.blank, self.job = plan_of(_given(look), job)
        self.block = 0 if _are_paths(look) else _core.stream_block_rows(len(Rows(look).reader().schema))
        self.repeated = _core.takes_passes(self.job)
        self.log = []

    def task(self):
        """What a part is asked now: ``RoundTask``, which gives bytes, or ``SumTask``, by which ``blocks.pieces_of`` gives pieces."""
        return RoundTask(self.blank, self.job, self.log) if self.repeated else SumTask(self.blank, self.job, self.block)

    def take(self, answers):
        """The answers of all parts (bytes, or lists of pieces); the model where they were the last, else None."""
        if not self.repeated:
            pieces = blocks.joined_pieces(self.task(), [piece for answer in answers for piece in answer], last=True)
            return model_from_bytes(_core.merge_all_sums(pieces))
        # Who leads has no rows: on a machine that is busy, a second thread is waited for longer than it computes.
        added, ended = _core.lead_round(self.blank, self.job, self.log, list(answers), 1)
        self.log = self.log + list(added)
        return None if ended is None else _ended(ended, self.job, self.blank)


class SumTask:
    """The statistics of rows: of all of them, or of the blocks of ``block`` rows that they are."""

    def __init__(self, blank, job, block):
        self.blank, self.job, self.block = blank, job, block

    def __call__(self, rows, name="", threads=1):
        return _core.part_statistics(self.blank, _given(rows), self.job, name, threads)

    def sums(self, rows, name="", first_row=0, threads=1):
        return list(_core.part_sums(self.blank, _given(rows), first_row, self.job, name, threads))


class RoundTask:
    """What a part adds to one round of a fit by repeated passes."""

    def __init__(self, blank, job, log):
        self.blank, self.job, self.log = blank, job, log

    def __call__(self, rows, name="", first_row=0, threads=1):
        return _core.part_round(self.blank, self.job, self.log, _given(rows), first_row, name, threads)


def _are_paths(rows):
    return isinstance(rows, list) and bool(rows) and all(isinstance(each, str) for each in rows)


def _given(rows):
    return rows if _are_paths(rows) else Rows(rows)


def _plain(value):
    return value.item() if isinstance(value, np.generic) else value


def _ended(ended, job, blank):
    from suffice.estimator import say
    from suffice.loaded import fitted_model

    model, groups, compared = ended
    say((groups or compared or {}).get("notes", []))
    if compared is not None:
        return compared
    if model is None:
        return _centres(groups, [name for name, *_ in _core.State.from_file(blank).columns])
    state, notes = model
    if groups is None:
        say(notes)
    fitted = fitted_model(state)
    if groups is not None and hasattr(fitted, "n_iter_"):
        fitted.n_iter_ = int(groups["steps"])
    return fitted


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
    return run_over(readers, Parts(look(readers), target, model, families, exclude, weight, seed, **settings), map)


def run_over(readers, plan, map=map):
    """What the plan comes to over the parts that readers open."""
    places = _places(readers, plan, map)
    return run(plan, lambda task: [answer for answer in map(PlacedTask(task), places) if answer is not None])


class Place:
    """A part: its rows, and where they lie among all."""

    def __init__(self, rows, name, first, count):
        self.rows, self.first, self.count = rows, first, count
        self.name = getattr(rows, "name", None) or name
        self.block, self.taken = 0, None  # of repeated passes: rows of blocks, bytes of the rows that it takes over

    def of(self, rows):
        """The same place with rows that came later."""
        made = copy.copy(self)
        made.rows = rows
        return made

    def batches(self):
        """Of the blocks that begin in the part."""
        import pyarrow as pa

        reader = Rows(self.rows).reader()
        return pa.RecordBatchReader.from_batches(reader.schema, blocks.aligned(reader, self.first, self.count, self.block, self.taken))


def _places(readers, plan, map):
    if any(_are_paths(reader) for reader in readers):
        plan.block = 0  # our own readers cut files by their bytes
    if not plan.block and not plan.repeated:
        return [Place(reader, f"part {k + 1}", k, 0) for k, reader in enumerate(readers)]
    counts = [getattr(reader, "row_count", None) for reader in readers]  # of parts that were counted when they were made
    if None in counts:
        counts = list(map(count_rows, readers))
    starts = [0, *np.cumsum(counts).tolist()][:-1]
    places = [Place(reader, f"part {k + 1}", first, count) for k, (reader, first, count) in enumerate(zip(readers, starts, counts))]
    if not plan.block or not plan.repeated:
        return places
    align(places, plan.block, list(map(EndsTask(plan.block), places)))
    return places


def align(places, block, ends):
    """Gives each place the rows that end its last block; ``ends`` are what ``EndsTask`` has given for each."""
    heads = [head for head, _ in ends]
    schemas = [schema for place, (_, schema) in zip(places, ends) if place.count]
    if not all(schema.equals(schemas[0]) for schema in schemas):
        return  # rows cannot go from one part to another: blocks stay cut as the parts are
    taken = blocks.given_on(heads, [place.first for place in places], [place.count for place in places], block)
    for place, more in zip(places, taken):
        place.block, place.taken = block, more


class EndsTask:
    """(The rows of a part that belong to a block begun before it, its schema)."""

    def __init__(self, block):
        self.block = block

    def __call__(self, place):
        reader = Rows(place.rows).reader()
        return blocks.head_of(reader, place.first, place.count, self.block), reader.schema


class PlacedTask:
    """A task over a ``Place``, for engines that map functions of one argument."""

    def __init__(self, task):
        self.task = task

    def __call__(self, place):
        if isinstance(self.task, SumTask):
            if not self.task.block:
                return self.task.sums(place.rows, place.name, place.first)
            return blocks.pieces_of(self.task, Rows(place.rows).reader(), place.name, place.first, place.count)
        if not place.block:
            return self.task(place.rows, place.name, place.first)
        head, _ = blocks.ends_of(place.first, place.count, place.block)
        return self.task(place.batches, place.name, place.first + head) if head < place.count else None


def count_rows(rows):
    """How many rows a part has."""
    if _are_paths(rows):
        return sum(_core.count_rows([each]) for each in rows)
    if hasattr(rows, "num_rows"):
        return rows.num_rows
    if hasattr(rows, "count_rows"):  # a dataset
        return rows.count_rows()
    return sum(batch.num_rows for batch in Rows(rows).reader())


def look(readers):
    """Some rows of the first part that has any."""
    if not readers:
        raise ValueError("there are no parts to fit")
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
