"""Partitions of Spark's data frames as parts: blocks of rows at fixed places (``suffice.blocks``), packed for further rounds."""
from suffice import blocks

PACKED_ROWS = 65_536  # of a block that is kept for further rounds
MERGED_AT_ONCE = 64  # partitions whose answers the driver takes before executors merge runs of them


PACKED = "rows long, head binary, block binary"


def packed(block):
    """A function for mapInArrow: batches of a partition to rows of (number of rows, the first of them, all as bytes of Arrow).

    The first rows of a partition stand beside it once more: those may belong to a block of ``block`` rows begun before it.
    """

    def pack(batches):
        import pyarrow as pa

        def row(gathered, leading):
            head = blocks.packed_rows(pa.Table.from_batches(gathered).slice(0, block).to_batches()) if leading else None
            return pa.record_batch([pa.array([sum(batch.num_rows for batch in gathered)], pa.int64()), pa.array([head], pa.binary()),
                                    pa.array([blocks.packed_rows(gathered)], pa.binary())], names=["rows", "head", "block"])

        gathered, count, leading = [], 0, True
        for batch in batches:
            gathered.append(batch)
            count += batch.num_rows
            if count >= PACKED_ROWS:
                yield row(gathered, leading)
                gathered, count, leading = [], 0, False
        if count:
            yield row(gathered, leading)

    return pack


def _unpacked(batches):
    import pyarrow as pa

    for batch in batches:
        for block in batch.column("block"):
            yield from pa.ipc.open_stream(block.as_buffer())


def _read(batches):
    """A reader of all batches of a partition; None where there is none."""
    import itertools

    import pyarrow as pa

    first = next(batches, None)
    return None if first is None else pa.RecordBatchReader.from_batches(first.schema, itertools.chain([first], batches))


def _one_row(task):
    """A function for mapInArrow: all batches of a partition to one row of (partition, bytes)."""

    def answer(batches):
        part = _part()
        rows = _read(batches)
        made = None if rows is None else task(rows, f"partition {part}", 0)
        for _ in batches:  # a learner that has seen enough stops early, and Spark ends a worker that leaves rows unread
            pass
        yield _answer_row(part, made)

    return answer


def _part():
    from pyspark import TaskContext

    return TaskContext.get().partitionId()


def _answer_row(part, made):
    import pyarrow as pa

    return pa.record_batch([pa.array([part], pa.int32()), pa.array([made], pa.binary())], names=["part", "bytes"])


PIECE = "first long, span long, bytes binary"


def _piece_table(pieces):
    import pyarrow as pa

    first, span, data = zip(*pieces) if pieces else ((), (), ())
    return pa.table({"first": pa.array(first, pa.int64()), "span": pa.array(span, pa.int64()), "bytes": pa.array(data, pa.binary())})


def _pieces_of_part(task, starts, counts):
    """A function for mapInArrow: all batches of a partition to the pieces that they are."""

    def answer(batches):
        part = _part()
        counted = part < len(starts)
        first, count = (starts[part], counts[part]) if counted else (0, 0)
        yield from _piece_table(blocks.pieces_of(task, batches, f"partition {part}", first, count)).to_batches()

    return answer


def _joined_run(task):
    """A function for applyInArrow: pieces of neighbours to fewer."""

    def join(table):
        return _piece_table(blocks.joined_pieces(task, list(zip(*(table[name].to_pylist() for name in ("first", "span", "bytes"))))))

    return join


