from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

def evaluate(
    y: ArrayLike,
    proba: ArrayLike,
    classes: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    *,
    details: bool = False,
) -> dict[str, Any]: ...
def decide(
    proba: ArrayLike,
    cost: ArrayLike | None = None,
    reject: float | None = None,
    thresholds: ArrayLike | None = None,
    log_evidence: ArrayLike | None = None,
    novelty: float | None = None,
) -> NDArray[np.int32]: ...
def top_k(proba: ArrayLike, k: int) -> NDArray[np.int32]: ...
