"""The second part of what users' scripts rely on: names and forms of the command and of Python, walked through once."""
import ctypes
import json
import os
import pathlib
import subprocess

import numpy as np
import pandas
import pyarrow
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine

import suffice

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMAND = pathlib.Path(os.environ.get("SUFFICE", ROOT / "build" / "suffice"))
IRIS, WINE = load_iris(), load_wine()
NAMES = ["sepal_length", "sepal_width", "petal_length", "petal_width"]
pytestmark = pytest.mark.filterwarnings("ignore")


def run(*words, code=0, folder=None):
    done = subprocess.run([COMMAND, *map(str, words)], capture_output=True, text=True, cwd=folder)
    assert done.returncode == code, (words, done.stderr)
    return done


def told(*words, **more):
    return json.loads(run(*words, "--json", **more).stdout)


@pytest.fixture(scope="module")
def frame():
    made = pandas.DataFrame(IRIS.data, columns=NAMES)
    made["part"] = np.where(np.arange(150) % 5 == 0, "late", "early")
    made["species"] = IRIS.target_names[IRIS.target]
    return made


@pytest.fixture(scope="module")
def table(frame, tmp_path_factory):
    path = tmp_path_factory.mktemp("contract") / "iris.csv"
    frame.to_csv(path, index=False)
    return path


@pytest.fixture(scope="module")
def model(table):
    path = table.parent / "lda.suf"
    run("fit", table, "--target", "species", "--exclude", "part", "--model", "lda", "-o", path)
    return path


def test_fit_says_what_it_took_columns_for(table, tmp_path):
    out = told("fit", table, "--target", "species", "--exclude", "part", "-o", tmp_path / "m.suf")
    columns = {each["column"]: each for each in out["columns"]}
    assert set(columns) == {*NAMES, "part"} and columns["part"]["family"] is None
    assert all(columns[name]["family"] and columns[name]["why"] for name in NAMES)
    out = told("fit", table, "--target", "species", "--family", "*=categorical", "-o", tmp_path / "m.suf")
    assert {each["family"] for each in out["columns"]} == {"categorical"}
    run("fit", table, "--target", "species", "--prior", "dirichlet(2)", "-o", tmp_path / "m.suf")


def test_auto_and_holdout(table, tmp_path):
    out = told("fit", table, "--target", "species", "--model", "auto", "-o", tmp_path / "m.suf")
    assert out["model"] not in ("auto", "priors_only")
    for share, held in (("0.2", range(15, 46)), ("part=late", [30])):  # a share is drawn row by row
        out = told("fit", table, "--target", "species", "--holdout", share, "-o", tmp_path / "m.suf")
        assert out["holdout"]["rows"] in held and out["rows"] == 150 - out["holdout"]["rows"]
        assert out["holdout"]["accuracy"] > 0.8


def test_compare_is_honest(table):
    rows = told("compare", table, "--target", "species", "--exclude", "part", "--models", "lda,gaussian_nb,priors_only", "--folds", 5)
    assert {each["model"] for each in rows} == {"linear_discriminant", "gaussian_nb", "priors_only"}
    assert rows[0]["difference"] == 0 and all(each["difference"] >= 0 for each in rows)
    assert all({"difference_se", "bic", "evidence"} <= set(each) for each in rows)
    nested = told("compare", table, "--target", "species", "--exclude", "part", "--models", "lda,gaussian_nb", "--folds", 5, "--nested")
    assert set(nested) == {"candidates", "nested"}
    assert {"log_loss", "log_loss_se", "accuracy", "accuracy_se"} <= set(nested["nested"])
    run("compare", table, "--target", "species", "--exclude", "part", "--models", "lda", "--budget", 60)


def test_clusters_have_the_names_of_mclust_and_a_trace(table):
    out = told("cluster", table, "--exclude", "species,part", "--k", 2, "--covariance", "VEV", "--seed", 1)
    assert {"k", "covariance", "log_likelihood", "bic", "steps", "sizes", "notes"} <= set(out)
    assert out["covariance"] == "VEV" and sum(out["sizes"]) == pytest.approx(150, abs=1)
    assert told("cluster", table, "--exclude", "species,part", "--k", "1-3", "--covariance", "any")["k"] == 2
    assert len(told("cluster", table, "--exclude", "species,part", "--k", 2, "--trace")["trace"]) > 1


