"""What the command says of a regression's coefficients: errors, profiles, tests, columns that follow from others, missing values, units."""
import csv
import json
import math
import pathlib

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

GOLDENS = pathlib.Path(__file__).resolve().parents[1] / "goldens"


def golden(case):
    with open(GOLDENS / "regression_errors.csv", newline="") as file:
        return {row["name"]: None if row["value"] == "NA" else float(row["value"]) for row in csv.DictReader(file) if row["case"] == case}


@pytest.fixture
def two(folder):
    """Two kinds of iris as R's script has them: weights of importance, copies, and columns that follow from others."""
    with open(GOLDENS / "mclust_data" / "iris.csv", newline="") as file:
        _, *rows = csv.reader(file)
    rows = [row for row in rows if row[-1] != "setosa"]
    lines = ["x1,x2,s,x3,t,w,times,class"]
    for at, (a, b, c, _, kind) in enumerate(rows, start=1):
        a, b, c = float(a), float(b), float(c)
        lines.append(f"{a},{b},{round(a + b, 9)},{c},{2 * c},{(0.5, 1, 2, 3.5)[at % 4]},{1 + at % 3},{kind}")
    pathlib.Path("two.csv").write_text("\n".join(lines) + "\n")
    return "two.csv"


def fitted(suffice, data, *options, exclude="s,t,w,times", extra=()):
    suffice("fit", data, "--target", "class", "--model", "logistic_regression", "-o", "m.suf", "--exclude", exclude, *options)
    return json.loads(suffice("inspect", "m.suf", *extra, "--json").stdout)


def column(seen, key):
    return [each[key] for each in seen["coefficients"]]


def test_robust_errors_and_weights_of_importance_are_rs(suffice, two):
    assert column(fitted(suffice, two, "--errors", "robust"), "standard_error") == pytest.approx(list(golden("robust").values()), rel=1e-5)
    copies = fitted(suffice, two, "--errors", "robust", "--weight", "times", exclude="s,t,w")
    assert column(copies, "standard_error") == pytest.approx(list(golden("robust_copies").values()), rel=1e-5)
    worth = fitted(suffice, two, "--weight", "w", "--weight-kind", "importance", exclude="s,t,times")
    assert column(worth, "standard_error") == pytest.approx(list(golden("importance").values()), rel=1e-5)
    assert column(worth, "coefficient") == pytest.approx(list(golden("importance_coefficient").values()), rel=1e-5)
    assert worth["errors"] == "robust"


def test_profiles_and_tests_are_rs(suffice, two):
    seen = fitted(suffice, two, extra=(two, "--profile", "--tests"))
    assert column(seen, "profile_low") == pytest.approx(list(golden("profile_low").values()), rel=1e-6)
    assert column(seen, "profile_high") == pytest.approx(list(golden("profile_high").values()), rel=1e-6)
    assert [each["term"] for each in seen["tests"]] == ["x1", "x2", "x3"]
    assert [each["chi_square"] for each in seen["tests"]] == pytest.approx(list(golden("tests").values()), rel=1e-6)
    text = suffice("inspect", "m.suf", two, "--profile", "--tests").stdout
    assert "profile likelihood" in text and "chi_square" in text
    assert "name the data" in suffice("inspect", "m.suf", "--profile", code=2).stderr
    pathlib.Path("half.csv").write_text("".join(pathlib.Path(two).read_text().splitlines(keepends=True)[:60]))
    assert "not the rows" in suffice("inspect", "m.suf", "half.csv", "--tests", code=2).stderr
    suffice("fit", two, "--target", "class", "--model", "lda", "-o", "lda.suf")
    assert "logistic regression" in suffice("inspect", "lda.suf", two, "--tests", code=2).stderr


def test_columns_that_follow_from_others_have_no_coefficient(suffice, two):
    seen = fitted(suffice, two, exclude="w,times")
    wanted = golden("aliased")
    for line in seen["coefficients"]:
        value = wanted["(Intercept)" if line["name"] == "(intercept)" else line["name"]]
        assert line["coefficient"] == (value if value is None else pytest.approx(value, rel=1e-5)), line
        assert (line["standard_error"] is None) == (value is None)
    text = suffice("inspect", "m.suf").stdout
    assert all(line.split()[1:] == ["-"] * 6 for line in text.splitlines() if line.split()[:1] in (["s"], ["t"])), text
    assert "follows from those before it" in text
    assert "s, t" in suffice("fit", two, "--target", "class", "--model", "logistic", "--exclude", "w,times", "-o", "n.suf").stderr
    other = suffice("predict", "m.suf", two, "--proba").stdout
    fitted(suffice, two)
    rows = zip(csv.reader(other.splitlines()[1:]), csv.reader(suffice("predict", "m.suf", two, "--proba").stdout.splitlines()[1:]))
    assert all(float(a[1]) == pytest.approx(float(b[1]), abs=1e-6) for a, b in rows)


