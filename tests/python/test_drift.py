"""Drift against SciPy and closed forms: what changed is found, what did not is left alone."""
import json
import os
import pathlib
import subprocess
import xml.etree.ElementTree

import numpy as np
import pandas
import pytest
from scipy import stats
from scipy.spatial.distance import jensenshannon
from sklearn.datasets import load_iris

import suffice


def column(found, name):
    return next(each for each in found["columns"] if each["column"] == name)


def gaussian_change(x, y):
    """Equality of two normal samples: likelihood ratio with Bartlett's factor, and the divergence within the family."""
    both = np.concatenate([x, y])
    ratio = len(both) * np.log(both.var()) - len(x) * np.log(x.var()) - len(y) * np.log(y.var())
    factor = 1 - 22 / 24 * (1 / len(x) + 1 / len(y) - 1 / len(both))
    mixed = (x.var() + y.var()) / 2 + (x.mean() - y.mean()) ** 2 / 4
    return 0.5 * (np.log(mixed) - (np.log(x.var()) + np.log(y.var())) / 2), stats.chi2.sf(factor * ratio, 2)


@pytest.fixture
def command():
    path = pathlib.Path(os.environ.get("SUFFICE") or pathlib.Path(__file__).parents[2] / "build" / "suffice")
    if not path.exists():
        pytest.skip("the command is not built")
    return path


@pytest.fixture
def two_months():
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 600)
    january = pandas.DataFrame({"amount": rng.normal(size=600) + 2 * y, "shop": rng.choice(["a", "b", "c"], 600),
                                "visits": rng.poisson(3, 600)})
    z = rng.integers(0, 2, 500)
    february = pandas.DataFrame({"amount": rng.normal(size=500) + 2 * z + 0.7,
                                 "shop": rng.choice(["a", "b", "d"], 500, p=[0.2, 0.5, 0.3]),
                                 "visits": rng.poisson(3, 500)})
    return january, y, february, z


def test_gaussian_columns_follow_the_closed_form():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(80, 2)), rng.integers(0, 2, 80)
    v, w = rng.normal(0.3, 1.2, size=(60, 2)), rng.integers(0, 2, 60)
    found = suffice.drift(suffice.GaussianNB().fit(x, y), suffice.GaussianNB().fit(v, w))
    for k in range(2):
        divergence, p_value = gaussian_change(x[:, k], v[:, k])
        told = column(found, f"x{k}")
        assert told["divergence"] == pytest.approx(divergence, rel=1e-9)
        assert told["p_value"] == pytest.approx(p_value, rel=1e-9)
        for of_class in told["by_class"]:
            c = int(of_class["class"])
            divergence, p_value = gaussian_change(x[y == c, k], v[w == c, k])
            assert of_class["divergence"] == pytest.approx(divergence, rel=1e-9)
            assert of_class["p_value"] == pytest.approx(p_value, rel=1e-9)


def test_full_covariances_tell_the_same_of_their_columns():
    X, y = load_iris(return_X_y=True)
    one, other = slice(None, None, 2), slice(1, None, 2)
    plain = suffice.drift(suffice.GaussianNB().fit(X[one], y[one]), suffice.GaussianNB().fit(X[other], y[other]))
    full = suffice.drift(suffice.QuadraticDiscriminantAnalysis().fit(X[one], y[one]),
                         suffice.QuadraticDiscriminantAnalysis().fit(X[other], y[other]))
    for each in plain["columns"]:
        assert column(full, each["column"])["p_value"] == pytest.approx(each["p_value"], rel=1e-8)


def test_categories_and_classes_follow_scipy(two_months):
    january, y, february, z = two_months
    found = suffice.drift(suffice.NaiveBayes().fit(january, y), suffice.NaiveBayes().fit(february, z))
    counts = np.array([[np.sum(frame["shop"] == level) for level in "abcd"] for frame in (january, february)])
    shop = column(found, "shop")
    assert shop["p_value"] == pytest.approx(stats.chi2_contingency(counts, correction=False).pvalue, rel=1e-6, abs=1e-300)
    assert shop["divergence"] == pytest.approx(jensenshannon(*counts.astype(float)) ** 2, rel=1e-9)
    shares = np.array([np.bincount(y), np.bincount(z)])
    assert found["classes"]["p_value"] == pytest.approx(stats.chi2_contingency(shares, correction=False).pvalue, rel=1e-9)
    assert found["classes"]["divergence"] == pytest.approx(jensenshannon(*shares.astype(float)) ** 2, rel=1e-9)
    assert [each["divergence"] for each in found["columns"]] == sorted(
        (each["divergence"] for each in found["columns"]), reverse=True)
    changed = {each["column"] for each in found["columns"] if each["adjusted_p_value"] < 0.05}
    assert changed == {"amount", "shop"}


def test_p_values_are_adjusted_by_holm(two_months):
    january, y, february, z = two_months
    found = suffice.drift(suffice.NaiveBayes().fit(january, y), suffice.NaiveBayes().fit(february, z))
    p_values = np.array([each["p_value"] for each in found["columns"]])
    order = np.argsort(p_values)
    raised = np.minimum(1, np.maximum.accumulate(p_values[order] * (len(order) - np.arange(len(order)))))
    np.testing.assert_allclose([each["adjusted_p_value"] for each in found["columns"]], raised[np.argsort(order)])


