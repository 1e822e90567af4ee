"""Parquet files are read however the command was called and however large their row groups are."""
import json
import os
import subprocess

import numpy as np
import pytest

pyarrow = pytest.importorskip("pyarrow")
csv = pytest.importorskip("pyarrow.csv")
parquet = pytest.importorskip("pyarrow.parquet")


@pytest.mark.parametrize("way", ["path", "link", "PATH"])
def test_parquet_gives_the_answers_of_csv(folder, suffice, command, way):
    if not list(command.parents[2].glob("libsuffice_arrow.so")):
        pytest.skip("this build has no Arrow")
    parquet.write_table(csv.read_csv("iris.csv"), "iris.parquet")
    suffice("fit", "iris.csv", "--target", "species", "-q", "-o", "csv.suf")
    (folder / "bin").mkdir()
    (folder / "bin" / "suffice").symlink_to(command)
    called = {"path": command, "link": folder / "bin" / "suffice", "PATH": "suffice"}[way]
    environment = {**os.environ, "PATH": f"{folder}/bin:{os.environ['PATH']}"}
    subprocess.run([called, "fit", "iris.parquet", "--target", "species", "-q", "-o", "parquet.suf"], check=True, env=environment)
    assert suffice("predict", "parquet.suf", "iris.csv", "--proba").stdout == suffice("predict", "csv.suf", "iris.csv", "--proba").stdout


def test_a_row_group_is_read_by_and_by_and_gives_the_model_of_many_small_ones(folder, suffice, command):
    if not list(command.parents[2].glob("libsuffice_arrow.so")):
        pytest.skip("this build has no Arrow")
    random = np.random.default_rng(0)
    x, words = random.normal(size=150_001), random.choice(["red", "green", "blue"], 150_001)
    label = np.where(x + (words == "red") + random.normal(size=len(x)) > 0.5, "yes", "no")
    table = pyarrow.table({"x": x, "word": words, "label": label})
    parquet.write_table(table, "one.parquet", row_group_size=1_000_000)
    parquet.write_table(table, "many.parquet", row_group_size=1_000)
    told = []
    for name in ("one", "many"):
        suffice("fit", f"{name}.parquet", "--target", "label", "-q", "-o", f"{name}.suf")
        told.append(json.loads(suffice("inspect", f"{name}.suf", "--json").stdout))
    assert told[0]["rows"] == told[1]["rows"] == 150_001
    assert told[0]["log_likelihood"] == pytest.approx(told[1]["log_likelihood"], rel=1e-12)
    assert told[0]["classes"] == told[1]["classes"]
