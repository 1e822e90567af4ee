"""scikit-learn's fitted estimators as models of this library: equal posteriors, and all that models do here."""
import os
import pathlib
import subprocess
import warnings

import numpy as np
import pytest
from sklearn import cluster, discriminant_analysis, linear_model, mixture, naive_bayes
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier

import suffice

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMAND = pathlib.Path(os.environ.get("SUFFICE", ROOT / "build" / "suffice"))
TOLERANCE = 1e-10


def gaussian_rows(labels=("a", "b", "c"), seed=0):
    rng = np.random.default_rng(seed)
    y = rng.choice(np.array(labels), 240, p=[0.5, 0.3, 0.2])
    at = np.searchsorted(np.unique(labels), y)
    X = rng.normal(size=(240, 3)) @ np.array([[1, 0.4, 0], [0, 1, 0.2], [0, 0, 2.0]]) + at[:, np.newaxis] * [1, -1, 0.5]
    return X * [1, 1, 50] + [0, 0, 1e4], y


def count_rows(seed=0):
    rng = np.random.default_rng(seed)
    y = rng.choice([3, 5, 12], 200)
    return rng.poisson(np.array([[1, 4, 2, 0.2], [3, 1, 2, 0.5], [2, 2, 6, 0.1]])[np.searchsorted([3, 5, 12], y)]), y


CLASSIFIERS = [
    (naive_bayes.GaussianNB(), gaussian_rows), (naive_bayes.GaussianNB(priors=[0.2, 0.3, 0.5], var_smoothing=1e-3), gaussian_rows),
    (naive_bayes.MultinomialNB(), count_rows), (naive_bayes.MultinomialNB(alpha=0.1, class_prior=[0.2, 0.3, 0.5]), count_rows),
    (naive_bayes.MultinomialNB(alpha=[0.1, 1, 2, 3], fit_prior=False), count_rows),
    (naive_bayes.ComplementNB(alpha=0.5), count_rows), (naive_bayes.ComplementNB(norm=True), count_rows),
    (naive_bayes.BernoulliNB(binarize=1.5), count_rows), (naive_bayes.BernoulliNB(alpha=0.2, fit_prior=False), count_rows),
    (naive_bayes.CategoricalNB(), count_rows), (naive_bayes.CategoricalNB(alpha=0.3, min_categories=40), count_rows),
    (discriminant_analysis.LinearDiscriminantAnalysis(store_covariance=True), gaussian_rows),
    (discriminant_analysis.LinearDiscriminantAnalysis("lsqr", shrinkage="auto"), gaussian_rows),
    (discriminant_analysis.LinearDiscriminantAnalysis("eigen", shrinkage=0.3, priors=[0.2, 0.3, 0.5]), gaussian_rows),
    (discriminant_analysis.QuadraticDiscriminantAnalysis(), gaussian_rows),
    (discriminant_analysis.QuadraticDiscriminantAnalysis(reg_param=0.2, priors=[0.2, 0.3, 0.5]), gaussian_rows),
    (linear_model.LogisticRegression(max_iter=3000), gaussian_rows),
    (linear_model.LogisticRegression(C=0.1, fit_intercept=False, max_iter=3000), count_rows),
    (linear_model.LogisticRegressionCV(Cs=3, max_iter=3000, l1_ratios=(0,), use_legacy_attributes=False), count_rows)]


def told(estimator):
    return f"{type(estimator).__name__}-{len(str(estimator))}"


@pytest.fixture(params=CLASSIFIERS, ids=lambda pair: told(pair[0]))
def pair(request):
    """Theirs, ours of it, and the rows."""
    estimator, make = request.param
    X, y = make()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = clone(estimator).fit(X, y)
    return theirs, suffice.from_sklearn(theirs), X, y


def test_posteriors_and_labels_are_theirs(pair):
    theirs, ours, X, _ = pair
    assert type(ours).__module__.startswith("suffice")
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=0, atol=TOLERANCE)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    assert ours.classes_.tolist() == theirs.classes_.tolist()


