"""k-means, drop-in: scikit-learn's classes, with starts and steps made by the library for dense rows.

Draws come from the same generator in the same order, so that the same ``random_state`` starts from the same rows.
Sparse rows go scikit-learn's own way.
"""
import warnings

import numpy as np
import scipy.sparse as sp
from sklearn import cluster as theirs
from sklearn.base import _fit_context
from sklearn.cluster._k_means_common import _is_same_clustering
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_array, check_random_state
from sklearn.utils._openmp_helpers import _openmp_effective_n_threads
from sklearn.utils.validation import (
    _check_sample_weight,
    _is_arraylike_not_scalar,
    check_is_fitted,
    validate_data,
)

from suffice import _core, threads
from suffice.exporting import ExportMixin
from suffice.inputs import refuse_holes
from suffice.shared_docs import documented

threads.register()


def spread_rows(X, count, weight, random_state, rows=None):
    """Rows chosen by greedy k-means++, drawn as scikit-learn draws them."""
    n = X.shape[0]
    weight = np.ones(n, dtype=X.dtype) if weight is None else weight
    first = random_state.choice(n, p=weight / weight.sum())
    uniform = random_state.uniform(size=(count - 1, 2 + int(np.log(count))))
    rows = _core.KMeansRows(X, _doubles(weight)) if rows is None else rows
    chosen = rows.spread(int(first), count, np.ascontiguousarray(uniform.ravel()))
    return np.concatenate([chosen, np.zeros(count - len(chosen), dtype=chosen.dtype)])


def _doubles(weight):
    return None if weight is None else np.ascontiguousarray(weight, dtype=np.float64)


class NearestMixin(ExportMixin):
    """Predictions of dense rows by the library, and the model file that says which centre is nearest."""

    def _file_bytes(self):
        """A Gaussian of one variance around each centre, so that the most probable class is the nearest centre."""
        check_is_fitted(self)
        names = getattr(self, "feature_names_in_", None)
        names = [f"x{k}" for k in range(self.n_features_in_)] if names is None else [str(name) for name in names]
        return _core.centres_file(np.ascontiguousarray(self.cluster_centers_, dtype=np.float64), names, float(self.inertia_),
                                  float(self._kept()["_label_count"]))

    def _kept(self):
        # The rows' labels stay behind: a model file holds no rows.
        labels = getattr(self, "labels_", None)
        return {"_label_count": getattr(self, "_label_count", 0) if labels is None else len(labels)}

    def _nearest(self, X):
        return _core.nearest_centres(X, np.ascontiguousarray(self.cluster_centers_, dtype=np.float64))

    def predict(self, X):
        """The nearest centre of each row.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Rows of numbers.

        Returns
        -------
        labels : ndarray of shape (n_samples,)
            Index of the cluster each row belongs to.
        """
        check_is_fitted(self)
        if sp.issparse(X):
            return super().predict(X)
        return self._nearest(self._test_rows(X))[0]

    def _test_rows(self, X):
        """Rows to predict, in whatever order the array is: nothing is copied."""
        return validate_data(self, X, accept_sparse="csr", reset=False, dtype=[np.float64, np.float32],
                             accept_large_sparse=False)

    def score(self, X, y=None, sample_weight=None):
        """Minus the sum of weighted squared distances to the nearest centre.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Rows of numbers.
        y : Ignored
            Not used.
        sample_weight : array-like of shape (n_samples,), default=None
            What each row counts.

        Returns
        -------
        score : float
            Minus the k-means objective.
        """
        check_is_fitted(self)
        if sp.issparse(X):
            return super().score(X, y, sample_weight)
        X = self._test_rows(X)
        weight = _check_sample_weight(sample_weight, X, dtype=np.float64)
        return -float(weight @ self._nearest(X)[1])


