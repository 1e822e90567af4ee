"""Exported models give the posteriors of the model: in ONNX Runtime, compiled by a C compiler, and in databases.

Every model of the table that has a formula is tried, on rows with holes and levels never seen, with each calibration behind it.
"""
import ctypes
import datetime
import shutil
import sqlite3
import subprocess

import numpy as np
import pytest

import suffice

onnx = pytest.importorskip("onnx", reason="onnx is not installed")
runtime = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")

COMPILERS = [each for each in ("gcc", "clang", "clang-19") if shutil.which(each)]


def date_part(word, part):
    """What a model's column named COLUMN.part holds of a date, by Python's calendar."""
    if word is None:
        return np.nan
    at = datetime.datetime.fromisoformat(word)
    days = (at - datetime.datetime(1970, 1, 1)) / datetime.timedelta(days=1)
    return {"year": at.year, "month": at.month, "weekday": at.isoweekday(), "hour": at.hour, "days": days}[part]


def values_of(case, name):
    """The values of a model's column, of numbers as numbers and NaN."""
    if name not in case.rows:
        column, _, part = name.rpartition(".")
        return [date_part(word, part) for word in case.rows[column]]
    return [value if isinstance(value, str) else np.nan if value is None else float(value) for value in case.rows[name]]


def by_onnx(case, *words):
    case.export("--onnx", "-o", "model.onnx", *words)
    onnx.checker.check_model(str(case.folder / "model.onnx"), full_check=True)
    session = runtime.InferenceSession(str(case.folder / "model.onnx"), providers=["CPUExecutionProvider"])
    feeds = {}
    for each in session.get_inputs():
        if each.type == "tensor(string)":
            words = case.rows[each.name]
            feeds[each.name] = np.array([["" if value is None else str(value)] for value in words], dtype=object)
        else:
            feeds[each.name] = np.array(values_of(case, each.name), dtype=float)[:, np.newaxis]
    return session.run(["label", "probabilities"], feeds)


def test_onnx_runtime_gives_the_posteriors_of_the_model(case):
    labels, posteriors = by_onnx(case)
    np.testing.assert_allclose(posteriors, case.expected, rtol=0, atol=1e-12)
    assert [str(each) for each in labels] == case.labels


def test_onnx_says_where_it_comes_from(tmp_path, kit):
    case = kit.case(tmp_path, "naive_bayes", "mixed", {"families": kit.families})
    case.export("--onnx", "-o", "model.onnx")
    made = onnx.load(str(tmp_path / "model.onnx"))
    told = {each.key: each.value for each in made.metadata_props}
    assert made.producer_name == "suffice" and made.producer_version and {each.domain: each.version for each in made.opset_import} == {"": 17, "ai.onnx.ml": 3}
    assert told["origin"].startswith("naive_bayes of 3 classes and 9 columns") and told["target"] == "kind" and told["rows"] == "300" and "train.csv" in told["files"]
    assert {node.domain for node in made.graph.node} <= {"", "ai.onnx.ml"}
    floats = {each.name for each in made.graph.initializer if each.data_type == onnx.TensorProto.FLOAT}
    assert not floats, "doubles throughout"


def by_c(case, compiler, *words):
    case.export("--c", "-o", "model.c", "--prefix", "tried", *words)
    library = case.folder / f"{compiler}.so"
    subprocess.run([compiler, "-std=c99", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-O2", "-shared", "-fPIC", "-o", library,
                    case.folder / "model.c", "-lm"], check=True)
    code = ctypes.CDLL(str(library))
    code.tried_level.argtypes = [ctypes.c_int, ctypes.c_char_p]
    count = int([line for line in (case.folder / "model.h").read_text().splitlines() if "tried_column_count" in line][0].split("tried_column_count = ")[1].split()[0])
    names = [each.decode() for each in (ctypes.c_char_p * count).in_dll(code, "tried_columns")]
    columns = [values_of(case, name) for name in names]
    found = np.empty((len(case.expected), len(case.classes)))
    decided = []
    for row in range(len(found)):
        values = (ctypes.c_double * len(names))()
        for at, column in enumerate(columns):
            value = column[row]
            values[at] = code.tried_level(at, value.encode()) if isinstance(value, str) else value
        out = (ctypes.c_double * len(case.classes))()
        code.tried_posteriors(values, out)
        found[row] = out[:]
        best = code.tried_decide(out)
        decided.append(case.classes[best] if best >= 0 else "")
    return decided, found


