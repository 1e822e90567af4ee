"""Logistic regression beside scikit-learn's solvers (and scikit-learn-intelex where it is installed), to no higher objective."""
import tarfile
import time
import warnings

import numpy
import scipy.sparse
from sklearn.feature_extraction.text import TfidfVectorizer

from bench.contest import Entry, contest, entrants
from bench.places import DATA

SLACK = 1e-4  # relative, of the objective: scikit-learn's own solvers differ by more at their default tolerance


def gaussian_rows(rows: int, columns: int, classes: int) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Classes with a common covariance: the case in which linear scores are right."""
    rng = numpy.random.default_rng(1)
    y = rng.integers(0, classes, rows)
    mixed = rng.standard_normal((columns, columns)) / columns**0.5 + numpy.eye(columns)
    X = rng.standard_normal((rows, columns)) @ mixed
    return X + 0.22 * rng.standard_normal((classes, columns))[y], y


def rows_apart(rows: int, columns: int, classes: int) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Classes two standard deviations apart: easy data, on which a rival's solver soon ends."""
    rng = numpy.random.default_rng(3)
    y = rng.integers(0, classes, rows)
    means = numpy.linalg.qr(rng.standard_normal((columns, columns)))[0][:classes] * 2**0.5
    return rng.standard_normal((rows, columns)) + means[y], y


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


def bytes_of(X: object) -> float:
    """What predictions must read at least, so that their share of the memory's bandwidth can be told."""
    if isinstance(X, numpy.ndarray):
        return float(X.nbytes)
    return float(X.data.nbytes + X.indices.nbytes + X.indptr.nbytes)  # type: ignore[attr-defined]


def quickest(models: dict[str, object], X: object, y: numpy.ndarray) -> str:
    """Which of a contender's solvers is worth repeating: each is run once."""
    if len(models) == 1:
        return next(iter(models))
    taken = {}
    for name, model in models.items():
        started = time.perf_counter()
        model.fit(X, y)  # type: ignore[attr-defined]
        taken[name] = time.perf_counter() - started
    return min(taken, key=lambda name: taken[name])


def run(quick: bool) -> list[Entry]:
    share = 10 if quick else 1
    cases: list[tuple[str, tuple[object, numpy.ndarray] | None]] = [
        (f"gaussian {500_000 // share} x 50, 5 classes", gaussian_rows(500_000 // share, 50, 5)),
        (f"skewed {100_000 // share} x 50, 5 classes", skewed_rows(100_000 // share, 50, 5)),
        (f"gaussian {1_000_000 // share} x 30, 2 classes", gaussian_rows(1_000_000 // share, 30, 2)),
        (f"two deviations apart {500_000 // share} x 50, 5 classes", rows_apart(500_000 // share, 50, 5)),
        (f"two deviations apart {1_000_000 // share} x 30, 2 classes", rows_apart(1_000_000 // share, 30, 2)),
        ("adult, one-hot", adult_rows()), ("20 newsgroups, tf-idf", None if quick else news_rows())]
    entries: list[Entry] = []
    budget = 0.3 if quick else 2.0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for title, data in cases:
            if data is None:
                continue
            X, y = data
            models: dict[str, object] = {}
            for who, module in entrants("logistic").items():
                # Of several classes lbfgs is the quickest by far; the solvers are tried where there are two or many columns.
                made = module.models(X.shape[1] < 10_000) if module else {who: None}
                chosen = next(iter(made)) if "5 classes" in title else quickest(made, X, y)
                models[chosen] = made[chosen]
            fitted = contest("logistic", f"{title} fit", {
                who: model and (lambda model=model: model.fit(X, y)) for who, model in models.items()},
                budget_seconds=budget, least_rounds=2)
            reached = {who: objective(model, X, y) for who, model in models.items() if model}
            for entry in fitted:  # a rival that stops too early is timed all the same: that is in its favour
                if model := models.get(entry.contender):
                    entry.note = entry.note or f"{int(numpy.max(model.n_iter_))} steps"
                if reached.get(entry.contender, 0) > min(reached.values()) * (1 + SLACK):
                    entry.note = f"stops {reached[entry.contender] / min(reached.values()) - 1:.2g} above the least objective"
            entries += fitted
            entries += contest("logistic", f"{title} predict_proba", {
                who: model and (lambda model=model: model.predict_proba(X)) for who, model in models.items()},
                lambda ours, theirs: bool(numpy.abs(ours - theirs).mean() < 1e-2), budget, least_rounds=2, bytes=bytes_of(X))
    return entries
