"""Kernel density estimation, drop-in: scikit-learn's class, exact, with sums made by the library."""
from numbers import Real

import numpy as np
from sklearn import neighbors as theirs
from sklearn.base import _fit_context
from sklearn.neighbors._kde import TREE_DICT
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from suffice import _core, threads

threads.register()


class KernelDensity(theirs.KernelDensity):
    """Kernel density with the parameters and attributes of scikit-learn's class of this name: a bump on every row.

    Parameters
    ----------
    bandwidth : float, "scott", "silverman" or "sheather_jones", default=1.0
        The width of the bumps; "sheather_jones" solves the equation of Sheather and Jones (1991) for rows of one column, as
        R's ``bw.SJ``.
    kernel : {"gaussian", "tophat", "epanechnikov", "exponential", "linear", "cosine"}, default="gaussian"
        Their shape.
    metric : str, default="euclidean"
        Any other goes scikit-learn's own way.
    atol, rtol : float, default=0
        Without tolerances densities are exact. With them a tree sums boxes of points whole, and the density is off by at most
        ``atol + rtol * density``.
    algorithm, leaf_size, breadth_first, metric_params
        Accepted and not needed.

    Attributes
    ----------
    bandwidth_ : float
        The width that was used.
    tree_ : object
        The rows, as ``tree_.data``.
    n_features_in_ : int
        Columns of X.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, where X has them.

    See Also
    --------
    KernelDensityClassifier : A kernel density for each class.
    HistogramDensity, NearestDensity : The other two ways without a form.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import KernelDensity
    >>> X = np.array([[0.0], [1.0], [1.5]])
    >>> model = KernelDensity(kernel="gaussian", bandwidth=0.5).fit(X)
    >>> model.score_samples(np.array([[1.0]])).round(6).tolist()
    [-0.769447]
    >>> round(KernelDensity(bandwidth="sheather_jones").fit(np.arange(9.0)[:, None] ** 2).bandwidth_, 3)
    11.757
    """

    _parameter_constraints: dict = {
        **theirs.KernelDensity._parameter_constraints,
        "bandwidth": [Interval(Real, 0, None, closed="neither"), StrOptions({"scott", "silverman", "sheather_jones"})],
    }

    @_fit_context(prefer_skip_nested_validation=False)
    def fit(self, X, y=None, sample_weight=None):
        """Keeps the points.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows of numbers.
        y : None
            Ignored.
        sample_weight : array-like of shape (n_samples,), default=None
            What each point counts.

        Returns
        -------
        self : object
            The instance itself.
        """
        self._choose_algorithm(self.algorithm, self.metric)
        X = validate_data(self, X, order="C", dtype=np.float64)
        n, d = X.shape
        if self.bandwidth == "scott":
            self.bandwidth_ = n ** (-1 / (d + 4))
        elif self.bandwidth == "silverman":
            self.bandwidth_ = (n * (d + 2) / 4) ** (-1 / (d + 4))
        else:
            self.bandwidth_ = self.bandwidth
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        if self.bandwidth == "sheather_jones":
            if d != 1:
                raise ValueError(f"the bandwidth of Sheather and Jones is for one column, not for {d}")
            self.bandwidth_ = _core.sheather_jones(np.ascontiguousarray(X[:, 0]), sample_weight)
        self._points, self._weight = X, sample_weight
        self._tree = self._density = None
        return self

    def __getstate__(self):
        state = super().__getstate__()
        if state.get("_density") is not None:
            state = {**state, "_density": None}
        return state

    def _euclidean(self):
        return self.metric in ("euclidean", "l2") and not self.metric_params

    @property
    def tree_(self):
        """scikit-learn's tree over the points, made when first asked for."""
        if not hasattr(self, "_points"):
            raise AttributeError(f"this {type(self).__name__} instance is not fitted yet")
        if self._tree is None:
            algorithm = self._choose_algorithm(self.algorithm, self.metric)
            self._tree = TREE_DICT[algorithm](self._points, metric=self.metric, leaf_size=self.leaf_size,
                                              sample_weight=self._weight, **(self.metric_params or {}))
        return self._tree

    def score_samples(self, X):
        """log p(x) of each row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows of numbers.

        Returns
        -------
        density : ndarray of shape (n_samples,)
            Log density at each row.
        """
        check_is_fitted(self)
        if not self._euclidean():
            return super().score_samples(X)
        X = validate_data(self, X, order="C", dtype=np.float64, reset=False)
        if self._density is None:
            self._density = _core.KernelDensity(self._points, self._weight, self.kernel, float(self.bandwidth_))
        return self._density.log_density(X, float(self.atol), float(self.rtol))
