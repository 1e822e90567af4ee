"""Ours through the command line: starting and writing the model included."""
import json
import pathlib
import subprocess
from collections.abc import Callable

from bench.places import COMMAND

NAME = "suffice fit"


def numbers(path: pathlib.Path) -> Callable[[], list[list[float]]]:
    """Means of each class and column after a fit of Gaussian naive Bayes; looked up when asked for, which is not timed."""
    model = fit(path, "kind", ["--model", "gaussian_nb"])
    return lambda: means(model)


def means(model: pathlib.Path) -> list[list[float]]:
    shown = inspected(model)
    return [[column["parameters"][each["name"]]["mean"] for column in shown["columns"]] for each in shown["classes"]]


def mixed(case, path: pathlib.Path) -> Callable[[], dict[str, dict[str, list[float]]]]:  # type: ignore[no-untyped-def]
    """Numbers are Gaussian, as the rivals take them."""
    families = ",".join([*(f"{name}=gaussian" for name in case.numbers), *(f"{name}=categorical" for name in case.words)])
    model = fit(path, case.target, [*reading(case), "--family", families])
    return lambda: columns_without_holes(case, model)


def chosen(case, path: pathlib.Path) -> pathlib.Path:  # type: ignore[no-untyped-def]
    """The default: the family of each column is chosen by what the same pass gathers."""
    return fit(path, case.target, reading(case))


def reading(case) -> list[str]:  # type: ignore[no-untyped-def]
    return [*(["--exclude", ",".join(case.excluded)] if case.excluded else []), *([] if case.header else ["--no-header"])]


def columns_without_holes(case, model: pathlib.Path) -> dict[str, dict[str, list[float]]]:  # type: ignore[no-untyped-def]
    shown = inspected(model)
    columns = {column["name"]: column["parameters"] for column in shown["columns"]}
    return {each["name"]: {"mean": columns[case.whole_number][each["name"]]["mean"],
                           "probability": columns[case.whole_word][each["name"]]["probability"]} for each in shown["classes"]}


def fit(path: pathlib.Path, target: str, words: list[str]) -> pathlib.Path:
    model = path.with_suffix(".suf")
    subprocess.run([COMMAND, "fit", path, "--target", target, *words, "--quiet", "-o", model], check=True, stderr=subprocess.DEVNULL)
    return model


def inspected(model: pathlib.Path) -> dict:
    return json.loads(subprocess.run([COMMAND, "inspect", model, "--json"], check=True, capture_output=True).stdout)
