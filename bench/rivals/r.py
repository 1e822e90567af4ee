"""R: MASS's lda and qda, e1071's naive Bayes. A process of its own that times itself, three times over."""
import shutil

import numpy

from bench.contest import Entry, absent
from bench import apart

NAME = "R"
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


def entry(case: str, model: str, X: numpy.ndarray, y: numpy.ndarray, expected: numpy.ndarray) -> Entry:
    if shutil.which("Rscript") is None:
        return absent("rivals", case, NAMES[model], "is not installed")
    return apart.entry(case, NAMES[model], ["Rscript"], SCRIPT, model, X, y, expected)
