"""Tables that speak the Arrow C interface are read where they lie: chunks, dictionaries, bitmaps, slices."""
import decimal
import resource

import numpy as np
import pytest

import suffice

pa = pytest.importorskip("pyarrow")
ROWS = 600


def columns(seed=1):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, ROWS)
    values = {"size": (rng.normal(size=ROWS) + y).tolist(), "count": rng.poisson(2 + y, ROWS).tolist(),
              "new": (rng.uniform(size=ROWS) < 0.2 + 0.5 * y).tolist(),
              "colour": np.array(["red", "blue", "green"])[np.minimum(rng.integers(0, 2, ROWS) + y, 2)].tolist()}
    for name in values:
        for row in rng.integers(0, ROWS, 30):
            values[name][row] = None
    return values, y


def plain(values):
    """The same rows as Python objects, which take another path."""
    return np.array([[None if v is None else float(v) if not isinstance(v, str) else v for v in row]
                     for row in zip(*values.values())], dtype=object)


class Stream:
    """Nothing but the interface, as a library without pyarrow would have it."""

    def __init__(self, table):
        self._table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self._table.__arrow_c_stream__(requested_schema)


class Batch:
    def __init__(self, batch):
        self._batch = batch

    def __arrow_c_array__(self, requested_schema=None):
        return self._batch.__arrow_c_array__(requested_schema)


def chunked(table):
    return pa.concat_tables([table.slice(0, 7), table.slice(7, 300), table.slice(307, 0), table.slice(307)])


def recoded(table, words):
    codes = pa.array([None if v is None else words.index(v) for v in table["colour"].to_pylist()], type=pa.int32())
    return table.set_column(3, "colour", pa.DictionaryArray.from_arrays(codes, pa.array(words)))


FORMS = {
    "one chunk": lambda table: table,
    "chunks": chunked,
    "slices": lambda table: pa.concat_tables([table, table]).combine_chunks().slice(ROWS),
    "dictionary": lambda table: table.set_column(3, "colour", table["colour"].dictionary_encode()),
    "dictionaries that differ": lambda table: pa.concat_tables([
        recoded(table.slice(0, 200), ["red", "blue", "green"]), recoded(table.slice(200), ["green", "red", "blue"])]),
    "small types": lambda table: table.cast(pa.schema([("size", pa.float64()), ("count", pa.uint8()),
                                                       ("new", pa.bool_()), ("colour", pa.large_string())])),
    "views": lambda table: table.set_column(3, "colour", table["colour"].cast(pa.string_view())),
    "bare stream": lambda table: Stream(chunked(table)),
    "bare batch": lambda table: Batch(table.combine_chunks().to_batches()[0]),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_layout_gives_the_answers_of_plain_objects(form):
    values, y = columns()
    table = FORMS[form](pa.table(values))
    made = dict(families=["gaussian", "poisson", "bernoulli", "categorical"])
    by_name = dict(families=dict(zip(values, made["families"])))
    ours = suffice.NaiveBayes(**by_name).fit(table, y)
    other = suffice.NaiveBayes(**made).fit(plain(values), y)
    np.testing.assert_allclose(ours.predict_proba(table), other.predict_proba(plain(values)), rtol=1e-9)
    np.testing.assert_allclose(ours.log_evidence(table), other.log_evidence(plain(values)), rtol=1e-9)
    np.testing.assert_allclose(ours.explain(table).contributions, other.explain(plain(values)).contributions,
                               rtol=1e-9, atol=1e-12)
    assert ours.predict(table).tolist() == other.predict(plain(values)).tolist()
    assert ours.bic_ == pytest.approx(other.bic_)


def test_columns_are_matched_by_name_and_new_levels_are_unseen():
    values, y = columns()
    table = pa.table(values)
    model = suffice.NaiveBayes().fit(table, y)
    turned = table.select(["colour", "new", "size", "count"])
    np.testing.assert_array_equal(model.predict_proba(turned), model.predict_proba(table))
    strange = table.set_column(3, "colour", pa.array(["violet"] * ROWS))
    assert np.isfinite(model.predict_log_proba(strange)).all()
    with pytest.raises(ValueError, match="no column size"):
        model.predict(table.drop_columns(["size"]))


def test_a_dictionary_declares_its_levels():
    y = np.arange(60) % 2
    words = pa.DictionaryArray.from_arrays(pa.array(np.arange(60) % 3 % 2, type=pa.int8()), ["a", "b", "never"])
    declared = suffice.NaiveBayes().fit(pa.table({"w": words}), y)
    seen = suffice.NaiveBayes().fit(pa.table({"w": words.cast(pa.string())}), y)
    assert np.exp(declared.explain(pa.table({"w": ["a"]})).contributions[0, 0, 0]) == pytest.approx(21 / 33)
    assert np.exp(seen.explain(pa.table({"w": ["a"]})).contributions[0, 0, 0]) == pytest.approx(21 / 32)


def test_halves_decimals_and_columns_of_nothing_are_numbers():
    y = np.arange(40) % 2
    table = pa.table({"half": pa.array((np.arange(40) % 5).astype(np.float16)),
                      "price": pa.array([decimal.Decimal(k - 20) / 4 for k in range(40)], type=pa.decimal128(12, 3)),
                      "nothing": pa.nulls(40)})
    model = suffice.NaiveBayes().fit(table, y)
    direct = suffice.NaiveBayes().fit(np.column_stack([np.arange(40) % 5, (np.arange(40) - 20) / 4]).astype(float), y)
    np.testing.assert_allclose(model.predict_proba(table), direct.predict_proba(
        np.column_stack([np.arange(40) % 5, (np.arange(40) - 20) / 4]).astype(float)), rtol=1e-9)


def test_types_that_are_no_columns_are_refused_by_name():
    y = np.arange(4) % 2
    for bad in (pa.array([[1], [2], [3], [4]]), pa.array(np.arange(4), type=pa.timestamp("s")), pa.array([b"a"] * 4)):
        with pytest.raises(TypeError, match="odd"):
            suffice.NaiveBayes().fit(pa.table({"odd": bad}), y)
    with pytest.raises(TypeError, match="single column"):
        suffice.NaiveBayes().fit(pa.array([1.0, 2.0, 3.0, 4.0]), y)
    with pytest.raises(ValueError, match="0 feature"):
        suffice.NaiveBayes().fit(pa.table({}), y)
    with pytest.raises(ValueError, match="inconsistent"):
        suffice.NaiveBayes().fit(pa.table({"a": [1.0, 2.0]}), y)


def test_polars_frames_need_no_pyarrow_and_keep_their_categories():
    polars = pytest.importorskip("polars")
    values, y = columns()
    frame = polars.DataFrame(values).with_columns(polars.col("colour").cast(polars.Categorical))
    frame = polars.concat([frame[:100], frame[100:]], rechunk=False)
    ours = suffice.NaiveBayes().fit(frame, y)
    np.testing.assert_allclose(ours.predict_proba(frame),
                               suffice.NaiveBayes().fit(pa.table(values), y).predict_proba(pa.table(values)), rtol=1e-9)


def test_a_table_of_many_megabytes_is_not_copied():
    rows = 2_000_000
    rng = np.random.default_rng(0)
    table = pa.table({f"c{k}": rng.normal(size=rows) for k in range(10)})
    y = (np.arange(rows) % 2).astype(np.int32)
    suffice.NaiveBayes().fit(table.slice(0, 100), y[:100])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    suffice.NaiveBayes().fit(table, y)
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024 < table.nbytes / 4
