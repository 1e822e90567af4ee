"""Writes tests/goldens/scikit_mixtures.csv: scikit-learn's best likelihood of fifty starts, for four structures and k from 2 to 6.

Only fits count whose components all have rows enough for their covariance and whose least variance is no part of
reg_covar: those of a few rows in a plane reach any likelihood. tests/python/test_mclust.py asks ten of our starts for as much.

usage: python tools/goldens/scikit_mixtures.py
"""
import csv
import pathlib
import warnings

import numpy as np
from sklearn.datasets import load_wine
from sklearn.mixture import GaussianMixture

GOLDENS = pathlib.Path(__file__).parents[2] / "tests" / "goldens"
SHAPES = {"VVV": "full", "EEE": "tied", "VVI": "diag", "VII": "spherical"}


def rows_of(name):
    if name == "wine":
        return load_wine().data
    with open(GOLDENS / "mclust_data" / f"{name}.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    return np.array([[float(row[column]) for column in rows[0] if column != "class"] for row in rows])


def least_share(X, covariances):
    """The least variance of a component, in units of that of all rows in its direction."""
    whole = np.linalg.inv(np.linalg.cholesky(np.cov(X.T, bias=True).reshape(X.shape[1], -1)))
    return min(np.linalg.eigvalsh(whole @ each @ whole.T)[0] for each in covariances)


def is_regular(X, structure, model):
    d = X.shape[1]
    enough = {"VVV": 2 * (d + 1), "EEE": 2}.get(structure, 4)
    matrix = {"VVV": np.asarray, "EEE": np.asarray, "VVI": np.diag, "VII": lambda variance: variance * np.eye(d)}[structure]
    covariances = [matrix(each) for each in ([model.covariances_] if structure == "EEE" else model.covariances_)]
    return model.weights_.min() * len(X) >= enough and least_share(X, covariances) > 1e-4


def best_of_fifty(X, structure, k):
    found = []
    for start in ("kmeans", "random_from_data"):
        for seed in range(25):
            model = GaussianMixture(k, covariance_type=SHAPES[structure], init_params=start, random_state=seed, max_iter=2000, tol=1e-4)
            try:
                model.fit(X)
            except ValueError:  # a component has collapsed
                continue
            if is_regular(X, structure, model):
                found.append(model.score(X) * len(X))
    return max(found, default=None)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    with open(GOLDENS / "scikit_mixtures.csv", "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["data", "structure", "k", "log_likelihood"])
        for name in ("faithful", "iris", "banknote", "diabetes", "thyroid", "wine", "galaxies"):
            X = rows_of(name)
            for structure in SHAPES:
                for k in range(2, 7):
                    best = best_of_fifty(X, structure, k)
                    if best is not None and (X.shape[1] > 1 or structure in ("VVV", "EEE")):
                        out.writerow([name, {"VVV": "VII", "EEE": "EII"}[structure] if X.shape[1] == 1 else structure, k, f"{best:.9f}"])
