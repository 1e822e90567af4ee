"""What only this library has, held against closed forms and scikit-learn."""
import warnings

import numpy as np
import pandas as pd
import pytest

import suffice


def problem():
    rng = np.random.default_rng(2)
    y = rng.integers(0, 3, 400)
    return rng.normal(size=(400, 3)) @ np.array([[1, 0.4, 0], [0, 1, 0.2], [0, 0, 1]]) + y[:, None], y


def test_gaussian_discriminant_is_lda_qda_and_naive_bayes():
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
    from sklearn.naive_bayes import GaussianNB

    X, y = problem()
    for made, theirs in [(dict(shared="all"), LinearDiscriminantAnalysis()),
                         (dict(shared="none"), QuadraticDiscriminantAnalysis()),
                         (dict(shared="none", covariance="diagonal"), GaussianNB(var_smoothing=0))]:
        ours = suffice.GaussianDiscriminant(**made).fit(X, y)
        np.testing.assert_allclose(ours.predict_proba(X), theirs.fit(X, y).predict_proba(X), rtol=0, atol=1e-8)


def test_classes_of_one_group_share_their_quadratic_form_to_the_bit():
    X, y = problem()
    model = suffice.GaussianDiscriminant(shared=[[0, 1], [2]]).fit(X, y)
    assert np.array_equal(model.quadratic_[0], model.quadratic_[1])
    assert not np.array_equal(model.quadratic_[0], model.quadratic_[2])
    score = np.einsum("ni,kij,nj->nk", X, model.quadratic_, X) + X @ model.linear_.T + model.constant_
    score -= score.max(axis=1, keepdims=True)
    posterior = np.exp(score) / np.exp(score).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(posterior, model.predict_proba(X), rtol=0, atol=1e-9)


def test_missing_values_are_integrated_out():
    X, y = problem()
    model = suffice.GaussianDiscriminant(shared="none").fit(X, y)
    holes = X.copy()
    holes[:, 1] = np.nan
    marginal = suffice.GaussianDiscriminant(shared="none").fit(X[:, [0, 2]], y)
    np.testing.assert_allclose(model.predict_proba(holes), marginal.predict_proba(X[:, [0, 2]]), rtol=0, atol=1e-9)


def frames(columns):
    pandas, polars, pyarrow = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    return [pandas.DataFrame(columns), polars.DataFrame(columns), pyarrow.table(columns)]


def test_mixed_columns_come_from_any_data_frame():
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 300)
    columns = {"size": (rng.normal(size=300) + y).tolist(), "colour": np.array(["red", "blue", "green"])[
        np.minimum(rng.integers(0, 2, 300) + y, 2)].tolist(), "new": (rng.uniform(size=300) < 0.3 + 0.4 * y).tolist()}
    columns["size"][5] = None
    columns["colour"][7] = None
    answers = []
    for frame in frames(columns):
        model = suffice.NaiveBayes().fit(frame, np.array(["no", "yes"])[y])
        answers.append(model.predict_proba(frame))
        assert model.feature_names_in_.tolist() == ["size", "colour", "new"]
        families = {part["part"] for part in model.statistics_.parts()}
        assert families == {"gaussian", "categorical", "bernoulli"}
        assert "colour" in model._repr_html_()
        assert model.predict(frame).tolist()[0] in ("no", "yes")
        assert np.isfinite(model.log_evidence(frame)).all()
    assert np.allclose(answers[0], answers[1]) and np.allclose(answers[0], answers[2])


def test_levels_alone_equal_categorical_nb():
    from sklearn.naive_bayes import CategoricalNB

    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(1)
    X, y = rng.integers(0, 4, (200, 3)), rng.integers(0, 3, 200)
    words = pandas.DataFrame({f"c{k}": np.array(list("abcd"))[X[:, k]] for k in range(3)})
    theirs = CategoricalNB(alpha=0.5).fit(X, y).predict_proba(X)
    for estimate in ("map", "predictive"):
        ours = suffice.NaiveBayes(smoothing=0.5, estimate=estimate).fit(words, y)
        np.testing.assert_allclose(ours.predict_proba(words), theirs, rtol=0, atol=1e-9)


