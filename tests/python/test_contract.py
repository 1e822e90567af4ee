"""The lines that users' scripts rely on, one test after the other: names, forms, defaults, identities."""
import inspect
import pickle

import numpy as np
import pytest
from scipy import stats
from sklearn.base import clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.mixture import GaussianMixture
from sklearn.model_selection import PredefinedSplit, cross_val_predict

import suffice
from suffice import families

pandas = pytest.importorskip("pandas")


def problem(rows=300, classes=3, columns=3, seed=5):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, rows)
    X = rng.normal(size=(rows, columns)) @ rng.normal(size=(columns, columns)) + 1.5 * y[:, None]
    return X, y


def mixed(rows=400, seed=3):
    rng = np.random.default_rng(seed)
    y = np.array(["no", "yes"])[rng.integers(0, 2, rows)]
    up = (y == "yes").astype(int)
    colour = rng.integers(0, 2, rows)
    frame = pandas.DataFrame({
        "size": rng.normal(size=rows) + up, "visits": rng.poisson(2 + 3 * up), "new": rng.uniform(size=rows) < 0.3,
        "colour": np.array(["red", "blue", "green"])[colour + up],
        "shade": np.array(["dark", "light"])[(colour + rng.integers(0, 4, rows) // 3) % 2],
        "share": rng.beta(2 + up, 5, rows)})
    return frame, y


MADE = {
    "GaussianNB": {}, "LinearDiscriminantAnalysis": {}, "QuadraticDiscriminantAnalysis": {}, "GaussianDiscriminant": {},
    "RegularizedDiscriminantAnalysis": {}, "NaiveBayes": {},
}
each_model = pytest.mark.parametrize("name", MADE)


def signature(kind):
    return {name: each.default for name, each in inspect.signature(kind).parameters.items()}


def test_constructors_have_the_names_and_defaults_of_the_contract():
    assert signature(suffice.GaussianDiscriminant) == dict(
        covariance="full", shared="all", shrinkage=None, estimate="likelihood", priors=None, prior=None, unlabeled=None)
    assert signature(suffice.NaiveBayes) == dict(families=None, priors=None, estimate="map", smoothing=1.0,
                                                 column_priors=None, joint=None, unlabeled=None)
    assert {"alpha", "gamma"} <= signature(suffice.RegularizedDiscriminantAnalysis).keys()


@pytest.mark.parametrize("covariance", ["full", "diagonal", "spherical"])
@pytest.mark.parametrize("shared", ["all", "none", [["a", "b"], ["c"]]])
@pytest.mark.parametrize("shrinkage", [None, "auto", "oas", "ledoit_wolf", 0.1])
def test_gaussian_discriminant_takes_every_structure(covariance, shared, shrinkage):
    if covariance != "full" and shrinkage is not None:
        pytest.skip("shrinkage is of full covariances")
    X, y = problem()
    model = suffice.GaussianDiscriminant(covariance, shared, shrinkage).fit(X, np.array(list("abc"))[y])
    assert np.allclose(model.predict_proba(X).sum(axis=1), 1)
    assert model.score(X, np.array(list("abc"))[y]) > 0.5


@pytest.mark.parametrize("estimate", ["likelihood", "unbiased", "map", "predictive"])
@pytest.mark.parametrize("priors", [None, "uniform", [0.2, 0.3, 0.5]])
def test_gaussian_discriminant_takes_every_estimate_and_prior(estimate, priors):
    X, y = problem()
    model = suffice.GaussianDiscriminant(shared="none", estimate=estimate, priors=priors).fit(X, y)
    expected = {None: np.bincount(y) / len(y), "uniform": np.full(3, 1 / 3)}.get(
        priors if not isinstance(priors, list) else "given", [0.2, 0.3, 0.5])
    np.testing.assert_allclose(model.class_prior_, expected)
    made = dict(mean=X.mean(axis=0), mean_weight=1.0, degrees=5.0, scatter=np.eye(3))
    if estimate in ("map", "predictive"):
        assert np.isfinite(suffice.GaussianDiscriminant(shared="none", estimate=estimate, prior=made).fit(
            X, y).predict_log_proba(X)).all()


def test_families_are_given_by_name_by_object_or_chosen_by_the_data():
    frame, y = mixed()
    frame = frame[["visits", "size"]]
    named = suffice.NaiveBayes(families={"visits": "poisson"}).fit(frame, y)
    as_object = suffice.NaiveBayes(families={"visits": families.Poisson()}).fit(frame, y)
    as_list = suffice.NaiveBayes(families=["poisson", "gaussian"]).fit(frame, y)
    chosen = suffice.NaiveBayes(families={"visits": "auto"}).fit(frame, y)
    for other in (as_object, as_list, chosen):
        np.testing.assert_allclose(other.predict_proba(frame), named.predict_proba(frame), rtol=1e-12)


def test_a_prior_of_a_column_is_an_object_or_its_text():
    frame, y = mixed()
    frame = frame[["new"]]
    ours = suffice.NaiveBayes(column_priors={"new": families.Beta(2, 5)}).fit(frame, y)
    text = suffice.NaiveBayes(column_priors={"new": "beta(2, 5)"}).fit(frame, y)
    assert np.array_equal(ours.predict_proba(frame), text.predict_proba(frame))
    ones, rows = frame["new"].to_numpy()[y == "yes"].sum(), (y == "yes").sum()
    mode = (ones + 2 - 1) / (rows + 2 + 5 - 2)  # of the posterior Beta(2 + ones, 5 + zeros)
    terms = ours.explain(pandas.DataFrame({"new": [True]})).contributions
    assert np.exp(terms[0, 1, 0]) == pytest.approx(mode, rel=1e-12)


def test_joint_columns_are_one_category_of_all_combinations():
    frame, y = mixed()
    apart = frame[["colour", "shade"]]
    together = pandas.DataFrame({"both": frame["colour"] + "/" + frame["shade"]})
    joint = suffice.NaiveBayes(joint=[["colour", "shade"]]).fit(apart, y)
    one = suffice.NaiveBayes().fit(together, y)
    assert frame.groupby(["colour", "shade"]).ngroups == 6  # so that both count the same levels
    np.testing.assert_allclose(joint.predict_proba(apart), one.predict_proba(together), rtol=1e-9)


def test_labels_none_nan_and_unlabeled_are_unknown_and_take_part_by_em():
    X, y = problem()
    hidden = np.arange(len(y)) % 3 != 0
    as_number = np.where(hidden, -1, y)
    as_nan = np.where(hidden, np.nan, y)
    as_none = np.array([None if h else label for h, label in zip(hidden, y)], dtype=object)
    models = [suffice.GaussianDiscriminant(shared="none", unlabeled=-1).fit(X, as_number)]
    models += [suffice.GaussianDiscriminant(shared="none").fit(X, each) for each in (as_nan, as_none)]
    for model in models:
        assert model.classes_.tolist() == [0, 1, 2]
        np.testing.assert_array_equal(model.predict_proba(X), models[0].predict_proba(X))
    known = suffice.GaussianDiscriminant(shared="none").fit(X[~hidden], y[~hidden])
    assert models[0].score(X[hidden], y[hidden]) > known.score(X[hidden], y[hidden]) - 0.02

    def likelihood(model):  # of rows with a label together with it, of the others alone
        joint = model.predict_joint_log_proba(X)
        return joint[~hidden, y[~hidden]].sum() + np.logaddexp.reduce(joint[hidden], axis=1).sum()

    assert models[0].log_likelihood_ == pytest.approx(likelihood(models[0]), rel=1e-9)
    assert likelihood(models[0]) > likelihood(known)
    for refused in (lambda m: m + m, lambda m: m - m, lambda m: m.decay(0.5), lambda m: m.partial_fit(X, y)):
        with pytest.raises(ValueError, match="EM"):
            refused(models[0])
    again = pickle.loads(pickle.dumps(models[0]))
    np.testing.assert_array_equal(again.predict_proba(X), models[0].predict_proba(X))


def test_unlabelled_rows_reach_the_maximum_that_scikit_learns_mixture_finds():
    rng = np.random.default_rng(8)
    y = rng.integers(0, 2, 3000)
    X = rng.normal(size=(3000, 2)) * [1, 2] + 4 * y[:, None]
    hidden = y.astype(float)
    hidden[2:] = np.nan
    hidden[[0, 1, 2, 3, 4, 5, 6, 7]] = y[:8]
    ours = suffice.GaussianDiscriminant(shared="none").fit(X, hidden)
    theirs = GaussianMixture(2, tol=1e-10, max_iter=500, reg_covar=0, means_init=[[0, 0], [4, 4]]).fit(X)
    np.testing.assert_allclose(ours.predict_proba(X).mean(axis=0), theirs.weights_, atol=0.01)
    assert (ours.predict(X) == theirs.predict(X)).mean() > 0.99


def test_unlabelled_rows_of_mixed_columns():
    frame, y = mixed()
    hidden = np.where(np.arange(len(y)) % 2 == 0, y.astype(object), None)
    frame.loc[1, "colour"] = "violet"  # a level that only a row without a label has
    model = suffice.NaiveBayes().fit(frame, hidden, sample_weight=np.linspace(0.5, 2, len(y)))
    assert model.score(frame, y) > 0.8
    assert model.statistics_.weight == pytest.approx(np.linspace(0.5, 2, len(y)).sum())
    with pytest.raises(ValueError, match="labelled"):
        suffice.NaiveBayes().fit(frame, [None] * len(y))


@each_model
def test_sums_differences_and_decay_are_new_models(name, tmp_path):
    X, y = problem()
    kind = getattr(suffice, name)
    a, b = kind(**MADE[name]).fit(X[:150], y[:150]), kind(**MADE[name]).fit(X[150:], y[150:])
    whole = kind(**MADE[name]).fit(X, y)
    before = a.predict_proba(X)
    np.testing.assert_allclose((a + b).predict_proba(X), whole.predict_proba(X), atol=1e-9)
    np.testing.assert_allclose((whole - b).predict_proba(X), before, atol=1e-8)
    assert a.decay(0.5).statistics_.weight == pytest.approx(75)
    np.testing.assert_array_equal(a.predict_proba(X), before)
    total = a.statistics_ + suffice.Statistics.from_bytes(b.statistics_.to_bytes())
    assert (total - b.statistics_).weight == pytest.approx(150)
    whole.save(tmp_path / "model.suf")
    np.testing.assert_allclose(suffice.load(tmp_path / "model.suf").predict_proba(X), whole.predict_proba(X), atol=1e-9)
    with pytest.raises(TypeError):
        a + 1


def test_models_made_with_other_settings_are_not_merged():
    X, y = problem()
    with pytest.raises(ValueError, match="parameters"):
        suffice.GaussianNB().fit(X, y) + suffice.GaussianNB(var_smoothing=1e-3).fit(X, y)


@each_model
def test_explanations_unpack_and_sum_to_the_log_joint(name):
    X, y = problem()
    model = getattr(suffice, name)(**MADE[name]).fit(X, y)
    explained = model.explain(X[:20])
    contributions, intercepts = explained
    assert explained.contributions.shape == (20, 3, 3) and explained.intercepts.shape == (20, 3)
    joint = contributions.sum(axis=2) + intercepts
    np.testing.assert_allclose(np.logaddexp.reduce(joint, axis=1), model.log_evidence(X[:20]), rtol=1e-9)


@each_model
def test_samples_come_from_the_model(name):
    X, y = problem(2000)
    model = getattr(suffice, name)(**MADE[name]).fit(X, y)
    drawn, labels = model.sample(20000, random_state=1)
    assert drawn.shape == (20000, 3) and set(labels) <= {0, 1, 2}
    for c in range(3):
        error = 5 * X[y == c].std(axis=0) / np.sqrt((labels == c).sum())
        assert (abs(drawn[labels == c].astype(float).mean(axis=0) - X[y == c].mean(axis=0)) < error).all()
    again, _ = model.sample(20000, random_state=1)
    assert np.array_equal(drawn, again)


@each_model
def test_leave_one_out_equals_refitting_without_the_row(name):
    X, y = problem(40)
    model = getattr(suffice, name)(**MADE[name]).fit(X, y)
    scores = model.leave_one_out(X, y)
    assert scores.shape == (40, 3)
    for row in (0, 7, 39):
        rest = np.arange(40) != row
        refitted = clone(model).fit(X[rest], y[rest])
        np.testing.assert_allclose(scores[row], refitted.predict_log_proba(X[row:row + 1])[0], atol=1e-6)


def test_coefficients_are_the_scores():
    X, y = problem()
    linear = suffice.GaussianDiscriminant().fit(X, y)
    score = X @ linear.coef_.T + linear.intercept_
    np.testing.assert_allclose(np.exp(score - np.logaddexp.reduce(score, axis=1, keepdims=True)),
                               linear.predict_proba(X), atol=1e-9)
    two = suffice.GaussianDiscriminant().fit(X[y < 2], y[y < 2])
    np.testing.assert_allclose(two.coef_, LinearDiscriminantAnalysis().fit(X[y < 2], y[y < 2]).coef_, rtol=1e-6)
    quadratic = suffice.GaussianDiscriminant(shared="none").fit(X, y)
    score = np.einsum("ni,kij,nj->nk", X, quadratic.quadratic_, X) + X @ quadratic.linear_.T + quadratic.constant_
    np.testing.assert_allclose(np.exp(score - np.logaddexp.reduce(score, axis=1, keepdims=True)),
                               quadratic.predict_proba(X), atol=1e-9)
    with pytest.raises(AttributeError, match="quadratic"):
        quadratic.coef_


@pytest.mark.parametrize("name, count", [("GaussianNB", 2 * 9 + 2), ("LinearDiscriminantAnalysis", 9 + 6 + 2),
                                         ("QuadraticDiscriminantAnalysis", 9 + 18 + 2)])
def test_information_criteria_follow_from_the_joint_likelihood(name, count):
    X, y = problem()
    model = getattr(suffice, name)().fit(X, y)
    joint = model._log_joint(X)[np.arange(len(y)), y].sum()
    assert model.parameter_count_ == count
    assert model.log_likelihood_ == pytest.approx(joint, rel=1e-9)
    assert model.bic_ == pytest.approx(-2 * joint + count * np.log(len(y)))
    assert model.aic_ == pytest.approx(-2 * joint + 2 * count)


def test_ranks_of_full_covariances():
    X, y = problem()
    assert suffice.QuadraticDiscriminantAnalysis().fit(X, y).rank_.tolist() == [3, 3, 3]
    flat = np.column_stack([X, X[:, 0]])
    with pytest.warns(UserWarning, match="singular"):
        assert suffice.GaussianDiscriminant(shared="none").fit(flat, y).rank_.tolist() == [3, 3, 3]


def test_families_have_the_methods_of_the_contract():
    poisson, x = families.Poisson(), np.array([0, 1, 2, 5])
    parameter = poisson.fit(x, weights=[1, 1, 1, 1])
    np.testing.assert_allclose(poisson.log_density(parameter, x), stats.poisson(2).logpmf(x))
    assert (poisson.mean(parameter), poisson.variance(parameter)) == pytest.approx((2, 2))
    assert poisson.natural(parameter)[0] == pytest.approx(np.log(2))
    assert poisson.log_partition(parameter) == pytest.approx(2)
    prior = families.Gamma(2, 1)
    posterior = poisson.posterior(prior, x)
    assert (posterior.shape, posterior.rate) == (10, 5)
    predictive = stats.nbinom(10, 5 / 6).logpmf([3])
    np.testing.assert_allclose(poisson.log_predictive(posterior, [3]), predictive)
    np.testing.assert_allclose(
        poisson.log_evidence(prior, [4, 1]),
        poisson.log_predictive(prior, [4])[0] + poisson.log_predictive(poisson.posterior(prior, [4]), [1])[0])
    assert poisson.sample(parameter, 7, random_state=3).shape == (7,)
    assert repr(parameter) == "Parameter(rate=2.0)" and repr(poisson.default_prior()).startswith("Prior(")
    assert str(families.Beta(2, 5)) == "beta(2.0, 5.0)" and pickle.loads(pickle.dumps(prior)) == prior


def test_families_take_their_shapes_in_the_constructor():
    assert families.Categorical(levels=3).fit([0, 1, 1, 2]).log_probability.shape == (3,)
    counts = families.Multinomial(levels=3)
    np.testing.assert_allclose(counts.log_density(counts.fit([[1, 2, 3]]), [[1, 2, 3]]),
                               stats.multinomial(6, [1 / 6, 2 / 6, 3 / 6]).logpmf([1, 2, 3]))
    negative = families.NegativeBinomial(r=3)
    fitted = negative.fit([0, 2, 4])
    np.testing.assert_allclose(negative.log_density(fitted, [2]), stats.nbinom(3, 0.6).logpmf([2]))
    vector = families.GaussianVector(dimension=2)
    X = np.random.default_rng(0).normal(size=(50, 2))
    np.testing.assert_allclose(vector.variance(vector.fit(X)), np.cov(X.T, bias=True))
    np.testing.assert_allclose(vector.log_density(vector.fit(X), X[:3]),
                               stats.multivariate_normal(X.mean(axis=0), np.cov(X.T, bias=True)).logpdf(X[:3]))


def test_compare_equals_cross_validation_by_refitting():
    X, y = problem()
    fold = np.arange(len(y)) % 5
    done = {each["model"]: each for each in suffice.compare(X, y, folds=fold, models=["lda", "qda", "gnb"])}
    assert set(next(iter(done.values()))) == {"model", "options", "accuracy", "accuracy_se", "log_loss", "log_loss_se",
                                              "difference", "difference_se", "parameters", "bic", "evidence", "seconds"}
    for name, theirs in [("linear_discriminant", LinearDiscriminantAnalysis()),
                         ("quadratic_discriminant", QuadraticDiscriminantAnalysis())]:
        proba = cross_val_predict(theirs, X, y, cv=PredefinedSplit(fold), method="predict_proba")
        assert done[name]["accuracy"] == pytest.approx((proba.argmax(axis=1) == y).mean())
        assert done[name]["log_loss"] == pytest.approx(-np.log(proba[np.arange(len(y)), y]).mean(), rel=1e-6)


def test_compare_puts_the_best_first_and_takes_names_estimators_and_frames():
    frame, y = mixed()
    every = suffice.compare(frame, y, folds=4)
    losses = [each["log_loss"] for each in every if each["log_loss"] is not None]
    assert losses == sorted(losses) and len(every) > 5
    both = suffice.compare(frame, y, folds=4, models=["naive_bayes", suffice.NaiveBayes()])
    assert both[0]["log_loss"] == pytest.approx(both[1]["log_loss"], rel=1e-9)
    assert both[0]["accuracy_se"] == pytest.approx(both[1]["accuracy_se"], rel=1e-9)
    assert both[0]["bic"] == pytest.approx(both[1]["bic"], rel=1e-9)


def test_decide_and_evaluate():
    proba = np.array([[0.6, 0.4], [0.1, 0.9], [0.5, 0.5]])
    assert suffice.decide(proba, cost=np.array([[0, 1], [50, 0]])).tolist() == [1, 1, 1]
    assert suffice.decide(proba, reject=0.7).tolist() == [-1, 1, -1]
    scores = suffice.evaluate(["a", "b", "a"], proba, classes=["a", "b"], sample_weight=[1, 1, 2])
    assert set(scores) == {"rows", "accuracy", "error", "log_loss", "brier", "balanced_accuracy", "matthews",
                           "cohen_kappa", "calibration_error", "classes", "confusion", "precision", "recall", "f1",
                           "roc_auc", "majority"}
    assert scores["classes"] == ["a", "b"] and scores["majority"] == {"class": "a", "accuracy": 0.75}
    assert suffice.evaluate([0, 0], proba[:2])["roc_auc"]["macro"] is None
