from abc import ABCMeta
from collections.abc import Callable
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from suffice.exporting import ExportMixin

Floats = NDArray[np.float64]
Codes = NDArray[np.int32]
RandomState = int | np.random.RandomState | None

class NearestMixin(ExportMixin):
    cluster_centers_: Floats
    labels_: Codes
    inertia_: float
    n_iter_: int
    n_features_in_: int
    def predict(self, X: Any) -> Codes: ...
    def score(self, X: Any, y: Any = None, sample_weight: ArrayLike | None = None) -> float: ...
    def fit_predict(self, X: Any, y: Any = None, sample_weight: ArrayLike | None = None) -> Codes: ...
    def transform(self, X: Any) -> Floats: ...
    def fit_transform(self, X: Any, y: Any = None, sample_weight: ArrayLike | None = None) -> Floats: ...
    def get_params(self, deep: bool = True) -> dict[str, Any]: ...
    def set_params(self, **params: Any) -> Self: ...

class KMeans(NearestMixin, metaclass=ABCMeta):
    def __init__(
        self,
        n_clusters: int = 8,
        *,
        init: str | ArrayLike | Callable[..., Any] = "k-means++",
        n_init: int | Literal["auto"] = "auto",
        max_iter: int = 300,
        tol: float = 0.0001,
        verbose: int = 0,
        random_state: RandomState = None,
        copy_x: bool = True,
        algorithm: Literal["lloyd", "elkan"] = "lloyd",
    ) -> None: ...
    def fit(self, X: Any, y: Any = None, sample_weight: ArrayLike | None = None) -> Self: ...
