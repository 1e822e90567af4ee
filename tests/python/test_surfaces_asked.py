"""The law of surfaces for what is asked of models and rows: what `inspect --json` reads off, what pictures are drawn from, groups,
densities and draws are the same numbers from the command, files, rows in memory and Python.

Models, settings, families and structures come from the library's own tables, data from the law of settings. A parameter of a
class that clusters must have an option of the command, or stand below with the reason why it has none.
"""
import csv
import inspect
import io
import itertools
import json
import pathlib
import re
import sys

import numpy as np
import pandas
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from test_surfaces import (  # noqa: F401 (folder is a fixture)
    ALWAYS,
    C_LIBRARY,
    COMMAND,
    DATA,
    IN_MEMORY,
    MODELS,
    SETTINGS,
    TARGET,
    command,
    command_words,
    folder,
)

import suffice
from suffice import _core, families, plots

pytestmark = pytest.mark.filterwarnings("ignore")


def options_of(given):
    return [word for option, text in command_words(given) for word in ((option,) if text is None else (option, text))]


def rows_of(folder, data):
    """The rows that have a class, as a frame, and their classes."""
    rows = pandas.read_csv(folder / f"{data}.csv", keep_default_na=False)
    if data == "holes":  # a frame has its numbers as numbers
        rows["x"] = pandas.to_numeric(rows["x"], errors="coerce")
    rows = rows[rows[TARGET] != ""].reset_index(drop=True)
    labels = rows.pop(TARGET)
    return rows, labels


@pytest.fixture(scope="module")
def labelled(folder):
    """The same tables without the rows that have no class."""
    for data in DATA:
        head, *lines = (folder / f"{data}.csv").read_text().splitlines()
        (folder / f"{data}_labelled.csv").write_text("\n".join([head, *(line for line in lines if not line.endswith(","))]) + "\n")
    return folder


def fitted(labelled, data, model):
    """A file of this model of these rows, or nothing where it does not take them."""
    path = labelled / "asked.suf"
    done = command("fit", labelled / f"{data}_labelled.csv", "--target", TARGET, "--model", model, "-o", path, "--quiet",
                   *options_of(ALWAYS.get(model, {})))
    return None if done is None else path


def each_of(labelled, model):
    """(data, file) of all data that the model takes."""
    taken = 0
    for data in DATA:
        path = fitted(labelled, data, model)
        if path is not None:
            taken += 1
            yield data, path
    assert taken, f"no data suit {model}"


# What is read off.


def read_off(path):
    told = json.loads(command("inspect", path, "--json"))
    told.pop("files", None)
    told["rows"] = pytest.approx(told["rows"], rel=1e-12)  # a class of Python knows those of its components alone
    return told


@pytest.mark.parametrize("model", MODELS)
def test_what_is_read_off_is_the_same_whoever_fitted(labelled, model, tmp_path):
    for data, path in each_of(labelled, model):
        expected, (rows, labels) = read_off(path), rows_of(labelled, data)
        by_files = tmp_path / "files.suf"
        suffice.fit_files(labelled / f"{data}_labelled.csv", TARGET, model, **ALWAYS.get(model, {})).save(by_files)
        assert read_off(by_files) == expected, f"{model} of {data}: fit_files"
        for surface in ("a frame", "an Arrow table", *(["the C interface"] if C_LIBRARY.exists() else [])):
            by_memory = tmp_path / "memory.suf"
            IN_MEMORY[surface](rows, labels, model, ALWAYS.get(model, {}), by_memory)
            assert read_off(by_memory) == expected, f"{model} of {data}: {surface}"


@pytest.mark.parametrize("model", MODELS)
def test_measures_of_a_loaded_model_are_those_that_are_read_off(labelled, model):
    for data, path in each_of(labelled, model):
        told, loaded = read_off(path), suffice.load(path)
        for name in ("parameter_count", "log_likelihood", "bic", "aic"):
            if told.get(name) is not None:
                assert getattr(loaded, name + "_") == pytest.approx(told[name], rel=1e-12), f"{name} of {model} on {data}"
        assert [each["name"] for each in told["classes"]] == [str(each) for each in loaded.classes_]


