"""A Parquet file of twenty numbers and a class to a fitted Gaussian naive Bayes, plain and compressed."""
import pathlib
import tempfile

import numpy
import pyarrow
import pyarrow.parquet

from bench.classifiers.task import gaussian_rows
from bench.contest import Entry, contest, entrants


def write(path: pathlib.Path, row_count: int, compression: str) -> int:
    """Returns the bytes of the numbers themselves: a rate counts these, whatever the file's size."""
    X, y = gaussian_rows(row_count, 20, 2)
    columns = {f"x{k}": X[:, k] for k in range(X.shape[1])}
    pyarrow.parquet.write_table(pyarrow.table({**columns, "kind": y}), path, compression=compression, use_dictionary=False)
    return X.nbytes + y.nbytes


def run(quick: bool) -> list[Entry]:
    entries: list[Entry] = []
    row_count = 100_000 if quick else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        for compression in ("none", "zstd"):
            path = pathlib.Path(folder) / f"{compression}.parquet"
            size = write(path, row_count, compression)
            timed = contest("parquet", f"{row_count} x 21, compression {compression}",
                            {who: module and (lambda module=module: module.numbers(path)) for who, module in entrants("parquet").items()},
                            lambda ours, theirs: numpy.allclose(ours(), theirs, rtol=1e-9), 0.3 if quick else 2.0, bytes=size)
            for entry in timed:
                entry.note = entry.note or f"{size / entry.seconds / 1e9:.3g} GB/s"
            entries += timed
    return entries
