"""Offsets of logistic regression: as columns of X and as arrays beside it, against R and by laws."""
import csv
import pathlib

import numpy as np
import pytest
import scipy.sparse as sp
import sklearn
from sklearn.datasets import load_iris, make_classification
from sklearn.linear_model import LogisticRegression as Theirs
from sklearn.model_selection import GridSearchCV, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import suffice

GOLDENS = pathlib.Path(__file__).parent.parent / "goldens"


def golden(file, fit):
    with open(GOLDENS / file, newline="") as lines:
        return [line for line in csv.DictReader(lines) if line["fit"] == fit]


def irises_and_offset():
    X, y = load_iris(return_X_y=True)
    return X[y > 0][:, [0, 2, 3]], y[y > 0]  # sepal_length is the offset


def test_an_offset_is_that_of_glm(tmp_path):
    X, y = irises_and_offset()
    lines = golden("glm_links.csv", "offset")
    model = suffice.LogisticRegression(C=np.inf, tol=1e-10, offset=0).fit(X, y)
    assert model.coef_[0, 0] == pytest.approx(1, abs=1e-12) and model.standard_errors_[1] == 0
    np.testing.assert_allclose(np.r_[model.intercept_, model.coef_[0, 1:]],
                               [float(line["coefficient"]) for line in lines], rtol=1e-7)
    np.testing.assert_allclose(model.standard_errors_[[0, 2, 3]],
                               [float(line["standard_error"]) for line in lines], rtol=1e-7)
    assert model.deviance_ == pytest.approx(float(lines[0]["deviance"]), rel=1e-8)
    assert model.null_deviance_ == pytest.approx(float(lines[0]["null_deviance"]), rel=1e-8)
    assert model.parameter_count_ == 3
    model.save(tmp_path / "m.suf")
    again = suffice.load(tmp_path / "m.suf")
    assert again.offset == 0
    np.testing.assert_allclose(again.predict_proba(X), model.predict_proba(X), rtol=1e-13)
    np.testing.assert_allclose(again.fit(X, y).coef_, model.coef_, rtol=1e-4)


def test_an_offset_goes_through_pipelines_and_folds():
    X, y = irises_and_offset()
    doubled = np.c_[X[:, 1:], X[:, 0]]
    ours = make_pipeline(FunctionTransformer(lambda X: X[:, [2, 0, 1]]), suffice.LogisticRegression(offset=0, tol=1e-10))
    found = cross_val_predict(ours, doubled, y, cv=5, method="decision_function")
    np.testing.assert_allclose(
        found, cross_val_predict(suffice.LogisticRegression(offset=0, tol=1e-10), X, y, cv=5, method="decision_function"))
    fitted = ours.fit(doubled, y)[-1]
    rest = fitted.decision_function(X) - X[:, 0] - X[:, 1:] @ fitted.coef_[0, 1:]
    np.testing.assert_allclose(rest, fitted.intercept_[0], atol=1e-9)
    assert fitted.get_params()["offset"] == 0
    ours.set_params(logisticregression__offset=None)
    assert Theirs(**ours[-1].get_params()).fit(X, y).coef_.shape == (1, 3)


