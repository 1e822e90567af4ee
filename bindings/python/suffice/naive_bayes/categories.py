"""Naive Bayes over categories."""
from numbers import Integral, Real

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_non_negative

from suffice import _core, inputs
from suffice.naive_bayes.discrete import DiscreteMixin
from suffice.stated import log, numbers
from suffice.statistics import Statistics
from suffice.shared_docs import documented


@documented
class CategoricalNB(DiscreteMixin, BaseEstimator):
    """Naive Bayes over categories coded 0, 1, ..., as ``sklearn.naive_bayes.CategoricalNB``.

    Parameters
    ----------
    alpha : float, default=1.0
        Pseudo-count of every level: (n_l + alpha) / (n + alpha L). A Dirichlet prior by another name.
    <parameters of smoothed counts>
    min_categories : int or array-like of shape (n_features,), default=None
        Levels that exist whether seen or not; None: as many as the rows have.

    Attributes
    ----------
    <attributes of classifiers>
    <attributes of smoothed counts>
    category_count_ : list of ndarray of shape (n_classes, n_categories)
        Weight of each level of a column in each class.
    feature_log_prob_ : list of ndarray of shape (n_classes, n_categories)
        log p(level | class).
    n_categories_ : ndarray of shape (n_features,)
        Levels of each column.

    See Also
    --------
    NaiveBayes : Words need no codes there, and a level never seen counts as one of weight zero.

    Notes
    -----
    <what sums add>

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
        return inputs.readable(inputs.validate_data(self, X, dtype="int", accept_sparse=False, reset=False))

    def _categories(self, X, seen):
        """How many categories each column has: from this piece, those before it, and the least asked for."""
        top, negative = _core.level_tops(X)
        top += 1
        if negative:
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
        columns = [(name, "category", [], 0) for name, *_ in inputs.number_columns(self)]
        return Statistics.blank("categorical_nb", columns, self.classes_)

    def _columns(self):
        return [(name, "category", [str(level) for level in range(count)], int(count))
                for (name, *_), count in zip(inputs.number_columns(self), self.n_categories_.tolist())]

    def _feed(self, seen, X, codes, weight):
        self.n_categories_ = self._categories(X, self.n_categories_ if seen.weight > 0 else None)
        return seen.feed(X, codes, weight, columns=self._columns())

    def _kept(self):
        return {"n_categories_": self.n_categories_}

    def _estimate(self):
        self.class_count_ = self.statistics_.class_weight()
        levels = [[int(level) for level in levels] for _, _, levels, _ in self.statistics_._state.columns]
        highest = np.array([1 + max(each, default=-1) for each in levels], dtype=np.int64)
        self.n_categories_ = np.maximum(getattr(self, "n_categories_", 0), highest)
        self.category_count_, self.feature_log_prob_ = [], []
        for place, counts, width in zip(levels, self.statistics_.parts()[0]["level_weight"], self.n_categories_):
            table = np.zeros((len(self.classes_), width))
            table[:, place] = counts
            smoothed = table + self._check_alpha()
            self.category_count_.append(table)
            self.feature_log_prob_.append(log(smoothed) - log(smoothed.sum(axis=1, keepdims=True)))
        self._take_class_prior()

    def _parameters(self):
        return self.class_log_prior_, {"tables": [numbers(each.T) for each in self.feature_log_prob_]}

    def _scores(self, X, form):
        top, negative = _core.level_tops(X)
        return super()._scores(X, form)[0], not negative and bool((top < self.n_categories_).all())

    def _refuse(self, X):
        check_non_negative(X, f"{type(self).__name__} (input X)")
        over = np.argwhere(X >= self.n_categories_)
        if len(over):
            row, column = over[0]
            raise IndexError(f"index {X[row, column]} is out of bounds for axis 1 with size "
                             f"{self.n_categories_[column]}")

    def _drawn(self, rows):
        return rows.astype(np.int64)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.positive_only = True
        return tags