@documented
class KMeans(NearestMixin, theirs.KMeans):
    """k-means with the parameters and attributes of scikit-learn's class of this name.

    Each row belongs to its nearest centre, each centre is the mean of its rows, until nothing moves. The sum of squared
    distances never rises, so it ends; in a local minimum, so that several starts are worth their time.

    Parameters
    ----------
    n_clusters : int, default=8
        How many centres.
    <parameters of centres>
    n_init : "auto" or int, default="auto"
        Starts, of which the best is kept; "auto": 1 for "k-means++" and given centres, 10 for random ones.
    max_iter : int, default=300
        The most steps of one start.
    tol : float, default=1e-4
        A start ends where the squared moves of all centres are below this share of the mean variance of a column.
    copy_x : bool, default=True
        Accepted; X is never changed.
    algorithm : {"lloyd", "elkan"}, default="lloyd"
        Accepted and ignored: bounds that spare distances are used where they pay, and the answer is Lloyd's.

    Attributes
    ----------
    <attributes of centres>

    See Also
    --------
    MiniBatchKMeans : Batches of rows, for streams.
    GaussianMixture : Shapes and shares besides centres, and responsibilities in the place of labels.
    CentreClusters : Other distances, medians and medoids.

    Notes
    -----
    ``fit``, ``predict``, ``transform`` (distances to all centres), ``fit_predict``, ``fit_transform`` and ``score`` (minus
    the sum of squares) are scikit-learn's. ``sample_weight`` counts in the means, in the starts and in ``inertia_``: a row of
    weight 2 is two rows.

    Steps keep bounds on distances (Hamerly, 2010) where there are enough rows and centres for them to pay: most rows are then
    not measured against most centres, and the labels are the same. A centre that loses all its rows goes to the row that is
    farthest from its own, which lowers the sum at once. The result depends on the rows, the settings and the seed alone,
    never on the number of threads.

    Columns of larger units weigh more in a distance; bring them to one scale first (``StandardScaler``) where that is not
    meant. Groups are round and of like size by construction: where they are not, ``GaussianMixture`` is the better question.

    The same on files that do not fit into memory: ``suffice cluster data.csv --k 5 --model k_means``, with ``--trace`` for the
    sum of squares at every step.

    The centres are checked against scikit-learn's on every test: the same start gives the same labels and the same sum of
    squares to rounding, in as many steps or fewer. Models are not merged: k-means is no sum over rows.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import KMeans
    >>> X = np.array([[1, 2], [1, 4], [1, 0], [10, 2], [10, 4], [10, 0]])
    >>> model = KMeans(n_clusters=2, random_state=0, n_init="auto").fit(X)
    >>> model.labels_.tolist()
    [1, 1, 1, 0, 0, 0]
    >>> model.cluster_centers_.tolist()
    [[10.0, 2.0], [1.0, 2.0]]
    """

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y=None, sample_weight=None):
        """Finds the centres.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Rows of numbers.
        y : Ignored
            Not used.
        sample_weight : array-like of shape (n_samples,), default=None
            What each row counts.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        if sp.issparse(X):
            return super().fit(X, y, sample_weight)
        # Any order of the array will do: tiles of rows are gathered as they are read.
        X = validate_data(self, X, accept_sparse="csr", dtype=[np.float64, np.float32], accept_large_sparse=False,
                          ensure_all_finite=False)
        if X.shape[0] < self.n_clusters:
            raise ValueError(f"n_samples={X.shape[0]} should be >= n_clusters={self.n_clusters}.")
        self._n_init = self._start_count()
        random_state = check_random_state(self.random_state)
        weight = _check_sample_weight(sample_weight, X, dtype=X.dtype)
        self._n_threads = _openmp_effective_n_threads()
        init = self.init
        if _is_arraylike_not_scalar(init):
            init = check_array(init, dtype=X.dtype, copy=True, order="C")
            self._validate_center_shape(X, init)
        rows = self._look_at(X, None if sample_weight is None else _doubles(weight))
        self._tol = self.tol * rows.mean_variance
        best = None
        for _ in range(self._n_init):
            start = self._start(X, init, weight, random_state, rows)
            if self.verbose:
                print("Initialization complete")
            run = rows.run(start, self.max_iter, self._tol, bool(self.verbose))
            if self.verbose:
                self._tell(run)
            if best is None or (run[2] < best[2] and not _is_same_clustering(run[1], best[1], self.n_clusters)):
                best = run
        self._keep(X, best)
        return self

    def _look_at(self, X, weight):
        try:
            return _core.KMeansRows(X, weight)
        except ValueError:
            refuse_holes(self, X)  # in scikit-learn's words
            raise

    def _start_count(self):
        """How many starts: scikit-learn's rule and warnings."""
        explicit = _is_arraylike_not_scalar(self.init)
        n_init = self.n_init
        if n_init == "auto":
            n_init = 10 if callable(self.init) or (not explicit and self.init == "random") else 1
        if explicit and n_init != 1:
            warnings.warn("Explicit initial center position passed: performing only one init in "
                          f"{type(self).__name__} instead of n_init={n_init}.", RuntimeWarning, stacklevel=5)
            n_init = 1
        if self.algorithm == "elkan" and self.n_clusters == 1:
            warnings.warn("algorithm='elkan' doesn't make sense for a single cluster. Using 'lloyd' instead.",
                          RuntimeWarning, stacklevel=5)
        return n_init

    def _start(self, X, init, weight, random_state, rows):
        if isinstance(init, str) and init == "k-means++":
            centres = X[spread_rows(X, self.n_clusters, weight, random_state, rows)]
        elif isinstance(init, str):
            centres = X[random_state.choice(X.shape[0], size=self.n_clusters, replace=False, p=weight / weight.sum())]
        elif callable(init):
            mean = rows.mean().astype(X.dtype)
            centres = check_array(init(X - mean, self.n_clusters, random_state=random_state), dtype=X.dtype, order="C")
            self._validate_center_shape(X, centres)
            centres = centres + mean
        else:
            centres = init
        return np.ascontiguousarray(centres, dtype=np.float64)

    def _tell(self, run):
        _, _, _, steps, unchanged, moved, path = run
        for step, inertia in enumerate(path):
            print(f"Iteration {step}, inertia {inertia}.")
        if unchanged:
            print(f"Converged at iteration {steps - 1}: strict convergence.")
        elif moved <= self._tol:
            print(f"Converged at iteration {steps - 1}: center shift {moved} within tolerance {self._tol}.")

    def _keep(self, X, run):
        centres, labels, inertia, steps = run[:4]
        distinct = int((np.bincount(labels, minlength=self.n_clusters) > 0).sum())
        if distinct < self.n_clusters:
            warnings.warn(f"Number of distinct clusters ({distinct}) found smaller than n_clusters "
                          f"({self.n_clusters}). Possibly due to duplicate points in X.", ConvergenceWarning,
                          stacklevel=4)
        self.cluster_centers_ = centres.astype(X.dtype)
        self._n_features_out = self.cluster_centers_.shape[0]
        self.labels_, self.inertia_, self.n_iter_ = labels, inertia, steps
