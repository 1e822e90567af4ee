"""Logistic regression beside scikit-learn's solvers (and scikit-learn-intelex where it is installed), to no higher objective."""
import importlib.util
import pathlib
import tarfile
import time
import warnings
from collections.abc import Callable

import numpy
import scipy.sparse
import sklearn.linear_model
from sklearn.feature_extraction.text import TfidfVectorizer

import suffice
from bench.contest import Entry, contest

DATA = pathlib.Path(__file__).resolve().parents[2].parent / "shared" / "data"
SLACK = 1e-4  # relative, of the objective: scikit-learn's own solvers differ by more at their default tolerance


def gaussian_rows(rows: int, columns: int, classes: int) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Classes with a common covariance: the case in which linear scores are right."""
    rng = numpy.random.default_rng(1)
    y = rng.integers(0, classes, rows)
    mixed = rng.standard_normal((columns, columns)) / columns**0.5 + numpy.eye(columns)
    X = rng.standard_normal((rows, columns)) @ mixed
    return X + 0.22 * rng.standard_normal((classes, columns))[y], y


def skewed_rows(rows: int, columns: int, classes: int) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Columns of very different scales and shapes, and a tenth of the labels wrong."""
    rng = numpy.random.default_rng(2)
    X = rng.gamma(1.5, 1.0, (rows, columns)) * 10 ** rng.uniform(-0.5, 1.0, columns)
    scores = (X / X.std(axis=0)) @ rng.standard_normal((columns, classes))
    y = scores.argmax(axis=1)
    wrong = rng.random(rows) < 0.1
    y[wrong] = rng.integers(0, classes, wrong.sum())
    return X, y


def adult_rows() -> tuple[scipy.sparse.csr_array, numpy.ndarray] | None:
    path = DATA / "adult" / "adult.data"
    if not path.exists():
        return None
    lines = [line.split(", ") for line in path.read_text().splitlines() if line.strip()]
    table = numpy.array([line for line in lines if len(line) == 15])
    blocks = []
    for k in range(14):
        if k in (0, 2, 4, 10, 11, 12):
            numbers = table[:, k].astype(float)
            blocks.append(scipy.sparse.csr_array(((numbers - numbers.mean()) / numbers.std())[:, None]))
        else:
            levels, codes = numpy.unique(table[:, k], return_inverse=True)
            blocks.append(scipy.sparse.csr_array((numpy.ones(len(codes)), (numpy.arange(len(codes)), codes)),
                                                 shape=(len(codes), len(levels))))
    return scipy.sparse.csr_array(scipy.sparse.hstack(blocks)), (table[:, 14] == ">50K").astype(int)


def news_rows() -> tuple[scipy.sparse.csr_array, numpy.ndarray] | None:
    path = DATA / "20newsgroups" / "20news-bydate.tar.xz"
    if not path.exists():
        return None
    texts, groups = [], []
    with tarfile.open(path) as archive:
        for member in archive:
            if member.isfile() and "train" in member.name:
                file = archive.extractfile(member)
                assert file is not None
                texts.append(file.read().decode("latin-1"))
                groups.append(member.name.split("/")[-2])
    return TfidfVectorizer().fit_transform(texts), numpy.unique(groups, return_inverse=True)[1]


def objective(model: object, X: object, y: numpy.ndarray) -> float:
    log_p = model.predict_log_proba(X)  # type: ignore[attr-defined]
    return float(-log_p[numpy.arange(len(y)), y].sum() + 0.5 * (model.coef_**2).sum())  # type: ignore[attr-defined]


def intelex() -> Callable[..., object] | None:
    if importlib.util.find_spec("sklearnex") is None:
        return None
    from sklearnex.linear_model import LogisticRegression  # type: ignore[import-not-found]

    return LogisticRegression


def fastest(X: object, y: numpy.ndarray, solvers: tuple[str, ...]) -> str:
    """Which of scikit-learn's solvers is worth repeating: each is run once."""
    taken = {}
    for solver in solvers:
        started = time.perf_counter()
        sklearn.linear_model.LogisticRegression(solver=solver).fit(X, y)
        taken[solver] = time.perf_counter() - started
    return min(taken, key=lambda name: taken[name])


def run(quick: bool) -> list[Entry]:
    share = 10 if quick else 1
    dense = ("lbfgs", "newton-cholesky", "newton-cg")
    cases: list[tuple[str, tuple[object, numpy.ndarray] | None, tuple[str, ...]]] = [
        (f"gaussian {500_000 // share} x 50, 5 classes", gaussian_rows(500_000 // share, 50, 5), dense[:1]),
        (f"skewed {100_000 // share} x 50, 5 classes", skewed_rows(100_000 // share, 50, 5), dense[:1]),
        (f"gaussian {1_000_000 // share} x 30, 2 classes", gaussian_rows(1_000_000 // share, 30, 2), dense),
        ("adult, one-hot", adult_rows(), dense),
        ("20 newsgroups, tf-idf", None if quick else news_rows(), ("newton-cg", "saga"))]
    entries: list[Entry] = []
    budget = 0.5 if quick else 3.0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for title, data, solvers in cases:
            if data is None:
                continue
            X, y = data
            solver = fastest(X, y, solvers)
            ours, theirs = suffice.LogisticRegression(), sklearn.linear_model.LogisticRegression(solver=solver)
            contenders: dict[str, Callable[[], object]] = {
                "suffice": lambda: ours.fit(X, y), f"scikit-learn {solver}": lambda: theirs.fit(X, y)}
            made = intelex()
            if made is not None:
                third = made()
                contenders["scikit-learn-intelex"] = lambda: third.fit(X, y)
            entries += contest("logistic", f"{title} fit", contenders, budget_seconds=budget)
            higher = objective(ours, X, y) > objective(theirs, X, y) * (1 + SLACK)
            if higher:
                entries[-len(contenders)].note = "its objective is higher"
            entries += contest("logistic", f"{title} predict_proba", {
                "suffice": lambda: ours.predict_proba(X), "scikit-learn": lambda: theirs.predict_proba(X)},
                budget_seconds=budget)
    return entries
