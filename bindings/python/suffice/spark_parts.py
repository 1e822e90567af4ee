"""Partitions of Spark's data frames as parts: blocks of rows at fixed places (``suffice.blocks``), packed for further rounds."""
from suffice import blocks

PACKED_ROWS = 65_536  # of a block that is kept for further rounds
MERGED_AT_ONCE = 64  # partitions whose answers the driver takes before executors merge runs of them


def packed(batches):
    """Batches of a partition to rows of (number of rows, bytes of Arrow)."""
    import pyarrow as pa

    def block(gathered):
        rows = sum(batch.num_rows for batch in gathered)
        return pa.record_batch([pa.array([rows], pa.int64()), pa.array([blocks.packed_rows(gathered)], pa.binary())], names=["rows", "block"])

    gathered, count = [], 0
    for batch in batches:
        gathered.append(batch)
        count += batch.num_rows
        if count >= PACKED_ROWS:
            yield block(gathered)
            gathered, count = [], 0
    if count:
        yield block(gathered)


def _unpacked(batches):
    import pyarrow as pa

    for batch in batches:
        for block in batch.column(1):
            yield from pa.ipc.open_stream(block.as_buffer())


def _read(batches):
    """A reader of all batches of a partition; None where there is none."""
    import itertools

    import pyarrow as pa

    first = next(batches, None)
    return None if first is None else pa.RecordBatchReader.from_batches(first.schema, itertools.chain([first], batches))


def _one_row(task, places=None):
    """A function for mapInArrow: all batches of a partition to one row of (partition, bytes). With places they are packed."""

    def answer(batches):
        import pyarrow as pa
        from pyspark import TaskContext

        part = TaskContext.get().partitionId()
        given = places.rows(part, batches) if places else batches
        rows = _read(given)
        made = None if rows is None else task(rows, f"partition {part}", places.first(part) if places else 0)
        for _ in given:  # a learner that has seen enough stops early, and Spark ends a worker that leaves rows unread
            pass
        yield pa.record_batch([pa.array([part], pa.int32()), pa.array([made], pa.binary())], names=["part", "bytes"])

    return answer


PIECE = "first long, span long, bytes binary"


def _piece_table(pieces):
    import pyarrow as pa

    first, span, data = zip(*pieces) if pieces else ((), (), ())
    return pa.table({"first": pa.array(first, pa.int64()), "span": pa.array(span, pa.int64()), "bytes": pa.array(data, pa.binary())})


def _pieces_of_part(task, starts, counts):
    """A function for mapInArrow: all batches of a partition to the pieces that they are."""

    def answer(batches):
        from pyspark import TaskContext

        part = TaskContext.get().partitionId()
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


def answers(frame, task, places=None):
    """One answer for each partition that has rows, in the order of the partitions."""
    answered = frame.mapInArrow(_one_row(task, places), "part int, bytes binary").collect()
    found = {row["part"]: bytes(row["bytes"]) for row in answered if row["bytes"] is not None}
    return [answer for _, answer in sorted(found.items())]


def _counted(held):
    """How many rows each partition of a packed frame has."""

    def count(batches):
        import pyarrow as pa
        from pyspark import TaskContext

        rows = sum(sum(batch.column(0).to_pylist()) for batch in batches)
        yield pa.record_batch([pa.array([TaskContext.get().partitionId()], pa.int32()), pa.array([rows], pa.int64())],
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

    def rows(self, part, batches):
        return blocks.aligned(_unpacked(batches), self.starts[part], self.counts[part], self.block, self.taken[part])

    def settled(self):
        """Of the partitions as ``rows`` gives them."""
        made = _Places([0] * len(self.starts), self.block)
        made.starts = [self.first(part) for part in range(len(self.starts))]
        return made


def aligned(held, block):
    """(a packed frame, its places): blocks begun in a partition end there, so that bits do not depend on partitions."""
    places = _Places(_counted(held), block)
    parts = range(len(places.starts))
    if not any(places.head(part) for part in parts):
        return held, places

    def head(batches):
        import pyarrow as pa
        from pyspark import TaskContext

        part = TaskContext.get().partitionId()
        made = blocks.head_of(_unpacked(batches), places.starts[part], places.counts[part], block)
        yield pa.record_batch([pa.array([part], pa.int32()), pa.array([made], pa.binary())], names=["part", "bytes"])

    def cut(batches):
        from pyspark import TaskContext

        yield from packed(places.rows(TaskContext.get().partitionId(), batches))

    heads = {row["part"]: row["bytes"] for row in held.mapInArrow(head, "part int, bytes binary").collect()}
    places.taken = blocks.given_on([heads.get(part) and bytes(heads[part]) for part in parts], places.starts, places.counts, block)
    if len(parts) <= MERGED_AT_ONCE:  # so few rows are sent with each task
        return held, places
    return held.mapInArrow(cut, "rows long, block binary"), places.settled()
