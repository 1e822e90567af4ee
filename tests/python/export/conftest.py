"""Models to export: one of each kind that has a formula, in files, with rows to ask and what the command answers."""
import datetime
import io
import os
import pathlib
import subprocess
import warnings

import numpy as np
import pytest

import suffice

ROOT = pathlib.Path(__file__).resolve().parents[3]
COMMAND = pathlib.Path(os.environ.get("SUFFICE", ROOT / "build" / "suffice"))
TARGET = "kind"


def numbers(rng, rows):
    kind = rng.choice(list("abc"), rows, p=[0.5, 0.3, 0.2])
    at = np.array([{"a": 0.0, "b": 1.0, "c": 2.0}[each] for each in kind])
    x = rng.normal(at, 1 + at / 2)
    return {"x": x, "y": rng.normal(-at, 1.5) + x / 2, "z": 1000 + rng.normal(at, 1) - x, TARGET: kind}


def mixed(rng, rows):
    """Hostile names; numbers of several families; words."""
    kind = rng.choice(["a", "b'c\"", "é, d"], rows)
    at = np.unique(kind, return_inverse=True)[1].astype(float)
    return {"x 'y\"": rng.normal(at, 1), "count": rng.poisson(1 + at), "flag": (rng.random(rows) < 0.2 + 0.3 * at) * 1,
            "wait": rng.exponential(1 + at), "share": rng.beta(1 + at, 2), "size": rng.lognormal(at, 1),
            "shape": rng.gamma(1 + at, 2), "color": rng.choice(["re'd", "gr\"een", "blue"], rows),
            "place": rng.choice(["1", "2", "10"], rows), TARGET: kind}


FAMILIES = {"wait": "exponential", "share": "beta", "size": "log_normal", "shape": "gamma", "count": "poisson",
            "flag": "bernoulli", "color": "categorical", "place": "categorical"}


def counts(rng, rows):
    kind = rng.choice([3, 5, 12], rows)
    return {"u": rng.poisson(kind), "v": rng.poisson(4, rows), "w": rng.poisson(20 - kind), TARGET: kind}


def odd_shapes(rng, rows):
    """Columns for which "auto" chooses histograms, inflated zeros and heavy tails."""
    kind = rng.choice(["no", "yes"], rows)
    at = (kind == "yes").astype(float)
    zero = rng.random(rows) < 0.4 + 0.2 * at
    two_humps = np.where(rng.random(rows) < 0.5, rng.normal(-5 + at, 0.3), rng.normal(5 - at, 0.3))
    return {"amount": np.where(zero, 0.0, rng.lognormal(at, 1)), "visits": np.where(zero, 0, rng.poisson(5 + 3 * at)), "humps": two_humps,
            "failures": rng.negative_binomial(2, 0.2 + 0.1 * at), "tries": rng.geometric(0.2 + 0.3 * at) - 1, "even": rng.random(rows),
            TARGET: kind}


def dated(rng, rows):
    """A column of dates and times, of which the model takes parts, and truth values."""
    kind = rng.choice(["before", "behind"], rows)
    late = (kind == "behind").astype(float)
    days = rng.integers(0, 700, rows) + 300 * late
    start = datetime.datetime(2023, 1, 1)
    when = [start + datetime.timedelta(days=int(day), seconds=int(second)) for day, second in zip(days, rng.integers(0, 86400, rows))]
    return {"when": [each.strftime("%Y-%m-%d %H:%M:%S") for each in when], "sure": rng.random(rows) < 0.2 + 0.5 * late,
            "x": rng.normal(late, 1), TARGET: kind}


def many_levels(rng, rows):
    """Levels that a class never had, so that likelihoods of zero are met."""
    kind = rng.choice(["a", "b"], rows)
    own = np.where(kind == "a", rng.integers(0, 40, rows), rng.integers(20, 60, rows))
    return {"code": [f"L{each}" for each in own], "other": rng.choice(["p", "q"], rows), "bit": np.where(kind == "a", 0, rng.integers(0, 2, rows)),
            TARGET: kind}


