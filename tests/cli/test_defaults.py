"""What fit decides by itself: families by evidence, identifiers, dates; and what a model remembers."""
import json
import pathlib
import random
import runpy

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared" / "data"

# The least ten-fold accuracy of the default fit, where the plain Gaussian had wdbc .626, breastw .860, dermatology .877, zoo .782.
LEAST = {"wdbc": .93, "breastw": .96, "dermatology": .97, "zoo": .94, "hepatitis": .82, "soybean": .89, "crx": .82, "diabetes": .87}


def told(suffice, *words):
    return {column["column"]: column for column in
            json.loads(suffice("fit", *words, "--json", "-o", "m.suf").stdout)["columns"]}


def write(path, names, rows):
    pathlib.Path(path).write_text("\n".join(",".join(map(str, row)) for row in [names, *rows]) + "\n")


def table(count=200):
    """Columns of many kinds, drawn by class."""
    draw = random.Random(7)
    for k in range(count):
        kind = k % 2
        yield {"id": 10_000 + 7 * k, "name": f"person{k:05}x", "code": draw.choice([1, 2, 9] if kind else [2, 3, 9]),
               "flag": int(draw.random() < .2 + .5 * kind), "income": round(draw.lognormvariate(8 + kind, 1), 2),
               "claim": 0 if draw.random() < .6 else round(draw.lognormvariate(4, .8), 2), "height": round(draw.gauss(170 + 8 * kind, 6), 3),
               "when": f"20{draw.randrange(18, 24)}-{draw.randrange(1, 13):02}-{draw.randrange(1, 28):02}", "kind": "ab"[kind]}


def test_each_column_gets_the_family_that_fits_and_identifiers_are_left_out(suffice):
    rows = list(table())
    write("d.csv", rows[0], [row.values() for row in rows])
    got = told(suffice, "d.csv", "--target", "kind")
    assert {name: got[name]["family"] for name in ("id", "name", "code", "flag", "income", "claim", "height")} == {
        "id": None, "name": None, "code": "categorical", "flag": "bernoulli", "income": "log_normal", "claim": "zero_inflated",
        "height": "gaussian"}
    assert "identifier" in got["id"]["why"] and "log evidence" in got["income"]["why"]
    assert {"when.year", "when.month", "when.weekday", "when.days"} <= set(got)
    said = suffice("fit", "d.csv", "--target", "kind", "-o", "m.suf").stderr
    assert "the column when holds dates" in said and "the columns id, name were left out" in said and "zero_inflated" in said
    assert len(suffice("predict", "m.suf", "d.csv").stdout.splitlines()) == 201


def test_columns_alike_share_a_note(suffice):
    rows = list(table())
    for row in rows:
        row["paid"], row["share"], row["part"] = row["when"], f"{row['height']:.1f}%", f"{row['income']:.1f}%"
    write("d.csv", rows[0], [row.values() for row in rows])
    said = suffice("fit", "d.csv", "--target", "kind", "-o", "m.suf").stderr
    assert "the columns id, name were left out, each because nearly every value is different" in said
    assert "the columns when, paid hold dates" in said and "the columns share, part hold numbers written like" in said
    write("still.csv", ["x", "z", "kind"], [(k % 4, k % 7 / 2, "abcd"[k % 4]) for k in range(100)])
    told = [line for line in suffice("fit", "still.csv", "--target", "kind", "--model", "gaussian_nb", "--estimate", "likelihood",
                                     "-o", "m.suf").stderr.splitlines() if "note" in line]
    assert told == ["note: columns are constant in 4 classes, such as x in class a; a floor was added to the variances"]
    told = [line for line in suffice("fit", "still.csv", "--target", "kind", "--model", "qda", "-o", "m.suf").stderr.splitlines() if "note" in line]
    assert told == ["note: 4 covariances are singular, such as that of class a (rank 1 of 2): x is constant; a floor was added to the variances"]


def test_yes_and_no_in_several_spellings_are_one_flag(suffice):
    draw = random.Random(3)
    rows = [(draw.choice(["yes", "Y", "TRUE", "1"] if draw.random() < (.8 if k % 2 else .2) else ["no", "N", "False", "0"]), draw.choice("yn"),
             draw.choice("tfyn"), "ab"[k % 2]) for k in range(200)]
    write("d.csv", ["mixed", "two", "codes", "kind"], rows)
    got = told(suffice, "d.csv", "--target", "kind")
    assert [got[name]["family"] for name in ("mixed", "two", "codes")] == ["bernoulli", "categorical", "categorical"]
    assert "the column mixed holds yes and no in several spellings" in suffice("fit", "d.csv", "--target", "kind", "-o", "m.suf").stderr
    write("plain.csv", ["flag", "two", "codes", "kind"], [(int(row[0].lower() in ("yes", "y", "true", "1")), *row[1:]) for row in rows])
    suffice("fit", "plain.csv", "--target", "kind", "-q", "-o", "plain.suf")
    said = suffice("predict", "m.suf", "d.csv", "--proba").stdout
    assert said == suffice("predict", "plain.suf", "plain.csv", "--proba").stdout
    write("one.csv", ["mixed", "two", "codes"], [("Yes", *rows[0][1:3])])  # a file with one spelling alone
    write("one_plain.csv", ["flag", "two", "codes"], [(1, *rows[0][1:3])])
    assert suffice("predict", "m.suf", "one.csv", "--proba").stdout == suffice("predict", "plain.suf", "one_plain.csv", "--proba").stdout


