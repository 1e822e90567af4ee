"""Logistic regression through the command: R's numbers, bases that are saved, and what it refuses."""
import csv
import json
import math
import pathlib

import pytest

GOLDENS = pathlib.Path(__file__).resolve().parent.parent / "goldens"


@pytest.fixture
def two_irises(folder):
    head, *rows = pathlib.Path("iris.csv").read_text().splitlines(keepends=True)
    pathlib.Path("two.csv").write_text(head + "".join(row for row in rows if "setosa" not in row))
    return "two.csv"


def inspected(suffice, model):
    return json.loads(suffice("inspect", model, "--json").stdout)


def test_the_table_is_that_of_glm(suffice, two_irises):
    suffice("fit", two_irises, "--target", "species", "--model", "logistic_regression", "-o", "m.suf")
    seen = inspected(suffice, "m.suf")
    with open(GOLDENS / "glm_iris.csv", newline="") as file:
        _, *golden = csv.reader(file)
    for ours, theirs in zip(seen["coefficients"], golden[:5], strict=True):
        for key, value in zip(("coefficient", "standard_error", "z", "p_value"), theirs[1:], strict=True):
            assert math.isclose(ours[key], float(value), rel_tol=1e-6), (ours["name"], key)
    assert math.isclose(seen["deviance"], float(golden[5][1]), rel_tol=1e-9)
    assert math.isclose(seen["null_deviance"], float(golden[5][2]), rel_tol=1e-9)
    for ours, (_, coefficient, error, *_) in zip(seen["coefficients"], golden[:5], strict=True):
        for key, side in (("low", -1), ("high", 1)):  # as R's confint.default
            assert math.isclose(ours[key], float(coefficient) + side * 1.959963984540054 * float(error), rel_tol=1e-6)
    half = (seen["null_deviance"] - seen["deviance"]) / 2  # of 4 degrees of freedom, so the chance is closed
    assert math.isclose(seen["likelihood_ratio_p_value"], math.exp(-half) * (1 + half), rel_tol=1e-9)
    text = suffice("inspect", "m.suf").stdout
    assert "standard_error" in text and "p_value" in text and "null deviance" in text and "97.5 %" in text
    assert f"likelihood ratio  {2 * half:.6g}, p = " in text


def test_posteriors_are_explained_and_evaluated(suffice, two_irises):
    suffice("fit", two_irises, "--target", "species", "--model", "logistic", "-o", "m.suf")
    rows = list(csv.DictReader(suffice("predict", "m.suf", two_irises, "--proba").stdout.splitlines()))
    explained = json.loads(suffice("explain", "m.suf", two_irises, "--json").stdout)
    for row, told in zip(rows[:10], explained[:10] if isinstance(explained, list) else explained["rows"][:10]):
        scores = {name: told["intercepts"][name] + sum(told["contributions"][name].values()) for name in told["intercepts"]}
        most = max(scores.values())
        share = math.exp(scores["virginica"] - most) / sum(math.exp(each - most) for each in scores.values())
        assert math.isclose(share, float(row["p(virginica)"]), rel_tol=1e-6, abs_tol=1e-9)
    assert json.loads(suffice("evaluate", "m.suf", two_irises, "--json").stdout)["accuracy"] > 0.95


def test_a_basis_is_saved_with_the_model(suffice, two_irises):
    suffice("fit", two_irises, "--target", "species", "--model", "logistic", "--penalty", "0.1", "--basis",
            "petal_length=spline(4), sepal_width=poly(2), sepal_length*petal_width", "-o", "m.suf")
    names = [line["name"] for line in inspected(suffice, "m.suf")["coefficients"]]
    assert names == ["(intercept)", "sepal_length", "sepal_width^1", "sepal_width^2", "spline(petal_length)1",
                     "spline(petal_length)2", "spline(petal_length)3", "spline(petal_length)4", "petal_width",
                     "sepal_length*petal_width"]
    assert json.loads(suffice("evaluate", "m.suf", two_irises, "--json").stdout)["accuracy"] > 0.95


def test_a_lasso_leaves_columns_out(suffice, two_irises):
    suffice("fit", two_irises, "--target", "species", "--model", "logistic", "--lasso", "8", "-o", "m.suf")
    seen = inspected(suffice, "m.suf")
    assert sum(line["coefficient"] == 0 for line in seen["coefficients"]) >= 1
    assert all(line["standard_error"] is None for line in seen["coefficients"])


def golden_links(name):
    with open(GOLDENS / "glm_links.csv", newline="") as file:
        return [line for line in csv.DictReader(file) if line["fit"] == name]


