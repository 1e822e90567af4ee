"""Posteriors of linear scores, straight through the library's kernels; shapes as scikit-learn's."""
import numpy as np
from sklearn.utils.validation import check_is_fitted

from suffice import _core, inputs, logistic_offset
from suffice.estimator import Explanation


def by_class(coef, intercept):
    """Coefficients and intercepts with one line for each class, from scikit-learn's single line for two classes."""
    coef = np.asarray(coef, dtype=np.float64)
    intercept = np.broadcast_to(np.asarray(intercept, dtype=np.float64), coef.shape[:1])
    if len(coef) == 1:
        coef, intercept = np.vstack([-coef / 2, coef / 2]), np.concatenate([-intercept / 2, intercept / 2])
    return np.ascontiguousarray(coef), np.ascontiguousarray(intercept)


def from_classes(coefficient, intercept):
    """The inverse of ``by_class``."""
    if len(intercept) == 2:
        return coefficient[1:] - coefficient[:1], intercept[1:] - intercept[:1]
    return coefficient, intercept


class LinearPredictions:
    """Posteriors of ``coef_`` and ``intercept_``, straight through the library's kernels."""

    def _start(self):
        coef = self.coef_.toarray() if hasattr(self.coef_, "toarray") else self.coef_
        return by_class(coef, self.intercept_)

    def _lend(self, X):
        return inputs.lend(inputs.rows(self, X, accept_sparse="csr", dtype=[np.float64, np.float32]))

    def _beside(self, X, offset):
        """X, and the library's model; with an offset both have columns for it."""
        check_is_fitted(self)
        X, model = inputs.rows(self, X, accept_sparse="csr", dtype=[np.float64, np.float32]), self._model()
        if offset is None:
            return X, model
        offset = logistic_offset.offset_array(offset, X.shape[0], len(self.classes_))
        return logistic_offset.beside(X, offset), logistic_offset.model_beside(model, offset.shape[1])

    def _scores(self, X, form, offset=None):
        if offset is not None or getattr(self, "link", "logit") != "logit":
            X, model = self._beside(X, offset)
            inputs.refuse_holes(self, X)
            return model.score(inputs.lend(X), form)
        X = inputs.rows(self, X, accept_sparse="csr", dtype=[np.float64, np.float32])
        lent, coef = inputs.lend(X, wide=True), np.asarray(self.coef_, dtype=np.float64)
        if len(coef) == 1:
            bias = self.intercept_[0] if isinstance(self.intercept_, np.ndarray) else self.intercept_
            scores, finite = _core.logit_scores(lent, np.ascontiguousarray(coef), bias, form)
        else:
            intercept = np.broadcast_to(np.asarray(self.intercept_, dtype=np.float64), coef.shape[:1])
            # All classes of a column side by side are what sparse rows are scored with: as ``fit`` leaves them.
            by_column = len(coef) > 2 and not isinstance(X, np.ndarray) and coef.flags.f_contiguous
            scores, finite = _core.affine_scores(lent, np.zeros(coef.shape[1]),
                                                 coef.T if by_column else np.ascontiguousarray(coef),
                                                 np.ascontiguousarray(intercept), form, by_column=by_column)
        if not finite:
            inputs.refuse_holes(self, X)
        if self.coef_.dtype.char == "f" and X.dtype.char == "f" and form != "best":
            scores = scores.astype(np.float32)
        return scores

    def _has_coefficients(self):
        """Whether the scores are ours to compute: not where ``sparsify`` has packed the coefficients."""
        if "coef_" not in vars(self):  # which is quick, where scikit-learn's check looks at every attribute
            check_is_fitted(self)
        return isinstance(self.coef_, np.ndarray)

    def predict(self, X, *, offset=None):
        """The most probable class of each row."""
        if offset is None and not self._has_coefficients():
            return super().predict(X)
        return self.classes_.take(self._scores(X, "best", offset))

    def predict_proba(self, X, *, offset=None):
        """p(class | x) of each row, classes in the order of ``classes_``."""
        if offset is None and not self._has_coefficients():
            return super().predict_proba(X)
        return self._scores(X, "posterior", offset)

    def predict_log_proba(self, X, *, offset=None):
        """log p(class | x), computed in the log domain."""
        if offset is None and not self._has_coefficients():
            return super().predict_log_proba(X)
        return self._scores(X, "log_posterior", offset)

    def decision_function(self, X, *, offset=None):
        """w . x + w0 of each row, and the offset; of more than two classes one score for each."""
        scores = super().decision_function(X)
        if offset is None:
            return scores
        offset = logistic_offset.offset_array(offset, len(scores), len(self.classes_))
        return scores + (offset if scores.ndim == 2 else offset[:, -1] - (offset[:, 0] if offset.shape[1] == 2 else 0))

    def explain(self, X, *, offset=None):
        """What each feature adds to each class's score; the intercepts take the offset. Coefficients sum to zero over classes."""
        check_is_fitted(self)
        X = inputs.rows(self, X, accept_sparse="csr", dtype=[np.float64, np.float32])
        X = np.asarray(X if isinstance(X, np.ndarray) else X.toarray(), dtype=np.float64)
        coef, intercept = self._start()
        intercepts = np.tile(intercept, (len(X), 1))
        if offset is not None:
            offset = logistic_offset.offset_array(offset, len(X), len(self.classes_))
            intercepts += offset @ logistic_offset.coefficients(len(self.classes_), offset.shape[1]).T
        return Explanation.of(self, X[:, None, :] * coef[None], intercepts)
