"""What an analyst's files and command lines hold that one does not think of."""
import json
import os
import pathlib
import subprocess

import pytest

ROWS = "1,a\n2,b\n" * 6


def write(name, text, encoding="utf-8"):
    pathlib.Path(name).write_bytes(text.encode(encoding))


@pytest.mark.parametrize("written, said", [
    ("n.v.", "since it holds n.v. among its numbers; name it with --missing if it means that there is no value"),
    ("$5.50", "since it holds $5.50; numbers are written like 1234.5"),
    ("12 %", "since it holds 12 %; numbers are written like 1234.5"),
])
def test_a_column_that_is_no_longer_numbers_is_told(suffice, written, said):
    write("d.csv", "x,y\n" + ROWS + f"{written},a\n")
    assert f"note: the column x is taken as words, {said}\n" in suffice("fit", "d.csv", "--target", "y", "-o", "m.suf").stderr


def test_decimal_commas_are_told(suffice):
    write("d.csv", "x;z;y\n" + "1,5;up;a\n2,25;down;b\n" * 5)
    told = suffice("fit", "d.csv", "--target", "y", "-o", "m.suf").stderr
    assert "the column x holds numbers written like 1,5: decimal commas" in told
    assert "column z" not in told


@pytest.mark.parametrize("word", ["red", "3+", "192.168.1.1", "555-1234", "A1", "12:30"])
def test_words_alone_are_not_told(suffice, word):
    write("d.csv", "x,y\n" + f"{word},a\nother,b\n" * 6)
    assert "taken as words" not in suffice("fit", "d.csv", "--target", "y", "-o", "m.suf").stderr


def test_a_late_word_in_a_column_of_numbers_names_both_ways_out(suffice):
    write("d.csv", "x,y\n" + "1.5,a\n2.5,b\n" * 120_000 + "n.v.,a\n")
    refused = suffice("fit", "d.csv", "--target", "y", "-o", "m.suf", code=2).stderr
    assert refused.startswith('d.csv, row 240002, column x: "n.v." is not a number')
    assert "--family x=categorical" in refused and "--missing" in refused
    suffice("fit", "d.csv", "--target", "y", "--missing", "n.v.", "-q", "-o", "m.suf")


def test_a_header_alone_before_the_others_does_not_decide_families(suffice):
    write("head.csv", "x,y\n")
    write("rows.csv", "x,y\n" + ROWS)
    told = json.loads(suffice("fit", "head.csv", "rows.csv", "--target", "y", "-o", "m.suf", "--json").stdout)
    assert told["columns"] == [{"column": "x", "name": "x", "family": "gaussian", "why": "numbers: categorical is not clearly better"}]
    model = json.loads(suffice("inspect", "m.suf", "--json").stdout)
    assert model["columns"][0]["family"] == "gaussian" and model["rows"] == 12


@pytest.mark.parametrize("mark, named", [(":", ":"), ("\t", "tab"), ("^", '"^"')])
def test_one_column_is_told_with_the_delimiter_that_it_may_have(suffice, mark, named):
    write("d.csv", f"x{mark}y\n" + f"1{mark}a\n2{mark}b\n" * 5)
    refused = suffice("fit", "d.csv", "--target", "y", "--delimiter", ";", "-o", "m.suf", code=2).stderr
    shown = mark.replace("\t", r"\t")  # names show what a terminal would not
    assert f"only one column was found, x{shown}y: is the delimiter right? Else use --delimiter {named}" in refused
    suffice("fit", "d.csv", "--target", "y", "--delimiter", named.strip('"'), "-q", "-o", "m.suf")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_wide_characters_are_told(suffice, encoding):
    write("d.csv", "x,y\n" + ROWS, encoding)
    refused = suffice("fit", "d.csv", "--target", "y", "-o", "m.suf", code=2).stderr
    assert "UTF-16" in refused and "save it as UTF-8" in refused and refused.count("\n") == 1