def test_trace_of_a_regression(table, tmp_path):
    out = told("fit", table, "--target", "species", "--exclude", "part", "--model", "logistic_regression", "--penalty", 1, "--trace", "-o", tmp_path / "m.suf")
    assert len(out["trace"]) > 1


def test_drift_between_models_and_data(table, frame, tmp_path):
    frame[frame.part == "early"].to_csv(tmp_path / "old.csv", index=False)
    shifted = frame[frame.part == "late"].assign(petal_length=lambda rows: rows.petal_length + 2)
    shifted.to_csv(tmp_path / "new.csv", index=False)
    for name in ("old", "new"):
        run("fit", tmp_path / f"{name}.csv", "--target", "species", "--exclude", "part", "-o", tmp_path / f"{name}.suf")
    for new in ("new.suf", "new.csv"):
        out = told("drift", tmp_path / "old.suf", tmp_path / new)
        assert {"divergence", "p_value"} <= set(out["classes"]) and "expected_accuracy" in out
        assert {"column", "divergence", "p_value", "adjusted_p_value"} <= set(out["columns"][0])
        assert out["columns"][0]["column"] == "petal_length"
    assert suffice.drift(suffice.load(tmp_path / "old.suf"), suffice.load(tmp_path / "new.suf"))["columns"][0]["column"] == "petal_length"


def test_shards_merged_are_the_whole(table, tmp_path):
    run("fit", table, "--target", "species", "--model", "qda", "--exclude", "part", "-o", tmp_path / "whole.suf")
    for part in (1, 2, 3):
        run("fit", table, "--target", "species", "--model", "qda", "--exclude", "part", "--shards", f"{part}/3", "-o", tmp_path / f"{part}.suf")
    run("merge", *(tmp_path / f"{part}.suf" for part in (1, 2, 3)), "-o", tmp_path / "merged.suf")
    whole, merged = (np.array([line.split(",")[1:] for line in run("predict", tmp_path / name, table, "--proba").stdout.splitlines()[1:]], dtype=float)
                     for name in ("whole.suf", "merged.suf"))
    np.testing.assert_allclose(merged, whole, rtol=1e-9, atol=1e-12)


def test_export_in_its_three_forms(table, model, tmp_path):
    run("export", model, "--onnx", "-o", tmp_path / "m.onnx")
    session = pytest.importorskip("onnxruntime").InferenceSession(tmp_path / "m.onnx")
    outputs = dict(zip([each.name for each in session.get_outputs()], session.run(None, {name: IRIS.data[:, [k]] for k, name in enumerate(NAMES)})))
    expected = suffice.load(model).predict_proba(IRIS.data)
    np.testing.assert_allclose(outputs["probabilities"], expected, atol=1e-12)
    assert outputs["label"].tolist() == IRIS.target_names[expected.argmax(axis=1)].tolist()
    run("export", model, "--c", "--prefix", "iris", "-o", tmp_path / "m.c")
    assert "iris_class_count" in (tmp_path / "m.h").read_text()
    subprocess.run(["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-O2", "-shared", "-fPIC", tmp_path / "m.c", "-o", tmp_path / "m.so", "-lm"], check=True)
    posteriors = ctypes.CDLL(str(tmp_path / "m.so")).iris_posteriors
    row, out = (ctypes.c_double * 4)(*IRIS.data[60]), (ctypes.c_double * 3)()
    posteriors(row, out)
    np.testing.assert_allclose(list(out), expected[60], atol=1e-12)
    query = run("export", model, "--sql", "duckdb", "--table", "flowers").stdout
    duckdb = pytest.importorskip("duckdb")
    flowers = pandas.DataFrame(IRIS.data, columns=NAMES)  # noqa: F841 (duckdb finds it by its name)
    found = duckdb.sql(query.strip().rstrip(";")).df()
    assert list(found.columns) == [*NAMES, "prediction", *(f"p({name})" for name in IRIS.target_names)]
    np.testing.assert_allclose(found.iloc[:, -3:].to_numpy(), expected, atol=1e-9)


