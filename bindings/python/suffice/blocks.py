"""Parts of rows cut at fixed places, so that their sums have the same bits however the parts were cut.

Rows are numbered through all parts, and a block is so many rows that follow each other from a multiple of that number. A
block has a statistic of its own, and statistics are added in a tree whose form depends on the number of blocks alone. Of
a part that begins or ends inside a block, those rows (some hundred KB) travel to where the block is put together.
"""
from suffice import _core

ROWS = -1  # of a piece that is rows and no sum


def ends_of(first, count, block):
    """(rows before the first block that begins in the part, rows behind the last one that ends in it)."""
    head = min(-first % block, count)
    return head, (count - head) % block


class Middle:
    """Batches of a part without its ends, which are kept: read it to its end first."""

    def __init__(self, batches, first, count, block):
        self._batches = batches
        self._head, tail = ends_of(first, count, block)
        self._stop, self._count = count - tail, count
        self.head, self.tail = [], []

    def __iter__(self):
        at = 0
        for batch in self._batches:
            end = at + batch.num_rows
            if at < self._head:
                self.head.append(batch.slice(0, self._head - at))
            start, stop = max(at, self._head), min(end, self._stop)
            if start < stop:
                yield batch.slice(start - at, stop - start)
            start, stop = max(at, self._stop), min(end, self._count)
            if start < stop:
                self.tail.append(batch.slice(start - at, stop - start))
            if end > self._count:  # more than were counted: summed all the same, if not by the same bits
                yield batch.slice(max(self._count - at, 0))
            at = end


def packed_rows(batches):
    """Batches of one schema as bytes."""
    import pyarrow as pa

    sink = pa.BufferOutputStream()
    table = pa.Table.from_batches(batches).combine_chunks()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue().to_pybytes()


def unpacked_rows(data):
    import pyarrow as pa

    return pa.ipc.open_stream(data).read_all()


def pieces_of(task, batches, name, first, count):
    """What a part of so many rows is: (first row, rows, statistics) of its blocks, (first row, ROWS, rows) of its ends.

    ``batches`` is an iterable of record batches; ``task`` a ``rounds.SumTask``.
    """
    import itertools

    import pyarrow as pa

    batches = iter(batches)
    leading = next(batches, None)
    if leading is None:
        return []
    middle = Middle(itertools.chain([leading], batches), first, count, task.block)
    head, tail = ends_of(first, count, task.block)
    pieces = task.sums(pa.RecordBatchReader.from_batches(leading.schema, iter(middle)), name, first + head)
    for start, rows in ((first, middle.head), (first + count - tail, middle.tail)):
        if rows:
            task(pa.Table.from_batches(rows), name)  # what is wrong with them is told by the name of their part
            pieces.append((start, ROWS, packed_rows(rows)))
    return pieces


def joined_pieces(task, pieces, last=False):
    """Pieces with neighbours merged and with blocks summed whose rows are all there; at last all of them are."""
    sums, ends = [piece for piece in pieces if piece[1] != ROWS], {}
    for piece in sorted((piece for piece in pieces if piece[1] == ROWS), key=lambda piece: piece[0]):
        ends.setdefault(piece[0] // task.block, []).append(piece)
    left = []
    for block in sorted(ends):
        tables = [unpacked_rows(data) for _, _, data in ends[block]]
        if last or sum(table.num_rows for table in tables) == task.block:
            sums += _sums_of_block(task, tables, ends[block])
        else:
            left += ends[block]
    return list(_core.merge_sums(sums)) + left


def _sums_of_block(task, tables, ends):
    whole = one_table(tables)
    if whole is not None:
        return task.sums(whole, "", ends[0][0])
    return [sum_ for table, (first, _, _) in zip(tables, ends) for sum_ in task.sums(table, "", first)]


def one_table(tables):
    """Tables behind each other; None where their columns have kinds that do not go together."""
    import pyarrow as pa

    try:
        return pa.concat_tables(tables, promote_options="permissive")
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError):
        return None


def given_on(ends, starts, counts, block):
    """What each part takes over from the parts behind it to end its last block, as bytes or None.

    ``ends``: for each part the bytes of its first rows, which belong to a block begun before it, or None.
    """
    taken = [None] * len(starts)
    for part, data in enumerate(ends):
        if data is None:
            continue
        begun = starts[part] // block * block
        owner = max(k for k in range(len(starts)) if counts[k] and starts[k] <= begun)
        taken[owner] = (taken[owner] or []) + [data]
    return taken


def head_of(batches, first, count, block):
    """The rows of a part that belong to a block begun before it, as bytes, or None."""
    head, _ = ends_of(first, count, block)
    rows, at = [], 0
    for batch in batches:
        if at < head:
            rows.append(batch.slice(0, head - at))
        at += batch.num_rows
    return packed_rows(rows) if rows else None


def aligned(batches, first, count, block, taken):
    """Batches of the blocks that begin in a part: without its head, with what it takes over."""
    head, _ = ends_of(first, count, block)
    at, kept = 0, False
    for batch in batches:
        if at + batch.num_rows > head:
            kept = True
            yield batch.slice(max(head - at, 0))
        at += batch.num_rows
    for data in (taken or []) if kept else []:
        yield from unpacked_rows(data).to_batches()
