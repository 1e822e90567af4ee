"""Laplace's approximation around a fitted logistic regression: standard errors, moderated posteriors, the evidence."""
import numpy as np

from suffice import inputs


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
        try:
            return self._model().laplace_log_evidence
        except (TypeError, ValueError) as problem:
            raise AttributeError(str(problem)) from problem

    def predict_proba(self, X, moderated=False, *, offset=None):
        """p(class | x) of each row, classes in the order of ``classes_``; ``offset`` as in ``fit``, without it none.

        ``moderated``: averaged over Laplace's approximation of the coefficients' posterior, each pair of classes by
        sigma(a / sqrt(1 + pi variance(a) / 8)), so that rows far from all others are less certain.
        """
        if not moderated:
            return super().predict_proba(X, offset=offset)
        X, model = self._beside(X, offset)
        return model.moderated().score(inputs.lend(X), "posterior")