def test_columns_are_matched_by_name():
    pandas = pytest.importorskip("pandas")
    X, y = problem()
    frame = pandas.DataFrame(X, columns=["a", "b", "c"])
    model = suffice.NaiveBayes().fit(frame, y)
    np.testing.assert_array_equal(model.predict_proba(frame[["c", "a", "b"]]), model.predict_proba(frame))


def test_numbers_alone_are_gaussian_nb():
    from sklearn.naive_bayes import GaussianNB

    X, y = problem()
    np.testing.assert_allclose(suffice.NaiveBayes(estimate="likelihood").fit(X, y).predict_proba(X),
                               GaussianNB(var_smoothing=0).fit(X, y).predict_proba(X), rtol=0, atol=1e-9)


def test_parameter_counts_and_information_criteria():
    X, y = problem()
    k, m = 3, 3
    for model, count in [(suffice.GaussianDiscriminant(), k * m + m * (m + 1) // 2 + k - 1),
                         (suffice.GaussianDiscriminant(shared="none"), k * m + k * m * (m + 1) // 2 + k - 1),
                         (suffice.GaussianNB(), 2 * k * m + k - 1)]:
        model.fit(X, y)
        assert model.parameter_count_ == count
        assert model.bic_ == pytest.approx(-2 * model.log_likelihood_ + count * np.log(400))
    model = suffice.QuadraticDiscriminantAnalysis().fit(X, y)
    joint = model._log_joint(X)
    assert model.log_likelihood_ == pytest.approx(joint[np.arange(400), y].sum(), rel=1e-9)


def test_families_agree_with_scipy():
    from scipy import stats

    x = np.array([0.0, 1, 2, 5])
    family = suffice.families.Poisson()
    parameter = family.fit(x)
    np.testing.assert_allclose(family.log_density(parameter, x), stats.poisson(2).logpmf(x), rtol=1e-12)
    assert family.mean(parameter) == pytest.approx(2) and family.variance(parameter) == pytest.approx(2)
    assert family.sample(parameter, 5, random_state=1).shape == (5,)
    beta = suffice.families.Bernoulli()
    posterior = beta.posterior(beta.prior("beta(2, 5)"), [1, 1, 0])
    assert np.exp(beta.log_predictive(posterior, [1])[0]) == pytest.approx(4 / 10)


def test_evaluate_agrees_with_scikit_learn():
    from sklearn import metrics

    X, y = problem()
    proba = suffice.GaussianNB().fit(X, y).predict_proba(X)
    ours = suffice.evaluate(y, proba)
    assert ours["accuracy"] == pytest.approx(metrics.accuracy_score(y, proba.argmax(axis=1)))
    assert ours["log_loss"] == pytest.approx(metrics.log_loss(y, proba))
    assert ours["roc_auc"]["macro"] == pytest.approx(metrics.roc_auc_score(y, proba, multi_class="ovr"))
    assert ours["confusion"] == metrics.confusion_matrix(y, proba.argmax(axis=1)).tolist()


def test_files_fit_in_python_and_load(tmp_path):
    path = tmp_path / "rows.csv"
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 100)
    X = rng.normal(size=(100, 2)) + y[:, None]
    path.write_text("a,b,kind\n" + "".join(f"{p!r},{q!r},{'xy'[c]}\n" for (p, q), c in zip(X.tolist(), y)))
    model = suffice.fit_files(str(path), target="kind", model="lda")
    direct = suffice.GaussianDiscriminant().fit(X, np.array(["x", "y"])[y])
    np.testing.assert_allclose(model.predict_proba(X), direct.predict_proba(X), rtol=0, atol=1e-9)
    model.save(tmp_path / "m.suf")
    assert suffice.load(tmp_path / "m.suf").predict(X).tolist() == direct.predict(X).tolist()


def test_files_with_joint_columns_and_rows_without_a_label_fit_as_arrays_do(tmp_path):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 600)
    a = rng.integers(0, 2, 600)
    X = np.column_stack([a, np.where(rng.random(600) < 0.9, a ^ y, a), rng.random(600) < 0.3 + 0.4 * y]).astype(int)
    known = np.where(np.arange(600) % 3 == 0, y, -1)
    path = tmp_path / "rows.csv"
    path.write_text("a,b,c,kind\n" + "".join(f"{p},{q},{r},{['', 'x', 'y'][k + 1]}\n" for (p, q, r), k in zip(X, known)))
    labels = np.array(["x", "y"], dtype=object)[known]
    labels[known < 0] = None
    model = suffice.NaiveBayes(joint=[["x0", "x1"]])
    with pytest.warns(UserWarning, match="400 rows without a class took part"):
        ours = suffice.fit_files(path, target="kind", joint=[["a", "b"]], unlabeled="use")
    np.testing.assert_allclose(ours.predict_proba(X), model.fit(X, labels).predict_proba(X), rtol=0, atol=1e-6)
    with pytest.warns(UserWarning, match="400 rows without a class were skipped"):
        ours = suffice.fit_files(path, target="kind", joint=[["a", "b"]])
    model.fit(X[known >= 0], labels[known >= 0].astype(str))
    np.testing.assert_allclose(ours.predict_proba(X), model.predict_proba(X), rtol=0, atol=1e-12)
    assert (ours.predict(X) == np.array(["x", "y"])[y]).mean() > 0.8  # neither column tells anything by itself
    with pytest.raises(ValueError, match="unlabeled takes skip or use"):
        suffice.fit_files(path, target="kind", unlabeled="guess")
    with pytest.raises(ValueError, match="joint takes lists"):
        suffice.fit_files(path, target="kind", joint=["a", "b"])


