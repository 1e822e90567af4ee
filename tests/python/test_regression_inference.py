"""Robust errors, profile intervals, tests of terms and Firth's penalty of several classes, as R has them (tools/goldens/regression_errors.R)."""
import csv
import pathlib
import warnings

import numpy as np
import pytest
from scipy import optimize, special
from sklearn.datasets import load_iris

import suffice

GOLDENS = pathlib.Path(__file__).resolve().parents[1] / "goldens"


def golden(case):
    with open(GOLDENS / "regression_errors.csv", newline="") as file:
        return {row["name"]: float(row["value"]) if row["value"] != "NA" else np.nan
                for row in csv.DictReader(file) if row["case"] == case}


def rows_of(name):
    with open(GOLDENS / "mclust_data" / f"{name}.csv", newline="") as file:
        _, *rows = csv.reader(file)
    return np.array([row[:-1] for row in rows], dtype=float), np.array([row[-1] for row in rows])


@pytest.fixture(scope="module")
def two():
    X, y = rows_of("iris")
    kept = y != "setosa"
    return X[kept][:, :3], y[kept]


def fit(X, y, **given):
    return suffice.LogisticRegression(**{"C": np.inf, "tol": 1e-10, "max_iter": 500} | given).fit(X, y)


def test_robust_errors_are_those_of_the_sandwich(two):
    X, y = two
    model = fit(X, y)
    np.testing.assert_allclose(model.robust_errors(X, y), list(golden("robust").values()), rtol=1e-5)
    times = 1.0 + np.arange(1, len(y) + 1) % 3
    np.testing.assert_allclose(model.robust_errors(X, y, sample_weight=times), list(golden("robust_copies").values()), rtol=1e-5)
    worth = np.array([0.5, 1, 2, 3.5])[np.arange(1, len(y) + 1) % 4]
    for scale in (1.0, 40.0):
        np.testing.assert_allclose(model.robust_errors(X, y, sample_weight=scale * worth, importance=True),
                                   list(golden("importance").values()), rtol=1e-5)


def test_robust_errors_of_three_classes_are_the_sandwich_written_out():
    X, y = rows_of("diabetes")
    X = (X - X.mean(0)) / X.std(0)
    model = fit(X, y)
    Z, p = np.column_stack([np.ones(len(X)), X]), model.predict_proba(X)
    scores = np.einsum("nc,nj->ncj", (np.eye(3)[np.searchsorted(model.classes_, y)] - p)[:, 1:], Z).reshape(len(X), -1)
    np.testing.assert_allclose(model.robust_errors(X, y).ravel(),
                               np.sqrt(np.diag(model.covariance_ @ (scores.T @ scores) @ model.covariance_)), rtol=1e-5)


def test_profile_intervals_and_tests_are_those_of_glm(two):
    X, y = two
    model = fit(X, y)
    expected = np.column_stack([list(golden("profile_low").values()), list(golden("profile_high").values())])
    np.testing.assert_allclose(model.profile_intervals(X, y), expected, rtol=1e-6)
    told = model.term_tests(X, y)
    np.testing.assert_allclose([each["chi_square"] for each in told], list(golden("tests").values()), rtol=1e-7)
    np.testing.assert_allclose([each["p_value"] for each in told], list(golden("tests_p").values()), rtol=1e-6)
    assert [each["degrees"] for each in told] == [1, 1, 1]
    narrow = model.profile_intervals(X, y, coverage=0.5)
    assert (narrow[:, 0] > expected[:, 0]).all() and (narrow[:, 1] < expected[:, 1]).all()


def test_tests_of_three_classes_are_those_of_fits_without_the_column():
    X, y = load_iris(return_X_y=True)
    y[::7] = (y[::7] + 1) % 3  # so that no plane separates the classes
    told = fit(X, y).term_tests(X, y)

    def deviance(rows):
        return fit(rows, y).deviance_

    whole = deviance(X)
    for column, each in enumerate(told):
        assert each["degrees"] == 2
        assert each["chi_square"] == pytest.approx(deviance(np.delete(X, column, axis=1)) - whole, rel=1e-6)
        assert each["p_value"] == pytest.approx(np.exp(-each["chi_square"] / 2), rel=1e-9)


