"""scikit-learn's cross-validation of its linear discriminant alone."""
import numpy
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import cross_val_score

NAME = "scikit-learn: LDA alone"


def cross_validate(X: numpy.ndarray, y: numpy.ndarray, folds: int) -> dict[str, object]:
    return {"accuracy": numpy.mean(cross_val_score(LinearDiscriminantAnalysis(), X, y, cv=folds)), "models": 1}
