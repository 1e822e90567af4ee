"""Naive Bayes over flags."""
from numbers import Real

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils._param_validation import Interval

from suffice import _core, inputs
from suffice.naive_bayes.discrete import DiscreteMixin
from suffice.score_form import LinearFormMixin
from suffice.stated import numbers
from suffice.shared_docs import documented


@documented
class BernoulliNB(DiscreteMixin, LinearFormMixin, BaseEstimator):
    """Naive Bayes over flags, as ``sklearn.naive_bayes.BernoulliNB``: what is absent speaks too.

    Parameters
    ----------
    alpha : float or array-like of shape (n_features,), default=1.0
        Pseudo-count of ones and of zeros: (n_1 + alpha) / (n + 2 alpha) is the probability of a one.
    binarize : float or None, default=0.0
        Values above it are ones; None: X holds zeros and ones already.
    <parameters of smoothed counts>

    Attributes
    ----------
    <attributes of classifiers>
    <attributes of smoothed counts>
    feature_count_ : ndarray of shape (n_classes, n_features)
        Weight of the rows of a class in which the flag is one.
    feature_log_prob_ : ndarray of shape (n_classes, n_features)
        log p(flag is one | class).

    See Also
    --------
    MultinomialNB : Counts instead of flags.
    NaiveBayes : Flags beside numbers and categories.

    Notes
    -----
    <what sums add>

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import BernoulliNB
    >>> X = np.array([[1, 0], [1, 1], [0, 1], [0, 1]])
    >>> y = np.array([0, 0, 1, 1])
    >>> BernoulliNB().fit(X, y).predict([[1, 0]]).tolist()
    [0]
    """

    _parameter_constraints: dict = {**DiscreteMixin._parameter_constraints,
                                    "binarize": [None, Interval(Real, 0, None, closed="left")]}

    def __init__(self, *, alpha=1.0, force_alpha=True, binarize=0.0, fit_prior=True, class_prior=None):
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.binarize = binarize
        self.fit_prior = fit_prior
        self.class_prior = class_prior

    def _recipe_name(self):
        return "bernoulli_nb", {}

    def _recipe(self):
        return "bernoulli_nb", {**self._smoothing_settings(), **self._prior_settings()}

    def _flags(self, X):
        """Sparse entries as ones and zeros; arrays are read through the threshold."""
        if isinstance(X, np.ndarray):
            return X, None if self.binarize is None else float(self.binarize)
        if self.binarize is not None:
            X = type(X)(((X.data > self.binarize).astype(np.float64), X.indices, X.indptr), shape=X.shape)
        return X, None

    def _feed(self, seen, X, codes, weight):
        flags, threshold = self._flags(X)
        try:
            fed = seen.feed(inputs.lend(flags), codes, weight, threshold=threshold)
        except ValueError:
            inputs.refuse_holes(self, X)
            raise
        part = fed._state.parts()[0]
        if part["refused"] or not part["complete"]:
            inputs.refuse_holes(self, X)
            raise ValueError("BernoulliNB with binarize=None needs zeros and ones in X")
        return fed

    def _alpha_settings(self, alpha):
        names = [name for name, *_ in self._columns()]
        return {"column_priors": {name: f"beta({1 + a!r}, {1 + a!r})" for name, a in zip(names, alpha.tolist())}}

    def _estimate(self):
        self.class_count_ = self.statistics_.class_weight()
        self.feature_count_ = self.statistics_.parts()[0]["one_weight"]
        self.feature_log_prob_ = self._log_probabilities(-np.logaddexp(0, -self._estimated().form()[1]))
        self._take_class_prior()

    def _blank_line(self):
        return -np.log(2)

    def _parameters(self):
        return self.class_log_prior_, {"log_probability": numbers(self.feature_log_prob_)}

    def _scores(self, X, form):
        bias, weight, _ = self._coefficients()
        flags, threshold = self._flags(X)
        return _core.affine_scores(inputs.lend(flags), np.zeros(weight.shape[1]), weight, bias,
                                   "joint" if form == "score" else form, threshold)

    def _lend(self, X):
        self._settled()
        X = self._read_rows(X)
        self._refuse(X)
        if not isinstance(X, np.ndarray):
            return inputs.lend(self._flags(X)[0])
        return X if self.binarize is None else (self.binarize < X).astype(np.uint8)
