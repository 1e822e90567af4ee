"""Rows into class scatters, and what both discriminant analyses make of them."""
import numpy as np
from scipy import linalg
from sklearn.utils.validation import check_is_fitted

from suffice import inputs
from suffice.estimator import Explanation, SufficientMixin
from suffice.statistics import Statistics


def shrunk(covariance, shrinkage):
    """Toward trace/d times the identity."""
    if not shrinkage:
        return covariance
    dimension = covariance.shape[0]
    mixed = (1.0 - shrinkage) * covariance
    mixed.flat[:: dimension + 1] += shrinkage * np.trace(covariance) / dimension
    return mixed


def covariance_of_rows(X, shrinkage, covariance_estimator):
    """Covariances that the scatter does not determine, as scikit-learn takes them from the rows."""
    if covariance_estimator is None:
        from sklearn.covariance import ledoit_wolf

        scale = X.std(axis=0)
        scale[scale == 0] = 1.0
        return scale[:, None] * ledoit_wolf((X - X.mean(axis=0)) / scale)[0] * scale
    if shrinkage is not None and shrinkage != 0:
        raise ValueError(
            "covariance_estimator and shrinkage parameters are not None. Only one of the two can be set.")
    covariance_estimator.fit(X)
    if not hasattr(covariance_estimator, "covariance_"):
        raise ValueError(f"{type(covariance_estimator).__name__} does not have a covariance_ attribute")
    return np.atleast_2d(covariance_estimator.covariance_)


class DiscriminantMixin(SufficientMixin):
    """Reading rows into class scatters, the same for both."""

    _least_rows = 1
    _too_little: Exception | None = None
    _weighted = False

    def _read(self, X, y, reset):
        return inputs.rows_and_labels(self, X, y, reset=reset, min_rows=self._least_rows)

    def _needs_rows(self):
        """Does the covariance need more than the scatter?"""
        return self.shrinkage == "auto" or self.covariance_estimator is not None

    def _gather(self, X, codes, weight, seen):
        if seen is None:
            seen = Statistics.blank(self._name, inputs.number_columns(self), self.classes_, self._keep())
        seen = seen.feed(X, codes, weight)
        part = seen._state.parts()[0]
        if part["refused"] or not part["complete"]:
            inputs.refuse_holes(self, X)
        return seen

    def _keep(self):
        return "automatic"

    def _fit(self, X, y, sample_weight):
        X, self.classes_, codes = self._read(X, y, True)
        self._check_classes(X.shape[0])
        weight = inputs.weights(sample_weight, X)
        self._dtype = np.float32 if X.dtype == np.float32 else np.float64
        self._weighted = weight is not None
        self.statistics_ = self._gather(X, codes, weight, None)
        self._rows_seen = X.shape[0]
        if self._needs_rows():
            if weight is not None:
                raise ValueError("sample_weight cannot be combined with a covariance that is estimated from the rows")
            self._solve_from_rows(np.asarray(X, dtype=self._dtype), codes)
        else:
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
            self._dtype = np.float32 if X.dtype == np.float32 else np.float64
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

    def _carry(self, fitted):
        self._dtype = fitted._dtype
        self._rows_seen = fitted._rows_seen
        self._weighted = fitted._weighted

    def _moments(self):
        part = self.statistics_.parts()[0]
        return part["weight"], part["mean"], part["scatter"]

    def _checked_scores(self, X, form):
        self._settled()
        X = inputs.rows(self, X)
        scores, finite = self._scores(X, form)
        if not finite:
            inputs.refuse_holes(self, X)
        if form != "best" and X.dtype == np.float32 and self._dtype == np.float32:
            scores = scores.astype(np.float32)
        return scores

    def predict(self, X):
        """The most probable class of each row."""
        self._settled()
        return self.classes_[self._checked_scores(X, "best")]

    def predict_proba(self, X):
        """p(class | x) of each row, classes in the order of ``classes_``."""
        return self._checked_scores(X, "posterior")

    def predict_log_proba(self, X):
        """log p(class | x), computed in the log domain."""
        return self._checked_scores(X, "log_posterior")

    @property
    def rank_(self):
        """Ranks of the covariance matrices."""
        return np.asarray(self._fitted("rank"))

    def _class_probabilities(self):
        self._settled()
        return np.asarray(self.priors_, dtype=np.float64) / np.sum(self.priors_, dtype=np.float64)

    def _covariances(self):
        """One covariance per class, or one for all."""
        raise NotImplementedError

    def explain(self, X):
        """What each feature adds to each class's log joint: -1/2 z_j (S^-1 z)_j; the intercept takes the rest."""
        self._settled()
        X = np.asarray(inputs.rows(self, X), dtype=np.float64)
        if not np.isfinite(X).all():
            inputs.refuse_holes(self, X)
        covariances = self._covariances()
        with np.errstate(divide="ignore"):
            intercepts = np.tile(np.log(np.asarray(self.priors_, dtype=np.float64)), (X.shape[0], 1))
        contributions = np.empty((X.shape[0], len(self.classes_), X.shape[1]))
        for c, mean in enumerate(np.asarray(self.means_, dtype=np.float64)):
            factor = linalg.cho_factor(covariances[c if len(covariances) > 1 else 0], lower=True)
            shifted = X - mean
            contributions[:, c] = -0.5 * shifted * linalg.cho_solve(factor, shifted.T).T
            intercepts[:, c] -= np.log(np.diag(factor[0])).sum() + 0.5 * X.shape[1] * np.log(2 * np.pi)
        return Explanation(contributions, intercepts)

    def _draw(self, codes, random):
        covariances = self._covariances()
        factors = [np.linalg.cholesky(each) for each in covariances]
        noise = random.standard_normal((len(codes), self.n_features_in_))
        rows = np.asarray(self.means_, dtype=np.float64)[codes]
        for c in range(len(self.classes_)):
            chosen = codes == c
            rows[chosen] += noise[chosen] @ factors[c if len(factors) > 1 else 0].T
        return rows
