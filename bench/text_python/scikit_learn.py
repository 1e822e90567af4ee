"""scikit-learn's vectorizers and MultinomialNB."""
import numpy
import sklearn.feature_extraction.text
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

NAME = "scikit-learn"


def vectorizer(name: str) -> object:
    return getattr(sklearn.feature_extraction.text, name)()


def fit(documents: list[str], labels: numpy.ndarray) -> object:
    return make_pipeline(sklearn.feature_extraction.text.CountVectorizer(), MultinomialNB(alpha=0.01)).fit(documents, labels)


def posteriors(model, documents: list[str]) -> numpy.ndarray:  # type: ignore[no-untyped-def]
    return model.predict_proba(documents)
