"""Ours from C++."""
import pathlib
import subprocess
import tempfile

import numpy

from bench.places import program

NAME = "suffice (C++)"


def measured(small: numpy.ndarray, wide: numpy.ndarray, calls: int) -> dict[tuple[str, str], tuple[float, float, numpy.ndarray]]:
    """(what, model) -> median and 99th percentile in seconds, and the answer: classes, or the posterior of one row."""
    with tempfile.TemporaryDirectory() as folder:
        files = [pathlib.Path(folder) / name for name in ("small.bin", "wide.bin")]
        small.tofile(files[0])
        wide.tofile(files[1])
        printed = subprocess.run([program("latency_bench"), *files], check=True, capture_output=True, text=True).stdout
    found = {}
    for line in printed.splitlines():
        what, model, median, tail, *answer = line.split()
        found[what, model] = float(median) * 1e-6, float(tail) * 1e-6, numpy.array(answer, dtype=float)
    return found