# What pictures are drawn from.


# What is drawn, over how many columns; None: those that the model and the rows suggest.
PICTURES = [("boundary", None), ("density", 1), ("posterior", 2), ("density", 2), ("roc", None), ("confusion", None), ("calibration", None)]


def picture(path, data_file, what, columns):
    printed = command("plot", path, data_file, "--what", what, "--json", *(["--columns", ",".join(columns)] if columns else []))
    return None if printed is None else json.loads(printed)


@pytest.mark.parametrize("model", MODELS)
def test_pictures_are_drawn_from_the_same_numbers(labelled, model):
    drawn = 0
    for data, path in itertools.islice(each_of(labelled, model), 3):
        rows, labels = rows_of(labelled, data)
        loaded = suffice.load(path)
        numbers = [name for name in rows if rows[name].dtype.kind in "fi"]
        for what, count in PICTURES:
            columns = None if count is None else numbers[:count]
            if columns == []:
                continue
            told = f"{what} of {columns} under {model} on {data}"
            expected = picture(path, labelled / f"{data}_labelled.csv", what, columns)
            try:
                found = plots._data(loaded, rows, labels, what, columns)
            except (ValueError, NotImplementedError, AttributeError) as refused:
                assert expected is None, f"{told}: Python refused: {refused}"
                continue
            assert expected is not None, f"{told}: the command refused"
            assert found == expected, told
            drawn += 1
    assert drawn, f"there is no picture of {model}"


@pytest.mark.parametrize("model", MODELS)
def test_pictures_show_what_the_model_predicts(labelled, model):
    for data, path in each_of(labelled, model):
        rows, labels = rows_of(labelled, data)
        loaded, told = suffice.load(path), json.loads(command("evaluate", path, labelled / f"{data}_labelled.csv", "--json"))
        table = labelled / f"{data}_labelled.csv"
        assert picture(path, table, "confusion", None)["confusion"] == told["confusion"], f"{model} on {data}"
        curves = picture(path, table, "roc", None)
        areas = told["roc_auc"]["per_class"]
        assert [each["area"] for each in curves["curves"]] == (areas[1:] if len(areas) == 2 else areas)
        kinds = {each["name"]: each["kind"] for each in read_off(path).get("columns", [])}
        numbers = [name for name in rows if kinds.get(name) in ("number", "flag")][:2]
        shown = picture(path, table, "posterior", numbers) if len(numbers) == 2 else None
        if shown is None or "log_density" not in shown:
            continue  # without densities other columns cannot be integrated out
        places = np.array(shown["at"])[::97]
        asked = pandas.DataFrame({name: np.full(len(places), np.nan) for name in rows})
        asked[shown["x"]], asked[shown["y"]] = places[:, 0], places[:, 1]
        try:
            posterior = loaded.predict_proba(asked)
        except ValueError as refused:
            assert "NaN" in str(refused), f"{model} on {data} draws places that it does not score: {refused}"
            continue  # scikit-learn's class takes no missing values
        np.testing.assert_allclose(posterior, np.array(shown["posterior"])[::97], rtol=1e-9, atol=1e-12, err_msg=f"{model} on {data}")


# Draws.


@pytest.mark.parametrize("model", MODELS)
def test_the_same_seed_draws_the_same_rows(labelled, model):
    for data, path in each_of(labelled, model):
        loaded, printed = suffice.load(path), command("sample", path, "--count", 7, "--seed", 5)
        if printed is None:
            with pytest.raises((ValueError, NotImplementedError, AttributeError)):
                loaded.sample(7, random_state=5)
            continue
        lines = list(csv.DictReader(io.StringIO(printed)))
        rows, labels = loaded.sample(7, random_state=5)
        assert [line[TARGET] for line in lines] == [str(label) for label in labels], f"{model} of {data}"
        for k, name in enumerate(loaded.feature_names_in_):
            for line, row in zip(lines, np.asarray(rows, dtype=object)):
                drawn = row if isinstance(row, str) else row[k]  # documents of a TextClassifier have no columns
                if isinstance(drawn, str):
                    assert line[name] == drawn
                elif line[name] == "":
                    assert drawn is None or np.isnan(drawn)
                else:
                    assert float(line[name]) == pytest.approx(float(drawn), rel=1e-12)


