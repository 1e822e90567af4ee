"""Writes tests/goldens/discriminant_*.csv: rows, and what scikit-learn's shrunken discriminants say of them.

Run with python -P tools/goldens/discriminant.py (-P: the math.py beside it must not hide Python's own).
"""

import csv
import pathlib
import warnings

import numpy as np
from sklearn.covariance import OAS, LedoitWolf, ledoit_wolf_shrinkage
from sklearn.datasets import load_iris
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as LDA
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis as QDA
from sklearn.preprocessing import StandardScaler

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "tests" / "goldens"
warnings.filterwarnings("ignore")


def make_case(seed, sizes, columns, constant=None, powers=(-1, 1.5)):
    random = np.random.default_rng(seed)
    scale = 10.0 ** random.uniform(*powers, size=columns)
    rows, labels = [], []
    for label, size in enumerate(sizes):
        mixing = random.normal(size=(columns, columns)) * 0.5 + np.eye(columns)
        rows.append((random.normal(size=(size, columns)) @ mixing + random.normal(size=columns)) * scale + 5 * scale)
        labels.append(np.full(size, label))
    x, y = np.vstack(rows), np.concatenate(labels)
    if constant is not None:
        x[:, constant] = np.where(y == 0, 3.25, x[:, constant])
    order = random.permutation(len(y))
    return np.array([[float(f"{v:.6g}") for v in row] for row in x[order]]), y[order]


def exact_quadratic(x, y):
    """Posteriors of QDA with shrinkage="auto", in 80-bit numbers.

    scikit-learn's eigen solver loses the digits that lie between the largest and the smallest variance of a class: its
    posteriors of "wide" are wrong by 1.5e-8, those of other rows like them by up to 8e-3, and where scales run from
    1e-2 to 1e3 by up to 4e-9 (of "scales" both agree to 4e-13). So there it cannot be the judge.
    """
    x = x.astype(np.longdouble)
    joint = []
    for label in np.unique(y):
        of_class = x[y == label]
        mean = of_class.mean(axis=0)
        scale = np.sqrt(((of_class - mean) ** 2).mean(axis=0))
        z = (of_class - mean) / scale
        n, d = z.shape
        product = z.T @ z
        empirical = product / n
        level = np.trace(empirical) / d
        squared = (product**2).sum() / np.longdouble(n) ** 2
        spread = ((z**2).T @ (z**2)).sum() / n - squared
        distance = squared - 2 * level * np.trace(empirical) + d * level**2
        amount = min(spread / n, distance) / distance
        covariance = (1 - amount) * empirical + amount * level * np.eye(d, dtype=np.longdouble)
        covariance *= np.outer(scale, scale)
        way = (x - mean).T.copy()
        factor = np.zeros_like(covariance)
        for i in range(d):
            for j in range(i + 1):
                left = covariance[i, j] - (factor[i, :j] * factor[j, :j]).sum()
                factor[i, j] = np.sqrt(left) if i == j else left / factor[j, j]
            way[i] = (way[i] - (factor[i, :i, None] * way[:i]).sum(axis=0)) / factor[i, i]
        joint.append(np.log(np.longdouble(len(of_class)) / len(y)) - (way**2).sum(axis=0) / 2
                     - np.log(np.diag(factor)).sum())
    joint = np.array(joint).T
    p = np.exp(joint - joint.max(axis=1, keepdims=True))
    return p / p.sum(axis=1, keepdims=True)


iris = load_iris()
CASES = {
    "iris": (iris.data, iris.target),
    "scales": make_case(1, [15, 20, 12], 5),
    "few": make_case(2, [7, 6], 9),
    "constant": make_case(3, [14, 18], 4, constant=2),
    "wide": make_case(4, [15, 20, 12], 5, powers=(-4, 5)),
}
MODELS = {
    "lda_automatic": lambda: LDA(solver="lsqr", shrinkage="auto"),
    "lda_ledoit_wolf": lambda: LDA(solver="lsqr", covariance_estimator=LedoitWolf()),
    "lda_oas": lambda: LDA(solver="lsqr", covariance_estimator=OAS()),
    "lda_fixed": lambda: LDA(solver="lsqr", shrinkage=0.25),
    "qda_automatic": lambda: QDA(solver="eigen", shrinkage="auto"),
    "qda_ledoit_wolf": lambda: QDA(solver="eigen", covariance_estimator=LedoitWolf()),
}


def write(name, header, rows):
    with open(FOLDER / name, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows([[repr(float(v)) if isinstance(v, float) else v for v in row] for row in rows])


rows, values = [], []
for case, (x, y) in CASES.items():
    rows += [[case, int(label), *map(float, row)] for label, row in zip(y, x)]
    for label in np.unique(y):
        of_class = x[y == label] - x[y == label].mean(axis=0)
        scaled = StandardScaler().fit_transform(x[y == label])
        values.append([case, "ledoit_wolf", int(label), float(ledoit_wolf_shrinkage(of_class))])
        values.append([case, "automatic", int(label), float(ledoit_wolf_shrinkage(scaled))])
    if case == "wide":
        values += [[case, "qda_automatic", k, *map(float, p)] for k, p in enumerate(exact_quadratic(x, y))]
        continue
    for model, make in MODELS.items():
        fitted = make().fit(x, y)
        values += [[case, model, k, *map(float, p)] for k, p in enumerate(fitted.predict_proba(x))]
for case in ("iris", "scales"):
    x, y = CASES[case]
    fitted = LDA(solver="svd").fit(x, y)  # divides by n
    values.append([case, "explained", 0, *map(float, fitted.explained_variance_ratio_)])
    values += [[case, "coordinates", k, *map(float, p)] for k, p in enumerate(fitted.transform(x))]
write("discriminant_rows.csv", ["case", "label", "x"], rows)
write("discriminant_values.csv", ["case", "quantity", "row", "value"], values)
