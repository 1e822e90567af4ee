"""scikit-learn: CountVectorizer and MultinomialNB."""
import pathlib

import numpy
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB

NAME = "scikit-learn"


def documents(folder: pathlib.Path) -> tuple[list[str], list[str]]:
    paths = sorted(folder.glob("*/*"))
    return [path.read_bytes().decode("latin-1") for path in paths], [path.parent.name for path in paths]


def learn(text: list[str], labels: list[str]) -> tuple[CountVectorizer, MultinomialNB]:
    vectorizer = CountVectorizer()
    return vectorizer, MultinomialNB(alpha=0.01).fit(vectorizer.fit_transform(text), labels)


def classify(model: tuple[CountVectorizer, MultinomialNB], text: list[str]) -> numpy.ndarray:
    return model[1].predict_log_proba(model[0].transform(text))


def fit(train: pathlib.Path) -> tuple[CountVectorizer, MultinomialNB]:
    return learn(*documents(train))


def accuracy(model: tuple[CountVectorizer, MultinomialNB], test: pathlib.Path) -> float:
    text, truth = documents(test)
    return float(numpy.mean(model[1].predict(model[0].transform(text)) == truth))
