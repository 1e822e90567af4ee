"""The law of settings: for every model and every setting it takes, all surfaces give the same posteriors, and no setting is dropped.

The cases are made from the library's own table of settings and models; values come from the type of each setting. Only what
depends on the data (names of columns and classes) is written here. Surfaces are the command, `fit_files`, a data frame, an
Arrow table and an array in memory, the C interface on rows in memory, and the model saved and loaded: equal to the bit. Where a model is a sum, three pieces fitted apart and
merged equal the whole to rounding, since sums are taken in another order.
"""
import csv
import ctypes
import io
import itertools
import json
import os
import pathlib
import subprocess
import warnings

import numpy as np
import pandas
import pyarrow
import pytest

import suffice
from suffice import _core

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMAND = pathlib.Path(os.environ.get("SUFFICE", ROOT / "build" / "suffice"))
SETTINGS = {each["name"]: each for each in _core.settings_list()}
MODELS = sorted({model for each in SETTINGS.values() for model in each["models"]})
TARGET = "kind"
# Values that name columns or classes of the data below: as Python has them, and as the command takes them.
OF_THE_DATA = {
    "priors": ({"a": 0.7, "b": 0.2, "c": 0.1}, "a=0.7,b=0.2,c=0.1"),
    "column_priors": ({"flag": "beta(9,2)", "x": "normal_gamma(1,3,4,2)", "count": "gamma(7,2)", "color": "dirichlet(5)"},
                      None),
    "groups": ([["a", "b"], ["c"]], "a,b;c"),
    "joint": ([["flag", "color"]], "flag,color"),
    "basis": (["x=poly(2)"], "x=poly(2)"),
    "offset": (["x", "y", "z"], "x,y,z"),
    "folds_column": ("count", "count"),
    "stemmer": ("english", "english"),
    "class_weight": ({"a": 3.0, "b": 1.0}, "a=3,b=1"),
}
COLUMN_PRIORS = OF_THE_DATA["column_priors"][0]
# What a setting needs beside it to mean anything, where the model takes that.
BESIDE = {"path": {"penalty": "auto"}, "choose": {"penalty": "auto"}, "folds": {"penalty": "auto"},
          "folds_column": {"penalty": "auto"}, "unlabeled_weight": {"unlabeled": "use", "ngram_smoothing": "witten_bell"},
          "shrinkage_target": {"shrinkage": 0.3}, "units": {"shrinkage": 0.3, "penalty": 1.0}, "estimate": {"priors": "dirichlet(3)"},
          "shrinkage": {"units": "raw"}}
ALWAYS = {"grouped_discriminant": {"groups": [["a"], ["b"], ["c"]]}}


def numbers(rng, rows):
    """Numbers; z depends on x and y, so that covariances are singular."""
    kind = rng.choice(list("abc"), rows, p=[0.5, 0.3, 0.2])
    at = np.array([{"a": 0.0, "b": 1.0, "c": 2.0}[each] for each in kind])
    x, y = rng.normal(at, 1).round(3), rng.normal(-at, 1.5).round(3)
    return {"x": x, "y": y, "z": (2 * x + y).round(6), TARGET: kind}


def mixed(rng, rows):
    """A number, a count, a flag, words of few levels and of text; some rows have no class."""
    kind = rng.choice(list("abc"), rows, p=[0.4, 0.35, 0.25])
    at = np.array([{"a": 0.0, "b": 1.0, "c": 2.0}[each] for each in kind])
    color = np.where(rng.random(rows) < 0.3 + 0.2 * at, "red", np.where(rng.random(rows) < 0.5, "green", "blue"))
    return {"x": rng.normal(at, 1).round(3), "count": rng.poisson(1 + at) + 2, "flag": (rng.random(rows) < 0.2 + 0.3 * at) * 1,
            "color": color, "note": texts(rng, kind), TARGET: np.where(rng.random(rows) < 0.1, "", kind)}


