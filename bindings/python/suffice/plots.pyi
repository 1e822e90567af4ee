from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any

from numpy.typing import ArrayLike

from suffice.estimator import SufficientMixin

class Report:
    def __init__(self, make: Callable[[str], str]) -> None: ...
    def text(self, format: str = "html") -> str: ...
    def save(self, path: str | PathLike[str]) -> None: ...

class Picture:
    svg: str
    def __init__(self, svg: str) -> None: ...
    def save(self, path: str | PathLike[str]) -> None: ...

def report(
    model: SufficientMixin,
    X: Any,
    y: ArrayLike,
    sample_weight: ArrayLike | None = None,
    columns: Sequence[str] | None = None,
) -> Report: ...
def plot_boundary(
    model: SufficientMixin,
    X: Any,
    y: ArrayLike | None = None,
    columns: Sequence[str | int] | None = None,
    what: str = "boundary",
    ax: Any = None,
) -> Any: ...
def plot_confusion(model: SufficientMixin, X: Any, y: ArrayLike, ax: Any = None) -> Any: ...
def plot_roc(model: SufficientMixin, X: Any, y: ArrayLike, ax: Any = None) -> Any: ...
def plot_calibration(model: SufficientMixin, X: Any, y: ArrayLike, ax: Any = None) -> Any: ...