def test_dates_are_read_as_they_were_when_the_model_was_fitted(suffice):
    """03/04 tells nothing of its order by itself: files for predicting follow the model's."""
    draw = random.Random(5)
    days = [(draw.randrange(1, 29), draw.randrange(1, 7) + 6 * (k % 2)) for k in range(200)]
    spelled = {"slash": "{d:02}/{m:02}/2023", "dash": "{m:02}-{d:02}-2023", "iso": "2023-{m:02}-{d:02}", "word": "{d} {name} 2023",
               "english": '"{name} {d}, 2023 10:15"'}
    names = "Jan February Mar April May June Jul August Sept October Nov December".split()
    write("new.csv", spelled, [[form.format(d=9, m=3, name="Mar") for form in spelled.values()]])
    for name, form in spelled.items():
        write("d.csv", [name, "kind"], [(form.format(d=d, m=m, name=names[m - 1]), "ab"[k % 2]) for k, (d, m) in enumerate(days)])
        assert f"{name}.month" in told(suffice, "d.csv", "--target", "kind"), name
        explained = json.loads(suffice("explain", "m.suf", "new.csv", "--json").stdout)[0]["contributions"]
        assert explained["a"][f"{name}.month"] - explained["b"][f"{name}.month"] > 1, name  # b has September, and never March


def test_what_the_user_says_wins(suffice):
    rows = list(table())
    write("d.csv", rows[0], [row.values() for row in rows])
    got = told(suffice, "d.csv", "--target", "kind", "--exclude", "when", "--family", "*=categorical,id=gaussian,income:height=gaussian")
    assert got["id"]["family"] == "gaussian" and got["code"]["family"] == "categorical" and got["income"]["family"] == "gaussian"
    assert got["height"]["family"] == "gaussian" and got["flag"]["family"] == "categorical"
    assert "no column z*" in suffice("fit", "d.csv", "--target", "kind", "--family", "z*=gaussian", "-o", "m.suf", code=2).stderr


def test_pieces_fitted_by_default_merge_to_the_whole(suffice):
    rows = list(table(300))
    for name, some in (("all", rows), ("one", rows[:170]), ("two", rows[170:])):
        write(f"{name}.csv", some[0], [row.values() for row in some])
        suffice("fit", f"{name}.csv", "--target", "kind", "-q", "-o", f"{name}.suf")
    suffice("merge", "one.suf", "two.suf", "-o", "both.suf")
    both, whole = ([line.split(",") for line in suffice("predict", f"{name}.suf", "all.csv", "--proba").stdout.splitlines()[1:]]
                   for name in ("both", "all"))
    for left, right in zip(both, whole):
        assert left[0] == right[0] and [float(p) for p in left[1:]] == pytest.approx([float(p) for p in right[1:]], rel=1e-9)


def test_a_value_that_the_chosen_family_cannot_have_tells_nothing(suffice):
    rows = [{"x": row["income"], "kind": row["kind"]} for row in table()]
    write("d.csv", rows[0], [row.values() for row in rows])
    assert told(suffice, "d.csv", "--target", "kind")["x"]["family"] == "log_normal"
    pathlib.Path("new.csv").write_text("x\n-5\n0\n1000\n")
    lines = suffice("predict", "m.suf", "new.csv", "--proba").stdout.splitlines()
    assert lines[1].split(",")[1:] == lines[2].split(",")[1:] and [float(p) for p in lines[1].split(",")[1:]] == pytest.approx([.5, .5])


def test_a_model_remembers_how_its_data_were_read(suffice):
    pathlib.Path("d.csv").write_text("a;b;kind\n" + "1;-9;x\n2;3;y\n-9;4;y\n5;5;x\n" * 10)
    suffice("fit", "d.csv", "--target", "kind", "--delimiter", ";", "--missing=-9", "-q", "-o", "m.suf")
    plain = suffice("predict", "m.suf", "d.csv", "--proba").stdout
    assert plain == suffice("predict", "m.suf", "d.csv", "--proba", "--delimiter", ";", "--missing=-9").stdout
    assert plain != suffice("predict", "m.suf", "d.csv", "--proba", "--missing=5").stdout


