"""Several files that do not have the same columns: the answer does not depend on which comes first."""
import itertools
import json
import pathlib

import pytest


def cut(name, first, last, columns):
    """Some rows and columns of the irises, in an order of their own."""
    head, *rows = (line.split(",") for line in pathlib.Path("iris.csv").read_text().splitlines())
    places = [head.index(column) for column in columns]
    pathlib.Path(name).write_text("\n".join(",".join(row[k] for k in places) for row in [head, *rows[first:last]]) + "\n")


@pytest.fixture
def pieces(folder):
    cut("a.csv", 0, 60, ["sepal_length", "sepal_width", "species"])
    cut("b.csv", 60, 100, ["species", "petal_width", "petal_length", "sepal_width"])
    cut("c.csv", 100, 150, ["petal_length", "species", "petal_width"])
    return ["a.csv", "b.csv", "c.csv"]


def filled_up():
    """What the three pieces mean, in one file."""
    names = ["sepal_length", "sepal_width", "petal_length", "petal_width", "species"]
    lines = [",".join(names)]
    for piece in ("a.csv", "b.csv", "c.csv"):
        head, *rows = (line.split(",") for line in pathlib.Path(piece).read_text().splitlines())
        lines += [",".join(dict(zip(head, row)).get(name, "") for name in names) for row in rows]
    pathlib.Path("filled.csv").write_text("\n".join(lines) + "\n")


def posteriors(suffice, model):
    lines = suffice("predict", model, "iris.csv", "--proba").stdout.splitlines()[1:]
    return [float(p) for line in lines for p in line.split(",")[1:]]


def as_parquet(pieces):
    csv, parquet = pytest.importorskip("pyarrow.csv"), pytest.importorskip("pyarrow.parquet")
    for name in pieces:
        parquet.write_table(csv.read_csv(name), name.replace(".csv", ".parquet"))
    return [name.replace(".csv", ".parquet") for name in pieces]


@pytest.mark.parametrize("model", ["naive_bayes", "lda"])
@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_columns_that_a_file_lacks_are_missing_there_in_any_order(suffice, command, pieces, form, model):
    if form == "parquet" and not list(command.parents[2].glob("libsuffice_arrow.so")):
        pytest.skip("this build has no Arrow")
    filled_up()
    suffice("fit", "filled.csv", "--target", "species", "--model", model, "-q", "-o", "whole.suf")
    expected = posteriors(suffice, "whole.suf")
    for order in itertools.permutations(as_parquet(pieces) if form == "parquet" else pieces):
        suffice("fit", *order, "--target", "species", "--model", model, "--allow-missing-columns", "-q", "-o", "m.suf")
        assert posteriors(suffice, "m.suf") == pytest.approx(expected, rel=1e-6, abs=1e-9), order


def test_a_file_without_the_target_is_skipped_wherever_it_stands(suffice, pieces):
    cut("unlabeled.csv", 0, 20, ["sepal_length", "sepal_width"])
    for order in (["a.csv", "b.csv", "unlabeled.csv"], ["unlabeled.csv", "a.csv", "b.csv"]):
        done = suffice("fit", *order, "--target", "species", "--allow-missing-columns", "-o", "m.suf")
        assert "20 rows" in done.stderr
        assert json.loads(suffice("inspect", "m.suf", "--json").stdout)["rows"] == 100


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_files_that_differ_are_refused_by_name_in_any_order(suffice, command, pieces, form):
    if form == "parquet" and not list(command.parents[2].glob("libsuffice_arrow.so")):
        pytest.skip("this build has no Arrow")
    files = as_parquet(pieces) if form == "parquet" else pieces
    for order in itertools.permutations(files):
        sentence = suffice("fit", *order, "--target", "species", "-o", "m.suf", code=2).stderr
        assert sentence.startswith(order[1]) and order[0] in sentence and "--allow-missing-columns" in sentence


def test_a_pipe_with_a_new_column_is_to_be_named_first(suffice, pieces):
    words = ["--target", "species", "--allow-missing-columns", "-q", "-o", "m.suf"]
    sentence = suffice("fit", "a.csv", "-", *words, input=pathlib.Path("b.csv").read_text(), code=2).stderr
    assert sentence.startswith("stdin: ") and "name the pipe first" in sentence
    suffice("fit", "-", "a.csv", *words, input=pathlib.Path("b.csv").read_text())
    assert json.loads(suffice("inspect", "m.suf", "--json").stdout)["rows"] == 100


def test_files_to_predict_may_differ_in_columns_that_do_not_matter(suffice, folder):
    suffice("fit", "iris.csv", "--target", "species", "--exclude", "sepal_width", "-q", "-o", "m.suf")
    cut("one.csv", 0, 3, ["petal_width", "sepal_length", "petal_length"])
    cut("two.csv", 60, 62, ["petal_length", "species", "petal_width", "sepal_length", "sepal_width"])
    cut("few.csv", 0, 2, ["petal_length", "sepal_length"])
    for order in (["one.csv", "two.csv"], ["two.csv", "one.csv"]):
        done = suffice("predict", "m.suf", *order)
        assert done.stdout.split().count("setosa") == 3 and len(done.stdout.split()) == 6
        assert "ignored: sepal_width\n" in done.stderr
    for order in (["one.csv", "few.csv"], ["few.csv", "one.csv"]):
        done = suffice("predict", "m.suf", *order, code=2)
        assert done.stdout == "" and done.stderr.startswith("few.csv: there is no column petal_width")
        assert len(suffice("predict", "m.suf", *order, "--allow-missing-columns").stdout.split()) == 6
    sentence = suffice("evaluate", "m.suf", "two.csv", "one.csv", code=2).stderr
    assert sentence.startswith("one.csv: there is no column species")
