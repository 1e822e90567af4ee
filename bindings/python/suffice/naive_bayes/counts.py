"""Naive Bayes over counts: multinomial and complement."""
import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_non_negative

from suffice import _core, inputs
from suffice.estimator import Explanation
from suffice.naive_bayes.discrete import DiscreteMixin
from suffice.score_form import LinearFormMixin


class CountsMixin(DiscreteMixin, LinearFormMixin):
    """Rows that are vectors of counts."""

    def _feed(self, seen, X, codes, weight):
        seen = super()._feed(seen, X, codes, weight)
        if seen._state.parts()[0]["refused"]:
            inputs.refuse_holes(self, X)
            check_non_negative(X, f"{type(self).__name__} (input X)")
        return seen

    def _take_counts(self):
        part = self.statistics_.parts()[0]
        self.class_count_ = self.statistics_.class_weight()
        self.feature_count_ = part["sum"]

    def _scores(self, X, form):
        weight = np.ascontiguousarray(self.feature_log_prob_, dtype=np.float64)
        return _core.affine_scores(inputs.lend(X, wide=True), np.zeros(weight.shape[1]), weight, self._bias(), form)

    def _bias(self):
        return np.ascontiguousarray(self.class_log_prior_, dtype=np.float64)

    def _coefficients(self):
        if not hasattr(self, "statistics_"):
            raise AttributeError(f"this {type(self).__name__} instance is not fitted yet")
        return self._bias(), np.asarray(self.feature_log_prob_, dtype=np.float64), None

    def _joint_log_likelihood(self, X):
        return self._scores(self._read_rows(X), "joint")[0]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags


class MultinomialNB(CountsMixin, BaseEstimator):
    """Multinomial naive Bayes over counts, as ``sklearn.naive_bayes.MultinomialNB``.

    Parameters
    ----------
    alpha : float or array-like of shape (n_features,), default=1.0
        Pseudo-count of every feature.
    force_alpha : bool, default=True
    fit_prior : bool, default=True
    class_prior : array-like of shape (n_classes,), default=None

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import MultinomialNB
    >>> X = np.array([[3, 0, 1], [2, 0, 2], [0, 4, 1], [0, 3, 0]])
    >>> y = np.array(["a", "a", "b", "b"])
    >>> MultinomialNB().fit(X, y).predict([[1, 0, 0]]).tolist()
    ['a']
    """

    def __init__(self, *, alpha=1.0, force_alpha=True, fit_prior=True, class_prior=None):
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior

    def _recipe_name(self):
        return "multinomial_nb", {}

    def _recipe(self):
        return "multinomial_nb", {**self._smoothing_settings(), **self._prior_settings()}

    def _estimate(self):
        self._take_counts()
        smoothed = self.feature_count_ + self._check_alpha()
        with np.errstate(divide="ignore"):
            self.feature_log_prob_ = np.log(smoothed) - np.log(smoothed.sum(axis=1).reshape(-1, 1))
        self._take_class_prior()

    def explain(self, X):
        """What each feature adds to each class's log joint, as ``predict_joint_log_proba`` has it."""
        contributions = self._dense(X)[:, None, :] * self.feature_log_prob_[None]
        return Explanation(contributions, np.broadcast_to(self.class_log_prior_, contributions.shape[:2]).copy())

    def _log_joint(self, X):
        from scipy.special import gammaln

        counts = self._dense(X)
        carrier = gammaln(counts.sum(axis=1) + 1) - gammaln(counts + 1).sum(axis=1)
        return self.predict_joint_log_proba(X) + carrier[:, None]

    def _draw(self, codes, random):
        length = self.feature_count_.sum(axis=1) / np.maximum(self.class_count_, 1e-300)
        return np.array([random.multinomial(max(1, round(length[c])), _distribution(self.feature_log_prob_[c]))
                         for c in codes]).reshape(len(codes), self.n_features_in_)


def _distribution(log_probability):
    p = np.exp(log_probability)
    return p / p.sum()


class ComplementNB(CountsMixin, BaseEstimator):
    """Complement naive Bayes of Rennie et al. (2003), as ``sklearn.naive_bayes.ComplementNB``.

    It has scores, not densities, so it draws no samples and has no likelihood.

    Parameters
    ----------
    alpha : float or array-like of shape (n_features,), default=1.0
    force_alpha : bool, default=True
    fit_prior : bool, default=True
    class_prior : array-like of shape (n_classes,), default=None
    norm : bool, default=False

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import ComplementNB
    >>> X = np.array([[3, 0, 1], [2, 0, 2], [0, 4, 1], [0, 3, 0]])
    >>> y = np.array([0, 0, 1, 1])
    >>> ComplementNB().fit(X, y).predict([[1, 0, 0]]).tolist()
    [0]
    """

    _parameter_constraints: dict = {**DiscreteMixin._parameter_constraints, "norm": ["boolean"]}

    def __init__(self, *, alpha=1.0, force_alpha=True, fit_prior=True, class_prior=None, norm=False):
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.norm = norm

    def _recipe_name(self):
        return "complement_nb", {}

    def _recipe(self):
        return "complement_nb", {**self._smoothing_settings(), "normalize_weights": bool(self.norm)}

    def _estimate(self):
        self._take_counts()
        self.feature_all_ = self.feature_count_.sum(axis=0)
        others = self.feature_all_ + self._check_alpha() - self.feature_count_
        with np.errstate(divide="ignore", invalid="ignore"):
            logged = np.log(others / others.sum(axis=1, keepdims=True))
            self.feature_log_prob_ = logged / logged.sum(axis=1, keepdims=True) if self.norm else -logged
        self._take_class_prior()

    def _bias(self):
        if len(self.classes_) == 1:
            return np.ascontiguousarray(self.class_log_prior_, dtype=np.float64)
        return np.zeros(len(self.classes_))

    def explain(self, X):
        """What each feature adds to each class's score."""
        contributions = self._dense(X)[:, None, :] * self.feature_log_prob_[None]
        return Explanation(contributions, np.broadcast_to(self._bias(), contributions.shape[:2]).copy())

    def log_evidence(self, X):
        """Refuses: scores are no densities."""
        raise NotImplementedError("complement naive Bayes has scores, not densities: there is no log p(x)")

    def sample(self, n_samples=1, random_state=None):
        """Refuses: scores are no densities."""
        raise NotImplementedError("complement naive Bayes has scores, not densities: no rows can be drawn from it")

    def _fitted(self, name):
        raise AttributeError(f"complement naive Bayes has scores, not densities: it has no {name}")
