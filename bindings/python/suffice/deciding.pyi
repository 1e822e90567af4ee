from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from suffice.exporting import ExportMixin
from suffice.plots import Report

Method = Literal["auto", "none", "temperature", "platt", "beta", "isotonic"]
Goal = float | tuple[Literal["precision", "recall", "cost"], float]

class DecidingMixin(ExportMixin):
    classes_: NDArray[Any]
    def calibrate(
        self,
        X: Any,
        y: ArrayLike,
        method: Method = "auto",
        thresholds: Mapping[Any, Goal] | None = None,
        novelty: bool = False,
        sample_weight: ArrayLike | None = None,
    ) -> CalibratedModel: ...
    def top_k(self, X: Any, k: int) -> NDArray[Any]: ...
    def report(
        self,
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        columns: Sequence[str] | None = None,
    ) -> Report: ...

class CalibratedModel(DecidingMixin):
    model: Any
    method_: str
    scores_: dict[str, float]
    thresholds_: dict[Any, float]
    n_features_in_: int
    feature_names_in_: NDArray[np.object_]
    def __init__(self, model: Any = None) -> None: ...
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self: ...
    def predict(
        self,
        X: Any,
        cost: ArrayLike | None = None,
        reject: float | None = None,
        novelty: float | None = None,
    ) -> NDArray[Any]: ...
    def predict_proba(self, X: Any) -> NDArray[np.float64]: ...
    def predict_log_proba(self, X: Any) -> NDArray[np.float64]: ...
    def is_novel(self, X: Any, share: float = 0.01) -> NDArray[np.bool_]: ...
    def log_evidence(self, X: Any) -> NDArray[np.float64]: ...
    def score(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float: ...

def codes_of(names: Sequence[str], y: ArrayLike) -> NDArray[np.int32]: ...
