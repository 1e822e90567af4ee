"""Linear and quadratic discriminant analysis named and shaped as scikit-learn's, from one pass of class scatters."""
import warnings
from numbers import Integral, Real

import numpy as np
from scipy import linalg
from sklearn.base import (
    BaseEstimator,
    ClassifierMixin,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
    _fit_context,
)
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from suffice import _core, inputs
from suffice.estimator import Explanation, SufficientMixin
from suffice.naive_bayes import blank_statistics, number_columns

__all__ = ["LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis"]


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

    def _read(self, X, y, reset):
        return inputs.rows_and_labels(self, X, y, reset=reset, min_rows=self._least_rows)

    def _needs_rows(self):
        """Does the covariance need more than the scatter?"""
        return self.shrinkage == "auto" or self.covariance_estimator is not None

    def _gather(self, X, codes, weight, seen):
        if seen is None:
            seen = blank_statistics(self._name, number_columns(self), self.classes_, self._keep())
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
        self.statistics_ = self._gather(X, codes, weight, None)
        self._rows_seen = X.shape[0]
        if self._needs_rows():
            if weight is not None:
                raise ValueError("sample_weight cannot be combined with a covariance that is estimated from the rows")
            self._solve_from_rows(np.asarray(X, dtype=self._dtype), codes)
        else:
            self._estimate()
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
        self.statistics_ = self._gather(X, codes, weight, seen)
        self._rows_seen += X.shape[0]
        self._check_classes(self._rows_seen)
        self._estimate()
        return self

    def _carry(self, fitted):
        self._dtype = fitted._dtype
        self._rows_seen = fitted._rows_seen

    def _moments(self):
        part = self.statistics_.parts()[0]
        return part["weight"], part["mean"], part["scatter"]

    def _checked_scores(self, X, form):
        check_is_fitted(self)
        X = inputs.rows(self, X)
        scores, finite = self._scores(X, form)
        if not finite:
            inputs.refuse_holes(self, X)
        if form != "best" and X.dtype == np.float32 and self._dtype == np.float32:
            scores = scores.astype(np.float32)
        return scores

    def predict(self, X):
        """The most probable class of each row."""
        check_is_fitted(self)
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
        return np.asarray(self.priors_, dtype=np.float64) / np.sum(self.priors_, dtype=np.float64)

    def _covariances(self):
        """One covariance per class, or one for all."""
        raise NotImplementedError

    def explain(self, X):
        """What each feature adds to each class's log joint: -1/2 z_j (S^-1 z)_j; the intercept takes the rest."""
        check_is_fitted(self)
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


