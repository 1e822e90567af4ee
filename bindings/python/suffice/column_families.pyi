from collections.abc import Mapping, Sequence
from typing import Any, Literal

from numpy.typing import ArrayLike

from suffice.families import Family, Prior
from suffice.generative import GenerativeMixin

class NaiveBayes(GenerativeMixin):
    def __init__(
        self,
        families: str | Family | Mapping[str, str | Family] | Sequence[str | Family] | None = None,
        priors: Literal["uniform"] | ArrayLike | None = None,
        estimate: Literal["map", "likelihood", "unbiased", "predictive"] = "map",
        smoothing: float = 1.0,
        column_priors: Mapping[str, str | Family | Prior] | None = None,
        joint: Sequence[Sequence[str]] | None = None,
        unlabeled: Any = None,
    ) -> None: ...
    @property
    def families_(self) -> dict[str, str]: ...

class PoissonNB(NaiveBayes):
    def __init__(
        self, priors: Literal["uniform"] | ArrayLike | None = None, smoothing: float = 1.0, unlabeled: Any = None
    ) -> None: ...
