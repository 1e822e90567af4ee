"""Test-then-learn on the electricity stream: processor seconds per row (all run on one thread), scoring and learning together.

The answers are the accuracies: the same model without forgetting must come within a hundredth of River's. A quick run gives
River the first 5,000 rows only, and its accuracy is then of those.
"""
from bench.contest import Entry, absent, entrants
from bench.places import DATA

STREAM = DATA / "electricity" / "electricity_openml.csv"


def run(quick: bool) -> list[Entry]:
    case = "electricity, per row"
    if not STREAM.exists():
        return [absent("online", case, "suffice", f"{STREAM.name} is not there")]
    entries: list[Entry] = []
    expected = None
    for who, module in entrants("online").items():
        if module is None:
            entries.append(absent("online", case, who, "is not installed"))
            continue
        for name, seconds, accuracy in module.measured(STREAM, 5000 if quick else 10**9):
            expected = accuracy if expected is None else expected
            if not name.startswith("suffice") and not quick and abs(accuracy - expected) > 0.01:
                entries.append(absent("online", case, name, f"its answer differs: accuracy {accuracy:.4f}"))
            else:
                entries.append(Entry("online", case, name, seconds, repetitions=1, note=f"accuracy {accuracy:.4f}"))
    return entries
