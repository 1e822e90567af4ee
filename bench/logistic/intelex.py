"""scikit-learn-intelex, Intel's replacement for parts of scikit-learn."""
from sklearnex.linear_model import LogisticRegression

NAME = "scikit-learn-intelex"


def models(dense: bool) -> dict[str, object]:
    return {NAME: LogisticRegression()}
