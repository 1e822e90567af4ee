"""Rows enter by one door: what a cell means does not depend on the library that brings it, and nothing is guessed."""
import os
import pathlib
import subprocess

import numpy as np
import pytest

import suffice

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

ROWS = 120


def numbers():
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, ROWS)
    return pd.DataFrame({"a": rng.normal(size=ROWS) + y, "b": rng.poisson(3 + y, ROWS)}), y


def mixed():
    frame, y = numbers()
    frame["c"] = np.array(["red", "green", "blue"])[(np.arange(ROWS) + y) % 3]
    return frame, y


@pytest.fixture(scope="module")
def model():
    return suffice.NaiveBayes().fit(*mixed())


def one(model, **cells):
    return model.predict_proba(pd.DataFrame({name: pd.Series([value], dtype=object) for name, value in cells.items()}))


@pytest.mark.parametrize("nothing", [None, pd.NA, np.nan, float("nan"), pd.NaT, "?", "NA", ""])
def test_a_cell_without_a_value_is_missing_in_a_column_of_numbers(model, nothing):
    expected = model.predict_proba(pd.DataFrame({"a": [np.nan], "b": [2.0], "c": ["red"]}))
    assert np.array_equal(one(model, a=nothing, b=2, c="red"), expected)
    assert not np.array_equal(one(model, a=-1.0, b=2, c="red"), expected)


@pytest.mark.parametrize("nothing", [None, pd.NA, np.nan])
def test_a_cell_without_a_value_is_missing_in_a_column_of_words(model, nothing):
    expected = one(model, a=1.0, b=2, c=None)
    assert np.array_equal(one(model, a=1.0, b=2, c=nothing), expected)
    assert not np.array_equal(one(model, a=1.0, b=2, c="red"), expected)


def test_digits_as_words_are_the_numbers_they_spell(model):
    frame, _ = mixed()
    expected = model.predict_proba(frame)
    spelled = frame.assign(a=[repr(float(v)) for v in frame["a"]], b=frame["b"].astype(str))
    for rows in (spelled, spelled.astype({"a": "category"}), spelled.convert_dtypes(), pl.from_pandas(spelled),
                 pa.Table.from_pandas(spelled), pl.from_pandas(spelled).with_columns(pl.col("b").cast(pl.Categorical)),
                 spelled.to_numpy(dtype=object)):
        assert np.array_equal(model.predict_proba(rows), expected)


@pytest.mark.parametrize("of", [lambda f: f, pl.from_pandas, pa.Table.from_pandas])
def test_a_word_among_numbers_is_refused_with_its_row_and_column(model, of):
    frame, _ = mixed()
    spelled = frame.assign(a=[str(v) for v in frame["a"]])
    spelled.loc[7, "a"] = "many"
    with pytest.raises(ValueError, match="row 8, column a: 'many' is no number"):
        model.predict(of(spelled))


@pytest.mark.parametrize("make", [lambda: suffice.NaiveBayes(families={"c": "gaussian"}),
                                  lambda: suffice.NaiveBayes(families={"c": "poisson"}), suffice.PoissonNB])
def test_no_family_of_numbers_takes_the_codes_of_words(make):
    frame, y = mixed()
    if isinstance(make(), suffice.PoissonNB):
        frame = frame[["b", "c"]]
    with pytest.raises(ValueError, match="row 1, column c: '.*' is no number"):
        make().fit(frame, y)
    digits = frame.assign(c=[str(k % 4) for k in range(ROWS)])
    same = frame.assign(c=[k % 4 for k in range(ROWS)])
    assert np.array_equal(make().fit(digits, y).predict_proba(digits), make().fit(same, y).predict_proba(same))


def test_a_column_of_nothing_is_missing():
    frame, y = mixed()
    model = suffice.NaiveBayes().fit(frame, y)
    empty = frame.assign(a=np.nan)
    expected = model.predict_proba(empty)
    nothing = pl.from_pandas(frame).with_columns(pl.lit(None).alias("a"))
    assert nothing["a"].dtype == pl.Null
    assert np.array_equal(model.predict_proba(nothing), expected)
    assert np.array_equal(model.predict_proba(frame.assign(a=[None] * ROWS)), expected)
    table = pa.Table.from_pandas(frame).set_column(0, "a", pa.nulls(ROWS))
    assert np.array_equal(model.predict_proba(table), expected)
    with_words = pl.from_pandas(frame).with_columns(pl.lit(None).alias("c"))
    assert np.array_equal(model.predict_proba(with_words), model.predict_proba(frame.assign(c=[None] * ROWS)))
    assert suffice.NaiveBayes().fit(nothing, y).predict(nothing).shape == (ROWS,)


