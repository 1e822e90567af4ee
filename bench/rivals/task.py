"""Ours through Python beside tools other than scikit-learn, on one set of rows: fit and answer for every row.

One file per rival, each with contenders(rows) -> {(model, name): run}, where run() fits and gives the class of every row.
A rival that is not installed is said to be missing; one that answers otherwise than ours for more than one row in a
thousand is not timed. OpenCV computes in single precision.
"""
import importlib

import numpy

import suffice
from bench.classifiers.task import gaussian_rows
from bench.contest import Entry, contest
from bench.rivals import r

OURS = {"naive Bayes": suffice.GaussianNB, "lda": suffice.LinearDiscriminantAnalysis,
        "qda": suffice.QuadraticDiscriminantAnalysis}


def agree(ours: numpy.ndarray, theirs: numpy.ndarray) -> bool:
    return bool((ours == theirs).mean() >= 0.999)


def run(quick: bool) -> list[Entry]:
    X, y = gaussian_rows(20_000 if quick else 200_000, 20, 3)
    contenders: dict[tuple[str, str], object] = {}
    missing: list[str] = []
    for rival in ("opencv", "mlpack"):
        try:
            contenders |= importlib.import_module(f"bench.rivals.{rival}").contenders(X, y)
        except ImportError:
            missing.append(rival)
    entries: list[Entry] = []
    for model, kind in OURS.items():
        case = f"{model}, {X.shape[0]} x {X.shape[1]}, fit and answer"
        theirs = {name: run for (which, name), run in contenders.items() if which == model}
        ours = kind()
        entries += contest("rivals", case, {"suffice": lambda: ours.fit(X, y).predict(X), **theirs}, agree=agree,
                           budget_seconds=0.5 if quick else 3.0)
        entries.append(r.entry("rivals", case, model, X, y, ours.predict(X)))
    return entries + [Entry("rivals", "all", rival, float("nan"), 0, 0, "is not installed") for rival in missing]