# Groups.


GROUPED = {"numbers": "kind", "shares": "kind", "counts": "kind", "mixed": "kind,note", "flags": "kind"}
# Of suffice.Mixture: its options of the command, and values to try besides the usual one.
OPTION = {"n_components": ("--k", [1, 3]), "covariance": ("--covariance", None), "family": ("--family", None),
          "n_init": ("--starts", [1, 3]), "tol": ("--tolerance", [1e-2, 1e-10]), "max_iter": ("--steps", [2, 5]),
          "estimate": ("--estimate", ["map"]), "smoothing": ("--smoothing", [0.1, 7]), "hard": ("--hard", [True]),
          "random_state": ("--seed", [1, 12])}
BESIDE = {"smoothing": {"estimate": "map"}, "random_state": {"n_init": 1}}  # what a setting needs to mean anything
COUNT = {"random_state": 7}  # components: two are found from any seed
NO_OPTION = {"init_params": "kinds of starts other than the several that are tried", "keep": "of partial_fit; --decay with --online"}
NO_PARAMETER = {"--model": "the class", "--distance": "CentreClusters", "--prior": "GaussianMixture(prior=)", "--start": "group_steps(start=)",
                "--trace": "group_steps", "--trace-picture": "a picture", "--online": "partial_fit", "--decay": "partial_fit",
                "--batch": "partial_fit", "--save": "save", "--exclude": "the rows given", "--weight": "sample_weight",
                "--weight-kind": "sample_weight", "--proba": "predict_proba", "--json": "values", "--quiet": "warnings",
                "--output": "values"}


def structures():
    """The names that --covariance takes, from the option's own refusal."""
    done = command("cluster", "--help")
    return re.findall(r"[EVI]{3}\b", done.split("--covariance")[1].split("\n  --")[0]) + ["full", "tied", "diagonal", "spherical", "any"]


def test_every_parameter_of_a_mixture_has_an_option_or_a_reason():
    taken = set(inspect.signature(suffice.Mixture.__init__).parameters) - {"self"}
    assert taken == set(OPTION) | set(NO_OPTION)
    own = command("cluster", "--help").split("examples:")[0].split("--delimiter")[0]
    assert set(re.findall(r"^  (?:-\w, |    )?(--[a-z-]+)", own, re.M)) == {option for option, _ in OPTION.values()} | set(NO_PARAMETER)


def grouped(folder, data, *words):
    printed = command("cluster", folder / f"{data}.csv", "--exclude", GROUPED[data], "--json", "--proba", *words)
    return None if printed is None else json.loads(printed)


def frame_of(folder, data):
    rows = pandas.read_csv(folder / f"{data}.csv", keep_default_na=False)
    return rows.drop(columns=GROUPED[data].split(","))


def mixtures_agree(folder, data, model_words, words, **given):
    """The same groups, likelihood and steps; whether anything differs from the usual ones is what is given back."""
    told = f"{given} on {data}"
    found = grouped(folder, data, "--model", model_words, "--k", *map(str, words))
    try:
        model = suffice.Mixture(**given).fit(frame_of(folder, data))
    except ValueError as refused:
        assert found is None, f"{told}: Python refused: {refused}"
        return None
    assert found is not None, f"{told}: the command refused"
    assert found["log_likelihood"] == pytest.approx(model.log_likelihood_, rel=1e-12), told
    assert found["steps"] == model.n_iter_, told
    assert [row["cluster"] for row in found["rows"]] == model.predict(frame_of(folder, data)).tolist(), told
    proba = np.array([[row[f"p({k})"] for k in range(model.n_components_)] for row in found["rows"]])
    np.testing.assert_allclose(proba, model.predict_proba(frame_of(folder, data)), rtol=1e-8, atol=1e-10, err_msg=told)
    if model.n_components_ == np.max(given["n_components"]):
        assert found["bic"] == pytest.approx(model.bic_, rel=1e-12), told
    return found["log_likelihood"], found["steps"], found["sizes"]