def test_categories_and_enumerations_of_polars_are_words():
    frame, y = mixed()
    model = suffice.NaiveBayes().fit(frame, y)
    expected = model.predict_proba(frame)
    for kind in (pl.Categorical, pl.Enum(["blue", "green", "red"]), pl.String):
        rows = pl.from_pandas(frame).with_columns(pl.col("c").cast(kind))
        assert np.array_equal(model.predict_proba(rows), expected)


@pytest.mark.parametrize("make", [
    suffice.GaussianNB, suffice.LinearDiscriminantAnalysis, suffice.QuadraticDiscriminantAnalysis, suffice.LogisticRegression,
    suffice.NaiveBayes, suffice.PoissonNB, suffice.MultinomialNB, suffice.BernoulliNB, suffice.KernelDensityClassifier,
    suffice.MixtureDiscriminantAnalysis, suffice.GaussianMixture, suffice.KMeans])
def test_the_byte_order_of_an_array_does_not_matter(make):
    frame, y = numbers()
    X = np.abs(np.round(frame.to_numpy(dtype=np.float64)))
    parameters = {"random_state": 0} if "random_state" in make().get_params() else {}
    other, labels = X.astype(">f8"), y.astype(">i8")
    plain, swapped = make(**parameters).fit(X, y), make(**parameters).fit(other, labels)
    assert np.array_equal(plain.predict(X), swapped.predict(other))
    if hasattr(plain, "predict_proba"):
        assert np.array_equal(plain.predict_proba(X), swapped.predict_proba(X))
        assert np.array_equal(plain.predict_proba(X), plain.predict_proba(other))
    assert np.array_equal(make(**parameters).fit(X.astype(">f4"), y).predict(X.astype(">i4")), plain.predict(X.astype(np.int32)))


def test_values_outside_of_a_column_are_refused_with_row_and_column(model):
    counts = suffice.PoissonNB().fit(numbers()[0][["b"]], numbers()[1])
    with pytest.raises(ValueError, match="row 2, column b: poisson takes whole numbers from 0, and this is -3"):
        counts.predict(pd.DataFrame({"b": [1, -3]}))
    with pytest.raises(ValueError, match="row 1, column b: poisson takes whole numbers from 0, and this is 2.5"):
        counts.explain(np.array([[2.5]]))


def test_columns_have_names_of_their_own_and_there_is_one():
    frame, y = numbers()
    twice = pd.concat([frame, frame[["a"]]], axis=1)
    with pytest.raises(ValueError, match="two columns have the name a"):
        suffice.NaiveBayes().fit(twice, y)
    with pytest.raises(ValueError, match="two columns have the name a"):
        suffice.NaiveBayes().fit(frame, y).predict(twice)
    with pytest.raises(ValueError, match="0 feature"):
        suffice.NaiveBayes().fit(frame[[]], y)
    with pytest.raises(ValueError, match="0 feature"):
        suffice.NaiveBayes().fit(np.empty((ROWS, 0)), y)


def test_labels_that_are_not_known_may_be_written_in_many_ways():
    frame, y = numbers()
    labels = np.array(["no", "yes"], dtype=object)[y]
    labels[3], labels[5], labels[8] = None, pd.NA, np.nan
    model = suffice.NaiveBayes().fit(frame, labels)
    assert model.classes_.tolist() == ["no", "yes"]


@pytest.mark.parametrize("kind", ["float16", "longdouble"])
def test_mixtures_score_numbers_of_any_width(kind):
    X = np.round(numbers()[0].to_numpy())
    model = suffice.GaussianMixture(2, random_state=0).fit(X.astype(kind))
    assert np.array_equal(model.predict(X.astype(kind)), model.predict(X))
    np.testing.assert_array_equal(model.predict_proba(X.astype(kind)), model.predict_proba(X))


