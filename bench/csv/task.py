"""A CSV file to a fitted naive Bayes: the command against pandas or polars and scikit-learn, on numbers and on files of
words, quotes and holes. Columns without holes must come out alike."""
import dataclasses
import pathlib
import tempfile

import numpy


from bench.contest import Entry, absent, contest, entrants
from bench.csv import suffice_command
from bench.places import DATA

COLUMNS = 21  # twenty numbers and the class


@dataclasses.dataclass
class Case:
    name: str
    file: str
    header: bool
    target: str
    numbers: list[str]
    words: list[str]
    excluded: list[str]
    whole_number: str  # a column of numbers without holes
    whole_word: str    # a column of words without holes


CASES = [
    Case("adult", "adult/adult.data", False, "c15", [f"c{k}" for k in (1, 3, 5, 11, 12, 13)], [f"c{k}" for k in (2, 4, 6, 7, 8, 9, 10, 14)], [],
         "c1", "c10"),
    Case("titanic", "titanic/titanic_openML.csv", True, "survived", ["pclass", "age", "sibsp", "parch", "fare"], ["sex", "embarked"],
         ["name", "ticket", "cabin", "boat", "body", "home.dest"], "sibsp", "sex"),
]


def write(path: pathlib.Path, row_count: int, form: str) -> None:
    random = numpy.random.default_rng(1)
    labels = random.integers(0, 2, row_count)
    values = random.normal(size=(row_count, COLUMNS - 1)) + labels[:, None]
    line = ",".join([form] * (COLUMNS - 1)) + ",%d\n"
    with path.open("w") as file:
        file.write(",".join(f"x{k}" for k in range(COLUMNS - 1)) + ",kind\n")
        file.writelines(line % (*row, label) for row, label in zip(values.tolist(), labels.tolist()))


def repeat(case: Case, path: pathlib.Path, size: int) -> None:
    text = (DATA / case.file).read_text().rstrip("\n") + "\n"
    head = text[:text.index("\n") + 1] if case.header else ""
    rows = text[len(head):]
    with path.open("w") as file:
        file.write(head)
        for _ in range(max(1, size // len(rows))):
            file.write(rows)


def same_columns(ours, theirs: dict) -> bool:  # type: ignore[no-untyped-def]
    found = ours()
    return all(numpy.allclose(found[name][what], theirs[name][what], rtol=1e-9) for name in theirs for what in ("mean", "probability"))


def with_rate(entries: list[Entry]) -> list[Entry]:
    for entry in entries:
        entry.note = entry.note or f"{entry.bytes / entry.seconds / 1e9:.3g} GB/s"
    return entries


def run(quick: bool) -> list[Entry]:
    entries: list[Entry] = []
    row_count, budget = (50_000, 0.3) if quick else (500_000, 2.0)
    everyone = entrants("csv")
    with tempfile.TemporaryDirectory() as folder:
        for digits, form in (("6 digits", "%.6g"), ("17 digits", "%.17g")):
            path = pathlib.Path(folder) / "numbers.csv"
            write(path, row_count, form)
            size = path.stat().st_size
            entries += with_rate(contest(
                "csv", f"{row_count} x {COLUMNS}, {digits}, {size / 1e6:.0f} MB",
                {who: module and (lambda module=module: module.numbers(path)) for who, module in everyone.items()},
                lambda ours, theirs: numpy.allclose(ours(), theirs, rtol=1e-9), budget, bytes=size))
        for case in CASES:
            if not (DATA / case.file).exists():
                entries.append(absent("csv", f"{case.name} repeated", "suffice fit", f"{case.file} is not there"))
                continue
            path = pathlib.Path(folder) / f"{case.name}.csv"
            repeat(case, path, 10_000_000 if quick else 100_000_000)
            size = path.stat().st_size
            entries += with_rate(contest(
                "csv", f"{case.name} repeated, {size / 1e6:.0f} MB",
                {who: module and (lambda module=module: module.mixed(case, path)) for who, module in everyone.items()},
                same_columns, budget, least_rounds=2, bytes=size))
            entries += with_rate(contest(
                "csv", f"{case.name} repeated, families of columns chosen or stated",
                {"suffice fit, chosen": lambda: suffice_command.chosen(case, path), "suffice fit, stated": lambda: suffice_command.mixed(case, path)},
                None, budget, bytes=size))
            path.unlink()
    return entries
