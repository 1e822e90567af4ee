"""Penalties chosen along a path by cross-validation: scikit-learn's choice on the same folds, and what is told of it."""
import csv
import json
import math
import pathlib
import warnings

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegressionCV
from sklearn.model_selection import PredefinedSplit

LOGISTIC = ("--target", "y", "--model", "logistic")


def write(name, X, y, fold):
    with open(name, "w", newline="") as file:
        out = csv.writer(file)
        out.writerow([*(f"x{j}" for j in range(X.shape[1])), "fold", "y"])
        out.writerows([*(repr(float(v)) for v in row), f, "abc"[c]] for row, c, f in zip(X, y, fold))


@pytest.fixture(params=[2, 3])
def data(folder, request):
    X, y = make_classification(200, 6, n_informative=3, n_redundant=0, n_classes=request.param, flip_y=0.2, random_state=3)
    fold = np.arange(200) % 5
    write("d.csv", X, y, fold)
    return X, y, fold


def inspected(suffice, model):
    return json.loads(suffice("inspect", model, "--json").stdout)


@pytest.mark.parametrize("option, ratio", [("--penalty", 0.0), ("--lasso", 1.0)])
def test_the_choice_and_the_losses_are_those_of_scikit_learn_on_the_same_folds(suffice, data, option, ratio):
    X, y, fold = data
    strengths = [30, 10, 3, 1, 0.3, 0.1]
    suffice("fit", "d.csv", *LOGISTIC, option, ",".join(map(str, strengths)), "--folds-column", "fold", "--units", "raw", "-o", "m.suf")
    seen = inspected(suffice, "m.suf")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = LogisticRegressionCV(Cs=[1 / s for s in strengths], l1_ratios=(ratio,), cv=PredefinedSplit(fold),
                                      scoring="neg_log_loss", solver="saga" if ratio else "lbfgs", tol=1e-6, max_iter=5000,
                                      use_legacy_attributes=False).fit(X, y)
    key = option[2:]
    assert [step[key] for step in seen["path"]] == strengths
    np.testing.assert_allclose([step["log_loss"] for step in seen["path"]], -theirs.scores_.mean(axis=(0, 1)), rtol=2e-4)
    spread = -theirs.scores_[:, 0]
    np.testing.assert_allclose([step["log_loss_se"] for step in seen["path"]], spread.std(axis=0, ddof=1) / np.sqrt(5), rtol=5e-3)
    assert math.isclose(seen[key], 1 / theirs.C_, rel_tol=1e-12)
    ours = {line["name"]: line["coefficient"] for line in seen["coefficients"] if line["class"] == "b"}
    w = theirs.coef_[0] if len(theirs.classes_) == 2 else theirs.coef_[1] - theirs.coef_[0]
    np.testing.assert_allclose([ours[f"x{j}"] for j in range(6)], w, atol=2e-3)


@pytest.mark.parametrize("options", [("--penalty", "auto"), ("--lasso", "auto"), ("--penalty", "auto", "--lasso", "auto")])
def test_auto_tries_what_suits_the_rows_and_the_model_is_the_one_of_the_choice(suffice, data, options):
    told = suffice("fit", "d.csv", *LOGISTIC, "--exclude", "fold", *options, "--folds", "4", "-o", "m.suf").stderr
    seen = inspected(suffice, "m.suf")
    path = seen["path"]
    assert len(path) == 25 and told.count("<- chosen") == 1 and "the penalty by cross-validation" in told
    assert suffice("inspect", "m.suf").stdout.count("<- chosen") == 1
    best = min(path, key=lambda step: step["log_loss"])
    assert (best["penalty"], best["lasso"]) == (seen["penalty"], seen["lasso"])
    assert [step for step in path if step["chosen"]] == [best]
    fitted = suffice("fit", "d.csv", *LOGISTIC, "--exclude", "fold", *options, "--folds", "4", "-o", "m.suf", "--json")
    assert json.loads(fitted.stdout)["path"] == path
    assert all(a[key] > b[key] for a, b in zip(path, path[1:]) for key in ("penalty", "lasso") if a[key] > 0)
    if "--lasso" in options:  # the strongest leaves nothing but intercepts, the next one something
        assert path[0]["features"] == 0 < path[1]["features"] <= path[-1]["features"] == 6
        assert ("--penalty" in options) == (seen["penalty"] == seen["lasso"])
    given = ("--penalty", seen["penalty"], "--lasso", seen["lasso"])
    suffice("fit", "d.csv", *LOGISTIC, "--exclude", "fold", *given, "-o", "given.suf")
    for one, other in zip(seen["coefficients"], inspected(suffice, "given.suf")["coefficients"], strict=True):
        assert math.isclose(one["coefficient"], other["coefficient"], rel_tol=1e-3, abs_tol=1e-4)
    suffice("fit", "d.csv", *LOGISTIC, "--exclude", "fold", *options, "--folds", "4", "--choose", "simplest", "-o", "s.suf")
    simple = inspected(suffice, "s.suf")
    within = [step for step in path if step["log_loss"] <= best["log_loss"] + best["log_loss_se"]]
    assert (simple["penalty"], simple["lasso"]) == (within[0]["penalty"], within[0]["lasso"])
    assert len(inspected(suffice, "m.suf")["path"]) == 25 and pathlib.Path("m.suf").stat().st_size < 40_000


