"""A CSV file to a fitted naive Bayes: the command against pandas, polars and scikit-learn."""
import json
import os
import pathlib
import subprocess
import tempfile

import numpy
import pandas
from sklearn.naive_bayes import GaussianNB

from bench.contest import Entry, contest
from bench.csv import mixed

COMMAND = pathlib.Path(os.environ.get("SUFFICE", pathlib.Path(__file__).resolve().parents[2] / "build" / "suffice"))
COLUMNS = 21  # twenty numbers and the class


def write(path: pathlib.Path, row_count: int, form: str) -> None:
    random = numpy.random.default_rng(1)
    labels = random.integers(0, 2, row_count)
    values = random.normal(size=(row_count, COLUMNS - 1)) + labels[:, None]
    line = ",".join([form] * (COLUMNS - 1)) + ",%d\n"
    with path.open("w") as file:
        file.write(",".join(f"x{k}" for k in range(COLUMNS - 1)) + ",kind\n")
        file.writelines(line % (*row, label) for row, label in zip(values.tolist(), labels.tolist()))


def ours(path: pathlib.Path) -> pathlib.Path:
    model = path.with_suffix(".suf")
    subprocess.run([COMMAND, "fit", path, "--target", "kind", "--model", "gaussian_nb", "--quiet", "-o", model], check=True)
    return model


def means(model: pathlib.Path) -> list[list[float]]:
    shown = json.loads(subprocess.run([COMMAND, "inspect", model, "--json"], check=True, capture_output=True).stdout)
    return [[column["parameters"][name]["mean"] for column in shown["columns"]] for name in ("0", "1")]


def theirs(path: pathlib.Path) -> object:
    table = pandas.read_csv(path)
    return GaussianNB().fit(table.iloc[:, :-1].to_numpy(), table["kind"].to_numpy())


def run(quick: bool) -> list[Entry]:
    entries: list[Entry] = []
    row_count = 50_000 if quick else 500_000
    with tempfile.TemporaryDirectory() as folder:
        for digits, form in (("6 digits", "%.6g"), ("17 digits", "%.17g")):
            path = pathlib.Path(folder) / "numbers.csv"
            write(path, row_count, form)
            size = path.stat().st_size
            case = f"{row_count} x {COLUMNS}, {digits}, {size / 1e6:.0f} MB"
            timed = contest("csv", case, {"suffice fit": lambda: ours(path), "pandas + scikit-learn": lambda: theirs(path)},
                            agree=lambda model, other: model is other or numpy.allclose(means(model), other.theta_, rtol=1e-9))
            for entry in timed:
                entry.note = entry.note or f"{size / entry.seconds / 1e6:.0f} MB/s"
            entries += timed
        entries += mixed.run(pathlib.Path(folder), quick)
    return entries