def test_contributions_add_up_to_their_scores(pair):
    theirs, ours, X, _ = pair
    contributions, intercepts = ours.explain(X)
    joint = contributions.sum(axis=2) + intercepts
    log_posterior = joint - np.logaddexp.reduce(joint, axis=1)[:, np.newaxis]
    np.testing.assert_allclose(np.exp(log_posterior), theirs.predict_proba(X), rtol=0, atol=1e-9)


def test_the_file_gives_their_posteriors_to_the_command_and_to_load(pair, tmp_path):
    theirs, ours, X, _ = pair
    ours.save(tmp_path / "m.suf")
    again = suffice.load(tmp_path / "m.suf")
    assert type(again) is type(ours)
    np.testing.assert_allclose(again.predict_proba(X), theirs.predict_proba(X), rtol=0, atol=1e-9)
    flags = X if not isinstance(theirs, naive_bayes.BernoulliNB) else (X > theirs.binarize).astype(int)
    np.savetxt(tmp_path / "x.csv", flags, delimiter=",", header=",".join(f"x{k}" for k in range(X.shape[1])), comments="", fmt="%.17g")
    done = subprocess.run([COMMAND, "predict", tmp_path / "m.suf", tmp_path / "x.csv", "--proba"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    lines = [line.split(",") for line in done.stdout.splitlines()]
    order = [lines[0].index(f"p({label})") for label in theirs.classes_]
    found = np.array([[float(line[place]) for place in order] for line in lines[1:]])
    np.testing.assert_allclose(found, theirs.predict_proba(X), rtol=0, atol=1e-9)


def test_exports_give_their_posteriors(pair):
    runtime = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    theirs, ours, X, _ = pair
    if isinstance(theirs, naive_bayes.BernoulliNB):
        X = (X > theirs.binarize).astype(float)
        theirs.binarize = ours.binarize = None
    session = runtime.InferenceSession(ours.to_onnx(), providers=["CPUExecutionProvider"])
    words = session.get_inputs()[0].type == "tensor(string)"
    feeds = {f"x{k}": X[:, [k]].astype(int).astype(str).astype(object) if words else X[:, [k]].astype(float) for k in range(X.shape[1])}
    label, found = session.run(["label", "probabilities"], feeds)
    np.testing.assert_allclose(found, theirs.predict_proba(X), rtol=0, atol=1e-9)
    np.testing.assert_array_equal(label, theirs.predict(X))
    assert "suffice_posteriors" in ours.to_c() and "prediction" in ours.to_sql("sqlite")


def test_a_report_is_written(pair, tmp_path):
    _, ours, X, y = pair
    ours.report(X, y).save(tmp_path / "report.html")
    assert "<html" in (tmp_path / "report.html").read_text()[:500].lower()


def test_column_names_go_along():
    pandas = pytest.importorskip("pandas")
    X, y = gaussian_rows()
    frame = pandas.DataFrame(X, columns=["long", "wide", "deep, \"very\""])
    ours = suffice.from_sklearn(naive_bayes.GaussianNB().fit(frame, y))
    assert '"deep, ""very"""' in ours.to_sql("duckdb")
    assert ours.feature_names_in_.tolist() == frame.columns.tolist()


def test_naive_bayes_goes_on_learning_from_its_counts():
    X, y = count_rows()
    half = naive_bayes.MultinomialNB(alpha=0.5).fit(X[:100], y[:100])
    ours = suffice.from_sklearn(half).partial_fit(X[100:], y[100:])
    np.testing.assert_allclose(ours.feature_log_prob_, naive_bayes.MultinomialNB(alpha=0.5).fit(X, y).feature_log_prob_, rtol=1e-12)


def test_a_class_without_rows_stays_a_class():
    X, y = count_rows()
    theirs = naive_bayes.MultinomialNB().partial_fit(X[y != 5], y[y != 5], classes=[3, 5, 12])
    with np.errstate(divide="ignore"):
        np.testing.assert_allclose(suffice.from_sklearn(theirs).predict_proba(X), theirs.predict_proba(X), rtol=0, atol=TOLERANCE)


def test_labels_of_any_kind_come_back():
    X, _ = gaussian_rows()
    for labels in (X[:, 0] > 0, np.where(X[:, 0] > 0, 1.0, -2.0), np.where(X[:, 0] > 0, "yes", "no").astype(object)):
        ours = suffice.from_sklearn(discriminant_analysis.QuadraticDiscriminantAnalysis().fit(X, labels))
        assert ours.predict(X).dtype.kind == labels.dtype.kind and set(ours.predict(X).tolist()) == set(labels.tolist())


def test_linear_discriminants_without_a_covariance_become_a_regression():
    X, y = gaussian_rows()
    theirs = discriminant_analysis.LinearDiscriminantAnalysis().fit(X, y)
    with pytest.warns(UserWarning, match="store_covariance=True"):
        ours = suffice.from_sklearn(theirs)
    assert isinstance(ours, suffice.LogisticRegression)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=0, atol=TOLERANCE)
    assert ours.to_sql("postgresql").startswith("-- ")


@pytest.mark.parametrize("shape", ["full", "tied", "diag", "spherical"])
def test_mixtures_have_their_shares_and_densities(shape, tmp_path):
    runtime = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    X, _ = gaussian_rows()
    theirs = mixture.GaussianMixture(3, covariance_type=shape, random_state=0).fit(X)
    ours = suffice.from_sklearn(theirs)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=0, atol=TOLERANCE)
    np.testing.assert_allclose(ours.score_samples(X), theirs.score_samples(X), rtol=1e-10)
    ours.save(tmp_path / "m.suf")
    np.testing.assert_allclose(suffice.load(tmp_path / "m.suf").predict_proba(X), theirs.predict_proba(X), rtol=0, atol=1e-9)
    session = runtime.InferenceSession(ours.to_onnx(), providers=["CPUExecutionProvider"])
    label, found = session.run(["label", "probabilities"], {f"x{k}": X[:, [k]] for k in range(3)})
    np.testing.assert_allclose(found, theirs.predict_proba(X), rtol=0, atol=1e-9)
    np.testing.assert_array_equal(label, theirs.predict(X))


