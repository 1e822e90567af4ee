"""Saved and loaded, an estimator is the same: its class, its parameters, and the bits of its posteriors."""
import os
import pathlib
import subprocess

import numpy as np
import pytest
import sklearn.covariance
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.model_selection import cross_val_score

import suffice

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMAND = pathlib.Path(os.environ.get("SUFFICE", ROOT / "build" / "suffice"))
X, Y = load_wine(return_X_y=True)
WORDS = ["the cat sat on the mat", "a dog and a cat", "stocks fell on monday", "the bank raised rates"]
LDA, QDA = suffice.LinearDiscriminantAnalysis, suffice.QuadraticDiscriminantAnalysis
NUMBERS = [
    suffice.GaussianNB(), suffice.GaussianNB(priors=[0.2, 0.3, 0.5], var_smoothing=1e-6), suffice.BernoulliNB(binarize=2.0),
    suffice.BernoulliNB(alpha=np.linspace(0.5, 2, 13), binarize=1.0), suffice.MultinomialNB(alpha=0.3, fit_prior=False),
    suffice.MultinomialNB(alpha=np.linspace(0.5, 2, 13)), suffice.ComplementNB(norm=True), suffice.ComplementNB(alpha=2.0),
    LDA(), LDA(priors=[0.2, 0.3, 0.5]), LDA("lsqr", shrinkage=0.2), LDA("lsqr", shrinkage="auto"),
    LDA("eigen", shrinkage=0.1, n_components=1, priors=[0.5, 0.25, 0.25]),
    LDA("lsqr", covariance_estimator=sklearn.covariance.OAS()), QDA(), QDA(reg_param=0.05), QDA(priors=[0.2, 0.3, 0.5]),
    QDA(solver="eigen", shrinkage=0.3), QDA(solver="eigen", shrinkage="auto"),
    QDA(solver="eigen", covariance_estimator=sklearn.covariance.ShrunkCovariance(shrinkage=0.2)),
    suffice.GaussianDiscriminant(shared="none", shrinkage="oas", priors="uniform"),
    suffice.GaussianDiscriminant(shared=[[0, 1], [2]], estimate="unbiased"), suffice.GaussianDiscriminant("diagonal"),
    suffice.RegularizedDiscriminantAnalysis(alpha=0.3, gamma=0.1), suffice.NaiveBayes(),
    suffice.NaiveBayes(families=["auto"] * 13, priors=[0.2, 0.3, 0.5]),
    suffice.NaiveBayes(families={"x0": suffice.families.Gamma()}, column_priors={"x1": suffice.families.NormalGamma(2, 1, 2, 2)}),
    suffice.KernelDensityClassifier(bandwidth=0.7, independent=True), suffice.HistogramNB(bins=7),
    suffice.NearestClassifier(n_neighbors=9), suffice.MixtureDiscriminantAnalysis(n_components=2, random_state=3, covariance_type="diag"),
    suffice.LogisticRegression(C=0.5), suffice.LoadedModel("kernel_nb", {"bandwidth": 0.5})]
COUNTS = [suffice.PoissonNB(smoothing=2.0), suffice.CategoricalNB(alpha=0.5), suffice.CategoricalNB(min_categories=40)]


def reloaded(model, path):
    model.save(path)
    return suffice.load(path)


def same_parameters(model, again):
    left, right = model.get_params(), again.get_params()
    assert left.keys() == right.keys()
    for key, value in left.items():
        if isinstance(value, sklearn.base.BaseEstimator):
            assert type(value) is type(right[key])
        else:
            same = np.array_equal if isinstance(value, np.ndarray) else lambda a, b: a == b
            assert same(value, right[key]), key


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("model", NUMBERS + COUNTS, ids=str)
def test_the_same_estimator_comes_back(model, tmp_path):
    rows = np.floor(np.abs(X)).astype(int) % 40 if any(model is each for each in COUNTS) else X
    model = clone(model).fit(rows, Y)
    again = reloaded(model, tmp_path / "model.suf")
    assert type(again) is type(model)
    same_parameters(model, again)
    assert np.array_equal(again.predict_proba(rows), model.predict_proba(rows))
    assert np.array_equal(again.predict(rows), model.predict(rows)) and again.classes_.dtype == model.classes_.dtype
    assert np.array_equal(reloaded(again, tmp_path / "again.suf").predict_proba(rows), model.predict_proba(rows))