def test_a_table_with_a_penalty_says_that_z_and_p_are_no_tests(suffice, two):
    fitted(suffice, two, "--penalty", "1")
    assert "no tests" in suffice("inspect", "m.suf").stdout
    assert "penalty" in suffice("inspect", "m.suf", two, "--tests", code=2).stderr


def test_units_do_not_matter_to_penalties_unless_they_shall(suffice, two):
    rows = list(csv.DictReader(open(two, newline="")))
    X, y = np.array([[float(row[name]) for name in ("x1", "x2", "x3")] for row in rows]), [row["class"] for row in rows]
    lines = [f"{a!r},{1000 * b!r},{c / 1000!r},{kind}" for (a, b, c), kind in zip(X.tolist(), y)]
    pathlib.Path("units.csv").write_text("x1,x2,x3,class\n" + "\n".join(lines) + "\n")

    def posteriors(data, *options):
        suffice("fit", data, "--target", "class", "--model", "logistic", *options, "-o", "u.suf",
                *(("--exclude", "s,t,w,times") if data == two else ()))
        return [float(row[-1]) for row in list(csv.reader(suffice("predict", "u.suf", data, "--proba").stdout.splitlines()))[1:]]

    for penalty in (("--penalty", "2"), ("--lasso", "2"), ("--penalty", "auto", "--seed", "1"), ("--penalty", "evidence")):
        assert posteriors("units.csv", *penalty) == pytest.approx(posteriors(two, *penalty), abs=1e-6), penalty
    assert posteriors("units.csv", "--penalty", "2", "--units", "raw") != pytest.approx(posteriors(two, "--penalty", "2"), abs=1e-3)
    theirs = LogisticRegression(C=0.5, tol=1e-10).fit(X, y).predict_proba(X)[:, 1]
    assert posteriors(two, "--penalty", "2", "--units", "raw") == pytest.approx(theirs, abs=1e-5)
    within = np.sqrt(sum(((X[np.array(y) == c] - X[np.array(y) == c].mean(0)) ** 2).sum(0) for c in set(y)) / len(y))
    theirs = LogisticRegression(C=0.5, tol=1e-10).fit(X / within, y).predict_proba(X / within)[:, 1]
    assert posteriors(two, "--penalty", "2") == pytest.approx(theirs, abs=1e-5)


@pytest.fixture
def holes(folder):
    """A number and a category with missing values, whose being missing tells of the class."""
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, 300)
    x, z = rng.normal(y, 1).round(4), rng.normal(0.5 * y, 1).round(4)
    color = np.where(rng.random(300) < 0.4 + 0.3 * y, "red", "blue")
    gone, no_color = rng.random(300) < 0.1 + 0.2 * y, rng.random(300) < 0.15
    lines = [f"{'' if g else a},{b},{'' if n else c},{'no yes'.split()[k]}" for a, b, c, k, g, n in zip(x, z, color, y, gone, no_color)]
    pathlib.Path("holes.csv").write_text("x,z,color,kind\n" + "\n".join(lines) + "\n")
    design = np.column_stack([np.where(gone, x[~gone].mean(), x), z, (color == "red") & ~no_color, gone, no_color]).astype(float)
    return design, y


def test_missing_values_have_a_coefficient_of_their_own(suffice, holes):
    design, y = holes
    told = suffice("fit", "holes.csv", "--target", "kind", "--model", "logistic", "-o", "h.suf").stderr
    assert "missing values stand at their column's mean" in told and "(x, color)" in told
    seen = json.loads(suffice("inspect", "h.suf", "--json").stdout)
    theirs = LogisticRegression(C=np.inf, tol=1e-12, max_iter=2000).fit(design, y)
    assert column(seen, "coefficient") == pytest.approx([theirs.intercept_[0], *theirs.coef_[0]], rel=1e-4, abs=1e-6)
    assert [each["name"] for each in seen["coefficients"]][-2:] == ["missing(x)", "missing(color)"]
    predicted = [float(row[-1]) for row in list(csv.reader(suffice("predict", "h.suf", "holes.csv", "--proba").stdout.splitlines()))[1:]]
    assert predicted == pytest.approx(theirs.predict_proba(design)[:, 1], abs=1e-5)
    refused = suffice("fit", "holes.csv", "--target", "kind", "--model", "logistic", "--missing-values", "refuse", "-o", "r.suf", code=2)
    assert "needs every value" in refused.stderr and "holes.csv, row" in refused.stderr
    tests = json.loads(suffice("inspect", "h.suf", "holes.csv", "--tests", "--json").stdout)["tests"]
    assert len(tests) == 5