def test_the_rows_may_come_from_standard_input_and_the_file_is_the_same_again(suffice, data):
    options = (*LOGISTIC, "--exclude", "fold", "--lasso", "auto", "--path", "5", "--folds", "3", "-q", "-o")
    suffice("fit", "d.csv", *options, "a.suf")
    suffice("fit", "d.csv", *options, "b.suf", "--threads", "3")
    assert pathlib.Path("a.suf").read_bytes() == pathlib.Path("b.suf").read_bytes()
    suffice("fit", "-", *options, "c.suf", input=pathlib.Path("d.csv").read_text())
    assert inspected(suffice, "c.suf")["path"] == inspected(suffice, "a.suf")["path"]


@pytest.mark.parametrize("options, words", [
    (("--path", "5"), "--path goes with strengths to choose from; use --penalty auto, or use --lasso auto"),
    (("--folds", "5"), "--folds goes with strengths to choose from; use --penalty auto, or use --lasso auto"),
    (("--penalty", "1,2", "--lasso", "3,4"), "One list of strengths"),
    (("--penalty", "1,much"), "not \"much\""),
    (("--penalty", "1,-2"), "a number, zero or above"),
    (("--lasso", "auto", "--penalty", "evidence"), "not by both"),
    (("--lasso", "auto", "--penalty", "firth"), "Firth's penalty"),
    (("--lasso", "auto", "--folds", "1"), "a whole number from 2 to"),
    (("--lasso", "auto", "--choose", "worst"), "--choose"),
    (("--lasso", "auto", "--folds-column", "day"), "no column day"),
    (("--lasso", "auto", "--link", "probit"), "the probit link")])
def test_what_cannot_be_chosen_is_one_sentence(suffice, data, options, words):
    done = suffice("fit", "d.csv", *LOGISTIC, *options, "-o", "m.suf", code=2)
    assert words in done.stderr and done.stderr.count("\n") <= 3


def test_options_of_the_regression_reach_its_candidate_in_compare(suffice, data):
    X, y, fold = data
    if y.max() > 1:
        pytest.skip("the probit link is for two classes")
    options = ("--link", "probit", "--penalty", "3", "--basis", "x0=poly(2)")
    done = suffice("compare", "d.csv", "--target", "y", "--models", "logistic,lda", "--folds-column", "fold", *options, "--json")
    found = [each for each in json.loads(done.stdout) if each["model"] == "logistic_regression"]
    assert len(found) == 1 and found[0]["options"] == '--basis "x0=poly(2)" --penalty 3 --link probit'
    losses = []
    for f in range(5):
        write("train.csv", X[fold != f], y[fold != f], fold[fold != f])
        write("test.csv", X[fold == f], y[fold == f], fold[fold == f])
        suffice("fit", "train.csv", *LOGISTIC, "--exclude", "fold", *options, "-o", "m.suf")
        losses.append(json.loads(suffice("evaluate", "m.suf", "test.csv", "--json").stdout)["log_loss"])
    assert math.isclose(found[0]["log_loss"], np.mean(losses), rel_tol=1e-6)
    assert math.isclose(found[0]["log_loss_se"], np.std(losses, ddof=1) / math.sqrt(5), rel_tol=1e-5)
    nested = suffice("compare", "d.csv", "--target", "y", "--exclude", "fold", "--models", "logistic", "--folds", "3", "--lasso",
                     "auto", "--path", "4", "--json")
    assert json.loads(nested.stdout)[0]["options"] == "--lasso auto --path 4"
