"""Gaussian mixtures, drop-in: scikit-learn's classes, with every pass over the rows made by the library.

Checks, parameters, messages and the small algebra of k components are scikit-learn's own; what reads rows (E-step,
moments of the M-step, scores) is one fused pass, and nothing of size rows x components is kept.
"""
import warnings

import numpy as np
from sklearn import mixture as theirs
from sklearn.base import _fit_context
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture._gaussian_mixture import (
    _compute_precision_cholesky,
    _estimate_gaussian_parameters,
)
from sklearn.utils import check_random_state
from sklearn.utils._array_api import _is_numpy_namespace, get_namespace
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from suffice import _core
from suffice.cluster import KMeans, spread_rows
from suffice.inputs import readable, refuse_holes
from suffice.shared_docs import documented


class PassesMixin:
    """Steps and scores of Gaussian components by the library's passes.

    A class gives ``_offsets()``, what is added to each component's log density, ``_from_moments``, its M-step, and
    ``_bound``, the lower bound on the log-likelihood per row.
    """

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y=None, sample_weight=None):
        """Estimates the parameters by EM: the best of ``n_init`` starts.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows of numbers.
        y : Ignored
            Not used.
        sample_weight : array-like of shape (n_samples,), default=None
            What each row counts; a row of weight 2 is two rows.

        Returns
        -------
        self : object
            The fitted mixture.
        """
        xp, _ = get_namespace(X)
        if not _is_numpy_namespace(xp) and sample_weight is None:
            return super().fit(X, y)
        self._fit_rows(X, sample_weight, xp)
        return self

    @_fit_context(prefer_skip_nested_validation=True)
    def fit_predict(self, X, y=None, sample_weight=None):
        """Fits as ``fit`` does, and returns the most probable component of each row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows of numbers.
        y : Ignored
            Not used.
        sample_weight : array-like of shape (n_samples,), default=None
            What each row counts.

        Returns
        -------
        labels : array, shape (n_samples,)
            Component labels.
        """
        xp, _ = get_namespace(X)
        if not _is_numpy_namespace(xp) and sample_weight is None:
            return super().fit_predict(X, y)
        X = self._fit_rows(X, sample_weight, xp)
        return self._scores(X, "best").astype(np.int64)

    def _fit_rows(self, X, sample_weight, xp):
        X = validate_data(self, X, dtype=[np.float64, np.float32], ensure_min_samples=2, ensure_all_finite=False)
        if X.shape[0] < self.n_components:
            raise ValueError("Expected n_samples >= n_components "
                             f"but got n_components = {self.n_components}, n_samples = {X.shape[0]}")
        weight = None
        if sample_weight is not None:
            weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        self._check_parameters(X, xp=xp)
        rows = _core.GaussianRows(X, weight, self.covariance_type)
        if not rows.look():
            refuse_holes(self, X)
        self._run(X, rows, weight, check_random_state(self.random_state))
        return X

    def _run(self, X, rows, weight, random_state):
        do_init = not (self.warm_start and hasattr(self, "converged_"))
        best = None
        self.converged_ = False
        for init in range(self.n_init if do_init else 1):
            self._print_verbose_msg_init_beg(init)
            if do_init:
                self._start(X, rows, weight, random_state)
            before = -np.inf if do_init else self.lower_bound_
            bounds, converged = self._iterate(rows, before) if self.max_iter > 0 else ([], False)
            bound, n_iter = bounds[-1] if bounds else before, len(bounds)
            for step, (earlier, now) in enumerate(zip([before, *bounds], bounds), 1):
                self._print_verbose_msg_iter_end(step, now - earlier)
            if self.max_iter > 0:
                self._print_verbose_msg_init_end(bound, converged)
            if best is None or bound > best[0] or best[0] == -np.inf:
                best = bound, bounds, n_iter, self._get_parameters(), getattr(self, "_gathered", None)
                self.converged_ = converged
        if not self.converged_ and self.max_iter > 0:
            last = best[1][-1] - best[1][-2] if len(best[1]) > 1 else np.inf
            warnings.warn("Best performing initialization did not converge. Try different init parameters, or increase "
                          "max_iter, tol, or check for degenerate data. The last change of the lower bound was "
                          f"{last:.3g}.", ConvergenceWarning, stacklevel=5)
        self._set_parameters(best[3], xp=np)
        self._gathered = best[4]
        self.n_iter_ = best[2]
        self.lower_bound_ = best[0] if self.max_iter > 0 else -np.inf
        self.lower_bounds_ = best[1]
        if X.dtype == np.float32:
            for name, value in list(vars(self).items()):
                if name.endswith("_") and isinstance(value, np.ndarray) and value.dtype == np.float64:
                    setattr(self, name, value.astype(np.float32))

    def _iterate(self, rows, before):
        """Steps until the bound stands still: the bounds, and whether it did."""
        bounds = []
        for _ in range(self.max_iter):
            bounds.append(self._step(rows))
            if abs(bounds[-1] - before) < self.tol:
                return bounds, True
            before = bounds[-1]
        return bounds, False

    def _start(self, X, rows, weight, random_state):
        """Parameters from which EM starts, as ``init_params`` says."""
        n, k = X.shape[0], self.n_components
        if self.init_params == "random":
            share = random_state.uniform(size=(n, k)).astype(X.dtype)
            share /= share.sum(axis=1)[:, np.newaxis]
            if weight is not None:
                share *= weight[:, np.newaxis]
            moments = self._moments_of_shares(X, share)
        else:
            labels = np.full(n, -1, dtype=np.int32)
            if self.init_params == "kmeans":
                found = KMeans(n_clusters=k, n_init=1, random_state=random_state).fit(X, sample_weight=weight)
                labels = np.ascontiguousarray(found.labels_, dtype=np.int32)
            elif self.init_params == "random_from_data":
                labels[random_state.choice(n, size=k, replace=False)] = np.arange(k)
            else:
                labels[spread_rows(X, k, weight, random_state)] = np.arange(k)
            if self.covariance_type == "tied" and self.init_params != "kmeans":
                # Most rows belong to no component here, and scikit-learn's tied start still counts their squares.
                moments = self._moments_of_shares(X, (labels[:, np.newaxis] == np.arange(k)).astype(X.dtype))
            else:
                moments = self._moments(rows.of_labels(labels, k))[:3]
        self._start_from(*moments, n if weight is None else weight.sum())

    def _moments_of_shares(self, X, share):
        return _estimate_gaussian_parameters(X, share, self.reg_covar, self.covariance_type, xp=np)

    def _moments(self, gathered):
        """Weights, means and covariances as scikit-learn shapes them, with reg_covar on the diagonal."""
        weight, mean, covariance, *rest = gathered
        k, d = mean.shape
        if self.covariance_type == "full":
            covariance = covariance.reshape(k, d, d)
            covariance[:, np.arange(d), np.arange(d)] += self.reg_covar
        elif self.covariance_type == "tied":
            covariance = covariance.reshape(d, d)
            covariance[np.arange(d), np.arange(d)] += self.reg_covar
        else:
            covariance = covariance.reshape(k, d) if self.covariance_type == "diag" else covariance
            covariance += self.reg_covar
        return weight, mean, covariance, *rest

    def _components(self):
        """Means, precision factors (lower) and offsets as the library reads them."""
        factor = np.asarray(self.precisions_cholesky_, dtype=np.float64)
        if factor.ndim == 3:
            factor = factor.transpose(0, 2, 1)
        elif self.covariance_type == "tied":
            factor = factor.T
        return (np.ascontiguousarray(self.means_, dtype=np.float64), np.ascontiguousarray(factor),
                np.ascontiguousarray(self._offsets(), dtype=np.float64))

    def _step(self, rows):
        gathered = rows.step(*self._components(), entropy=self._wants_entropy)
        weight, mean, covariance, total, log_likelihood, negative_entropy = self._moments(gathered)
        self._from_moments(weight, mean, covariance)
        return self._bound(total, log_likelihood, negative_entropy)

    def _scores(self, X, form):
        return _core.gaussian_scores(X, self.covariance_type, *self._components(), form)

    def _scored(self, X, form):
        check_is_fitted(self)
        # What is not finite shows in log densities, and costs no look of its own.
        quick = form == "evidence" and type(X) is np.ndarray and X.dtype.kind == "f"
        X = validate_data(self, X, reset=False, ensure_all_finite=not quick)
        X = readable(X if X.dtype.kind == "f" else X.astype(np.float64))
        scores = self._scores(X, form)
        if quick and not np.isfinite(scores).all():
            refuse_holes(self, X)
        return scores.astype(X.dtype) if X.dtype == np.float32 and form != "best" else scores

    def score_samples(self, X):
        """The log-likelihood of each row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows of numbers.

        Returns
        -------
        log_prob : array, shape (n_samples,)
            log p(x) of each row.
        """
        return self._scored(X, "evidence") if _is_plain(X) else super().score_samples(X)

    def predict(self, X):
        """The most probable component of each row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows of numbers.

        Returns
        -------
        labels : array, shape (n_samples,)
            Component labels.
        """
        return self._scored(X, "best").astype(np.int64) if _is_plain(X) else super().predict(X)

    def predict_proba(self, X):
        """p(component | x) of each row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows of numbers.

        Returns
        -------
        resp : array, shape (n_samples, n_components)
            The share of each component in each row.
        """
        return self._scored(X, "posterior") if _is_plain(X) else super().predict_proba(X)


