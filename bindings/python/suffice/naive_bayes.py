"""Naive Bayes classes named and shaped as scikit-learn's, fitted in one pass over the rows."""
import warnings
from numbers import Integral, Real

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, _fit_context
from sklearn.utils._param_validation import Interval
from sklearn.utils.multiclass import _check_partial_fit_first_call
from sklearn.utils.validation import check_is_fitted, check_non_negative

from suffice import _core, inputs
from suffice.estimator import Explanation, SufficientMixin
from suffice.statistics import Statistics

__all__ = ["BernoulliNB", "CategoricalNB", "ComplementNB", "GaussianNB", "MultinomialNB"]


def number_columns(estimator):
    """The columns of a model without categories, by the names of the features where they have names."""
    names = getattr(estimator, "feature_names_in_", None)
    if names is None:
        names = [f"x{k}" for k in range(estimator.n_features_in_)]
    return [(str(name), "number", [], 0) for name in names]


def blank_statistics(model, columns, labels, keep="automatic"):
    """Statistics that have seen nothing."""
    whole = np.asarray(labels).dtype.kind in "iu"
    return Statistics(_core.State.make(model, {"estimate": "likelihood"}, columns, {}, keep, whole), labels)


class NaiveBayesMixin(SufficientMixin, ClassifierMixin):
    """Fitting and predicting, the same for every naive Bayes."""

    def _read(self, X, y, reset):
        return inputs.rows_and_labels(self, X, y, reset=reset)

    def _read_rows(self, X):
        return inputs.rows(self, X)

    def _learn(self, X, y, classes, sample_weight, refit):
        if refit:
            self.classes_ = None
            X, labels, codes = self._read(X, y, True)
            self.classes_ = labels
            first = True
        else:
            first = _check_partial_fit_first_call(self, classes)
            X, labels, codes = self._read(X, y, first)
        codes = inputs.codes_among(self.classes_, labels, codes)
        weight = inputs.weights(sample_weight, X)
        seen = self._blank(X) if first else self.statistics_
        self.statistics_ = self._feed(seen, X, codes, weight)
        self._estimate()
        return self

    def _blank(self, X):
        name, _ = self._recipe_name()
        return blank_statistics(name, number_columns(self), self.classes_)

    def _feed(self, seen, X, codes, weight):
        return seen.feed(inputs.lend(X), codes, weight)

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None):
        """Fits the model to X, y; rows may be weighted."""
        return self._learn(X, y, None, sample_weight, True)

    @_fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X, y, classes=None, sample_weight=None):
        """Adds rows to the model: pieces in any order give what ``fit`` gives on all of them.

        ``classes``, all labels that may ever come, is needed on the first call.
        """
        return self._learn(X, y, classes, sample_weight, False)

    def _scores(self, X, form):
        raise NotImplementedError

    def _checked_scores(self, X, form):
        check_is_fitted(self)
        X = self._read_rows(X)
        scores, finite = self._scores(X, form)
        if not finite:
            self._refuse(X)
        return scores

    def _refuse(self, X):
        inputs.refuse_holes(self, X)

    def predict(self, X):
        """The most probable class of each row."""
        return self.classes_[self._checked_scores(X, "best")] if hasattr(self, "classes_") else self._not_fitted()

    def _not_fitted(self):
        check_is_fitted(self)

    def predict_proba(self, X):
        """p(class | x) of each row, classes in the order of ``classes_``."""
        return self._checked_scores(X, "posterior")

    def predict_log_proba(self, X):
        """log p(class | x), computed in the log domain."""
        return self._checked_scores(X, "log_posterior")

    def predict_joint_log_proba(self, X):
        """log p(x, class) up to terms that all classes share."""
        return self._checked_scores(X, "joint")


