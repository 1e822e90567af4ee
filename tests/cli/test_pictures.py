"""Pictures only ask: the data that they are drawn from are what predict answers at the same places."""
import csv
import io
import json
import xml.etree.ElementTree

import numpy as np
import pytest


@pytest.fixture
def data(tmp_path):
    """A count, a waiting time, a flag, a word and a number; two classes."""
    rng = np.random.default_rng(3)
    lines = ["visits,wait,member,color,size,kind"]
    for row in range(300):
        late = row % 2
        color = rng.choice(["red", "green", "blue"], p=[0.6, 0.3, 0.1] if late else [0.1, 0.3, 0.6])
        lines.append(f"{rng.poisson(3 + 4 * late)},{rng.exponential(1 + 2 * late):.4f},{int(rng.random() < 0.2 + 0.5 * late)},"
                     f"{color},{rng.normal(2 * late):.4f},{'late' if late else 'early'}")
    path = tmp_path / "rows.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


FAMILIES = "visits=poisson,wait=exponential,member=bernoulli"
CASES = [["visits"], ["member"], ["color"], ["size"], ["wait"], ["visits", "wait"], ["visits", "member"], ["color", "size"],
         ["visits", "color"]]


def drawn(suffice, model, *options):
    return json.loads(suffice("plot", model, "--json", *options).stdout)


def posteriors(suffice, model, columns, rows, folder):
    path = folder / "places.csv"
    path.write_text("\n".join([",".join(columns)] + [",".join(row) for row in rows]) + "\n")
    told = suffice("predict", model, path, "--proba").stdout
    return np.array([[float(row["p(early)"]), float(row["p(late)"])] for row in csv.DictReader(io.StringIO(told))])