def texts(rng, kind):
    words = np.array("The running runners ran a café Café cafe in late summers or summer rains and I saw no Cats cat of cats".split())
    share = {each: rng.dirichlet(np.full(len(words), 0.7)) for each in "abc"}
    return [" ".join(rng.choice(words, rng.integers(6, 12), p=share[each])) for each in kind]


def documents(rng, rows):
    kind = rng.choice(list("abc"), rows)
    return {"note": texts(rng, kind), TARGET: np.where(rng.random(rows) < 0.1, "", kind)}


def counts(rng, rows):
    """Counts only; some rows have no class."""
    kind = rng.choice(list("abc"), rows)
    at = np.array([{"a": 0.0, "b": 1.0, "c": 2.0}[each] for each in kind])
    return {"flag": (rng.random(rows) < 0.2 + 0.3 * at) * 1, "count": rng.poisson(1 + at) + 2, "x": rng.poisson(3 - at),
            TARGET: np.where(rng.random(rows) < 0.1, "", kind)}


def flags(rng, rows):
    kind = rng.choice(list("abc"), rows)
    at = np.array([{"a": 0.0, "b": 1.0, "c": 2.0}[each] for each in kind])
    return {name: (rng.random(rows) < 0.2 + share * at) * 1 for name, share in (("flag", 0.3), ("lit", 0.1))} | {TARGET: kind}


def holes(rng, rows):
    """Numbers and words, some of them missing."""
    whole = mixed(rng, rows)
    whole["x"] = [x if seen else "" for x, seen in zip(whole["x"], rng.random(rows) < 0.8)]
    return {name: whole[name] for name in ("x", "flag", "color", TARGET)}


DATA = {each.__name__: each for each in (numbers, mixed, documents, counts, flags, holes)}
# What tells of missing values needs some; others need not meet them here.
ON_HOLES = {"missing_values"}


def spelled(value):
    """As text; whole numbers without a point, since the levels of a file are its words and those of an array the shortest."""
    return str(value).removesuffix(".0")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("surfaces")
    for seed, (name, make) in enumerate(DATA.items()):
        columns = make(np.random.default_rng(seed), 90)
        lines = [",".join(columns)] + [",".join(map(spelled, row)) for row in zip(*columns.values())]
        (made / f"{name}.csv").write_text("\n".join(lines) + "\n")
        lines[0] = ",".join([*(f"x{k}" for k in range(len(columns) - 1)), TARGET])  # as arrays name their columns
        (made / f"{name}_array.csv").write_text("\n".join(lines) + "\n")
    return made


