"""What the rows say of a fitted logistic regression beyond its curvature: robust errors, profile intervals, tests of terms."""
import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from suffice import inputs


class InferenceMixin:
    """Each goes over the rows of the fit again."""

    def robust_errors(self, X, y, sample_weight=None, offset=None, *, importance=False):
        """Standard errors by the sandwich H^-1 B H^-1, B the sum over rows of squared scores: they hold where the model does not.

        X, y are the rows of the fit. ``importance``: weights say how much a row is worth, not how often it was seen.
        """
        check_is_fitted(self)
        held = clone(self)
        held._validate_params()
        held._extra = {"robust": True, "importance": importance}
        return held._fit(X, y, sample_weight, offset, "always", False).standard_errors_

    def profile_intervals(self, X, y, sample_weight=None, *, coverage=0.95):
        """(low, high) of each coefficient: where twice the fall of its profile likelihood is the quantile of chi-square.

        X, y are the rows of the fit, which had no penalty or Firth's. In the order of ``standard_errors_``, with an axis
        more; where classes separate an end is infinite.
        """
        found = np.array(self._ratios(X, y, sample_weight, True, False, coverage)[0])
        if not self.fit_intercept:
            found = found[np.arange(len(found)) % (self.n_features_in_ + 1) != 0]
        return found if len(self.classes_) == 2 else found.reshape(len(self.classes_) - 1, -1, 2)

    def term_tests(self, X, y, sample_weight=None):
        """One dict per column: term, chi_square, degrees and p_value of the likelihood ratio against a fit without it."""
        return [dict(zip(("term", "chi_square", "degrees", "p_value"), each))
                for each in self._ratios(X, y, sample_weight, False, True, 0.95)[1]]

    def _ratios(self, X, y, sample_weight, profile, tests, coverage):
        check_is_fitted(self)
        if self.class_weight is not None:
            raise ValueError("likelihood ratios are of rows as they are seen: fit without class_weight")
        X, y = inputs.rows(self, X), np.asarray(y)
        codes = np.searchsorted(self.classes_, y).astype(np.int32)
        if not np.array_equal(self.classes_[np.minimum(codes, len(self.classes_) - 1)], y):
            raise ValueError("y holds labels that the regression was not fitted to")
        return self._model().likelihood_ratios(inputs.lend(X), codes, inputs.weights(sample_weight, X), profile, tests,
                                               coverage)
