"""Streams of rows: the same model as from files and tables, in constant memory, from whoever speaks Arrow's C stream."""
import datetime
import subprocess
import sys

import numpy as np
import pytest

import suffice
from suffice.rounds import fit_parts

pa = pytest.importorskip("pyarrow")
import pyarrow.csv  # noqa: E402
import pyarrow.dataset  # noqa: E402

ROWS = 3000


def table(seed=1, rows=ROWS, classes=("no", "yes")):
    rng = np.random.default_rng(seed)
    k = rng.integers(0, len(classes), rows)
    size = rng.normal(size=rows) + k
    return pa.table({
        "size": pa.array(size, mask=rng.uniform(size=rows) < 0.05),
        "width": rng.normal(size=rows) * (1 + k),
        "visits": rng.poisson(2 + k, rows),
        "new": rng.uniform(size=rows) < 0.2 + 0.5 * k,
        "colour": pa.array(np.array(["red", "blue", "green"])[np.where(rng.uniform(size=rows) < 0.3 * k, 2, rng.integers(0, 3, rows))]).dictionary_encode(),
        "town": np.array(["Delft", "Leiden", "Gouda"])[rng.integers(0, 3, rows)],
        "bought": np.array(classes)[k],
    })


def posteriors(model, rows):
    read = suffice.predict_stream(model, rows).read_all()
    return np.column_stack([read[name].to_numpy() for name in read.column_names if name.startswith("p(")])


def close(a, b, tolerance=1e-12):
    np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("model", ["naive_bayes", "lda", "qda", "categorical_nb"])
def test_a_stream_is_the_file(tmp_path, model):
    rows = table()
    pa.csv.write_csv(rows, tmp_path / "rows.csv")
    exclude = () if model == "naive_bayes" else ("size", "width", "new") if model == "categorical_nb" else ("colour", "town")
    by_file = suffice.fit_files(tmp_path / "rows.csv", "bought", model, exclude=exclude)
    by_stream = suffice.fit_stream(rows.to_reader(max_chunksize=100), "bought", model, exclude=exclude)
    close(posteriors(by_stream, rows), posteriors(by_file, rows), 1e-9)


def test_how_batches_are_cut_does_not_change_a_bit():
    rows = table(rows=40_000)
    made = [suffice.streams.bytes_of(suffice.fit_stream(rows.to_reader(max_chunksize=size), "bought")) for size in (7_001, 40_000, 333)]
    assert made[0] == made[1] == made[2]


def test_whoever_speaks_arrow(tmp_path):
    duckdb, polars = pytest.importorskip("duckdb"), pytest.importorskip("polars")
    rows = table()
    rows = rows.set_column(rows.column_names.index("colour"), "colour", rows["colour"].cast(pa.string()))
    pa.parquet = __import__("pyarrow.parquet").parquet
    pa.parquet.write_table(rows, tmp_path / "rows.parquet")
    expected = suffice.streams.bytes_of(suffice.fit_stream(rows, "bought"))
    sources = {
        "relation": duckdb.from_arrow(rows),
        "lazy frame": polars.from_arrow(rows).lazy(),
        "frame": polars.from_arrow(rows),
        "dataset": pa.dataset.dataset(tmp_path / "rows.parquet"),
        "scanner": pa.dataset.dataset(tmp_path / "rows.parquet").scanner(batch_size=700),
        "batches": rows.to_batches(max_chunksize=500),
        "generator": (batch for batch in rows.to_batches(max_chunksize=500)),
        "function": lambda: rows.to_reader(),
        "pandas": rows.to_pandas(),
    }
    for name, source in sources.items():
        assert suffice.streams.bytes_of(suffice.fit_stream(source, "bought")) == expected, name


def test_readers_of_flight_are_streams():
    flight = pytest.importorskip("pyarrow.flight")
    rows = table().drop_columns(["colour", "new"])

    class Server(flight.FlightServerBase):
        def do_get(self, context, ticket):
            return flight.RecordBatchStream(rows.to_reader(max_chunksize=500))

    expected = suffice.streams.bytes_of(suffice.fit_stream(rows, "bought"))
    with Server("grpc://127.0.0.1:0") as server, flight.connect(f"grpc://127.0.0.1:{server.port}") as client:
        model = suffice.fit_stream(client.do_get(flight.Ticket(b"")), "bought")
        assert suffice.streams.bytes_of(model) == expected
        answers = suffice.predict_stream(model, client.do_get(flight.Ticket(b"")), keep="bought").read_all()
        np.testing.assert_array_equal(answers["p(yes)"].to_numpy(), posteriors(model, rows)[:, 1])
        regression = suffice.fit_stream(client.do_get(flight.Ticket(b"")), "bought", "logistic_regression", exclude=("size",))
        np.testing.assert_array_equal(posteriors(regression, rows), posteriors(suffice.fit_stream(rows, "bought", "logistic_regression", exclude=("size",)), rows))


