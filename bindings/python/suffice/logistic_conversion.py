"""Generative models written as logistic regressions, and one sigmoid as the scores of two classes."""
import numpy as np
from sklearn.utils.validation import check_is_fitted

from suffice import _core
from suffice.loaded_regression import LoadedRegression
from suffice.logistic import LogisticRegression
from suffice.logistic_predictions import by_class, from_classes

__all__ = ["to_binary", "to_logistic", "to_softmax"]


def to_logistic(model):
    """The posterior of a fitted linear discriminant or naive Bayes, written as a logistic regression.

    Categories become indicators of their levels against the first one; a level never seen counts as the first.

    >>> import numpy as np, suffice
    >>> X = np.array([[0.0, 1.0], [1.0, 0.5], [4.0, 3.0], [5.0, 4.5], [0.5, 0.0], [5.5, 3.0]])
    >>> y = np.array([0, 0, 1, 1, 0, 1])
    >>> lda = suffice.LinearDiscriminantAnalysis().fit(X, y)
    >>> same = suffice.to_logistic(lda)
    >>> bool(np.allclose(same.predict_proba(X), lda.predict_proba(X)))
    True
    """
    check_is_fitted(model)
    found = _core.logistic_of(model._model())
    if not found.plain:
        made = LoadedRegression._of(found)
        made.classes_ = model.classes_
        return made
    made = LogisticRegression(C=np.inf)
    made.classes_ = model.classes_
    made.n_features_in_ = model.n_features_in_
    if hasattr(model, "feature_names_in_"):
        made.feature_names_in_ = model.feature_names_in_
    made.coef_, made.intercept_ = from_classes(found.coefficient, found.intercept)
    made.n_iter_ = np.zeros(1, dtype=np.int32)
    return made


def to_softmax(coef, intercept):
    """Coefficients and intercepts of two classes' scores from those of one sigmoid; the second less the first is w exactly.

    >>> import suffice
    >>> suffice.to_softmax([[2.0, -1.0]], [0.5])
    (array([[-1. ,  0.5],
           [ 1. , -0.5]]), array([-0.25,  0.25]))
    """
    if np.shape(coef)[:1] != (1,):
        raise ValueError(f"one sigmoid has coefficients of the shape (1, columns), not {np.shape(coef)}")
    return by_class(coef, intercept)


def to_binary(coef, intercept):
    """Coefficients and the intercept of the sigmoid that two classes' scores come to: A_1 - A_0.

    >>> import suffice
    >>> suffice.to_binary([[-1.0, 0.5], [1.0, -0.5]], [-0.25, 0.25])
    (array([[ 2., -1.]]), array([0.5]))
    """
    if np.shape(coef)[:1] != (2,) or np.shape(intercept) != (2,):
        raise ValueError(f"only two classes are told apart by one sigmoid, not {len(np.atleast_1d(intercept))}")
    return from_classes(np.asarray(coef, dtype=np.float64), np.asarray(intercept, dtype=np.float64))
