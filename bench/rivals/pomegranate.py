"""pomegranate before it moved to torch (0.15), which needs NumPy 1: a process of its own, in an environment of its own
(bench/README.md says how it is made)."""
import os
import pathlib

import numpy

from bench.contest import Entry, absent
from bench.places import ROOT
from bench import apart

NAME = "pomegranate 0.15"
PYTHON = pathlib.Path(os.environ.get("POMEGRANATE_PYTHON", ROOT / "build" / "pomegranate" / "bin" / "python"))
SCRIPT = """
import sys, time
import numpy
import pomegranate
model, rows, columns = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
x = numpy.ascontiguousarray(numpy.fromfile("x.bin").reshape(columns, rows).T)
y = numpy.fromfile("y.bin", dtype=numpy.int32).astype(numpy.int64)
times = []
for _ in range(3):
    started = time.perf_counter()
    if model == "qda":
        fitted = pomegranate.BayesClassifier.from_samples(pomegranate.MultivariateGaussianDistribution, x, y)
    else:
        fitted = pomegranate.NaiveBayes.from_samples(pomegranate.NormalDistribution, x, y)
    answer = fitted.predict(x)
    times.append(time.perf_counter() - started)
numpy.asarray(answer).astype(numpy.int32).tofile("answer.bin")
print(*times)
"""


def entry(case: str, model: str, X: numpy.ndarray, y: numpy.ndarray, expected: numpy.ndarray) -> Entry | None:
    if model == "lda":
        return None
    if not PYTHON.exists():
        return absent("rivals", case, NAME, "is not installed")
    return apart.entry(case, NAME, [str(PYTHON)], SCRIPT, model, X, y, expected)