def test_an_array_beside_x_is_the_same_as_a_column_of_it():
    X, y = irises_and_offset()
    settings = {"tol": 1e-10, "C": 2.0}
    by_column = suffice.LogisticRegression(offset=0, **settings).fit(X, y)
    for rows in (X[:, 1:], sp.csr_matrix(X[:, 1:])):
        beside = suffice.LogisticRegression(**settings).fit(rows, y, offset=X[:, 0])
        np.testing.assert_allclose(beside.coef_, by_column.coef_[:, 1:], rtol=1e-9)
        np.testing.assert_allclose(beside.standard_errors_, by_column.standard_errors_[[0, 2, 3]], rtol=1e-9)
        assert (beside.deviance_, beside.null_deviance_) == pytest.approx((by_column.deviance_, by_column.null_deviance_))
        assert (beside.parameter_count_, beside.rank_, beside.bic_) == (3, 2, pytest.approx(by_column.bic_))
        assert beside.laplace_log_evidence_ == pytest.approx(by_column.laplace_log_evidence_)
        for moderated in (False, True):
            np.testing.assert_allclose(beside.predict_proba(rows, moderated, offset=X[:, 0]),
                                       by_column.predict_proba(X, moderated), atol=1e-9)
        np.testing.assert_allclose(beside.predict_log_proba(rows, offset=X[:, 0]), by_column.predict_log_proba(X), atol=1e-7)
        np.testing.assert_allclose(beside.decision_function(rows, offset=X[:, 0]), by_column.decision_function(X), atol=1e-7)
        assert (beside.predict(rows, offset=X[:, 0]) == by_column.predict(X)).all()
        told = beside.explain(rows, offset=X[:, 0])
        scores = told.contributions.sum(axis=2) + told.intercepts
        np.testing.assert_allclose(scores[:, 1] - scores[:, 0], by_column.decision_function(X), atol=1e-7)
        again = beside.update(rows, y, offset=X[:, 0])
        np.testing.assert_allclose(again.coef_, by_column.coef_[:, 1:], rtol=1e-6)
    both = np.c_[np.zeros(len(X)), X[:, 0]]
    np.testing.assert_allclose(suffice.LogisticRegression(**settings).fit(X[:, 1:], y, offset=both).coef_,
                               by_column.coef_[:, 1:], rtol=1e-9)


@pytest.mark.parametrize("name, made", [
    ("probit", suffice.ProbitRegression(C=np.inf, tol=1e-12)),
    ("firth", suffice.LogisticRegression("firth", tol=1e-8)),
    ("lasso_two", suffice.LogisticRegression(C=1 / 3, l1_ratio=1.0, solver="saga", tol=1e-12)),
    ("net_two", suffice.LogisticRegression(C=1 / 3, l1_ratio=0.5, solver="saga", tol=1e-12))])
def test_offsets_of_two_classes_are_those_of_r(name, made):
    X, y = load_iris(return_X_y=True)
    X, y = X[y > 0], y[y > 0]
    known = X[:, 0] - (6 if name.endswith("two") else 0)
    lines = golden("offsets.csv", name)
    model = made.fit(X[:, 1:] if name.endswith("two") else X[:, 2:], y, offset=known)
    np.testing.assert_allclose(np.r_[model.intercept_, model.coef_[0]], [float(line["coefficient"]) for line in lines],
                               rtol=2e-5, atol=1e-9)
    if not name.endswith("two"):
        np.testing.assert_allclose(model.standard_errors_, [float(line["standard_error"]) for line in lines], rtol=1e-7)


def test_offsets_of_three_classes_are_those_of_multinom_and_glmnet(tmp_path):
    X, y = load_iris(return_X_y=True)
    known, lines = X[:, [0, 2, 3]], golden("offsets.csv", "multinom")
    model = suffice.LogisticRegression(C=np.inf, tol=1e-12).fit(X[:, [1]], y, offset=known)
    theirs = [float(line["coefficient"]) for line in lines]
    np.testing.assert_allclose(np.ravel(np.c_[model.intercept_, model.coef_][1:] - np.r_[model.intercept_[0], model.coef_[0]]),
                               theirs, rtol=1e-6)
    np.testing.assert_allclose(model.standard_errors_.ravel(), [float(line["standard_error"]) for line in lines], rtol=1e-6)
    assert (model.deviance_, model.null_deviance_) == pytest.approx(
        (float(lines[0]["deviance"]), float(lines[0]["null_deviance"])), rel=1e-8)
    p = model.predict_proba(X[:, [1]], offset=known)
    assert -2 * np.log(p[np.arange(150), y]).sum() == pytest.approx(model.deviance_)
    by_column = suffice.LogisticRegression(C=np.inf, tol=1e-12, offset=[0, 2, 3]).fit(X, y)
    np.testing.assert_allclose(by_column.predict_proba(X), p, atol=1e-9)
    by_column.save(tmp_path / "m.suf")
    assert suffice.load(tmp_path / "m.suf").offset == [0, 2, 3]
    np.testing.assert_allclose(suffice.load(tmp_path / "m.suf").predict_proba(X), p, atol=1e-9)
    known = X[:, [3, 2, 3]] * [0.5, 0.25, 1]
    for name, ratio in (("lasso_three", 1.0), ("net_three", 0.5)):
        model = suffice.LogisticRegression(C=1 / (150 * 0.05), l1_ratio=ratio, solver="saga", tol=1e-12)
        model.fit(X[:, [1, 0]], y, offset=known)
        theirs = [float(line["coefficient"]) for line in golden("offsets.csv", name)]
        np.testing.assert_allclose(np.c_[model.intercept_, model.coef_].ravel(), theirs, rtol=2e-5, atol=2e-5)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("sparse", [False, True])