@pytest.mark.parametrize("name", [name for name in OPTION if name != "family"])
@pytest.mark.parametrize("kind", ["gaussian_mixture", "mixture"])
def test_settings_of_mixtures_mean_the_same_to_the_command_and_to_python(folder, kind, name):
    if (kind, name) in (("mixture", "covariance"), ("gaussian_mixture", "smoothing")):
        assert grouped(folder, "counts", "--model", kind, "--k", 2, OPTION[name][0], "VVV" if name == "covariance" else 2) is None
        return  # of the other kind alone
    changed = False
    for data in ("numbers", "counts") if kind == "gaussian_mixture" else ("counts", "mixed", "flags"):
        beside = {**BESIDE.get(name, {}), **({"covariance": "diagonal"} if kind == "gaussian_mixture" else {})}
        count = COUNT.get(name, 2)
        usual = {"n_components": count, "random_state": 0, **beside}
        words = {"--seed": 0, **{OPTION[key][0]: value for key, value in beside.items()}}
        before = mixtures_agree(folder, data, kind, [count, *itertools.chain(*words.items())], **usual)
        option, values = OPTION[name]
        for value in structures() if name == "covariance" else values:
            now = {**words} if name == "n_components" else {**words, option: value}
            asked = [value if name == "n_components" else count, *itertools.chain(*now.items())]
            asked = [word for word in asked if word is not True]
            after = mixtures_agree(folder, data, kind, asked, **{**usual, name: value})
            changed = changed or after != before
    assert changed, f"{name} changes nothing of {kind}: it was dropped"


def numeric_families():
    return [name for name in _core.family_names() if not name.startswith(("gaussian_vector", "multinomial", "categorical"))]


@pytest.mark.parametrize("family", numeric_families())
def test_mixtures_of_every_family_are_the_same(folder, family):
    agreed = [mixtures_agree(folder, data, "mixture", [2, "--seed", 0, "--family", f"*={family}"], n_components=2, random_state=0,
                             family=family) for data in ("numbers", "counts", "flags")]
    found = grouped(folder, "flags", "--model", "mixture", "--k", 2, "--family", f"*={family}")
    assert any(agreed) or found is None, f"no data suit {family}"


@pytest.mark.parametrize("distance", ["manhattan", "cosine", "euclidean", "chebyshev"])
def test_groups_around_centres_are_the_same(folder, distance):
    X = frame_of(folder, "numbers").to_numpy()
    for seed, starts in ((0, 10), (7, 1), (7, 4)):
        printed = command("cluster", folder / "numbers.csv", "--exclude", TARGET, "--json", "--model", "k_means", "--k", 3,
                          "--distance", distance, "--seed", seed, "--starts", starts)
        found, model = json.loads(printed), suffice.CentreClusters(3, distance=distance, random_state=seed, n_init=starts).fit(X)
        assert found["objective"] == pytest.approx(model.inertia_, rel=1e-12)
        assert found["steps"] == model.n_iter_
        assert [row["cluster"] for row in found["rows"]] == model.labels_.tolist() == model.predict(X).tolist()


def test_k_means_from_one_start_is_the_same(folder, tmp_path):
    X = frame_of(folder, "numbers").to_numpy()
    for count in (2, 4):
        first = np.arange(len(X)) % count
        start = tmp_path / "start.csv"
        start.write_text("cluster\n" + "".join(f"{k}\n" for k in first))
        centres = np.array([X[first == k].mean(axis=0) for k in range(count)])
        model = suffice.KMeans(count, init=centres, n_init=1, tol=0).fit(X)
        found = json.loads(command("cluster", folder / "numbers.csv", "--exclude", TARGET, "--json", "--model", "k_means", "--k", count,
                                   "--start", start, "--tolerance", 0))
        assert found["objective"] == pytest.approx(model.inertia_, rel=1e-12)
        of_row = [row["cluster"] for row in found["rows"]]
        assert len(set(zip(of_row, model.labels_))) == count  # the same groups, numbered otherwise


# Densities.


