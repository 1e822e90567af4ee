"""scikit-learn's estimators of the same names."""
import sklearn.discriminant_analysis
import sklearn.naive_bayes

NAME = "scikit-learn"


def make(name: str, settings: dict[str, object]) -> object:
    return {**vars(sklearn.naive_bayes), **vars(sklearn.discriminant_analysis)}[name](**settings)
