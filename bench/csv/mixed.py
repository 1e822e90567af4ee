"""Files of words, quotes and holes: the command against pandas or polars and the nearest scikit-learn models.

scikit-learn has no naive Bayes of mixed columns: numbers go to GaussianNB (holes filled with the mean), words through
OrdinalEncoder to CategoricalNB (a hole is a level there). Columns without holes must come out alike.
"""
import dataclasses
import json
import os
import pathlib
import subprocess
from collections.abc import Callable

import numpy
import pandas
import polars
from sklearn.impute import SimpleImputer
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder

from bench.contest import Entry, contest

COMMAND = pathlib.Path(os.environ.get("SUFFICE", pathlib.Path(__file__).resolve().parents[2] / "build" / "suffice"))
DATA = pathlib.Path(__file__).resolve().parents[3] / "shared" / "data"


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


def repeat(case: Case, path: pathlib.Path, size: int) -> None:
    text = (DATA / case.file).read_text().rstrip("\n") + "\n"
    head = text[:text.index("\n") + 1] if case.header else ""
    rows = text[len(head):]
    with path.open("w") as file:
        file.write(head)
        for _ in range(max(1, size // len(rows))):
            file.write(rows)


def ours(case: Case, path: pathlib.Path) -> pathlib.Path:
    model = path.with_suffix(".suf")
    words = ["--exclude", ",".join(case.excluded)] if case.excluded else []
    subprocess.run([COMMAND, "fit", path, "--target", case.target, *words, *([] if case.header else ["--no-header"]), "--quiet", "-o", model],
                   check=True, stderr=subprocess.DEVNULL)
    return model


def by_pandas(case: Case, path: pathlib.Path) -> pandas.DataFrame:
    names = None if case.header else [f"c{k}" for k in range(1, 16)]
    return pandas.read_csv(path, names=names, usecols=[*case.numbers, *case.words, case.target], skipinitialspace=True, na_values=["?"])


def by_polars(case: Case, path: pathlib.Path) -> pandas.DataFrame:
    """polars leaves blanks behind commas, so words keep them and numbers are cast."""
    table = polars.read_csv(path, has_header=case.header, null_values=["?", " ?", ""], infer_schema_length=10000,
                            new_columns=None if case.header else [f"c{k}" for k in range(1, 16)])
    kept = table.select([*(polars.col(name).cast(polars.String).str.strip_chars().cast(polars.Float64) for name in case.numbers),
                         *(polars.col(name).str.strip_chars() for name in case.words), polars.col(case.target).cast(polars.String).str.strip_chars()])
    return kept.to_pandas()


def theirs(read: Callable, case: Case, path: pathlib.Path) -> dict[str, dict[str, list[float]]]:
    table = read(case, path)
    target = table[case.target].astype(str).to_numpy()
    gaussian = make_pipeline(SimpleImputer(), GaussianNB()).fit(table[case.numbers].to_numpy(), target)[-1]
    encoder = OrdinalEncoder()
    codes = encoder.fit_transform(table[case.words].fillna("?").astype("str").to_numpy())
    categorical = CategoricalNB().fit(codes, target)
    word = case.words.index(case.whole_word)
    return {name: {"mean": gaussian.theta_[k, case.numbers.index(case.whole_number)],
                   "probability": numpy.exp(categorical.feature_log_prob_[word][k]).tolist()}
            for k, name in enumerate(gaussian.classes_)}


def parameters(case: Case, model: pathlib.Path) -> dict[str, dict[str, list[float]]]:
    shown = json.loads(subprocess.run([COMMAND, "inspect", model, "--json"], check=True, capture_output=True).stdout)
    columns = {column["name"]: column["parameters"] for column in shown["columns"]}
    return {each["name"]: {"mean": columns[case.whole_number][each["name"]]["mean"],
                           "probability": columns[case.whole_word][each["name"]]["probability"]} for each in shown["classes"]}


def agree(case: Case, model: pathlib.Path, other: object) -> bool:
    if model is other:
        return True
    found = parameters(case, model)
    return all(numpy.allclose(found[name][what], other[name][what], rtol=1e-9) for name in other for what in ("mean", "probability"))


def run(folder: pathlib.Path, quick: bool) -> list[Entry]:
    entries: list[Entry] = []
    for case in CASES:
        if not (DATA / case.file).exists():
            print(f"{case.file} is not here, so the case {case.name} is left out", flush=True)
            continue
        path = folder / f"{case.name}.csv"
        repeat(case, path, 10_000_000 if quick else 100_000_000)
        size = path.stat().st_size
        timed = contest("csv", f"{case.name} repeated, {size / 1e6:.0f} MB",
                        {"suffice fit": lambda: ours(case, path),
                         "pandas + scikit-learn": lambda: theirs(by_pandas, case, path),
                         "polars + scikit-learn": lambda: theirs(by_polars, case, path)},
                        agree=lambda model, other: agree(case, model, other))
        for entry in timed:
            entry.note = entry.note or f"{size / entry.seconds / 1e6:.0f} MB/s"
        entries += timed
        path.unlink()
    return entries