def test_logistic_regression_takes_part_in_compare_where_values_are_missing(suffice, holes, shared):
    lines = json.loads(suffice("compare", "holes.csv", "--target", "kind", "--folds", "5", "--json").stdout)
    ours = [each for each in lines if each["model"] == "logistic_regression"]
    assert len(ours) == 5 and all(each["log_loss"] is not None for each in ours)
    lines = json.loads(suffice("compare", "penguins.csv", "--target", "species", "--models", "logistic_regression,lda", "--json").stdout)
    assert all(each["log_loss"] is not None for each in lines)
    crx = shared("ugly/crx.data")
    lines = json.loads(suffice("compare", crx, "--no-header", "--target", "c16", "--models", "logistic_regression,naive_bayes", "--json").stdout)
    best = min(each["log_loss"] for each in lines if each["model"] == "logistic_regression")
    assert best < 0.4 and all(each["log_loss"] is not None for each in lines)


def test_exports_have_the_stand_ins(suffice, holes):
    import sqlite3
    suffice("fit", "holes.csv", "--target", "kind", "--model", "logistic", "-o", "h.suf")
    sql = suffice("export", "h.suf", "--sql", "sqlite").stdout
    rows = list(csv.DictReader(open("holes.csv", newline="")))
    base = sqlite3.connect(":memory:")
    base.execute("CREATE TABLE data (x REAL, z REAL, color TEXT, kind TEXT)")
    base.executemany("INSERT INTO data VALUES (?,?,?,?)", [[row[name] or None for name in ("x", "z", "color", "kind")] for row in rows])
    told = base.execute(sql.rstrip().rstrip(";"))
    at = [name for name, *_ in told.description].index("p(yes)")
    predicted = [float(row[-1]) for row in list(csv.reader(suffice("predict", "h.suf", "holes.csv", "--proba").stdout.splitlines()))[1:]]
    assert [row[at] for row in told] == pytest.approx(predicted, abs=1e-9)


MODELS = ["naive_bayes", "gaussian_nb", "lda", "qda", "rda", "dlda", "spherical_discriminant", "kernel_density", "kernel_nb", "histogram_nb",
          "nearest", "priors_only", "mixture_discriminant", "logistic_regression"]


@pytest.mark.parametrize("model", MODELS)
def test_a_weight_of_two_is_two_rows_in_every_model(suffice, folder, model):
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 80)
    X = (rng.normal(size=(80, 3)) + y[:, None]).round(6)
    times = rng.integers(1, 4, 80)
    lines = [",".join(map(str, row)) + f",{count},{'ab'[k]}" for row, count, k in zip(X, times, y)]
    pathlib.Path("once.csv").write_text("p,q,r,w,kind\n" + "\n".join(lines) + "\n")
    pathlib.Path("copies.csv").write_text("p,q,r,w,kind\n" + "".join((line + "\n") * count for line, count in zip(lines, times)))
    extra = ["--components", "1"] if model == "mixture_discriminant" else []
    suffice("fit", "once.csv", "--target", "kind", "--model", model, "--weight", "w", "-o", "a.suf", *extra)
    suffice("fit", "copies.csv", "--target", "kind", "--model", model, "--exclude", "w", "-o", "b.suf", *extra)
    a, b = (json.loads(suffice("evaluate", path, "copies.csv", "--json").stdout) for path in ("a.suf", "b.suf"))
    assert a["log_loss"] == pytest.approx(b["log_loss"], rel=1e-6), model
    weighted = json.loads(suffice("evaluate", "a.suf", "once.csv", "--weight", "w", "--json").stdout)
    assert weighted["log_loss"] == pytest.approx(a["log_loss"], rel=1e-9)
    first, second = (json.loads(suffice("inspect", path, "--json").stdout) for path in ("a.suf", "b.suf"))
    assert first["bic"] == (None if second["bic"] is None else pytest.approx(second["bic"], rel=1e-6))


