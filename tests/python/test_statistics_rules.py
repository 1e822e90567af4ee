"""Rules that a statistician would ask for: variances, units, labels, weights, honest comparisons."""
import pathlib

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.linear_model import LogisticRegression as Theirs
from sklearn.naive_bayes import GaussianNB as TheirNB

import suffice

SHARED = pathlib.Path(__file__).resolve().parents[3] / "shared" / "data"
WINE = load_wine(return_X_y=True)


def log_joint(X, y, rows, X_new):
    """Naive Bayes with the prior of variances, written out."""
    whole, joint = len(y), []
    classes = np.unique(y)
    scatter = {c: ((X[y == c] - X[y == c].mean(0)) ** 2).sum(0) for c in classes}
    pooled = sum(scatter.values()) / whole
    for c in classes:
        n = (y == c).sum()
        v = (scatter[c] + rows * pooled) / (n + rows)
        joint.append(np.log(n / whole) - 0.5 * (np.log(2 * np.pi * v) + (X_new - X[y == c].mean(0)) ** 2 / v).sum(1))
    return np.array(joint).T


def test_a_variance_has_a_prior_of_ten_rows_at_the_pooled_one():
    X, y = WINE
    model = suffice.NaiveBayes().fit(X, y)
    np.testing.assert_allclose(model.predict_joint_log_proba(X), log_joint(X, y, 10, X), rtol=1e-9)


def test_under_likelihood_nothing_is_added():
    X, y = WINE
    model = suffice.NaiveBayes(estimate="likelihood").fit(X, y)
    np.testing.assert_allclose(model.predict_joint_log_proba(X), log_joint(X, y, 0, X), rtol=1e-9)


@pytest.mark.parametrize("estimate", ["map", "likelihood", "unbiased", "predictive"])
def test_a_columns_units_never_touch_another(estimate):
    X, y = WINE
    X = X.copy()
    X[y == 0, 3] = 15.0  # constant in one class
    units = 10.0 ** np.arange(-6, 7)
    plain = suffice.NaiveBayes(estimate=estimate).fit(X, y).predict_proba(X)
    scaled = suffice.NaiveBayes(estimate=estimate).fit(X * units, y).predict_proba(X * units)
    np.testing.assert_allclose(scaled, plain, rtol=1e-6, atol=1e-12)


def test_tiny_classes_have_sane_posteriors():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], [100, 60, 2])
    X = rng.normal(size=(162, 4)) + y[:, None]
    X[:, 3] = np.where(rng.random(162) < 0.02, 1.0, 0.5)  # almost never another value
    new, truth = rng.normal(size=(300, 4)) + np.repeat([0, 1, 2], 100)[:, None], np.repeat([0, 1, 2], 100)
    new[:, 3] = np.where(rng.random(300) < 0.02, 1.0, 0.5)
    for estimate in ("map", "predictive"):
        proba = suffice.NaiveBayes(estimate=estimate).fit(X, y).predict_proba(new)
        assert suffice.evaluate(truth, proba)["log_loss"] < 3


def test_scikit_learns_name_keeps_scikit_learns_floor():
    X, y = WINE
    np.testing.assert_allclose(suffice.GaussianNB(var_smoothing=1e-3).fit(X, y).predict_proba(X),
                               TheirNB(var_smoothing=1e-3).fit(X, y).predict_proba(X), rtol=1e-9)


@pytest.mark.parametrize("model", [suffice.GaussianDiscriminant(shrinkage=0.1), suffice.NearestClassifier(),
                                   suffice.GaussianDiscriminant(shared="none", shrinkage="oas"),
                                   suffice.KernelDensityClassifier(), suffice.RegularizedDiscriminantAnalysis(gamma=0.3)],
                         ids=lambda model: type(model).__name__)