def test_cursors_of_adbc_are_streams():
    adbc = pytest.importorskip("adbc_driver_sqlite.dbapi", reason="the ADBC driver is not here; tools/bootstrap engines installs it")
    rows = table().drop_columns(["colour", "new"])
    expected = suffice.streams.bytes_of(suffice.fit_stream(rows, "bought"))
    with adbc.connect() as connection, connection.cursor() as cursor:
        cursor.adbc_ingest("rows", rows)
        cursor.execute("SELECT * FROM rows")
        assert suffice.streams.bytes_of(suffice.fit_stream(cursor, "bought")) == expected


def test_what_a_source_raises_is_raised_and_a_path_is_no_stream():
    def broken():
        yield table(rows=100)
        raise LookupError("the disk is gone")

    for model in ("naive_bayes", "logistic_regression"):
        with pytest.raises(LookupError, match="^the disk is gone$"):
            suffice.fit_stream(broken(), "bought", model)
    with pytest.raises(TypeError, match="fit_files"):
        suffice.fit_stream("rows.csv", "bought")


def test_hive_folders_are_columns(tmp_path):
    rows = table()
    pa.dataset.write_dataset(rows, tmp_path, format="parquet",
                             partitioning=pa.dataset.partitioning(pa.schema([("town", pa.string())]), flavor="hive"))
    whole = suffice.fit_stream(pa.dataset.dataset(tmp_path, partitioning="hive"), "bought")
    close(np.sort(posteriors(whole, rows)[:, 0]), np.sort(posteriors(suffice.fit_stream(rows, "bought"), rows)[:, 0]), 1e-9)


def test_models_of_many_passes_keep_what_comes_once():
    rows = table()
    once = suffice.fit_stream(rows.to_reader(max_chunksize=100), "bought", "logistic_regression", exclude=("size",))
    again = suffice.fit_stream(rows, "bought", "logistic_regression", exclude=("size",))
    np.testing.assert_array_equal(posteriors(once, rows), posteriors(again, rows))


def test_dates_are_split_as_in_files():
    rows = table(rows=200)
    days = pa.array([datetime.date(2024, 1 + k % 12, 1 + k % 28) for k in range(200)])
    dated = rows.append_column("day", days)
    with pytest.warns(UserWarning, match="dates"):
        model = suffice.fit_stream(dated, "bought")
    assert any("day" in name and "month" in name for name in model.feature_names_in_)
    assert posteriors(model, dated).shape == (200, 2)


@pytest.mark.parametrize("model", ["naive_bayes", "gaussian_nb", "lda", "qda"])
def test_bytes_of_parts_merge_to_the_whole(model):
    rows = table()
    exclude = ("colour", "town") if model != "naive_bayes" else ()
    plan = suffice.plan_statistics(rows, "bought", model, exclude=exclude)
    cuts = [0, 1, 1, 700, 1500, 2999, ROWS]
    parts = [suffice.statistics_of(rows.slice(a, b - a), "bought", model, exclude=exclude, plan=plan) for a, b in zip(cuts, cuts[1:])]
    whole = suffice.fit_stream(rows, "bought", model, exclude=exclude)
    close(posteriors(suffice.model_from_bytes(suffice.merge_bytes(parts)), rows), posteriors(whole, rows), 1e-9)
    # runs of 2 and 4 neighbours may be merged before: the same bits
    pairs = [suffice.merge_bytes(parts[k:k + 2]) for k in range(0, len(parts), 2)]
    assert suffice.merge_bytes(pairs) == suffice.merge_bytes(parts)
    assert suffice.merge_bytes([suffice.merge_bytes(parts[:4]), suffice.merge_bytes(parts[4:])]) == suffice.merge_bytes(parts)


