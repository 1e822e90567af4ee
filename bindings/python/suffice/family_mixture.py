"""Mixtures of any family, also of mixed columns."""
import warnings

import numpy as np
from sklearn.base import BaseEstimator, DensityMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from suffice import _core
from suffice.exporting import ExportMixin
from suffice.generative import FrameRowsMixin, lent
from suffice.inputs import seed_of
from suffice.labels import row_weights
from suffice.statistics import Statistics


class Mixture(FrameRowsMixin, ExportMixin, DensityMixin, BaseEstimator):
    """Mixture of products of families by EM: within a component, columns are independent and each has its family.

    With flags or categories this is latent class analysis. Missing values tell nothing.

    Parameters
    ----------
    family : None, str, dict of column name to family, or list of families, default=None
        None: by the evidence of each column, as ``suffice cluster --model mixture`` chooses; a name: for every column.
    n_components : int or sequence of int, default=1
        Several: with ``covariance``, as many as BIC likes best.
    covariance : None, "full", "tied", "diagonal", "spherical", one of mclust's names or "any", default=None
        Given: all columns are numbers and jointly Gaussian in each component, with this structure; "any" is the best of
        mclust's fourteen ("EII", "VII", ..., "VVV") by BIC. The model is the one that ``suffice cluster`` finds.
    n_init : int or None, default=None
        Starts; the best is kept. None: ten, or one where there are more than 20,000 rows.
    init_params : {"several", "kmeans", "k-means++", "random_from_data", "random"}, default="several"
        "several": each start of another kind (k-means on standardised, raw and whitened columns, Ward's hierarchies,
        quantiles, random rows and shares).
    tol : float, default=1e-7
        EM stops once the log-likelihood per row rises by less.
    max_iter : int, default=1000
    estimate : {"likelihood", "map"}, default="likelihood"
        With ``covariance``, "map" puts the Normal-Wishart prior of Fraley and Raftery (2007) on each component, so that
        none becomes degenerate.
    smoothing : float, default=1.0
        Pseudo-count of levels, flags and counts under "map".
    hard : bool, default=False
        Classification EM: each row counts for its most probable component alone (Celeux and Govaert, 1992).
    keep : float or None, default=1.0
        What ``partial_fit`` multiplies the weight of earlier batches by: 1 forgets nothing, less follows a drift. None:
        they fade so that the t-th batch counts for a share t^-0.7 (Cappe and Moulines, 2009).
    random_state : int, RandomState instance or None, default=None

    Attributes
    ----------
    weights_ : array of shape (n_components,)
    parameters_ : dict of column name to a list with the parameters in each component
    covariance_, n_components_, means_, covariances_, candidates_
        With ``covariance``: the structure and number found, the parameters, and what BIC chose from.
    log_likelihood_, bic_, aic_, icl_ : float
        Of the training rows.
    lower_bounds_ : array
        The log-likelihood per row before each step.
    n_iter_, converged_ : int, bool
    statistics_ : Statistics
        Of the last step: what each component has seen of the rows.

    See Also
    --------
    GaussianMixture : Gaussians, with scikit-learn's parameters.
    NaiveBayes : The same families with classes that are known.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import Mixture
    >>> X = np.array([[0], [1], [2], [1], [30], [28], [33], [29]])
    >>> model = Mixture(family="poisson", n_components=2, random_state=0).fit(X)
    >>> sorted(round(float(each["rate"]), 3) for each in model.parameters_["x0"])
    [1.0, 30.0]
    >>> len(set(model.predict(X)[:4].tolist()))
    1
    """

    def __init__(self, family=None, n_components=1, *, covariance=None, n_init=None, init_params="several", tol=1e-7,
                 max_iter=1000, estimate="likelihood", smoothing=1.0, hard=False, keep=1.0, random_state=None):
        self.family = family
        self.n_components = n_components
        self.covariance = covariance
        self.n_init = n_init
        self.init_params = init_params
        self.tol = tol
        self.max_iter = max_iter
        self.estimate = estimate
        self.smoothing = smoothing
        self.hard = hard
        self.keep = keep
        self.random_state = random_state

    def _families_of(self, names):
        if self.family is None:
            return {}
        if isinstance(self.family, dict):
            return {str(name): str(family) for name, family in self.family.items()}
        if isinstance(self.family, str):
            return dict.fromkeys(names, self.family)
        if len(self.family) != len(names):
            raise ValueError(f"there are {len(self.family)} families for {len(names)} columns")
        return dict(zip(names, map(str, self.family)))

    @staticmethod
    def _weight_of(rows, sample_weight):
        return row_weights(sample_weight, rows.shape[0] if isinstance(rows, np.ndarray) else rows.row_count)

    def fit(self, X, y=None, sample_weight=None):
        """Fits by EM: X is a data frame, an Arrow table or an array; missing values are NaN, null or None."""
        rows = self._rows_of(X, True)
        weight = self._weight_of(rows, sample_weight)
        if self.covariance is not None:
            return self._fit_gaussian(rows, weight)
        described = self._described(rows)
        chosen = self._families_of([name for name, *_ in described])
        columns = [(name, "number" if kind == "flag" and chosen.get(name, "bernoulli") != "bernoulli" else kind,
                    _core.sorted_names(levels), declared) for name, kind, levels, declared in described]
        settings = {"estimate": self.estimate, "smoothing": float(self.smoothing)}
        sorted_rows = rows if isinstance(rows, np.ndarray) else rows.lend([levels for _, _, levels, _ in columns])
        model, told = _core.fit_mixture(settings, columns, chosen, sorted_rows, weight, int(self.n_components),
                                        self.init_params, self._starts(), int(self.max_iter),
                                        float(self.tol), bool(self.hard), seed_of(self.random_state))
        return self._keep_fit(model, told)

    def _starts(self):
        return 0 if self.n_init is None else int(self.n_init)

    def _fit_gaussian(self, rows, weight):
        if self.family is not None and self.family != "gaussian":
            raise ValueError("with covariance every column is Gaussian, so family says nothing else")
        described = self._described(rows)
        for name, kind, *_ in described:
            if kind not in ("number", "flag"):
                raise ValueError(f"the column {name} holds words, and a mixture of Gaussians takes numbers only")
        counts = np.atleast_1d(self.n_components).astype(int)
        if sorted(counts) != list(range(counts.min(), counts.max() + 1)):
            raise ValueError("n_components is a number, or all numbers from one to another")
        model, told = _core.fit_gaussian_components(
            lent(rows), weight, [name for name, *_ in described], int(counts.min()), int(counts.max()), self.covariance,
            self.estimate == "map", self._starts(), int(self.max_iter), float(self.tol), bool(self.hard), seed_of(self.random_state))
        self.covariance_, self.candidates_ = told["covariance"], told["candidates"]
        return self._keep_fit(model, told)

    def _keep_fit(self, model, told):
        self._take(model)
        self.log_likelihood_, self.bic_, self.aic_ = told["log_likelihood"], told["bic"], told["aic"]
        self.icl_, self.n_iter_, self.converged_ = told["icl"], told["steps"], told["settled"]
        self.lower_bounds_ = told["path"] / told["weight"]
        for note in told["notes"]:
            warnings.warn(note, ConvergenceWarning if note.startswith("EM stopped") else UserWarning, stacklevel=2)
        return self

    def _take(self, model):
        self.weights_ = np.exp(model.log_prior)
        self.n_components_ = len(self.weights_)
        self.statistics_ = Statistics(model.state, np.arange(self.n_components_))
        if model.state.model == "gaussian_mixture":
            _, self.means_, self.covariances_ = _core.mixture_components(model)
        self.parameters_ = {column: by_component for column, _, by_component in model.describe()}

    def partial_fit(self, X, y=None, sample_weight=None):
        """Stepwise EM (Neal and Hinton, 1998): the first batch is fitted; of each further one the rows are shared among
        the components found so far, their statistics join the earlier ones, which count ``keep`` times as much as
        before, and the components follow from both."""
        if not hasattr(self, "statistics_"):
            return self.fit(X, sample_weight=sample_weight)
        rows = self._rows_of(X, False)
        keep = None if self.keep is None else float(self.keep)
        self._take(_core.learn_batch(self._model(), self._lend(X), self._weight_of(rows, sample_weight), keep))
        return self

    def _model(self):
        check_is_fitted(self)
        return _core.Model.estimate(self.statistics_._state)

    def _file_bytes(self):
        return _core.mixture_file(self._model())

    @classmethod
    def _blank(cls, data):
        return cls._of(_core.State.from_file(data))

    @classmethod
    def _of(cls, state):
        """The mixture that a model file holds."""
        made = cls(n_components=len(state.classes))
        names = [name for name, *_ in state.columns]
        made.n_features_in_ = len(names)
        made.feature_names_in_ = np.array(names, dtype=object)
        made._take(_core.Model.estimate(state))
        return made

    def predict(self, X):
        """The most probable component of each row."""
        return self._model().score(self._lend(X), "best").astype(np.int64)

    def predict_proba(self, X):
        """p(component | x) of each row."""
        return self._model().score(self._lend(X), "posterior")

    def score_samples(self, X):
        """log p(x) of each row."""
        return self._model().score(self._lend(X), "log_evidence")

    def score(self, X, y=None):
        """The mean log-likelihood of the rows."""
        return float(np.mean(self.score_samples(X)))

    def sample(self, n_samples=1, random_state=None):
        """Draws rows and the components they come from; categories as their levels' codes."""
        rows, components = self._model().sample(n_samples, seed_of(random_state))
        return rows, components.astype(np.int64)
