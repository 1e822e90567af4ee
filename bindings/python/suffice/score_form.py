"""Scores of classes read off as coefficients: score_k = x' quadratic_[k] x + linear_[k] . x + constant_[k]."""
import numpy as np


class QuadraticFormMixin:
    """Coefficients of a classifier that gives ``_coefficients()``: constant, linear, and quadratic or None."""

    def _coefficients(self):
        raise NotImplementedError

    @property
    def quadratic_(self):
        """score_k = x' quadratic_[k] x + linear_[k] . x + constant_[k]."""
        constant, linear, quadratic = self._coefficients()
        return np.zeros((len(constant), linear.shape[1], linear.shape[1])) if quadratic is None else quadratic

    @property
    def linear_(self):
        """Of the quadratic scores: (classes, features)."""
        return self._coefficients()[1]

    @property
    def constant_(self):
        """Of the quadratic scores: (classes,)."""
        return self._coefficients()[0]


class LinearFormMixin(QuadraticFormMixin):
    """The same, where scores may be linear: then ``coef_`` and ``intercept_`` as scikit-learn has them."""

    @property
    def coef_(self):
        """Of linear scores: (classes, features); of two classes the difference, as scikit-learn has it."""
        _, linear, quadratic = self._coefficients()
        if quadratic is not None and not (quadratic == quadratic[0]).all():
            raise AttributeError("the scores are quadratic: see quadratic_, linear_ and constant_")
        return linear[1:] - linear[:1] if len(linear) == 2 else linear

    @property
    def intercept_(self):
        """Of linear scores."""
        constant = self._coefficients()[0]
        self.coef_  # noqa: B018  (refuses where scores are not linear)
        return constant[1:] - constant[:1] if len(constant) == 2 else constant