def posteriors(folder, path, data):
    """Of all rows under the model of this file, to the last bit: or what was said instead."""
    done = subprocess.run([COMMAND, "predict", path, folder / f"{data}.csv", "--proba"], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else "refused"


def other_model(folder, path, data):
    """What the statistics that were kept give as a quadratic discriminant: what `keep` decides."""
    derived = folder / "derived.suf"
    done = subprocess.run([COMMAND, "derive", path, "--model", "quadratic_discriminant", "-o", derived], capture_output=True, text=True)
    return posteriors(folder, derived, data) if done.returncode == 0 else "refused"


def inspected(folder, path):
    """All that is told of a model: what settings decide that posteriors do not show."""
    return subprocess.run([COMMAND, "inspect", path, "--json"], capture_output=True, text=True).stdout


BEHIND_POSTERIORS = {"keep": other_model, "errors": lambda folder, path, _: inspected(folder, path)}


def by_command(folder, data, model, words):
    path = folder / "command.suf"
    options = [word for option, text in words for word in ((option,) if text is None else (option, text))]
    done = subprocess.run([COMMAND, "fit", folder / f"{data}.csv", "--target", TARGET, "--model", model, "-o", path, *options],
                          capture_output=True, text=True)
    return posteriors(folder, path, data) if done.returncode == 0 else "refused"


def by_fit_files(folder, data, model, given):
    path = folder / "files.suf"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            fitted = suffice.fit_files(folder / f"{data}.csv", TARGET, model, **given)
        fitted.save(path)
    except (ValueError, TypeError, np.linalg.LinAlgError) as problem:
        return f"refused: {problem}"
    saved = posteriors(folder, path, data)
    suffice.load(path).save(path)
    assert posteriors(folder, path, data) == saved, "saved and loaded it is another model"
    return saved


def in_memory(folder, data, model, given, surface):
    """Fitted to the same rows in memory."""
    rows = pandas.read_csv(folder / f"{data}.csv", keep_default_na=False)
    if data == "holes":  # a frame has its numbers as numbers
        rows["x"] = pandas.to_numeric(rows["x"], errors="coerce")
    labels = rows.pop(TARGET).map(lambda label: label or None)
    labels.name = TARGET
    path = folder / "memory.suf"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            IN_MEMORY[surface](rows, labels, model, given, path)
    except (ValueError, TypeError, np.linalg.LinAlgError) as problem:
        return f"refused: {problem}"
    return posteriors(folder, path, f"{data}_array" if surface == "an array" else data)


def by_python(table):
    return lambda rows, labels, model, given, path: suffice.fit(table(rows), labels, model, **given).save(path)


def arrow_table(rows):
    return pyarrow.Table.from_pandas(rows, preserve_index=False)


class ErrorOfC(ctypes.Structure):
    _fields_ = [("code", ctypes.c_int), ("message", ctypes.c_char * 512)]


def by_c(rows, labels, model, given, path):
    """The library without Python: suffice.h, to which a record batch is lent."""
    library = ctypes.CDLL(str(C_LIBRARY))
    library.suffice_fit_arrow.restype = ctypes.c_void_p
    batch = arrow_table(rows.assign(**{TARGET: labels})).combine_chunks().to_batches()[0]
    schema, array = ctypes.create_string_buffer(72), ctypes.create_string_buffer(80)  # as the Arrow C data interface lays them out
    batch._export_to_c(ctypes.addressof(array), ctypes.addressof(schema))
    error = ErrorOfC()
    settings = json.dumps({"model": model, **given}).encode()
    fitted = ctypes.c_void_p(library.suffice_fit_arrow(schema, array, TARGET.encode(), settings, ctypes.byref(error)))
    pyarrow.RecordBatch._import_from_c(ctypes.addressof(array), ctypes.addressof(schema))  # which releases them
    if not fitted:
        raise ValueError(error.message.decode())
    assert library.suffice_save(fitted, str(path).encode(), ctypes.byref(error)) == 0, error.message
    library.suffice_free(fitted)


C_LIBRARY = COMMAND.resolve().parents[2] / "bindings" / "c" / "libsuffice_c.so"
IN_MEMORY = {"a frame": by_python(lambda rows: rows), "an Arrow table": by_python(arrow_table),
             "an array": by_python(lambda rows: rows.to_numpy())} | ({"the C interface": by_c} if C_LIBRARY.exists() else {})


def surfaces_of(data, name):
    """Those to take in turn: arrays have neither words nor names of columns, which some settings name."""
    return [each for each in IN_MEMORY if each != "an array" or (data == "numbers" and name not in OF_THE_DATA)]


# A covariance of columns that depend on each other rests on its floor of 1e-9, so that rounding of sums is magnified.
CLOSE = {"numbers": 1e-6}


def pieces_agree(folder, data, model, given, whole):
    """Three parts of the rows fitted apart and merged: None where the model is no sum."""
    head, *rows = (folder / f"{data}.csv").read_text().splitlines()
    parts = []
    for number, piece in enumerate((rows[:31], rows[31:47], rows[47:])):
        source, path = folder / f"piece{number}.csv", folder / f"piece{number}.suf"
        source.write_text("\n".join([head, *piece]) + "\n")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                suffice.fit_files(source, TARGET, model, **given).save(path)
        except (ValueError, TypeError, np.linalg.LinAlgError):
            return None  # too few rows for the model
        parts.append(path)
    merged = folder / "merged.suf"
    done = subprocess.run([COMMAND, "merge", *parts, "-o", merged], capture_output=True, text=True)
    if done.returncode:
        return None
    names, *expected = csv.reader(io.StringIO(whole))
    heads, *found = csv.reader(io.StringIO(posteriors(folder, merged, data)))
    values = [np.array([row[1:] for row in each], dtype=float) for each in (expected, found)]
    return names == heads and np.allclose(*values, rtol=CLOSE.get(data, 1e-9), atol=CLOSE.get(data, 1e-12))


def command_words(given):
    return [(SETTINGS[name]["option"], None if value is True and SETTINGS[name]["is_switch"] else command_text(name, value))
            for name, value in given.items()]


def command_text(name, value):
    if name in OF_THE_DATA and value == OF_THE_DATA[name][0] and OF_THE_DATA[name][1]:
        return OF_THE_DATA[name][1]
    for example, text in SETTINGS[name]["examples"]:
        if example == value:
            return text
    if isinstance(value, dict):
        return ",".join(f"{key}={each}" for key, each in value.items())
    if isinstance(value, list):
        return (";" if isinstance(value[0], list) else ",").join(",".join(each) if isinstance(each, list) else str(each)
                                                                for each in value)
    return str(value)


def values_of(name, data):
    """What is tried of a setting on these data."""
    values = [example for example, _ in SETTINGS[name]["examples"]]
    if name == "column_priors":  # one column at a time: no model takes them all
        return values + [{column: COLUMN_PRIORS[column]} for column in DATA[data](np.random.default_rng(0), 3) if column in COLUMN_PRIORS]
    return values + ([OF_THE_DATA[name][0]] if name in OF_THE_DATA else [])


def law(folder, model, name):
    """Surfaces agree under every value of the setting, and one of them changes something."""
    assert values_of(name, "mixed"), f"there is no value to try of {name}"
    beside = {**ALWAYS.get(model, {}), **{key: value for key, value in BESIDE.get(name, {}).items() if model in SETTINGS[key]["models"]}}
    tried = [data for data in DATA if (data == "holes") == (name in ON_HOLES)]
    changed = any([surfaces_agree(folder, data, model, name, beside) for data in tried])
    if not changed and name != "estimate" and model in SETTINGS["estimate"]["models"]:  # pseudo-counts mean nothing to maximum likelihood
        changed = any([surfaces_agree(folder, data, model, name, {**beside, "estimate": "map"}) for data in tried])
    assert changed, f"{name} changes nothing of {model}: it was dropped"


def surfaces_agree(folder, data, model, name, beside):
    """Whether a value of the setting changed what the model says of these data; all surfaces were asked."""
    usual = by_fit_files(folder, data, model, beside)
    behind = BEHIND_POSTERIORS.get(name, lambda *_: None)
    kept = behind(folder, folder / "files.suf", data)
    if usual.startswith("refused") and model not in ALWAYS:
        return False  # data that the model does not take
    changed = False
    for surface, value in zip(itertools.cycle(reversed(surfaces_of(data, name))), values_of(name, data)):
        given = {**beside, name: value}
        told = f"{model} with {given} on {data}"
        files = by_fit_files(folder, data, model, given)
        command = by_command(folder, data, model, command_words(given))
        assert command == files.split(":")[0], f"{told}: the command differs"
        assert in_memory(folder, data, model, given, surface).split(":")[0] == command, f"{told}: {surface} differs"
        if command != "refused" and not changed:
            assert pieces_agree(folder, data, model, given, command) in (True, None), f"{told}: merged pieces differ"
        changed = changed or files != usual or kept != behind(folder, folder / "files.suf", data)
    return changed


@pytest.mark.parametrize("model, name", [(model, name) for model in MODELS for name, each in SETTINGS.items()
                                         if model in each["models"]])
def test_surfaces_agree_and_no_setting_is_dropped(folder, model, name):
    law(folder, model, name)


@pytest.mark.parametrize("model", MODELS)
def test_what_a_model_does_not_take_is_refused_by_the_same_sentence(folder, model):
    for name, each in SETTINGS.items():
        if model in each["models"]:
            continue
        value = (values_of(name, "mixed") or [None])[-1]
        with pytest.raises(ValueError, match=rf"^{name} is (no|a) setting of"):
            suffice.fit_files(folder / "mixed.csv", TARGET, model, **{name: value})
        words = [word for option, text in command_words({name: value}) for word in ((option,) if text is None else (option, text))]
        done = subprocess.run([COMMAND, "fit", folder / "mixed.csv", "--target", TARGET, "--model", model, "-o",
                               folder / "no.suf", *words], capture_output=True, text=True)
        assert done.returncode == 2 and done.stderr.startswith(f"{each['option']} is "), done.stderr


def test_the_law_bites_where_a_setting_is_dropped(folder, monkeypatch):
    whole = _core.fit_files

    def forgetful(paths, target, model, settings, *rest):
        return whole(paths, target, model, {key: value for key, value in settings.items() if key != "smoothing"}, *rest)

    monkeypatch.setattr(_core, "fit_files", forgetful)
    with pytest.raises(AssertionError, match="smoothing"):
        law(folder, "naive_bayes", "smoothing")


def test_unknown_settings_are_refused(folder):
    with pytest.raises(ValueError, match="there is no setting bandwith; did you mean bandwidth"):
        suffice.fit_files(folder / "numbers.csv", TARGET, "kernel_nb", bandwith=0.1)
    assert all(name in suffice.fit_files.__doc__ for name in SETTINGS)


# What a model tells: the same from the command and from Python, for every model on the first of the data that it takes.


@pytest.fixture(params=MODELS)
def told(request, folder, tmp_path):
    """A file of the model, its rows as a table and as a frame."""
    path = tmp_path / "m.suf"
    options = [word for option, text in command_words(ALWAYS.get(request.param, {})) for word in ((option,) if text is None else (option, text))]
    for data in DATA:
        rows = folder / f"{data}.csv"
        done = subprocess.run([COMMAND, "fit", rows, "--target", TARGET, "--model", request.param, "-o", path, *options], capture_output=True, text=True)
        if done.returncode == 0:
            return path, rows, pandas.read_csv(rows, keep_default_na=False).drop(columns=TARGET)
    pytest.skip(f"none of these data suits {request.param}")


def command(*words):
    done = subprocess.run([COMMAND, *map(str, words)], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else None


def test_explanations_are_the_same_and_sum_to_the_log_joint(told):
    path, rows, frame = told
    model, printed = suffice.load(path), command("explain", path, rows, "--json")
    if printed is None:
        with pytest.raises((ValueError, NotImplementedError, AttributeError)):
            model.explain(frame)
        return
    lines = json.loads(printed)
    contributions, intercepts = model.explain(frame)
    names = [str(each) for each in model.classes_]
    for row, line in enumerate(lines[:20]):
        assert line["intercepts"] == pytest.approx(dict(zip(names, intercepts[row])), rel=1e-9, abs=1e-9)
        whole = [line["intercepts"][name] + sum(line["contributions"][name].values()) for name in names]
        np.testing.assert_allclose(whole, intercepts[row] + contributions[row].sum(axis=1), rtol=1e-9, atol=1e-9)


def test_evidences_are_the_same(told):
    path, rows, frame = told
    model, printed = suffice.load(path), command("predict", path, rows, "--evidence")
    if printed is None or not hasattr(model, "log_evidence"):
        return
    lines = list(csv.DictReader(io.StringIO(printed)))
    expected = [float(line["log_evidence"]) for line in lines]
    try:
        found = model.log_evidence(frame)
    except (ValueError, NotImplementedError, AttributeError):
        pytest.fail("the command tells evidences that Python refuses")
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


def test_what_is_loaded_and_saved_again_reads_off_alike(told, tmp_path):
    path, _, _ = told
    again = tmp_path / "again.suf"
    suffice.load(path).save(again)
    first, second = (json.loads(command("inspect", each, "--json")) for each in (path, again))
    for each in (first, second):
        each.pop("file", None), each.pop("path", None)
    assert first == second
