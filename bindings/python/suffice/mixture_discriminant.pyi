from typing import Any

import numpy as np
from numpy.typing import NDArray

from suffice.generative import GenerativeMixin
from suffice.statistics import Statistics

class MixtureDiscriminantAnalysis(GenerativeMixin):
    n_components_: NDArray[np.intp]
    structures_: dict[Any, str]
    @property
    def statistics_(self) -> Statistics: ...  # type: ignore[override]
    @property
    def partial_fit(self) -> Any: ...  # type: ignore[override]
    def __init__(
        self,
        n_components: int | None = None,
        covariance_type: str = "any",
        n_init: int = 3,
        max_iter: int = 1000,
        tol: float = 1e-7,
        random_state: int | np.random.RandomState | None = None,
        unlabeled: Any = None,
        unlabeled_weight: float = 1.0,
        structures: str = "shared",
    ) -> None: ...
