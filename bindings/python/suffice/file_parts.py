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

        made += [ParquetPart(path, group) for group in range(pq.ParquetFile(path).num_row_groups)] or [ParquetPart(path, None)]
    return made


class ParquetPart:
    """A row group of a file, opened anew whenever it is called."""

    def __init__(self, path, group):
        self.name, self._group = path, group

    def _groups(self):
        return [] if self._group is None else [self._group]

    def count_rows(self):
        import pyarrow.parquet as pq

        about = pq.ParquetFile(self.name).metadata
        return sum(about.row_group(group).num_rows for group in self._groups())

    def __call__(self):
        import pyarrow as pa
        import pyarrow.parquet as pq

        file = pq.ParquetFile(self.name)
        return pa.RecordBatchReader.from_batches(file.schema_arrow, file.iter_batches(65_536, row_groups=self._groups()))