@pytest.mark.parametrize("name, options", [("firth", ("--penalty", "firth", "--exclude", "sepal_width,petal_length")),
                                           ("offset", ("--offset", "sepal_length", "--exclude", "sepal_width"))])
def test_firths_penalty_and_offsets_are_those_of_r(suffice, two_irises, name, options):
    suffice("fit", two_irises, "--target", "species", "--model", "logistic", *options, "-o", "m.suf")
    seen = inspected(suffice, "m.suf")
    ours = {line["name"]: line for line in seen["coefficients"]}
    for golden in golden_links(name):
        assert math.isclose(seen["null_deviance"], float(golden["null_deviance"]), rel_tol=1e-7)
        line = ours["(intercept)" if golden["name"] == "(Intercept)" else golden["name"]]
        assert math.isclose(line["coefficient"], float(golden["coefficient"]), rel_tol=1e-7), golden["name"]
        assert math.isclose(line["standard_error"], float(golden["standard_error"]), rel_tol=1e-7), golden["name"]


def test_a_probit_is_fitted_inspected_and_predicted(suffice, two_irises):
    suffice("fit", two_irises, "--target", "species", "--model", "logistic", "--link", "probit", "-o", "m.suf")
    seen = inspected(suffice, "m.suf")
    assert seen["link"] == "probit" and "probit of virginica" in suffice("inspect", "m.suf").stdout
    weight = {line["name"]: line["coefficient"] for line in seen["coefficients"]}
    rows = csv.DictReader(pathlib.Path(two_irises).read_text().splitlines())
    for row, told in zip(rows, csv.DictReader(suffice("predict", "m.suf", two_irises, "--proba").stdout.splitlines())):
        score = weight["(intercept)"] + sum(weight[name] * float(row[name]) for name in row if name != "species")
        assert math.isclose(float(told["p(virginica)"]), math.erfc(-score / math.sqrt(2)) / 2, rel_tol=1e-5, abs_tol=1e-9)


def test_the_penalty_of_greatest_evidence_and_moderated_posteriors(suffice, two_irises):
    fixed = []
    suffice("fit", two_irises, "--target", "species", "--model", "logistic", "--penalty", "evidence", "-o", "m.suf")
    best = inspected(suffice, "m.suf")
    for factor in (0.5, 2):
        suffice("fit", two_irises, "--target", "species", "--model", "logistic", "--penalty", str(factor * best["penalty"]),
                "-o", "other.suf")
        fixed.append(inspected(suffice, "other.suf")["laplace_log_evidence"])
    assert max(fixed) < best["laplace_log_evidence"]
    plain, moderated = (list(csv.DictReader(suffice("predict", "m.suf", two_irises, "--proba", *more).stdout.splitlines()))
                        for more in ((), ("--moderated",)))
    for a, b in zip(plain, moderated, strict=True):
        assert a["prediction"] == b["prediction"]
        assert abs(float(b["p(virginica)"]) - 0.5) <= abs(float(a["p(virginica)"]) - 0.5) + 1e-6
    suffice("fit", two_irises, "--target", "species", "--model", "lda", "-o", "lda.suf")
    assert "logistic_regression" in suffice("predict", "lda.suf", two_irises, "--moderated", code=2).stderr


def test_class_weights_are_row_weights(suffice, two_irises):
    head, *rows = pathlib.Path(two_irises).read_text().splitlines()
    weighed = [head + ",w"] + [row + (",3" if "virginica" in row else ",1") for row in rows]
    pathlib.Path("weighed.csv").write_text("\n".join(weighed) + "\n")
    words = ("--target", "species", "--model", "logistic", "--penalty", "1")
    suffice("fit", two_irises, *words, "--class-weight", "virginica=3", "-o", "a.suf")
    suffice("fit", "weighed.csv", *words, "--weight", "w", "-o", "b.suf")
    for a, b in zip(inspected(suffice, "a.suf")["coefficients"], inspected(suffice, "b.suf")["coefficients"], strict=True):
        assert math.isclose(a["coefficient"], b["coefficient"], rel_tol=1e-6)
    suffice("fit", two_irises, *words, "--class-weight", "balanced", "-o", "c.suf")


@pytest.mark.parametrize("options, words", [(("--penalty", "strong"), "evidence or firth"), (("--link", "cauchit"), "--link"),
                                            (("--class-weight", "setosa=2"), "no class setosa"),
                                            (("--class-weight", "virginica=much"), "CLASS=NUMBER"),
                                            (("--offset", "weight"), "no column weight"),
                                            (("--penalty", "-1"), "a number, zero or above")])
def test_bad_options_are_one_sentence(suffice, two_irises, options, words):
    done = suffice("fit", two_irises, "--target", "species", "--model", "logistic", *options, "-o", "m.suf", code=2)
    assert words in done.stderr and done.stderr.count("\n") <= 3


