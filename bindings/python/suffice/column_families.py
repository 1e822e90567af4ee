"""Naive Bayes with a family per column, from data frames."""
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from suffice.families import Family
from suffice.generative import GenerativeMixin, prior_settings
from suffice.shared_docs import documented


@documented
class NaiveBayes(GenerativeMixin, BaseEstimator):
    """Naive Bayes with a family per column, inferred from the column or chosen; missing values tell nothing.

    Parameters
    ----------
    families : None, family, dict of column name to family, or list of families, default=None
        A family is a name, an object of ``suffice.families`` or "auto", which lets the data choose; one alone is for
        all columns.
    priors : None, "uniform" or array-like, default=None
    estimate : {"map", "likelihood", "unbiased", "predictive"}, default="map"
    smoothing : float, default=1.0
        Pseudo-count of levels, flags and counts.
    column_priors : dict of column name to prior, default=None
        Such as {"x": suffice.families.Beta(2, 5)} or {"x": "beta(2, 5)"}.
    joint : list of lists of column names, default=None
        Categories and flags that are modelled jointly given the class: every combination is a level.
    unlabeled : default=None
        A label that means: not known. None: there is none.

    Attributes
    ----------
    families_ : dict of column name to the family really used

    See Also
    --------
    GaussianNB, BernoulliNB, CategoricalNB, MultinomialNB : One family for all columns, with scikit-learn's parameters.
    AutoClassifier : Compares models, and fits the best.

    Notes
    -----
    <what sums add>

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import NaiveBayes
    >>> X = np.array([["red", 1.0], ["red", 1.5], ["blue", 4.0], ["blue", None]], dtype=object)
    >>> NaiveBayes().fit(X, ["a", "a", "b", "b"]).predict(np.array([["blue", None]], dtype=object)).tolist()
    ['b']
    """

    def __init__(self, families=None, priors=None, estimate="map", smoothing=1.0, column_priors=None, joint=None,
                 unlabeled=None):
        self.families = families
        self.priors = priors
        self.estimate = estimate
        self.smoothing = smoothing
        self.column_priors = column_priors
        self.joint = joint
        self.unlabeled = unlabeled

    def _recipe_for(self, labels):
        settings = {"estimate": self.estimate, "smoothing": float(self.smoothing),
                    **prior_settings(self.priors, labels)}
        if self.column_priors:
            settings["column_priors"] = {str(column): str(prior) for column, prior in self.column_priors.items()}
        return "naive_bayes", settings

    def _families_of(self, names):
        if self.families is None:
            return {}
        if isinstance(self.families, (str, Family)):  # one for all
            return dict.fromkeys(names, _family_name(self.families))
        if isinstance(self.families, dict):
            return {str(name): _family_name(family) for name, family in self.families.items()}
        if len(self.families) != len(names):
            raise ValueError(f"there are {len(self.families)} families for {len(names)} columns")
        return dict(zip(names, map(_family_name, self.families)))

    @property
    def families_(self):
        check_is_fitted(self)
        return {column: family for column, family, _ in self._model().describe()}

    def _joint(self):
        return [[str(name) for name in group] for group in self.joint or []]

    def _described(self, rows, before=None):
        made = super()._described(rows, before)
        chosen = self._families_of([name for name, *_ in made])
        return [(name, "number" if chosen.get(name, "bernoulli") != "bernoulli" and kind == "flag" else kind, levels, n)
                for name, kind, levels, n in made]


def _family_name(family):
    return family.name if isinstance(family, Family) else str(family)


@documented
class PoissonNB(NaiveBayes):
    """Naive Bayes over counts, every column Poisson given the class.

    Parameters
    ----------
    priors : None, "uniform" or array-like of shape (n_classes,), default=None
        Class probabilities; None: from the rows.
    smoothing : float, default=1.0
        Pseudo-rows at the column's overall mean, so that a rate is never zero.
    unlabeled : default=None
        The label that means "not known", beside None and NaN; such rows take part by EM.

    Attributes
    ----------
    <attributes of classifiers>
    families_ : dict
        The family of each column.

    See Also
    --------
    NaiveBayes : Other families beside counts.
    MultinomialNB : Shares of a total instead of rates.

    Notes
    -----
    <what sums add>

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import PoissonNB
    >>> X = np.array([[1, 7], [0, 8], [9, 1], [8, 0]])
    >>> PoissonNB().fit(X, [0, 0, 1, 1]).predict([[7, 2]]).tolist()
    [1]
    """

    def __init__(self, priors=None, smoothing=1.0, unlabeled=None):
        self.priors = priors
        self.smoothing = smoothing
        self.unlabeled = unlabeled

    def _recipe_for(self, labels):
        return "poisson_nb", {"estimate": "map", "smoothing": float(self.smoothing),
                              **prior_settings(self.priors, labels)}

    def _families_of(self, names):
        return {}

    def _kinds(self, reset):
        return dict.fromkeys(self._names(), "number")

    def _joint(self):
        return []

    def _described(self, rows, before=None):
        return [(name, "number" if kind == "flag" else kind, levels, n)
                for name, kind, levels, n in GenerativeMixin._described(self, rows, before)]
