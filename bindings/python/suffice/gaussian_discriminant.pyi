from collections.abc import Mapping, Sequence
from typing import Any, Literal

from numpy.typing import ArrayLike

from suffice.generative import GenerativeMixin

class GaussianDiscriminant(GenerativeMixin):
    def __init__(
        self,
        covariance: str = "full",
        shared: Literal["all", "none"] | Sequence[Sequence[Any]] = "all",
        shrinkage: Literal["auto", "oas", "ledoit_wolf"] | float | None = None,
        estimate: Literal["likelihood", "unbiased", "map", "predictive"] = "likelihood",
        priors: Literal["uniform"] | ArrayLike | None = None,
        prior: Literal["vague"] | Mapping[str, Any] | None = None,
        unlabeled: Any = None,
    ) -> None: ...

class RegularizedDiscriminantAnalysis(GenerativeMixin):
    def __init__(
        self,
        alpha: float = 0.5,
        gamma: float = 0.0,
        priors: Literal["uniform"] | ArrayLike | None = None,
        unlabeled: Any = None,
    ) -> None: ...
