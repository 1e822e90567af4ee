"""The drop-in classes in scikit-learn's own tools: pipelines, searches, calibration, routing, output, threads."""
import inspect

import joblib
import numpy as np
import pytest
import sklearn
import sklearn.discriminant_analysis
import sklearn.naive_bayes
from sklearn.calibration import CalibratedClassifierCV
from sklearn.metrics import get_scorer
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import suffice

THEIRS = {name: getattr(module, name) for module, names in (
    (sklearn.naive_bayes, ["GaussianNB", "BernoulliNB", "MultinomialNB", "ComplementNB", "CategoricalNB"]),
    (sklearn.discriminant_analysis, ["LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis"]))
    for name in names}
each_class = pytest.mark.parametrize("name", THEIRS)


def problem(name, rows=240):
    rng = np.random.default_rng(6)
    y = rng.integers(0, 2, rows)
    if name in ("GaussianNB", "LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis"):
        return rng.normal(size=(rows, 4)) + y[:, None], y
    return np.minimum(rng.poisson(1 + y[:, None], (rows, 4)), 3), y


@each_class
def test_parameters_and_defaults_are_theirs(name):
    def parameters(kind):
        return {key: (each.default, each.kind) for key, each in inspect.signature(kind).parameters.items()}

    assert parameters(getattr(suffice, name)) == parameters(THEIRS[name])


@each_class
def test_fitted_attributes_are_theirs(name):
    X, y = problem(name)
    ours, theirs = getattr(suffice, name)().fit(X, y), THEIRS[name]().fit(X, y)
    public = {key for key in vars(theirs) if key.endswith("_") and not key.startswith("_")}
    assert public <= {key for key in dir(ours) if key.endswith("_")}  # some are computed when they are asked for
    for key in public:
        a, b = getattr(ours, key), getattr(theirs, key)
        if key in ("scalings_", "rotations_"):  # columns of eigenvectors, up to their signs
            a, b = np.abs(np.array(a)), np.abs(np.array(b))
        for left, right in zip(a, b) if isinstance(b, list) else [(a, b)]:
            np.testing.assert_allclose(left, right, rtol=1e-6, atol=1e-9, err_msg=key)
            assert np.asarray(left).dtype == np.asarray(right).dtype, key


@each_class
def test_cross_validated_predictions_are_theirs(name):
    X, y = problem(name)
    ours, theirs = (cross_val_predict(kind(), X, y, cv=3, method="predict_proba")
                    for kind in (getattr(suffice, name), THEIRS[name]))
    np.testing.assert_allclose(ours, theirs, atol=1e-8)


@each_class
def test_calibration_takes_our_classes(name):
    X, y = problem(name)
    ours, theirs = (CalibratedClassifierCV(kind(), cv=3).fit(X, y).predict_proba(X)
                    for kind in (getattr(suffice, name), THEIRS[name]))
    np.testing.assert_allclose(ours, theirs, atol=1e-6)


def test_pipelines_and_searches():
    X, y = problem("GaussianNB")
    search = GridSearchCV(make_pipeline(StandardScaler(), suffice.GaussianNB()),
                          {"gaussiannb__var_smoothing": [1e-9, 1e-1, 1.0]}, cv=3).fit(X, y)
    theirs = GridSearchCV(make_pipeline(StandardScaler(), sklearn.naive_bayes.GaussianNB()),
                          {"gaussiannb__var_smoothing": [1e-9, 1e-1, 1.0]}, cv=3).fit(X, y)
    np.testing.assert_allclose(search.cv_results_["mean_test_score"], theirs.cv_results_["mean_test_score"])
    assert search.best_params_ == theirs.best_params_


