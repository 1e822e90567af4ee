"""The programs of examples/engines run and tell that parts give the model of all rows."""
import os
import pathlib
import re
import shutil
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


def test_ranks_of_mpi_give_the_model_of_all_rows():
    pytest.importorskip("mpi4py", reason="mpi4py is not here; tools/bootstrap engines installs it")
    if shutil.which("mpirun") is None:
        pytest.skip("mpirun is not here; tools/bootstrap engines installs it")
    command = ["mpirun", "--oversubscribe", "-n", "3", sys.executable, ROOT / "examples" / "engines" / "mpi_ranks.py", ROOT / "data" / "iris.csv", "species"]
    environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)
    assert done.returncode == 0, done.stderr[-2000:]
    found = re.findall(r"3 ranks, (\w+): posteriors differ by (\S+)", done.stdout)
    assert [how for how, _ in found] == ["reduced", "gathered"] and all(float(difference) < 1e-12 for _, difference in found)


def test_ten_clients_of_flower_give_the_model_of_pooled_rows():
    pytest.importorskip("flwr.simulation", reason="Flower is not here; pip install 'flwr[simulation]'")
    pytest.importorskip("ray", reason="Flower simulates its clients by Ray, which is not here")
    told = re.search(r"10 clients of Flower: posteriors differ from those of pooled rows by (\S+)", told_by("flower_clients.py"))
    assert told and float(told[1]) < 1e-12


def test_dask():
    pytest.importorskip("dask.dataframe", reason="Dask is not here; tools/bootstrap engines installs it")
    assert told_by("dask_frame.py").endswith("150 rows, accuracy 0.980 and 0.980\n")


def test_spark(spark):
    assert told_by("spark_frame.py").endswith("150 rows, accuracy 0.980\n")
