from collections.abc import Sequence
from typing import Any

from numpy.typing import ArrayLike

def compare(
    X: Any,
    y: ArrayLike,
    folds: int | ArrayLike = 10,
    models: Sequence[Any] | None = None,
    sample_weight: ArrayLike | None = None,
    random_state: int = 0,
    unlabeled: Any = None,
) -> list[dict[str, Any]]: ...
