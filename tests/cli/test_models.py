"""The promises of model files: pieces make the whole, rows go in and out, bytes stay the same."""
import csv
import json
import math
import pathlib
import shutil

import pytest


def lines(path):
    return pathlib.Path(path).read_text().splitlines(keepends=True)


def numbers(node):
    """All numbers of a JSON value, in order, with where they are."""
    if isinstance(node, dict):
        return [pair for key in node for pair in ((f"{key}.{where}", number) for where, number in numbers(node[key]))]
    if isinstance(node, list):
        return [pair for at, each in enumerate(node) for pair in ((f"{at}.{where}", number) for where, number in numbers(each))]
    return [("", node)]


def assert_alike(left, right):
    left, right = numbers(left), numbers(right)
    assert [where for where, _ in left] == [where for where, _ in right]
    for (where, a), (_, b) in zip(left, right):
        if isinstance(a, float) or isinstance(b, float):
            assert math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12), f"{where}: {a} and {b}"
        elif not where.startswith("files"):
            assert a == b, where


@pytest.mark.parametrize("model", ["naive_bayes", "gaussian_nb", "lda", "qda", "rda", "dlda", "spherical_discriminant"])
def test_ten_pieces_merged_are_the_whole(suffice, model):
    head, *rows = lines("iris.csv")
    for piece in range(10):
        pathlib.Path(f"piece{piece}.csv").write_text(head + "".join(rows[piece::10]))
        suffice("fit", f"piece{piece}.csv", "--target", "species", "--model", model, "-o", f"{piece}.suf")
    suffice("merge", *[f"{piece}.suf" for piece in range(10)], "-o", "merged.suf")
    suffice("fit", "iris.csv", "--target", "species", "--model", model, "-o", "whole.suf")
    assert_alike(json.loads(suffice("inspect", "merged.suf", "--json").stdout),
                 {**json.loads(suffice("inspect", "whole.suf", "--json").stdout), "files": [f"piece{k}.csv" for k in range(10)]})
    assert suffice("predict", "merged.suf", "iris.csv").stdout == suffice("predict", "whole.suf", "iris.csv").stdout


def test_pieces_with_other_levels_and_missing_values_merge(suffice):
    head, *rows = lines("penguins.csv")
    for name, part in {"a": rows[:100], "b": rows[100:180], "c": rows[180:]}.items():  # islands and species differ
        pathlib.Path(f"{name}.csv").write_text(head + "".join(part))
    for order in (["a", "b", "c"], ["c", "a", "b"]):
        suffice("fit", "a.csv", "b.csv", "--target", "species", "-o", "ab.suf")
        suffice("fit", "c.csv", "b.csv", "a.csv", "--target", "species", "-o", "all.suf")
        shutil.copy("ab.suf", "model.suf")
        suffice("update", "model.suf", "c.csv")
        assert_alike({**json.loads(suffice("inspect", "model.suf", "--json").stdout), "files": []},
                     {**json.loads(suffice("inspect", "all.suf", "--json").stdout), "files": []})


def test_forgetting_undoes_updating(suffice):
    head, *rows = lines("penguins.csv")
    pathlib.Path("first.csv").write_text(head + "".join(rows[::2]))
    pathlib.Path("second.csv").write_text(head + "".join(rows[1::2]))
    suffice("fit", "first.csv", "--target", "species", "-o", "first.suf")
    suffice("update", "first.suf", "second.csv", "-o", "both.suf")
    suffice("forget", "both.suf", "second.csv")
    left = json.loads(suffice("inspect", "both.suf", "--json").stdout)
    right = json.loads(suffice("inspect", "first.suf", "--json").stdout)
    assert_alike({**left, "files": []}, {**right, "files": []})


def test_same_input_gives_the_same_bytes_for_any_threads(suffice):
    for threads in (1, 2, 3):
        suffice("fit", "penguins.csv", "--target", "species", "--threads", threads, "-o", f"{threads}.suf")
    assert len({pathlib.Path(f"{threads}.suf").read_bytes() for threads in (1, 2, 3)}) == 1


@pytest.mark.parametrize("model", ["naive_bayes", "qda"])
def test_reading_and_writing_keeps_every_byte(suffice, model):
    suffice("fit", "penguins.csv", "--target", "species", "--model", model, "-o", "a.suf")
    suffice("derive", "a.suf", "--model", model, "-o", "b.suf")
    assert pathlib.Path("a.suf").read_bytes() == pathlib.Path("b.suf").read_bytes()


def test_derived_equals_fitted(suffice):
    suffice("fit", "iris.csv", "--target", "species", "--model", "lda", "-o", "lda.suf")
    suffice("derive", "lda.suf", "--model", "qda", "-o", "derived.suf")
    suffice("fit", "iris.csv", "--target", "species", "--model", "qda", "-o", "fitted.suf")
    assert pathlib.Path("derived.suf").read_bytes() == pathlib.Path("fitted.suf").read_bytes()


