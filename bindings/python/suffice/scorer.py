"""Models as engines send them: bytes, from which whoever has rows makes the model once and scores them."""
import tempfile

from suffice import _core
from suffice.arrow_rows import Rows


def bytes_of(model):
    """A fitted model as the bytes of its file."""
    if isinstance(model, (bytes, bytearray, memoryview)):
        return bytes(model)
    if hasattr(model, "save"):
        with tempfile.NamedTemporaryFile(suffix=".suf") as file:
            model.save(file.name)
            with open(file.name, "rb") as saved:
                return saved.read()
    raise TypeError(f"{type(model).__name__} is no model of suffice")


class Scorer:
    """A model as engines send it: bytes, from which whoever scores makes the model once."""

    def __init__(self, model):
        self._centres = None
        if hasattr(model, "cluster_centers_"):
            names = getattr(model, "feature_names_in_", None)
            if names is None:
                raise ValueError("the k-means model has no names of columns; fit it to a frame")
            self._centres = (model.cluster_centers_, [str(each) for each in names])
            self._data = None
        else:
            self._data = bytes_of(model)
        self._core = None

    def __getstate__(self):
        return {"_centres": self._centres, "_data": self._data, "_core": None}

    @property
    def core(self):
        """The compiled half, made where it is used."""
        if self._core is None:
            self._core = _core.PartScorer(self._data)
        return self._core

    @property
    def groups(self):
        """Whether these are centres, which have no posteriors."""
        return self._centres is not None

    @property
    def integer(self):
        return self.groups or self.core.integer_classes

    @property
    def classes(self):
        return [str(k) for k in range(len(self._centres[0]))] if self.groups else self.core.classes

    def fields(self, proba=True, evidence=False):
        """Names and kinds of what ``columns`` gives: int, str or float."""
        made = [("prediction", "int" if self.integer else "str")]
        if evidence:
            self._need_posteriors("asked for log_evidence")
        if proba and not self.groups:
            made += [(f"p({name})", "float") for name in self.classes]
        return made + ([("log_evidence", "float")] if evidence else [])

    def columns(self, rows, proba=True, evidence=False, name="", threads=0):
        """Arrays of Arrow, one for each of ``fields``."""
        import numpy as np
        import pyarrow as pa

        if self.groups:
            return [pa.array(self._nearest(rows))]
        best, posteriors, density = self.core.score(Rows(rows), name, evidence, threads)
        made = [self._named(best)]
        if proba:
            made += [pa.array(np.ascontiguousarray(posteriors[:, k])) for k in range(len(self.classes))]
        return made + ([pa.array(density)] if evidence else [])

    def explain_fields(self):
        """Names and kinds of what ``explain_columns`` gives."""
        self._need_posteriors("explained")
        made = [("prediction", "int" if self.integer else "str")] + [(f"intercept({name})", "float") for name in self.classes]
        return made + [(f"{name}: {column}", "float") for name in self.classes for column in self.core.columns]

    def explain_columns(self, rows, name="", threads=0):
        """Arrays of Arrow, one for each of ``explain_fields``: terms that sum to the log joint of their class."""
        import numpy as np
        import pyarrow as pa

        best, contributions, intercepts = self.core.explain(Rows(rows), name, threads)
        terms = np.concatenate([intercepts, contributions.reshape(len(best), -1)], axis=1)
        return [self._named(best)] + [pa.array(np.ascontiguousarray(column)) for column in terms.T]

    def measure(self, rows, name="", weight="", threads=0):
        """What some rows measure, as bytes for ``measures``."""
        self._need_posteriors("evaluated")
        return self.core.measure(Rows(rows), name, weight, threads)

    def measures(self, parts):
        """The measures of ``suffice.evaluate`` over all that ``measure`` gave."""
        scores = _core.scores_of_parts(list(parts))
        classes = [int(each) for each in self.classes] if self.integer else self.classes
        if scores["majority"] is not None:
            scores["majority"]["class"] = classes[scores["majority"]["class"]]
        return {**scores, "classes": classes}

    def _need_posteriors(self, what):
        if self.groups:
            raise ValueError(f"k-means has groups and no density, so it cannot be {what}")

    def _named(self, best):
        """The classes of codes."""
        import numpy as np
        import pyarrow as pa

        classes = np.array([int(each) for each in self.classes]) if self.integer else np.array(self.classes, dtype=object)
        return pa.array(classes[best], type=pa.int64() if self.integer else pa.string())

    def _nearest(self, batch):
        import numpy as np

        centres, names = self._centres
        X = np.column_stack([np.asarray(batch.column(name), dtype=np.float64) for name in names])
        return _core.nearest_centres(np.ascontiguousarray(X), np.ascontiguousarray(centres, dtype=np.float64))[0].astype(np.int64)


def arrow_type(kind):
    """The Arrow type of a kind of ``Scorer.fields``."""
    import pyarrow as pa

    return {"int": pa.int64(), "str": pa.string(), "float": pa.float64()}[kind]