def pieces(frame, task):
    """What the partitions are, for ``rounds.Parts.take``."""
    counts = _partition_rows(frame)
    starts = _starts(counts)
    found = frame.mapInArrow(_pieces_of_part(task, starts, counts), PIECE)
    if len(counts) > MERGED_AT_ONCE:
        from pyspark.sql import functions

        run = task.block * -(-sum(counts) // task.block // (len(counts) // 16))  # rows of about 16 partitions
        found = found.groupBy(functions.expr(f"first div {run}")).applyInArrow(_joined_run(task), PIECE)
    return [[(row["first"], row["span"], bytes(row["bytes"])) for row in found.collect()]]


def _partition_rows(frame):
    """How many rows each partition has; no column is read for it where the source need not."""
    from pyspark.sql import functions

    counted = frame.select(functions.spark_partition_id().alias("part")).groupBy("part").count().collect()
    if len(counted) == 1:  # of rows that the driver holds Spark may say so, and give them to several tasks all the same
        return _counted(frame.select(functions.lit(1).alias("rows")))
    rows = {row["part"]: row["count"] for row in counted}
    return [rows.get(part, 0) for part in range(max(rows, default=-1) + 1)]


def _starts(counts):
    starts, total = [], 0
    for count in counts:
        starts.append(total)
        total += count
    return starts


def answers(frame, task):
    """One answer for each partition that has rows, in the order of the partitions."""
    return _in_order(_collected(frame, _one_row(task)))


def _collected(frame, function):
    """What each partition gives that gives anything."""
    rows = frame.mapInArrow(function, "part int, bytes binary").collect()
    return {row["part"]: bytes(row["bytes"]) for row in rows if row["bytes"] is not None}


def _in_order(found):
    return [answer for _, answer in sorted(found.items())]


class Kept:
    """Packed partitions whose rows lie in a file beside each executor too, where round after round finds them.

    To bring rows from the JVM costs more than a pass over them. An executor that has no file (it came later, or its disk
    is full) is given the rows: Spark keeps them. The files lie in the folder that Spark removes with the application.
    """

    def __init__(self, frame, places):
        import uuid

        self._frame, self._places, self._name = frame, places, f"suffice-{uuid.uuid4().hex}"
        self._light = _without_rows(frame)
        self._parts, self._misses = None, 0  # partitions that have rows

    def answers(self, task):
        """One answer for each partition that has rows, in the order of the partitions."""
        if self._parts is None:
            found = self._brought(task, set(range(len(self._places.starts))))
            self._parts = set(found)
            return _in_order(found)
        found = {}
        if self._misses < 2:  # where files are not found again, nobody looks for them
            found = self._light(_from_files(task, self._places.firsts(), self._name))
        found = {part: answer for part, answer in found.items() if part in self._parts and answer != ABSENT}
        absent = self._parts - set(found)
        if absent:
            self._misses += 1
            found.update(self._brought(task, absent))
        return _in_order(found)

    def _brought(self, task, parts):
        return _collected(self._frame, _from_rows(task, self._places, self._name, parts))

    def let_go(self):
        """Removes the files that are still where they were written."""
        try:
            self._light(_removed(self._name))
        except Exception:  # they go with the application
            pass


ABSENT = b""  # in place of an answer: the executor has no file


def _without_rows(frame):
    """A function that runs another one where each partition lies, without its rows: (partition -> what it gives)."""
    light = frame.select("rows")
    try:
        partitions = light.rdd  # planned once for all rounds
    except Exception:  # Spark Connect has none
        return lambda function: _collected(light, _ignoring_rows(function))

    def by_partitions(function):
        def work(rows):
            for _ in rows:
                pass
            return [function()]

        return {part: answer for part, answer in partitions.mapPartitions(work).collect() if answer is not None}

    return by_partitions


def _ignoring_rows(function):
    def work(batches):
        for _ in batches:
            pass
        yield _answer_row(*function())

    return work


def _path(name, part):
    import os
    import tempfile

    from pyspark import SparkFiles

    try:
        folder = SparkFiles.getRootDirectory()
    except Exception:  # a worker that was told none
        folder = None
    return os.path.join(folder or tempfile.gettempdir(), f"{name}-{part}")


def _from_files(task, firsts, name):
    """A function of no rows: (partition, its answer from its file, or ABSENT)."""

    def answer():
        import os

        part = _part()
        path = _path(name, part)
        return part, task(lambda: _opened(path), f"partition {part}", firsts[part]) if os.path.exists(path) else ABSENT

    return answer


def _from_rows(task, places, name, wanted):
    """A function for mapInArrow: rows of a packed partition to (partition, bytes), and into its file on the way."""

    def answer(batches):
        part = _part()
        if part not in wanted:
            for _ in batches:
                pass
            return
        path = _path(name, part)
        rows = _kept_rows(_read(places.rows(part, batches)), path)
        if rows is not None:
            yield _answer_row(part, task(rows, f"partition {part}", places.first(part)))
        for _ in batches:
            pass

    return answer


def _kept_rows(rows, path):
    """The same rows, from the file that they are written into on the way where that can be; None where there are none."""
    import itertools
    import os

    import pyarrow as pa

    if rows is None:
        return None
    own, whole, rest = f"{path}-{os.getpid()}", 0, None  # rest: what the disk did not take
    try:
        file = pa.OSFile(own, "wb")
    except OSError:
        return rows
    try:
        with file, pa.ipc.new_stream(file, rows.schema) as writer:
            for batch in _told(rows):
                rest = batch
                writer.write_batch(batch)
                whole, rest = whole + 1, None
        os.replace(own, path)  # all of it, or not there at all
        return lambda: _opened(path)
    except OSError:  # such as a disk that is full
        taken = itertools.islice(_opened(own), whole) if whole else ()
        left = () if rest is None else (rest,)
        return pa.RecordBatchReader.from_batches(rows.schema, itertools.chain(taken, left, rows, _unlinked(own)))


def _told(rows):
    """The rows; where bringing them fails, that is no failure of the disk."""
    try:
        yield from rows
    except OSError as error:
        raise RuntimeError(f"the rows of a partition could not be brought: {error}") from error


def _unlinked(path):
    import os

    if os.path.exists(path):
        os.unlink(path)
    yield from ()


def _opened(path):
    import pyarrow as pa

    return pa.ipc.open_stream(pa.memory_map(path))


def _removed(name):
    def remove():
        import os

        part = _part()
        if os.path.exists(_path(name, part)):
            os.unlink(_path(name, part))
        return part, None

    return remove


def _counted(held):
    """How many rows each partition of a packed frame has."""

    def count(batches):
        import pyarrow as pa

        rows = sum(sum(batch.column(0).to_pylist()) for batch in batches)
        yield pa.record_batch([pa.array([_part()], pa.int32()), pa.array([rows], pa.int64())],
                              names=["part", "rows"])

    counted = {row["part"]: row["rows"] for row in held.select("rows").mapInArrow(count, "part int, rows long").collect()}
    return [counted.get(part, 0) for part in range(max(counted, default=-1) + 1)]


class _Places:
    """Where the rows of packed partitions lie among all, and which of them a partition takes over from those behind it."""

    def __init__(self, counts, block):
        self.starts, self.counts, self.block = _starts(counts), counts, block
        self.taken = [None] * len(counts)

    def head(self, part):
        return blocks.ends_of(self.starts[part], self.counts[part], self.block)[0]

    def first(self, part):
        return self.starts[part] + self.head(part)

    def firsts(self):
        return [self.first(part) for part in range(len(self.starts))]

    def rows(self, part, batches):
        return blocks.aligned(_unpacked(batches), self.starts[part], self.counts[part], self.block, self.taken[part])

    def settled(self):
        """Of the partitions as ``rows`` gives them."""
        made = _Places([0] * len(self.starts), self.block)
        made.starts = self.firsts()
        return made


def aligned(held, block):
    """(a packed frame, its places): blocks begun in a partition end there, so that bits do not depend on partitions."""
    places = _Places(_counted(held), block)
    parts = range(len(places.starts))
    if not any(places.head(part) for part in parts):
        return held, places

    def head(batches):
        part, made = _part(), None
        for batch in batches:
            leading = batch.column("head")[0] if batch.num_rows else None
            if leading is not None and leading.is_valid and made is None:
                made = blocks.head_of(blocks.unpacked_rows(leading.as_buffer()).to_batches(), places.starts[part], places.counts[part], block)
        yield _answer_row(part, made)

    def cut(batches):
        yield from packed(block)(places.rows(_part(), batches))

    heads = _collected(held.select("rows", "head"), head)
    places.taken = blocks.given_on([heads.get(part) for part in parts], places.starts, places.counts, block)
    if len(parts) <= MERGED_AT_ONCE:  # so few rows are sent with each task
        return held, places
    return held.mapInArrow(cut, PACKED), places.settled()
