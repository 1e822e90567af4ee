from collections.abc import Sequence
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from suffice.deciding import DecidingMixin
from suffice.estimator import Floats
from suffice.logistic_predictions import LinearPredictions

RandomState = int | np.random.RandomState | None

class LogisticRegression(LinearPredictions, DecidingMixin):
    link: str
    n_iter_: NDArray[np.int32]
    deviance_: float
    null_deviance_: float
    C_: float
    def __init__(
        self,
        penalty: str | None = "deprecated",
        *,
        C: float | Literal["evidence"] = 1.0,
        l1_ratio: float | None = 0.0,
        dual: bool = False,
        tol: float = 0.0001,
        fit_intercept: bool = True,
        intercept_scaling: float = 1,
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        random_state: RandomState = None,
        solver: str = "lbfgs",
        max_iter: int = 100,
        verbose: int = 0,
        warm_start: bool = False,
        n_jobs: int | None = None,
        offset: str | int | Sequence[str | int] | None = None,
    ) -> None: ...
    def fit(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, offset: ArrayLike | None = None
    ) -> Self: ...
    def update(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, offset: ArrayLike | None = None
    ) -> Self: ...
    def infer(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, offset: ArrayLike | None = None
    ) -> Self: ...
    @property
    def covariance_(self) -> Floats: ...
    @property
    def standard_errors_(self) -> Floats: ...
    @property
    def laplace_log_evidence_(self) -> float: ...
    def predict_proba(self, X: Any, moderated: bool = False, *, offset: ArrayLike | None = None) -> Floats: ...
    def table(self, coverage: float = 0.95) -> list[dict[str, Any]]: ...

class ProbitRegression(LogisticRegression): ...
