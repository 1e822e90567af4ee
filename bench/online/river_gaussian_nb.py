"""River's Gaussian naive Bayes."""
import csv
import pathlib
import time

from river import naive_bayes

NAME = "River GaussianNB"


def measured(stream: pathlib.Path, rows: int) -> list[tuple[str, float, float]]:
    with stream.open(newline="") as file:
        names, *lines = csv.reader(file)
    given = [({name: float(cell) for name, cell in zip(names[1:-1], line[1:-1])}, line[-1]) for line in lines[:rows]]
    model, right = naive_bayes.GaussianNB(), 0
    started = time.process_time()
    for x, y in given:
        right += model.predict_one(x) == y
        model.learn_one(x, y)
    return [(NAME, (time.process_time() - started) / len(given), right / len(given))]