def test_weights_of_importance_count_as_kish_says(suffice, folder):
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 200)
    x, w = (rng.normal(size=200) + y).round(4), rng.exponential(size=200).round(4) + 0.01
    for name, scale in (("a", 1.0), ("b", 500.0)):
        pathlib.Path(f"{name}.csv").write_text("x,w,kind\n" + "".join(f"{each},{float(scale * own)!r},{'no yes'.split()[k]}\n" for each, own, k in zip(x, w, y)))
    told = {}
    for name in "ab":
        suffice("fit", f"{name}.csv", "--target", "kind", "--model", "naive_bayes", "--weight", "w", "--weight-kind", "importance", "-o", f"{name}.suf")
        told[name] = json.loads(suffice("evaluate", f"{name}.suf", f"{name}.csv", "--weight", "w", "--weight-kind", "importance", "--json").stdout)
    assert told["a"]["log_loss"] == pytest.approx(told["b"]["log_loss"], rel=1e-9)
    effective = w.sum() ** 2 / (w**2).sum()
    assert sum(map(sum, told["a"]["confusion"])) == pytest.approx(effective, rel=1e-9)
    assert "--weight" in suffice("fit", "a.csv", "--target", "kind", "--weight-kind", "importance", "-o", "c.suf", code=2).stderr
    error, z = told["a"]["error"], 1.959963984540054
    reach = z * math.sqrt(error * (1 - error) / effective + z * z / (4 * effective**2))
    low, high = ((error + z * z / (2 * effective) + side * reach) / (1 + z * z / effective) for side in (-1, 1))
    text = suffice("evaluate", "a.suf", "a.csv", "--weight", "w", "--weight-kind", "importance").stdout
    assert f"95 %: {low:.4f}"[:-1] in text and f"to {high:.4f}"[:-1] in text, text


def test_rows_without_a_class_may_lack_values(suffice, folder):
    """A row that counts for nothing must count for nothing, also where its values are missing."""
    lines = pathlib.Path("penguins.csv").read_text().splitlines(keepends=True)
    pathlib.Path("known.csv").write_text(lines[0] + "".join(line for line in lines[1:] if ",male," in line or ",female," in line))
    told = []
    for data in ("penguins.csv", "known.csv"):
        done = suffice("fit", data, "--target", "sex", "--model", "logistic", "--exclude", "species,island", "-o", "m.suf")
        assert "stopped" not in done.stderr
        told.append(json.loads(suffice("inspect", "m.suf", "--json").stdout))
    assert told[0]["deviance"] == pytest.approx(158.151982231, rel=1e-9)  # R's glm
    assert column(told[0], "coefficient") == pytest.approx(column(told[1], "coefficient"), rel=1e-8)


def test_where_classes_separate_one_end_of_the_profile_is_infinite(suffice, folder):
    x = range(1, 9)
    pathlib.Path("apart.csv").write_text("x,kind\n" + "".join(f"{each},{'ab'[each > 4]}\n" for each in x))
    suffice("fit", "apart.csv", "--target", "kind", "--model", "logistic", "--family", "x=gaussian", "-o", "m.suf")
    line = json.loads(suffice("inspect", "m.suf", "apart.csv", "--profile", "--json").stdout)["coefficients"][1]
    low, high = 1e-3, 5.0  # of the closed form: by symmetry the intercept is -4.5 times the slope
    for _ in range(100):
        middle = (low + high) / 2
        rise = 2 * sum(math.log1p(math.exp(-middle * abs(each - 4.5))) for each in x) - 3.841458820694124
        low, high = (middle, high) if rise > 0 else (low, middle)
    assert line["profile_high"] is None and line["profile_low"] == pytest.approx(low, rel=1e-5)


def direct(case):
    with open(GOLDENS / "missing_values.csv", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["case"] == case]
    return np.array([float(row["estimate"]) for row in rows]), np.array([float(row["standard_error"]) for row in rows])


def integrated(suffice, name, *options):
    told = suffice("fit", GOLDENS / name, "--target", "y", "--model", "logistic", "--missing-values", "integrate", *options, "-o", "i.suf").stderr
    return told, json.loads(suffice("inspect", "i.suf", "--json").stdout)


@pytest.mark.parametrize("name, case", [("missing_numbers.csv", "direct"), ("missing_mixed.csv", "mixed")])
def test_missing_values_are_integrated_as_by_maximising_directly(suffice, folder, name, case):
    """tools/goldens/missing_values.py maximises log p(class, what is there) itself and takes errors from its Hessian."""
    told, seen = integrated(suffice, name)
    assert "missing at random" in told
    estimate, error = direct(case)
    assert column(seen, "coefficient") == pytest.approx(estimate, abs=1e-4)
    assert column(seen, "standard_error") == pytest.approx(error, rel=1e-3)


