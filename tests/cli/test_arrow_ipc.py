"""Arrow IPC, as a file and as a stream, packed inside or outside, gives the model of the same rows in CSV or Parquet."""
import datetime
import decimal
import gzip
import json
import os
import subprocess
import sys

import numpy as np
import pytest

pyarrow = pytest.importorskip("pyarrow")
csv = pytest.importorskip("pyarrow.csv")
parquet = pytest.importorskip("pyarrow.parquet")
ipc = pytest.importorskip("pyarrow.ipc")


@pytest.fixture(autouse=True)
def arrow_is_built_in(command):
    if not list(command.parents[2].glob("libsuffice_arrow.so")):
        pytest.skip("this build has no Arrow")


def written(table, stream=False, batch_rows=None, **options):
    """The bytes of a file or stream; unless said otherwise, all rows are one record batch."""
    into = pyarrow.BufferOutputStream()
    make = ipc.new_stream if stream else ipc.new_file
    with make(into, table.schema, options=ipc.IpcWriteOptions(**options)) as writer:
        writer.write_table(table, max_chunksize=batch_rows)
    return into.getvalue().to_pybytes()


def rows(count):
    random = np.random.default_rng(1)
    x = random.normal(size=count)
    words = np.array(["red", "green", "a blue that is longer than twelve bytes"])[random.integers(0, 3, count)]
    return pyarrow.table({
        "x": pyarrow.array(x, mask=random.random(count) < 0.1),
        "whole": pyarrow.array(random.integers(-5, 300, count), pyarrow.int16()),
        "word": pyarrow.array(words, mask=random.random(count) < 0.1),
        "yes": pyarrow.array(random.random(count) < 0.3, mask=random.random(count) < 0.05),
        "label": np.where(x + (words == "red") + random.normal(size=count) > 0.5, "up", "down")})


def with_column(table, name, values):
    return table.set_column(table.schema.get_field_index(name), name, values)


def forms(table):
    """The same rows in every way that they can be written."""
    whole = pyarrow.BufferOutputStream()
    parquet.write_table(table, whole)
    yield "parquet", whole.getvalue().to_pybytes()
    coded = with_column(table, "word", table["word"].dictionary_encode())
    for stream in (False, True):
        kind = "stream" if stream else "file"
        yield kind, written(table, stream)
        yield f"{kind} of a slice", written(pyarrow.concat_tables([table.slice(0, 3), table]).combine_chunks().slice(3), stream)
        yield f"{kind} with a dictionary", written(coded, stream)
        yield f"{kind} of version 0.14", written(table, stream, use_legacy_format=True, metadata_version=ipc.MetadataVersion.V4)
        yield f"{kind} with views", written(with_column(table, "word", table["word"].cast(pyarrow.string_view())), stream)
        yield f"{kind} with large words", written(with_column(table, "word", table["word"].cast(pyarrow.large_string())), stream)
        for packing in ("lz4", "zstd"):
            yield f"{kind}, {packing}", written(table, stream, compression=packing)
            yield f"{kind} with a dictionary, {packing}", written(coded, stream, compression=packing)
            yield f"{kind} with views, {packing}", written(with_column(table, "word", table["word"].cast(pyarrow.string_view())), stream, compression=packing)


def test_every_form_gives_the_same_bits(folder, suffice):
    table = rows(1000)
    csv.write_csv(table, "rows")
    suffice("fit", "rows", "--target", "label", "-q", "-o", "csv.suf")
    expected = (folder / "csv.suf").read_bytes()
    for name, content in forms(table):
        outside = [gzip.compress(content, 1), pyarrow.compress(content, codec="zstd", asbytes=True)]
        for packed in [content, *(outside if name in ("parquet", "file", "stream", "stream, zstd") else [])]:
            (folder / "rows").write_bytes(packed)
            suffice("fit", "rows", "--target", "label", "-q", "-o", "m.suf")
            assert (folder / "m.suf").read_bytes() == expected, name


def test_a_stream_is_read_from_a_pipe(folder, suffice):
    table = rows(1000)
    csv.write_csv(table, "rows.csv")
    by_csv = suffice("fit", "-", "--target", "label", "-q", "-o", "csv.suf", input=(folder / "rows.csv").read_bytes())
    for content in (written(table, True), gzip.compress(written(table, True)), written(table, True, compression="lz4")):
        suffice("fit", "-", "--target", "label", "-q", "-o", "m.suf", input=content)
        assert (folder / "m.suf").read_bytes() == (folder / "csv.suf").read_bytes()
        told = suffice("predict", "m.suf", "-", "--proba", input=content).stdout.decode()
        assert told == suffice("predict", "m.suf", "rows.csv", "--proba").stdout
    assert by_csv.stdout == b""


