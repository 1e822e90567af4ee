from abc import ABCMeta
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from suffice.exporting import ExportMixin as ExportMixin
from suffice.mixture import PassesMixin as PassesMixin
from suffice.statistics import Statistics as Statistics

class GaussianMixture(PassesMixin, ExportMixin, metaclass=ABCMeta):
    def __init__(
        self,
        n_components: int = 1,
        *,
        covariance_type: Literal["full", "tied", "diag", "spherical"] = "full",
        tol: float = 0.001,
        reg_covar: float = 1e-06,
        max_iter: int = 100,
        n_init: int = 1,
        init_params: str = "kmeans",
        weights_init: ArrayLike | None = None,
        means_init: ArrayLike | None = None,
        precisions_init: ArrayLike | None = None,
        random_state: int | np.random.RandomState | None = None,
        warm_start: bool = False,
        verbose: int = 0,
        verbose_interval: int = 10,
        prior: Literal["default"] | dict[str, Any] | None = None,
        keep: float | None = 1.0,
    ) -> None: ...
    statistics_: Statistics
    def partial_fit(self, X: Any, y: Any = None, sample_weight: ArrayLike | None = None) -> Self: ...
    def aic(self, X: Any) -> float: ...
    def bic(self, X: Any) -> float: ...
