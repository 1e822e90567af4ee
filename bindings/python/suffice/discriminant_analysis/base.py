"""Rows into class scatters, and what both discriminant analyses make of them."""
import numpy as np
from scipy import linalg
from sklearn.utils.validation import check_is_fitted

from suffice import _core, inputs
from suffice.stated import StatedMixin, log, numbers
from suffice.statistics import Statistics, class_names


def shrunk(covariance, shrinkage):
    """Toward trace/d times the identity."""
    if not shrinkage:
        return covariance
    dimension = covariance.shape[0]
    mixed = (1.0 - shrinkage) * covariance
    mixed.flat[:: dimension + 1] += shrinkage * np.trace(covariance) / dimension
    return mixed


def above(matrix, bound):
    """Are all eigenvalues above it? By Cholesky's factor of the difference, at a small part of what they would take."""
    lowered = np.array(matrix, dtype=np.float64)
    lowered.flat[:: len(lowered) + 1] -= bound
    try:
        linalg.cholesky(lowered, lower=True, overwrite_a=True, check_finite=False)
    except linalg.LinAlgError:
        return False
    return True


def covariance_of_rows(X, shrinkage, covariance_estimator):
    """Covariances that the classes' statistics do not determine: of all rows together, and of a user's own estimator."""
    if covariance_estimator is None:
        columns = [(f"x{k}", "number", [], 0) for k in range(X.shape[1])]
        rule = {"shrinkage": shrinkage, "units": "raw"}
        one = Statistics.blank("quadratic_discriminant", columns, [0], "per_class", rule)
        seen = one.feed(inputs.lend(X), np.zeros(len(X), dtype=np.int32))
        return seen.model("quadratic_discriminant", {"estimate": "likelihood", **rule}).covariances()[0][1]
    if shrinkage is not None and shrinkage != 0:
        raise ValueError(
            "covariance_estimator and shrinkage parameters are not None. Only one of the two can be set.")
    covariance_estimator.fit(X)
    if not hasattr(covariance_estimator, "covariance_"):
        raise ValueError(f"{type(covariance_estimator).__name__} does not have a covariance_ attribute")
    return np.atleast_2d(covariance_estimator.covariance_)


class DiscriminantMixin(StatedMixin):
    """Reading rows into class scatters, the same for both."""

    _least_rows = 1
    _too_little: Exception | None = None
    _weighted = False
    _rows_seen = 0
    _of_rows = None  # covariances that the sums over rows do not determine

    def _read(self, X, y, reset):
        return inputs.rows_and_labels(self, X, y, reset=reset, min_rows=self._least_rows)

    def _needs_rows(self):
        """Does the covariance need more than the scatter?"""
        return self.covariance_estimator is not None

    def _gather(self, X, codes, weight, seen):
        if seen is None:
            rule = {"shrinkage": "auto"} if self.shrinkage == "auto" and not self._needs_rows() else {}
            seen = Statistics.blank(self._name, inputs.number_columns(self), self.classes_, self._keep(), rule)
        seen = seen.feed(X, codes, weight)
        part = seen._state.parts()[0]
        if part["refused"] or not part["complete"]:
            inputs.refuse_holes(self, X)
        return seen

    def _keep(self):
        return "auto"

    def _fit(self, X, y, sample_weight):
        X, self.classes_, codes = self._read(X, y, True)
        self._check_classes(X.shape[0])
        weight = inputs.weights(sample_weight, X)
        self._dtype = X.dtype.str if X.dtype == np.float32 else "<f8"
        self._weighted = weight is not None
        self.statistics_ = self._gather(X, codes, weight, None)
        self._rows_seen = X.shape[0]
        if self._needs_rows():
            if weight is not None:
                raise ValueError("sample_weight cannot be combined with a covariance that is estimated from the rows")
            self._of_rows = self._covariances_of_rows(np.asarray(X, dtype=self._dtype), codes)
        else:
            self._of_rows = None
        self._estimate()
        self._too_little = None
        return self

    def partial_fit(self, X, y, classes=None, sample_weight=None):
        """Adds rows to the model: pieces in any order give what ``fit`` gives on all of them."""
        self._validate_params()
        if self._needs_rows():
            raise NotImplementedError("partial_fit needs a covariance that the class scatters determine")
        first = not hasattr(self, "statistics_")
        X, labels, codes = self._read(X, y, first)
        weight = inputs.weights(sample_weight, X)
        if first:
            self.classes_ = labels if classes is None else np.unique(np.asarray(classes))
            self._dtype = X.dtype.str if X.dtype == np.float32 else "<f8"
            self._rows_seen = 0
        elif classes is None:
            self.classes_ = np.union1d(self.classes_, labels)
        codes = inputs.codes_among(self.classes_, labels, codes)
        seen = None if first else self.statistics_.with_classes(self.classes_)
        self._weighted = weight is not None or (self._weighted and not first)
        self.statistics_ = self._gather(X, codes, weight, seen)
        self._rows_seen += X.shape[0]
        try:
            self._check_classes(self._rows_seen)
            self._estimate()
            self._too_little = None
        except (ValueError, linalg.LinAlgError) as error:
            self._too_little = error  # of what has come so far; the next rows may be enough
        return self

    def _settled(self):
        """Refuses to answer while the rows of ``partial_fit`` are too few."""
        check_is_fitted(self)
        if self._too_little is not None:
            raise self._too_little

    def _kept(self):
        return {"_dtype": self._dtype, "_rows_seen": self._rows_seen, "_weighted": self._weighted,
                "_of_rows": self._of_rows}

    def _with_statistics(self, statistics):
        self._given_settings()
        return super()._with_statistics(statistics)

    def _given_settings(self):
        """Of the library's model: all but what a class adds."""
        if self._needs_rows():
            raise ValueError("a covariance that is estimated from the rows is no function of the statistics")
        settings = {"estimate": "likelihood", "units": "raw", **self._given_priors(self.priors)}
        if self.shrinkage is not None:
            settings["shrinkage"] = self.shrinkage if self.shrinkage == "auto" else float(self.shrinkage)
        return settings

    def _file_bytes(self):
        self._settled()
        if self._of_rows is None:
            return super()._file_bytes()
        # No function of the sums over rows: the parameters themselves are stated.
        log_prior, parameters = self._parameters()
        return _core.stated_state(class_names(self.classes_), self.classes_.dtype.kind in "iu", np.exp(log_prior), self._columns(),
                                  parameters).to_file()

    def _estimated_covariances(self):
        """The library's estimates by Ledoit and Wolf's rule, one per class, or one for all."""
        order = self.statistics_._order()
        of_code = {code: covariance for codes, covariance in self.statistics_.model(*self._recipe()).covariances() for code in codes}
        return [of_code[code] for code in order]

    def _moments(self):
        part = self.statistics_.parts()[0]
        return part["weight"], part["mean"], part["scatter"]

    @property
    def rank_(self):
        """Ranks of the covariance matrices."""
        return np.asarray(self._fitted("rank"))

    def _parameters(self):
        covariances = self._covariances()
        return log(self.priors_), {"mean": numbers(self.means_),
                                   "covariance": numbers(covariances[0] if len(covariances) == 1 else covariances)}

    def _covariances(self):
        """One covariance per class, or one for all."""
        raise NotImplementedError
