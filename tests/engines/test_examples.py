"""The programs of examples/engines run and tell that parts give the model of all rows."""
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def told_by(name):
    done = subprocess.run([sys.executable, ROOT / "examples" / "engines" / name, ROOT / "data" / "iris.csv", "species"], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.mark.parametrize("name, needs", [("pool.py", "pyarrow"), ("joblib_parts.py", "joblib")])
def test_parts_give_the_model_of_all_rows(name, needs):
    pytest.importorskip(needs)
    assert float(re.search(r"3 parts, \w+ differ by (\S+)", told_by(name))[1]) < 1e-9


def test_ten_clients_give_the_model_of_pooled_rows():
    told = told_by("clients.py")
    assert told.startswith("10 clients") and "the same bits" in told and "pooled: the same" in told


def test_dask():
    pytest.importorskip("dask.dataframe", reason="Dask is not here; tools/bootstrap engines installs it")
    assert told_by("dask_frame.py").endswith("150 rows, accuracy 0.980 and 0.980\n")


def test_spark(spark):
    assert told_by("spark_frame.py").endswith("150 rows, accuracy 0.980\n")