def test_a_batch_is_read_by_and_by_with_any_number_of_threads(folder, suffice):
    """70,003 rows take several looks, which start in the middle of a byte of the masks."""
    table = rows(70_003)
    models = {}
    for name, content in forms(table):
        (folder / "rows").write_bytes(content)
        suffice("fit", "rows", "--target", "label", "--threads", 3 if "lz4" in name else 1, "-q", "-o", "m.suf")
        models[name] = (folder / "m.suf").read_bytes()
    assert len(set(models.values())) == 1, [name for name, model in models.items() if model != models["parquet"]]


def test_empty_batches_do_no_harm_and_many_give_the_model_of_one(folder, suffice):
    table = rows(9000)
    nothing = table.slice(0, 0).to_batches() or [pyarrow.record_batch(table.slice(0, 0).to_pydict(), schema=table.schema)]
    told = []
    for stream in (False, True):
        for batches in (table.combine_chunks().to_batches(), nothing + table.to_batches(max_chunksize=1000) + nothing):
            with (ipc.new_stream if stream else ipc.new_file)("rows", table.schema) as writer:
                for batch in batches:
                    writer.write_batch(batch)
            suffice("fit", "rows", "--target", "label", "-q", "-o", "m.suf")
            told.append(json.loads(suffice("inspect", "m.suf", "--json").stdout))
        (folder / "empty").write_bytes(written(table.slice(0, 0), stream))
        assert "has no rows" in suffice("fit", "empty", "--target", "label", "-o", "m.suf", code=2).stderr
    for each in told:
        assert each["rows"] == 9000 and each["classes"] == told[0]["classes"]
        assert each["log_likelihood"] == pytest.approx(told[0]["log_likelihood"], rel=1e-12)


def test_dictionaries_may_grow_and_be_replaced_within_a_stream(folder, suffice):
    letters = ["a", "b", "c", "a", "d", "b"] * 50
    labels = ["x", "y", "x", "x", "y", "y"] * 50
    parts = [pyarrow.array(letters[k:k + 100]).dictionary_encode() for k in (0, 100, 200)]
    grown = [pyarrow.DictionaryArray.from_arrays(pyarrow.array(codes), ["a", "b", "c", "d"][:size])
             for codes, size in (([0, 1, 2, 0] * 25, 3), ([3, 1, 0, 3] * 25, 4))]
    for name, arrays, emit in (("replaced", parts, False), ("grown", grown, True)):
        words = [word for array in arrays for word in array.to_pylist()]
        schema = pyarrow.schema([("letter", parts[0].type), ("label", pyarrow.string())])
        with ipc.new_stream("rows", schema, options=ipc.IpcWriteOptions(emit_dictionary_deltas=emit)) as writer:
            for k, array in enumerate(arrays):
                writer.write_batch(pyarrow.record_batch([array, pyarrow.array(labels[k * 100:(k + 1) * 100])], schema=schema))
        csv.write_csv(pyarrow.table({"letter": words, "label": labels[:len(words)]}), "rows.csv")
        for file in ("rows", "rows.csv"):
            suffice("fit", file, "--target", "label", "-q", "-o", f"{file}.suf")
        assert suffice("predict", "rows.suf", "rows.csv", "--proba").stdout == suffice("predict", "rows.csv.suf", "rows.csv", "--proba").stdout, name


@pytest.mark.parametrize("packing", [None, "lz4", "zstd"])
def test_every_type_is_read_as_from_parquet(folder, suffice, packing):
    count = 3001
    table = pyarrow.table({
        "nested": pyarrow.array([{"u": 1, "v": [1, 2]}] * count),
        "lists": pyarrow.array([[1], None, [2, 3]] * count)[:count],
        "nothing": pyarrow.nulls(count),
        "price": pyarrow.array([decimal.Decimal(k % 900) / 100 for k in range(count)], pyarrow.decimal128(10, 2)),
        "day": pyarrow.array([datetime.date(2024, 5, 1 + k % 3) for k in range(count)]),
        "small": pyarrow.array([k % 200 for k in range(count)], pyarrow.uint8()),
        "half": pyarrow.array([k * 0.25 for k in range(count)], pyarrow.float32()),
        "truth": pyarrow.array([k % 4 < 2 for k in range(count)])})
    parquet.write_table(table.drop_columns("nothing"), "odd.parquet")
    words = ["--target", "truth", "--exclude", "nested,lists,nothing", "--family", "day=categorical", "-q", "-o"]
    suffice("fit", "odd.parquet", "--target", "truth", "--exclude", "nested,lists", *words[4:], "parquet.suf")
    for stream in (False, True):
        (folder / "odd").write_bytes(written(table, stream, compression=packing))
        suffice("fit", "odd", *words, "m.suf")
        assert suffice("predict", "m.suf", "odd.parquet", "--proba").stdout == suffice("predict", "parquet.suf", "odd.parquet", "--proba").stdout
        refused = suffice("fit", "odd", "--target", "truth", "--family", "day=categorical", "-o", "m.suf", code=2).stderr
        assert refused.startswith("odd, column nested: values of the type struct") and "--exclude" in refused


