"""Classes that are mixtures of Gaussians."""
import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from suffice import _core
from suffice.estimator import say
from suffice.generative import GenerativeMixin, lent
from suffice.inputs import seed_of
from suffice.refusals import refused
from suffice.statistics import class_names, labels_from
from suffice.shared_docs import documented


@documented
class MixtureDiscriminantAnalysis(GenerativeMixin, BaseEstimator):
    """Each class is a mixture of Gaussians, fitted by EM; posteriors by Bayes' rule.

    Parameters
    ----------
    n_components : int or None, default=None
        Components of each class. None: as many as BIC likes best, up to five.
    covariance_type : {"any", "full", "tied", "diag", "spherical"} or one of mclust's names, default="any"
        "tied": one covariance for all components of all classes (Hastie and Tibshirani 1996). "any": the structure with
        the lowest BIC, so that one Gaussian per class, shared or own covariance, is what it falls back to.
    structures : {"shared", "per_class"}, default="shared"
        Whether all classes have one structure, or each class the number and structure that BIC likes best for its rows
        (mclust's MclustDA); then ``structures_`` names them by class.
    n_init : int, default=3
    max_iter : int, default=1000
    tol : float, default=1e-7
        EM ends once the log-likelihood per row rises by less.
    random_state : int, RandomState or None, default=None
    unlabeled : label, default=None
        Rows with this label, None or NaN have an unknown class and take part by EM.
    unlabeled_weight : float, default=1.0
        What each of them counts (Nigam et al., 2000).

    Attributes
    ----------
    <attributes of classifiers>

    See Also
    --------
    GaussianDiscriminant : One Gaussian for each class.
    GaussianMixture : Without classes.

    Notes
    -----
    It is fitted by EM over the rows, so it neither merges nor subtracts; ``update`` goes on from where it stands.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import MixtureDiscriminantAnalysis
    >>> rng = np.random.default_rng(0)
    >>> X = np.vstack([rng.normal(c, 0.5, (50, 2)) for c in (-4, 0, 4)])
    >>> y = np.repeat(["outside", "middle", "outside"], 50)
    >>> model = MixtureDiscriminantAnalysis(random_state=0).fit(X, y)
    >>> model.n_components_.tolist(), model.predict([[4, 4], [0, 0]]).tolist()
    ([1, 2], ['outside', 'middle'])
    """

    _by_statistics = False

    def __init__(self, n_components=None, covariance_type="any", n_init=3, max_iter=1000, tol=1e-7, random_state=None,
                 unlabeled=None, unlabeled_weight=1.0, structures="shared"):
        self.n_components = n_components
        self.covariance_type = covariance_type
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.unlabeled = unlabeled
        self.unlabeled_weight = unlabeled_weight
        self.structures = structures

    def fit(self, X, y, sample_weight=None):
        """Fits a mixture to the rows of each class; missing values are NaN."""
        rows, labels, codes, weight = self._lesson(X, y, sample_weight, True)
        if len(labels) < 2:
            raise ValueError("The number of classes has to be greater than one; got "
                             f"{len(labels)} class")
        if self.structures not in ("shared", "per_class"):
            raise ValueError(f"structures must be 'shared' or 'per_class'; got {self.structures!r}")
        self._mixture = _core.MixtureDiscriminant.fit(
            lent(rows), codes, weight, class_names(labels), self._names(), int(self.n_components or 0), self.covariance_type,
            self.structures == "per_class", int(self.n_init), int(self.max_iter), float(self.tol), float(self.unlabeled_weight if (codes < 0).any() else 0),
            seed_of(self.random_state))
        self._settle(labels)
        say(self._mixture.notes)
        return self

    def _settle(self, labels):
        self.classes_ = labels
        self.n_components_ = np.bincount(self._mixture.class_of, minlength=len(labels))
        self.class_prior_ = np.exp(self._mixture.log_prior)
        if self._mixture.structures:
            self.structures_ = dict(zip(labels.tolist(), self._mixture.structures))

    @classmethod
    def _of(cls, mixture):
        made = cls()
        made._mixture = mixture
        made.feature_names_in_ = np.array(mixture.columns, dtype=object)
        made.n_features_in_ = len(mixture.columns)
        names = mixture.classes
        whole = all(name.lstrip("-").isdecimal() for name in names)
        made._settle(labels_from(names, "<i8") if whole else np.array(names))
        return made

    partial_fit = refused("a mixture takes repeated passes over its rows: it cannot gain rows one piece after the other")

    def __add__(self, other):
        raise TypeError("a mixture takes repeated passes over its rows, so it is no sum of them; fit it to both")

    __sub__ = __add__

    def decay(self, factor):
        """Refuses, as ``+`` does."""
        raise TypeError("a mixture takes repeated passes over its rows, so it is no sum of them and cannot decay")

    @property
    def statistics_(self):
        """Refuses, as ``+`` does."""
        raise AttributeError("a mixture takes repeated passes over its rows, so no statistics of them determine it")

    def leave_one_out(self, X, y, sample_weight=None):
        """Refuses: without a row the mixture would have to be fitted anew."""
        raise TypeError("a mixture takes repeated passes over its rows, so leaving each out means fitting anew; "
                        "use cross-validation")

    def _coefficients(self):
        raise AttributeError("the scores of a mixture are neither linear nor quadratic in the columns")

    @property
    def rank_(self):
        """Refuses: there is a covariance for each component."""
        raise AttributeError("a mixture has covariances of its components, and no one rank")

    def _kinds(self, reset):
        return {} if reset else dict.fromkeys(self._names(), "number")

    def _rows_of(self, X, reset):
        rows = super()._rows_of(X, reset)
        words = [name for name, kind, *_ in self._described(rows) if kind == "category"]
        if words:
            raise ValueError(f"the column {words[0]} holds words, and a mixture of Gaussians takes numbers only")
        return rows

    def _lend(self, X):
        check_is_fitted(self, "classes_")
        return lent(self._rows_of(X, False))

    def _model(self):
        check_is_fitted(self, "classes_")
        return self._mixture

    def _drawn(self, rows):
        return rows

    def _fitted(self, name):
        if not hasattr(self, "_mixture"):
            raise AttributeError(f"this {type(self).__name__} instance is not fitted yet")
        return getattr(self._mixture, name)

    def _file_bytes(self):
        return self._model().to_file()

    def __getstate__(self):
        kept = super().__getstate__()
        if "_mixture" in kept:
            kept = {**kept, "_mixture": kept["_mixture"].to_file()}
        return kept

    def __setstate__(self, kept):
        if "_mixture" in kept:
            kept = {**kept, "_mixture": _core.mixture_discriminant_from_file(kept["_mixture"])}
        super().__setstate__(kept)