@pytest.mark.parametrize("model", [suffice.TextClassifier("bernoulli", smoothing=0.5, token_pattern=r"(?u)\b\w{3,}\b"),
                                   suffice.TextClassifier("ngram", order=2), suffice.TextClassifier(ngram_range=(1, 2))], ids=str)
def test_text_classifiers_come_back(model, tmp_path):
    model = clone(model).fit(WORDS, ["pets", "pets", "money", "money"])
    again = reloaded(model, tmp_path / "text.suf")
    assert type(again) is suffice.TextClassifier
    same_parameters(model, again)
    assert np.array_equal(again.predict_proba(WORDS), model.predict_proba(WORDS))


def test_words_in_order_come_back_to_the_bit(tmp_path):
    random = np.random.default_rng(0)
    texts = [" ".join(random.choice("good bad ugly nice fine sad day night sun rain".split(), 6)) for _ in range(120)]
    model = suffice.TextClassifier("ngram").fit(texts, random.integers(0, 3, 120))
    again = reloaded(model, tmp_path / "words.suf")
    assert np.array_equal(again.predict_joint_log_proba(texts), model.predict_joint_log_proba(texts))
    halves = suffice.TextClassifier("ngram").fit(texts[60:], model.classes_[np.arange(60) % 3]) + suffice.TextClassifier("ngram").fit(texts[:60], model.classes_[np.arange(60) % 3])
    other = suffice.TextClassifier("ngram").fit(texts, model.classes_[np.arange(120) % 3])
    assert np.array_equal(halves.predict_proba(texts), other.predict_proba(texts))


GROUPS = [suffice.GaussianMixture(3, random_state=0), suffice.GaussianMixture(2, covariance_type="tied", random_state=1),
          suffice.GaussianMixture(2, covariance_type="spherical", prior="default", random_state=1),
          suffice.KMeans(3, random_state=0, n_init=2), suffice.MiniBatchKMeans(3, random_state=0, n_init=1),
          suffice.Mixture(family="gaussian", n_components=2, random_state=0), suffice.Mixture(n_components=2, covariance="VEV", random_state=0)]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("model", GROUPS, ids=str)
def test_what_finds_groups_comes_back(model, tmp_path):
    model = clone(model).fit(X)
    again = reloaded(model, tmp_path / "groups.suf")
    assert type(again) is type(model)
    same_parameters(model, again)
    for name, value in vars(model).items():
        if name.endswith("_") and name not in ("labels_", "statistics_", "parameters_"):
            np.testing.assert_array_equal(getattr(again, name), value, err_msg=name)
    for method in ("predict", "predict_proba", "score_samples", "transform"):
        if hasattr(model, method):
            assert np.array_equal(getattr(again, method)(X), getattr(model, method)(X)), method
    assert np.array_equal(reloaded(again, tmp_path / "again.suf").predict(X), model.predict(X))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("model", [suffice.LogisticRegressionCV(Cs=3, cv=3), suffice.AutoClassifier(folds=3, models=["naive_bayes", "lda"])], ids=str)
def test_what_has_chosen_comes_back_with_what_it_has_chosen_from(model, tmp_path):
    model = clone(model).fit(X, Y)
    again = reloaded(model, tmp_path / "chosen.suf")
    assert type(again) is type(model)
    same_parameters(model, again)
    assert np.array_equal(again.predict_proba(X), model.predict_proba(X))
    for name in ("scores_", "C_", "coefs_paths_", "comparison_"):
        assert hasattr(again, name) == hasattr(model, name)
        np.testing.assert_equal(getattr(again, name, None), getattr(model, name, None))
    assert np.array_equal(reloaded(again, tmp_path / "again.suf").predict_proba(X), model.predict_proba(X))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("model", NUMBERS, ids=str)
