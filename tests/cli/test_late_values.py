"""Columns whose values come late: beyond the first look, from files and from pipes alike."""
import json
import os
import pathlib
import subprocess

import pytest

EMPTY = "1,,x\n2,,y\n3,,x\n5,,y\n" * 70000  # more than the first look of 1 MiB


def columns(suffice, model):
    return {column["name"]: column["family"] for column in json.loads(suffice("inspect", model, "--json").stdout)["columns"]}


@pytest.mark.parametrize("late, family", [("red", "categorical"), ("2.5", "gaussian"), ("1", "bernoulli"), ("many words make a text here", "tokens")])
def test_a_column_waits_for_its_first_value(suffice, late, family):
    pathlib.Path("d.csv").write_text("a,late,kind\n" + EMPTY + f"1,{late},x\n2,{late},y\n")
    suffice("fit", "d.csv", "--target", "kind", "-q", "-o", "file.suf")
    assert columns(suffice, "file.suf")["late"] == family
    suffice("fit", "-", "--target", "kind", "-q", "-o", "pipe.suf", input=pathlib.Path("d.csv").read_text())
    assert columns(suffice, "pipe.suf") == columns(suffice, "file.suf")
    # A file is read again from the start where a pipe goes on, so sums may differ in their last bits.
    pipe, file = ([line.split(",") for line in suffice("predict", f"{name}.suf", "d.csv", "--proba").stdout.splitlines()[1:]]
                  for name in ("pipe", "file"))
    assert [row[0] for row in pipe] == [row[0] for row in file]
    for row, other in zip(pipe, file):
        assert [float(p) for p in row[1:]] == pytest.approx([float(p) for p in other[1:]], rel=1e-13)


def test_a_column_without_any_value_is_left_out(suffice):
    pathlib.Path("d.csv").write_text("a,late,kind\n" + EMPTY)
    done = suffice("fit", "d.csv", "--target", "kind", "-o", "m.suf")
    assert "late was left out: no value in it" in done.stderr
    assert list(columns(suffice, "m.suf")) == ["a"]


@pytest.mark.slow
def test_text_in_a_numeric_column_at_row_4000001(suffice, command):
    """Told by its row, with nothing lost, from a file and from a pipe."""
    with open("d.csv", "w") as file:
        file.write("a,b,kind\n")
        block = "".join(f"{k},{k * 0.5},{'xy'[k % 2]}\n" for k in range(1000))
        for _ in range(4000):
            file.write(block)
        file.write("1,many,x\n" + block)
    pathlib.Path("m.suf").write_text("as it was")
    for words in (["d.csv"], ["-"]):
        with open("d.csv") as data:
            done = subprocess.run([command, "fit", *words, "--target", "kind", "-o", "m.suf"], stdin=data, capture_output=True, text=True)
        assert done.returncode == 2 and done.stdout == ""
        assert "row 4000002, column b: \"many\" is not a number" in done.stderr  # the header is row 1
        assert "--family b=categorical" in done.stderr
        assert pathlib.Path("m.suf").read_text() == "as it was"
    os.remove("d.csv")
