"""Forms of the contract that drop-ins and our own classes share: coefficients, refusals, coded and sparse input."""
import warnings

import numpy as np
import pytest
import scipy.sparse
from sklearn.ensemble import AdaBoostClassifier
from sklearn.naive_bayes import CategoricalNB, GaussianNB

import suffice
from suffice import families

pandas = pytest.importorskip("pandas")


def problem(rows=200, classes=3, columns=3, seed=5):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, rows)
    return rng.normal(size=(rows, columns)) @ rng.normal(size=(columns, columns)) + 1.5 * y[:, None], y


def posterior(score):
    return np.exp(score - np.logaddexp.reduce(score, axis=1, keepdims=True))


@pytest.mark.parametrize("model", [suffice.GaussianNB(), suffice.QuadraticDiscriminantAnalysis(),
                                   suffice.QuadraticDiscriminantAnalysis(reg_param=0.1),
                                   suffice.QuadraticDiscriminantAnalysis(solver="eigen", shrinkage=0.2)])
def test_quadratic_drop_ins_have_the_coefficients_of_their_scores(model):
    X, y = problem()
    model.fit(X, y)
    score = np.einsum("ni,kij,nj->nk", X, model.quadratic_, X) + X @ model.linear_.T + model.constant_
    np.testing.assert_allclose(posterior(score), model.predict_proba(X), atol=1e-9)
    np.testing.assert_allclose(np.logaddexp.reduce(score, axis=1), model.log_evidence(X), atol=1e-9)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("kind", ["MultinomialNB", "ComplementNB", "BernoulliNB"])
def test_linear_drop_ins_have_the_coefficients_of_their_scores(kind, classes):
    rng = np.random.default_rng(2)
    y = rng.integers(0, classes, 100)
    X = rng.integers(0, 2, (100, 4)) if kind == "BernoulliNB" else rng.poisson(1 + np.add.outer(y, np.arange(4)) % 3)
    model = getattr(suffice, kind)().fit(X, y)
    assert not hasattr(getattr(suffice, kind)(), "coef_")
    assert model.coef_.shape == (1 if classes == 2 else classes, 4)
    score = X @ model.coef_.T + model.intercept_
    if classes == 2:
        score = np.hstack([np.zeros_like(score), score])
    np.testing.assert_allclose(posterior(score), model.predict_proba(X), atol=1e-9)


@pytest.mark.parametrize("kind", ["GaussianNB", "CategoricalNB", "LinearDiscriminantAnalysis", "NaiveBayes",
                                  "QuadraticDiscriminantAnalysis", "GaussianDiscriminant"])
def test_taking_out_every_row_is_refused_in_one_sentence(kind):
    X, y = problem()
    X = np.abs(X).round().astype(int) if kind == "CategoricalNB" else X
    model = getattr(suffice, kind)().fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ValueError, match="no row would be left"):
            model - model


def test_pieces_of_any_size_and_order_give_the_quadratic_discriminant_of_the_whole():
    X, y = problem(60)
    order = np.argsort(y, kind="stable")
    model = suffice.QuadraticDiscriminantAnalysis()
    for row in order:
        model.partial_fit(X[row:row + 1], y[row:row + 1])
        if row == order[2]:
            with pytest.raises(ValueError, match="classes has to be greater than one"):
                model.predict(X)
            assert not hasattr(model, "quadratic_")
    whole = suffice.QuadraticDiscriminantAnalysis().fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X), whole.predict_proba(X), atol=1e-9)
    early = suffice.QuadraticDiscriminantAnalysis().partial_fit(X[y > 0], y[y > 0], classes=[0, 1, 2])
    with pytest.raises(ValueError, match="no sample in class 0"):
        early.predict(X)


def test_weights_of_a_quadratic_discriminant_may_sum_to_one():
    X, y = problem()
    weight = np.random.default_rng(1).uniform(size=len(y))
    small = suffice.QuadraticDiscriminantAnalysis().fit(X, y, sample_weight=weight / weight.sum())
    large = suffice.QuadraticDiscriminantAnalysis().fit(X, y, sample_weight=weight * 100)
    np.testing.assert_allclose(small.predict_proba(X), large.predict_proba(X), atol=1e-9)
    assert AdaBoostClassifier(suffice.QuadraticDiscriminantAnalysis(), n_estimators=2).fit(X, y).score(X, y) > 0.6
    with pytest.raises(ValueError, match="y has only 1 sample in class 3, covariance is ill defined."):
        suffice.QuadraticDiscriminantAnalysis().fit(np.vstack([X, X[:1]]), [*y, 3])


REFUSED = [("LogisticRegression", name, why) for name, why in [
    ("decay", "cannot decay"), ("statistics_", "no statistics"), ("log_evidence", "no densities"), ("sample", "no densities"),
    ("leave_one_out", "fitting anew"), ("partial_fit", "piece by piece")]]
REFUSED += [("MixtureDiscriminantAnalysis", name, why) for name, why in [
    ("statistics_", "no statistics"), ("coef_", "neither linear nor quadratic"), ("rank_", "no one rank")]]


@pytest.mark.parametrize("kind, name, why", REFUSED)
def test_what_a_model_cannot_do_it_says(kind, name, why):
    X, y = problem(60)
    model = getattr(suffice, kind)().fit(X, y)
    with pytest.raises(AttributeError, match=why):
        getattr(model, name)
    assert not hasattr(model, name)


