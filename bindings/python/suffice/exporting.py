"""Models that leave: as model files, and as ONNX, C and SQL, printed by the library from the bytes of a model file."""
from suffice import _core


class ExportMixin:
    """Of whatever gives ``_file_bytes()``, the model as a file says it."""

    def save(self, path):
        """Writes the model file that the command line and ``suffice.load`` read.

        Parameters
        ----------
        path : str or path-like
            Where the file goes.
        """
        from suffice.estimator import write_file
        from suffice.saved import with_author, with_origin

        write_file(path, with_author(self._author(), with_origin(self, self._file_bytes())))

    def _author(self):
        """Who is told of in the file."""
        return self

    def _kept(self):
        """What must be written beside statistics and parameters to get the same estimator back."""
        return {}

    @classmethod
    def _blank(cls, data):
        """An estimator for the attributes that a file has kept, with what only the file's model says."""
        return cls()

    def to_onnx(self):
        """The model as the bytes of an ONNX file: one input for each column, outputs ``label`` and ``probabilities``."""
        return _core.export_onnx(self._file_bytes())

    def to_c(self, prefix="suffice", type="double"):
        """The model as C99 source without dependencies; its header is part of it.

        ``void PREFIX_posteriors(const double *values, double *posteriors)`` takes the columns in the model's order, NAN
        where one is missing and codes (``PREFIX_level``) of categories; a text is the counts of its words (``PREFIX_word``).
        """
        source, header = _core.export_c(self._file_bytes(), prefix, f"{prefix}.h", type)
        return source.replace(f'#include "{prefix}.h"\n', header)

    def to_sql(self, dialect, table="data"):
        """The model as one SELECT for "duckdb", "sqlite" or "postgresql": all columns, ``prediction``, ``p(CLASS)``."""
        return _core.export_sql(self._file_bytes(), dialect, table)
