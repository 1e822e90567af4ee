"""Mini-batch k-means, drop-in: scikit-learn's class, with batches drawn once and stepped by the library."""
import numpy as np
import scipy.sparse as sp
from sklearn import cluster as theirs
from sklearn.base import _fit_context
from sklearn.utils import check_array, check_random_state
from sklearn.utils._openmp_helpers import _openmp_effective_n_threads
from sklearn.utils.validation import _check_sample_weight, _is_arraylike_not_scalar, validate_data

from suffice import _core
from suffice.cluster import NearestMixin, spread_rows
from suffice.shared_docs import documented


@documented
class MiniBatchKMeans(NearestMixin, theirs.MiniBatchKMeans):
    """Mini-batch k-means with the parameters and attributes of scikit-learn's class of this name (Sculley, 2010).

    Each step draws some rows, gives them to their nearest centres and moves these toward them by a step that shrinks as a
    centre has seen more rows. Cheaper than k-means by far on many rows, and a little worse.

    Parameters
    ----------
    n_clusters : int, default=8
        How many centres.
    <parameters of centres>
    max_iter : int, default=100
        The most runs over as many rows as there are.
    batch_size : int, default=1024
        Rows of a step.
    compute_labels : bool, default=True
        Give every row its centre at the end, and so ``labels_`` and ``inertia_``.
    tol : float, default=0.0
        End where the smoothed moves of the centres are below this share of the mean variance; 0: not looked at.
    max_no_improvement : int or None, default=10
        End after so many batches whose smoothed inertia is no better; None: never.
    init_size : int, default=None
        Rows that starts are chosen from. None: three batches, or three rows for each centre where that is more.
    n_init : "auto" or int, default="auto"
        Starts that are tried on them; "auto": 1 for "k-means++" and given centres, 3 for random ones.
    reassignment_ratio : float, default=0.01
        Centres with less than this share of the largest count are moved to rows drawn at random; more of it takes longer to
        settle and finds better groups.

    Attributes
    ----------
    <attributes of centres>
    n_steps_ : int
        Batches that were taken.
    counts_ : ndarray of shape (n_clusters,)
        Weight of the rows that each centre has seen.

    See Also
    --------
    KMeans : All rows at every step.
    GaussianMixture : ``partial_fit`` there is stepwise EM.

    Notes
    -----
    ``partial_fit(X)`` takes a batch at a time, for rows that come and go; ``fit`` draws its own. The steps are those of
    scikit-learn, with the draws of ``random_state`` in the same order, so that the centres agree.

    ``inertia_`` is that of the last batches where ``compute_labels`` is False. ``predict`` and ``transform`` are KMeans's. A
    batch much smaller than the number of centres leaves most of them where they are: let ``batch_size`` be several times
    ``n_clusters``.

    How far the result is behind k-means depends on the rows; comparing ``score`` of both on a sample is cheap. On two cores
    this library's ``KMeans`` often takes less time on rows in memory than a careful mini-batch run, so try it first and keep
    batches for streams.

    ``fit`` ends by whichever of ``max_iter``, ``tol`` and ``max_no_improvement`` comes first; ``n_iter_`` and ``n_steps_`` tell how
    far it got. The smoothed inertia that it watches weighs the last batches most, as there, by a factor
    of 2 batch_size / (n_samples + 1).

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import MiniBatchKMeans
    >>> X = np.array([[1, 2], [1, 4], [1, 0], [4, 2], [4, 0], [4, 4], [4, 5], [0, 1], [2, 2], [3, 2], [5, 5], [1, -1]])
    >>> model = MiniBatchKMeans(n_clusters=2, random_state=0, batch_size=6, n_init="auto").fit(X)
    >>> int(model.predict([[0, 0]])[0]) != int(model.predict([[4, 4]])[0])
    True
    """

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y=None, sample_weight=None):
        """Finds the centres from batches of rows.

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
        X = validate_data(self, X, accept_sparse="csr", dtype=[np.float64, np.float32], order="C",
                          accept_large_sparse=False)
        self._check_params_vs_input(X)
        random_state = check_random_state(self.random_state)
        weight = _check_sample_weight(sample_weight, X, dtype=X.dtype)
        self._n_threads = _openmp_effective_n_threads()
        init = self.init
        if _is_arraylike_not_scalar(init):
            init = check_array(init, dtype=X.dtype, copy=True, order="C")
            self._validate_center_shape(X, init)
        centres = self._best_start(X, init, weight, random_state)
        self._counts = np.zeros(self.n_clusters, dtype=X.dtype)
        self._ewa_inertia = self._ewa_inertia_min = None
        self._no_improvement = self._n_since_last_reassign = 0
        n_samples = X.shape[0]
        n_steps = (self.max_iter * n_samples) // self._batch_size
        # What RandomState.choice(p=...) searches, made once instead of in every step.
        reached = np.cumsum((weight / weight.sum()).astype(np.float64))
        reached /= reached[-1]
        for step in range(n_steps):
            drawn = reached.searchsorted(random_state.random_sample(self._batch_size), side="right")
            moved, inertia = self._batch_step(X, drawn.astype(np.int32), None, centres, random_state)
            change = float(((moved - centres) ** 2).sum()) if self._tol > 0.0 else 0
            centres = moved
            if self._mini_batch_convergence(step, n_steps, n_samples, change, inertia):
                break
        self.cluster_centers_ = centres.astype(X.dtype)
        self._n_features_out = self.cluster_centers_.shape[0]
        self.n_steps_ = step + 1
        self.n_iter_ = int(np.ceil((self.n_steps_ * self._batch_size) / n_samples))
        if self.compute_labels:
            self._keep_labels(X, weight)
        else:
            self.inertia_ = self._ewa_inertia * weight.sum()
        return self

    @_fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X, y=None, sample_weight=None):
        """Moves the centres by one batch.

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
            The updated estimator.
        """
        if sp.issparse(X):
            return super().partial_fit(X, y, sample_weight)
        first = not hasattr(self, "cluster_centers_")
        X = validate_data(self, X, accept_sparse="csr", dtype=[np.float64, np.float32], order="C",
                          accept_large_sparse=False, reset=first)
        self._random_state = getattr(self, "_random_state", check_random_state(self.random_state))
        weight = _check_sample_weight(sample_weight, X, dtype=X.dtype)
        self.n_steps_ = getattr(self, "n_steps_", 0)
        if first:
            self._check_params_vs_input(X)
            self._n_threads = _openmp_effective_n_threads()
            init = self.init
            if _is_arraylike_not_scalar(init):
                init = check_array(init, dtype=X.dtype, copy=True, order="C")
                self._validate_center_shape(X, init)
            self.cluster_centers_ = self._some_start(X, init, weight, self._random_state)
            self._counts = np.zeros(self.n_clusters, dtype=X.dtype)
            self._n_since_last_reassign = 0
        moved, _ = self._batch_step(X, None, weight.astype(np.float64), self.cluster_centers_, self._random_state)
        self.cluster_centers_ = moved.astype(X.dtype)
        if self.compute_labels:
            self._keep_labels(X, weight)
        self.n_steps_ += 1
        self._n_features_out = self.cluster_centers_.shape[0]
        return self

    def _some_start(self, X, init, weight, random_state):
        """Centres to start from, found among ``init_size`` rows."""
        if not (isinstance(init, str) and init == "k-means++"):
            return self._init_centroids(X, x_squared_norms=np.empty(X.shape[0]), init=init, random_state=random_state,
                                        init_size=self._init_size, sample_weight=weight)
        if self._init_size < X.shape[0]:
            some = random_state.randint(0, X.shape[0], self._init_size)
            X, weight = X[some], weight[some]
        return X[spread_rows(X, self.n_clusters, weight, random_state)]

    def _best_start(self, X, init, weight, random_state):
        held_out = random_state.randint(0, X.shape[0], self._init_size)
        best = None
        for number in range(self._n_init):
            if self.verbose:
                print(f"Init {number + 1}/{self._n_init} with method {init}")
            centres = self._some_start(X, init, weight, random_state).astype(np.float64)
            square = _core.nearest_centres(X[held_out], np.ascontiguousarray(centres))[1]
            inertia = float(weight[held_out] @ square)
            if self.verbose:
                print(f"Inertia for init {number + 1}/{self._n_init}: {inertia}")
            if best is None or inertia < best[0]:
                best = inertia, centres
        return best[1]

    def _batch_step(self, X, which, weight, centres, random_state):
        """The centres moved by one batch, and its inertia before they moved."""
        reassigns = self._random_reassign()
        centres = np.ascontiguousarray(centres, dtype=np.float64)
        gathered, total, inertia = _core.assign_batch(X, which, weight, centres)
        hit = gathered > 0
        moved = centres.copy()
        before = self._counts.astype(np.float64)
        after = before + gathered
        moved[hit] = (centres[hit] * before[hit, np.newaxis] + total[hit]) / after[hit, np.newaxis]
        self._counts = after.astype(self._counts.dtype)
        if reassigns and self.reassignment_ratio > 0:
            self._reassign(X, which, moved, random_state)
        return moved, inertia

    def _reassign(self, X, which, centres, random_state):
        """Centres of hardly any rows start again at rows of the batch, by scikit-learn's rule."""
        size = X.shape[0] if which is None else len(which)
        lost = self._counts < self.reassignment_ratio * self._counts.max()
        if lost.sum() > 0.5 * size:
            lost[np.argsort(self._counts)[int(0.5 * size):]] = False
        count = int(lost.sum())
        if count:
            drawn = random_state.choice(size, replace=False, size=count)
            if self.verbose:
                print(f"[MiniBatchKMeans] Reassigning {count} cluster centers.")
            centres[lost] = X[drawn if which is None else which[drawn]]
        self._counts[lost] = np.min(self._counts[~lost])

    def _keep_labels(self, X, weight):
        self.labels_, square = self._nearest(X)
        self.inertia_ = float(weight @ square)
