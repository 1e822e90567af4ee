"""Quadratic discriminant analysis."""
from numbers import Real

import numpy as np
from scipy import linalg
from sklearn.base import BaseEstimator, ClassifierMixin, _fit_context
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions

from suffice.discriminant_analysis.base import DiscriminantMixin, above, covariance_of_rows, shrunk
from suffice.same_numbers import same_numbers
from suffice.score_form import QuadraticFormMixin
from suffice.shared_docs import documented


@documented
class QuadraticDiscriminantAnalysis(DiscriminantMixin, QuadraticFormMixin, ClassifierMixin, BaseEstimator):
    """Quadratic discriminant analysis, as ``sklearn.discriminant_analysis.QuadraticDiscriminantAnalysis``: Gaussian classes
    with covariances of their own, so that boundaries are conics.

    Gains: ``sample_weight`` in ``fit``, and ``partial_fit``, which over pieces equals ``fit``.

    Parameters
    ----------
    solver : {"svd", "eigen"}, default="svd"
        How the covariances are taken apart; "eigen" takes shrinkage.
    <parameters of discriminants>
    reg_param : float, default=0.0
        Shrinks the covariance of each class to a multiple of the identity: (1 - reg_param) S + reg_param I, on the scale of
        its singular values as there.
    <more parameters of discriminants>

    Attributes
    ----------
    <attributes of classifiers>
    covariance_ : list of ndarray of shape (n_features, n_features)
        Of each class, where ``store_covariance`` asks for it.
    means_ : ndarray of shape (n_classes, n_features)
    priors_ : ndarray of shape (n_classes,)
    rotations_ : list of ndarray
        Axes of each class's ellipsoid.
    scalings_ : list of ndarray
        Variances along them.
    quadratic_, linear_, constant_ : ndarray
        score_k(x) = x' quadratic_[k] x + linear_[k] . x + constant_[k].

    Raises
    ------
    LinAlgError
        Where the covariance of a class is singular, as there; ``GaussianDiscriminant`` answers instead.

    See Also
    --------
    LinearDiscriminantAnalysis : One covariance for all classes.
    RegularizedDiscriminantAnalysis : Between the two.
    GaussianDiscriminant : All of them, with missing values.

    Notes
    -----
    <what sums add>

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import QuadraticDiscriminantAnalysis
    >>> X = np.array([[-1, -1], [-2, -1], [-3, -2], [1, 1], [2, 1], [3, 2]])
    >>> y = np.array([1, 1, 1, 2, 2, 2])
    >>> QuadraticDiscriminantAnalysis().fit(X, y).predict([[-0.8, -1]])
    array([1])
    """

    _stated_by = ("priors_", "means_", "_class_covariances")
    _axes: dict | None = None  # rotations_ and scalings_, taken from the covariances when they are first asked for, or set
    _first_axes: dict | None = None  # as they were taken
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
        regular = float(self.reg_param) if self.solver == "svd" else 0.0
        return self._name, {**self._given_settings(), "toward_identity": regular}

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
        if self._of_rows is not None:
            return self._solve(weight, means, **self._of_rows)
        if self.shrinkage == "auto":
            covariances = self._estimated_covariances()
        else:
            covariances = [shrunk(each, self.shrinkage) for each in scatter / weight[:, None, None]]
        if self.solver == "svd" and self.reg_param:
            covariances = [(1 - self.reg_param) * each + self.reg_param * np.eye(len(each)) for each in covariances]
        self._solve(weight, means, covariances, self._take_priors(weight))

    def _covariances_of_rows(self, X, codes):
        covariances = [covariance_of_rows(X[codes == c], self.shrinkage, self.covariance_estimator)
                       for c in range(len(self.classes_))]
        return {"covariances": covariances, "priors": self._take_priors(self._moments()[0])}

    def _check_weights(self, weight, scatter):
        for label, each, spread in zip(self.classes_, weight, scatter):
            if each == 0:
                raise ValueError(f"y has no sample in class {label}, covariance is ill defined.")
            if each <= 1 and not spread.any():  # rows of small weights may be many
                raise ValueError(f"y has only 1 sample in class {label}, covariance is ill defined.")

    def _solve(self, weight, means, covariances, priors):
        for c, covariance in enumerate(covariances):
            full = above(covariance, self.tol)
            self._check_rank(c, len(covariance) if full else int((linalg.eigvalsh(covariance) > self.tol).sum()), weight[c])
        self.priors_ = priors
        self.means_ = means.astype(self._dtype, copy=False)
        self._estimates = list(covariances)
        self._axes = self._first_axes = None
        if self.store_covariance:
            self.covariance_ = covariances

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

    def decision_function(self, X):
        """Log joint scores; of two classes, their difference."""
        scores = self._checked_scores(X, "score") + 0.5 * self.n_features_in_ * np.log(2 * np.pi)  # which theirs leave out
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    def _coefficients(self):
        if not hasattr(self, "statistics_"):
            raise AttributeError(f"this {type(self).__name__} instance is not fitted yet")
        if self._too_little is not None:
            raise AttributeError(str(self._too_little))
        return self._scorer().form()

    def _ellipsoids(self):
        """The axes of each class, which take far longer than the fit and which no score needs."""
        if self._axes is None:
            if not hasattr(self, "_estimates"):
                raise AttributeError(f"this {type(self).__name__} instance is not fitted yet")
            pairs = [linalg.eigh(each) for each in self._estimates]
            self._keep_axes(self._estimates, [vectors[:, ::-1].copy() for _, vectors in pairs], [values[::-1].copy() for values, _ in pairs])
        return self._axes

    def _keep_axes(self, covariances, rotations, scalings):
        """Axes that are those of these covariances, until somebody changes them."""
        self._estimates = list(covariances)
        self._axes = {"rotations_": rotations, "scalings_": scalings}
        self._first_axes = {name: list(map(np.copy, all_)) for name, all_ in self._axes.items()}

    @property
    def rotations_(self):
        """Axes of each class's ellipsoid."""
        return self._ellipsoids()["rotations_"]

    @rotations_.setter
    def rotations_(self, rotations):
        self._axes = {**self._ellipsoids(), "rotations_": rotations}

    @property
    def scalings_(self):
        """Variances along them."""
        return self._ellipsoids()["scalings_"]

    @scalings_.setter
    def scalings_(self, scalings):
        self._axes = {**self._ellipsoids(), "scalings_": scalings}

    @property
    def _class_covariances(self):
        """As they were estimated, unless the axes were changed since."""
        if self._axes is None or same_numbers(self._axes, self._first_axes):
            return self._estimates
        return [(rotation * scaling) @ rotation.T for rotation, scaling in zip(self.rotations_, self.scalings_)]

    def _covariances(self):
        return np.array(self._class_covariances)