@pytest.mark.parametrize("kind", [cluster.KMeans, cluster.MiniBatchKMeans])
def test_k_means_says_the_nearest_centre_wherever_it_goes(kind, tmp_path):
    runtime = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    X, _ = gaussian_rows()
    theirs = kind(12, random_state=0, n_init=1).fit(X)
    ours = suffice.from_sklearn(theirs)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    ours.save(tmp_path / "m.suf")
    np.testing.assert_array_equal(suffice.load(tmp_path / "m.suf").predict(X), theirs.predict(X))
    session = runtime.InferenceSession(ours.to_onnx(), providers=["CPUExecutionProvider"])
    np.testing.assert_array_equal(session.run(["label"], {f"x{k}": X[:, [k]] for k in range(3)})[0], theirs.predict(X))


def test_what_cannot_be_taken_says_what_can():
    with pytest.raises(TypeError, match="GaussianNB.*KMeans.*not DecisionTreeClassifier"):
        suffice.from_sklearn(DecisionTreeClassifier())
    with pytest.raises(Exception, match="not fitted yet"):
        suffice.from_sklearn(naive_bayes.GaussianNB())
    X, y = count_rows()
    changed = naive_bayes.MultinomialNB().fit(X, y)
    changed.feature_log_prob_ = changed.feature_log_prob_ * 2
    with pytest.raises(ValueError, match="not what its counts and parameters give"):
        suffice.from_sklearn(changed)
    ours = suffice.GaussianNB().fit(*gaussian_rows())
    assert suffice.from_sklearn(ours) is ours
