"""Parquet files are read however the command was called and however large their row groups are."""
import datetime
import decimal
import gzip
import json
import os
import subprocess

import numpy as np
import pytest

pyarrow = pytest.importorskip("pyarrow")
csv = pytest.importorskip("pyarrow.csv")
parquet = pytest.importorskip("pyarrow.parquet")
pytest.importorskip("pyarrow.feather")


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
        for threads in (1, 3):
            suffice("fit", f"{name}.parquet", "--target", "label", "--threads", threads, "-q", "-o", "threads.suf")
            assert (folder / "threads.suf").read_bytes() == (folder / f"{name}.suf").read_bytes()
    assert told[0]["rows"] == told[1]["rows"] == 150_001
    assert told[0]["log_likelihood"] == pytest.approx(told[1]["log_likelihood"], rel=1e-12)
    assert told[0]["classes"] == told[1]["classes"]


@pytest.mark.parametrize("form", ["parquet", "feather"])
def test_parquet_and_arrow_come_packed_and_by_pipes_too(folder, suffice, command, form):
    if not list(command.parents[2].glob("libsuffice_arrow.so")):
        pytest.skip("this build has no Arrow")
    table = csv.read_csv("iris.csv")
    whole = pyarrow.BufferOutputStream()
    parquet.write_table(table, whole) if form == "parquet" else pyarrow.feather.write_feather(table, whole)
    content = whole.getvalue().to_pybytes()
    (folder / f"iris.{form}.gz").write_bytes(gzip.compress(content))
    (folder / f"iris.{form}.zst").write_bytes(pyarrow.compress(content, codec="zstd", asbytes=True))
    suffice("fit", "iris.csv", "--target", "species", "-q", "-o", "csv.suf")
    expected = suffice("predict", "csv.suf", "iris.csv", "--proba").stdout
    ways = {"gzip": [f"iris.{form}.gz"], "zstd": [f"iris.{form}.zst"], "pipe": ["-"]}
    for way, words in ways.items():
        given = content if way == "pipe" else b""
        suffice("fit", *words, "--target", "species", "-q", "-o", "m.suf", input=given)
        assert suffice("predict", "m.suf", "iris.csv", "--proba").stdout == expected, way
        assert suffice("predict", "m.suf", *words, "--proba", input=given).stdout.decode() == expected, way
    twice = suffice("fit", f"iris.{form}.gz", f"iris.{form}.zst", "--target", "species", "-o", "m.suf").stderr
    assert "from 300 rows" in twice
    mixed = suffice("fit", f"iris.{form}.gz", "iris.csv", "--target", "species", "-o", "m.suf", code=2).stderr
    assert mixed.startswith("iris.csv: the file is neither Parquet nor Arrow"), mixed


@pytest.mark.xfail(reason="identifiers are looked for in text files only, so Parquet keeps a column of all different whole numbers", strict=True)
def test_classes_and_words_are_spelled_as_in_csv(folder, suffice, command):
    """Whole numbers without a point or an exponent, truth values as words, dictionaries and decimals too."""
    if not list(command.parents[2].glob("libsuffice_arrow.so")):
        pytest.skip("this build has no Arrow")
    rows = 60
    table = pyarrow.table({
        "nested": pyarrow.array([{"u": 1, "v": "x"}] * rows),
        "x": pyarrow.array([None if k % 7 == 0 else k * 0.5 for k in range(rows)]),
        "price": pyarrow.array([decimal.Decimal(k) / 100 for k in range(rows)], pyarrow.decimal128(10, 2)),
        "small": pyarrow.array([k % 200 for k in range(rows)], pyarrow.uint8()),
        "colour": pyarrow.array([["red", "green", "blue"][k % 3] for k in range(rows)]).dictionary_encode(),
        "code": pyarrow.array([100_000 * (1 + k % 3) for k in range(rows)]),
        "large": pyarrow.array([2**60 + k % 2 for k in range(rows)]),
        "truth": pyarrow.array([k % 4 < 2 for k in range(rows)])})
    parquet.write_table(table, "odd.parquet")
    pyarrow.feather.write_feather(table, "odd.feather")
    csv.write_csv(table.drop_columns("nested"), "odd.csv")
    classes = {"code": ["100000", "200000", "300000"], "large": [str(2**60), str(2**60 + 1)], "truth": ["false", "true"], "colour": ["blue", "green", "red"]}
    for target, names in classes.items():
        told = {}
        for form in ("csv", "parquet", "feather"):
            words = [] if form == "csv" else ["--exclude", "nested"]
            suffice("fit", f"odd.{form}", "--target", target, *words, "-q", "-o", "m.suf")
            told[form] = json.loads(suffice("inspect", "m.suf", "--json").stdout)
            assert [each["name"] for each in told[form]["classes"]] == names, (target, form)
            assert told[form]["log_likelihood"] == pytest.approx(told["csv"]["log_likelihood"], rel=1e-12), (target, form)
    refused = suffice("fit", "odd.parquet", "--target", "truth", "-o", "m.suf", code=2).stderr
    assert refused.startswith("odd.parquet, column nested: ") and "--exclude" in refused


def test_a_date_is_taken_as_words_on_request(folder, suffice, command):
    if not list(command.parents[2].glob("libsuffice_arrow.so")):
        pytest.skip("this build has no Arrow")
    days = pyarrow.array([datetime.date(2024, 5, 1 + k % 3) for k in range(30)])
    parquet.write_table(pyarrow.table({"day": days, "kind": ["x", "y"] * 15}), "days.parquet")
    suffice("fit", "days.parquet", "--target", "kind", "--family", "day=categorical", "-q", "-o", "m.suf")
    assert suffice("predict", "m.suf", "days.parquet", "--keep", "day").stdout.startswith("day,prediction\n2024-05-01,")
