"""Linear discriminant analysis."""
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
from suffice.discriminant_analysis.base import DiscriminantMixin, above, covariance_of_rows, shrunk
from suffice.shared_docs import documented


def _solved(covariance, right):
    """covariance^-1 right; of least length among the least squares where the columns are collinear, or nearly."""
    factor, broken = linalg.lapack.dpotrf(covariance, lower=True)
    if not broken:
        share, _ = linalg.lapack.dpocon(factor, np.abs(covariance).sum(axis=0).max(), uplo="L")
        if share > 1e-6:  # far from where least squares leave directions out: the same answer, thirty times as quickly
            return linalg.lapack.dpotrs(factor, right, lower=True)[0]
    return linalg.lstsq(covariance, right)[0]


@documented
class LinearDiscriminantAnalysis(
    ClassNamePrefixFeaturesOutMixin, DiscriminantMixin, ClassifierMixin, TransformerMixin, BaseEstimator
):
    """Linear discriminant analysis, as ``sklearn.discriminant_analysis.LinearDiscriminantAnalysis``: Gaussian classes that
    share one covariance, so that boundaries are straight; and the projection that separates them best.

    Gains: ``sample_weight`` in ``fit``, and ``partial_fit``, which over pieces equals ``fit``.

    Parameters
    ----------
    solver : {"svd", "lsqr", "eigen"}, default="svd"
        "svd" and "eigen" also transform; "lsqr" and "eigen" take shrinkage. Each gives the numbers, and takes the divisor,
        of scikit-learn's solver of this name.
    <parameters of discriminants>
    n_components : int, default=None
        Columns that ``transform`` keeps, at most min(n_classes - 1, n_features), which is the default.
    <more parameters of discriminants>

    Attributes
    ----------
    <attributes of classifiers>
    coef_ : ndarray of shape (n_classes, n_features) or (1, n_features)
        Weights of the scores; of two classes those of the second against the first.
    intercept_ : ndarray of shape (n_classes,) or (1,)
    covariance_ : ndarray of shape (n_features, n_features)
        Within classes; of "svd" where ``store_covariance`` asks for it.
    means_ : ndarray of shape (n_classes, n_features)
    priors_ : ndarray of shape (n_classes,)
        They sum to one.
    xbar_ : ndarray of shape (n_features,)
        The mean of all rows, of "svd" and "eigen".
    scalings_ : ndarray of shape (rank, n_classes - 1)
        Of the columns of ``transform``.
    explained_variance_ratio_ : ndarray of shape (n_components,)
        How much of the spread between classes each of them holds; not of "lsqr".

    See Also
    --------
    QuadraticDiscriminantAnalysis : A covariance for each class.
    GaussianDiscriminant : All structures between, missing values, MAP and predictive estimates.
    to_logistic : The same posterior as a logistic regression.

    Notes
    -----
    <what sums add>

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import LinearDiscriminantAnalysis
    >>> X = np.array([[-1, -1], [-2, -1], [-3, -2], [1, 1], [2, 1], [3, 2]])
    >>> y = np.array([1, 1, 1, 2, 2, 2])
    >>> LinearDiscriminantAnalysis().fit(X, y).predict([[-0.8, -1]])
    array([1])
    """

    _stated_by = ("priors_", "means_", "coef_")
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
        averaged = self.solver != "svd" and self.priors is not None
        return self._name, {**self._given_settings(), "pool_by_priors": averaged}

    def _needs_rows(self):
        # The shrinkage of all rows together is no function of those of the classes.
        return super()._needs_rows() or (self.solver == "eigen" and self.shrinkage == "auto")

    def _keep(self):
        if self.shrinkage == "auto":
            return "per_class"
        # Class covariances averaged by the shares of the classes are the pooled one; by other priors they are not.
        averaged = self.solver != "svd" or self.store_covariance
        return "per_class" if averaged and self.priors is not None else "auto"

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

    def _estimate(self):
        weight, means, scatter = self._moments()
        most = min(len(self.classes_) - 1, self.n_features_in_)
        self._max_components = self._n_features_out = most if self.n_components is None else self.n_components
        if self._of_rows is not None:
            return self._solve(means, **self._of_rows)
        priors = self._take_priors(weight)
        if self.shrinkage == "auto":
            return self._solve(means, self._estimated_covariances()[0], None, priors)
        if scatter.ndim == 3:
            divisor = np.where(weight > 0, weight, 1.0)
            by_class = [shrunk(each, self.shrinkage) for each in scatter / divisor[:, None, None]]
            covariance = np.tensordot(priors, np.array(by_class), axes=1)
            within = scatter.sum(axis=0) / weight.sum()
        elif self._keep() == "per_class":
            raise ValueError("only the pooled scatter was kept, and these priors need one for each class; fit again")
        else:
            within = scatter / weight.sum()
            covariance = shrunk(within, self.shrinkage)
        if self.solver == "svd":
            self._solve_svd(weight, means, within, priors)
            if self.store_covariance:
                self.covariance_ = covariance.astype(self._dtype, copy=False)
        else:
            centre = weight @ means / weight.sum()
            away = means - centre
            total = within + (away * weight[:, None]).T @ away / weight.sum()
            self._solve(means, covariance, shrunk(total, self.shrinkage), priors)

    def _covariances_of_rows(self, X, codes):
        priors = self._take_priors(self._moments()[0])
        within = np.zeros((X.shape[1], X.shape[1]))
        for c in range(len(self.classes_)):
            within += priors[c] * covariance_of_rows(X[codes == c], self.shrinkage, self.covariance_estimator)
        total = covariance_of_rows(X, self.shrinkage, self.covariance_estimator) if self.solver == "eigen" else None
        return {"within": within, "total": total, "priors": priors}

    def _solve(self, means, within, total, priors):
        """The lsqr and eigen solvers."""
        if self.solver == "lsqr":
            coef = _solved(within, means.T).T
            self._warn_of_flat_columns(means, within)
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

    def _warn_of_flat_columns(self, means, within):
        """Least squares know nothing of a column that is constant within classes, though it may tell them apart."""
        flat = np.flatnonzero(np.sqrt(np.maximum(np.diag(within), 0)) <= 1e-10 * np.abs(means).max(axis=0))
        if len(flat):
            names = getattr(self, "feature_names_in_", [f"x{j}" for j in range(means.shape[1])])
            warnings.warn(f"solver='lsqr' makes nothing of columns without variance within classes: {', '.join(str(names[j]) for j in flat[:5])}"
                          f"{', ...' if len(flat) > 5 else ''}; solver='svd' or GaussianDiscriminant do not lose what others say with them",
                          UserWarning, stacklevel=6)

    def _solve_svd(self, weight, means, within, priors):
        """The svd solver: singular values squared are eigenvalues of the within-class correlation."""
        total = weight.sum()
        centre = priors @ means
        deviation = np.sqrt(np.diag(within))
        deviation[deviation == 0] = 1.0
        white = self._whitening(within / np.outer(deviation, deviation))
        classes = len(self.classes_)
        factor = 1.0 if classes == 1 else 1.0 / (classes - 1)
        between = (np.sqrt(total * priors * factor)[:, None] * (means - centre) / deviation) @ white
        _, singular, rotation = linalg.svd(between, full_matrices=False)
        if self._max_components == 0:
            self.explained_variance_ratio_ = np.empty((0,), dtype=self._dtype)
        else:
            self.explained_variance_ratio_ = (singular**2 / (singular**2).sum())[: self._max_components]
        kept = int((singular > self.tol * singular[0]).sum()) if len(singular) else 0
        self.scalings_ = white @ rotation.T[:, :kept] / deviation[:, None]
        self.xbar_ = centre.astype(self._dtype, copy=False)
        spread = (means - centre) @ self.scalings_
        coef = spread @ self.scalings_.T
        with np.errstate(divide="ignore"):
            intercept = -0.5 * (spread**2).sum(axis=1) + np.log(priors) - coef @ centre
        self._finish(means, priors, coef, intercept)

    def _whitening(self, correlation):
        """A root of the inverse, of the directions whose deviation is above ``tol``. Which root, later rotations undo; so that where
        there are all directions Cholesky's serves, and no eigenvectors are needed."""
        if above(correlation, self.tol**2):
            root = linalg.cholesky(correlation, lower=True, check_finite=False)
            return linalg.solve_triangular(root, np.eye(len(root)), lower=True, trans="T", check_finite=False)
        values, vectors = linalg.eigh(correlation)
        values = np.sqrt(np.maximum(values, 0.0))
        kept = values > self.tol
        return (vectors[:, kept] / values[kept])[:, ::-1]

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
