"""The Gaussian mixture, drop-in, with what only this library adds: priors, batches and files."""
import warnings
from numbers import Real

import numpy as np
from sklearn import mixture as theirs
from sklearn.mixture._gaussian_mixture import _compute_precision_cholesky, _compute_precision_cholesky_from_precisions
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from suffice import _core
from suffice.exporting import ExportMixin
from suffice.mixture import PassesMixin, precision_factors
from suffice.statistics import Statistics
from suffice.shared_docs import documented


@documented
class GaussianMixture(PassesMixin, ExportMixin, theirs.GaussianMixture):
    """Mixture of Gaussians by EM, with the parameters and attributes of scikit-learn's class of this name.

    ``fit`` also takes ``sample_weight``: a row of weight 2 is two rows. ``partial_fit`` takes rows batch by batch,
    ``save`` writes the file that ``suffice cluster --save`` writes.

    Parameters
    ----------
    n_components : int, default=1
        How many Gaussians; ``bic(X)`` and ``aic(X)`` help to choose.
    <parameters of mixtures>
    weights_init : array-like of shape (n_components,), default=None
        Shares to start from.
    means_init : array-like of shape (n_components, n_features), default=None
        Means to start from.
    precisions_init : array-like, default=None
        Inverse covariances to start from, in the shape that ``covariance_type`` has.
    <rest of mixtures>
    prior : None, "default" or dict(mean=, mean_weight=, degrees=, scatter=), default=None
        A Normal-Wishart prior on each component, as ``GaussianDiscriminant`` takes it: the parameters are then the mode
        of the posterior, and no component collapses. "default": from the rows, after Fraley and Raftery (2007).
    keep : float or None, default=1.0
        What ``partial_fit`` multiplies the weight of earlier batches by: 1 forgets nothing, less follows a drift. None:
        they fade so that the t-th batch counts for a share t^-0.7 (Cappe and Moulines, 2009).

    Attributes
    ----------
    <attributes of mixtures>
    n_features_in_ : int
        Columns of X.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, where X has them.

    See Also
    --------
    BayesianGaussianMixture : Components that are not needed fade away.
    Mixture : Components of any family.
    KMeans : The limit of equal spherical components without variance.

    Notes
    -----
    <methods of mixtures>

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import GaussianMixture
    >>> X = np.array([[1, 2], [1, 4], [1, 0], [10, 2], [10, 4], [10, 0]])
    >>> model = GaussianMixture(n_components=2, random_state=0).fit(X)
    >>> model.means_.round(6).tolist()
    [[10.0, 2.0], [1.0, 2.0]]
    >>> model.predict([[0, 0], [12, 3]]).tolist()
    [1, 0]
    >>> model.partial_fit([[1, 1], [9, 2]]).weights_.tolist()
    [0.5, 0.5]
    """

    _parameter_constraints = {
        **theirs.GaussianMixture._parameter_constraints,
        "prior": [None, StrOptions({"default"}), dict],
        "keep": [None, Interval(Real, 0, 1, closed="right")],
    }

    def __init__(self, n_components=1, *, covariance_type="full", tol=1e-3, reg_covar=1e-6, max_iter=100, n_init=1,
                 init_params="kmeans", weights_init=None, means_init=None, precisions_init=None, random_state=None,
                 warm_start=False, verbose=0, verbose_interval=10, prior=None, keep=1.0):
        super().__init__(n_components=n_components, covariance_type=covariance_type, tol=tol, reg_covar=reg_covar,
                         max_iter=max_iter, n_init=n_init, init_params=init_params, weights_init=weights_init,
                         means_init=means_init, precisions_init=precisions_init, random_state=random_state,
                         warm_start=warm_start, verbose=verbose, verbose_interval=verbose_interval)
        self.prior = prior
        self.keep = keep

    def _run(self, X, rows, weight, random_state):
        self.__dict__.pop("statistics_", None)
        self._prior = _stated(self.prior)
        if self.prior == "default":
            self._prior = _stated(_core.default_prior(X, weight, self.n_components, self.covariance_type))
        super()._run(X, rows, weight, random_state)

    def _iterate(self, rows, before):
        """EM by the library, from the parameters as they stand."""
        prior = {} if self._prior is None else {"gaussian_prior": self._prior}
        told = rows.fit(*self._components(), float(self.reg_covar), prior, float(self.tol), int(self.max_iter),
                        None if before == -np.inf else float(before))
        self._take_parameters(told["weights"], told["means"], told["covariances"])
        if told["gathered"] is not None:
            self._gathered = told["gathered"][:3]
        return told["bounds"].tolist(), bool(told["settled"])

    def _moments(self, gathered):
        self._gathered = gathered[0], gathered[1], gathered[2].copy()  # without reg_covar
        return super()._moments(gathered)

    def _model_of(self, weight, mean, covariance, added):
        names = getattr(self, "feature_names_in_", None)
        names = [f"x{k}" for k in range(self.n_features_in_)] if names is None else [str(name) for name in names]
        return _core.mixture_of_moments(
            self.covariance_type, *(np.ascontiguousarray(each, dtype=np.float64) for each in (weight, mean, covariance)),
            0.0, float(added), {} if self._prior is None else {"gaussian_prior": self._prior}, names)

    def _take(self, model):
        self._take_parameters(*_core.mixture_components(model))

    def _take_parameters(self, weights, means, covariances):
        if self.covariance_type == "tied":
            covariances = covariances[0]
        elif self.covariance_type != "full":
            covariances = np.ascontiguousarray(np.einsum("kii->ki", covariances))
            covariances = covariances[:, 0].copy() if self.covariance_type == "spherical" else covariances
        self.weights_, self.means_, self.covariances_ = weights, means, covariances
        self.precisions_cholesky_ = precision_factors(covariances, self.covariance_type)

    def partial_fit(self, X, y=None, sample_weight=None):
        """Stepwise EM: the first batch is fitted; each further one is a step.

        Its rows are shared among the components found so far, their statistics join the earlier ones, which count
        ``keep`` times as much as before, and the parameters follow from both (Neal and Hinton, 1998).

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows of numbers, of this batch.
        y : Ignored
            Not used.
        sample_weight : array-like of shape (n_samples,), default=None
            What each row counts.

        Returns
        -------
        self : object
            The mixture.
        """
        if not hasattr(self, "means_"):
            return self.fit(X, sample_weight=sample_weight)
        self._validate_params()
        X = validate_data(self, X, reset=False, dtype=[np.float64, np.float32])
        weight = None
        if sample_weight is not None:
            weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        self._take_model(_core.learn_batch(self._model(), X, weight, self.keep))
        self.n_iter_ += 1
        self.lower_bound_ = float(np.average(self._scores(X, "evidence"), weights=weight))
        return self

    def _take_model(self, model):
        self.statistics_ = Statistics(model.state, np.arange(self.n_components))
        self._take(model)
        self._set_parameters(self._get_parameters(), xp=np)  # precisions_ follow

    def _model(self):
        check_is_fitted(self)
        if hasattr(self, "statistics_"):
            return _core.Model.estimate(self.statistics_._state)
        if getattr(self, "_gathered", None) is None:
            raise ValueError("this mixture has taken no step by which it could go on; fit it with max_iter above 0")
        return self._model_of(*self._gathered, self.reg_covar)

    def _file_bytes(self):
        return _core.mixture_file(self._model())

    @classmethod
    def _blank(cls, data):
        return cls._of(_core.State.from_file(data))

    @classmethod
    def _of(cls, state):
        """The mixture that a model file holds."""
        model = _core.Model.estimate(state)
        names = [name for name, *_ in state.columns]
        made = cls(n_components=len(state.classes), **_core.mixture_settings(model))
        made.n_features_in_ = len(names)
        if names != [f"x{k}" for k in range(len(names))]:
            made.feature_names_in_ = np.array(names, dtype=object)
        made._prior = _stated(made.prior)
        made._take_model(model)
        made.converged_, made.n_iter_, made.lower_bound_ = True, 0, -np.inf
        return made

    def _start(self, X, rows, weight, random_state):
        if self.weights_init is None or self.means_init is None or self.precisions_init is None:
            super()._start(X, rows, weight, random_state)
        else:
            self._start_from(None, None, None, None)

    def _start_from(self, weight, mean, covariance, total):
        if self._prior is not None and mean is not None:
            self._take(self._model_of(weight, mean, covariance, 0))
            weight, mean, covariance = self.weights_ * total, self.means_, self.covariances_
        self.weights_ = weight / total if self.weights_init is None else np.asarray(self.weights_init)
        self.means_ = mean if self.means_init is None else self.means_init
        if self.n_components > 1 and self.means_init is not None and self.precisions_init is not None:
            given = self.precisions_init if self.covariance_type != "tied" else np.zeros(1)
            if all((np.asarray(each) == each[0]).all() for each in (self.means_init, given)):
                warnings.warn("all components start alike, so each row belongs to all of them alike, which EM never "
                              "changes; move the means in means_init apart", UserWarning, stacklevel=6)
        if self.precisions_init is None:
            self.covariances_ = covariance
            self.precisions_cholesky_ = _compute_precision_cholesky(covariance, self.covariance_type, xp=np)
        else:
            # scikit-learn leaves covariances_ unset here; with max_iter=0 they are then missing.
            self.covariances_ = covariance
            self.precisions_cholesky_ = _compute_precision_cholesky_from_precisions(
                self.precisions_init, self.covariance_type, xp=np)

    def _offsets(self):
        return np.log(self.weights_)


def _stated(prior):
    """A prior as the library reads it."""
    if not isinstance(prior, dict):
        return None
    return {"mean": np.ravel(prior["mean"]).astype(float).tolist(), "mean_weight": float(prior["mean_weight"]),
            "degrees": float(prior["degrees"]), "scatter": np.ravel(prior["scatter"]).astype(float).tolist()}