def test_a_class_or_level_that_one_part_alone_has():
    parts = [table(1, 500), table(2, 300, ("never",)), table(3, 200)]
    odd = parts[1].set_column(5, "town", pa.array(["Assen"] * 300))
    parts[1] = odd
    whole = suffice.fit_stream(pa.concat_tables(parts, promote_options="permissive"), "bought")
    made = [suffice.statistics_of(part, "bought", plan=suffice.plan_statistics(parts[0], "bought")) for part in parts]
    merged = suffice.model_from_bytes(suffice.merge_bytes(made))
    assert merged.classes_.tolist() == ["never", "no", "yes"]
    close(posteriors(merged, parts[0]), posteriors(whole, parts[0]), 1e-9)


def test_refusals_name_the_part_and_the_column():
    rows = table(rows=200)
    plan = suffice.plan_statistics(rows, "bought")
    with pytest.raises(ValueError, match="partition 7.*no column width"):
        suffice.statistics_of(rows.drop_columns(["width"]), "bought", plan=plan, name="partition 7")
    words = rows.set_column(1, "width", pa.array(["wide"] * 200))
    with pytest.raises(ValueError, match="partition 7, row 1, column width"):
        suffice.statistics_of(words, "bought", plan=plan, name="partition 7")
    with pytest.raises(ValueError, match="repeated passes"):
        suffice.statistics_of(rows, "bought", "logistic_regression")
    with pytest.raises(ValueError, match="different settings|different kinds"):
        suffice.merge_bytes([suffice.statistics_of(rows, "bought", "gaussian_nb", exclude=("colour", "town")),
                             suffice.statistics_of(rows, "bought", "lda", exclude=("colour", "town"))])


CUTS = [0, 0, 900, 901, 2500, ROWS]


def parts_of(rows):
    return [rows.slice(a, b - a) for a, b in zip(CUTS, CUTS[1:])]


LARGE = 20_000
WAYS = [[0, LARGE], [0, 1, 1, 4095, 4096, 4097, LARGE - 1, LARGE], list(range(0, LARGE + 1, 500)), [0, 7_003, 7_004, 15_000, LARGE]]


def ways_to_cut(rows):
    return [[rows.slice(a, b - a) for a, b in zip(cuts, cuts[1:])] for cuts in WAYS]


@pytest.mark.parametrize("model", ["naive_bayes", "gaussian_nb", "lda", "qda", "logistic_regression"])
def test_parts_cut_anywhere_have_the_bits_of_all_rows(model):
    rows = table(rows=LARGE)
    assert LARGE > 4 * suffice._core.stream_block_rows(rows.num_columns)
    exclude = () if model == "naive_bayes" else ("colour", "town", "size") if model == "logistic_regression" else ("colour", "town")
    whole = suffice.fit_stream(rows, "bought", model, exclude=exclude)
    expected = posteriors(whole, rows)
    for parts in ways_to_cut(rows):
        made = fit_parts(parts, "bought", model, exclude=exclude)
        np.testing.assert_array_equal(posteriors(made, rows), expected)
        if model != "logistic_regression":
            assert suffice.streams.bytes_of(made) == suffice.streams.bytes_of(whole)


@pytest.mark.parametrize("model, words", [("gaussian_mixture", {"covariance": "full"}), ("gaussian_mixture", {"covariance": "tied"}), ("k_means", {})])
def test_groups_of_parts_cut_anywhere_have_the_bits_of_all_rows(model, words):
    rows = groups(LARGE)
    found = [fit_parts(parts, model=model, k=3, starts=1, steps=5, **words) for parts in ways_to_cut(rows)]
    for each in found[1:]:
        name = "means_" if model == "gaussian_mixture" else "cluster_centers_"
        np.testing.assert_array_equal(getattr(each, name), getattr(found[0], name))


def test_threads_do_not_change_a_bit_of_a_stream():
    rows = table(rows=LARGE)
    made = {suffice.streams.bytes_of(suffice.fit_stream(rows, "bought", threads=threads)) for threads in (1, 2, 3, 7)}
    assert len(made) == 1