@pytest.mark.parametrize("compiler", COMPILERS)
def test_c_gives_the_posteriors_of_the_model_and_compiles_without_a_warning(case, compiler):
    decided, found = by_c(case, compiler)
    np.testing.assert_allclose(found, case.expected, rtol=0, atol=1e-12)
    assert decided == case.labels


def test_float_constants_are_near(case):
    _, found = by_c(case, "gcc", "--type", "float")
    np.testing.assert_allclose(found, case.expected, rtol=0, atol=2e-3)


def sql_type(values, word, real):
    return word if any(isinstance(value, str) for value in values) else real


def by_sqlite(case, *words):
    database = sqlite3.connect(":memory:")
    quoted = {name: '"' + name.replace('"', '""') + '"' for name in case.rows}
    database.execute("CREATE TABLE \"my 'data\" (" + ", ".join(
        f"{quoted[name]} {sql_type(values, 'TEXT', 'REAL')}" for name, values in case.rows.items()) + ")")
    database.executemany(f"INSERT INTO \"my 'data\" VALUES ({', '.join('?' * len(case.rows))})", case.records())
    answer = database.execute(case.export("--sql", "sqlite", "--table", "my 'data", *words))
    return [each[0] for each in answer.description], answer.fetchall()


def by_duckdb(case, *words):
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    import pyarrow as pa

    database = duckdb.connect()
    database.register("data", pa.table([pa.array(column) for column in zip(*case.records())], list(case.rows)))
    answer = database.execute(case.export("--sql", "duckdb", *words))
    return [each[0] for each in answer.description], answer.fetchall()


def test_sqlite_gives_the_posteriors_of_the_model(case):
    case.check_table(*by_sqlite(case))


def test_duckdb_gives_the_posteriors_of_the_model(case):
    case.check_table(*by_duckdb(case))


@pytest.mark.parametrize("method", ["temperature", "platt", "beta", "isotonic"])
def test_calibrations_leave_with_the_model(tmp_path, method, kit):
    case = kit.case(tmp_path, "quadratic_discriminant", "numbers")
    subprocess.run([kit.command, "calibrate", case.path, tmp_path / "train.csv", "--method", method, "-o", case.path], check=True,
                   capture_output=True)
    case.ask()
    np.testing.assert_allclose(by_onnx(case)[1], case.expected, rtol=0, atol=1e-12)
    np.testing.assert_allclose(by_c(case, "gcc")[1], case.expected, rtol=0, atol=1e-12)
    case.check_table(*by_sqlite(case))
    case.check_table(*by_duckdb(case))


@pytest.mark.parametrize("words", [("--reject", "0.7"), ("--cost", "a:b=5,b:a=2"), ("--thresholds", "a=0.8,b=0.05"), ("--thresholds", "a=0.9,b=0.9,c=0.9"),
                                   ("--prior", "a=0.1,b=0.8,c=0.1"), ("--prior", "a=0.5,b=0.5,c=0"), ("--cost", "a:b=5", "--reject", "0.6")])
@pytest.mark.parametrize("model", ["linear_discriminant", "mixture_discriminant", "histogram_nb"])
def test_decisions_leave_with_the_model(tmp_path, words, model, kit):
    case = kit.case(tmp_path, model, "numbers")
    case.ask(*words)
    for labels, posteriors in (by_onnx(case, *words), by_c(case, "gcc", *words)):
        np.testing.assert_allclose(posteriors, case.expected, rtol=0, atol=1e-12)
        assert list(labels) == case.labels
    case.check_table(*by_sqlite(case, *words))
    case.check_table(*by_duckdb(case, *words))


