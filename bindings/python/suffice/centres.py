"""Clusters around centres under distances other than the squared Euclidean."""
import warnings

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from suffice import _core
from suffice.inputs import seed_of


class CentreClusters(ClusterMixin, BaseEstimator):
    """Rows around centres: each row belongs to its nearest centre, each centre is what its rows are nearest to.

    Parameters
    ----------
    n_clusters : int, default=8
    distance : {"manhattan", "cosine", "euclidean", "chebyshev"}, default="manhattan"
        Centres are medians of each column (k-medians), mean directions (spherical k-means), or else the row in the
        middle (k-medoids). So no step raises the sum of distances.
    n_init : int, default=10
        Starts; the one with the least sum of distances is kept.
    max_iter : int, default=300
    random_state : int, RandomState instance or None, default=None

    Attributes
    ----------
    cluster_centers_ : array of shape (n_clusters, n_features)
    labels_ : array of shape (n_samples,)
    inertia_ : float
        The sum of weighted distances to the nearest centre.
    inertias_ : array
        That sum before each step.
    n_iter_ : int

    See Also
    --------
    KMeans : Squared distances and means.
    MiniBatchKMeans : Batches of rows.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import CentreClusters
    >>> X = np.array([[1, 2], [2, 2], [10, 9], [11, 9], [12, 9]])
    >>> found = CentreClusters(n_clusters=2, random_state=0).fit(X)
    >>> sorted(found.cluster_centers_.tolist())
    [[1.5, 2.0], [11.0, 9.0]]
    """

    def __init__(self, n_clusters=8, *, distance="manhattan", n_init=10, max_iter=300, random_state=None):
        self.n_clusters = n_clusters
        self.distance = distance
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X, y=None, sample_weight=None):
        """Finds the centres; ``sample_weight`` says what each row counts."""
        X = validate_data(self, X, order="C", dtype=np.float64)
        weight = None
        if sample_weight is not None:
            weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        centres, labels, cost, steps, settled, path = _core.fit_centres(
            X, weight, int(self.n_clusters), self.distance, int(self.n_init), int(self.max_iter), seed_of(self.random_state))
        self.cluster_centers_, self.labels_ = centres, labels
        self.inertia_, self.inertias_, self.n_iter_ = cost, path, steps
        if not settled:
            warnings.warn(f"clustering stopped at the limit of {self.max_iter} steps, when the sum of distances still "
                          f"fell by {path[-1] - cost:.3g}", ConvergenceWarning, stacklevel=2)
        return self

    def predict(self, X):
        """The nearest centre of each row."""
        check_is_fitted(self)
        X = validate_data(self, X, order="C", dtype=np.float64, reset=False)
        return _core.assign_to_centres(X, self.cluster_centers_, self.distance)
