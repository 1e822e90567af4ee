"""Rows as JSON: the same names and values as in the CSV, for every verb that writes rows."""
import csv
import io
import json
import pathlib

import pytest

IRIS = ["iris.csv", "--exclude", "species"]


@pytest.mark.parametrize("words", [
    ["predict", "m.suf", "iris.csv", "--proba", "--evidence", "--top", "2", "--keep", "species,petal_width"],
    ["cluster", *IRIS, "--k", "3", "--proba", "--quiet"],
    ["density", *IRIS],
])
def test_records_hold_what_the_lines_hold(suffice, words):
    suffice("fit", "iris.csv", "--target", "species", "--model", "qda", "-o", "m.suf")
    lines = list(csv.DictReader(io.StringIO(suffice(*words).stdout)))
    records = json.loads(suffice(*words, "--json").stdout)
    records = records["rows"] if words[0] == "cluster" else records  # beside what was found out about the groups
    assert len(records) == len(lines) == 150
    for record, line in zip(records, lines):
        assert list(record) == list(line)
        for name, value in record.items():
            measured = name.startswith("p") and name[1] in "(_" or name in ("log_evidence", "log_density", "cluster")
            measured = measured and name != "petal_width"
            assert isinstance(value, (int, float) if measured else str), name
            assert (float(line[name]) if measured else line[name]) == value


def test_names_with_quotes_and_rejected_rows(suffice):
    pathlib.Path("d.csv").write_text('x,y\n' + '1,"a ""b"", c"\n2,"a ""b"", c"\n8,7\n9,7\n' * 5)
    suffice("fit", "d.csv", "--target", "y", "-o", "m.suf")
    records = json.loads(suffice("predict", "m.suf", "d.csv", "--json").stdout)
    assert [each["prediction"] for each in records[:3]] == ['a "b", c', 'a "b", c', "7"]
    pathlib.Path("between.csv").write_text("x\n\n5\n")
    unsure = json.loads(suffice("predict", "m.suf", "between.csv", "--reject", "0.999999", "--json").stdout)
    assert None in [each["prediction"] for each in unsure]


def test_no_rows_are_an_empty_list(suffice):
    suffice("fit", "iris.csv", "--target", "species", "-o", "m.suf")
    pathlib.Path("head.csv").write_text("sepal_length,sepal_width,petal_length,petal_width\n")
    assert json.loads(suffice("predict", "m.suf", "head.csv", "--json").stdout) == []