@pytest.mark.parametrize("words", [
    ["fit", "iris.csv", "--target", "species", "-o", "iris.csv"],
    ["fit", "iris.csv", "--target", "species", "-o", "./link.csv"],
    ["predict", "m.suf", "iris.csv", "-o", "iris.csv"],
    ["predict", "m.suf", "iris.csv", "-o", "m.suf"],
    ["update", "m.suf", "iris.csv", "-o", "iris.csv"],
    ["cluster", "iris.csv", "--k", "2", "--exclude", "species", "-o", "iris.csv"],
])
def test_what_is_read_is_not_written_over(suffice, words):
    suffice("fit", "iris.csv", "--target", "species", "-q", "-o", "m.suf")
    os.symlink("iris.csv", "link.csv")
    before = {name: pathlib.Path(name).read_bytes() for name in ("iris.csv", "m.suf")}
    refused = suffice(*words, code=2)
    assert "the output would replace what is read; name another file with -o" in refused.stderr and refused.stdout == ""
    assert before == {name: pathlib.Path(name).read_bytes() for name in before}


def test_models_may_take_the_place_of_those_they_come_from(suffice):
    for name in ("a.suf", "b.suf"):
        suffice("fit", "iris.csv", "--target", "species", "--model", "qda", "-q", "-o", name)
    suffice("merge", "a.suf", "b.suf", "-o", "b.suf")
    suffice("derive", "a.suf", "--model", "lda", "-o", "a.suf")
    suffice("update", "b.suf", "iris.csv", "-o", "b.suf")
    assert [json.loads(suffice("inspect", name, "--json").stdout)["rows"] for name in ("a.suf", "b.suf")] == [150, 450]


def test_names_that_are_not_utf8_do_not_spoil_the_model(folder, command):
    name = b"caf\xe9.csv"
    pathlib.Path("iris.csv").rename(os.fsdecode(name))
    subprocess.run([command, "fit", name, "--target", "species", "-q", "-o", "m.suf"], check=True)
    told = subprocess.run([command, "inspect", "m.suf", "--json"], check=True, capture_output=True).stdout
    assert json.loads(told.decode("utf-8"))["files"] == ["caf\ufffd.csv"]


def test_a_folder_may_hold_arrow_streams(suffice, command):
    if not list(command.parents[2].glob("libsuffice_arrow.so")):
        pytest.skip("this build has no Arrow")
    pyarrow = pytest.importorskip("pyarrow")
    ipc = pytest.importorskip("pyarrow.ipc")
    table = pyarrow.table({"x": [1.0, 2, 3, 4], "y": ["a", "b", "a", "b"]})
    os.mkdir("all")
    for name, make in (("all/one.arrows", ipc.new_stream), ("all/two.ipc", ipc.new_file)):
        with make(name, table.schema) as writer:
            writer.write_table(table)
    assert "from 8 rows of one.arrows, two.ipc" in suffice("fit", "all", "--target", "y", "-o", "m.suf").stderr


def test_no_model_is_derived_from_what_does_not_hold_it(suffice):
    """The name alone would not make a Gaussian naive Bayes a kernel density, nor give it covariances."""
    suffice("fit", "iris.csv", "--target", "species", "-q", "-o", "nb.suf")
    for model in ("lda", "qda", "rda"):
        refused = suffice("derive", "nb.suf", "--model", model, "-o", "x.suf", code=2).stderr
        assert "kept the variance of each column but no covariances" in refused and "fit again with --model" in refused
    for model in ("kernel_density", "nearest", "poisson_nb", "categorical_nb", "multinomial_nb"):
        refused = suffice("derive", "nb.suf", "--model", model, "-o", "x.suf", code=2).stderr
        assert f"has kept what naive_bayes needs, from which {model} cannot be derived" in refused
    assert not pathlib.Path("x.suf").exists()
    suffice("fit", "iris.csv", "--target", "species", "--model", "kernel_density", "-q", "-o", "kde.suf")
    suffice("derive", "kde.suf", "--model", "qda", "-o", "x.suf", code=2)
    for model in ("diagonal_discriminant", "gaussian_nb"):  # the families were chosen
        suffice("derive", "nb.suf", "--model", model, "-o", "x.suf", code=2)
    suffice("fit", "iris.csv", "--target", "species", "--model", "gaussian_nb", "-q", "-o", "gnb.suf")
    for start, model in (("gnb.suf", "diagonal_discriminant"), ("kde.suf", "kernel_nb")):
        suffice("derive", start, "--model", model, "-o", "derived.suf")
        suffice("fit", "iris.csv", "--target", "species", "--model", model, "-q", "-o", "fitted.suf")
        derived, fitted = (json.loads(suffice("inspect", name, "--json").stdout) for name in ("derived.suf", "fitted.suf"))
        assert derived["parameter_count"] == fitted["parameter_count"]
        assert derived["log_likelihood"] == pytest.approx(fitted["log_likelihood"], rel=1e-9), model