def test_every_attribute_may_be_asked_for(model):
    """dir() of scikit-learn's estimators asks for each, so that none may fail but by not being there."""
    assert "predict" in dir(clone(model)) and "classes_" in dir(clone(model).fit(X, Y))


def test_labels_names_and_calibrations_come_back(tmp_path):
    pandas = pytest.importorskip("pandas")
    frame, names = pandas.DataFrame(X, columns=load_wine().feature_names), np.array(["low", "middle", "high"], dtype=object)[Y]
    again = reloaded(suffice.GaussianNB().fit(frame, names), tmp_path / "named.suf")
    assert again.classes_.tolist() == ["high", "low", "middle"] and list(again.feature_names_in_) == list(frame.columns)
    assert not hasattr(reloaded(suffice.GaussianNB().fit(X, Y > 0), tmp_path / "plain.suf"), "feature_names_in_")
    assert suffice.load(tmp_path / "plain.suf").classes_.dtype == bool
    calibrated = suffice.GaussianNB(var_smoothing=1e-3).fit(X[::2], Y[::2]).calibrate(X[1::2], Y[1::2], "temperature")
    back = reloaded(calibrated, tmp_path / "calibrated.suf")
    assert repr(back.model) == "GaussianNB(var_smoothing=0.001)"
    assert np.array_equal(back.predict_proba(X), calibrated.predict_proba(X))


def wine_file(folder, rows=X, columns=None):
    names = columns or [f"c{k}" for k in range(rows.shape[1])]
    lines = [",".join([*names, "kind"])] + [",".join([*map(repr, row), str(y)]) for row, y in zip(rows.tolist(), Y)]
    (folder / "wine.csv").write_text("\n".join(lines) + "\n")
    return folder / "wine.csv"


BY_NAME = {"gaussian_nb": "GaussianNB", "multinomial_nb": "MultinomialNB", "complement_nb": "ComplementNB",
           "linear_discriminant": "LinearDiscriminantAnalysis", "quadratic_discriminant": "QuadraticDiscriminantAnalysis",
           "regularized_discriminant": "RegularizedDiscriminantAnalysis", "naive_bayes": "NaiveBayes",
           "diagonal_discriminant": "GaussianDiscriminant", "kernel_density": "KernelDensityClassifier",
           "histogram_nb": "HistogramNB", "nearest": "NearestClassifier", "mixture_discriminant": "MixtureDiscriminantAnalysis",
           "logistic_regression": "LogisticRegression"}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("model", BY_NAME)
def test_a_model_of_the_command_is_the_class_that_has_its_name(model, tmp_path):
    data = wine_file(tmp_path)
    subprocess.run([COMMAND, "fit", data, "--target", "kind", "--model", model, "-o", tmp_path / "m.suf"], check=True,
                   capture_output=True)
    loaded = suffice.load(tmp_path / "m.suf")
    assert type(loaded).__name__ == BY_NAME[model]
    told = subprocess.run([COMMAND, "predict", tmp_path / "m.suf", data, "--proba"], check=True, capture_output=True,
                          text=True).stdout.splitlines()[1:]
    proba = np.array([line.split(",")[1:] for line in told], dtype=float)
    np.testing.assert_allclose(loaded.predict_proba(X), proba, rtol=1e-8, atol=1e-12)
    assert np.isfinite(cross_val_score(clone(loaded), X, Y, cv=3)).all()


def test_what_has_no_class_prints_itself_clones_and_is_cross_validated():
    model = suffice.LoadedModel("kernel_nb", {"bandwidth": 0.5})
    assert repr(model) == "LoadedModel(model='kernel_nb', settings={'bandwidth': 0.5})"
    assert cross_val_score(clone(model), X, Y, cv=3).mean() > 0.5