def test_parts_whose_columns_have_other_types_are_added_all_the_same():
    rows = table(rows=3000)
    other = rows.slice(1500).set_column(2, "visits", rows["visits"].slice(1500).cast(pa.float64()))
    made = fit_parts([rows.slice(0, 1500), other], "bought")
    close(posteriors(made, rows), posteriors(suffice.fit_stream(rows, "bought"), rows))
    regression = fit_parts([part.drop_columns(["size"]) for part in (rows.slice(0, 1500), other)], "bought", "logistic_regression")
    assert posteriors(regression, rows).shape == (3000, 2)


@pytest.mark.parametrize("settings", [{}, {"penalty": 1.0}])
def test_logistic_regression_by_rounds_is_that_of_all_rows(settings):
    rows = table().drop_columns(["size"])
    whole = suffice.fit_stream(rows, "bought", "logistic_regression", **settings)
    made = fit_parts(parts_of(rows), "bought", "logistic_regression", **settings)
    close(posteriors(made, rows), posteriors(whole, rows), 1e-7)


@pytest.mark.parametrize("covariance", ["full", "tied", "diagonal", "spherical"])
def test_mixtures_by_rounds_are_those_of_all_rows(tmp_path, covariance):
    rows = groups()
    made = fit_parts(parts_of(rows), model="gaussian_mixture", k=3, covariance=covariance, seed=3)
    whole = fit_parts([rows], model="gaussian_mixture", k=3, covariance=covariance, seed=3)
    close(made.means_, whole.means_, 1e-9)
    close(made.covariances_, whole.covariances_, 1e-9)
    close(made.weights_, whole.weights_, 1e-9)
    from sklearn.mixture import GaussianMixture as Theirs
    kind = {"diagonal": "diag"}.get(covariance, covariance)
    X = np.column_stack([rows[name].to_numpy() for name in rows.column_names])
    theirs = Theirs(3, covariance_type=kind, means_init=made.means_, tol=1e-9, max_iter=500, reg_covar=0).fit(X)
    np.testing.assert_allclose(np.sort(made.means_, axis=0), np.sort(theirs.means_, axis=0), rtol=0.02, atol=0.02)


def test_k_means_by_rounds_is_that_of_all_rows():
    from sklearn.cluster import KMeans as Theirs

    rows = groups()
    made = fit_parts(parts_of(rows), model="k_means", k=3)
    X = np.column_stack([rows[name].to_numpy() for name in rows.column_names])
    theirs = Theirs(3, init=made.cluster_centers_, n_init=1, tol=0).fit(X)
    close(made.cluster_centers_, theirs.cluster_centers_, 1e-3)
    close(made.inertia_, theirs.inertia_, 1e-4)
    assert made.predict(rows.to_pandas()).shape == (ROWS,)


def groups(count=ROWS):
    rng = np.random.default_rng(5)
    k = rng.integers(0, 3, count)
    return pa.table({name: rng.normal(size=count) + 4 * (k == which) for which, name in enumerate("abc")})


def test_any_engine_is_ten_lines():
    """A pool of processes, as docs/guide/clusters.md shows it."""
    rows = table()
    import concurrent.futures
    import multiprocessing

    with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        made = fit_parts(parts_of(rows), "bought", map=pool.map)
    close(posteriors(made, rows), posteriors(suffice.fit_stream(rows, "bought"), rows), 1e-9)


def test_datasets_are_not_read_ahead(tmp_path):
    """A scanner of pyarrow, left alone, holds all of these 170 MB and more."""
    program = f"""
import resource
import numpy as np, pyarrow as pa, pyarrow.dataset, pyarrow.parquet, suffice
rng = np.random.default_rng(0)
path = {str(tmp_path / "rows.parquet")!r}
schema = pa.schema([("y", pa.int64())] + [(f"x{{j}}", pa.float64()) for j in range(20)])
with pa.parquet.ParquetWriter(path, schema, compression="none", use_dictionary=False) as out:
    for _ in range(40):
        y = rng.integers(0, 2, 25_000)
        out.write_table(pa.table({{"y": y, **{{f"x{{j}}": rng.normal(size=25_000) + y for j in range(20)}}}}, schema=schema))
suffice.fit_stream(pa.dataset.dataset(path).head(1000), "y", "lda")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
suffice.fit_stream(pa.dataset.dataset(path), "y", "lda")
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024)
"""
    grown = float(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout)
    assert grown < 100