def test_models_travel_through_pipes(suffice):
    data = pathlib.Path("iris.csv").read_bytes()
    model = suffice("fit", "-", "--target", "species", input=data).stdout
    pathlib.Path("piped.suf").write_bytes(model)
    assert suffice("predict", "piped.suf", "-", input=data).stdout == suffice("predict", "-", "iris.csv", input=model).stdout


def test_gaussian_posteriors_are_those_of_scikit_learn(suffice):
    naive_bayes = pytest.importorskip("sklearn.naive_bayes")
    rows = list(csv.DictReader(open("iris.csv")))
    columns = [name for name in rows[0] if name != "species"]
    x, y = [[float(row[name]) for name in columns] for row in rows], [row["species"] for row in rows]
    suffice("fit", "iris.csv", "--target", "species", "--model", "gaussian_nb", "--estimate", "likelihood",
            "--added-variance-share", "1e-9", "-o", "m.suf")
    ours = list(csv.DictReader(suffice("predict", "m.suf", "iris.csv", "--proba").stdout.splitlines()))
    theirs = naive_bayes.GaussianNB().fit(x, y)
    for row, expected in zip(ours, theirs.predict_proba(x)):
        for name, p in zip(theirs.classes_, expected):
            assert math.isclose(float(row[f"p({name})"]), p, rel_tol=1e-7, abs_tol=1e-12)


def test_explanations_add_up_to_the_log_joint(suffice):
    suffice("fit", "penguins.csv", "--target", "species", "-o", "m.suf")
    explained = json.loads(suffice("explain", "m.suf", "penguins.csv", "--json").stdout)
    predicted = list(csv.DictReader(suffice("predict", "m.suf", "penguins.csv", "--proba", "--evidence").stdout.splitlines()))
    assert len(explained) == len(predicted) == 344
    for why, row in zip(explained, predicted):
        assert why["prediction"] == row["prediction"]
        joint = {name: why["intercepts"][name] + sum(why["contributions"][name].values()) for name in why["intercepts"]}
        for name, value in joint.items():
            assert math.isclose(math.exp(value - float(row["log_evidence"])), float(row[f"p({name})"]), rel_tol=1e-6, abs_tol=1e-12)


@pytest.mark.parametrize("model", ["naive_bayes", "lda", "qda"])
def test_the_boundary_of_mixed_columns_sums_to_the_log_odds(suffice, model):
    head, *rows = lines("penguins.csv")
    pathlib.Path("whole.csv").write_text(head + "".join(row for row in rows if "NA" not in row))
    families = ["--family", "*_mm=gaussian,*_g=gaussian,year=gaussian"] if model == "naive_bayes" else []  # which have a boundary in powers
    suffice("fit", "whole.csv", "--target", "species", "--model", model, *families, "-q", "-o", "m.suf")
    boundary = json.loads(suffice("inspect", "m.suf", "--class", "Adelie", "--versus", "Gentoo", "--json").stdout)["boundary"]
    explained = json.loads(suffice("explain", "m.suf", "whole.csv", "--json").stdout)
    for row, why in zip(csv.DictReader(open("whole.csv")), explained):
        odds = boundary["constant"]
        for name, weight in boundary["terms"].items():
            if " = " in name:
                column, level = name.split(" = ")
                odds += weight * (row[column] == level)
            else:
                odds += weight * math.prod(float(row[column]) for column in name.split(" * "))
        joint = {name: why["intercepts"][name] + sum(why["contributions"][name].values()) for name in ("Adelie", "Gentoo")}
        assert math.isclose(odds, joint["Adelie"] - joint["Gentoo"], rel_tol=1e-6, abs_tol=1e-6)


def test_samples_are_read_back_by_fit(suffice):
    suffice("fit", "penguins.csv", "--target", "species", "-o", "m.suf")
    suffice("sample", "m.suf", "-n", 20000, "--seed", 5, "-o", "drawn.csv")
    suffice("fit", "drawn.csv", "--target", "species", "-o", "again.suf")
    first, second = (json.loads(suffice("inspect", name, "--json").stdout) for name in ("m.suf", "again.suf"))
    assert [c["name"] for c in first["columns"]] == [c["name"] for c in second["columns"]]
    for a, b in zip(first["columns"], second["columns"]):
        for name, parameters in a["parameters"].items():
            if "mean" in parameters:
                error = math.sqrt(parameters["variance"] / 3000)
                assert abs(parameters["mean"] - b["parameters"][name]["mean"]) < 6 * error
            else:
                for p, q in zip(parameters["probability"], b["parameters"][name]["probability"]):
                    assert abs(p - q) < 0.05