def density(folder, data, *words):
    printed = command("density", folder / f"{data}.csv", "--exclude", GROUPED[data], "--json", *words)
    return None if printed is None else json.loads(printed)


DENSITIES = {"kernel_density": lambda value: suffice.KernelDensity(**value), "histogram_nb": lambda value: suffice.HistogramDensity(**value),
             "nearest": lambda value: suffice.NearestDensity(**{"n_neighbors" if name == "neighbors" else name: each for name, each in value.items()})}
# Rules of bandwidths are scikit-learn's in the drop-in, and look at the spread of each column in the command.
OF_THE_COMMAND = {"bandwidth": {"scott", "silverman", "cv", "nrd0", "sheather_jones"}, "units": None}


@pytest.mark.parametrize("model, name", [(model, name) for model in DENSITIES for name, each in SETTINGS.items()
                                         if model in each["models"] and name in {"kernel", "bandwidth", "bins", "neighbors"}
                                         or (model, name) == ("histogram_nb", "smoothing")])
def test_densities_without_a_form_are_the_same(folder, model, name):
    rows, changed = frame_of(folder, "numbers"), set()
    for value, text in [*SETTINGS[name]["examples"], *([(0.3, "0.3")] if name == "bandwidth" else [])]:
        if isinstance(value, str) and value in (OF_THE_COMMAND.get(name) or ()):
            continue
        beside = {"bandwidth": 0.7} if model == "kernel_density" and name != "bandwidth" else {}
        words = [word for key, each in beside.items() for word in (SETTINGS[key]["option"], each)]
        found = density(folder, "numbers", "--model", {"histogram_nb": "histogram"}.get(model, model), SETTINGS[name]["option"], text, *words)
        expected = DENSITIES[model]({name: value, **beside}).fit(rows.to_numpy()).score_samples(rows.to_numpy())
        np.testing.assert_allclose([each["log_density"] for each in found], expected, rtol=1e-10, atol=1e-10, err_msg=f"{name}={value}")
        changed.add(tuple(expected))
    assert len(changed) > 1, f"{name} changes nothing of {model}"


def named_family(name):
    return next((each for each in vars(families).values() if isinstance(each, type) and issubclass(each, families.Family)
                 and each is not families.Family and not each.__name__.startswith("_") and each().name == name), None)


@pytest.mark.parametrize("family", numeric_families())
def test_densities_of_a_family_are_the_same(folder, family):
    made, agreed = named_family(family), 0
    head, *lines = (folder / "numbers.csv").read_text().splitlines()
    shares = [[1 / (1 + np.exp(-float(cell))) for cell in line.split(",")[:-1]] for line in lines]  # for families of part of the line
    cells = [",".join([*(repr(float(each)) for each in row), "a"]) for row in shares]
    (folder / "shares.csv").write_text("\n".join([head, *cells]) + "\n")
    if made is None:
        pytest.skip(f"{family} needs a constant, which is a parameter of the class")
    for data in ("numbers", "shares", "counts", "flags"):
        found, rows = density(folder, data, "--model", family), frame_of(folder, data)
        try:
            fits = [made().fit(rows[name].to_numpy(dtype=float)) for name in rows]
        except ValueError as refused:
            assert found is None, f"{family} on {data}: Python refused: {refused}"
            continue
        assert found is not None, f"{family} on {data}: the command refused"
        for told, name, fit in zip(found, rows, fits):
            values = rows[name].to_numpy(dtype=float)
            assert told["column"] == name and told["rows"] == len(rows)
            for key, value in told["likelihood"].items():
                assert float(getattr(fit, key)) == pytest.approx(value, rel=1e-12), f"{key} of {family} on {name} of {data}"
            assert made().log_likelihood(fit, values) == pytest.approx(told["log_likelihood"], rel=1e-12)
            if "prior" in told:
                prior = made().default_prior()
                assert made().log_evidence(prior, values) == pytest.approx(told["log_evidence"], rel=1e-12)
                after = made().posterior(prior, values)
                for key, value in told["posterior"].items():
                    assert np.ravel(getattr(after, key)) == pytest.approx(np.ravel(value), rel=1e-12)
            agreed += 1
    assert agreed, f"no data suit {family}"