def test_units_do_not_matter_to_shrinkage_neighbours_and_kernels(model):
    X, y = WINE
    units = 10.0 ** np.linspace(-3, 3, 13)
    plain = model.fit(X, y).predict_proba(X)
    np.testing.assert_allclose(model.fit(X * units, y).predict_proba(X * units), plain, rtol=1e-6, atol=1e-9)


WEIGHTED = [suffice.NaiveBayes(), suffice.GaussianDiscriminant(), suffice.GaussianDiscriminant(shared="none"),
            suffice.KernelDensityClassifier(), suffice.KernelDensityClassifier("silverman"),
            suffice.NearestClassifier(), suffice.NearestClassifier(7), suffice.HistogramNB(),
            suffice.LogisticRegression(C=np.inf), suffice.LogisticRegression()]


@pytest.mark.parametrize("model", WEIGHTED, ids=lambda model: repr(model)[:40])
def test_a_weight_of_two_is_two_rows(model):
    X, y = load_iris(return_X_y=True)
    X = X + np.random.default_rng(1).normal(scale=1e-3, size=X.shape)  # no ties between neighbours
    y[::7] = (y[::7] + 1) % 3  # classes that no plane separates, so that standard errors are finite
    weight = np.random.default_rng(0).integers(0, 4, len(y)).astype(float)
    weight[::50] = 1
    copies = np.repeat(np.arange(len(y)), weight.astype(int))
    by_weight = model.fit(X, y, sample_weight=weight).predict_proba(X)
    if hasattr(model, "standard_errors_"):
        errors = model.standard_errors_
        np.testing.assert_allclose(model.fit(X[copies], y[copies]).standard_errors_, errors, rtol=1e-4)
    by_copies = model.fit(X[copies], y[copies]).predict_proba(X)
    np.testing.assert_allclose(by_weight, by_copies, rtol=1e-6, atol=1e-9)


def test_class_priors_by_a_dirichlet():
    X, y = WINE
    count = np.bincount(y)
    for estimate, added in (("map", 1.0), ("predictive", 2.0)):
        model = suffice.NaiveBayes(estimate=estimate, priors="dirichlet(2)").fit(X, y)
        far = np.full((1, X.shape[1]), np.nan)  # no column tells anything
        np.testing.assert_allclose(model.predict_proba(far)[0], (count + added) / (count + added).sum(), rtol=1e-12)
    by_class = suffice.NaiveBayes(priors="dirichlet(2,1,4)").fit(X, y).predict_proba(np.full((1, 13), np.nan))[0]
    np.testing.assert_allclose(by_class, (count + [1, 0, 3]) / (count + [1, 0, 3]).sum(), rtol=1e-12)


def test_compare_has_a_null_model_paired_differences_and_criteria_where_they_mean_the_same():
    X, y = WINE
    done = suffice.compare(X, y, folds=5)
    by_name = {(each["model"], str(each["options"])): each for each in done}
    assert done[0]["difference"] == 0 and done[0]["difference_se"] == 0
    for each in done:
        if each["log_loss"] is not None:
            assert each["difference"] == pytest.approx(each["log_loss"] - done[0]["log_loss"])
    null = next(each for each in done if each["model"] == "priors_only")
    share = np.bincount(y) / len(y)
    assert null["log_loss"] == pytest.approx(-(share * np.log(share)).sum(), abs=0.01) and null["bic"] is None
    for (model, options), each in by_name.items():
        assert (each["bic"] is None) == (model in ("kernel_density", "kernel_nb", "histogram_nb", "nearest", "priors_only")
                                         or "shrinkage" in options or "alpha" in options or "gamma" in options), model
    assert next(each for each in done if each["model"] == "naive_bayes")["evidence"] is not None


def test_noise_is_best_told_by_the_priors_alone():
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(60, 8)), rng.integers(0, 2, 60)
    assert suffice.compare(X, y, folds=5)[0]["model"] == "priors_only"


