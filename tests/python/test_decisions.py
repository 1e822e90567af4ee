"""Calibration, thresholds, novelty and top answers through Python, beside scikit-learn and the command's file."""
import pickle

import numpy as np
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.frozen import FrozenEstimator
from sklearn.metrics import log_loss, precision_recall_curve, precision_score, recall_score, top_k_accuracy_score
from sklearn.model_selection import FixedThresholdClassifier

import suffice


@pytest.fixture(scope="module")
def cancer():
    """A naive Bayes that is too sure of itself, and rows it was not trained on."""
    X, y = load_breast_cancer(return_X_y=True)
    return suffice.GaussianNB().fit(X[::2], y[::2]), X[1::2], y[1::2]


def test_isotonic_calibration_is_scikit_learns(cancer):
    model, X, y = cancer
    theirs = CalibratedClassifierCV(FrozenEstimator(model), method="isotonic", ensemble=False).fit(X, y)
    ours = model.calibrate(X, y, "isotonic")
    assert ours.method_ == "isotonic"
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-6)


@pytest.mark.parametrize("method", ["auto", "temperature", "platt", "beta", "isotonic"])
def test_every_calibration_lowers_the_log_loss(cancer, method):
    model, X, y = cancer
    ours = model.calibrate(X, y, method)
    proba = ours.predict_proba(X)
    np.testing.assert_allclose(proba.sum(axis=1), 1, atol=1e-12)
    assert log_loss(y, proba) < 0.5 * log_loss(y, model.predict_proba(X))
    assert (method == "auto") == (set(ours.scores_) == {"none", "temperature", "platt", "beta", "isotonic"})
    np.testing.assert_allclose(np.exp(ours.predict_log_proba(X)), proba, atol=1e-12)


def test_temperature_calibration_minimises_the_log_loss_over_powers(cancer):
    model, X, y = cancer
    reached = log_loss(y, model.calibrate(X, y, "temperature").predict_proba(X))
    logs = model.predict_log_proba(X)
    for temperature in np.geomspace(0.5, 200, 200):
        scores = logs / temperature
        proba = np.exp(scores - scores.max(axis=1, keepdims=True))
        assert reached <= log_loss(y, proba / proba.sum(axis=1, keepdims=True)) + 1e-9


def test_thresholds_decide_as_scikit_learns_fixed_threshold(cancer):
    model, X, y = cancer
    theirs = FixedThresholdClassifier(FrozenEstimator(model), threshold=0.999, pos_label=1,
                                      response_method="predict_proba").fit(X, y)
    ours = model.calibrate(X, y, "none", thresholds={1: 0.999})
    assert ours.thresholds_ == {1: 0.999}
    assert (ours.predict(X) == theirs.predict(X)).all()
    assert (ours.predict(X) != model.predict(X)).any()


def test_thresholds_chosen_on_validation_rows_reach_their_goal(cancer):
    model, X, y = cancer
    positive = model.predict_proba(X)[:, 1]
    precision, recall, threshold = precision_recall_curve(y, positive)
    chosen = model.calibrate(X, y, "none", thresholds={1: ("precision", 0.97)})
    assert chosen.thresholds_[1] == threshold[precision[:-1] >= 0.97][np.argmax(recall[:-1][precision[:-1] >= 0.97])]
    assert precision_score(y, chosen.predict(X)) >= 0.97
    chosen = model.calibrate(X, y, "none", thresholds={1: ("recall", 0.95)})
    assert chosen.thresholds_[1] == threshold[recall[:-1] >= 0.95].max()
    assert recall_score(y, chosen.predict(X)) >= 0.95
    chosen = model.calibrate(X, y, "none", thresholds={1: ("cost", 5.0)})
    costs = [((positive >= t) & (y == 0)).sum() + 5 * ((positive < t) & (y == 1)).sum() for t in np.unique(positive)]
    assert ((chosen.predict(X) == 1) & (y == 0)).sum() + 5 * ((chosen.predict(X) == 0) & (y == 1)).sum() == min(costs)


def test_top_answers_count_as_scikit_learns_top_k():
    X, y = load_iris(return_X_y=True)
    model = suffice.GaussianNB().fit(X[:, :2], y)
    for k in (1, 2):
        best = model.top_k(X[:, :2], k)
        assert best.shape == (150, k)
        assert (best == y[:, None]).any(axis=1).mean() == top_k_accuracy_score(y, model.predict_proba(X[:, :2]), k=k)
    assert (best[:, 0] == model.predict(X[:, :2])).all()
    with pytest.raises(ValueError, match="k is 4"):
        model.top_k(X[:, :2], 4)


def test_novel_rows_are_those_below_the_quantile():
    X, y = load_iris(return_X_y=True)
    model = suffice.QuadraticDiscriminantAnalysis().fit(X, y)
    ready = model.calibrate(X, y, "none", novelty=True)
    evidence = model.log_evidence(X)
    level = np.sort(evidence)[int(0.1 * len(X))]
    assert (ready.is_novel(X, 0.1) == (evidence < level)).all() and ready.is_novel(X, 0.1).sum() == 15
    decided = ready.predict(np.vstack([X[:1], 100 + X[:1]]), novelty=0.1)
    assert decided.tolist() == [0, None]
    assert (suffice.decide(model.predict_proba(X), log_evidence=evidence, novelty=level) == -1).sum() == 15
    with pytest.raises(ValueError, match="novelty=True"):
        model.calibrate(X, y).predict(X, novelty=0.1)
    with pytest.raises(TypeError, match="no density"):
        suffice.LogisticRegression().fit(X, y).calibrate(X, y, novelty=True)


