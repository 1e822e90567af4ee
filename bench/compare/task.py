"""All Gaussian structures and naive Bayes models on ten folds, beside scikit-learn's cross-validation of one LDA."""
from bench.classifiers.task import gaussian_rows
from bench.contest import Entry, contest, entrants


def run(quick: bool) -> list[Entry]:
    X, y = gaussian_rows(50_000 if quick else 500_000, 50, 5)
    models: dict[str, int] = {}

    def validating(who, module):  # type: ignore[no-untyped-def]
        def work() -> dict:
            answer = module.cross_validate(X, y, 10)
            models[who] = answer["models"]
            return answer
        return work

    entries = contest("compare", f"{len(X)} x 50, 5 classes, 10 folds",
                      {who: module and validating(who, module) for who, module in entrants("compare").items()},
                      lambda ours, theirs: abs(ours["accuracy"] - theirs["accuracy"]) < 0.01,  # other folds of the same rows
                      0.3 if quick else 3.0)
    for entry in entries:
        entry.note = entry.note or f"{models[entry.contender]} models"
    return entries