def test_arrays_for_a_model_of_a_frame_are_taken_by_position_with_a_warning():
    X, y = problem()
    frame = pd.DataFrame(X, columns=[f"x{k}" for k in range(X.shape[1])])
    for kind in (suffice.NaiveBayes, suffice.GaussianDiscriminant):
        model = kind().fit(frame, y)
        with pytest.warns(UserWarning, match=f"X does not have valid feature names, but {kind.__name__} was fitted with feature names"):
            by_position = model.predict_proba(X)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            np.testing.assert_array_equal(by_position, model.predict_proba(frame))
            kind().fit(X, y).predict(X)


def test_labels_that_look_like_quantities_are_asked_about():
    X, _ = problem()
    with pytest.warns(UserWarning, match="is it a class, or a quantity?"):
        suffice.NaiveBayes().fit(X, np.arange(len(X)))
    with pytest.warns(UserWarning, match="is it a class, or a quantity?"):
        suffice.fit(X, np.linspace(0, 1, len(X)) ** 2)
    with pytest.raises(ValueError, match="Unknown label type: continuous"):  # estimators keep scikit-learn's contract
        suffice.NaiveBayes().fit(X, np.linspace(0, 1, len(X)) ** 2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        suffice.NaiveBayes().fit(X, np.arange(len(X)) % 3 / 2)


def test_a_mixture_of_one_component_with_holes_is_the_gaussian_of_its_class():
    """EM of mixtures fills holes once a step, EM of single Gaussians until they settle: both climb the same likelihood."""
    X, y = problem()
    X[np.random.default_rng(5).random(X.shape) < 0.2] = np.nan
    one = suffice.MixtureDiscriminantAnalysis(n_components=1, covariance_type="full").fit(X, y)
    plain = suffice.GaussianDiscriminant(shared="none").fit(X, y)
    np.testing.assert_allclose(one.predict_proba(X), plain.predict_proba(X), rtol=0, atol=1e-3)
    assert one.log_likelihood_ == pytest.approx(plain.log_likelihood_, rel=1e-6)