def test_mixtures_refuse_to_leave_rows_out():
    X, y = problem(60)
    with pytest.raises(TypeError, match="fitting anew"):
        suffice.MixtureDiscriminantAnalysis().fit(X, y).leave_one_out(X, y)


def codes(rows=200):
    rng = np.random.default_rng(0)
    return rng.integers(0, 3, (rows, 2)), rng.integers(0, 2, rows)


@pytest.mark.parametrize("given", ["array", "floats", "frame", "objects"])
@pytest.mark.parametrize("estimate", ["map", "predictive"])
def test_numbers_may_be_categories_and_then_equal_scikit_learns(given, estimate):
    X, y = codes()
    theirs = CategoricalNB(alpha=0.5).fit(X, y).predict_proba(X)
    names = ["categorical", families.Categorical(levels=3)]
    rows = {"array": X, "floats": X.astype(float), "objects": X.astype(object),
            "frame": pandas.DataFrame(X, columns=["a", "b"])}[given]
    model = suffice.NaiveBayes(families=names, estimate=estimate, smoothing=0.5)
    np.testing.assert_allclose(model.fit(rows, y).predict_proba(rows), theirs, atol=1e-12)
    pieces = suffice.NaiveBayes(families=names, estimate=estimate, smoothing=0.5)
    pieces.partial_fit(rows[:90], y[:90]).partial_fit(rows[90:], y[90:])
    np.testing.assert_allclose(pieces.predict_proba(rows), theirs, atol=1e-12)


def test_numbered_categories_may_be_missing_and_are_kept_in_files(tmp_path):
    X, y = codes()
    holes = X.astype(float)
    holes[::7, 0] = np.nan
    model = suffice.NaiveBayes(families=["categorical"] * 2).fit(holes, y)
    known = ~np.isnan(holes[:, 0])
    theirs = CategoricalNB().fit(X[known][:, :1], y[known])
    terms = model.explain(holes[known][:1]).contributions[0, :, 0]
    np.testing.assert_allclose(terms, theirs.feature_log_prob_[0][:, X[known][0, 0]], atol=1e-12)
    model.save(tmp_path / "m.suf")
    frame = pandas.DataFrame(X, columns=["x0", "x1"])
    np.testing.assert_allclose(suffice.load(tmp_path / "m.suf").predict_proba(frame), model.predict_proba(X), atol=1e-12)
    mixture = suffice.Mixture(family="categorical", n_components=2, random_state=0).fit(X)
    assert mixture.predict_proba(X).shape == (200, 2)


@pytest.mark.parametrize("make", [lambda: suffice.NaiveBayes(), lambda: suffice.PoissonNB(),
                                  lambda: suffice.GaussianDiscriminant(), lambda: suffice.KernelDensityClassifier()])
def test_sparse_rows_give_what_dense_ones_do(make):
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 150)
    X = rng.poisson(0.5 + y[:, None], (150, 4)).astype(float)
    dense = make().fit(X, y)
    for form in (scipy.sparse.csr_matrix, scipy.sparse.csc_array):
        sparse = make().fit(form(X), y)
        np.testing.assert_allclose(sparse.predict_proba(form(X)), dense.predict_proba(X), atol=1e-9)
        np.testing.assert_allclose(sparse.explain(form(X)).contributions, dense.explain(X).contributions, atol=1e-9)
    if type(make()) is suffice.NaiveBayes:
        likely = suffice.NaiveBayes(estimate="likelihood").fit(scipy.sparse.csr_matrix(X), y)  # no prior of the variances
        np.testing.assert_allclose(likely.predict_proba(X), GaussianNB().fit(X, y).predict_proba(X), atol=1e-8)
        with pytest.raises(ValueError, match="x1 of a sparse matrix"):
            suffice.NaiveBayes(families={"x1": "categorical"}).fit(scipy.sparse.csr_array(X), y)


def test_variances_of_categories_are_matrices():
    family = families.Categorical(levels=3)
    parameter = family.fit([0, 1, 1, 2])
    p = np.array([0.25, 0.5, 0.25])
    np.testing.assert_allclose(family.variance(parameter), np.diag(p) - np.outer(p, p), atol=1e-12)


def test_evidence_of_counts_in_a_frame_warns_of_nothing():
    X, y = codes()
    frame = pandas.DataFrame(X, columns=["a", "b"])
    model = suffice.MultinomialNB().fit(frame, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert model.log_evidence(frame).shape == (200,)


@pytest.mark.parametrize("model", ["naive_bayes", "logistic_regression"])
@pytest.mark.parametrize("labels, kind", [([10, 9, -1], "i"), (["007", "1", "10"], "U"), (["1.0", "2.0", "3"], "U")])
def test_integer_labels_of_files_come_back_as_integers(tmp_path, model, labels, kind):
    X, y = problem()
    named = np.array(labels)[y]
    pandas.DataFrame(X, columns=["a", "b", "c"]).assign(y=named).to_csv(tmp_path / "rows.csv", index=False)
    fitted = suffice.fit_files(tmp_path / "rows.csv", target="y", model=model)
    assert fitted.classes_.dtype.kind == kind
    assert fitted.score(pandas.DataFrame(X, columns=["a", "b", "c"]), named) > 0.5