@pytest.mark.parametrize("make", [
    suffice.GaussianNB, lambda: suffice.LogisticRegression(C=10, max_iter=1000), suffice.NaiveBayes,
    lambda: suffice.MixtureDiscriminantAnalysis(1, random_state=0), lambda: suffice.KernelDensityClassifier(bandwidth=0.5)])
def test_stages_survive_files_and_pickles(make, tmp_path):
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    ready = make().fit(X, names).calibrate(X, names, "platt", thresholds={"versicolor": 0.4, "virginica": 0.6})
    ready.save(tmp_path / "model.suf")
    for again in (suffice.load(tmp_path / "model.suf"), pickle.loads(pickle.dumps(ready))):
        assert isinstance(again, suffice.CalibratedModel) and again.method_ == "platt"
        assert again.thresholds_ == ready.thresholds_
        np.testing.assert_allclose(again.predict_proba(X), ready.predict_proba(X), atol=1e-9)
        assert (again.predict(X) == ready.predict(X)).all()


def test_rejected_rows_are_none_where_rows_can_be_rejected():
    X, y = load_iris(return_X_y=True)
    ready = suffice.GaussianNB().fit(X, y).calibrate(X, y, "none", thresholds={0: 0.999, 1: 0.999, 2: 0.999})
    decided = ready.predict(X)
    sure = ready.predict_proba(X).max(axis=1) >= 0.999
    assert decided.dtype == object and [each is not None for each in decided] == sure.tolist()
    assert ready.predict(X, cost=1 - np.eye(3)).tolist() == ready.model.predict(X).tolist()
    assert [each is None for each in ready.predict(X, cost=1 - np.eye(3), reject=0.9)] == \
        (ready.predict_proba(X).max(axis=1) < 0.9).tolist()


def test_bad_stages_are_refused_by_name():
    X, y = load_iris(return_X_y=True)
    model = suffice.GaussianNB().fit(X, y)
    with pytest.raises((ValueError, TypeError), match="magic"):
        model.calibrate(X, y, "magic")
    with pytest.raises(ValueError, match="class 7"):
        model.calibrate(X, y, thresholds={7: 0.5})
    with pytest.raises(ValueError, match=r"\[0, 1\]"):
        model.calibrate(X, y, thresholds={1: 1.5})
    with pytest.raises(ValueError, match="pair of precision, recall, cost"):
        model.calibrate(X, y, thresholds={1: ("luck", 0.5)})
    with pytest.raises(ValueError, match="inconsistent numbers"):
        model.calibrate(X, y[:-1])
    with pytest.raises(ValueError, match="two classes"):
        model.calibrate(X[:50], y[:50])
    with pytest.raises(ValueError, match="novelty needs log_evidence"):
        suffice.decide(model.predict_proba(X), novelty=-3)
    with pytest.raises(TypeError, match="calibrate it"):
        model.calibrate(X, y).fit(X, y)


@pytest.mark.parametrize("make", [
    lambda: suffice.LogisticRegression(max_iter=1000), lambda: suffice.MixtureDiscriminantAnalysis(2, random_state=0),
    suffice.KernelDensityClassifier, lambda: suffice.RegularizedDiscriminantAnalysis(0.5, 0.1)])
def test_every_classifier_reports(make):
    X, y = load_iris(return_X_y=True)
    model = make().fit(X, y)
    page = model.report(X, y).text()
    assert page.startswith("<!doctype html>") and len(page) < 1_000_000
    assert f"{suffice.evaluate(y, model.predict_proba(X))['accuracy']:.4g}" in page


def test_documents_and_calibrated_models_report():
    documents = ["the cat sat on the mat", "a dog and a cat", "stocks fell on monday", "the bank raised rates"] * 5
    labels = ["pets", "pets", "money", "money"] * 5
    model = suffice.TextClassifier().fit(documents, labels)
    assert '"accuracy": 1' in model.report(documents, labels).text("json")
    with pytest.raises(ValueError, match="no columns"):
        model.report(documents, labels, columns=["a", "b"])
    X, y = load_iris(return_X_y=True)
    ready = suffice.GaussianNB().fit(X, y).calibrate(X, y, "temperature")
    assert f"{log_loss(y, ready.predict_proba(X)):.4g}" in ready.report(X, y).text()


def test_a_report_of_many_classes_and_columns_stays_small():
    from sklearn.datasets import load_digits

    X, y = load_digits(return_X_y=True)
    page = suffice.GaussianNB(var_smoothing=1e-3).fit(X, y).report(X, y).text()
    assert len(page) < 2_000_000
    assert "The 12 columns of 64 that separate the classes most" in page
