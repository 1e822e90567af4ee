"""Ours through Python."""
import numpy

import suffice

NAME = "suffice"


def vectorizer(name: str) -> object:
    return getattr(suffice, name)()


def fit(documents: list[str], labels: numpy.ndarray) -> object:
    return suffice.TextClassifier(smoothing=0.01).fit(documents, labels)


def posteriors(model, documents: list[str]) -> numpy.ndarray:  # type: ignore[no-untyped-def]
    return model.predict_proba(documents)
