"""scikit-learn: rows in memory, and through a pipe by pandas in pieces and partial_fit."""
import json
import sys

import sklearn.discriminant_analysis
import sklearn.naive_bayes

from bench.streamed import Streamed

NAME = "scikit-learn"
MOST_ROWS = 10**7
SCRIPT = """
import json, sys
import pandas
from sklearn.naive_bayes import GaussianNB
model = GaussianNB()
for piece in pandas.read_csv(sys.stdin.buffer, chunksize=100_000):
    model.partial_fit(piece.iloc[:, :-1].to_numpy(), piece.iloc[:, -1].to_numpy(), classes=[0, 1])
print(json.dumps(model.theta_.tolist()))
"""


def make(name: str) -> object:
    return {**vars(sklearn.naive_bayes), **vars(sklearn.discriminant_analysis)}[name]()


def streamed(rows: Streamed, row_count: int) -> tuple[float, float, int, object]:
    wall, _, peak, size, printed = rows.feed([sys.executable, "-c", SCRIPT], row_count)
    return wall, peak, size, json.loads(printed)
