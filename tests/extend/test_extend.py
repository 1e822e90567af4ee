"""A family and a kind of Part that only these tests have are known everywhere: by name, to `auto`, in files and in reports.

Held to SciPy's Rayleigh distribution and to shares counted by NumPy. Run by tests/extend/run, which builds the command.
"""
import csv
import io
import json
import os
import pathlib
import subprocess

import numpy as np
import pytest
from scipy import stats

EXTENDED = os.environ.get("SUFFICE_EXTENDED")
PLAIN = pathlib.Path(__file__).resolve().parents[2] / "build" / "suffice"
pytestmark = pytest.mark.skipif(not EXTENDED, reason="tests/extend/run builds the command with one family and one kind more")
ROWS = 3000


def run(*words, command=EXTENDED, code=0):
    done = subprocess.run([command, *map(str, words)], capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    return done.stdout if code == 0 else done.stderr


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(5)
    kind = np.where(np.arange(ROWS) % 3 == 0, "far", "near")
    error = np.where(kind == "far", stats.rayleigh.rvs(scale=3, size=ROWS, random_state=rng), stats.rayleigh.rvs(scale=1, size=ROWS, random_state=rng))
    lean = rng.normal(np.where(kind == "far", 1, -0.5), 1).round(1)
    return kind, error, lean


@pytest.fixture(scope="module")
def table(rows, tmp_path_factory):
    path = tmp_path_factory.mktemp("extend") / "shots.csv"
    path.write_text("error,lean,kind\n" + "".join(f"{error!r},{lean!r},{kind}\n" for kind, error, lean in zip(*[each.tolist() for each in rows])))
    return path


def posteriors(command, model, data):
    head, *lines = csv.reader(io.StringIO(run("predict", model, data, "--proba", command=command)))
    return head, np.array([line[1:] for line in lines], dtype=float)


def expected(rows, with_signs):
    """By SciPy, of maximum likelihood scales; of signs the shares with one added to each."""
    kind, error, lean = rows
    log_joint = []
    for name in ("far", "near"):
        own = kind == name
        scale = np.sqrt(np.mean(error[own] ** 2) / 2)
        score = np.log(own.mean()) + stats.rayleigh.logpdf(error, scale=scale)
        if with_signs:
            count = np.array([np.sum(np.sign(lean[own]) == sign) for sign in (-1, 0, 1)]) + 1.0
            score = score + np.log(count / count.sum())[np.sign(lean).astype(int) + 1]
        log_joint.append(score)
    joint = np.exp(np.array(log_joint).T)
    return joint / joint.sum(axis=1, keepdims=True)


def test_the_command_takes_both_by_name_and_scores_as_scipy_does(table, rows, tmp_path):
    model = tmp_path / "m.suf"
    run("fit", table, "--target", "kind", "--family", "error=rayleigh,lean=signs", "-o", model)
    head, found = posteriors(EXTENDED, model, table)
    assert head[1:] == ["p(far)", "p(near)"]
    np.testing.assert_allclose(found, expected(rows, True), rtol=1e-9)
    told = json.loads(run("inspect", model, "--json"))
    assert "rayleigh" in json.dumps(told) and "signs" in json.dumps(told)
    assert "rayleigh" in run("help", "families") and "signs" in run("help", "families")


def test_auto_chooses_the_new_family(table, rows, tmp_path):
    model = tmp_path / "m.suf"
    told = json.loads(run("fit", table, "--target", "kind", "--exclude", "lean", "--json", "-o", model))
    assert told["columns"][0]["family"] == "rayleigh"
    np.testing.assert_allclose(posteriors(EXTENDED, model, table)[1], expected(rows, False), rtol=1e-9)


def test_files_pieces_and_reports(table, tmp_path):
    head, *lines = table.read_text().splitlines(keepends=True)
    whole, merged, page = tmp_path / "whole.suf", tmp_path / "merged.suf", tmp_path / "report.html"
    family = ("--target", "kind", "--family", "error=rayleigh,lean=signs")
    for name, piece in (("a", lines[:1000]), ("b", lines[1000:])):
        (tmp_path / f"{name}.csv").write_text(head + "".join(piece))
        run("fit", tmp_path / f"{name}.csv", *family, "-o", tmp_path / f"{name}.suf")
    run("fit", table, *family, "-o", whole)
    run("merge", tmp_path / "a.suf", tmp_path / "b.suf", "-o", merged)
    np.testing.assert_allclose(posteriors(EXTENDED, merged, table)[1], posteriors(EXTENDED, whole, table)[1], rtol=1e-12)
    run("forget", merged, tmp_path / "b.csv")
    np.testing.assert_allclose(posteriors(EXTENDED, merged, table)[1], posteriors(EXTENDED, tmp_path / "a.suf", table)[1], rtol=1e-9)
    run("report", whole, table, "-o", page)
    assert "rayleigh" in page.read_text()
    assert float(run("sample", whole, "-n", "3").splitlines()[1].split(",")[0]) > 0


@pytest.mark.skipif(not PLAIN.exists(), reason="build/suffice is not there")
def test_a_model_saved_before_the_family_came_stays_what_it_was(table, tmp_path):
    model = tmp_path / "old.suf"
    run("fit", table, "--target", "kind", "-o", model, command=PLAIN)
    assert run("predict", model, table, "--proba") == run("predict", model, table, "--proba", command=PLAIN)


@pytest.mark.skipif(not PLAIN.exists(), reason="build/suffice is not there")
def test_a_command_that_does_not_know_the_kind_says_so(table, tmp_path):
    model = tmp_path / "new.suf"
    run("fit", table, "--target", "kind", "--family", "lean=signs", "-o", model)
    assert "signs" in run("predict", model, table, command=PLAIN, code=2)