def test_firths_profile_is_that_of_the_penalised_likelihood(two):
    X, y = two
    model = fit(X, y, penalty="firth")
    np.testing.assert_allclose(np.r_[model.intercept_, model.coef_[0]], list(golden("firth").values()), rtol=1e-4)
    intervals = model.profile_intervals(X, y)
    np.testing.assert_allclose(intervals[2:, 0], list(golden("firth_profile_low").values()), rtol=1e-4)
    np.testing.assert_allclose(intervals[2:, 1], list(golden("firth_profile_high").values()), rtol=1e-4)
    np.testing.assert_allclose([each["chi_square"] for each in model.term_tests(X, y)][1:], list(golden("firth_tests").values()),
                               rtol=1e-4)


def test_firth_of_three_classes_is_brglm2s():
    X, y = rows_of("diabetes")
    X = (X - X.mean(0)) / X.std(0, ddof=1)
    model = fit(X, y, penalty="firth")
    first = np.flatnonzero(model.classes_ == "Chemical")[0]
    for name in ("Normal", "Overt"):
        own = np.flatnonzero(model.classes_ == name)[0]
        ours = np.r_[model.intercept_[own] - model.intercept_[first], model.coef_[own] - model.coef_[first]]
        np.testing.assert_allclose(ours, list(golden(f"firth_of_three {name}").values()), rtol=1e-4, atol=1e-5)


def test_firth_of_separated_classes_is_the_maximum_of_the_penalised_likelihood():
    X, y = load_iris(return_X_y=True)
    X = (X - X.mean(0)) / X.std(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = fit(X, y, penalty="firth")
    Z, truth = np.column_stack([np.ones(len(X)), X]), np.eye(3)[y]

    def penalised(beta):
        score = np.column_stack([np.zeros(len(X)), Z @ beta.reshape(2, -1).T])
        log_p = score - special.logsumexp(score, axis=1, keepdims=True)
        p = np.exp(log_p)
        information = sum(np.kron((np.diag(row) - np.outer(row, row))[1:, 1:], np.outer(z, z)) for row, z in zip(p, Z))
        return -(truth * log_p).sum() - np.linalg.slogdet(information)[1] / 2

    ours = np.column_stack([model.intercept_, model.coef_])
    ours = (ours[1:] - ours[0]).ravel()
    found = optimize.minimize(penalised, ours, method="BFGS", options={"gtol": 1e-6})
    assert penalised(ours) <= found.fun + 1e-5 and np.abs(ours).max() < 50


def test_ratios_are_refused_where_they_mean_nothing(two):
    X, y = two
    with pytest.raises((TypeError, ValueError), match="penalty"):
        suffice.LogisticRegression(C=1.0).fit(X, y).profile_intervals(X, y)
    with pytest.raises(ValueError, match="not the rows"):
        fit(X, y).term_tests(X[::2], y[::2])
    with pytest.raises(ValueError, match="class_weight"):
        fit(X, y, class_weight="balanced").term_tests(X, y)


def test_a_weight_of_two_is_two_rows_in_profiles_and_tests(two):
    X, y = two
    times = (1 + np.arange(len(y)) % 3).astype(int)
    by_weight = suffice.LogisticRegression(C=np.inf, tol=1e-10).fit(X, y, sample_weight=times)
    copies = np.repeat(np.arange(len(y)), times)
    by_copies = fit(X[copies], y[copies])
    np.testing.assert_allclose(by_weight.profile_intervals(X, y, sample_weight=times),
                               by_copies.profile_intervals(X[copies], y[copies]), rtol=1e-5)


@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
def test_a_regression_over_missing_values_predicts_rows_that_have_some(tmp_path):
    """Whole rows score nearly as by a regression on all values, rows without any as by the shares of the classes."""
    draw = np.random.default_rng(3)
    X = draw.normal(size=(300, 2)) @ [[1, .8], [0, .6]]
    y = (draw.random(300) < 1 / (1 + np.exp(-(X @ [2, -1])))).astype(int)
    holes = X.copy()
    holes[draw.random(X.shape) < .2] = np.nan
    with pytest.warns(UserWarning, match="integrated"):
        model = suffice.fit(holes, y, "logistic_regression", missing_values="integrate")
    seen = model.predict_proba(holes)
    assert np.isfinite(seen).all() and (model.predict(holes) == y).mean() > max(y.mean(), 1 - y.mean()) + .05
    whole = suffice.LogisticRegression(C=np.inf).fit(X, y).predict_proba(X)
    full = ~np.isnan(holes).any(axis=1)
    np.testing.assert_allclose(seen[full], whole[full], atol=.15)
    np.testing.assert_allclose(model.predict_proba(np.full((1, 2), np.nan))[0, 1], y.mean(), atol=.05)
    model.save(tmp_path / "m.suf")
    np.testing.assert_allclose(suffice.load(tmp_path / "m.suf").predict_proba(holes), seen, rtol=1e-12)
