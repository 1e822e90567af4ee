"""Engines that run here on small data; tests skip with a sentence where one is absent (tools/bootstrap engines has them)."""
import os
import shutil
import sys

import numpy as np
import pytest

pa = pytest.importorskip("pyarrow")


@pytest.fixture(scope="session")
def spark():
    sql = pytest.importorskip("pyspark.sql", reason="pyspark is not here; tools/bootstrap engines installs it")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Spark needs Java, which is not here; tools/bootstrap engines installs it")
    os.environ["PYSPARK_PYTHON"] = sys.executable  # workers are this very Python, which has suffice
    session = (sql.SparkSession.builder.master("local[2]").appName("suffice").config("spark.ui.enabled", "false")
               .config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1")
               .config("spark.sql.shuffle.partitions", "2").config("spark.task.maxFailures", "3")
               .config("spark.driver.memory", "1g").getOrCreate())
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


def make_mixed(seed=1, rows=2000, classes=("no", "yes")):
    """Numbers with holes, counts, flags and words of two classes."""
    rng = np.random.default_rng(seed)
    k = rng.integers(0, len(classes), rows)
    return pa.table({
        "size": pa.array(rng.normal(size=rows) + k, mask=rng.uniform(size=rows) < 0.05),
        "width": rng.normal(size=rows) * (1 + k),
        "visits": rng.poisson(2 + k, rows),
        "new": rng.uniform(size=rows) < 0.2 + 0.5 * k,
        "town": np.array(["Delft", "Leiden", "Gouda"])[np.where(rng.uniform(size=rows) < 0.3 * k, 2, rng.integers(0, 3, rows))],
        "bought": np.array(classes)[k],
    })


def make_grouped(seed=5, rows=2000):
    rng = np.random.default_rng(seed)
    k = rng.integers(0, 3, rows)
    return pa.table({name: rng.normal(size=rows) + 4 * (k == which) for which, name in enumerate("abc")})


@pytest.fixture(scope="session")
def mixed_rows():
    return make_mixed


@pytest.fixture(scope="session")
def grouped_rows():
    return make_grouped
