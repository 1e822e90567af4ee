from collections.abc import Sequence
from typing import Any, Literal, overload

from numpy.typing import ArrayLike

@overload
def compare(
    X: Any,
    y: ArrayLike,
    folds: int | ArrayLike = 10,
    models: Sequence[Any] | None = None,
    sample_weight: ArrayLike | None = None,
    random_state: int = 0,
    unlabeled: Any = None,
    *,
    groups: ArrayLike | None = None,
    time: ArrayLike | None = None,
    repeats: int = 1,
    nested: Literal[False] = False,
    budget: float | None = None,
) -> list[dict[str, Any]]: ...
@overload
def compare(
    X: Any,
    y: ArrayLike,
    folds: int | ArrayLike = 10,
    models: Sequence[Any] | None = None,
    sample_weight: ArrayLike | None = None,
    random_state: int = 0,
    unlabeled: Any = None,
    *,
    groups: ArrayLike | None = None,
    time: ArrayLike | None = None,
    repeats: int = 1,
    nested: Literal[True],
    budget: float | None = None,
) -> dict[str, Any]: ...
