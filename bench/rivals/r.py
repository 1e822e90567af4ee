"""R: MASS's lda and qda, e1071's naive Bayes. A process of its own that times itself, three times over."""
import pathlib
import shutil
import statistics
import subprocess
import tempfile

import numpy

from bench.contest import Entry, quartile_distance

SCRIPT = """
argument <- commandArgs(TRUE)
rows <- as.integer(argument[2]); columns <- as.integer(argument[3])
x <- matrix(readBin("x.bin", "double", rows * columns), rows, columns)
colnames(x) <- paste0("x", seq_len(columns))
y <- factor(readBin("y.bin", "integer", rows))
fit_and_answer <- switch(argument[1],
    lda = function() predict(MASS::lda(x, y), x)$class,
    qda = function() predict(MASS::qda(x, y), x)$class,
    "naive Bayes" = function() predict(e1071::naiveBayes(x, y), x))
times <- replicate(3, system.time(answer <<- fit_and_answer())["elapsed"])
writeBin(as.integer(as.character(answer)), "answer.bin")
cat(times)
"""
NAMES = {"lda": "R MASS lda", "qda": "R MASS qda", "naive Bayes": "R e1071 naiveBayes"}


def entry(task: str, case: str, model: str, X: numpy.ndarray, y: numpy.ndarray, expected: numpy.ndarray) -> Entry:
    name = NAMES[model]
    if shutil.which("Rscript") is None:
        return Entry(task, case, name, float("nan"), 0, 0, "is not installed")
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        X.ravel(order="F").astype(numpy.float64).tofile(place / "x.bin")
        y.astype(numpy.int32).tofile(place / "y.bin")
        (place / "run.R").write_text(SCRIPT)
        done = subprocess.run(["Rscript", "run.R", model, *map(str, X.shape)], cwd=place, capture_output=True, text=True)
        if done.returncode != 0:
            return Entry(task, case, name, float("nan"), 0, 0, (done.stderr.strip().splitlines() or ["failed"])[-1])
        answer = numpy.fromfile(place / "answer.bin", dtype=numpy.int32)
    times = [float(word) for word in done.stdout.split()]
    if (answer == expected).mean() < 0.999:
        return Entry(task, case, name, float("nan"), 0, 0, "its answer differs")
    return Entry(task, case, name, statistics.median(times), quartile_distance(times), len(times))
