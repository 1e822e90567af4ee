"""Every model of the table under every setting leaves as it is, in all three forms, or says why it cannot.

Models, settings and values come from the library's own table, as in test_surfaces.py; rows have holes where the model takes them.
"""
import ctypes
import importlib.util
import pathlib
import sqlite3
import subprocess
import warnings

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest

import suffice

runtime = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
about = importlib.util.spec_from_file_location("surfaces", pathlib.Path(__file__).parents[1] / "test_surfaces.py")
surfaces = importlib.util.module_from_spec(about)
about.loader.exec_module(surfaces)
ALWAYS, BESIDE, DATA, MODELS, SETTINGS, TARGET, values_of = (
    getattr(surfaces, name) for name in ("ALWAYS", "BESIDE", "DATA", "MODELS", "SETTINGS", "TARGET", "values_of"))
NO_FORMULA = ("keeps all its rows", "need all the rows", "probit", "back off")


# Texts are told of elsewhere; z follows from x and y, and the floor under a singular covariance magnifies rounding.
LEFT_OUT = {"note", "z"}


def tables(folder):
    for seed, (name, make) in enumerate(DATA.items()):
        columns = {key: values for key, values in make(np.random.default_rng(seed), 90).items() if key not in LEFT_OUT}
        if len(columns) == 1:
            continue
        path = folder / f"{name}.csv"
        path.write_text("\n".join([",".join(columns), *(",".join(map(surfaces.spelled, row)) for row in zip(*columns.values()))]) + "\n")
        yield name, path


def fitted_models(folder, model):
    """(what it is, model, rows) of two or three values of every setting on all data that the model takes."""
    for data, path in tables(folder):
        rows = pyarrow.csv.read_csv(path, convert_options=pyarrow.csv.ConvertOptions(strings_can_be_null=True)).drop_columns([TARGET])
        given = [ALWAYS.get(model, {})]
        for name in SETTINGS:
            if model in SETTINGS[name]["models"]:
                beside = {key: value for key, value in BESIDE.get(name, {}).items() if model in SETTINGS[key]["models"]}
                values = values_of(name, data)
                given += [{**ALWAYS.get(model, {}), **beside, name: value} for value in values[:2] + values[2:][-1:]]
        for settings in given:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    yield f"{model} with {settings} on {data}", suffice.fit_files(path, TARGET, model, **settings), rows
            except (ValueError, TypeError, np.linalg.LinAlgError):
                pass  # data or a value that the model does not take


def posteriors(model, rows):
    read = suffice.predict_stream(model, rows).read_all()
    return np.column_stack([read[name].to_numpy() for name in read.column_names if name.startswith("p(")])


def by_onnx(data, rows):
    session = runtime.InferenceSession(data, providers=["CPUExecutionProvider"])
    feeds = {}
    for each in session.get_inputs():
        values = rows[each.name].to_pylist()
        words = each.type == "tensor(string)"
        feeds[each.name] = np.array([["" if words and value is None else surfaces.spelled(value) if words else np.nan if value is None else float(value)] for value in values],
                                    dtype=object if words else float)
    return session.run(["probabilities"], feeds)[0]


def by_sqlite(query, rows, classes):
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE data (" + ", ".join(f'"{name}" {"TEXT" if pa.types.is_string(rows[name].type) else "REAL"}' for name in rows.column_names) + ")")
    database.executemany(f"INSERT INTO data VALUES ({', '.join('?' * rows.num_columns)})", list(zip(*(column.to_pylist() for column in rows.columns))))
    return np.array([row[-classes:] for row in database.execute(query).fetchall()], dtype=float)


def by_c(code, prefix, rows, classes):
    level = getattr(code, f"{prefix}_level")
    level.argtypes = [ctypes.c_int, ctypes.c_char_p]
    columns = []
    for at, name in enumerate(rows.column_names):
        words = any(level(at, surfaces.spelled(value).encode()) >= 0 for value in rows[name].to_pylist() if value is not None)
        columns.append([np.nan if value is None else level(at, surfaces.spelled(value).encode()) if words else float(value) for value in rows[name].to_pylist()])
    found = np.empty((rows.num_rows, classes))
    for row, values in enumerate(zip(*columns)):
        out = (ctypes.c_double * classes)()
        getattr(code, f"{prefix}_posteriors")((ctypes.c_double * len(values))(*values), out)
        found[row] = out[:]
    return found


@pytest.mark.parametrize("model", MODELS)
def test_every_setting_leaves_with_the_model(tmp_path, model):
    sources, tried, known = [], [], {}
    for what, fitted, rows in fitted_models(tmp_path, model):
        try:
            data = fitted.to_onnx()
        except ValueError as problem:
            assert any(reason in str(problem) for reason in NO_FORMULA), f"{what}: {problem}"
            continue
        if data in known:  # a setting that changes nothing here
            continue
        known[data] = True
        asked = rows.select(list(fitted.feature_names_in_)) if hasattr(fitted, "feature_names_in_") else rows
        if "'integrate'" in what:  # a formula cannot integrate: where a value is missing it has no answer
            holes = np.column_stack([column.is_null().to_numpy() for column in asked.columns]).any(axis=1)
            assert np.isnan(by_onnx(data, asked)[holes]).all() and holes.any() == ("holes" in what), what
            asked = asked.filter(pa.array(~holes))
        expected = posteriors(fitted, asked)
        np.testing.assert_allclose(by_onnx(data, asked), expected, rtol=0, atol=1e-12, err_msg=what)
        np.testing.assert_allclose(by_sqlite(fitted.to_sql("sqlite"), asked, expected.shape[1]), expected, rtol=0, atol=1e-9, err_msg=what)
        prefix = f"m{len(tried)}"
        (tmp_path / f"{prefix}.c").write_text(fitted.to_c(prefix))
        sources.append(tmp_path / f"{prefix}.c")
        tried.append((what, prefix, asked, expected))
    if not tried:
        return
    subprocess.run(["gcc", "-std=c99", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-O0", "-shared", "-fPIC", "-o", tmp_path / "all.so", *sources, "-lm"],
                   check=True)
    code = ctypes.CDLL(str(tmp_path / "all.so"))
    for what, prefix, asked, expected in tried:
        np.testing.assert_allclose(by_c(code, prefix, asked, expected.shape[1]), expected, rtol=0, atol=1e-12, err_msg=what)
