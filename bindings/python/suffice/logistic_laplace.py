"""Laplace's approximation around a fitted logistic regression: standard errors, moderated posteriors, the evidence."""
import numpy as np
from scipy.optimize import minimize_scalar
from sklearn.base import clone

from suffice import inputs

_WIDEST = 12.0  # |log C| that is looked at


class LaplaceMixin:
    """What the covariance of the coefficients gives; with a penalty it is that of their posterior."""

    def _chosen_C(self):
        return self.C_ if isinstance(self.C, str) else self.C

    @property
    def covariance_(self):
        """Covariance of the estimates, the intercept first, class by class less the first class."""
        if getattr(self, "_covariance", None) is None:
            raise AttributeError("the covariance of the coefficients is not known: with a lasso there is none, with very "
                                 "many coefficients it is not formed, and on many rows infer(X, y) finds it")
        if self.fit_intercept:
            return self._covariance
        width = self.n_features_in_ + 1
        kept = np.arange(len(self._covariance)) % width != 0
        return self._covariance[np.ix_(kept, kept)]

    @property
    def standard_errors_(self):
        """Standard errors of the coefficients, the intercept first."""
        errors = np.sqrt(np.maximum(np.diag(self.covariance_), 0.0))
        return errors if len(self.classes_) == 2 else errors.reshape(len(self.classes_) - 1, -1)

    @property
    def laplace_log_evidence_(self):
        """log p(y | X) by Laplace's approximation, the penalty being a Gaussian prior and the intercept's prior flat.

        A flat prior has no size, so only differences between fits of the same rows mean something. MacKay, "The
        evidence framework applied to classification networks" (1992).
        """
        C = self._chosen_C()
        if self.penalty is None or np.isinf(C) or self.l1_ratio:
            raise AttributeError("the evidence needs a prior: an l2 penalty, and no other")
        covariance, coef = self.covariance_, self.coef_.astype(np.float64)
        free = len(self.classes_) - 1
        sign, size = np.linalg.slogdet(covariance)
        if sign <= 0:
            raise AttributeError("the covariance of the coefficients is singular")
        if free > 1:  # from differences with the first class to contrasts of unit length
            size -= len(covariance) / free * np.log(free + 1.0)
        intercepts = free * np.log(2 * np.pi) / 2 if self.fit_intercept else 0.0
        return float(self.log_likelihood_ - (coef**2).sum() / (2 * C) - free * coef.shape[1] / 2 * np.log(C)
                     + size / 2 + intercepts)

    def predict_proba(self, X, moderated=False):
        """p(class | x) of each row, classes in the order of ``classes_``.

        ``moderated``, for two classes: averaged over Laplace's approximation of the coefficients' posterior, by
        sigma(a / sqrt(1 + pi variance(a) / 8)), so that rows far from all others are less certain.
        """
        if not moderated:
            return super().predict_proba(X)
        model = self._model()
        X = inputs.rows(self, X, accept_sparse="csr", dtype=[np.float64, np.float32])
        return model.moderated(inputs.lend(X))


def fit_by_evidence(estimator, X, y, sample_weight):
    """Fits with the C of greatest evidence, which becomes ``C_``."""
    inner = clone(estimator).set_params(C=1.0, warm_start=True)

    def cost(log_C):
        inner.C = float(np.exp(log_C))
        return -inner._fit(X, y, sample_weight, "always", True).laplace_log_evidence_

    best = minimize_scalar(cost, bounds=(-_WIDEST, _WIDEST), method="bounded", options={"xatol": 1e-3})
    cost(best.x)
    parameters = estimator.get_params(deep=False)
    for name, value in vars(inner).items():
        if name not in parameters:
            setattr(estimator, name, value)
    estimator.C_ = inner.C
    return estimator
