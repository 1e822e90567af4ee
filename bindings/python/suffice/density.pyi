from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

class KernelDensity:
    bandwidth_: float
    n_features_in_: int
    def __init__(
        self,
        *,
        bandwidth: float | Literal["scott", "silverman", "sheather_jones"] = 1.0,
        algorithm: str = "auto",
        kernel: str = "gaussian",
        metric: str = "euclidean",
        atol: float = 0,
        rtol: float = 0,
        breadth_first: bool = True,
        leaf_size: int = 40,
        metric_params: dict[str, Any] | None = None,
    ) -> None: ...
    def fit(self, X: Any, y: Any = None, sample_weight: ArrayLike | None = None) -> Self: ...
    def score_samples(self, X: Any) -> NDArray[np.float64]: ...
    def score(self, X: Any, y: Any = None) -> float: ...
    def sample(
        self, n_samples: int = 1, random_state: int | np.random.RandomState | None = None
    ) -> NDArray[np.float64]: ...
    @property
    def tree_(self) -> Any: ...
    def get_params(self, deep: bool = True) -> dict[str, Any]: ...
    def set_params(self, **params: Any) -> Self: ...
