from collections.abc import Mapping, Sequence
from typing import Any

from suffice.loaded import LoadedModel

def fit(
    X: Any,
    y: Any,
    model: str = "naive_bayes",
    families: Mapping[str, str] | None = None,
    sample_weight: Any = None,
    columns: Sequence[str] | None = None,
    threads: int = 0,
    weight_kind: str = "frequency",
    exclude: str | Sequence[str] = (),
    **settings: Any,
) -> LoadedModel: ...