def test_safetensors_opens_the_file(suffice):
    safetensors = pytest.importorskip("safetensors")
    suffice("fit", "penguins.csv", "--target", "species", "--model", "qda", "-o", "m.suf")
    with safetensors.safe_open("m.suf", framework="numpy") as file:
        assert file.metadata()["format"].startswith("suffice ")
        assert any(file.get_tensor(name).size > 0 for name in file.keys())


@pytest.mark.parametrize("name, target, options", [
    ("titanic/titanic_openML.csv", "survived", ["--exclude", "boat,body"]),
    ("titanic/titanic_train.csv", "Survived", ["--exclude", "PassengerId"]),
    ("adult/adult.data", "15", ["--no-header"]),
    ("mushroom/agaricus-lepiota.data", "1", ["--no-header"]),
    ("votes/house-votes-84.data", "1", ["--no-header", "--missing", ""]),
    ("kddcup99/kddcup.data_10_percent.gz", "42", ["--no-header"]),
    ("wine/wine.csv", "1", ["--no-header", "--model", "lda"]),
    ("optdigits/optdigits.train.data", "65", ["--no-header", "--model", "qda"]),
])
def test_known_files_run(suffice, shared, name, target, options):
    path = shared(name)
    reading = [word for word in options if word in ("--no-header", "--missing", "")]
    suffice("fit", path, "--target", target, *options, "-o", "m.suf")
    scores = json.loads(suffice("evaluate", "m.suf", path, *reading, "--json").stdout)
    assert scores["accuracy"] > scores["majority"]["accuracy"]
    suffice("predict", "m.suf", path, *reading, "-o", "predicted.csv")
    assert len(lines("predicted.csv")) == scores["rows"] + 1


def test_classes_and_levels_unseen_in_training_are_scored(suffice, shared):
    suffice("fit", shared("kddcup99/kddcup.data_10_percent.gz"), "--no-header", "--target", 42, "-o", "m.suf")
    done = suffice("evaluate", "m.suf", shared("kddcup99/corrected.gz"), "--no-header", "--json")
    assert "rows without a class that the model knows were skipped" in done.stderr
    assert json.loads(done.stdout)["accuracy"] > 0.8


@pytest.mark.parametrize("name, test, model, error", [  # published and recomputed with R; see the data's manifest
    ("vowel/vowel.train", "vowel/vowel.test", "lda", 0.5563),
    ("vowel/vowel.train", "vowel/vowel.test", "qda", 0.5281),
    ("synth/synth_tr.csv", "synth/synth_te.csv", "lda", 0.108),
    ("synth/synth_tr.csv", "synth/synth_te.csv", "qda", 0.102),
])
def test_published_errors(suffice, shared, name, test, model, error):
    columns = ["--target", "y", "--exclude", "row.names"] if "vowel" in name else ["--target", "yc"]
    suffice("fit", shared(name), *columns, "--model", model, "-o", "m.suf")
    scores = json.loads(suffice("evaluate", "m.suf", shared(test), "--json").stdout)
    assert abs(scores["error"] - error) < 1e-4


def test_a_warm_start_says_what_it_did(suffice):
    suffice("fit", "iris.csv", "--target", "species", "--model", "mda", "-o", "m.suf")
    assert suffice("update", "m.suf", "iris.csv").stderr.endswith("fitted to these rows from where the model stood\n")


def test_compare_tells_why_a_model_failed_by_file_and_line(suffice):
    rows = [f"{k},{k * k % 7},{'xy'[k % 2]}\n" for k in range(40)]
    pathlib.Path("a.csv").write_text("a,b,kind\n" + "".join(rows))
    pathlib.Path("b.csv").write_text("a,b,kind\n\n" + "".join(rows[:20]) + "\n3,,x\n")
    told = suffice("compare", "a.csv", "b.csv", "--target", "kind", "--missing-values", "refuse").stdout
    assert "b.csv, row 24, column b: logistic regression needs every value" in told.partition("could not be fitted:")[2], told


@pytest.mark.parametrize(("covariance", "same"), [("full", "qda"), ("tied", "lda"), ("diagonal", "gaussian_nb")])
def test_a_mixture_of_one_component_a_class_is_the_plain_discriminant(suffice, covariance, same):
    suffice("fit", "iris.csv", "--target", "species", "--model", "mda", "--components", "1", "--covariance", covariance, "-o", "a.suf")
    suffice("fit", "iris.csv", "--target", "species", "--model", same, "--estimate", "likelihood", "-o", "b.suf")
    mixture, plain = ([row[1:] for row in csv.reader(suffice("predict", path, "iris.csv", "--proba").stdout.splitlines())]
                      for path in ("a.suf", "b.suf"))
    assert mixture[0] == plain[0] and len(mixture) == len(plain) == 151
    for left, right in zip(mixture[1:], plain[1:]):
        assert [float(p) for p in left] == pytest.approx([float(p) for p in right], abs=1e-4)