def test_a_constant_moves_the_intercepts_alone_also_of_the_evidence_and_the_folds(classes, sparse):
    X, y = make_classification(300, 6, n_informative=4, n_redundant=0, n_classes=classes, random_state=1)
    if sparse:
        X = sp.csr_matrix(np.where(np.abs(X) > 2, X, 0))
    offset = np.full(300, 2.0) if classes == 2 else np.tile([2.0, 0.0, -1.0], (300, 1))
    for make in (lambda: suffice.LogisticRegression(C="evidence", tol=1e-10),
                 lambda: suffice.LogisticRegressionCV(Cs=4, l1_ratios=(0,), scoring="neg_log_loss", tol=1e-10,
                                                      use_legacy_attributes=False),
                 lambda: suffice.LogisticRegressionCV(Cs=[0.1, 1], l1_ratios=(0.5,), solver="saga", scoring="accuracy",
                                                      tol=1e-8, use_legacy_attributes=False)):
        plain, moved = make().fit(X, y), make().fit(X, y, offset=offset)
        assert moved.C_ == pytest.approx(plain.C_, rel=1e-3)
        np.testing.assert_allclose(moved.coef_, plain.coef_, atol=1e-3)
        np.testing.assert_allclose(moved.predict_proba(X, offset=offset), plain.predict_proba(X), atol=1e-3)
        if hasattr(plain, "scores_"):
            assert moved.coefs_paths_.shape == plain.coefs_paths_.shape
            np.testing.assert_allclose(moved.scores_, plain.scores_, atol=1e-4)


def test_an_offset_is_routed_as_metadata():
    X, y = irises_and_offset()
    with sklearn.config_context(enable_metadata_routing=True):
        model = suffice.LogisticRegression(tol=1e-10).set_fit_request(offset=True)
        found = GridSearchCV(model, {"C": [0.5]}, cv=3).fit(X[:, 1:], y, offset=X[:, 0]).best_estimator_
    np.testing.assert_allclose(found.coef_, suffice.LogisticRegression(C=0.5, tol=1e-10, offset=0).fit(X, y).coef_[:, 1:],
                               rtol=1e-8)


@pytest.mark.parametrize("settings, words", [
    ({"offset": 3}, "no column 3 for the offset"), ({"offset": "dose"}, "no column 'dose'"),
    ({"offset": -1}, "'offset' parameter"), ({"offset": [0, 7]}, "no column 7")])
def test_columns_that_cannot_be_offsets_are_one_sentence(settings, words):
    with pytest.raises(ValueError, match=words):
        suffice.LogisticRegression(**settings).fit(*irises_and_offset())


@pytest.mark.parametrize("offset, words", [
    (np.zeros(7), r"the shape \(100,\) or \(100, 2\), not \(7, 1\)"), (np.full(100, np.nan), "row 0 is no finite"),
    (np.zeros((100, 3)), r"not \(100, 3\)")])
def test_arrays_that_cannot_be_offsets_are_one_sentence(offset, words):
    X, y = irises_and_offset()
    with pytest.raises(ValueError, match=words):
        suffice.LogisticRegression().fit(X, y, offset=offset)
    with pytest.raises(ValueError, match=words):
        suffice.LogisticRegression().fit(X, y).predict_proba(X, offset=offset)
    with pytest.raises(TypeError, match="one column for each of the 3 classes"):
        suffice.LogisticRegression(offset=0).fit(*load_iris(return_X_y=True))
    with pytest.raises(ValueError, match="not both"):
        suffice.LogisticRegression(offset=0).fit(X, y, offset=np.zeros(100))
