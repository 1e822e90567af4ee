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
        unlabeled: Any = -1,
    ) -> None: ...