def test_nested_choosing_is_what_it_says():
    X, y = WINE
    folds = np.arange(len(y)) % 4
    models = ["lda", "naive_bayes", "priors_only"]
    done = suffice.compare(X, y, folds=folds, models=models, nested=True)
    loss = 0
    for outer in range(4):
        rest, held = folds != outer, folds == outer
        inner = suffice.compare(X[rest], y[rest], folds=folds[rest], models=models)
        best = {"linear_discriminant": suffice.GaussianDiscriminant(), "naive_bayes": suffice.NaiveBayes()}[inner[0]["model"]]
        proba = best.fit(X[rest], y[rest]).predict_proba(X[held])
        loss -= np.log(proba[np.arange(held.sum()), y[held]]).sum()
    assert done["nested"]["log_loss"] == pytest.approx(loss / len(y), rel=1e-6)
    assert {"log_loss", "log_loss_se", "accuracy", "accuracy_se"} == set(done["nested"])


def test_folds_by_group_in_time_and_repeated():
    X, y = WINE
    rng = np.random.default_rng(0)
    order = rng.permutation(len(y))
    X, y = X[order], y[order]
    models = ["gaussian_nb", suffice.NaiveBayes(), suffice.NaiveBayes(estimate="likelihood"), TheirNB()]
    for how in ({"groups": np.arange(len(y)) // 6}, {"time": rng.random(len(y))}, {"repeats": 3}):
        named, ours, likely, theirs = (suffice.compare(X, y, folds=4, models=[each], **how)[0]["log_loss"] for each in models)
        assert named == pytest.approx(ours, rel=1e-9) and named < 0.5
        assert likely == pytest.approx(theirs, abs=1e-2)
    with pytest.raises(ValueError, match="few"):
        suffice.compare(X, y, folds=10, groups=np.arange(len(y)) % 3)


def objective(X, y, model, C, weight, l1_ratio=0.0):
    proba = np.clip(model.predict_proba(X), 1e-300, None)
    loss = -(weight * np.log(proba[np.arange(len(y)), y])).sum()
    coef = model.coef_
    if np.isinf(C):
        return loss
    return loss + ((1 - l1_ratio) / 2 * (coef**2).sum() + l1_ratio * np.abs(coef).sum()) / C


def yeast():
    """Yeast's proteins, or rows like them: ten classes, two columns that are nearly constant."""
    path = SHARED / "ugly" / "yeast.data"
    if path.exists():
        cells = [line.split() for line in path.read_text().splitlines()]
        return np.array([row[-9:-1] for row in cells], dtype=float), np.unique([row[-1] for row in cells], return_inverse=True)[1]
    rng = np.random.default_rng(0)
    y = rng.choice(10, size=1484, p=np.array([463, 429, 244, 163, 51, 44, 37, 30, 20, 3]) / 1484)
    X = rng.normal(0.5, 0.13, size=(1484, 8)) + rng.normal(scale=0.1, size=(10, 8))[y]
    X[:, 4] = np.where(rng.random(1484) < 0.01, 1.0, 0.5)
    X[:, 5] = np.where(rng.random(1484) < 0.01, 0.83, 0.0)
    return X, y


SETS = {"iris": load_iris(return_X_y=True), "wine": WINE, "breast": load_breast_cancer(return_X_y=True), "yeast": yeast(),
        "digits": tuple(each[:600] for each in load_digits(return_X_y=True))}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("balanced", [None, "balanced"])
@pytest.mark.parametrize("C", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize("name", list(SETS))
def test_logistic_regression_reaches_the_least_objective(name, C, balanced):
    X, y = SETS[name]
    X = X if name == "yeast" else (X - X.mean(0)) / np.where(X.std(0) > 0, X.std(0), 1)
    count = np.bincount(y)
    weight = np.ones(len(y)) if balanced is None else (len(y) / (len(count) * count))[y]
    for intercept in (True, False):
        given = {"C": C, "class_weight": balanced, "fit_intercept": intercept}
        ours = suffice.LogisticRegression(**given, tol=1e-10, max_iter=5000).fit(X, y)
        theirs = Theirs(**given, tol=1e-10, max_iter=5000).fit(X, y)
        least = min(objective(X, y, theirs, C, weight),
                    objective(X, y, Theirs(**given, solver="newton-cg", tol=1e-10, max_iter=500).fit(X, y), C, weight))
        assert objective(X, y, ours, C, weight) <= least * (1 + 1e-8)
        assert ours.n_iter_[0] >= 1


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("balanced", [None, "balanced"])
@pytest.mark.parametrize("l1_ratio", [0.3, 1.0])
@pytest.mark.parametrize("name", ["iris", "wine"])
def test_logistic_regression_reaches_the_least_objective_with_corners(name, l1_ratio, balanced):
    X, y = SETS[name]
    X, y = (X - X.mean(0)) / X.std(0), y.copy()
    y[::9] = (y[::9] + 1) % 3
    count = np.bincount(y)
    weight = np.ones(len(y)) if balanced is None else (len(y) / (len(count) * count))[y]
    for C in (0.1, 10.0):
        for intercept in (True, False):
            given = {"C": C, "class_weight": balanced, "fit_intercept": intercept, "l1_ratio": l1_ratio, "solver": "saga", "tol": 1e-10}
            ours = suffice.LogisticRegression(**given, max_iter=5000).fit(X, y)
            theirs = Theirs(**given, max_iter=20000).fit(X, y)
            assert objective(X, y, ours, C, weight, l1_ratio) <= objective(X, y, theirs, C, weight, l1_ratio) * (1 + 1e-8)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("balanced", [None, "balanced"])
@pytest.mark.parametrize("name", ["iris", "wine", "breast"])
def test_logistic_regression_reaches_the_least_objective_without_a_penalty(name, balanced):
    X, y = SETS[name]
    X, y = (X - X.mean(0)) / X.std(0), y.copy()
    y[::7] = (y[::7] + 1) % (y.max() + 1)  # so that no plane separates the classes
    count = np.bincount(y)
    weight = np.ones(len(y)) if balanced is None else (len(y) / (len(count) * count))[y]
    for intercept in (True, False):
        given = {"C": np.inf, "class_weight": balanced, "fit_intercept": intercept, "tol": 1e-10, "max_iter": 5000}
        least = min(objective(X, y, Theirs(**given, solver=solver).fit(X, y), np.inf, weight) for solver in ("lbfgs", "newton-cholesky"))
        assert objective(X, y, suffice.LogisticRegression(**given).fit(X, y), np.inf, weight) <= least * (1 + 1e-8)


@pytest.mark.filterwarnings("ignore")
def test_logistic_regression_without_a_penalty_goes_on_where_the_curvature_misleads():
    X, y = SETS["yeast"]
    count = np.bincount(y)
    weight = (len(y) / (len(count) * count))[y]
    ours = suffice.LogisticRegression(C=np.inf, class_weight="balanced", max_iter=5000, tol=1e-8).fit(X, y)
    theirs = Theirs(C=np.inf, class_weight="balanced", max_iter=3000, tol=1e-8).fit(X, y)
    assert objective(X, y, ours, np.inf, weight) <= objective(X, y, theirs, np.inf, weight) * (1 + 1e-6)
    assert ours.n_iter_[0] > 1


def waveform(rows, rng):
    """Three waves and mixtures of two of them (Breiman and others 1984; The Elements of Statistical Learning, 12.5)."""
    at = np.arange(1, 22)
    first, second, third = (np.maximum(6 - abs(at - middle), 0) for middle in (11, 15, 7))
    y, share = rng.integers(0, 3, rows), rng.random(rows)[:, None]
    return share * np.array([first, first, second])[y] + (1 - share) * np.array([second, third, third])[y] + rng.normal(size=(rows, 21)), y


@pytest.mark.filterwarnings("ignore")
def test_mixtures_of_waves_err_as_published():
    """ESL's table 12.4: mixture discriminants .169 (.006), R's mda .186, quadratic discriminant .209, over ten simulations.

    Three of ours are asked here; all ten gave .156 (.006) and .215.
    """
    errors = []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        (X, y), (new, truth) = waveform(300, rng), waveform(500, rng)
        errors.append([(model.fit(X, y).predict(new) != truth).mean()
                       for model in (suffice.MixtureDiscriminantAnalysis(), suffice.GaussianDiscriminant(shared="none"))])
    mixtures, quadratic = np.mean(errors, axis=0)
    assert mixtures < 0.19 and mixtures < quadratic


def test_calibration_slope_and_intercept_and_delongs_interval():
    rng = np.random.default_rng(0)
    z = rng.normal(size=4000)
    y = (rng.random(4000) < 1 / (1 + np.exp(-(0.5 + z)))).astype(int)
    p = 1 / (1 + np.exp(-2 * z))
    told = suffice.evaluate(y, np.column_stack([1 - p, p]), details=True)
    line = Theirs(C=np.inf, tol=1e-10).fit((2 * z)[:, None], y)
    assert told["calibration"]["slope"][1] == pytest.approx(line.coef_[0, 0], rel=1e-5)
    assert told["calibration"]["intercept"][1] == pytest.approx(line.intercept_[0], rel=1e-5)
    low, high = told["roc_auc"]["interval"][1]
    positive, negative = p[y == 1], p[y == 0]
    beats = (positive[:, None] > negative) + 0.5 * (positive[:, None] == negative)
    error = np.sqrt(beats.mean(1).var(ddof=1) / len(positive) + beats.mean(0).var(ddof=1) / len(negative))
    assert (high - low) / 2 == pytest.approx(1.959964 * error, rel=1e-6)
    assert (high + low) / 2 == pytest.approx(told["roc_auc"]["per_class"][1])


def test_r_gives_the_same_interval_of_the_area_and_the_same_calibration_line():
    goldens = pathlib.Path(__file__).resolve().parents[1] / "goldens"
    p, y = np.loadtxt(goldens / "calibration_rows.csv", delimiter=",", skiprows=1, unpack=True)
    wanted = {name: float(value) for name, value in
              (line.split(",") for line in (goldens / "calibration_values.csv").read_text().split("\n")[1:] if line)}
    told = suffice.evaluate(y.astype(int), np.column_stack([1 - p, p]), details=True)
    assert told["roc_auc"]["interval"][1] == pytest.approx((wanted["low"], wanted["high"]), rel=1e-9)
    for name in ("slope", "intercept", "in_the_large"):
        assert told["calibration"][name][1] == pytest.approx(wanted[name], rel=1e-7)
        assert told["calibration"][f"{name}_se"][1] == pytest.approx(wanted[f"{name}_se"], rel=1e-6)

    def nrd0(x):
        low, high = np.quantile(x, [0.25, 0.75])
        return 0.9 * min(x.std(ddof=1), (high - low) / 1.34) * len(x) ** -0.2

    assert nrd0(p) == pytest.approx(wanted["nrd0_p"], rel=1e-9)
    joint = suffice.KernelDensityClassifier("nrd0").fit(p[:, None], y).predict_joint_log_proba(p[:, None])
    for c in (0, 1):
        own = p[y == c]
        kernel = np.exp(-0.5 * ((p[:, None] - own) / nrd0(own)) ** 2) / (nrd0(own) * np.sqrt(2 * np.pi))
        np.testing.assert_allclose(joint[:, c], np.log(kernel.mean(1)) + np.log((y == c).mean()), rtol=1e-9)


@pytest.mark.parametrize("shared", [False, True, None, "some", 3])
def test_what_may_be_shared_is_said(shared):
    with pytest.raises(ValueError, match="shared must be 'all', 'none' or groups of classes"):
        suffice.GaussianDiscriminant(shared=shared).fit(*WINE)
