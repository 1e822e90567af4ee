"""Naive Bayes over categories."""
from numbers import Integral, Real

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_is_fitted, check_non_negative

from suffice import _core, inputs
from suffice.estimator import Explanation
from suffice.naive_bayes.discrete import DiscreteMixin
from suffice.statistics import Statistics


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
        self.n_categories_ = None
        columns = [(name, "category", [], 0) for name, *_ in inputs.number_columns(self)]
        return Statistics.blank("categorical_nb", columns, self.classes_)

    def _feed(self, seen, X, codes, weight):
        self.n_categories_ = self._categories(X, self.n_categories_)
        columns = [(name, "category", [str(level) for level in range(count)], int(count))
                   for (name, *_), count in zip(inputs.number_columns(self), self.n_categories_.tolist())]
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