def test_rows_may_lie_anywhere_in_memory():
    frame, y = numbers()
    X = frame.to_numpy(dtype=np.float64)
    odd = np.frombuffer(b"x" + X.tobytes(), dtype=np.float64, offset=1, count=X.size).reshape(X.shape)
    assert not odd.flags.aligned
    for make in (suffice.GaussianNB, suffice.NaiveBayes, suffice.LinearDiscriminantAnalysis, suffice.KernelDensityClassifier):
        assert np.array_equal(make().fit(odd, y).predict_proba(odd), make().fit(X, y).predict_proba(X))


@pytest.mark.parametrize("of", [lambda frame: frame, lambda frame: frame.to_numpy(dtype=object)])
@pytest.mark.parametrize("cell", [[1, 2], {"a": 1}, (1,), np.zeros(2)])
def test_what_is_neither_a_number_nor_a_word_is_refused_with_its_place(of, cell):
    frame, y = numbers()
    cells = pd.Series(["red"] * ROWS, dtype=object)
    cells[4] = cell
    with pytest.raises(TypeError, match="row 5, column (c|x2): argument must be a string or a number, not "):
        suffice.NaiveBayes().fit(of(frame.assign(c=cells)), y)


def test_weights_are_one_for_each_row_and_some_count():
    frame, y = numbers()
    for model in (suffice.NaiveBayes(), suffice.MixtureDiscriminantAnalysis(), suffice.TextClassifier()):
        rows = ["a word or two"] * ROWS if isinstance(model, suffice.TextClassifier) else frame
        with pytest.raises(ValueError, match=r"sample_weight.shape == \(3,\), expected \(120,\)"):
            model.fit(rows, y, sample_weight=[1, 2, 3])
        with pytest.raises(ValueError, match="at least one non-zero"):
            model.fit(rows, y, sample_weight=np.zeros(ROWS))
    assert np.array_equal(suffice.NaiveBayes().fit(frame, y, 2.0).predict_proba(frame), suffice.NaiveBayes().fit(frame, y, np.full(ROWS, 2)).predict_proba(frame))


def dated(rows=ROWS):
    """Dates that tell the class by their month, as pandas has them."""
    days = pd.date_range("2019-01-01", periods=rows, freq="7D")
    return pd.DataFrame({"a": np.random.default_rng(3).normal(size=rows), "sold": days}), np.where(days.month % 2 == 0, "even", "odd")


def test_dates_are_split_alike_whoever_brings_them(tmp_path):
    frame, y = dated()
    frame.assign(y=y).to_csv(tmp_path / "dates.csv", index=False)
    from_file = suffice.fit_files(tmp_path / "dates.csv", "y")
    assert "sold.month" in list(from_file.feature_names_in_)
    expected = suffice.fit(frame.assign(sold=frame["sold"].astype(str)), y).predict_proba(frame)
    for rows in (frame, frame.assign(sold=frame["sold"].dt.tz_localize("UTC")), frame.assign(sold=frame["sold"].dt.date),
                 frame.assign(sold=frame["sold"].astype(str)), pl.from_pandas(frame), pa.Table.from_pandas(frame),
                 pl.from_pandas(frame).with_columns(pl.col("sold").cast(pl.Date))):
        assert np.array_equal(from_file.predict_proba(rows), expected)
        model = suffice.fit(rows, y)
        assert np.array_equal(model.predict(rows), model.predict(frame))
    missing = frame.assign(sold=[pd.NaT, *frame["sold"][1:]])
    assert not np.array_equal(from_file.predict_proba(missing)[0], expected[0]) and np.array_equal(from_file.predict_proba(missing)[1:], expected[1:])
    with pytest.raises(ValueError, match="the rows have no column sold.year"):
        from_file.predict(frame[["a"]])


def test_a_model_remembers_whether_its_dates_put_the_day_first(tmp_path):
    days = pd.date_range("2019-01-01", periods=ROWS, freq="5D")
    y = np.where(days.month % 2 == 0, "even", "odd")
    pd.DataFrame({"sold": days.strftime("%d/%m/%Y"), "y": y}).to_csv(tmp_path / "days.csv", index=False)
    model = suffice.fit_files(tmp_path / "days.csv", "y")
    early = pd.DataFrame({"sold": ["03/04/2019", "05/06/2019"]})  # the words alone do not tell
    assert np.array_equal(model.predict_proba(early), model.predict_proba(pd.DataFrame({"sold": pd.to_datetime(["2019-04-03", "2019-06-05"])})))


