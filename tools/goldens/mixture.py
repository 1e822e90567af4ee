"""Writes tests/goldens/mixture_*.csv: iris and shapeless rows, and what scikit-learn's mixtures, from a given start,
and kernel densities say of them.

Run with python -P tools/goldens/mixture.py.
"""

import csv
import pathlib
import warnings

import numpy as np
from scipy.stats import gaussian_kde
from sklearn.datasets import load_iris
from sklearn.mixture import GaussianMixture
from sklearn.neighbors import KernelDensity

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "tests" / "goldens"
warnings.filterwarnings("ignore")
iris = load_iris().data
values = []


def write(case, quantity, numbers):
    values.append([case, quantity] + [repr(float(v)) for v in np.ravel(numbers)])


# Components start at rows 10, 70 and 120 with the covariance of all rows.
start = np.cov(iris.T, bias=True)
shapes = {
    "full": np.array([np.linalg.inv(start)] * 3),
    "tied": np.linalg.inv(start),
    "diag": np.array([1 / np.diag(start)] * 3),
    "spherical": np.array([1 / np.diag(start).mean()] * 3),
}
for shape, precisions in shapes.items():
    model = GaussianMixture(
        3, covariance_type=shape, tol=0, max_iter=40, reg_covar=1e-6, weights_init=[0.5, 0.3, 0.2],
        means_init=iris[[10, 70, 120]], precisions_init=precisions,
    ).fit(iris)
    write(shape, "weights", model.weights_)
    write(shape, "means", model.means_)
    full = {"full": lambda c: c, "tied": lambda c: [c] * 3, "diag": lambda c: [np.diag(v) for v in c],
            "spherical": lambda c: [v * np.eye(4) for v in c]}[shape](model.covariances_)
    write(shape, "covariances", full)
    write(shape, "log_density", model.score_samples(iris))
    write(shape, "bic", [model.bic(iris), model.aic(iris)])

queries = np.vstack([iris[::10] + 0.0537, [[20.0, 20, 20, 20], [-3, 0, 5, 1]]])
weight = 0.5 + np.arange(len(iris)) % 7
for kernel in ["gaussian", "tophat", "epanechnikov", "exponential", "linear", "cosine"]:
    for bandwidth in [0.3, 1.7]:
        for columns in [1, 2, 4]:
            if kernel == "cosine" and columns % 2 == 0:
                continue  # scikit-learn's norm of this kernel leaves a term out in even dimensions
            # One leaf: every pair is summed. With more, bounds are subtracted and densities far away lose digits.
            density = KernelDensity(bandwidth=bandwidth, kernel=kernel, leaf_size=1000)
            case = f"{kernel} {bandwidth} {columns}"
            write(case, "even", density.fit(iris[:, :columns]).score_samples(queries[:, :columns]))
            weighed = density.fit(iris[:, :columns], sample_weight=weight)
            write(case, "weighed", weighed.score_samples(queries[:, :columns]))
write("scipy", "scott", gaussian_kde(iris.T).logpdf(queries.T))
write("scipy", "silverman", gaussian_kde(iris.T, bw_method="silverman").logpdf(queries.T))

with open(FOLDER / "mixture_rows.csv", "w", newline="") as file:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["kind", "a", "b", "c", "d"])
    writer.writerows([["row"] + [repr(float(v)) for v in row] for row in iris])
    writer.writerows([["query"] + [repr(float(v)) for v in row] for row in queries])
with open(FOLDER / "mixture_values.csv", "w", newline="") as file:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["case", "quantity", "values"])
    writer.writerows(values)