def test_what_polars_writes_is_read(folder, suffice):
    polars = pytest.importorskip("polars")
    table = rows(1000)
    frame = polars.from_arrow(table)
    csv.write_csv(table, "rows")
    suffice("fit", "rows", "--target", "label", "-q", "-o", "csv.suf")
    for packing in ("uncompressed", "lz4", "zstd"):
        for write in (frame.write_ipc, frame.write_ipc_stream, frame.with_columns(polars.col("word").cast(polars.Categorical)).write_ipc):
            write("rows", compression=packing)
            suffice("fit", "rows", "--target", "label", "-q", "-o", "m.suf")
            assert (folder / "m.suf").read_bytes() == (folder / "csv.suf").read_bytes()


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("packing", [None, "zstd"])
def test_what_is_cut_off_or_damaged_is_refused_in_a_sentence(folder, suffice, stream, packing):
    table = rows(500)
    content = written(with_column(table, "word", table["word"].dictionary_encode()), stream, 200, compression=packing)
    for part in (0.01, 0.2, 0.5, 0.8, 0.97):
        cut = content[:max(9, int(part * len(content)))]
        for name, packed in (("cut", cut), ("cut.gz", gzip.compress(cut))):
            (folder / name).write_bytes(packed)
            told = suffice("fit", name, "--target", "label", "-o", "m.suf", code=2).stderr
            assert told.startswith(f"{name}: the file cannot be read: ") and told.count("\n") == 1, told
    (folder / "odd").write_bytes(content[:40] + bytes([255] * 60) + content[100:])
    if stream:
        assert suffice("fit", "odd", "--target", "label", "-o", "m.suf", code=2).stderr.startswith("odd: the file cannot be read: ")
    if packing:  # in the middle of packed values
        (folder / "odd").write_bytes(content[:-3000] + bytes([85] * 1000) + content[-2000:])
        assert suffice("fit", "odd", "--target", "label", "-o", "m.suf", code=2).stderr.startswith("odd")
    assert not (folder / "m.suf").exists()


def test_packed_and_plain_files_mix(folder, suffice):
    table = rows(600)
    (folder / "a.arrow").write_bytes(written(table.slice(0, 200)))
    (folder / "b.gz").write_bytes(gzip.compress(written(table.slice(200, 200), True)))
    parquet.write_table(table.slice(400), "c.parquet")
    csv.write_csv(table, "rows.csv")
    assert "from 600 rows" in suffice("fit", "a.arrow", "b.gz", "c.parquet", "--target", "label", "-o", "m.suf").stderr
    suffice("fit", "rows.csv", "--target", "label", "-q", "-o", "csv.suf")
    told = [json.loads(suffice("inspect", name, "--json").stdout)["log_likelihood"] for name in ("m.suf", "csv.suf")]
    assert told[0] == pytest.approx(told[1], rel=1e-12)


@pytest.mark.parametrize("packing", [None, "lz4"])
def test_one_huge_record_batch_takes_little_memory(folder, command, packing):
    random = np.random.default_rng(0)
    x = random.normal(size=500_000)
    table = pyarrow.table({**{f"x{k}": x + k for k in range(40)}, "label": np.where(x > 0, "up", "down")})
    (folder / "huge").write_bytes(written(table, compression=packing))
    assert (folder / "huge").stat().st_size > 150e6
    del table, x
    # A child's peak starts with that of the process it was forked from, so a small one lies between.
    measure = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True); print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    told = subprocess.run([sys.executable, "-c", measure, command, "fit", "huge", "--target", "label", "-q", "-o", "m.suf"],
                          env={**os.environ, "SUFFICE_THREADS": "2"}, check=True, capture_output=True)
    assert int(told.stdout) < 120_000  # KiB
