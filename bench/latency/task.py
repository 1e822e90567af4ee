"""Small problems: fit + predict of 150 rows, and the posterior of a single row; medians of many calls, and the 99th percentile."""
import numpy

from bench.contest import Entry, absent, entrants

CASES = {"fit_predict": "{} fit + predict 150 x 4", "one_row": "{} posterior of one row, 50 columns"}


def rows(count: int, columns: int, classes: int) -> numpy.ndarray:
    return numpy.random.default_rng(1).uniform(size=(count, columns)) + 0.2 * (numpy.arange(count) % classes)[:, None]


def run(quick: bool) -> list[Entry]:
    small, wide = rows(150, 4, 3), rows(5000, 50, 5)
    entries: list[Entry] = []
    answers: dict[tuple[str, str], numpy.ndarray] = {}
    for who, module in entrants("latency").items():
        if module is None:
            entries.append(absent("latency", "all", who, "is not installed"))
            continue
        for (what, model), (median, tail, answer) in module.measured(small, wide, 1000 if quick else 5000).items():
            case = CASES[what].format(model)
            if numpy.abs(answers.setdefault((what, model), answer) - answer).max() > 1e-7:
                entries.append(absent("latency", case, who, "its answer differs"))
            else:
                entries.append(Entry("latency", case, who, median, tail - median, 1, f"p50 {median * 1e6:.3g}, p99 {tail * 1e6:.3g} microseconds"))
    return sorted(entries, key=lambda entry: entry.case)  # stable: ours stays first within a case
