"""Quadratic discriminant analysis."""
from numbers import Real

import numpy as np
from scipy import linalg
from sklearn.base import BaseEstimator, ClassifierMixin, _fit_context
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions

from suffice import _core
from suffice.discriminant_analysis.base import DiscriminantMixin, covariance_of_rows, shrunk
from suffice.score_form import QuadraticFormMixin


class QuadraticDiscriminantAnalysis(DiscriminantMixin, QuadraticFormMixin, ClassifierMixin, BaseEstimator):
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
        self._check_weights(weight, scatter)
        covariances = [shrunk(each, self.shrinkage) for each in scatter / weight[:, None, None]]
        if self.solver == "svd" and self.reg_param:
            covariances = [(1 - self.reg_param) * each + self.reg_param * np.eye(len(each)) for each in covariances]
        self._solve(weight, means, covariances)

    def _solve_from_rows(self, X, codes):
        weight, means, scatter = self._moments()
        self._check_weights(weight, scatter)
        self._solve(weight, means, [covariance_of_rows(X[codes == c], self.shrinkage, self.covariance_estimator)
                                    for c in range(len(self.classes_))])

    def _check_weights(self, weight, scatter):
        for label, each, spread in zip(self.classes_, weight, scatter):
            if each == 0:
                raise ValueError(f"y has no sample in class {label}, covariance is ill defined.")
            if each <= 1 and not spread.any():  # rows of small weights may be many
                raise ValueError(f"y has only 1 sample in class {label}, covariance is ill defined.")

    def _solve(self, weight, means, covariances):
        scalings, rotations = [], []
        centre = weight @ means / weight.sum()
        for c, covariance in enumerate(covariances):
            values, vectors = linalg.eigh(covariance)
            self._check_rank(c, int((values > self.tol).sum()), weight[c])
            scalings.append(values[::-1].copy())
            rotations.append(vectors[:, ::-1].copy())
        self.priors_ = self._take_priors(weight)
        self.means_ = means.astype(self._dtype, copy=False)
        self.scalings_, self.rotations_ = scalings, rotations
        if self.store_covariance:
            self.covariance_ = covariances
        self._centre = centre
        self._factors = _core.inverse_factors(np.array(covariances, dtype=np.float64), len(centre))
        self._offsets = np.einsum("kij,kj->ki", self._factors, means - centre)

    def _check_rank(self, c, rank, weight):
        counted = not self._weighted and weight == round(weight)  # the weight is a number of rows
        if self.solver == "svd" and counted:
            rank = min(rank, round(weight))  # there are no more singular values than rows
        if rank == self.n_features_in_:
            return
        label = self.classes_[c]
        ours = " suffice.GaussianDiscriminant answers without full rank."
        if self.solver == "svd" and counted and weight <= self.n_features_in_:
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

    def _coefficients(self):
        if not hasattr(self, "statistics_"):
            raise AttributeError(f"this {type(self).__name__} instance is not fitted yet")
        if self._too_little is not None:
            raise AttributeError(str(self._too_little))
        means = np.asarray(self.means_, dtype=np.float64)
        precision = np.array([(rotation / scaling) @ rotation.T
                              for rotation, scaling in zip(self.rotations_, self.scalings_)], dtype=np.float64)
        linear = np.einsum("kij,kj->ki", precision, means)
        spread = np.array([np.log(2 * np.pi * scaling).sum() for scaling in self.scalings_])
        with np.errstate(divide="ignore"):
            constant = np.log(np.asarray(self.priors_, dtype=np.float64)) - 0.5 * (spread + (linear * means).sum(axis=1))
        return constant, linear, -0.5 * precision

    def _covariances(self):
        return [(rotation * scaling) @ rotation.T for rotation, scaling in zip(self.rotations_, self.scalings_)]