@pytest.mark.parametrize("name", ["GaussianNB", "LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis"])
def test_weights_are_routed(name):
    X, y = problem(name)
    weight = np.linspace(0.1, 2, len(y))
    with sklearn.config_context(enable_metadata_routing=True):
        model = getattr(suffice, name)().set_fit_request(sample_weight=True)
        scorer = get_scorer("accuracy").set_score_request(sample_weight=True)
        routed = cross_validate(model, X, y, cv=3, params={"sample_weight": weight}, scoring=scorer)
        ignored = cross_validate(getattr(suffice, name)().set_fit_request(sample_weight=False), X, y, cv=3,
                                 params={"sample_weight": weight}, scoring=scorer)
    assert routed["test_score"].shape == ignored["test_score"].shape == (3,)
    chain = make_pipeline(StandardScaler(), getattr(suffice, name)())
    weighted = chain.fit(X, y, **{f"{name.lower()}__sample_weight": weight})[-1].statistics_.weight
    assert weighted == pytest.approx(weight.sum())


@pytest.mark.parametrize("form", ["pandas", "polars"])
def test_output_is_a_data_frame_where_asked(form):
    library = pytest.importorskip(form)
    X, y = problem("LinearDiscriminantAnalysis")
    model = suffice.LinearDiscriminantAnalysis().set_output(transform=form).fit(X, y)
    out = model.transform(X)
    assert isinstance(out, library.DataFrame)
    assert list(out.columns) == ["lineardiscriminantanalysis0"] == model.get_feature_names_out().tolist()


@pytest.mark.parametrize("form", ["pandas", "polars", "pyarrow"])
@each_class
def test_frames_give_the_answers_of_arrays(name, form):
    library = pytest.importorskip(form)
    X, y = problem(name)
    columns = {f"c{k}": X[:, k] for k in range(4)}
    frame = library.table(columns) if form == "pyarrow" else library.DataFrame(columns)
    if form == "pyarrow":
        try:
            expected = THEIRS[name]().fit(frame, y).predict_proba(frame)
        except (TypeError, ValueError) as refusal:
            with pytest.raises(type(refusal)):
                getattr(suffice, name)().fit(frame, y)
            return
    else:
        expected = THEIRS[name]().fit(frame, y).predict_proba(frame)
    model = getattr(suffice, name)().fit(frame, y)
    np.testing.assert_allclose(model.predict_proba(frame), expected, atol=1e-8)
    if form != "pyarrow":
        assert model.feature_names_in_.tolist() == list(columns)
        with pytest.warns(UserWarning, match="does not have valid feature names"):
            model.predict(X)


@pytest.mark.parametrize("name", ["GaussianNB", "LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis"])
def test_single_precision_is_kept(name):
    X, y = problem(name)
    ours = getattr(suffice, name)().fit(X.astype(np.float32), y)
    theirs = THEIRS[name]().fit(X.astype(np.float32), y)
    for each in ("predict_proba", "predict_log_proba"):
        a, b = (getattr(model, each)(X.astype(np.float32)) for model in (ours, theirs))
        assert a.dtype == np.float32  # of theirs, quadratic discriminants alone widen
        np.testing.assert_allclose(a, b, rtol=0, atol=2e-4 * max(1, abs(b).max()))


@pytest.mark.parametrize("backend", ["loky", "threading", "multiprocessing"])
def test_jobs_of_joblib_run_side_by_side(backend):
    X, y = problem("GaussianNB")
    alone = cross_validate(suffice.GaussianNB(), X, y, cv=4)["test_score"]
    with joblib.parallel_backend(backend, n_jobs=2):
        np.testing.assert_array_equal(cross_validate(suffice.GaussianNB(), X, y, cv=4)["test_score"], alone)


def test_notebooks_see_classes_families_and_parameters():
    X, y = problem("GaussianNB")
    for model, family in ((suffice.GaussianNB(), "gaussian"), (suffice.GaussianDiscriminant(shared="none"), "gaussian"),
                          (suffice.NaiveBayes(), "gaussian")):
        assert "<table>" not in model._repr_html_().split("<style>")[0]
        model.fit(X, np.array(["ham", "spam<b>"])[y])
        page = model._repr_mimebundle_()["text/html"]
        mean = f"{X[y == 0, 0].mean():.4g}"
        assert "spam&lt;b&gt;" in page and family in page and mean in page and "x0" in page
