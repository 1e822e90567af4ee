from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from suffice.estimator import Floats, SufficientMixin
from suffice.score_form import LinearFormMixin

class GenerativeMixin(LinearFormMixin, SufficientMixin):
    class_prior_: Floats
    def partial_fit(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, classes: ArrayLike | None = None
    ) -> Self: ...
    def predict_joint_log_proba(self, X: Any) -> Floats: ...
    def bayes_error(self, n_samples: int = 100_000, random_state: Any = None) -> tuple[float, float]: ...
    @property
    def rank_(self) -> NDArray[np.integer[Any]]: ...
