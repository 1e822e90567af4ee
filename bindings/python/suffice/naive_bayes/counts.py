"""Naive Bayes over counts: multinomial and complement."""
import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_non_negative

from suffice import _core, inputs
from suffice.estimator import Explanation
from suffice.naive_bayes.discrete import DiscreteMixin
from suffice.score_form import LinearFormMixin
from suffice.stated import log, numbers
from suffice.shared_docs import documented


class CountsMixin(DiscreteMixin, LinearFormMixin):
    """Rows that are vectors of counts."""

    _density = True

    def _feed(self, seen, X, codes, weight):
        seen = super()._feed(seen, X, codes, weight)
        if seen._state.parts()[0]["refused"]:
            inputs.refuse_holes(self, X)
            check_non_negative(X, f"{type(self).__name__} (input X)")
        return seen

    def _estimate(self):
        self.class_count_ = self.statistics_.class_weight()
        self.feature_count_ = self.statistics_.parts()[0]["sum"]
        self.feature_log_prob_ = self._log_probabilities(self._estimated().form()[1])
        self._take_class_prior()

    def _bias(self):
        return self.class_log_prior_

    def _scores(self, X, form):
        weight = numbers(self.feature_log_prob_)
        return _core.affine_scores(inputs.lend(X, wide=True), np.zeros(weight.shape[1]), weight, numbers(self._bias()),
                                   "joint" if form == "score" else form)

    def _parameters(self):
        total = self.feature_count_.sum(axis=1) / np.maximum(self.class_count_, 1e-300)
        return self._bias(), {"weight": numbers(self.feature_log_prob_), "mean_total": numbers(total),
                              "density": self._density}

    def explain(self, X):
        """What each feature adds to each class's log joint, as ``predict_joint_log_proba`` has it."""
        contributions, intercepts = super().explain(X)
        return Explanation.of(self, contributions, np.broadcast_to(self._bias(), intercepts.shape).copy())

    def _joint_log_likelihood(self, X):
        return self._scores(self._read_rows(X), "joint")[0]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags


@documented
class MultinomialNB(CountsMixin, BaseEstimator):
    """Multinomial naive Bayes over counts, as ``sklearn.naive_bayes.MultinomialNB``: a language model per class.

    Parameters
    ----------
    alpha : float or array-like of shape (n_features,), default=1.0
        Pseudo-count of every feature: (n_t + alpha) / (n + alpha |V|).
    <parameters of smoothed counts>

    Attributes
    ----------
    <attributes of classifiers>
    <attributes of smoothed counts>
    feature_count_ : ndarray of shape (n_classes, n_features)
        Sum of each feature in each class.
    feature_log_prob_ : ndarray of shape (n_classes, n_features)
        log p(feature | class): the weights of a linear score.

    See Also
    --------
    ComplementNB : Learns from what is not in a class; steadier where classes differ in size.
    TextClassifier : From raw documents, with n-grams, in one object.

    Notes
    -----
    <what sums add>

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

    def _blank_line(self):
        alpha = np.broadcast_to(self._check_alpha(), self.feature_count_.shape[1:])
        return log(alpha / alpha.sum())


@documented
class ComplementNB(CountsMixin, BaseEstimator):
    """Complement naive Bayes of Rennie et al. (2003), as ``sklearn.naive_bayes.ComplementNB``.

    It has scores, not densities, so it draws no samples and has no likelihood.

    Parameters
    ----------
    alpha : float or array-like of shape (n_features,), default=1.0
        Pseudo-count of every feature.
    <parameters of smoothed counts>
    norm : bool, default=False
        Divide the weights of a class by their sum, as the paper's second normalisation.

    Attributes
    ----------
    <attributes of classifiers>
    <attributes of smoothed counts>
    feature_count_ : ndarray of shape (n_classes, n_features)
        Sum of each feature in each class.
    feature_all_ : ndarray of shape (n_features,)
        Sum of each feature over all classes.
    feature_log_prob_ : ndarray of shape (n_classes, n_features)
        The weights that the scores are made of.

    See Also
    --------
    MultinomialNB : The same counts as densities.

    Notes
    -----
    <what sums add>

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import ComplementNB
    >>> X = np.array([[3, 0, 1], [2, 0, 2], [0, 4, 1], [0, 3, 0]])
    >>> y = np.array([0, 0, 1, 1])
    >>> ComplementNB().fit(X, y).predict([[1, 0, 0]]).tolist()
    [0]
    """

    _density = False
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
        super()._estimate()
        self.feature_all_ = self.feature_count_.sum(axis=0)

    def _blank_line(self):
        everything = self.feature_count_.sum(axis=0) + self._check_alpha()
        logged = log(everything / everything.sum())
        return logged / logged.sum() if self.norm else -logged

    def _bias(self):
        return self.class_log_prior_ if len(self.classes_) == 1 else np.zeros(len(self.classes_))

    def log_evidence(self, X):
        """Refuses: scores are no densities."""
        raise NotImplementedError("complement naive Bayes has scores, not densities: there is no log p(x)")

    def sample(self, n_samples=1, random_state=None):
        """Refuses: scores are no densities."""
        raise NotImplementedError("complement naive Bayes has scores, not densities: no rows can be drawn from it")

    def _fitted(self, name):
        if name == "parameter_count":
            return super()._fitted(name)
        raise AttributeError(f"complement naive Bayes has scores, not densities: it has no {name}")