def precision_factors(covariance, shape):
    """scikit-learn's factors of the precisions, or its sentence on what is wrong with a covariance."""
    if shape in ("full", "tied"):
        factors = _core.precision_factors(covariance.reshape(-1, *covariance.shape[-2:]))
        if factors is not None:
            return factors.reshape(covariance.shape)
    return _compute_precision_cholesky(covariance, shape, xp=np)  # also says what is wrong with one


def _is_plain(X):
    return _is_numpy_namespace(get_namespace(X)[0])


@documented
class BayesianGaussianMixture(PassesMixin, theirs.BayesianGaussianMixture):
    """Variational mixture of Gaussians, with the parameters and attributes of scikit-learn's class of this name.

    A Dirichlet (or a Dirichlet process) over the shares and a Normal-Wishart over each component; the posterior is
    approximated by independent factors, and components that the rows do not need fade away. ``fit`` also takes
    ``sample_weight``: a row of weight 2 is two rows.

    Parameters
    ----------
    n_components : int, default=1
        The most components; fewer may be left with any weight.
    <parameters of mixtures>
    weight_concentration_prior_type : {"dirichlet_process", "dirichlet_distribution"}, default="dirichlet_process"
        Stick-breaking over components in their order, or a symmetric Dirichlet.
    weight_concentration_prior : float, default=None
        Concentration of the shares: low values leave few components. None: 1 / n_components.
    mean_precision_prior : float, default=None
        How many rows the prior mean is worth. None: 1.
    mean_prior : array-like of shape (n_features,), default=None
        The prior mean. None: the mean of the rows.
    degrees_of_freedom_prior : float, default=None
        Of the Wishart over precisions, above n_features - 1. None: n_features.
    covariance_prior : float or array-like, default=None
        The prior covariance, in the shape that ``covariance_type`` has. None: that of the rows.
    <rest of mixtures>

    Attributes
    ----------
    <attributes of mixtures>
    weight_concentration_prior_, mean_precision_prior_, mean_prior_, degrees_of_freedom_prior_, covariance_prior_
        The priors that were used, with what None stood for.
    weight_concentration_ : tuple of float or ndarray of shape (n_components,)
        Of the posterior: the two numbers of each stick, or the Dirichlet's concentrations.
    mean_precision_ : ndarray of shape (n_components,)
        Rows that each mean rests on, the prior's included.
    degrees_of_freedom_ : ndarray of shape (n_components,)
        Of the Wishart of each component.
    n_features_in_ : int
        Columns of X.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, where X has them.

    See Also
    --------
    GaussianMixture : By maximum likelihood, and by MAP with ``prior=``.
    KMeans : Centres alone.

    Notes
    -----
    ``lower_bound_`` is a bound of the log evidence of the rows, up to constants that scikit-learn leaves out too; it never
    falls from step to step. The equations are Bishop's, "Pattern recognition and machine learning", 2006, section 10.2, the
    stick-breaking Blei and Jordan's (2006).

    Which value of ``weight_concentration_prior`` suits is a question to the rows: fit a few over several powers of ten and
    look at ``weights_``; shares near zero are components that were not needed. With "dirichlet_process" the first
    components are the heaviest; with "dirichlet_distribution" no order is preferred.

    ``predict_proba`` are responsibilities under the posterior's expectations, ``score_samples`` the log density at its point
    estimate, ``sample(n)`` rows drawn from it, as there. Rows with missing values are refused; ``Mixture`` takes them.

    <methods of mixtures>

    The cost of a step is that of EM. Rows are read in their own layout, in all threads, and the bits of the answer do not
    depend on how many there are. Priors that are given are checked: ``mean_prior`` has a number for each column,
    ``covariance_prior`` is symmetric and positive definite, ``degrees_of_freedom_prior`` is above n_features - 1; what is not is
    refused with scikit-learn's sentence. ``n_init`` starts differ by their draws alone, so that an int as ``random_state`` makes
    the whole search repeatable, and ``warm_start`` goes on from the last posterior instead.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import BayesianGaussianMixture
    >>> X = np.array([[1, 2], [1, 4], [1, 0], [4, 2], [12, 4], [10, 7]])
    >>> model = BayesianGaussianMixture(n_components=2, random_state=42).fit(X)
    >>> model.predict([[0, 0], [9, 3]]).tolist()
    [0, 1]
    """

    _wants_entropy = True

    def _start_from(self, weight, mean, covariance, total):
        self._from_moments(weight, mean, covariance)

    def _from_moments(self, weight, mean, covariance):
        self._estimate_weights(weight)
        self._estimate_means(weight, mean)
        self._estimate_precisions(weight, mean, covariance)

    def _offsets(self):
        # What _estimate_log_prob and _estimate_log_weights add to the plain log densities.
        d = self.means_.shape[1]
        degrees = self.degrees_of_freedom_ * np.ones(self.n_components)
        from scipy.special import digamma

        log_lambda = d * np.log(2.0) + digamma(0.5 * (degrees - np.arange(d)[:, np.newaxis])).sum(axis=0)
        return self._estimate_log_weights() + 0.5 * (log_lambda - d * np.log(degrees) - d / self.mean_precision_)

    def _bound(self, total, log_likelihood, negative_entropy):
        # _compute_lower_bound needs of the responsibilities only their entropy, which enters as a sum.
        bound = self._compute_lower_bound(np.zeros((1, 1)), log_likelihood / total)
        return float(np.squeeze(bound)) - negative_entropy
