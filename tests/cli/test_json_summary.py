"""What verbs that make a model tell programs is what `inspect --json` says of the model they wrote."""
import csv
import io
import json
import pathlib

import pytest


@pytest.fixture
def halves(suffice):
    lines = pathlib.Path("penguins.csv").read_text().splitlines(keepends=True)
    pathlib.Path("one.csv").write_text("".join(lines[:200]))
    pathlib.Path("two.csv").write_text("".join([lines[0], *lines[200:]]))
    for half in ("one", "two"):
        suffice("fit", f"{half}.csv", "--target", "species", "-q", "-o", f"{half}.suf")


@pytest.mark.parametrize("words", [
    ["fit", "penguins.csv", "--target", "species", "--exclude", "year", "--accuracy", "-o", "new.suf"],
    ["fit", "penguins.csv", "--target", "species", "--model", "auto", "-o", "new.suf"],
    ["fit", "iris.csv", "--target", "species", "--model", "logistic_regression", "-o", "new.suf"],
    ["merge", "one.suf", "two.suf", "-o", "new.suf"],
    ["update", "one.suf", "two.csv", "-o", "new.suf"],
    ["forget", "one.suf", "one.csv", "-o", "new.suf"],
    ["derive", "one.suf", "--estimate", "predictive", "-o", "new.suf"],
], ids=lambda words: words[0])
def test_the_summary_is_what_inspect_says(halves, suffice, words):
    if words[0] == "forget":  # something is left
        suffice("update", "one.suf", "two.csv")
    done = suffice(*words, "--json")
    told, model = json.loads(done.stdout), json.loads(suffice("inspect", "new.suf", "--json").stdout)
    for key in ("model", "target", "rows", "files", "parameter_count", "log_likelihood", "bic", "aic", "classes"):
        assert told[key] == model[key], key
    if "logistic_regression" not in words:  # which has coefficients instead
        assert [(column["name"], column["family"]) for column in told["columns"] if column["family"]] == [(column["name"], column["family"]) for column in model["columns"]]
    assert done.stderr == "" and isinstance(told["notes"], list) and told["seconds"] > 0
    assert ("rows_before" in told) == (words[0] in ("update", "forget"))
    assert ("rows_per_second" in told) == (words[0] in ("fit", "update", "forget"))
    assert all("why" in column for column in told["columns"]) == (words[0] == "fit")
    if "--accuracy" in words:
        scored = json.loads(suffice("evaluate", "new.suf", "penguins.csv", "--json").stdout)
        assert told["training_accuracy"] == scored["accuracy"]
        assert {"column": "year", "name": "year", "family": None, "why": "excluded"} in told["columns"]
    if "auto" in words:
        assert told["compared"][0]["model"] == told["model"]


def test_update_in_place_tells_the_rows_before_and_after(halves, suffice):
    told = json.loads(suffice("update", "one.suf", "two.csv", "--json").stdout)
    assert (told["rows_before"], told["rows"]) == (199, 344)
    back = json.loads(suffice("forget", "one.suf", "two.csv", "--json").stdout)
    assert (back["rows_before"], back["rows"]) == (344, 199)


def test_warnings_are_notes(suffice):
    pathlib.Path("gaps.csv").write_text("x,constant,y\n" + "1,7,a\n2,7,b\n3,7,\n" * 9)
    told = suffice("fit", "gaps.csv", "--target", "y", "-o", "m.suf", "--json")
    notes = [line.removeprefix("note: ") for line in suffice("fit", "gaps.csv", "--target", "y", "-o", "m.suf").stderr.splitlines() if line.startswith("note: ")]
    assert notes and json.loads(told.stdout)["notes"] == notes


@pytest.mark.parametrize("verb", [["fit", "iris.csv", "--target", "species"], ["merge", "m.suf", "m.suf"], ["derive", "m.suf"], ["update", "m.suf", "iris.csv", "-o", "-"]])
def test_a_model_and_json_do_not_both_go_to_standard_output(suffice, verb):
    suffice("fit", "iris.csv", "--target", "species", "-q", "-o", "m.suf")
    refused = suffice(*verb, "--json", code=2)
    assert refused.stdout == "" and "-o" in refused.stderr


def test_sampled_records_hold_what_the_lines_hold(suffice):
    suffice("fit", "penguins.csv", "--target", "species", "-q", "-o", "m.suf")
    lines = list(csv.DictReader(io.StringIO(suffice("sample", "m.suf", "-n", 20).stdout)))
    records = json.loads(suffice("sample", "m.suf", "-n", 20, "--json").stdout)
    assert len(records) == len(lines) == 20
    for record, line in zip(records, lines):
        assert {name: str(value) if isinstance(value, str) else float(value) for name, value in record.items()} == {
            name: value if name in ("island", "sex", "species") else float(value) for name, value in line.items()}
