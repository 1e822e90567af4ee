"""Naive Bayes classes named and shaped as scikit-learn's, fitted in one pass over the rows."""
from suffice.naive_bayes.categories import CategoricalNB
from suffice.naive_bayes.counts import ComplementNB, MultinomialNB
from suffice.naive_bayes.flags import BernoulliNB
from suffice.naive_bayes.gaussian import GaussianNB

__all__ = ["BernoulliNB", "CategoricalNB", "ComplementNB", "GaussianNB", "MultinomialNB"]
