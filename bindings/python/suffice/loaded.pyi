from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, Literal

from suffice.generative import GenerativeMixin

class LoadedModel(GenerativeMixin):
    model: str
    settings: Mapping[str, Any] | None
    families: Mapping[str, str] | None
    unlabeled: Any
    def __init__(
        self,
        model: str = "naive_bayes",
        settings: Mapping[str, Any] | None = None,
        families: Mapping[str, str] | None = None,
        unlabeled: Any = None,
    ) -> None: ...

def load(path: str | PathLike[str]) -> Any: ...
def load_bytes(data: bytes) -> Any: ...
def given_model(
    priors: Mapping[Any, float],
    means: Mapping[Any, Any] | None = None,
    covariance: Any = None,
    columns: Sequence[str] | None = None,
    families: Mapping[str, Mapping[Any, Any]] | None = None,
) -> LoadedModel: ...
def fit_files(
    paths: str | PathLike[str] | Sequence[str | PathLike[str]],
    target: str,
    model: str = "naive_bayes",
    families: Mapping[str, str] | None = None,
    exclude: Sequence[str] = (),
    weight: str = "",
    threads: int = 0,
    weight_kind: str = "frequency",
    **settings: Any,
) -> LoadedModel: ...