def test_integrals_agree_with_multiple_imputation_and_beat_complete_rows(suffice, folder):
    _, seen = integrated(suffice, "missing_numbers.csv")
    estimate, error = direct("imputed")
    assert np.abs((np.array(column(seen, "coefficient")) - estimate) / error).max() < 0.25  # imputations have noise of their own
    assert column(seen, "standard_error") == pytest.approx(error, rel=0.1)
    _, complete = direct("complete_rows")
    assert (np.array(column(seen, "standard_error")) < 0.95 * complete).all()


def test_without_holes_integrals_change_nothing(suffice, folder, two):
    options = ("fit", two, "--target", "class", "--model", "logistic", "--exclude", "w,times,s,t")
    suffice(*options, "-o", "plain.suf")
    suffice(*options, "--missing-values", "integrate", "-o", "i.suf")
    assert suffice("predict", "plain.suf", two, "--proba").stdout == suffice("predict", "i.suf", two, "--proba").stdout
    one, other = (json.loads(suffice("inspect", each, "--json").stdout) for each in ("plain.suf", "i.suf"))
    assert one["coefficients"] == other["coefficients"]
    # but rows with holes can be scored, and with every hole the answer is nearly the share of the class
    pathlib.Path("blank.csv").write_text("x1,x2,x3\n,,\n")
    suffice("predict", "plain.suf", "blank.csv", code=2)
    p = float(suffice("predict", "i.suf", "blank.csv", "--proba").stdout.splitlines()[1].split(",")[-1])
    assert p == pytest.approx(0.5, abs=0.05)


def test_integrals_in_every_verb(suffice, holes):
    """Other priors, explanations that sum to the posterior, weights as copies, compare, and what is refused."""
    base = ("fit", "holes.csv", "--target", "kind", "--model", "logistic", "--missing-values", "integrate")
    suffice(*base, "-o", "h.suf")
    rows = list(csv.reader(suffice("predict", "h.suf", "holes.csv", "--proba").stdout.splitlines()))[1:]
    p = np.array([float(row[-1]) for row in rows])
    even = list(csv.reader(suffice("predict", "h.suf", "holes.csv", "--proba", "--prior", "no=0.9,yes=0.1").stdout.splitlines()))[1:]
    share = np.mean([line.endswith("yes") for line in pathlib.Path("holes.csv").read_text().splitlines()[1:]])
    odds = p / (1 - p) * (0.1 / 0.9) * (1 - share) / share
    assert [float(row[-1]) for row in even] == pytest.approx(odds / (1 + odds), abs=1e-5)
    told = json.loads(suffice("explain", "h.suf", "holes.csv", "--json").stdout)
    joint = np.array([[each["intercepts"][c] + sum(each["contributions"][c].values()) for c in ("no", "yes")] for each in told])
    assert 1 / (1 + np.exp(joint[:, 0] - joint[:, 1])) == pytest.approx(p, abs=1e-5)
    lines = pathlib.Path("holes.csv").read_text().splitlines()
    pathlib.Path("copies.csv").write_text("\n".join(lines + lines[1:41]) + "\n")
    pathlib.Path("weights.csv").write_text("\n".join([lines[0] + ",w"] + [f"{line},{2 if i < 40 else 1}" for i, line in enumerate(lines[1:])]) + "\n")
    suffice(base[0], "copies.csv", *base[2:], "-o", "copies.suf")
    suffice(base[0], "weights.csv", *base[2:], "--weight", "w", "-o", "weights.suf")
    one, other = (column(json.loads(suffice("inspect", each, "--json").stdout), "coefficient") for each in ("copies.suf", "weights.suf"))
    assert one == pytest.approx(other, abs=1e-5)
    found = json.loads(suffice("compare", "holes.csv", "--target", "kind", "--models", "logistic_regression", "--missing-values", "integrate", "--folds", "3", "--json").stdout)
    assert len(found) == 5 and all(each["log_loss"] < 0.69 for each in found)
    assert "penalty that is given" in suffice(*base, "--penalty", "auto", "-o", "r.suf", code=2).stderr
    assert "integrates over missing values" in suffice("inspect", "h.suf", "holes.csv", "--tests", code=2).stderr
    suffice("update", "h.suf", "holes.csv")
