"""Models compared over rows in parts: the table of the command, whatever the parts."""
import json
import pathlib
import subprocess

import numpy as np
import pytest

import suffice
from suffice.part_comparison import compare_parts
from suffice.rounds import fit_parts

pa = pytest.importorskip("pyarrow")
import pyarrow.csv  # noqa: E402

COMMAND = pathlib.Path(__file__).resolve().parents[2] / "build" / "suffice"
ROWS = 9000


def table(seed=1, rows=ROWS):
    rng = np.random.default_rng(seed)
    k = np.minimum(rng.integers(0, 4, rows), 2)
    return pa.table({"width": rng.normal(size=rows) * (1 + k), "height": rng.normal(size=rows) + k / 2,
                     "town": np.array(["Delft", "Leiden", "Gouda"])[np.where(rng.uniform(size=rows) < 0.2 * k, 2, rng.integers(0, 3, rows))],
                     "bought": np.array(["never", "no", "yes"])[k]})


def cut(rows, cuts):
    return [rows.slice(a, b - a) for a, b in zip(cuts, cuts[1:])]


WAYS = [[0, ROWS], [0, 0, 1, 700, 701, 5000, ROWS], list(range(0, ROWS + 1, 1500))]


def told_by_command(path, *words):
    done = subprocess.run([COMMAND, "compare", path, "--target", "bought", "--json", *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def same(found, expected):
    assert [each["model"] for each in found] == [each["model"] for each in expected]
    for mine, theirs in zip(found, expected):
        for key in ("accuracy", "accuracy_se", "log_loss", "log_loss_se", "difference", "difference_se", "parameters", "bic", "evidence"):
            if theirs[key] is None:
                assert mine[key] is None
            else:
                np.testing.assert_allclose(mine[key], theirs[key], rtol=1e-8, atol=1e-9, err_msg=f"{mine['model']} {key}")


@pytest.mark.skipif(not COMMAND.exists(), reason="the command is not built")
@pytest.mark.parametrize("models, words", [
    (None, ["--folds", "4"]),
    (["naive_bayes", "priors_only"], ["--folds", "5", "--seed", "3"]),
    (["naive_bayes", "logistic_regression"], ["--folds", "3"]),
    (["lda", "qda"], ["--folds", "3", "--repeats", "2", "--exclude", "town"]),
])
def test_parts_give_the_table_of_the_command(tmp_path, models, words):
    rows = table()
    pa.csv.write_csv(rows, tmp_path / "rows.csv")
    expected = told_by_command(tmp_path / "rows.csv", *words, *(["--models", ",".join(models)] if models else []))
    if models is None:  # parts try sums over rows, unless others are named
        expected = [each for each in expected if each["model"] not in ("logistic_regression", "mixture_discriminant")]
    asked = {word[2:]: int(value) for word, value in zip(words, words[1:]) if word in ("--folds", "--seed", "--repeats")}
    exclude = ["town"] if "town" in words else []
    made = [compare_parts(cut(rows, way), "bought", models, exclude=exclude, **asked) for way in WAYS]
    best = min(each["log_loss"] for each in expected)
    for each in expected:
        each["difference"] = each["log_loss"] - best
    if models is None and expected[0]["difference_se"] != 0:  # to the best of all, which may be one that parts leave out
        for each in expected + made[0]:
            each["difference_se"] = 0.0
    same(made[0], expected)
    for other in made[1:]:
        for mine, first in zip(other, made[0]):
            assert (mine["log_loss"], mine["accuracy"], mine["bic"]) == (first["log_loss"], first["accuracy"], first["bic"])


@pytest.mark.skipif(not COMMAND.exists(), reason="the command is not built")
def test_nested_choosing_is_that_of_the_command(tmp_path):
    rows = table(rows=2000)
    pa.csv.write_csv(rows, tmp_path / "rows.csv")
    expected = told_by_command(tmp_path / "rows.csv", "--models", "naive_bayes,lda,priors_only", "--exclude", "town", "--folds", "4", "--nested")
    made = compare_parts(cut(rows, [0, 3, 1200, 2000]), "bought", ["naive_bayes", "lda", "priors_only"], folds=4, nested=True, exclude="town")
    same(made["candidates"], expected["candidates"])
    for key, value in expected["nested"].items():
        np.testing.assert_allclose(made["nested"][key], value, rtol=1e-9)


def test_auto_chooses_over_parts_what_compares_best():
    rows = table()
    best = compare_parts([rows], "bought")[0]
    made = [fit_parts(cut(rows, way), "bought", model="auto") for way in WAYS]
    given = eval(f"dict({best['options']})")
    if "groups" in given:  # one structure for all classes; lists name classes
        given["groups"] = [[given["groups"]]]
    expected = fit_parts([rows], "bought", model=best["model"], **given)
    for model in made:
        np.testing.assert_array_equal(*(suffice.predict_stream(each, rows).read_all()["p(yes)"].to_numpy() for each in (model, made[0])))
    np.testing.assert_allclose(*(suffice.predict_stream(each, rows).read_all()["p(yes)"].to_numpy() for each in (made[0], expected)), rtol=1e-9)


def test_refusals_are_sentences():
    rows = table(rows=300)
    with pytest.raises(ValueError, match="at least two folds"):
        compare_parts([rows], "bought", folds=1)
    with pytest.raises(ValueError, match="301 folds are too many for 300 rows"):
        compare_parts([rows], "bought", folds=301)
    with pytest.raises(TypeError, match="GaussianNB"):
        compare_parts([rows], "bought", models=[suffice.GaussianNB()])
    with pytest.raises(ValueError, match="name it with target"):
        compare_parts([rows], None)
    with pytest.raises(ValueError, match="repeats"):
        compare_parts([rows], "bought", repeats=0)
    with pytest.raises(ValueError, match="no model.*cheese|cheese"):
        compare_parts([rows], "bought", models=["cheese"])


def test_a_class_that_one_fold_alone_has_is_learned_from_no_row_of_it():
    rows = table(rows=400)
    rare = rows.slice(0, 1).set_column(3, "bought", pa.array(["seldom"]))
    told = compare_parts([rows, rare], "bought", models=["naive_bayes", "logistic_regression"], folds=3)
    assert all(each["log_loss"] is not None for each in told) and len(told) >= 2
