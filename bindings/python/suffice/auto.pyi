from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from suffice.exporting import ExportMixin

class AutoClassifier(ClassifierMixin, ExportMixin, BaseEstimator):
    comparison_: list[dict[str, Any]]
    best_estimator_: Any
    classes_: NDArray[Any]
    n_features_in_: int
    feature_names_in_: NDArray[Any]
    def __init__(self, folds: int = 10, models: list[str] | None = None, random_state: int = 0) -> None: ...
    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self: ...
    def predict(self, X: Any) -> NDArray[Any]: ...
    def predict_proba(self, X: Any) -> NDArray[np.float64]: ...