@pytest.mark.parametrize("change, options, words", [
    (lambda rows: [row[:4] + ["virginica"] for row in rows], (), "only one class, virginica"),
    (lambda rows: [rows[0], ["", *rows[1][1:]], *rows[2:]], ("--missing-values", "refuse"),
     "row 3, column sepal_length: logistic regression needs"),
    (lambda rows: [rows[0], ["inf", *rows[1][1:]], *rows[2:]], (), "row 3, column sepal_length: infinity is not a value"),
    (lambda rows: [["-1", *row[1:]] for row in rows], ("--weight", "sepal_length"), "row 2: a weight must be zero or"),
    (lambda rows: rows, ("--lasso", "-1"), "a number, zero or above")])
def test_bad_rows_are_one_sentence_that_says_where(suffice, two_irises, change, options, words):
    head, *rows = csv.reader(pathlib.Path(two_irises).read_text().splitlines())
    pathlib.Path("bad.csv").write_text("\n".join(",".join(row) for row in [head, *change(rows)]) + "\n")
    done = suffice("fit", "bad.csv", "--target", "species", "--model", "logistic", *options, "-o", "m.suf", code=2)
    assert words in done.stderr and done.stderr.count("\n") <= 3 and not pathlib.Path("m.suf").exists()


def test_fewer_rows_than_columns_are_fitted_and_told(suffice):
    names = [f"x{k}" for k in range(20)]
    rows = [[str((k * 7 + row * row * 3) % 23) for k in range(20)] + ["ab"[row % 2]] for row in range(12)]
    pathlib.Path("few.csv").write_text("\n".join(",".join(row) for row in [[*names, "y"], *rows]) + "\n")
    done = suffice("fit", "few.csv", "--target", "y", "--model", "logistic", "-o", "m.suf")
    assert "20 features have rank" in done.stderr and "a penalty gives finite ones" in done.stderr
    assert json.loads(suffice("evaluate", "m.suf", "few.csv", "--json").stdout)["accuracy"] == 1


def test_an_update_starts_where_the_model_stands(suffice, two_irises):
    suffice("fit", two_irises, "--target", "species", "--model", "logistic", "--penalty", "1", "-o", "m.suf")
    before = inspected(suffice, "m.suf")
    suffice("update", "m.suf", two_irises)
    after = inspected(suffice, "m.suf")
    assert after["iterations"] <= 1
    for a, b in zip(before["coefficients"], after["coefficients"]):
        assert math.isclose(a["coefficient"], b["coefficient"], rel_tol=1e-6)


@pytest.mark.parametrize("words", [("merge", "m.suf", "m.suf", "-o", "both.suf"), ("forget", "m.suf", "two.csv"),
                                   ("derive", "m.suf", "--model", "lda", "-o", "lda.suf")])
def test_what_needs_sums_is_refused_and_update_named(suffice, two_irises, words):
    suffice("fit", two_irises, "--target", "species", "--model", "logistic", "-o", "m.suf")
    assert "update" in suffice(*words, code=2).stderr


@pytest.mark.parametrize("words", [("sample", "m.suf", "-n", "3"), ("predict", "m.suf", "two.csv", "--evidence")])
def test_densities_are_refused(suffice, two_irises, words):
    suffice("fit", two_irises, "--target", "species", "--model", "logistic", "-o", "m.suf")
    assert "densities" in suffice(*words, code=2).stderr


@pytest.mark.parametrize("basis, words", [("size=poly(2)", "no column size"), ("petal_length=wave(3)", "is neither"),
                                          ("petal_length=poly(99)", "between 1 and 30")])
def test_bad_bases_are_one_sentence(suffice, two_irises, basis, words):
    done = suffice("fit", two_irises, "--target", "species", "--model", "logistic", "--basis", basis, "-o", "m.suf", code=2)
    assert words in done.stderr and done.stderr.count("\n") <= 3


def test_separated_classes_are_noted(suffice):
    done = suffice("fit", "iris.csv", "--target", "species", "--model", "logistic", "-o", "m.suf")
    assert "separated" in done.stderr


def test_a_discriminant_is_derived_into_the_regression_it_equals(suffice):
    suffice("fit", "iris.csv", "--target", "species", "--model", "lda", "-o", "lda.suf")
    suffice("derive", "lda.suf", "--model", "logistic", "-o", "same.suf")
    one, other = (list(csv.reader(suffice("predict", model, "iris.csv", "--proba").stdout.splitlines()))
                  for model in ("lda.suf", "same.suf"))
    for a, b in zip(one[1:], other[1:], strict=True):
        assert a[0] == b[0]
        assert all(math.isclose(float(x), float(y), rel_tol=1e-6, abs_tol=1e-9) for x, y in zip(a[1:], b[1:]))
    suffice("fit", "iris.csv", "--target", "species", "--model", "qda", "-o", "qda.suf")
    assert "not linear" in suffice("derive", "qda.suf", "--model", "logistic", "-o", "no.suf", code=2).stderr


