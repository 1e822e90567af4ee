from typing import Any, Self

from numpy.typing import ArrayLike

from suffice.estimator import Floats, SufficientMixin
from suffice.score_form import LinearFormMixin, QuadraticFormMixin

__all__ = ["BernoulliNB", "CategoricalNB", "ComplementNB", "GaussianNB", "MultinomialNB"]

class _NaiveBayes(SufficientMixin):
    class_count_: Floats
    def partial_fit(
        self, X: Any, y: ArrayLike, classes: ArrayLike | None = None, sample_weight: ArrayLike | None = None
    ) -> Self: ...
    def predict_joint_log_proba(self, X: Any) -> Floats: ...

class GaussianNB(_NaiveBayes, QuadraticFormMixin):
    priors: ArrayLike | None
    var_smoothing: float
    theta_: Floats
    var_: Floats
    epsilon_: float
    class_prior_: Floats
    def __init__(self, *, priors: ArrayLike | None = None, var_smoothing: float = 1e-9) -> None: ...

class MultinomialNB(_NaiveBayes, LinearFormMixin):
    feature_count_: Floats
    feature_log_prob_: Floats
    class_log_prior_: Floats
    def __init__(
        self,
        *,
        alpha: float | ArrayLike = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: ArrayLike | None = None,
    ) -> None: ...

class ComplementNB(_NaiveBayes, LinearFormMixin):
    feature_count_: Floats
    feature_all_: Floats
    feature_log_prob_: Floats
    class_log_prior_: Floats
    def __init__(
        self,
        *,
        alpha: float | ArrayLike = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: ArrayLike | None = None,
        norm: bool = False,
    ) -> None: ...

class BernoulliNB(_NaiveBayes, LinearFormMixin):
    feature_count_: Floats
    feature_log_prob_: Floats
    class_log_prior_: Floats
    def __init__(
        self,
        *,
        alpha: float | ArrayLike = 1.0,
        force_alpha: bool = True,
        binarize: float | None = 0.0,
        fit_prior: bool = True,
        class_prior: ArrayLike | None = None,
    ) -> None: ...

class CategoricalNB(_NaiveBayes):
    category_count_: list[Floats]
    feature_log_prob_: list[Floats]
    class_log_prior_: Floats
    def __init__(
        self,
        *,
        alpha: float = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: ArrayLike | None = None,
        min_categories: int | ArrayLike | None = None,
    ) -> None: ...
