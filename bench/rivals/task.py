"""Ours through Python beside tools other than scikit-learn, on one set of rows: fit and answer for every row.

A rival that is not installed is said to be missing; one that answers otherwise than ours for more than one row in a
thousand is not timed. Those with entry() run in a process of their own.
"""
import numpy

from bench.classifiers.task import gaussian_rows
from bench.contest import Entry, contest, entrants


def agree(ours: numpy.ndarray, theirs: numpy.ndarray) -> bool:
    return bool((ours == theirs).mean() >= 0.999)


def run(quick: bool) -> list[Entry]:
    X, y = gaussian_rows(20_000 if quick else 200_000, 20, 3)
    everyone = {who: module for who, module in entrants("rivals").items() if module}
    entries: list[Entry] = []
    for model in ("naive Bayes", "lda", "qda"):
        case = f"{model}, {X.shape[0]} x {X.shape[1]}, fit and answer"
        here = {who: module.contender(model, X, y) for who, module in everyone.items() if hasattr(module, "contender")}
        here = {who: work for who, work in here.items() if work is not None}
        entries += contest("rivals", case, here, agree, 0.3 if quick else 3.0)
        answer = next(iter(here.values()))()
        for module in everyone.values():
            if hasattr(module, "entry"):
                entries += [each for each in [module.entry(case, model, X, y, answer)] if each]
    missing = [who for who, module in entrants("rivals").items() if module is None]
    return entries + [Entry("rivals", "all", who, float("nan"), note="is not installed") for who in missing]
