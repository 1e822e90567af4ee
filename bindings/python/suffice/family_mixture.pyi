from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from suffice.exporting import ExportMixin

Floats = NDArray[np.float64]

class Mixture(ExportMixin):
    weights_: Floats
    means_: Floats
    covariances_: Floats
    covariance_: str
    n_components_: int
    n_iter_: int
    converged_: bool
    def __init__(
        self,
        family: Any = None,
        n_components: int | Sequence[int] = 1,
        *,
        covariance: str | None = None,
        n_init: int | None = None,
        init_params: str = "several",
        tol: float = 1e-7,
        max_iter: int = 1000,
        estimate: str = "likelihood",
        smoothing: float = 1.0,
        hard: bool = False,
        keep: float | None = 1.0,
        random_state: int | np.random.RandomState | None = None,
    ) -> None: ...
    def fit(self, X: Any, y: Any = None, sample_weight: ArrayLike | None = None) -> Self: ...
    def partial_fit(self, X: Any, y: Any = None, sample_weight: ArrayLike | None = None) -> Self: ...
    def predict(self, X: Any) -> NDArray[np.integer[Any]]: ...
    def predict_proba(self, X: Any) -> Floats: ...
    def score_samples(self, X: Any) -> Floats: ...
    def score(self, X: Any, y: Any = None) -> float: ...
    def sample(
        self, n_samples: int = 1, random_state: int | np.random.RandomState | None = None
    ) -> tuple[NDArray[Any], NDArray[np.integer[Any]]]: ...
    def get_params(self, deep: bool = True) -> dict[str, Any]: ...
    def set_params(self, **params: Any) -> Self: ...
