from abc import ABCMeta
from collections.abc import Callable
from typing import Any, Literal, Self

from numpy.typing import ArrayLike

from suffice.cluster import NearestMixin, RandomState

class MiniBatchKMeans(NearestMixin, metaclass=ABCMeta):
    n_steps_: int
    def __init__(
        self,
        n_clusters: int = 8,
        *,
        init: str | ArrayLike | Callable[..., Any] = "k-means++",
        max_iter: int = 100,
        batch_size: int = 1024,
        verbose: int = 0,
        compute_labels: bool = True,
        random_state: RandomState = None,
        tol: float = 0.0,
        max_no_improvement: int | None = 10,
        init_size: int | None = None,
        n_init: int | Literal["auto"] = "auto",
        reassignment_ratio: float = 0.01,
    ) -> None: ...
    def fit(self, X: Any, y: Any = None, sample_weight: ArrayLike | None = None) -> Self: ...
    def partial_fit(self, X: Any, y: Any = None, sample_weight: ArrayLike | None = None) -> Self: ...
