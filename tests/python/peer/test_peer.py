"""Runs scikit-learn's own test modules with our classes in place of theirs."""
import importlib
import os
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).parent
MODULES = ["sklearn.tests.test_naive_bayes", "sklearn.tests.test_discriminant_analysis",
           "sklearn.feature_extraction.tests.test_text",
           "sklearn.mixture.tests.test_gaussian_mixture", "sklearn.mixture.tests.test_bayesian_mixture",
           "sklearn.cluster.tests.test_k_means", "sklearn.neighbors.tests.test_kde",
           "sklearn.linear_model.tests.test_logistic"]


def exceptions():
    """Names of tests that cannot apply, each with its reason."""
    lines = (HERE / "exceptions.txt").read_text().splitlines()
    return dict(line.split(": ", 1) for line in lines if line and not line.startswith("#"))


@pytest.mark.parametrize("module", MODULES)
def test_their_tests_pass_with_our_classes(module, tmp_path):
    path = importlib.import_module(module).__file__
    skipped = " and ".join(f"not {name}" for name in exceptions())
    command = [sys.executable, "-m", "pytest", "-q", "-p", "substitute", "-p", "no:cacheprovider", "-p",
               "no:hypothesispytest", "--rootdir", str(pathlib.Path(path).parent), "-c", str(HERE / "pytest.ini"),
               "--import-mode=importlib", "-W", "ignore", "-k", skipped, path]
    path_list = os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False,
                          env={**os.environ, "PYTHONPATH": path_list, "SKLEARN_SKIP_NETWORK_TESTS": "1"})
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert " passed" in done.stdout


def test_every_exception_names_a_test_that_exists():
    names = {name for module in MODULES for name in vars(importlib.import_module(module))}
    assert not [each for each in exceptions() if each.split("[")[0] not in names]
