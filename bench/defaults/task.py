"""How right the default fit is on small ugly tables beside scikit-learn's models; accuracies and log losses, no times. `table.py --write` makes the documentation's table."""
from bench.contest import Entry, absent
from bench.defaults import table

QUICK = ["wdbc", "zoo", "thyroid", "iris"]


def run(quick: bool) -> list[Entry]:
    entries: list[Entry] = []
    for name in QUICK if quick else table.TABLES:
        if not table.is_there(name):
            entries.append(absent("defaults", name, "suffice fit", "the data are not there"))
            continue
        names, rows, labels = table.rows_of(name)
        fold = table.folds_of(labels)
        scores = {"suffice fit": table.ours(names, rows, labels, fold, [])}
        scores |= {f"scikit-learn {who}": score for who, score in table.baselines(names, rows, labels, fold).items()}
        entries += [absent("defaults", name, who, f"accuracy {accuracy:.3f}, log loss {loss:.2f}; ten folds")
                    for who, (accuracy, loss, _) in scores.items()]
    return entries
