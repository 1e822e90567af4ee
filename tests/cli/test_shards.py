"""fit --shards i/n: shards that know nothing of each other merge to the whole, are not made twice, and say what lacks."""
import csv
import json
import os
import pathlib
import random
import subprocess
import sys

import pytest

SUFFICE = os.path.join(os.path.dirname(__file__), "..", "..", "build", "suffice")


def run(*arguments, cwd):
    return subprocess.run([os.path.abspath(SUFFICE), *map(str, arguments)], cwd=cwd, capture_output=True, text=True)


def write_rows(path, seed, rows, classes=("no", "yes")):
    draw = random.Random(seed)
    with open(path, "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["age", "income", "town", "visits", "bought"])
        for _ in range(rows):
            k = draw.randrange(len(classes))
            out.writerow([round(draw.gauss(40 + 5 * k, 8), 3), "" if draw.random() < 0.05 else round(draw.gauss(2 + k, 1), 4),
                          draw.choice(["Delft", "Leiden", "Gouda"][: 2 + k]), draw.randrange(4 + k), classes[k]])


def posteriors(folder, model, data):
    done = run("predict", model, data, "--proba", cwd=folder)
    assert done.returncode == 0, done.stderr
    return [[float(x) for x in line[1:]] for line in list(csv.reader(done.stdout.splitlines()))[1:]]


@pytest.mark.parametrize("model", ["naive_bayes", "lda", "qda"])
@pytest.mark.parametrize("files, shards", [(7, 3), (1, 4)])
def test_shards_merge_to_the_whole(tmp_path, model, files, shards):
    rows = 400 if files > 1 else 60_000  # units of one file are dealt out, and it has several
    for k in range(files):
        write_rows(tmp_path / f"part-{k}.csv", k, rows)
    options = ["--target", "bought", "--model", model, "--exclude", "town", "--quiet"]
    assert run("fit", "part-*.csv", *options, "-o", "whole.suf", cwd=tmp_path).returncode == 0
    for i in range(1, shards + 1):
        done = run("fit", "part-*.csv", *options, "--shards", f"{i}/{shards}", "-o", f"shard-{i}.suf", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    done = run("merge", *(f"shard-{i}.suf" for i in range(1, shards + 1)), "-o", "merged.suf", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["rows"] == files * rows
    write_rows(tmp_path / "test.csv", 99, 50)
    whole, merged = posteriors(tmp_path, "whole.suf", "test.csv"), posteriors(tmp_path, "merged.suf", "test.csv")
    assert max(abs(a - b) for left, right in zip(whole, merged) for a, b in zip(left, right)) < 1e-10


def test_a_shard_may_have_one_class_or_a_level_alone(tmp_path):
    write_rows(tmp_path / "a.csv", 1, 50)
    write_rows(tmp_path / "b.csv", 2, 50, classes=("no",))
    write_rows(tmp_path / "c.csv", 3, 50, classes=("never", "yes"))
    for i in (1, 2, 3):
        done = run("fit", "a.csv", "b.csv", "c.csv", "--target", "bought", "--shards", f"{i}/3", "-o", f"{i}.suf", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    assert run("merge", "3.suf", "1.suf", "2.suf", "-o", "merged.suf", cwd=tmp_path).returncode == 0
    assert run("fit", "a.csv", "b.csv", "c.csv", "--target", "bought", "-o", "whole.suf", "-q", cwd=tmp_path).returncode == 0
    whole, merged = posteriors(tmp_path, "whole.suf", "a.csv"), posteriors(tmp_path, "merged.suf", "a.csv")
    assert len(whole[0]) == 3
    assert max(abs(a - b) for left, right in zip(whole, merged) for a, b in zip(left, right)) < 1e-10


def test_a_shard_that_is_there_is_not_made_again_unless_its_input_or_options_changed(tmp_path):
    for k in range(2):
        write_rows(tmp_path / f"{k}.csv", k, 50)
    fit = ["fit", "0.csv", "1.csv", "--target", "bought", "--shards", "1/2", "-o", "shard.suf", "--json"]
    assert json.loads(run(*fit, cwd=tmp_path).stdout)["made"] is True
    before = os.stat(tmp_path / "shard.suf").st_mtime_ns
    assert json.loads(run(*fit, cwd=tmp_path).stdout)["made"] is False
    assert os.stat(tmp_path / "shard.suf").st_mtime_ns == before
    assert json.loads(run(*fit, "--smoothing", "2", cwd=tmp_path).stdout)["made"] is True
    assert json.loads(run(*fit, cwd=tmp_path).stdout)["made"] is True
    write_rows(tmp_path / "0.csv", 7, 50)
    assert json.loads(run(*fit, cwd=tmp_path).stdout)["made"] is True


@pytest.mark.parametrize("given, sentence", [("3/2", "i from 1 to n"), ("0/2", "i from 1 to n"), ("x", "told as i/n")])
def test_bad_shards_are_told(tmp_path, given, sentence):
    write_rows(tmp_path / "0.csv", 0, 20)
    done = run("fit", "0.csv", "--target", "bought", "--shards", given, "-o", "s.suf", cwd=tmp_path)
    assert done.returncode == 2 and sentence in done.stderr and not (tmp_path / "s.suf").exists()


def test_missing_and_doubled_shards_are_told(tmp_path):
    write_rows(tmp_path / "0.csv", 0, 60)
    for i in (1, 2, 3):
        run("fit", "0.csv", "--target", "bought", "--shards", f"{i}/3", "-o", f"{i}.suf", cwd=tmp_path)
    done = run("merge", "1.suf", "3.suf", "-o", "m.suf", cwd=tmp_path)
    assert done.returncode == 2 and "hard 2/3 is missing" in done.stderr
    done = run("merge", "1.suf", "2.suf", "2.suf", "3.suf", "-o", "m.suf", cwd=tmp_path)
    assert done.returncode == 2 and "hard 2/3 is there twice" in done.stderr
    done = run("fit", "0.csv", "--target", "bought", "--model", "logistic_regression", "--shards", "1/2", "-o", "l.suf", cwd=tmp_path)
    assert done.returncode == 2 and "repeated passes" in done.stderr


def test_the_makefile_of_the_documentation_fits_shards_and_goes_on_where_it_stopped(tmp_path):
    page = pathlib.Path(__file__).resolve().parents[2] / "docs" / "guide" / "clusters.md"
    block = page.read_text().split("A Makefile does the rest", 1)[1].split("\n\n", 2)[1]
    lines = [line.removeprefix("    ") for line in block.splitlines()]
    (tmp_path / "Makefile").write_text("\n".join(lines).replace("churned", "bought") + "\n")
    (tmp_path / "data").mkdir()
    for k in range(7):
        write_rows(tmp_path / "data" / f"part-{k}.csv", k, 60)
    converted = "import pyarrow.csv, pyarrow.parquet, sys\nfor p in sys.argv[1:]: pyarrow.parquet.write_table(pyarrow.csv.read_csv(p), p[:-3] + 'parquet')"
    pytest.importorskip("pyarrow")
    subprocess.run([sys.executable, "-c", converted, *map(str, (tmp_path / "data").glob("*.csv"))], check=True)
    places = {**os.environ, "PATH": os.path.dirname(os.path.abspath(SUFFICE)) + os.pathsep + os.environ["PATH"]}
    made = subprocess.run(["make", "-j2"], cwd=tmp_path, capture_output=True, text=True, env=places)
    assert made.returncode == 0, made.stderr
    assert run("fit", "data/part-*.parquet", "--target", "bought", "-q", "-o", "one.suf", cwd=tmp_path).returncode == 0
    one, merged = (posteriors(tmp_path, name, "data/part-0.csv") for name in ("one.suf", "whole.suf"))
    assert len(one) == 60 and max(abs(a - b) for left, right in zip(one, merged) for a, b in zip(left, right)) < 1e-10
    (tmp_path / "shard-3.suf").unlink()
    again = subprocess.run(["make"], cwd=tmp_path, capture_output=True, text=True, env=places)
    assert again.returncode == 0 and again.stdout.count("suffice fit") == 1 and "merge" in again.stdout