class LinearDiscriminantAnalysis(
    ClassNamePrefixFeaturesOutMixin, DiscriminantMixin, ClassifierMixin, TransformerMixin, BaseEstimator
):
    """Linear discriminant analysis, as ``sklearn.discriminant_analysis.LinearDiscriminantAnalysis``.

    Gains: ``sample_weight`` in ``fit``, and ``partial_fit``, which over pieces equals ``fit``.

    Parameters
    ----------
    solver : {"svd", "lsqr", "eigen"}, default="svd"
    shrinkage : "auto" or float, default=None
    priors : array-like of shape (n_classes,), default=None
    n_components : int, default=None
    store_covariance : bool, default=False
    tol : float, default=1e-4
    covariance_estimator : covariance estimator, default=None

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import LinearDiscriminantAnalysis
    >>> X = np.array([[-1, -1], [-2, -1], [-3, -2], [1, 1], [2, 1], [3, 2]])
    >>> y = np.array([1, 1, 1, 2, 2, 2])
    >>> LinearDiscriminantAnalysis().fit(X, y).predict([[-0.8, -1]])
    array([1])
    """

    _name = "linear_discriminant"
    _least_rows = 2
    _parameter_constraints: dict = {
        "solver": [StrOptions({"svd", "lsqr", "eigen"})],
        "shrinkage": [StrOptions({"auto"}), Interval(Real, 0, 1, closed="both"), None],
        "n_components": [Interval(Integral, 1, None, closed="left"), None],
        "priors": ["array-like", None],
        "store_covariance": ["boolean"],
        "tol": [Interval(Real, 0, None, closed="left")],
        "covariance_estimator": [HasMethods("fit"), None],
    }

    def __init__(self, solver="svd", shrinkage=None, priors=None, n_components=None, store_covariance=False, tol=1e-4,
                 covariance_estimator=None):
        self.solver = solver
        self.shrinkage = shrinkage
        self.priors = priors
        self.n_components = n_components
        self.store_covariance = store_covariance
        self.tol = tol
        self.covariance_estimator = covariance_estimator

    def _recipe(self):
        settings = {"estimate": "likelihood", **self._given_priors(self.priors)}
        if self._needs_rows():
            raise ValueError("a covariance that is estimated from the rows is no function of the statistics")
        if self.shrinkage is not None:
            settings |= {"shrinkage": "fixed", "shrinkage_amount": float(self.shrinkage)}
        return self._name, settings

    def _keep(self):
        return "per_class" if self.solver != "svd" or self.store_covariance else "automatic"

    @_fit_context(prefer_skip_nested_validation=False)
    def fit(self, X, y, sample_weight=None):
        """Fits the model to X, y; rows may be weighted."""
        return self._fit(X, y, sample_weight)

    def _check_classes(self, row_count):
        if row_count == len(self.classes_):
            raise ValueError("The number of samples must be more than the number of classes.")
        if self.solver == "svd" and self.shrinkage is not None:
            raise NotImplementedError("shrinkage not supported with 'svd' solver.")
        if self.solver == "svd" and self.covariance_estimator is not None:
            raise ValueError("covariance estimator is not supported with svd solver. Try another solver")
        most = min(len(self.classes_) - 1, self.n_features_in_)
        if self.n_components is not None and self.n_components > most:
            raise ValueError("n_components cannot be larger than min(n_features, n_classes - 1).")
        self._max_components = most if self.n_components is None else self.n_components
        self._n_features_out = self._max_components

    def _take_priors(self, weight):
        if self.priors is None:
            priors = weight / weight.sum()
        else:
            priors = np.array(self.priors, dtype=np.float64)
        if (priors < 0).any():
            raise ValueError("priors must be non-negative")
        if abs(priors.sum() - 1.0) > 1e-5:
            warnings.warn("The priors do not sum to 1. Renormalizing", UserWarning, stacklevel=5)
            priors = priors / priors.sum()
        return priors

    def _carry(self, fitted):
        super()._carry(fitted)
        most = min(len(fitted.classes_) - 1, fitted.n_features_in_)
        self._max_components = self._n_features_out = most if self.n_components is None else self.n_components

    def _estimate(self):
        weight, means, scatter = self._moments()
        if self.n_components is None:
            self._max_components = self._n_features_out = min(len(self.classes_) - 1, self.n_features_in_)
        priors = self._take_priors(weight)
        if scatter.ndim == 3:
            divisor = np.where(weight > 0, weight, 1.0)
            by_class = [shrunk(each, self.shrinkage) for each in scatter / divisor[:, None, None]]
            covariance = np.tensordot(priors, np.array(by_class), axes=1)
            within = scatter.sum(axis=0) / weight.sum()
        else:
            covariance = within = scatter / weight.sum()
        if self.solver == "svd":
            self._solve_svd(weight, means, within, priors)
            if self.store_covariance:
                self.covariance_ = covariance.astype(self._dtype, copy=False)
        else:
            centre = weight @ means / weight.sum()
            away = means - centre
            total = within + (away * weight[:, None]).T @ away / weight.sum()
            self._solve(means, covariance, shrunk(total, self.shrinkage), priors)

    def _solve_from_rows(self, X, codes):
        weight, means, _ = self._moments()
        priors = self._take_priors(weight)
        covariance = np.zeros((X.shape[1], X.shape[1]))
        for c in range(len(self.classes_)):
            covariance += priors[c] * covariance_of_rows(X[codes == c], self.shrinkage, self.covariance_estimator)
        total = None
        if self.solver == "eigen":
            total = covariance_of_rows(X, self.shrinkage, self.covariance_estimator)
        self._solve(means, covariance, total, priors)

    def _solve(self, means, within, total, priors):
        """The lsqr and eigen solvers."""
        if self.solver == "lsqr":
            coef = linalg.lstsq(within, means.T)[0].T
        else:
            values, vectors = linalg.eigh(total - within, within)
            order = np.argsort(values)[::-1]
            self.explained_variance_ratio_ = np.sort(values / values.sum())[::-1][: self._max_components]
            self.scalings_ = vectors[:, order]
            coef = means @ self.scalings_ @ self.scalings_.T
        self.covariance_ = within
        with np.errstate(divide="ignore"):
            intercept = -0.5 * (means * coef).sum(axis=1) + np.log(priors)
        self._finish(means, priors, coef, intercept)

    def _solve_svd(self, weight, means, within, priors):
        """The svd solver: singular values squared are eigenvalues of the within-class correlation."""
        total = weight.sum()
        centre = priors @ means
        deviation = np.sqrt(np.diag(within))
        deviation[deviation == 0] = 1.0
        values, vectors = linalg.eigh(within / np.outer(deviation, deviation))
        values, vectors = np.sqrt(np.maximum(values[::-1], 0.0)), vectors[:, ::-1]
        rank = int((values > self.tol).sum())
        scalings = vectors[:, :rank] / deviation[:, None] / values[:rank]
        classes = len(self.classes_)
        factor = 1.0 if classes == 1 else 1.0 / (classes - 1)
        between = (np.sqrt(total * priors * factor)[:, None] * (means - centre)) @ scalings
        _, singular, rotation = linalg.svd(between, full_matrices=False)
        if self._max_components == 0:
            self.explained_variance_ratio_ = np.empty((0,), dtype=self._dtype)
        else:
            self.explained_variance_ratio_ = (singular**2 / (singular**2).sum())[: self._max_components]
        kept = int((singular > self.tol * singular[0]).sum()) if len(singular) else 0
        self.scalings_ = scalings @ rotation.T[:, :kept]
        self.xbar_ = centre.astype(self._dtype, copy=False)
        spread = (means - centre) @ self.scalings_
        coef = spread @ self.scalings_.T
        with np.errstate(divide="ignore"):
            intercept = -0.5 * (spread**2).sum(axis=1) + np.log(priors) - coef @ centre
        self._finish(means, priors, coef, intercept)

    def _finish(self, means, priors, coef, intercept):
        self.means_ = means.astype(self._dtype, copy=False)
        self.priors_ = priors.astype(self._dtype, copy=False)
        if len(self.classes_) == 2:
            coef, intercept = coef[1:] - coef[:1], intercept[1:] - intercept[:1]
        self.coef_ = coef.astype(self._dtype, copy=False)
        self.intercept_ = intercept.astype(self._dtype, copy=False)

    def _coefficients(self):
        coef = np.ascontiguousarray(self.coef_, dtype=np.float64)
        intercept = np.ascontiguousarray(np.broadcast_to(self.intercept_, coef.shape[:1]), dtype=np.float64)
        if len(self.classes_) == 2 and len(coef) == 1:
            coef = np.concatenate([np.zeros_like(coef), coef])
            intercept = np.concatenate([np.zeros(1), intercept])
        return coef, intercept

    def _scores(self, X, form):
        coef, intercept = self._coefficients()
        return _core.affine_scores(X, np.zeros(coef.shape[1]), coef, intercept, form)

    def decision_function(self, X):
        """Class scores; of two classes, log p(second | x) - log p(first | x)."""
        scores = self._checked_scores(X, "joint")
        return scores[:, 1].copy() if len(self.classes_) == 2 else scores

    def transform(self, X):
        """Rows in discriminant coordinates."""
        if self.solver == "lsqr":
            raise NotImplementedError("transform not implemented for 'lsqr' solver (use 'svd' or 'eigen').")
        check_is_fitted(self)
        X = inputs.validate_data(self, X, reset=False)
        if self.solver == "svd":
            X = X - self.xbar_
        return (X @ self.scalings_)[:, : self._max_components].astype(
            X.dtype if X.dtype.kind == "f" else np.float64, copy=False)

    def _covariances(self):
        if hasattr(self, "covariance_"):
            return [np.asarray(self.covariance_, dtype=np.float64)]
        weight, _, scatter = self._moments()
        return [(scatter.sum(axis=0) if scatter.ndim == 3 else scatter) / weight.sum()]