def test_evaluating_on_the_training_rows_says_so(suffice):
    for model in ("naive_bayes", "lda", "logistic_regression"):
        suffice("fit", "iris.csv", "--target", "species", "--model", model, "-q", "-o", "m.suf")
        assert "trained on these very rows" in suffice("evaluate", "m.suf", "iris.csv").stderr
    lines = pathlib.Path("iris.csv").read_text().splitlines()
    pathlib.Path("half.csv").write_text("\n".join([lines[0], *lines[1::2]]) + "\n")
    assert "very rows" not in suffice("evaluate", "m.suf", "half.csv").stderr


def test_a_report_on_the_training_rows_says_so(suffice):
    lines = pathlib.Path("iris.csv").read_text().splitlines()
    pathlib.Path("half.csv").write_text("\n".join([lines[0], *lines[1::2]]) + "\n")
    for model in ("naive_bayes", "lda", "logistic_regression"):
        suffice("fit", "iris.csv", "--target", "species", "--model", model, "-q", "-o", "m.suf")
        for data, same in (("iris.csv", True), ("half.csv", False)):
            said = suffice("report", "m.suf", data, "-o", "r.html").stderr
            assert ("trained on these very rows" in said) == same
            assert ("trained on these very rows; of others expect less" in pathlib.Path("r.html").read_text()) == same
            assert json.loads(suffice("report", "m.suf", data, "--format", "json").stdout)["training_rows"] == same


def test_calibrating_on_the_training_rows_says_so_whatever_the_file_is_called(suffice):
    lines = pathlib.Path("iris.csv").read_text().splitlines()
    pathlib.Path("copy.csv").write_text("\n".join(lines) + "\n")
    pathlib.Path("half.csv").write_text("\n".join([lines[0], *lines[1::2]]) + "\n")
    for model in ("naive_bayes", "lda", "logistic_regression"):
        suffice("fit", "iris.csv", "--target", "species", "--model", model, "-q", "-o", "m.suf")
        for data, same in (("copy.csv", True), ("half.csv", False)):
            said = suffice("calibrate", "m.suf", data, "-o", "c.suf").stderr
            assert ("trained on these very rows; calibrate it on rows that it has not seen" in said) == same


def test_a_zero_of_maximum_likelihood_is_printed_as_zero(suffice):
    write("z.csv", ["w", "n", "kind"], [("uv"[k % 2], 0 if k % 2 else k % 5, "ab"[k % 2]) for k in range(40)])
    suffice("fit", "z.csv", "--target", "kind", "--estimate", "likelihood", "--family", "n=poisson", "-q", "-o", "z.suf")
    rows = [line.split() for line in suffice("inspect", "z.suf").stdout.splitlines()]
    assert ["w", "categorical", "probability", "of", "u", "1", "0"] in rows and ["n", "poisson", "rate", "2", "0"] in rows


def test_messages_name_the_cure(suffice):
    assert "no model but text" in suffice("predict", "iris.csv", "iris.csv", code=2).stderr
    assert "not from the network" in suffice("fit", "http://example.org/d.csv", "--target", "x", "-o", "m.suf", code=2).stderr
    pathlib.Path("d.xlsx").write_bytes(b"PK\x03\x04" + bytes(100))
    assert "it may be cut off" in suffice("fit", "d.xlsx", "--target", "x", "-o", "m.suf", code=2).stderr
    write("n.csv", ["x", "price"], [(k % 7, 3 * k % 101) for k in range(200)])
    assert "is it a class, or a quantity?" in suffice("fit", "n.csv", "--target", "price", "-o", "m.suf").stderr
    assert "is it a class, or a quantity?" in suffice("fit", "iris.csv", "--target", "sepal_length", "-o", "m.suf").stderr


def test_compare_takes_the_model_of_one_family_that_fit_takes(suffice):
    assert json.loads(suffice("compare", "penguins.csv", "--target", "species", "--models", "categorical_nb", "--json").stdout)[0]["accuracy"] > .5


def test_auto_finds_what_no_column_says_alone(suffice):
    rows = runpy.run_path(str(ROOT / "bench" / "defaults" / "table.py"))["ends_of_games"]()
    assert (len(rows), sum(row[-1] == "positive" for row in rows)) == (958, 626)  # as published (Aha 1991)
    write("d.csv", [*(f"c{k}" for k in range(9)), "win"], rows)
    best = json.loads(suffice("compare", "d.csv", "--target", "win", "--json").stdout)[0]
    assert best["model"] == "logistic_regression" and best["log_loss"] < .055 and best["accuracy"] > .98
    assert "logistic_regression was right in 98.3 %, this model in" in suffice("fit", "d.csv", "--target", "win", "-o", "m.suf").stderr


@pytest.mark.skipif(not (SHARED / "ugly").exists(), reason="../shared/data/ugly is not there")
@pytest.mark.parametrize("name", LEAST)
def test_the_default_is_good_on_strange_tables(name):
    bench = runpy.run_path(str(ROOT / "bench" / "defaults" / "table.py"))
    names, rows, labels = bench["rows_of"](name)
    assert bench["ours"](names, rows, labels, bench["folds_of"](labels), [])[0] >= LEAST[name]