def test_memory_does_not_grow_with_the_stream():
    program = """
import resource, sys
import numpy as np, pyarrow as pa, suffice
rng = np.random.default_rng(0)
def batches(count):
    for _ in range(count):
        k = rng.integers(0, 2, 50_000)
        yield pa.record_batch({"y": k, **{f"x{j}": rng.normal(size=50_000) + k for j in range(20)}})
suffice.fit_stream(batches(2), "y", "lda")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
suffice.fit_stream(batches(60), "y", "lda")
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024)
"""
    grown = float(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout)
    assert grown < 60  # of 480 MB that passed through


SOURCES = """
import sys
import numpy as np, pyarrow as pa, pyarrow.dataset, pyarrow.parquet
import suffice

COLUMNS = [f"x{j}" for j in range(20)]


def batches(count):
    draw = np.random.default_rng(0)
    for _ in range(count // 25_000):
        y = draw.integers(0, 2, 25_000)
        yield pa.record_batch({"y": y, **{name: draw.normal(size=25_000) + y for name in COLUMNS}})


SCHEMA = pa.schema([("y", pa.int64())] + [(name, pa.float64()) for name in COLUMNS])


def written(count):
    path = f"{sys.argv[2]}/{count}.parquet"
    with pa.parquet.ParquetWriter(path, SCHEMA, compression="none", use_dictionary=False) as out:
        for batch in batches(count):
            out.write_batch(batch)
    return path


def relation(count):
    import duckdb
    return duckdb.sql("SELECT i % 2 AS y, " + ", ".join(f"random() + i % 2 AS {name}" for name in COLUMNS) + f" FROM range({count}) t(i)")


def lazy_frame(count):
    import polars
    return polars.scan_parquet(written(count)).with_columns(polars.col("x0") * 2)


def cursor(count):
    import adbc_driver_sqlite.dbapi
    made = adbc_driver_sqlite.dbapi.connect().cursor()
    made.execute(f"WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < {count}) SELECT i % 2 AS y, "
                 + ", ".join(f"random() / 1e19 + i % 2 AS {name}" for name in COLUMNS) + " FROM c")
    return made


servers = []


def flight(count):
    import pyarrow.flight

    class Server(pyarrow.flight.FlightServerBase):
        def do_get(self, context, ticket):
            return pyarrow.flight.GeneratorStream(SCHEMA, batches(count))

    servers.append(Server("grpc://127.0.0.1:0"))
    return pyarrow.flight.connect(f"grpc://127.0.0.1:{servers[-1].port}").do_get(pyarrow.flight.Ticket(b""))


def held():
    with open("/proc/self/status") as file:
        return int(next(line for line in file if line.startswith("VmHWM")).split()[1]) / 1024


source = {"generator": batches, "relation": relation, "lazy_frame": lazy_frame, "cursor": cursor, "flight": flight,
          "dataset": lambda count: pa.dataset.dataset(written(count))}[sys.argv[1]]
first, rows = map(int, sys.argv[3:5])
assert suffice.fit_stream(source(first), "y", "lda").classes_.tolist() == [0, 1]
before = held()
suffice.fit_stream(source(rows), "y", "lda")
print(f"{before:.0f} {held():.0f}")
for each in servers:
    each.shutdown()
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="peak memory is read from /proc")
@pytest.mark.parametrize("source, needs, first, rows", [
    ("generator", "numpy", 50_000, 1_500_000), ("relation", "duckdb", 1_000_000, 6_000_000), ("dataset", "pyarrow.dataset", 1_000_000, 5_000_000),
    ("cursor", "adbc_driver_sqlite", 50_000, 500_000), ("flight", "pyarrow.flight", 50_000, 1_500_000),
    ("lazy_frame", "polars", 1_000_000, 5_000_000)])  # these read 70 to 240 MB ahead, however many rows there are
def test_no_source_takes_more_memory_for_more_rows(tmp_path, source, needs, first, rows):
    """Of 250 MB (a cursor of SQLite: 84, a lazy frame or dataset: 840, a relation: 1000) that pass through."""
    pytest.importorskip(needs)
    grown = []
    for attempt in range(3):  # how far a source reads ahead depends on who is quicker; what keeps its rows grows every time
        done = subprocess.run([sys.executable, "-c", SOURCES, source, tmp_path, str(first), str(rows)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[-2000:]
        before, after = map(float, done.stdout.split())
        grown.append(after - before)
        if grown[-1] < (120 if first == 1_000_000 else 60):
            return
    raise AssertionError(f"grown by {grown} MB")