class QuadraticDiscriminantAnalysis(DiscriminantMixin, ClassifierMixin, BaseEstimator):
    """Quadratic discriminant analysis, as ``sklearn.discriminant_analysis.QuadraticDiscriminantAnalysis``.

    Gains: ``sample_weight`` in ``fit``, and ``partial_fit``, which over pieces equals ``fit``.

    Parameters
    ----------
    solver : {"svd", "eigen"}, default="svd"
    shrinkage : "auto" or float, default=None
    priors : array-like of shape (n_classes,), default=None
    reg_param : float, default=0.0
    store_covariance : bool, default=False
    tol : float, default=1e-4
    covariance_estimator : covariance estimator, default=None

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import QuadraticDiscriminantAnalysis
    >>> X = np.array([[-1, -1], [-2, -1], [-3, -2], [1, 1], [2, 1], [3, 2]])
    >>> y = np.array([1, 1, 1, 2, 2, 2])
    >>> QuadraticDiscriminantAnalysis().fit(X, y).predict([[-0.8, -1]])
    array([1])
    """

    _name = "quadratic_discriminant"
    _parameter_constraints: dict = {
        "solver": [StrOptions({"svd", "eigen"})],
        "shrinkage": [StrOptions({"auto"}), Interval(Real, 0, 1, closed="both"), None],
        "priors": ["array-like", None],
        "reg_param": [Interval(Real, 0, 1, closed="both")],
        "store_covariance": ["boolean"],
        "tol": [Interval(Real, 0, None, closed="left")],
        "covariance_estimator": [HasMethods("fit"), None],
    }

    def __init__(self, *, solver="svd", shrinkage=None, priors=None, reg_param=0.0, store_covariance=False, tol=1.0e-4,
                 covariance_estimator=None):
        self.solver = solver
        self.shrinkage = shrinkage
        self.priors = priors
        self.reg_param = reg_param
        self.store_covariance = store_covariance
        self.tol = tol
        self.covariance_estimator = covariance_estimator

    def _recipe(self):
        settings = {"estimate": "likelihood", **self._given_priors(self.priors)}
        if self._needs_rows() or (self.solver == "svd" and self.reg_param):
            raise ValueError("with these parameters the model is no function of the statistics that its file would hold")
        if self.shrinkage is not None:
            settings |= {"shrinkage": "fixed", "shrinkage_amount": float(self.shrinkage)}
        return self._name, settings

    def _keep(self):
        return "per_class"

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None):
        """Fits the model to X, y; rows may be weighted."""
        return self._fit(X, y, sample_weight)

    def _check_classes(self, row_count):
        if len(self.classes_) < 2:
            raise ValueError(
                f"The number of classes has to be greater than one. Got {len(self.classes_)} class.")
        if self.solver == "svd":
            if self.shrinkage is not None:
                raise NotImplementedError("shrinkage not supported with 'svd' solver.")
            if self.covariance_estimator is not None:
                raise ValueError(
                    "covariance_estimator is not supported with solver='svd'. Try solver='eigen' instead.")

    def _take_priors(self, weight):
        return weight / weight.sum() if self.priors is None else np.array(self.priors)

    def _estimate(self):
        weight, means, scatter = self._moments()
        self._check_weights(weight)
        covariances = [shrunk(each, self.shrinkage) for each in scatter / weight[:, None, None]]
        if self.solver == "svd" and self.reg_param:
            covariances = [(1 - self.reg_param) * each + self.reg_param * np.eye(len(each)) for each in covariances]
        self._solve(weight, means, covariances)

    def _solve_from_rows(self, X, codes):
        weight, means, _ = self._moments()
        self._check_weights(weight)
        self._solve(weight, means, [covariance_of_rows(X[codes == c], self.shrinkage, self.covariance_estimator)
                                    for c in range(len(self.classes_))])

    def _check_weights(self, weight):
        for label, each in zip(self.classes_, weight):
            if each <= 1:
                raise ValueError(f"y has only 1 sample in class {label}, covariance is ill defined.")

    def _solve(self, weight, means, covariances):
        scalings, rotations, factors, offsets = [], [], [], []
        centre = weight @ means / weight.sum()
        for c, covariance in enumerate(covariances):
            values, vectors = linalg.eigh(covariance)
            self._check_rank(c, int((values > self.tol).sum()), weight[c])
            scalings.append(values[::-1].copy())
            rotations.append(vectors[:, ::-1].copy())
            factor = linalg.solve_triangular(linalg.cholesky(covariance, lower=True), np.eye(len(covariance)),
                                             lower=True)
            factors.append(factor)
            offsets.append(factor @ (means[c] - centre))
        self.priors_ = self._take_priors(weight)
        self.means_ = means.astype(self._dtype, copy=False)
        self.scalings_, self.rotations_ = scalings, rotations
        if self.store_covariance:
            self.covariance_ = covariances
        self._centre, self._factors, self._offsets = centre, np.array(factors), np.array(offsets)

    def _check_rank(self, c, rank, weight):
        if self.solver == "svd":
            rank = min(rank, int(np.ceil(weight)))  # there are no more singular values than rows
        if rank == self.n_features_in_:
            return
        label = self.classes_[c]
        ours = " suffice.GaussianDiscriminant answers without full rank."
        if self.solver == "svd" and weight <= self.n_features_in_:
            raise linalg.LinAlgError(
                f"The covariance matrix of class {label} is not full rank. When using `solver='svd'` the number of "
                f"samples in each class should be more than the number of features, but class {label} has "
                f"{weight:g} samples and {self.n_features_in_} features. Try using `solver='eigen'` and setting the "
                f"parameter `shrinkage` for regularization, or `reg_param`.{ours}")
        parameter = "shrinkage" if self.solver == "eigen" else "reg_param"
        raise linalg.LinAlgError(
            f"The covariance matrix of class {label} is not full rank. Increase the value of `{parameter}` to reduce "
            f"the collinearity.{ours}")

    def _scores(self, X, form):
        with np.errstate(divide="ignore"):
            bias = np.log(np.asarray(self.priors_, dtype=np.float64))
        bias = bias - 0.5 * np.array([np.log(each).sum() for each in self.scalings_])
        return _core.quadratic_scores(X, self._centre, self._factors, self._offsets, bias, form)

    def decision_function(self, X):
        """Log joint scores; of two classes, their difference."""
        scores = self._checked_scores(X, "joint")
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    def _covariances(self):
        return [(rotation * scaling) @ rotation.T for rotation, scaling in zip(self.rotations_, self.scalings_)]