MODELS = [("naive_bayes", mixed, {"families": FAMILIES}), ("naive_bayes", mixed, {"families": FAMILIES, "estimate": "likelihood"}),
          ("naive_bayes", mixed, {"families": {**FAMILIES, "flag": "categorical"}, "joint": [["color", "place", "flag"]]}),
          ("naive_bayes", numbers, {"estimate": "predictive"}),
          ("naive_bayes", mixed, {"families": FAMILIES, "estimate": "predictive"}), ("naive_bayes", mixed, {"families": FAMILIES, "estimate": "predictive", "column_priors": {"count": "gamma(70,20)"}}),
          ("naive_bayes", odd_shapes, {"families": {"failures": "negative_binomial", "tries": "geometric", "visits": "poisson", "even": "exponential",
                                                    "humps": "gaussian_known_mean"}, "estimate": "predictive"}),
          ("multinomial_nb", counts, {"estimate": "predictive"}), ("multinomial_nb", counts, {"estimate": "predictive", "smoothing": 0.01}),
          ("naive_bayes", odd_shapes, {"families": {"*": "auto"}}),
          ("naive_bayes", odd_shapes, {"families": {"failures": "negative_binomial", "tries": "geometric", "visits": "negative_binomial"}}),
          ("naive_bayes", dated, {}), ("linear_discriminant", dated, {}),
          ("naive_bayes", many_levels, {"estimate": "likelihood"}), ("categorical_nb", many_levels, {}),
          ("gaussian_nb", numbers, {}), ("histogram_nb", numbers, {}), ("histogram_nb", odd_shapes, {}),
          ("linear_discriminant", numbers, {}), ("quadratic_discriminant", numbers, {}), ("linear_discriminant", mixed, {"families": {"place": "categorical"}}),
          ("linear_discriminant", numbers, {"shrinkage": "auto", "priors": "uniform"}), ("linear_discriminant", numbers, {"estimate": "predictive"}),
          ("quadratic_discriminant", numbers, {"estimate": "predictive"}),
          ("grouped_discriminant", numbers, {"groups": [["a", "c"], ["b"]]}), ("diagonal_discriminant", numbers, {}),
          ("spherical_discriminant", numbers, {}), ("regularized_discriminant", numbers, {"alpha": 0.4, "gamma": 0.1}),
          ("mixture_discriminant", numbers, {"components": 2}), ("mixture_discriminant", numbers, {"components": 2, "covariance": "VEV"}),
          ("mixture_discriminant", numbers, {"components": 2, "covariance": "EVI"}),
          ("multinomial_nb", counts, {}), ("complement_nb", counts, {}), ("complement_nb", counts, {"normalize_weights": True}),
          ("poisson_nb", counts, {}), ("linear_discriminant", counts, {}), ("priors_only", numbers, {}),
          ("logistic_regression", numbers, {}), ("logistic_regression", mixed, {"penalty": 1.0, "families": {"place": "categorical"}}),
          ("logistic_regression", odd_shapes, {"penalty": 1.0, "offset": "even"}),
          ("logistic_regression", numbers, {"basis": ["x=poly(3)", "y=spline(4)", "z=bspline(5)"], "penalty": 0.1}),
          ("logistic_regression", numbers, {"basis": ["x=radial(3)", "y=sigmoid(3)", "z=fourier(4)", "x*y"], "penalty": 0.1}),
          ("gaussian_mixture", numbers, {}), ("gaussian_mixture", numbers, {"covariance": "tied"}), ("gaussian_mixture", numbers, {"covariance": "VEI"}),
          ("k_means", numbers, {}), ("mixture", mixed, {"family": ",".join(f"{name}={family}" for name, family in FAMILIES.items())}),
          ("mixture", counts, {"family": "*=poisson"})]
GROUPS = {"gaussian_mixture", "k_means", "mixture"}  # of `cluster`, which knows no target
IDS = [f"{model}-{data.__name__}-{'-'.join(settings) or 'plain'}" for model, data, settings in MODELS]


