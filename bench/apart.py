"""Contenders that need a process of their own: rows in, answers and the seconds of three runs out."""
import pathlib
import statistics
import subprocess
import tempfile

import numpy

from bench.contest import Entry, absent, quartile_distance


def entry(case: str, name: str, command: list[str], script: str, model: str, X: numpy.ndarray, y: numpy.ndarray,
          expected: numpy.ndarray) -> Entry:
    """Runs COMMAND script MODEL ROWS COLUMNS in a folder with x.bin (by columns) and y.bin; it writes answer.bin and prints times."""
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        X.ravel(order="F").astype(numpy.float64).tofile(place / "x.bin")
        y.astype(numpy.int32).tofile(place / "y.bin")
        (place / "script").write_text(script)
        done = subprocess.run([*command, "script", model, *map(str, X.shape)], cwd=place, capture_output=True, text=True)
        if done.returncode != 0:
            return absent("rivals", case, name, (done.stderr.strip().splitlines() or ["failed"])[-1])
        answer = numpy.fromfile(place / "answer.bin", dtype=numpy.int32)
    times = [float(word) for word in done.stdout.split()]
    if (answer == expected).mean() < 0.999:
        return absent("rivals", case, name, "its answer differs")
    return Entry("rivals", case, name, statistics.median(times), quartile_distance(times), len(times))