@pytest.mark.parametrize("model, reason", [("kernel_density", "keeps all its rows"), ("nearest", "need all the rows")])
def test_what_has_no_formula_says_why(tmp_path, model, reason, kit):
    kit.write_csv(tmp_path / "train.csv", kit.makers["numbers"](np.random.default_rng(0), 50))
    fitted = suffice.fit_files(tmp_path / "train.csv", kit.target, model)
    with pytest.raises(ValueError, match=reason):
        fitted.to_onnx()


def test_python_exports_what_the_command_exports(tmp_path, kit):
    case = kit.case(tmp_path, "linear_discriminant", "numbers")
    model = suffice.load(case.path)
    case.export("--onnx", "-o", "model.onnx")
    assert model.to_onnx() == (tmp_path / "model.onnx").read_bytes()
    assert model.to_sql("duckdb") == case.export("--sql", "duckdb")
    assert "suffice_posteriors" in model.to_c()
    with pytest.raises(ValueError, match="dialect is duckdb, sqlite or postgresql"):
        model.to_sql("oracle")
    with pytest.raises(ValueError, match="a prefix is a name in C"):
        model.to_c(prefix="2 many")


def hostile(rng, rows):
    """Names that the query itself might use, in databases that take letters of any size for the same."""
    kind = rng.choice(["a", "b;--'"], rows)
    late = (kind != "a").astype(float)
    made = {name: rng.normal(late * k / 4, 1) for k, name in enumerate(
        ["RowID", "label", "prediction", "Suffice x0", "suffice joint 0", "suffice_row", "oid", 'we"ird', "semi;colon", "select", "p(a)"])}
    return {**made, "RowID": rng.integers(0, 3, rows), "kind": kind}


def many_classes(rng, rows):
    """More than a function of SQLite takes values."""
    kind = rng.integers(0, 140, rows)
    return {"u": rng.normal(kind, 3), "v": rng.normal(-kind / 2, 3), "kind": [f"c{each}" for each in kind]}


def many_columns(rng, rows):
    """A chain of their terms would be deeper than a database reads."""
    kind = rng.choice(list("abc"), rows)
    return {**{f"x{k}": rng.normal(0.2 * (kind == "b"), 1).round(3) for k in range(1100)}, "kind": kind}


@pytest.mark.parametrize("make, model", [(hostile, "naive_bayes"), (hostile, "linear_discriminant"), (many_classes, "naive_bayes"), (many_classes, "linear_discriminant"),
                                         (many_columns, "gaussian_nb"), (many_columns, "logistic_regression")])
def test_queries_of_odd_names_and_of_many_classes_and_columns(tmp_path, kit, make, model):
    kit.makers[make.__name__] = make
    case = kit.case(tmp_path, model, make.__name__, {"penalty": 1.0} if model == "logistic_regression" else {}, rows=40)
    case.check_table(*by_sqlite(case))
    names, rows = by_duckdb(case)
    case.check_table([*case.rows, *names[len(case.rows):]] if make is hostile else names, rows)  # which tells names alike apart


@pytest.mark.parametrize("words", [("--thresholds", "c0=0.2,c7=0.001,c139=0.5"), ("--reject", "0.2"), ("--cost", "c1:c2=9,c2:c1=3")])
def test_decisions_among_many_classes(tmp_path, kit, words):
    kit.makers["many_classes"] = many_classes
    case = kit.case(tmp_path, "naive_bayes", "many_classes", {}, rows=60)
    case.ask(*words)
    case.check_table(*by_sqlite(case, *words))
    case.check_table(*by_duckdb(case, *words))


@pytest.mark.slow
@pytest.mark.parametrize("ask", [by_sqlite, by_duckdb])
@pytest.mark.parametrize("model, make", [("linear_discriminant", "numbers"), ("naive_bayes", "mixed"), ("mixture_discriminant", "numbers")])
def test_a_hundred_thousand_rows_with_holes(tmp_path, model, make, ask, kit):
    case = kit.case(tmp_path, model, make, {"families": kit.families} if make == "mixed" else {}, rows=100_000)
    case.check_table(*ask(case))