def day_first():
    """Dates of which the first does not tell which number is the day, and a class that depends on the month."""
    days = pd.date_range("2019-04-03", periods=ROWS, freq="5D")
    return pd.DataFrame({"sold": days.strftime("%d/%m/%Y"), "y": np.where(days.month % 2 == 0, "even", "odd")})


def told_by_command(path, *words):
    """Fitted by the command, which reads Parquet: the model, or nothing, and what was said."""
    command = os.environ.get("SUFFICE", pathlib.Path(__file__).resolve().parents[2] / "build" / "suffice")
    model = path.with_suffix(".suf")
    done = subprocess.run([command, "fit", path, "--target", "y", "-o", model, *words], capture_output=True, text=True)
    if "libsuffice_arrow.so" in done.stderr:
        pytest.skip("built without Arrow")
    return suffice.load(model) if done.returncode == 0 else None, done.stderr


def test_any_date_tells_which_number_is_the_day_whoever_brings_them(tmp_path):
    rows = day_first()
    rows.to_csv(tmp_path / "days.csv", index=False)
    rows.to_parquet(tmp_path / "days.parquet")
    expected = suffice.fit_files(tmp_path / "days.csv", "y")
    assert "sold.month" in list(expected.feature_names_in_)
    for model in (told_by_command(tmp_path / "days.parquet")[0], suffice.fit(rows[["sold"]], rows["y"]),
                  suffice.fit(pa.Table.from_pandas(rows[["sold"]]), rows["y"])):
        assert np.array_equal(model.predict_proba(rows[["sold"]]), expected.predict_proba(rows[["sold"]]))


def test_words_of_digits_are_words_where_the_source_says_so_and_numbers_where_the_user_does(tmp_path):
    rng = np.random.default_rng(3)
    y = np.where(np.arange(ROWS) % 2 == 0, "a", "b")
    n = rng.normal(size=ROWS).round(1) + (y == "a")
    words = pd.DataFrame({"n": n.round(1).astype(str), "y": y})
    words.to_parquet(tmp_path / "words.parquet")
    words.assign(n=words["n"].astype(float)).to_csv(tmp_path / "numbers.csv", index=False)
    expected = suffice.fit_files(tmp_path / "numbers.csv", "y", families={"n": "gaussian"})
    note = r"the column n is taken as words, as its source has it, though they are numbers, such as .*n.*gaussian"
    with pytest.warns(UserWarning, match=note):
        assert suffice.fit(words[["n"]], y).statistics_._state.columns[0][1] == "category"
    model, said = told_by_command(tmp_path / "words.parquet")
    assert model.statistics_._state.columns[0][1] == "category" and "take it as numbers with --family n=gaussian" in said
    for model in (suffice.fit(words[["n"]], y, families={"n": "gaussian"}),
                  told_by_command(tmp_path / "words.parquet", "--family", "n=gaussian")[0]):
        assert np.array_equal(model.predict_proba(words[["n"]]), expected.predict_proba(words[["n"]]))
    words.loc[6, "n"] = "seven"
    words.to_parquet(tmp_path / "odd.parquet")
    with pytest.raises(ValueError, match="row 7, column n"):
        suffice.fit(words[["n"]], y, families={"n": "gaussian"})
    model, said = told_by_command(tmp_path / "odd.parquet", "--family", "n=gaussian")
    assert model is None and 'row 7, column n: "seven" is not a number; to read the column as words use --family n=categorical' in said


def test_a_column_of_words_that_no_row_has_is_missing():
    rows = pd.DataFrame({"x": [0.1, 0.4, 2.2, 2.9], "colour": ["red", "red", "blue", "red"]})
    model = suffice.fit(rows, ["a", "a", "b", "b"])
    some = pd.DataFrame({"x": [1.0, 1.0], "colour": [None, "red"]})
    for nothing in (None, np.nan, ""):
        found = model.predict_proba(pd.DataFrame({"x": [1.0], "colour": [nothing]}))
        np.testing.assert_array_equal(found[0], model.predict_proba(some)[0])