def test_the_weights_are_not_the_classes(suffice):
    refused = suffice("fit", "iris.csv", "--target", "species", "--weight", "species", "-o", "m.suf", code=2).stderr
    assert refused == "column species: the column holds the classes, so it cannot hold the weights too.\n"


def test_forgetting_every_row_leaves_the_model_as_it_was(suffice):
    suffice("fit", "iris.csv", "--target", "species", "-q", "-o", "m.suf")
    before = pathlib.Path("m.suf").read_bytes()
    assert "nothing would be left of it" in suffice("forget", "m.suf", "iris.csv", code=2).stderr
    assert pathlib.Path("m.suf").read_bytes() == before


def test_a_header_that_could_spell_a_flag_is_a_header_where_flags_are_spelled_otherwise(suffice):
    write("d.csv", "f,g,y\n" + "TRUE,yes,a\nFALSE,no,b\nTRUE,no,a\n" * 6)
    assert "  f       bernoulli" in suffice("fit", "d.csv", "--target", "y", "-o", "m.suf").stderr


def test_a_learning_curve_has_sizes_of_its_own(suffice):
    rows = json.loads(suffice("learn-curve", "iris.csv", "--target", "species", "--models", "lda", "--repeats", "2", "--json").stdout)
    assert rows
    assert '--sizes takes whole numbers such as 10,100,1000, and not "ten"' in suffice("learn-curve", "iris.csv", "--target", "species", "--sizes", "ten", code=2).stderr


def test_auto_takes_fewer_folds_where_rows_are_few(suffice):
    write("d.csv", "x,y\n" + "1.5,a\n3.5,b\n2,a\n4,b\n1,a\n3.75,b\n")
    suffice("fit", "d.csv", "--target", "y", "--model", "auto", "-q", "-o", "m.suf")
    assert pathlib.Path("m.suf").exists()


def test_rows_that_are_all_alike_are_told(suffice):
    write("d.csv", "x,z\n" + "1,5\n" * 20)
    assert "all rows are alike, too few for 2 components" in suffice("cluster", "d.csv", "--k", "2", code=2).stderr


def test_lines_above_the_header_are_told(suffice):
    pathlib.Path("lab.tsv").write_text("# machine X\nconc\tph\tresult\n" + "1.5\t7\tlow\n3.5\t8\thigh\n" * 10)
    refused = suffice("fit", "lab.tsv", "--target", "result", "-o", "m.suf", code=2).stderr
    assert "the first line is # machine X: is it a comment? Else leave such lines out with --comment" in refused
    assert "low" in suffice("fit", "lab.tsv", "--target", "result", "--comment", "#", "-o", "m.suf").stderr
    pathlib.Path("report.csv").write_text("Quarterly report,,\nregion,sales,grade\n" + "N,1.5,A\nS,3.5,B\n" * 10)
    refused = suffice("fit", "report.csv", "--target", "grade", "-o", "m.suf", code=2).stderr
    assert "there is no column grade; those that are there: Quarterly report, c2, c3." in refused


def test_classes_that_differ_by_capitals_or_blanks_are_told(suffice):
    rows = [(k % 7 / 2, ["Yes", "no", "yes ", " No", "maybe"][k % 5]) for k in range(100)]
    pathlib.Path("d.csv").write_text("x;y\n" + "".join(f"{x};{y}\n" for x, y in rows))
    said = suffice("fit", "d.csv", "--target", "y", "-o", "m.suf").stderr
    assert "the target y holds classes that differ by capital letters or blanks alone" in said and "each is a class of its own" in said
    pathlib.Path("d.csv").write_text("x;y\n" + "".join(f"{x};{y.strip().lower()}\n" for x, y in rows))
    assert "capital letters" not in suffice("fit", "d.csv", "--target", "y", "-o", "m.suf").stderr