class GaussianNB(NaiveBayesMixin, BaseEstimator):
    """Gaussian naive Bayes, as ``sklearn.naive_bayes.GaussianNB``.

    Differences: ``partial_fit`` over pieces equals ``fit`` (there the smoothing follows the last piece alone).

    Parameters
    ----------
    priors : array-like of shape (n_classes,), default=None
        Class probabilities; None: from the data.
    var_smoothing : float, default=1e-9
        Share of the largest column variance that is added to all variances.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import GaussianNB
    >>> X = np.array([[-1, -1], [-2, -1], [-3, -2], [1, 1], [2, 1], [3, 2]])
    >>> y = np.array([1, 1, 1, 2, 2, 2])
    >>> GaussianNB().fit(X, y).predict([[-0.8, -1]])
    array([1])
    """

    _parameter_constraints: dict = {
        "priors": ["array-like", None],
        "var_smoothing": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(self, *, priors=None, var_smoothing=1e-9):
        self.priors = priors
        self.var_smoothing = var_smoothing

    def _recipe_name(self):
        return "gaussian_nb", {}

    def _recipe(self):
        return "gaussian_nb", {"estimate": "likelihood", "variance_floor": float(self.var_smoothing),
                               **self._given_priors(self.priors)}

    def _feed(self, seen, X, codes, weight):
        self._dtype = np.float32 if X.dtype == np.float32 else np.float64
        seen = super()._feed(seen, X, codes, weight)
        part = seen._state.parts()[0]
        if part["refused"] or not _is_complete(part, seen):
            inputs.refuse_holes(self, X)
        return seen

    def _carry(self, fitted):
        self._dtype = fitted._dtype

    def _checked_priors(self):
        if self.priors is None:
            return None
        priors = np.asarray(self.priors, dtype=self._dtype)
        if len(priors) != len(self.classes_):
            raise ValueError("Number of priors must match number of classes.")
        if not np.isclose(priors.sum(), 1.0):
            raise ValueError("The sum of the priors should be 1.")
        if (priors < 0).any():
            raise ValueError("Priors must be non-negative.")
        return priors

    def _estimate(self):
        part = self.statistics_.parts()[0]
        weight, mean, scatter = part["weight"], part["mean"], part["scatter"]
        class_count = self.statistics_.class_weight()
        total = class_count.sum()
        priors = self._checked_priors()
        # The variance of all rows together, from the classes' moments.
        centre = class_count @ mean / total
        spread = (scatter.sum(axis=0) + class_count @ (mean - centre) ** 2) / total
        self.epsilon_ = self.var_smoothing * spread.max()
        variance = np.zeros_like(scatter)
        np.divide(scatter, weight, out=variance, where=weight > 0)
        self.theta_ = mean.astype(self._dtype, copy=False)
        self.var_ = (variance + self.epsilon_).astype(self._dtype, copy=False)
        self.class_count_ = class_count.astype(self._dtype, copy=False)
        self.class_prior_ = priors if priors is not None else self.class_count_ / self.class_count_.sum()

    def _log_prior(self):
        with np.errstate(divide="ignore"):
            return np.log(self.class_prior_, dtype=np.float64)

    def _scores(self, X, form):
        variance = self.var_.astype(np.float64, copy=False)
        mean = self.theta_.astype(np.float64, copy=False)
        centre = mean.mean(axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            scale = 1.0 / np.sqrt(variance)
            bias = self._log_prior() - 0.5 * np.log(2.0 * np.pi * variance).sum(axis=1)
            offset = scale * (mean - centre)
        scores, finite = _core.diagonal_scores(X, centre, scale, offset, bias, form)
        if form != "best" and X.dtype == np.float32 and self._dtype == np.float32:
            scores = scores.astype(np.float32)
        return scores, finite

    def explain(self, X):
        """What each feature adds to each class's log joint."""
        check_is_fitted(self)
        X = np.asarray(inputs.rows(self, X), dtype=np.float64)
        if not np.isfinite(X).all():
            inputs.refuse_holes(self, X)
        shifted = X[:, None, :] - self.theta_[None]
        contributions = -0.5 * (np.log(2 * np.pi * self.var_)[None] + shifted**2 / self.var_[None])
        return Explanation(contributions, np.broadcast_to(self._log_prior(), contributions.shape[:2]).copy())

    def _class_probabilities(self):
        return np.asarray(self.class_prior_, dtype=np.float64) / np.sum(self.class_prior_, dtype=np.float64)

    def _draw(self, codes, random):
        return random.normal(self.theta_[codes], np.sqrt(self.var_[codes]))


def _is_complete(part, statistics):
    return bool(part["complete"]) and np.allclose(part["weight"][:, 0], statistics._state.class_weight, rtol=1e-9)


class DiscreteMixin(NaiveBayesMixin):
    """What the naive Bayes classes over counts, flags and categories share."""

    _parameter_constraints: dict = {
        "alpha": [Interval(Real, 0, None, closed="left"), "array-like"],
        "fit_prior": ["boolean"],
        "class_prior": ["array-like", None],
        "force_alpha": ["boolean"],
    }
    _sparse = "csr"

    def _read(self, X, y, reset):
        return inputs.rows_and_labels(self, X, y, reset=reset, accept_sparse=self._sparse)

    def _read_rows(self, X):
        return inputs.rows(self, X, accept_sparse=self._sparse)

    def _check_alpha(self):
        alpha = np.asarray(self.alpha) if not isinstance(self.alpha, Real) else self.alpha
        lowest = np.min(alpha)
        if isinstance(alpha, np.ndarray):
            if alpha.shape[0] != self.n_features_in_:
                raise ValueError(
                    "When alpha is an array, it should contains `n_features`. "
                    f"Got {alpha.shape[0]} elements instead of {self.n_features_in_}.")
            if lowest < 0:
                raise ValueError("All values in alpha must be greater than 0.")
        least = 1e-10
        if lowest < least and not self.force_alpha:
            warnings.warn(
                f"alpha too small will result in numeric errors, setting alpha = {least:.1e}. "
                "Use `force_alpha=True` to keep alpha unchanged.", stacklevel=4)
            return np.maximum(alpha, least)
        return alpha

    def _take_class_prior(self):
        count = len(self.classes_)
        if self.class_prior is not None:
            if len(self.class_prior) != count:
                raise ValueError("Number of priors must match number of classes.")
            self.class_log_prior_ = np.log(self.class_prior)
        elif self.fit_prior:
            with np.errstate(divide="ignore"):
                self.class_log_prior_ = np.log(self.class_count_) - np.log(self.class_count_.sum())
        else:
            self.class_log_prior_ = np.full(count, -np.log(count))

    def _prior_settings(self):
        if self.class_prior is not None:
            return self._given_priors(self.class_prior)
        return {} if self.fit_prior else {"class_priors": "uniform"}

    def _smoothing_settings(self):
        alpha = np.asarray(self._check_alpha())
        if alpha.size > 1 and (alpha != alpha.flat[0]).any():
            raise ValueError("a smoothing that differs by feature is not written to files")
        return {"estimate": "map", "smoothing": float(alpha.flat[0])}

    def _class_probabilities(self):
        weight = np.exp(self.class_log_prior_)
        return weight / weight.sum()

    def _dense(self, X):
        check_is_fitted(self)
        X = self._read_rows(X)
        X = X if isinstance(X, np.ndarray) else X.toarray()
        return np.asarray(X, dtype=np.float64)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self._sparse is not False
        tags.classifier_tags.poor_score = True
        return tags


class CountsMixin(DiscreteMixin):
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
        return _core.affine_scores(inputs.lend(X), np.zeros(weight.shape[1]), weight, self._bias(), form)

    def _bias(self):
        return np.ascontiguousarray(self.class_log_prior_, dtype=np.float64)

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

        X = self._dense(X)
        carrier = gammaln(X.sum(axis=1) + 1) - gammaln(X + 1).sum(axis=1)
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


class BernoulliNB(DiscreteMixin, BaseEstimator):
    """Naive Bayes over flags, as ``sklearn.naive_bayes.BernoulliNB``.

    Parameters
    ----------
    alpha : float or array-like of shape (n_features,), default=1.0
    force_alpha : bool, default=True
    binarize : float or None, default=0.0
        Values above it are ones; None: X holds zeros and ones already.
    fit_prior : bool, default=True
    class_prior : array-like of shape (n_classes,), default=None

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

    def _estimate(self):
        part = self.statistics_.parts()[0]
        self.class_count_ = self.statistics_.class_weight()
        self.feature_count_ = part["one_weight"]
        alpha = self._check_alpha()
        smoothed = self.feature_count_ + alpha
        total = self.class_count_.reshape(-1, 1) + alpha * 2
        with np.errstate(divide="ignore"):
            self.feature_log_prob_ = np.log(smoothed) - np.log(total)
        self._take_class_prior()

    def _log_absent(self):
        with np.errstate(divide="ignore"):
            return np.log1p(-np.exp(self.feature_log_prob_))

    def _scores(self, X, form):
        absent = self._log_absent()
        weight = np.ascontiguousarray(self.feature_log_prob_ - absent)
        bias = np.ascontiguousarray(self.class_log_prior_ + absent.sum(axis=1))
        flags, threshold = self._flags(X)
        return _core.affine_scores(inputs.lend(flags), np.zeros(weight.shape[1]), weight, bias, form, threshold)

    def explain(self, X):
        """What each feature adds to each class's log joint."""
        X = self._dense(X)
        present = (X > self.binarize if self.binarize is not None else X != 0)[:, None, :]
        contributions = np.where(present, self.feature_log_prob_[None], self._log_absent()[None])
        return Explanation(contributions, np.broadcast_to(self.class_log_prior_, contributions.shape[:2]).copy())

    def _draw(self, codes, random):
        return (random.uniform(size=(len(codes), self.n_features_in_))
                < np.exp(self.feature_log_prob_)[codes]).astype(np.float64)


class CategoricalNB(DiscreteMixin, BaseEstimator):
    """Naive Bayes over categories coded 0, 1, ..., as ``sklearn.naive_bayes.CategoricalNB``.

    Parameters
    ----------
    alpha : float, default=1.0
    force_alpha : bool, default=True
    fit_prior : bool, default=True
    class_prior : array-like of shape (n_classes,), default=None
    min_categories : int or array-like of shape (n_features,), default=None

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import CategoricalNB
    >>> X = np.array([[0, 2], [0, 1], [1, 0], [1, 0]])
    >>> y = np.array([0, 0, 1, 1])
    >>> CategoricalNB().fit(X, y).predict([[0, 1]]).tolist()
    [0]
    """

    _sparse = False
    _parameter_constraints: dict = {
        **DiscreteMixin._parameter_constraints,
        "min_categories": [None, "array-like", Interval(Integral, 1, None, closed="left")],
        "alpha": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(self, *, alpha=1.0, force_alpha=True, fit_prior=True, class_prior=None, min_categories=None):
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.min_categories = min_categories

    def _recipe_name(self):
        return "categorical_nb", {}

    def _recipe(self):
        return "categorical_nb", {**self._smoothing_settings(), **self._prior_settings()}

    def _read(self, X, y, reset):
        whole = type(X) is np.ndarray and X.dtype.kind in "iub"
        return inputs.rows_and_labels(self, X, y, reset=reset, as_is=whole, accept_sparse=False, dtype="int")

    def _read_rows(self, X):
        if type(X) is np.ndarray and X.dtype.kind in "iub":
            return inputs.rows(self, X)
        return inputs._readable(inputs.validate_data(self, X, dtype="int", accept_sparse=False, reset=False))

    def _categories(self, X, seen):
        """How many categories each column has: from this piece, those before it, and the least asked for."""
        top = X.max(axis=0).astype(np.int64) + 1
        if (X.dtype.kind == "i" and X.min() < 0):
            check_non_negative(X, f"{type(self).__name__} (input X)")
        least = np.array(self.min_categories)
        if self.min_categories is not None:
            if not np.issubdtype(least.dtype, np.signedinteger):
                raise ValueError(f"'min_categories' should have integral type. Got {least.dtype} instead.")
            if least.ndim > 0 and least.shape != top.shape:
                raise ValueError(
                    f"'min_categories' should have shape ({X.shape[1]},) when an array-like is provided. Got "
                    f"{least.shape} instead.")
            top = np.maximum(top, least)
        return top if seen is None else np.maximum(top, seen)

    def _blank(self, X):
        self.n_categories_ = None
        columns = [(name, "category", [], 0) for name, *_ in number_columns(self)]
        return blank_statistics("categorical_nb", columns, self.classes_)

    def _feed(self, seen, X, codes, weight):
        self.n_categories_ = self._categories(X, self.n_categories_)
        columns = [(name, "category", [str(level) for level in range(count)], int(count))
                   for (name, *_), count in zip(number_columns(self), self.n_categories_.tolist())]
        return seen.feed(X, codes, weight, columns=columns)

    def _carry(self, fitted):
        self.n_categories_ = fitted.n_categories_

    def _estimate(self):
        part = self.statistics_.parts()[0]
        names = [levels for _, _, levels, _ in self.statistics_._state.columns]
        self.class_count_ = self.statistics_.class_weight()
        self.category_count_ = []
        highest = [1 + max((int(level) for level in levels), default=-1) for levels in names]
        self.n_categories_ = np.maximum(self.n_categories_, np.array(highest, dtype=np.int64))
        for levels, counts, width in zip(names, part["level_weight"], self.n_categories_):
            table = np.zeros((len(self.classes_), width))
            table[:, [int(level) for level in levels]] = counts
            self.category_count_.append(table)
        alpha = self._check_alpha()
        self.feature_log_prob_ = []
        with np.errstate(divide="ignore"):
            for counts in self.category_count_:
                smoothed = counts + alpha
                self.feature_log_prob_.append(np.log(smoothed) - np.log(smoothed.sum(axis=1).reshape(-1, 1)))
        self._take_class_prior()

    def _scores(self, X, form):
        tables = [np.ascontiguousarray(each.T) for each in self.feature_log_prob_]
        bias = np.ascontiguousarray(self.class_log_prior_, dtype=np.float64)
        return _core.table_scores(X, tables, bias, form)

    def _refuse(self, X):
        check_non_negative(X, f"{type(self).__name__} (input X)")
        over = np.argwhere(X >= self.n_categories_)
        if len(over):
            row, column = over[0]
            raise IndexError(f"index {X[row, column]} is out of bounds for axis 1 with size "
                             f"{self.n_categories_[column]}")

    def explain(self, X):
        """What each feature adds to each class's log joint."""
        check_is_fitted(self)
        X = self._read_rows(X)
        self._refuse(X)
        contributions = np.stack([table[:, X[:, j].astype(np.intp)].T
                                  for j, table in enumerate(self.feature_log_prob_)], axis=2)
        return Explanation(contributions, np.broadcast_to(self.class_log_prior_, contributions.shape[:2]).copy())

    def _draw(self, codes, random):
        rows = np.empty((len(codes), self.n_features_in_), dtype=np.int64)
        for j, table in enumerate(self.feature_log_prob_):
            up_to = np.cumsum(np.exp(table), axis=1)[codes]
            rows[:, j] = (up_to < random.uniform(size=(len(codes), 1)) * up_to[:, -1:]).sum(axis=1)
        return rows

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.positive_only = True
        return tags

