from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, Literal

from suffice.generative import GenerativeMixin

class LoadedModel(GenerativeMixin):
    def __init__(self) -> None: ...

def load(path: str | PathLike[str]) -> LoadedModel: ...
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
    joint: Sequence[Sequence[str]] = (),
    unlabeled: Literal["skip", "use"] = "skip",
    **settings: Any,
) -> LoadedModel: ...
