from typing import Any, Literal

from numpy.typing import ArrayLike

from suffice.generative import GenerativeMixin

class KernelDensityClassifier(GenerativeMixin):
    def __init__(
        self,
        bandwidth: float | Literal["scott", "silverman", "cv", "sheather_jones"] = "scott",
        kernel: Literal["gaussian", "tophat", "epanechnikov", "exponential", "linear", "cosine"] = "gaussian",
        independent: bool = False,
        priors: ArrayLike | Literal["uniform"] | None = None,
        unlabeled: Any = None,
    ) -> None: ...

class HistogramNB(GenerativeMixin):
    def __init__(
        self,
        bins: int | Literal["freedman_diaconis", "blocks"] = "freedman_diaconis",
        smoothing: float = 1.0,
        priors: ArrayLike | Literal["uniform"] | None = None,
        unlabeled: Any = None,
    ) -> None: ...

class NearestClassifier(GenerativeMixin):
    def __init__(
        self,
        n_neighbors: int | None = None,
        priors: ArrayLike | Literal["uniform"] | None = None,
        unlabeled: Any = None,
    ) -> None: ...