def test_compare_tries_a_small_penalty_too(suffice):
    """Setosa separates, so without a penalty single rows cost the log loss hundreds."""
    done = json.loads(suffice("compare", "iris.csv", "--target", "species", "--models", "logistic", "--units", "raw", "--json").stdout)
    loss = {each["options"]: each["log_loss"] for each in done}
    assert min(loss.values()) == done[0]["log_loss"] and loss["--penalty 1"] < loss[""]  # best first
    assert math.isclose(loss["--penalty 1"], 0.1302, abs_tol=0.01)  # scikit-learn's cross_val_score on its ten folds, C=1


def test_offsets_of_three_classes_are_those_of_multinom_from_files_and_at_prediction(suffice):
    with open(GOLDENS / "offsets.csv", newline="") as lines:
        golden = [line for line in csv.DictReader(lines) if line["fit"] == "multinom"]
    options = ("iris.csv", "--target", "species", "--model", "logistic", "--offset", "sepal_length,petal_length,petal_width")
    suffice("fit", *options, "-o", "m.suf")
    seen = inspected(suffice, "m.suf")
    assert seen["offset"] == ["sepal_length", "petal_length", "petal_width"]
    ours = {(line["class"], line["name"]): line for line in seen["coefficients"]}
    for line in golden:
        found = ours[line["class"], "(intercept)" if line["name"] == "(Intercept)" else line["name"]]
        assert math.isclose(found["coefficient"], float(line["coefficient"]), rel_tol=1e-6)
        assert math.isclose(found["standard_error"], float(line["standard_error"]), rel_tol=1e-6)
    assert math.isclose(seen["deviance"], float(golden[0]["deviance"]), rel_tol=1e-8)
    assert math.isclose(seen["null_deviance"], float(golden[0]["null_deviance"]), rel_tol=1e-8)
    told = json.loads(suffice("evaluate", "m.suf", "iris.csv", "--json").stdout)
    assert math.isclose(2 * 150 * told["log_loss"], seen["deviance"], rel_tol=1e-8)
    done = suffice("fit", *options[:-1], "sepal_length,petal_length", "-o", "m.suf", code=2)
    assert "one column for each of the 3 classes in their order, and 2 were given" in done.stderr


def test_naive_bayes_of_categories_becomes_a_regression_by_derive(suffice):
    rows = [line.split(",") for line in pathlib.Path("penguins.csv").read_text().splitlines()]
    pathlib.Path("c.csv").write_text("\n".join(",".join((row[1], row[6], row[0])) for row in rows if "NA" not in row) + "\n")
    suffice("fit", "c.csv", "--target", "species", "-q", "-o", "nb.suf")
    suffice("derive", "nb.suf", "--model", "logistic_regression", "-o", "l.suf")
    assert {line["name"] for line in inspected(suffice, "l.suf")["coefficients"]} == {
        "(intercept)", "island=Dream", "island=Torgersen", "sex=male"}
    ours, theirs = (csv.DictReader(suffice("predict", m, "c.csv", "--proba").stdout.splitlines()) for m in ("l.suf", "nb.suf"))
    for one, other in zip(ours, theirs, strict=True):
        for key in other:
            assert one[key] == other[key] or math.isclose(float(one[key]), float(other[key]), rel_tol=1e-9)


def test_an_explanation_tells_each_column_once_and_sums_to_the_log_odds(suffice, two_irises):
    suffice("fit", two_irises, "--target", "species", "--model", "logistic", "--penalty", "1", "--basis",
            "petal_width=spline(3), sepal_length*petal_length", "-q", "-o", "m.suf")
    told = suffice("explain", "m.suf", two_irises, "--json").stdout
    row = json.loads(told, object_pairs_hook=lambda pairs: dict(pairs) if len(pairs) == len(dict(pairs)) else pytest.fail("twice"))[0]
    score = {c: row["intercepts"][c] + sum(row["contributions"][c].values()) for c in row["intercepts"]}
    p = next(csv.DictReader(suffice("predict", "m.suf", two_irises, "--proba").stdout.splitlines()))
    odds = math.log(float(p["p(virginica)"]) / float(p["p(versicolor)"]))
    assert math.isclose(score["virginica"] - score["versicolor"], odds, rel_tol=1e-9)