@pytest.mark.parametrize("columns", CASES, ids=",".join)
def test_what_is_drawn_is_what_predict_answers(suffice, data, tmp_path, columns):
    model = tmp_path / "model.suf"
    others = [each for each in ("visits", "wait", "member", "color", "size") if each not in columns]
    families = ",".join(each for each in FAMILIES.split(",") if each.split("=")[0] in columns)
    suffice("fit", data, "--target", "kind", *(["--family", families] if families else []), "--exclude", ",".join(others), "-o", model)
    picture = drawn(suffice, model, data, "--what", "posterior", "--columns", ",".join(columns))
    places = [[each] if len(columns) == 1 else each for each in picture["at"]]
    names = {"color": ["blue", "green", "red"]}
    rows = [[names[c][int(v)] if c in names else repr(v) for c, v in zip(columns, place)] for place in places]
    step = max(1, len(rows) // 500)
    np.testing.assert_allclose(np.array(picture["posterior"])[::step],
                               posteriors(suffice, model, columns, rows[::step], tmp_path), rtol=1e-9, atol=1e-12)
    assert np.ptp([each[0] for each in picture["posterior"]]) > 0.1, "one flat colour"


def test_a_model_of_one_column_has_densities_above_and_the_posterior_below(suffice, data, tmp_path):
    model = tmp_path / "one.suf"
    suffice("fit", data, "--target", "kind", "--exclude", "visits,wait,member,color", "-o", model)
    picture = drawn(suffice, model, data)
    density, posterior = np.exp(picture["log_density"]), np.array(picture["posterior"])
    assert 0.99 < np.trapezoid(density[:, 0], picture["at"]) < 1.001 and np.allclose(posterior.sum(axis=1), 1)
    svg = suffice("plot", model, data).stdout
    xml.etree.ElementTree.fromstring(svg)
    assert "p(x | class)" in svg and "p(class | x)" in svg


def test_counts_have_bars_at_their_own_values(suffice, data, tmp_path):
    model = tmp_path / "one.suf"
    suffice("fit", data, "--target", "kind", "--exclude", "size,wait,member,color", "--family", "visits=poisson", "-o", model)
    at = drawn(suffice, model, data)["at"]
    assert at == [float(value) for value in range(int(at[0]), int(at[-1]) + 1)] and at[0] == 0


def test_a_count_of_one_half_is_refused(suffice, data, tmp_path):
    model = tmp_path / "one.suf"
    suffice("fit", data, "--target", "kind", "--exclude", "size,wait,member,color", "--family", "visits=poisson", "-o", model)
    (tmp_path / "half.csv").write_text("visits\n0.5\n")
    refused = suffice("predict", model, tmp_path / "half.csv", "--proba", code=2)
    assert "poisson takes" in refused.stderr and refused.stdout == ""


def test_words_of_a_presence_model_have_its_log_odds(suffice, tmp_path):
    folder = tmp_path / "texts"
    for name, texts in {"ham": ["alpha beta", "alpha gamma delta"], "spam": ["omega beta beta", "omega gamma"]}.items():
        (folder / name).mkdir(parents=True)
        for k, text in enumerate(texts):
            (folder / name / f"{k}.txt").write_text(text)
    suffice("fit", folder, "--model", "bernoulli_nb", "-o", tmp_path / "text.suf")
    told = json.loads(suffice("inspect", tmp_path / "text.suf", "--json").stdout)
    words = {each["word"]: each["log_odds"] for each in next(c for c in told["columns"] if "telling_words" in c)["telling_words"]["ham"]}
    present, absent = (2 + 1) / (2 + 2), (0 + 1) / (2 + 2)
    logit = lambda p: np.log(p / (1 - p))  # noqa: E731
    assert words["alpha"] == pytest.approx(logit(present) - logit(absent), rel=1e-12)
    (tmp_path / "new.csv").write_text("text\nzzz yyy\n")
    notes = suffice("predict", tmp_path / "text.suf", tmp_path / "new.csv").stderr
    assert "absent" in notes and "the prior decides" not in notes


def ticks(svg):
    """Numbers below the frames of a picture."""
    texts = (each for each in xml.etree.ElementTree.fromstring(svg).iter() if each.get("class") == "soft small mid")
    return [float(each.text) for each in texts]


def test_a_regression_is_drawn_a_little_beyond_its_rows(suffice, data, tmp_path):
    """It has no answer where the other column is missing, which was taken for having none at such numbers."""
    model = tmp_path / "regression.suf"
    suffice("fit", data, "--target", "kind", "--model", "logistic", "--exclude", "visits,member,color", "-o", model)
    at = np.array(drawn(suffice, model, data, "--what", "posterior", "--columns", "wait,size")["at"])
    x = np.array([[float(row["wait"]), float(row["size"])] for row in csv.DictReader(data.open())])
    assert (at.min(axis=0) < x.min(axis=0) - 0.05 * np.ptp(x, axis=0)).all()
    assert (at.max(axis=0) > x.max(axis=0) + 0.05 * np.ptp(x, axis=0)).all()


def test_flags_have_two_values_and_steps_are_whole(suffice, data, tmp_path):
    flags = suffice("plot", data, "--what", "density", "--model", "bernoulli", "--columns", "member").stdout
    assert ticks(flags) == [0, 1] and ">1<" in flags
    picture = tmp_path / "steps.svg"
    suffice("cluster", data, "--k", "2", "--exclude", "kind,color,member,visits,wait", "--model", "k_means", "--steps", "2", "--trace",
            "--trace-picture", picture, "-o", tmp_path / "groups.csv")
    assert 1 < len(ticks(picture.read_text())) == sum(tick == round(tick) for tick in ticks(picture.read_text()))


def test_a_density_that_begins_high_is_not_cut(suffice, tmp_path):
    (tmp_path / "wait.csv").write_text("wait\n" + "".join(f"{-np.log(1 - (k + 0.5) / 60):.6f}\n" for k in range(60)))
    svg = suffice("plot", tmp_path / "wait.csv", "--what", "density", "--model", "exponential").stdout
    curves = [each.get("d") for each in xml.etree.ElementTree.fromstring(svg).iter() if "thick s0" in (each.get("class") or "")]
    points = max(curves, key=len).replace("M", "").split("L")  # in the frame's own pixels, from its top
    assert len(points) > 100 and min(float(point.split()[1]) for point in points) >= 0


def test_a_family_named_as_a_setting_is_no_option(suffice, data):
    said = suffice("plot", data, "--what", "prior", "--model", "gamma", "--columns", "wait", code=2).stderr
    assert said == "The family gamma has no conjugate prior.\n"
