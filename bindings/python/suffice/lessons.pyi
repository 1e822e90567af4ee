from collections.abc import Sequence
from typing import Any, Literal

from numpy.typing import ArrayLike

from suffice.plots import Picture

def gradient_steps(
    X: ArrayLike,
    y: ArrayLike,
    rate: Literal["auto"] | float = "auto",
    penalty: float = 0.0,
    start: Literal["zeros"] | ArrayLike | None = "zeros",
    sample_weight: ArrayLike | None = None,
    link: Literal["logit", "probit"] = "logit",
    max_iter: int = 100,
) -> list[dict[str, Any]]: ...

def newton_steps(
    X: ArrayLike,
    y: ArrayLike,
    penalty: float = 0.0,
    lasso: float = 0.0,
    start: Literal["zeros"] | ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    link: Literal["logit", "probit"] = "logit",
    max_iter: int = 200,
) -> list[dict[str, Any]]: ...
def group_steps(
    X: ArrayLike,
    n_groups: int,
    model: Literal["gaussian_mixture", "k_means", "variational_mixture"] = "gaussian_mixture",
    covariance: str = "full",
    start: ArrayLike | None = None,
    starts: int | None = None,
    hard: bool = False,
    sample_weight: ArrayLike | None = None,
    max_iter: int | None = None,
    random_state: int = 0,
) -> list[dict[str, Any]]: ...
def learn_curve(
    truth: Any,
    y: ArrayLike | None = None,
    models: Sequence[str] = ("lda", "logistic"),
    sizes: Sequence[int] | None = None,
    repeats: int = 20,
    test_rows: int = 10_000,
    random_state: int = 0,
) -> dict[str, Any]: ...
def plot_family(
    x: ArrayLike | None = None,
    family: str | Sequence[str] | None = None,
    what: Literal["density", "prior", "posterior", "simplex"] = "density",
    prior: str | None = None,
    mass: float = 0.95,
    name: str = "x",
) -> Picture: ...
