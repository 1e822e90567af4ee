from abc import ABCMeta
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
RandomState = int | np.random.RandomState | None

class PassesMixin:
    weights_: Floats
    means_: Floats
    covariances_: Floats
    precisions_: Floats
    precisions_cholesky_: Floats
    converged_: bool
    n_iter_: int
    lower_bound_: float
    n_features_in_: int
    def fit(self, X: Any, y: Any = None, sample_weight: ArrayLike | None = None) -> Self: ...
    def fit_predict(self, X: Any, y: Any = None, sample_weight: ArrayLike | None = None) -> NDArray[np.intp]: ...
    def predict(self, X: Any) -> NDArray[np.intp]: ...
    def predict_proba(self, X: Any) -> Floats: ...
    def score_samples(self, X: Any) -> Floats: ...
    def score(self, X: Any, y: Any = None) -> float: ...
    def sample(self, n_samples: int = 1) -> tuple[Floats, NDArray[np.intp]]: ...
    def get_params(self, deep: bool = True) -> dict[str, Any]: ...
    def set_params(self, **params: Any) -> Self: ...

class BayesianGaussianMixture(PassesMixin, metaclass=ABCMeta):
    weight_concentration_: Any
    mean_precision_: Floats
    degrees_of_freedom_: Floats
    def __init__(
        self,
        *,
        n_components: int = 1,
        covariance_type: Literal["full", "tied", "diag", "spherical"] = "full",
        tol: float = 0.001,
        reg_covar: float = 1e-06,
        max_iter: int = 100,
        n_init: int = 1,
        init_params: str = "kmeans",
        weight_concentration_prior_type: Literal["dirichlet_process", "dirichlet_distribution"] = "dirichlet_process",
        weight_concentration_prior: float | None = None,
        mean_precision_prior: float | None = None,
        mean_prior: ArrayLike | None = None,
        degrees_of_freedom_prior: float | None = None,
        covariance_prior: float | ArrayLike | None = None,
        random_state: RandomState = None,
        warm_start: bool = False,
        verbose: int = 0,
        verbose_interval: int = 10,
    ) -> None: ...
