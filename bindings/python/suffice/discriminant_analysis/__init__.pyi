from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from suffice.estimator import Floats, SufficientMixin
from suffice.score_form import QuadraticFormMixin

__all__ = ["LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis"]

class _Discriminant(SufficientMixin):
    means_: Floats
    priors_: Floats
    @property
    def rank_(self) -> NDArray[np.integer[Any]]: ...
    def partial_fit(
        self, X: Any, y: ArrayLike, classes: ArrayLike | None = None, sample_weight: ArrayLike | None = None
    ) -> Self: ...
    def decision_function(self, X: Any) -> Floats: ...

class LinearDiscriminantAnalysis(_Discriminant):
    coef_: Floats
    intercept_: Floats
    covariance_: Floats
    explained_variance_ratio_: Floats
    scalings_: Floats
    xbar_: Floats
    def __init__(
        self,
        solver: Literal["svd", "lsqr", "eigen"] = "svd",
        shrinkage: Literal["auto"] | float | None = None,
        priors: ArrayLike | None = None,
        n_components: int | None = None,
        store_covariance: bool = False,
        tol: float = 1e-4,
        covariance_estimator: Any = None,
    ) -> None: ...
    def transform(self, X: Any) -> Any: ...
    def fit_transform(self, X: Any, y: ArrayLike | None = None, **fit_params: Any) -> Any: ...
    def set_output(self, *, transform: Literal["default", "pandas", "polars"] | None = None) -> Self: ...
    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> NDArray[np.object_]: ...

class QuadraticDiscriminantAnalysis(_Discriminant, QuadraticFormMixin):
    covariance_: list[Floats]
    rotations_: list[Floats]
    scalings_: list[Floats]
    def __init__(
        self,
        *,
        solver: Literal["svd", "eigen"] = "svd",
        shrinkage: Literal["auto"] | float | None = None,
        priors: ArrayLike | None = None,
        reg_param: float = 0.0,
        store_covariance: bool = False,
        tol: float = 1.0e-4,
        covariance_estimator: Any = None,
    ) -> None: ...
