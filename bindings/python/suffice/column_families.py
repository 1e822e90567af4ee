"""Naive Bayes with a family per column, from data frames."""
from sklearn.base import BaseEstimator

from suffice.families import Family
from suffice.generative import GenerativeMixin, prior_settings


class NaiveBayes(GenerativeMixin, BaseEstimator):
    """Naive Bayes with a family per column, inferred from the column or chosen; missing values tell nothing.

    Parameters
    ----------
    families : None, dict of column name to family, or list of families, default=None
        A family is a name, an object of ``suffice.families`` or "auto", which lets the data choose.
    priors : None, "uniform" or array-like, default=None
    estimate : {"map", "likelihood", "unbiased", "predictive"}, default="map"
    smoothing : float, default=1.0
        Pseudo-count of levels, flags and counts.
    column_priors : dict of column name to prior, default=None
        Such as {"x": suffice.families.Beta(2, 5)} or {"x": "beta(2, 5)"}.
    joint : list of lists of column names, default=None
        Categories and flags that are modelled jointly given the class: every combination is a level.
    unlabeled : default=-1
        A label that means: not known. None: there is none.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import NaiveBayes
    >>> X = np.array([["red", 1.0], ["red", 1.5], ["blue", 4.0], ["blue", None]], dtype=object)
    >>> NaiveBayes().fit(X, ["a", "a", "b", "b"]).predict(np.array([["blue", None]], dtype=object)).tolist()
    ['b']
    """

    def __init__(self, families=None, priors=None, estimate="map", smoothing=1.0, column_priors=None, joint=None,
                 unlabeled=-1):
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
        if isinstance(self.families, dict):
            return {str(name): _family_name(family) for name, family in self.families.items()}
        if len(self.families) != len(names):
            raise ValueError(f"there are {len(self.families)} families for {len(names)} columns")
        return dict(zip(names, map(_family_name, self.families)))

    def _joint(self):
        return [[str(name) for name in group] for group in self.joint or []]

    def _described(self, rows, before=None):
        made = super()._described(rows, before)
        chosen = self._families_of([name for name, *_ in made])
        return [(name, "number" if chosen.get(name, "bernoulli") != "bernoulli" and kind == "flag" else kind, levels, n)
                for name, kind, levels, n in made]


def _family_name(family):
    return family.name if isinstance(family, Family) else str(family)


class PoissonNB(NaiveBayes):
    """Naive Bayes over counts, every column Poisson.

    Parameters
    ----------
    priors : None, "uniform" or array-like, default=None
    smoothing : float, default=1.0
        Pseudo-rows at the column's overall mean.
    unlabeled : default=-1

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import PoissonNB
    >>> X = np.array([[1, 7], [0, 8], [9, 1], [8, 0]])
    >>> PoissonNB().fit(X, [0, 0, 1, 1]).predict([[7, 2]]).tolist()
    [1]
    """

    def __init__(self, priors=None, smoothing=1.0, unlabeled=-1):
        self.priors = priors
        self.smoothing = smoothing
        self.unlabeled = unlabeled

    def _recipe_for(self, labels):
        return "poisson_nb", {"estimate": "map", "smoothing": float(self.smoothing),
                              **prior_settings(self.priors, labels)}

    def _families_of(self, names):
        return {}

    def _joint(self):
        return []

    def _described(self, rows, before=None):
        return [(name, "number" if kind == "flag" else kind, levels, n)
                for name, kind, levels, n in GenerativeMixin._described(self, rows, before)]