def test_alarms_are_as_rare_as_the_level_says():
    rng = np.random.default_rng(11)
    alarms = tests = 0
    for _ in range(150):
        y = rng.integers(0, 2, 240)
        frame = pandas.DataFrame({"wide": rng.lognormal(size=240), "shop": rng.choice(list("abcdefgh"), 240),
                                  "count": rng.poisson(2, 240), "flag": rng.integers(0, 2, 240)})
        one = suffice.NaiveBayes(families="auto").fit(frame[:120], y[:120])
        found = suffice.drift(one, suffice.NaiveBayes(families="auto").fit(frame[120:], y[120:]))
        alarms += sum(each["p_value"] < 0.05 for each in found["columns"])
        tests += len(found["columns"])
    assert stats.binomtest(alarms, tests, 0.05).pvalue > 1e-3, alarms / tests


def test_the_expected_accuracy_is_that_of_the_rows():
    rng = np.random.default_rng(5)

    def rows(count, shift):
        y = rng.integers(0, 2, count)
        return rng.multivariate_normal([0, 0], [[1, 0.6], [0.6, 1]], count) + np.outer(y, [1.5, 0]) + [shift, 0], y

    old, fresh, unseen = rows(4000, 0.0), rows(4000, 1.0), rows(40000, 1.0)
    model = suffice.LinearDiscriminantAnalysis().fit(*old)
    found = suffice.drift(model, suffice.LinearDiscriminantAnalysis().fit(*fresh))
    assert found["expected_accuracy"] == pytest.approx(model.score(*unseen), abs=0.015)
    assert found["expected_accuracy_before"] == pytest.approx(model.score(*rows(40000, 0.0)), abs=0.015)
    assert found["expected_loss"] == found["expected_accuracy_before"] - found["expected_accuracy"]


def test_models_files_and_pairs_of_data_say_the_same(two_months, tmp_path, command):
    january, y, february, z = two_months
    for name, frame, labels in (("january", january, y), ("february", february, z)):
        frame.assign(churned=labels).to_csv(tmp_path / f"{name}.csv", index=False)
        subprocess.run([command, "fit", f"{name}.csv", "--target", "churned", "-o", f"{name}.suf", "-q"],
                       cwd=tmp_path, check=True)

    def drift(*arguments):
        done = subprocess.run([command, "drift", *arguments], cwd=tmp_path, capture_output=True, text=True, check=True)
        return done.stdout

    models = json.loads(drift("january.suf", "february.suf", "--json"))
    assert json.loads(drift("january.suf", "february.csv", "--json")) == models
    assert json.loads(drift("january.csv", "february.suf", "--json"))["columns"] == models["columns"]
    assert json.loads(drift("january.csv", "february.csv", "--target", "churned", "--json")) == models
    assert suffice.drift(tmp_path / "january.suf", tmp_path / "february.suf") == models
    assert suffice.drift(str(tmp_path / "january.suf"), str(tmp_path / "february.csv")) == models
    assert set(models) >= {"classes", "columns", "expected_accuracy"}
    assert set(models["columns"][0]) >= {"column", "divergence", "p_value", "adjusted_p_value"}
    february.to_csv(tmp_path / "unlabelled.csv", index=False)
    blind = json.loads(drift("january.suf", "unlabelled.csv", "--json"))
    assert blind["classes"]["divergence"] is None and blind["expected_accuracy"] is None
    assert [each["p_value"] for each in blind["columns"]] == [each["p_value"] for each in models["columns"]]
    xml.etree.ElementTree.fromstring(drift("january.suf", "february.suf", "--format", "svg"))
    page = drift("january.suf", "february.suf", "--format", "html")
    assert "What changed" in page and "<svg" in page
    assert "amount" in drift("january.suf", "february.suf")


def test_nothing_changed_where_both_are_the_same(two_months):
    january, y, _, _ = two_months
    model = suffice.NaiveBayes().fit(january, y)
    found = suffice.drift(model, model)
    assert all(each["divergence"] == 0 and each["p_value"] == 1 for each in found["columns"])
    assert found["classes"] == {**found["classes"], "divergence": 0, "p_value": 1}
    assert found["expected_loss"] == 0


def test_refusals_say_what_is_missing(two_months, tmp_path, command):
    january, y, _, _ = two_months
    january.assign(churned=y).to_csv(tmp_path / "january.csv", index=False)
    run = subprocess.run([command, "drift", "january.csv", "january.csv"], cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 2 and "--target" in run.stderr and run.stdout == ""
    numbers = january[["amount"]].to_numpy()
    regression = suffice.LogisticRegression().fit(numbers, y)
    with pytest.raises(Exception, match="keeps no statistics"):
        suffice.drift(regression, regression)
    with pytest.raises(TypeError, match="must be a fitted model"):
        suffice.drift((numbers, y), (numbers, y))
