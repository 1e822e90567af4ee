"""Gaussian classes with every covariance structure."""
import numpy as np
from sklearn.base import BaseEstimator

from suffice.generative import GenerativeMixin, prior_settings
from suffice.statistics import class_names
from suffice.shared_docs import documented


@documented
class GaussianDiscriminant(GenerativeMixin, BaseEstimator):
    """Gaussian classes with every covariance structure; a singular covariance or a missing value is no obstacle.

    Parameters
    ----------
    covariance : {"full", "diagonal", "spherical"} or one of mclust's fourteen names, default="full"
        "EII", "VII", "EEI", "VEI", "EVI", "VVI", "EEE", "VEE", "EVE", "VVE", "EEV", "VEV", "EVV", "VVV" say of volume,
        shape and orientation whether classes share them (E), each has its own (V) or they are the axes (I); ``shared``
        then says nothing. This is eigenvalue decomposition discriminant analysis (Bensmail and Celeux, 1996).
    shared : "all", "none" or list of groups of classes, default="all"
        Whose covariance a class uses: everyone's (linear), its own (quadratic), or its group's.
    shrinkage : None, "auto", "oas", "ledoit_wolf" or float, default=None
    estimate : {"likelihood", "unbiased", "map", "predictive"}, default="likelihood"
    priors : None, "uniform" or array-like, default=None
    prior : None, "vague" or dict(mean=, mean_weight=, degrees=, scatter=), default=None
        Normal-Wishart, for ``estimate="map"`` and ``"predictive"``. "vague" (and None) is p(mean, S) ~ |S|^-(d+1)/2,
        the predictive of Ripley (1996, sec. 2.4) that R's MASS documents for ``predict(method="predictive")``: equal to
        ``qda(x, g, method="mle")`` there for classes of equal size. MASS itself departs from it elsewhere: with the
        default moment fit ``predict.qda`` mixes divisors, it leaves out the gamma functions that differ between class
        sizes, and ``predict.lda`` measures distances in the discriminant coordinates only and rescales rows but not
        means; here all three follow the formula, over the whole distance.
    unlabeled : default=None
        A label that means: not known. None: there is none.

    Attributes
    ----------
    <attributes of classifiers>
    class_prior_ : ndarray of shape (n_classes,)
        Class probabilities.
    coef_, intercept_ : ndarray
        Where scores are linear.
    quadratic_, linear_, constant_ : ndarray
        score_k(x) = x' quadratic_[k] x + linear_[k] . x + constant_[k]; classes of one group have equal ``quadratic_``.
    rank_ : int or ndarray
        Of the covariances.

    See Also
    --------
    LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis : With scikit-learn's parameters.
    RegularizedDiscriminantAnalysis : Friedman's two numbers between shared and own.
    MixtureDiscriminantAnalysis : Several Gaussians for each class.

    Notes
    -----
    <what sums add>

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import GaussianDiscriminant
    >>> X = np.array([[0.0, 1], [1, 0], [0, 0], [5, 5], [6, 5], [np.nan, 6]])
    >>> y = np.array(["a", "a", "a", "b", "b", "b"])
    >>> GaussianDiscriminant(shared="none").fit(X, y).predict([[5, np.nan]]).tolist()
    ['b']
    """

    def __init__(self, covariance="full", shared="all", shrinkage=None, estimate="likelihood", priors=None, prior=None,
                 unlabeled=None):
        self.covariance = covariance
        self.shared = shared
        self.shrinkage = shrinkage
        self.estimate = estimate
        self.priors = priors
        self.prior = prior
        self.unlabeled = unlabeled

    def _structure(self):
        """The covariance and whose it is, where mclust's name says both."""
        plain = {"EII": ("spherical", "all"), "VII": ("spherical", "own"), "EEI": ("diagonal", "all"),
                 "VVI": ("diagonal", "own"), "EEE": ("full", "all"), "VVV": ("full", "own")}
        if self.covariance in ("VEI", "EVI", "VEE", "EVE", "VVE", "EEV", "VEV", "EVV"):
            return "diagonal" if self.covariance[2] == "I" else "full", "groups"
        return plain.get(self.covariance)

    def _recipe_for(self, labels):
        settings = {"estimate": self.estimate, "covariance": self.covariance, **prior_settings(self.priors, labels)}
        structure = self._structure()
        if structure is not None:
            settings["covariance"], settings["sharing"] = structure
            if structure[1] == "groups":
                settings["groups"] = [[self.covariance]]
        elif not isinstance(self.shared, (list, tuple, np.ndarray)):
            sharing = {"all": "all", "none": "own"}.get(self.shared if isinstance(self.shared, str) else "")
            if sharing is None:
                raise ValueError(f"shared must be 'all', 'none' or groups of classes, not {self.shared!r}")
            settings["sharing"] = sharing
        else:
            settings |= {"sharing": "groups", "groups": [class_names(group) for group in self.shared]}
        if isinstance(self.shrinkage, str):
            settings["shrinkage"] = self.shrinkage
        elif self.shrinkage is not None:
            settings["shrinkage"] = float(self.shrinkage)
        if self.prior is not None and self.prior != "vague" and not isinstance(self.prior, dict):
            raise ValueError(f"prior must be None, 'vague' or a dict, not {self.prior!r}")
        if isinstance(self.prior, dict):
            settings["gaussian_prior"] = {
                "mean": np.ravel(self.prior["mean"]).astype(float).tolist(),
                "mean_weight": float(self.prior["mean_weight"]), "degrees": float(self.prior["degrees"]),
                "scatter": np.ravel(self.prior["scatter"]).astype(float).tolist()}
        name = {"all": "linear_discriminant", "own": "quadratic_discriminant", "groups": "grouped_discriminant"}
        return name[settings["sharing"]], settings

    def _keep(self):
        structure = self._structure()
        shared = self.shared == "all" if structure is None else structure[1] == "all"
        return "auto" if shared else "per_class"


@documented
class RegularizedDiscriminantAnalysis(GenerativeMixin, BaseEstimator):
    """Friedman's regularised discriminant analysis.

    Parameters
    ----------
    alpha : float, default=0.5
        Weight of the class's own covariance against the pooled one.
    gamma : float, default=0.0
        Then toward trace/d times the identity.
    priors : None, "uniform" or array-like, default=None
    unlabeled : default=None

    Attributes
    ----------
    <attributes of classifiers>

    See Also
    --------
    GaussianDiscriminant : Shared and own covariances, shrinkage by rule.
    compare : Cross-validates a grid of both numbers in two passes.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import RegularizedDiscriminantAnalysis
    >>> X = np.array([[0.0, 1], [1, 0], [0, 0], [5, 5], [6, 5], [5, 6]])
    >>> RegularizedDiscriminantAnalysis(alpha=0.3).fit(X, [0, 0, 0, 1, 1, 1]).predict([[5, 5]]).tolist()
    [1]
    """

    def __init__(self, alpha=0.5, gamma=0.0, priors=None, unlabeled=None):
        self.alpha = alpha
        self.gamma = gamma
        self.priors = priors
        self.unlabeled = unlabeled

    def _recipe_for(self, labels):
        return "regularized_discriminant", {
            "estimate": "likelihood", "alpha": float(self.alpha), "gamma": float(self.gamma),
            **prior_settings(self.priors, labels)}

    def _keep(self):
        return "per_class"
