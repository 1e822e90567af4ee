"""Densities without a form beside kernels: histograms of each column, and the distance to the nearest rows."""
import numpy as np
from sklearn.base import BaseEstimator, DensityMixin
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from suffice import _core, inputs


class PointDensityMixin:
    """Fits one density to all rows; a class gives ``_recipe``, the name of the model and its settings."""

    def fit(self, X, y=None, sample_weight=None):
        """Keeps the rows; ``sample_weight`` says what each of them counts."""
        X = validate_data(self, X, order="C", dtype=np.float64)
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        model, settings = self._recipe()
        blank = _core.State.make(model, settings, inputs.number_columns(self), {}, "auto", True)
        self._state = blank.feed(X, np.zeros(len(X), dtype=np.int32), ["0"], sample_weight)
        self._fitted = _core.Model.estimate(self._state)
        return self

    def __getstate__(self):
        state = dict(super().__getstate__())
        if "_state" in state:
            state["_state"], state["_fitted"] = self._state.to_bytes(), None
        return state

    def __setstate__(self, state):
        super().__setstate__(state)
        if "_state" in state:
            self._state = _core.State.from_bytes(self._state)
            self._fitted = _core.Model.estimate(self._state)

    def score_samples(self, X):
        """log p(x) of each row; log of the smallest number where there is nothing."""
        check_is_fitted(self, "_state")
        X = validate_data(self, X, order="C", dtype=np.float64, reset=False)
        return self._fitted.score(X, "log_evidence")

    def score(self, X, y=None):
        """The log-likelihood of all rows together."""
        return float(np.sum(self.score_samples(X)))

    def sample(self, n_samples=1, random_state=None):
        """Draws rows."""
        check_is_fitted(self, "_state")
        return self._fitted.sample(n_samples, inputs.seed_of(random_state))[0]


class HistogramDensity(PointDensityMixin, DensityMixin, BaseEstimator):
    """Product of a histogram of each column.

    Parameters
    ----------
    bins : int, "freedman_diaconis" or "blocks", default="freedman_diaconis"
        So many bins of equal width over the range of each column; of the width 2 IQR / n^(1/3); or edges where the
        density changes, by Bayesian blocks (Scargle et al., 2013).
    smoothing : float, default=0.0
        What is added to the count of every bin, so that an empty one has a density.

    Attributes
    ----------
    n_features_in_ : int

    See Also
    --------
    KernelDensity, NearestDensity : The other two ways without a form.
    HistogramNB : A histogram of each column in each class.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import HistogramDensity
    >>> X = np.array([[0.0], [1.0], [1.5], [4.0]])
    >>> np.exp(HistogramDensity(bins=2).fit(X).score_samples([[1.0], [3.0]])).round(6).tolist()
    [0.375, 0.125]
    """

    def __init__(self, bins="freedman_diaconis", *, smoothing=0.0):
        self.bins = bins
        self.smoothing = smoothing

    def _recipe(self):
        return "histogram_nb", {"bins": self.bins, "smoothing": float(self.smoothing)}


class NearestDensity(PointDensityMixin, DensityMixin, BaseEstimator):
    """k-nearest-neighbour density: k over n times the volume of the ball that reaches the k-th nearest row.

    Parameters
    ----------
    n_neighbors : int or None, default=None
        None: the square root of the number of rows.

    Attributes
    ----------
    n_features_in_ : int

    See Also
    --------
    KernelDensity, HistogramDensity : The other two ways without a form.
    NearestClassifier : The vote of the nearest rows.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import NearestDensity
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> np.exp(NearestDensity(n_neighbors=2).fit(X).score_samples([[1.5]])).round(6).tolist()
    [0.5]
    """

    def __init__(self, n_neighbors=None):
        self.n_neighbors = n_neighbors

    def _recipe(self):
        return "nearest", {"neighbors": 0 if self.n_neighbors is None else self.n_neighbors}
