"""A fit over parts by joblib, whatever its backend: logistic regression, which passes over its rows repeatedly.

usage: python examples/engines/joblib_parts.py FILE.csv TARGET
"""
import sys

import pyarrow.csv
from joblib import Parallel, delayed

import suffice
from suffice.rounds import fit_parts


def joblib_map(function, items):
    return Parallel(n_jobs=2)(delayed(function)(item) for item in items)


if __name__ == "__main__":
    path, target = sys.argv[1:3]
    rows = pyarrow.csv.read_csv(path)
    third = -(-rows.num_rows // 3)
    parts = [rows.slice(start, third) for start in range(0, rows.num_rows, third)]
    whole = suffice.fit_stream(rows, target=target, model="logistic_regression", penalty=1.0)
    model = fit_parts(parts, target=target, model="logistic_regression", penalty=1.0, map=joblib_map)
    features = rows.drop_columns([target]).to_pandas()
    print(f"{len(parts)} parts, posteriors differ by {abs(model.predict_proba(features) - whole.predict_proba(features)).max():.0e}")
