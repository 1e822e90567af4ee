"""Mixtures against mclust: the same likelihood from the same partition, and at least its likelihood from our own starts."""
import csv
import json
import pathlib
import subprocess

import numpy as np
import pytest
from sklearn.datasets import load_wine

import suffice

GOLDENS = pathlib.Path(__file__).parent.parent / "goldens"
COMMAND = pathlib.Path(__file__).parent.parent.parent / "build" / "suffice"
STRUCTURES = ["EII", "VII", "EEI", "VEI", "EVI", "VVI", "EEE", "VEE", "EVE", "VVE", "EEV", "VEV", "EVV", "VVV"]


def table(name):
    with open(GOLDENS / name, newline="") as file:
        return list(csv.DictReader(file))


def rows_of(name):
    rows = table(f"mclust_data/{name}.csv")
    numbers = [column for column in rows[0] if column != "class"]
    X = np.array([[float(row[column]) for column in numbers] for row in rows])
    return X, np.array([row.get("class", "") for row in rows])


def cluster(name, *words, folder=None):
    data = str(GOLDENS / "mclust_data" / f"{name}.csv")
    exclude = [] if name == "galaxies" else ["--exclude", "class"]
    done = subprocess.run([str(COMMAND), "cluster", data, *exclude, "--json", *map(str, words)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", ["iris", "diabetes", "banknote", "thyroid", "faithful"])
def test_the_same_partition_leads_to_the_same_likelihood(name, tmp_path):
    _, labels = rows_of(name)
    codes = np.unique(labels, return_inverse=True)[1]
    start = tmp_path / "start.csv"
    start.write_text("cluster\n" + "".join(f"{code}\n" for code in codes))
    for golden in (row for row in table("mclust_start.csv") if row["data"] == name):
        found = cluster(name, "--k", golden["k"], "--covariance", golden["structure"], "--start", start, "--tolerance", 1e-11, "--steps", 20000)
        theirs = float(golden["log_likelihood"])
        # The maximum over orientations that classes share has several places; ours may be the higher one.
        slack = 2e-2 if golden["structure"] in ("EVE", "VVE") else 1e-4
        assert found["log_likelihood"] > theirs - slack * max(1, abs(theirs) * 1e-2), golden
        if golden["structure"] not in ("EVE", "VVE"):
            assert found["log_likelihood"] == pytest.approx(theirs, rel=1e-6), golden
            assert found["bic"] == pytest.approx(float(golden["bic"]), rel=1e-6), golden
        assert found["covariance"] == golden["structure"]


@pytest.mark.parametrize("name", ["iris", "diabetes", "banknote", "thyroid", "faithful"])
def test_with_labels_the_structures_are_discriminants(name):
    X, y = rows_of(name)
    for golden in (row for row in table("mclust_labeled.csv") if row["data"] == name):
        model = suffice.GaussianDiscriminant(covariance=golden["structure"]).fit(X, y)
        theirs = float(golden["log_likelihood"])
        if golden["structure"] in ("EVE", "VVE"):
            assert model.log_likelihood_ > theirs - 1e-3 * abs(theirs)
        else:
            assert model.log_likelihood_ == pytest.approx(theirs, rel=1e-6), golden
        assert model.parameter_count_ == int(golden["parameters"]), golden


@pytest.mark.parametrize("name", ["diabetes", "banknote", "thyroid"])
def test_the_command_has_the_structures_too_and_compare_tries_them(name, tmp_path):
    data, model = str(GOLDENS / "mclust_data" / f"{name}.csv"), str(tmp_path / "m.suf")
    run = lambda *words: subprocess.run([str(COMMAND), *words], capture_output=True, text=True, check=True).stdout
    tried = {each["options"]: each for each in json.loads(run("compare", data, "--target", "class", "--json")) if each["model"] == "grouped_discriminant"}
    named = [row for row in table("mclust_labeled.csv") if row["data"] == name and f"--groups {row['structure']}" in tried]
    assert len(named) == 8 and len({each["log_loss"] for each in tried.values()}) == 8
    for golden in named:
        run("fit", data, "--target", "class", "--model", "grouped_discriminant", "--groups", golden["structure"], "-q", "-o", model)
        told, theirs = json.loads(run("inspect", model, "--json")), float(golden["log_likelihood"])
        assert told["log_likelihood"] > theirs - 1e-3 * abs(theirs)
        if golden["structure"] not in ("EVE", "VVE"):
            assert told["log_likelihood"] == pytest.approx(theirs, rel=1e-6), golden


def test_published_maxima_are_reached():
    assert cluster("banknote", "--k", 3, "--covariance", "tied")["log_likelihood"] > -698.13
    assert cluster("galaxies", "--k", 4)["log_likelihood"] > -199.26
    assert cluster("thyroid", "--k", 4, "--covariance", "spherical")["bic"] < 6263.5


@pytest.mark.parametrize("name", ["iris", "diabetes", "banknote", "thyroid", "faithful", "galaxies", "wine"])
def test_ten_starts_reach_what_mclust_and_fifty_of_scikit_learn_do(name):
    X = load_wine().data if name == "wine" else rows_of(name)[0]
    theirs = [row for golden in ("mclust_best.csv", "scikit_mixtures.csv") for row in table(golden) if row["data"] == name]
    structures = {row["structure"] for row in theirs}
    found = {(count, structure): log_likelihood for each in (structures if name == "wine" else ["any"])
             for count, structure, log_likelihood, _, _ in suffice.Mixture(n_components=range(1, 7), covariance=each, random_state=0).fit(X).candidates_}
    assert len(theirs) >= 10
    for golden in theirs:
        structure = {"E": "EII", "V": "VII"}.get(golden["structure"], golden["structure"])  # of one column
        ours, best = found.get((int(golden["k"]), structure)), float(golden["log_likelihood"])
        if ours is None and golden["k"] == "1":
            continue  # told under another name: structures of one component are three
        assert ours is not None and ours > best - 1e-3 - 1e-6 * abs(best), golden


def test_thyroid_chooses_by_regular_components():
    """mclust's best is VVI with 3 groups; from more starts VVI with 4 is found, all of whose groups are regular."""
    three = cluster("thyroid", "--k", 3, "--covariance", "VVI")
    assert three["bic"] == pytest.approx(4777.9, abs=0.1)
    found = cluster("thyroid", "--k", "1-6", "--covariance", "any")
    assert found["covariance"] == "VVI" and found["bic"] < 4777.91
    assert not found["notes"] and min(found["sizes"]) > 6


def test_degenerate_components_are_told_and_the_prior_cures_them():
    X, _ = rows_of("thyroid")
    found = cluster("thyroid", "--k", 6, "--covariance", "full", "--starts", 1)
    if any("degenerate" in note for note in found["notes"]):
        assert any("--estimate map" in note for note in found["notes"])
    rng = np.random.default_rng(0)
    few = np.vstack([rng.normal(size=(60, 4)), 100 + rng.normal(size=(4, 4))])
    with pytest.warns(UserWarning, match="degenerate"):
        suffice.Mixture(n_components=2, covariance="full", random_state=0).fit(few)
    cured = suffice.Mixture(n_components=2, covariance="full", estimate="map", random_state=0).fit(few)
    assert np.isfinite(cured.log_likelihood_)
    chosen = suffice.Mixture(n_components=range(1, 4), covariance="any", random_state=0).fit(few)
    assert not next(each[4] for each in chosen.candidates_ if each[:2] == (chosen.n_components_, chosen.covariance_))


@pytest.mark.parametrize("covariance", ["VEV", "tied", "EVE", "any"])
def test_the_command_and_python_find_the_same_mixture(covariance):
    X, _ = rows_of("diabetes")
    model = suffice.Mixture(n_components=3, covariance=covariance, random_state=7).fit(X)
    found = cluster("diabetes", "--k", 3, "--covariance", covariance, "--seed", 7)
    assert found["log_likelihood"] == model.log_likelihood_
    assert found["covariance"] == model.covariance_
    assert [row["cluster"] for row in found["rows"]] == model.predict(X).tolist()


def test_in_one_dimension_there_are_two_structures():
    found = cluster("galaxies", "--k", "1-3", "--covariance", "any")
    assert sorted((each["k"], each["covariance"]) for each in found["candidates"]) == [
        (1, "EII"), (2, "EII"), (2, "VII"), (3, "EII"), (3, "VII")]


def test_a_trace_tells_every_step():
    found = cluster("iris", "--k", 3, "--trace")
    values = [step["log_likelihood"] for step in found["trace"]]
    assert len(values) == found["steps"] + 1
    assert values == sorted(values) and values[-1] == pytest.approx(found["log_likelihood"], abs=1e-9)