def test_loading_gives_the_class_that_saved(tmp_path):
    for made in (suffice.QuadraticDiscriminantAnalysis(reg_param=0.05), suffice.GaussianNB(), suffice.GaussianDiscriminant(covariance="VEV"),
                 suffice.LogisticRegression(C=2.0), suffice.BernoulliNB(alpha=0.5, binarize=1.0), suffice.LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto")):
        fitted = clone(made).fit(WINE.data, WINE.target)
        fitted.save(tmp_path / "m.suf")
        loaded = suffice.load(tmp_path / "m.suf")
        assert type(loaded) is type(made) and loaded.get_params() == made.get_params()
        assert (loaded.predict_proba(WINE.data) == fitted.predict_proba(WINE.data)).all(), made


def test_from_scikit_learn():
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB

    for peer in (LinearDiscriminantAnalysis(), GaussianNB(), LogisticRegression(max_iter=5000)):
        peer.fit(IRIS.data, IRIS.target_names[IRIS.target])
        ours = suffice.from_sklearn(peer)
        np.testing.assert_allclose(ours.predict_proba(IRIS.data), peer.predict_proba(IRIS.data), atol=1e-9)
        assert ours.to_sql("sqlite") and ours.to_c(prefix="x") and ours.to_onnx()


def test_streams_and_bytes(frame):
    rows = pyarrow.Table.from_pandas(frame.drop(columns="part"), preserve_index=False)
    whole = suffice.fit(frame[NAMES], frame.species, "quadratic_discriminant")
    streamed = suffice.fit_stream(pyarrow.RecordBatchReader.from_batches(rows.schema, rows.to_batches(max_chunksize=40)), target="species", model="quadratic_discriminant")
    np.testing.assert_allclose(streamed.predict_proba(frame[NAMES]), whole.predict_proba(frame[NAMES]), rtol=1e-9, atol=1e-12)
    pieces = [suffice.statistics_of(rows.slice(first, 50).to_batches(), target="species", model="quadratic_discriminant") for first in (0, 50, 100)]
    assert all(isinstance(each, bytes) for each in pieces)
    merged = suffice.model_from_bytes(suffice.merge_bytes(pieces))
    np.testing.assert_allclose(merged.predict_proba(frame[NAMES]), whole.predict_proba(frame[NAMES]), rtol=1e-9, atol=1e-12)
    reader = pyarrow.RecordBatchReader.from_batches(rows.schema, rows.to_batches(max_chunksize=40))
    answers = pyarrow.Table.from_batches(list(suffice.predict_stream(whole, reader)))
    assert answers.num_rows == 150 and answers.column_names[-4:] == ["prediction", *(f"p({name})" for name in IRIS.target_names)]


def test_names_of_python(frame):
    auto = suffice.AutoClassifier().fit(frame[NAMES], frame.species)
    assert auto.score(frame[NAMES], frame.species) > 0.9
    bayes = suffice.NaiveBayes(families="auto").fit(frame[NAMES], frame.species)
    assert set(bayes.families_) == set(NAMES)
    shown = bayes.explain(frame[NAMES].head(2)).to_frame()
    assert list(shown.columns) == ["intercept", *NAMES] and list(shown.index.names) == ["row", "class"]
    contributions, intercepts = bayes.explain(frame[NAMES].head(2))
    np.testing.assert_allclose(shown.sum(axis=1).to_numpy().reshape(2, 3), contributions.sum(axis=2) + intercepts, rtol=1e-12)
    first, second = suffice.families.Poisson().observe([1, 2]), suffice.families.Poisson().observe([3])
    assert suffice.families.Poisson().fit(first + second) == suffice.families.Poisson().fit([1, 2, 3])
    assert suffice.families.Poisson().fit(first + second - second).rate == pytest.approx(1.5, rel=1e-12) and isinstance(first.to_bytes(), bytes)
    assert len(suffice.families.GaussianVector().fit(IRIS.data).mean) == 4
    assert suffice.math.hoeffding(100, 0.1) == pytest.approx(2 * np.exp(-2), rel=1e-12)


