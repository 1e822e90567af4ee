"""Ours through Python: every model that suits the columns, on the same folds."""
import numpy

import suffice

NAME = "suffice: all models"


def cross_validate(X: numpy.ndarray, y: numpy.ndarray, folds: int) -> dict[str, object]:
    tried = suffice.compare(X, y, folds=folds)
    linear = next(each for each in tried if each["model"] == "linear_discriminant" and not each["options"])
    return {"accuracy": linear["accuracy"], "models": len(tried)}
