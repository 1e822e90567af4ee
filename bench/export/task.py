"""Models that left: in ONNX Runtime beside skl2onnx's, compiled beside m2cgen's and emlearn's, and a million rows in DuckDB beside our own predict.

The same fitted estimators of scikit-learn go through every converter. What a rival answers is not taken for wrong where it is single precision: the note
tells the largest error of a posterior against scikit-learn's own doubles, and of C its size.
"""
import pathlib
import subprocess
import tempfile

import numpy
from sklearn.datasets import load_iris
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.mixture import GaussianMixture
from sklearn.naive_bayes import GaussianNB, MultinomialNB

from bench.calls import quantiles
from bench.contest import Entry, absent, contest, entrants


def rows(count: int, columns: int = 20) -> tuple[numpy.ndarray, numpy.ndarray]:
    rng = numpy.random.default_rng(2)
    y = rng.integers(0, 3, count)
    return numpy.floor(8 * rng.random((count, columns)) + y[:, None]), y


def estimators() -> dict[str, object]:
    X, y = rows(5000)
    made = [GaussianNB(), LinearDiscriminantAnalysis(store_covariance=True), QuadraticDiscriminantAnalysis(), LogisticRegression(max_iter=2000), MultinomialNB(),
            GaussianMixture(3, random_state=0)]
    return {type(each).__name__: each.fit(X, y) for each in made}


def in_onnx_runtime(quick: bool) -> list[Entry]:
    entries: list[Entry] = []
    X, _ = rows(1000 if quick else 10_000)
    for name, fitted in estimators().items():
        for who, module in entrants("export").items():
            if module is None or not hasattr(module, "onnx_scorer"):
                continue
            score = module.onnx_scorer(fitted, X.shape[1])
            error = numpy.abs(score(X) - fitted.predict_proba(X)).max()  # type: ignore[attr-defined]
            median, tail, _ = quantiles(lambda: score(X[:1]), 300 if quick else 3000)
            entries.append(Entry("export", f"ONNX {name}, one row", who, median, tail - median, 1, f"p99 {tail * 1e6:.3g} microseconds, error {error:.1e}"))
            median, tail, _ = quantiles(lambda: score(X), 20 if quick else 100)
            entries.append(Entry("export", f"ONNX {name}, {len(X)} rows", who, median, tail - median, 1, f"error {error:.1e}"))
    return sorted(entries, key=lambda entry: entry.case)


HARNESS = """#include <stdio.h>
#include <time.h>
{head}
#include "rows.h"
int main(void) {{
    static double out[{classes}];
    double sum = 0;
    int turn, row, k;
    struct timespec from, to;
    for (row = 0; row < row_count; ++row) {{
        {call}
        for (k = 0; k < {classes}; ++k) printf("%.17g ", out[k]);
        printf("\\n");
    }}
    clock_gettime(CLOCK_MONOTONIC, &from);
    for (turn = 0; turn < {turns}; ++turn)
        for (row = 0; row < row_count; ++row) {{
            {call}
            sum += out[0];
        }}
    clock_gettime(CLOCK_MONOTONIC, &to);
    fprintf(stderr, "%.17g %g\\n", ((double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec)) / ({turns} * row_count), sum);
    return 0;
}}
"""


def compiled(folder: pathlib.Path, made: dict[str, str], X: numpy.ndarray, classes: int, turns: int) -> tuple[int, float, numpy.ndarray]:
    """Bytes of code and constants under -Os, seconds of a row under -O2, and what it answers."""
    table = ",\n".join("{" + ",".join(f"{value!r}f" if made.get("number") == "float" else repr(float(value)) for value in row) + "}" for row in X.tolist())
    (folder / "rows.h").write_text(f"enum {{ row_count = {len(X)} }};\nstatic {made.get('number', 'double')} rows[][{X.shape[1]}] = {{{table}}};\n")
    (folder / "model.c").write_text(made["source"])
    (folder / "main.c").write_text(HARNESS.format(head=made["head"], call=made["call"], classes=classes, turns=turns))
    flags = [f"-I{place}" for place in [folder, *made.get("include", "").split()]]
    subprocess.run(["gcc", *flags, "-Os", "-c", "-o", folder / "small.o", folder / "model.c"], check=True)
    told = subprocess.run(["size", folder / "small.o"], check=True, capture_output=True, text=True).stdout.split("\n")[1].split()
    subprocess.run(["gcc", *flags, "-D_POSIX_C_SOURCE=200809L", "-O2", "-o", folder / "run", folder / "main.c", folder / "model.c", "-lm"], check=True)
    done = subprocess.run([folder / "run"], check=True, capture_output=True, text=True)
    return int(told[0]) + int(told[1]), float(done.stderr.split()[0]), numpy.array([line.split() for line in done.stdout.splitlines()], dtype=float)


def in_c(quick: bool) -> list[Entry]:
    entries: list[Entry] = []
    X, y = load_iris(return_X_y=True)
    for fitted in (LogisticRegression(max_iter=2000).fit(X, y), GaussianNB().fit(X, y), LinearDiscriminantAnalysis(store_covariance=True).fit(X, y)):
        for who, module in entrants("export").items():
            made = module.c_source(fitted) if module is not None and hasattr(module, "c_source") else None
            if made is None:
                continue
            with tempfile.TemporaryDirectory() as folder:
                size, seconds, answer = compiled(pathlib.Path(folder), made, X, 3, 200 if quick else 5000)
            error = numpy.abs(answer - fitted.predict_proba(X)).max()
            wrong = int((answer.argmax(axis=1) != fitted.predict(X)).sum())
            told = f"{wrong} of {len(X)} labels differ, no posteriors" if made.get("labels") else f"error {error:.1e}"
            entries.append(Entry("export", f"C {type(fitted).__name__} of iris, one row", who, seconds, 0, 1, f"{size} bytes under -Os; {told}"))
    return entries


def in_duckdb(quick: bool) -> list[Entry]:
    import suffice

    try:
        import duckdb
        import pyarrow
    except ImportError as error:
        return [absent("export", "SQL", "DuckDB", f"{error.name} is not installed")]
    X, y = rows(100_000 if quick else 1_000_000, 10)
    X[::7, 3] = numpy.nan
    entries: list[Entry] = []
    for name, model in (("lda", suffice.GaussianDiscriminant()), ("naive Bayes", suffice.NaiveBayes(["gaussian"] * 10))):
        model.fit(X[:20_000], y[:20_000])
        database = duckdb.connect()
        database.execute("SET threads TO 2")
        database.register("arrow", pyarrow.table({f"x{k}": pyarrow.array(X[:, k], from_pandas=True) for k in range(10)}))
        database.execute("CREATE TABLE data AS SELECT * FROM arrow")
        query = model.to_sql("duckdb").rstrip().rstrip(";")
        columns = ", ".join(f'"p({each})"' for each in range(3))
        entries += contest("export", f"{name}, posteriors of {len(X)} x 10, a seventh with a hole",
                           {"suffice (Python)": lambda: model.predict_proba(X),
                            "DuckDB, exported SQL": lambda: numpy.column_stack(list(database.execute(f"SELECT {columns} FROM ({query})").fetchnumpy().values()))},
                           lambda ours, theirs: bool(numpy.abs(ours - theirs).max() < 1e-9), 0.3 if quick else 3.0, longest_rival_seconds=30.0)
    return entries


def run(quick: bool) -> list[Entry]:
    missing = [absent("export", "all", who, "is not installed: tools/bootstrap export") for who, module in entrants("export").items() if module is None]
    return in_onnx_runtime(quick) + in_c(quick) + in_duckdb(quick) + missing
