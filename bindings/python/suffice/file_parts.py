"""Files as parts for ``rounds.fit_parts``: whoever has a part opens its file."""


def file_parts(paths):
    """A part for each file, in the order of the names; of Parquet for each row group, so that a large file is shared.

    Parquet goes by Arrow's blocks of rows; other files are read by the library's own readers, which cut them by bytes.
    """
    from suffice import _core

    made = []
    for path in _core.expand_paths(paths):
        if not path.endswith((".parquet", ".pq")):
            made.append([path])
            continue
        import pyarrow.parquet as pq

        about = pq.ParquetFile(path).metadata
        groups = [ParquetPart(path, [group], about.row_group(group).num_rows) for group in range(about.num_row_groups)]
        made += groups or [ParquetPart(path, [], 0)]
    return made


class ParquetPart:
    """A row group of a file, opened anew whenever it is called."""

    def __init__(self, path, groups, row_count):
        self.name, self._groups, self.row_count = path, groups, row_count

    def __call__(self):
        import pyarrow as pa
        import pyarrow.parquet as pq

        file = pq.ParquetFile(self.name)
        return pa.RecordBatchReader.from_batches(file.schema_arrow, file.iter_batches(65_536, row_groups=self._groups))