def write_csv(path, columns):
    def cell(value):
        text = "" if value is None else repr(float(value)) if isinstance(value, np.floating) else str(value)
        return '"' + text.replace('"', '""') + '"' if any(each in text for each in ",\"'\n ") else text

    lines = [",".join(cell(name) for name in columns)]
    lines += [",".join(cell(value) for value in row) for row in zip(*columns.values())]
    path.write_text("\n".join(lines) + "\n")


def holed(columns, rng, words=True):
    """The same rows with holes, and with words that no model has seen."""
    made = {}
    for name, values in columns.items():
        if name == TARGET:
            continue
        values = [None if rng.random() < 0.15 else value for value in values]
        if words and isinstance(columns[name][0], str) and name != "when":
            values = ["never seen" if value is not None and rng.random() < 0.1 else value for value in values]
        made[name] = values
    return made


def plain(value):
    return value.item() if isinstance(value, np.generic) else value


class Case:
    """A fitted model in a file, rows to ask, and what the command answers."""

    def __init__(self, folder, model, make, settings, rows=80):
        rng = np.random.default_rng(5)
        self.folder = folder
        write_csv(folder / "train.csv", make(rng, 300))
        self.path = folder / "model.suf"
        self.fit(model, settings)
        self.rows = make(rng, rows)
        del self.rows[TARGET]
        if model != "logistic_regression":  # which needs every value
            self.rows = holed(self.rows, rng)
        write_csv(folder / "rows.csv", self.rows)
        self.ask()

    def fit(self, model, settings):
        if model in GROUPS:
            words = [word for name, value in settings.items() for word in (f"--{name}", value)]
            subprocess.run([COMMAND, "cluster", self.folder / "train.csv", "--exclude", TARGET, "--model", model, "--k", "3", "--seed", "1", "-q", "--save", self.path,
                            "-o", os.devnull, *words], check=True)
            return
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            suffice.fit_files(self.folder / "train.csv", TARGET, model, **settings).save(self.path)

    def ask(self, *words):
        done = subprocess.run([COMMAND, "predict", self.path, self.folder / "rows.csv", "--proba", *words], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        import pandas as pd

        table = pd.read_csv(io.StringIO(done.stdout), dtype={"prediction": str}, keep_default_na=False, float_precision="round_trip")
        self.labels = table["prediction"].tolist()
        self.classes = [name[2:-1] for name in table.columns[1:]]
        self.expected = table.iloc[:, 1:].to_numpy(dtype=float)

    def export(self, *words):
        done = subprocess.run([COMMAND, "export", self.path, *words], capture_output=True, text=True, cwd=self.folder)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def records(self):
        """The rows as databases take them."""
        return [[plain(value) for value in row] for row in zip(*self.rows.values())]

    def check_table(self, names, rows, tolerance=1e-9):
        """Every column of the table, then prediction and p(CLASS)."""
        kept = len(self.rows)
        assert names == [*self.rows, "prediction", *(f"p({each})" for each in self.classes)]
        assert ["" if row[kept] is None else str(row[kept]) for row in rows] == self.labels
        np.testing.assert_allclose(np.array([row[kept + 1:] for row in rows], dtype=float), self.expected, rtol=0, atol=tolerance)


@pytest.fixture(params=range(len(MODELS)), ids=IDS, scope="module")
def case(request, tmp_path_factory):
    return Case(tmp_path_factory.mktemp("export"), *MODELS[request.param])


@pytest.fixture(scope="session")
def kit():
    """What tests make cases of their own with."""
    class Kit:
        command, target, root = COMMAND, TARGET, ROOT
        makers = {each.__name__: each for each in (numbers, mixed, counts, odd_shapes, dated, many_levels)}
        families = FAMILIES

        @staticmethod
        def case(folder, model, make, settings=None, rows=80):
            return Case(folder, model, Kit.makers[make], settings or {}, rows)

        write_csv = staticmethod(write_csv)

    return Kit
