"""Parquet files are read however the command was called: by its path, through a link, or looked up in PATH."""
import os
import subprocess

import pytest

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
