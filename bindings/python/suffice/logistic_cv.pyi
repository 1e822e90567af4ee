from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from suffice.deciding import DecidingMixin
from suffice.logistic import RandomState
from suffice.logistic_predictions import LinearPredictions

class LogisticRegressionCV(LinearPredictions, DecidingMixin):
    Cs_: NDArray[np.float64]
    C_: Any
    def __init__(
        self,
        *,
        Cs: int | ArrayLike = 10,
        l1_ratios: ArrayLike | str | None = "warn",
        fit_intercept: bool = True,
        cv: Any = None,
        dual: bool = False,
        penalty: str | None = "deprecated",
        scoring: Any = "warn",
        solver: str = "lbfgs",
        tol: float = 0.0001,
        max_iter: int = 100,
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
        refit: bool = True,
        intercept_scaling: float = 1.0,
        random_state: RandomState = None,
        use_legacy_attributes: bool | str = "warn",
    ) -> None: ...
    def fit(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, offset: ArrayLike | None = None, **params: Any
    ) -> Self: ...
