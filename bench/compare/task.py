"""Twenty Gaussian structures and naive Bayes models on ten folds, beside scikit-learn's cross-validation of one LDA."""

import numpy
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import cross_val_score

import suffice
from bench.classifiers.task import gaussian_rows
from bench.contest import Entry, contest


def run(quick: bool) -> list[Entry]:
    X, y = gaussian_rows(50_000 if quick else 500_000, 50, 5)
    tried = len(suffice.compare(X, y, folds=2))  # all that fit the columns and so many rows

    def agree(ours: object, theirs: object) -> bool:
        if ours is theirs:
            return True
        mine = next(each for each in ours if each["model"] == "linear_discriminant" and not each["options"])
        return bool(abs(mine["accuracy"] - numpy.mean(theirs)) < 0.01)  # other folds of the same rows

    return contest("compare", f"{len(X)} x 50, 5 classes, 10 folds", {
        f"suffice: {tried} models": lambda: suffice.compare(X, y, folds=10),
        "scikit-learn: LDA alone": lambda: cross_val_score(LinearDiscriminantAnalysis(), X, y, cv=10)},
        agree=agree, budget_seconds=0.5 if quick else 3.0)
