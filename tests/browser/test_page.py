"""The living page driven as a person would, in headless Chromium: its numbers are those of the native command.

Skipped where the page is not built (`make page`), or where there is no Chromium or Playwright. Screenshots go to build/browser.
"""
import json
import math
import os
import pathlib
import re
import subprocess
import sys

import pytest

pytest.importorskip("playwright", reason="no Playwright here; tools/bootstrap page installs it")
sys.path.insert(0, str(pathlib.Path(__file__).parent))
from page_server import ALONE, AXE, BROWSER, LESSONS, PAGE, ROOT, chromium, served  # noqa: E402

COMMAND = pathlib.Path(os.environ.get("SUFFICE", ROOT / "build" / "suffice")).resolve()
SHOTS = ROOT / "build" / "browser"
pytestmark = [pytest.mark.skipif(BROWSER is None, reason="no Chromium here; install the package chromium"),
              pytest.mark.skipif(not (PAGE / "index.html").exists(), reason="the page is not built; make page builds it")]


@pytest.fixture(scope="module")
def browser():
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="module")
def address():
    with served(PAGE) as found:
        yield found


class Visit:
    """One open page, and everything that it said or asked for."""

    def __init__(self, browser, address, **options):
        self.context = browser.new_context(**{"viewport": {"width": 1200, "height": 900}, "reduced_motion": "reduce", **options})
        self.page = self.context.new_page()
        self.address, self.said, self.asked = address, [], []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))

    def open(self, hash_=""):
        self.page.goto(f"{self.address}/index.html{hash_}")
        return self.settle()

    def settle(self):
        self.page.wait_for_function("window.suffice !== undefined")
        for _ in range(2):  # what an event has begun is drawn once the tasks before the next frame are done
            self.page.evaluate("window.suffice.idle()")
            self.page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
        self.page.evaluate("window.suffice.idle()")
        return self

    def numbers(self):
        return self.page.evaluate("""() => Object.fromEntries([...document.querySelectorAll('output[data-name]')]
            .map((each) => [each.dataset.name, each.dataset.value === '' ? null : JSON.parse(each.dataset.value)]))""")

    def wrong(self):
        return self.page.inner_text("#status")

    def native(self, folder):
        """What the native command prints for the page's own files and commands: one text for each command."""
        files, commands = self.page.evaluate("""() => [Object.fromEntries(Object.entries(suffice.current.files)
            .map(([name, content]) => [name, typeof content === 'string' ? content : [...content]])), suffice.current.commands]""")
        for name, content in files.items():
            (folder / name).write_bytes(content.encode() if isinstance(content, str) else bytes(content))
        texts = []
        for words in commands:
            done = subprocess.run([COMMAND, *words], cwd=folder, capture_output=True, text=True)
            assert done.returncode == 0, (words, done.stderr)
            texts.append(done.stdout)
        return texts


@pytest.fixture
def visit(browser, address):
    opened = []

    def go(hash_="", **options):
        opened.append(Visit(browser, address, **options))
        return opened[-1].open(hash_)

    yield go
    for each in opened:
        each.context.close()
        assert each.said == []
        assert [url for url in each.asked if not url.startswith((each.address, "blob:", "data:"))] == []


def same(page, names, tolerance=1e-12):
    assert names
    for shown, expected in names.items():
        assert math.isclose(page[shown], expected, rel_tol=tolerance, abs_tol=tolerance), (shown, page[shown], expected)


def decided(folder, data, classes, *options):
    """The confusion matrix of the native command's decisions, by the page's names."""
    done = subprocess.run([COMMAND, "predict", "model.suf", data, *options], cwd=folder, capture_output=True, text=True, check=True)
    truths = [line.rsplit(",", 1)[1] for line in (folder / data).read_text().split()[1:]]
    found = {f"confusion.{row}{column}": 0 for row in range(2) for column in range(2)}
    for truth, told in zip(truths, done.stdout.split()[1:], strict=True):
        found[f"confusion.{classes.index(truth)}{classes.index(told)}"] += 1
    return found


def told_parameters(told):
    names = {f"prior.{each['name']}": each["prior"] for each in told["classes"]}
    for column in told["columns"]:
        for label, values in column["parameters"].items():
            for name, value in values.items():
                names[f"{name}.{column['name']}.{label}"] = value
    for each in told.get("covariances", []):
        for row, values in enumerate(each["values"]):
            for column, value in enumerate(values):
                names[f"covariance.{each['classes'][0]}.{row}{column}"] = value
    return names


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_opens_and_says_nothing_wrong(visit, lesson):
    shown = visit(f"#lesson={lesson}")
    assert shown.wrong() == ""
    assert len(shown.numbers()) > 3
    assert shown.page.locator("#reproduce pre").count() == 2
    SHOTS.mkdir(parents=True, exist_ok=True)
    shown.page.screenshot(path=SHOTS / f"page_{lesson}.png")


@pytest.mark.parametrize("lesson", LESSONS)
def test_the_lines_of_python_run(visit, tmp_path, lesson):
    pytest.importorskip("suffice", reason="the Python package is not installed here; make python installs it")
    shown = visit(f"#lesson={lesson}")
    shown.native(tmp_path)
    code = shown.page.evaluate("suffice.current.python")
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, (code, done.stderr)


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_phone_shows_all_of_it_without_sideways_scrolling(visit, lesson):
    shown = visit(f"#lesson={lesson}", viewport={"width": 320, "height": 640})
    assert shown.page.evaluate("document.documentElement.scrollWidth") <= 320
    assert shown.wrong() == ""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("lesson", LESSONS)
def test_axe_finds_nothing(visit, lesson, scheme):
    shown = visit(f"#lesson={lesson}", color_scheme=scheme)
    shown.page.add_script_tag(path=AXE)
    found = shown.page.evaluate("axe.run().then((said) => said.violations.map((each) => [each.id, each.nodes.map((node) => node.html).slice(0, 3)]))")
    assert found == []


def test_stated_classes_are_dragged_and_equal_the_command(visit, tmp_path):
    shown = visit("#lesson=1")
    before = shown.numbers()
    handle = shown.page.get_by_role("slider", name="mean of class a")
    box = handle.bounding_box()
    shown.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    shown.page.mouse.down()
    shown.page.mouse.move(box["x"] + 60, box["y"] - 30, steps=4)
    shown.page.mouse.up()
    after = shown.settle().numbers()
    assert after["mean.x.a"] > before["mean.x.a"] and after["mean.y.a"] > before["mean.y.a"]
    told = json.loads(shown.native(tmp_path)[1])
    same(after, told_parameters(told))


@pytest.mark.parametrize("model", ["quadratic_discriminant", "linear_discriminant", "gaussian_nb", "diagonal_discriminant", "spherical_discriminant", "grouped_discriminant"])
def test_learned_classes_equal_the_command(visit, tmp_path, model):
    shown = visit("#lesson=two_classes")
    shown.page.get_by_role("button", name="Add a class").click()
    shown.settle().page.get_by_role("button", name="Draw points from the stated model").click()
    shown.settle().page.get_by_label("structure").select_option(model)
    shown.settle().page.mouse.click(500, 520)  # an outlier
    page = shown.settle().numbers()
    assert shown.wrong() == ""
    told = json.loads(shown.native(tmp_path)[1])
    same(page, {**told_parameters(told), "log_likelihood": told["log_likelihood"], "bic": told["bic"], "parameter_count": told["parameter_count"]})


def test_w_and_w0_are_the_difference_of_the_scores(visit, tmp_path):
    shown = visit("#lesson=two_classes")
    shown.page.get_by_label("covariances").select_option("shared")
    page = shown.settle().numbers()
    told = json.loads(shown.native(tmp_path)[1])
    same(page, {"w0": told["intercepts"]["b"] - told["intercepts"]["a"], **{f"w.{name}": told["weights"]["b"][name] - told["weights"]["a"][name] for name in "xy"}})


@pytest.mark.parametrize("model", ["linear_discriminant", "gaussian_nb", "diagonal_discriminant", "spherical_discriminant", "grouped_discriminant"])
def test_stated_covariances_are_pooled_as_the_command_derives(visit, tmp_path, model):
    shown = visit("#lesson=two_classes")
    shown.page.get_by_role("button", name="Add a class").click()
    shown.settle().page.get_by_label("covariances").select_option(model)
    page = shown.settle().numbers()
    assert shown.wrong() == ""
    told = json.loads(shown.native(tmp_path)[2])
    same(page, {**told_parameters(told), "parameter_count": told["parameter_count"]})


def test_every_pair_of_three_classes_has_its_score(visit, tmp_path):
    shown = visit("#lesson=two_classes")
    shown.page.get_by_role("button", name="Add a class").click()
    shown.settle().page.get_by_label("covariances").select_option("shared")
    page = shown.settle().numbers()
    told = json.loads(shown.native(tmp_path)[1])
    for of, against in ("ba", "ca", "cb"):
        same(page, {f"w0.{of}{against}": told["intercepts"][of] - told["intercepts"][against],
                    **{f"w.{name}.{of}{against}": told["weights"][of][name] - told["weights"][against][name] for name in "xy"}})
    shown.page.get_by_label("tell the score of").select_option("cb")
    assert [name for name in shown.settle().numbers() if name.startswith("w0")] == ["w0.cb"]


@pytest.mark.parametrize("what", ["posterior", "density"])
def test_the_posterior_is_a_surface_that_turns(visit, what):
    shown = visit("#lesson=two_classes")
    painted = "document.querySelector('canvas.surface').toDataURL()"
    shown.page.get_by_label("as a surface too").select_option(what)
    first = shown.settle().page.evaluate(painted)
    shown.page.get_by_label("turn the surface").fill("120")
    assert first != shown.settle().page.evaluate(painted) and shown.wrong() == ""
    assert shown.page.evaluate("suffice.current.state.angle") == 120


def test_the_structures_have_the_commands_parameter_counts(visit, tmp_path):
    shown = visit("#lesson=two_classes")
    shown.page.get_by_role("button", name="Draw points from the stated model").click()
    page = shown.settle().numbers()
    shown.native(tmp_path)
    for model in ("quadratic_discriminant", "linear_discriminant", "gaussian_nb", "diagonal_discriminant", "spherical_discriminant"):
        told = json.loads(subprocess.run([COMMAND, "fit", "points.csv", "--target", "class", "--model", model, "--json", "-o", "each.suf"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout)
        same(page, {f"count.{model}": told["parameter_count"], f"bic.{model}": told["bic"]})


def test_points_are_painted_with_the_mouse_and_with_keys(visit):
    shown = visit("#lesson=two_classes")
    shown.page.get_by_label("the model is").select_option("learned")
    box = shown.settle().page.locator("#lesson svg").first.bounding_box()
    shown.page.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + 0.3 * box["height"])
    shown.page.mouse.down()
    shown.page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"], steps=12)
    shown.page.mouse.up()
    painted = shown.settle().page.evaluate("suffice.current.state.points.length")
    assert painted > 5
    cross = shown.page.get_by_role("button", name=re.compile("add a point"))
    cross.focus()
    for key in ("ArrowRight", "Shift+ArrowUp", "Enter"):
        shown.page.keyboard.press(key)
    points = shown.settle().page.evaluate("suffice.current.state.points")
    assert len(points) == painted + 1 and points[-1] == pytest.approx([0.1, 0.8, 0])


def drag(shown, handle, right, down):
    handle.scroll_into_view_if_needed()
    box = handle.bounding_box()
    shown.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    shown.page.mouse.down()
    for step in range(1, 6):  # the page redraws between the moves, as it does for a person
        shown.page.mouse.move(box["x"] + box["width"] / 2 + right * step / 5, box["y"] + box["height"] / 2 + down * step / 5)
        shown.settle()
    shown.page.mouse.up()
    return shown.settle()


@pytest.mark.parametrize(("lesson", "right", "down"), [("one_dimension", 0, -60), ("deciding", 80, 0)])
def test_the_threshold_is_dragged_all_the_way(visit, lesson, right, down):
    shown = visit(f"#lesson={lesson}")
    before = shown.page.evaluate("suffice.current.state.threshold")
    drag(shown, shown.page.get_by_role("slider", name="threshold, to be dragged"), right, down)
    assert shown.page.evaluate("suffice.current.state.threshold") > before + 0.08
    assert shown.page.get_by_label("threshold", exact=True).input_value() == str(shown.page.evaluate("suffice.current.state.threshold"))


def test_one_dimension_of_categories(visit, tmp_path):
    shown = visit("#lesson=one_dimension")
    shown.page.get_by_label("family").select_option("categorical")
    page = shown.settle().numbers()
    assert shown.wrong() == ""
    column = json.loads(shown.native(tmp_path)[1])["columns"][0]
    same(page, {f"probability of {level}.{label}": value for label in "ab" for level, value in zip(column["levels"], column["parameters"][label]["probability"], strict=True)})


@pytest.mark.parametrize("family", ["gaussian", "gaussian_known_mean", "gaussian_known_variance", "log_normal", "exponential", "gamma", "beta", "poisson", "geometric", "negative_binomial", "bernoulli"])
def test_one_dimension_of_every_family(visit, tmp_path, family):
    shown = visit("#lesson=one_dimension")
    shown.page.get_by_label("family").select_option(family)
    shown.settle().page.get_by_label("threshold", exact=True).fill("0.3")
    page = shown.settle().numbers()
    assert shown.wrong() == ""
    texts = shown.native(tmp_path)
    told = json.loads(texts[1])
    values = told["columns"][0]["parameters"]
    # The beta is fitted by steps that stop at a change of 1e-9.
    same(page, {f"{name}.{label}": value for label in "ab" for name, value in values[label].items()}, 1e-9 if family == "beta" else 1e-12)
    same(page, decided(tmp_path, "values.csv", "ab", "--thresholds", "b=0.3"))


def test_naive_bayes_without_a_value_and_with_a_column_thrice(visit, tmp_path):
    shown = visit("#lesson=naive_bayes")
    shown.page.get_by_label("the point has a value").nth(1).uncheck()
    shown.settle().page.get_by_label("times that length is counted").fill("3")
    page = shown.settle().numbers()
    texts = shown.native(tmp_path)
    predicted, why, judged = json.loads(texts[1])[0], json.loads(texts[2])[0], json.loads(texts[3])
    same(page, {f"posterior.{label}": predicted[f"p({label})"] for label in "ab"})
    same(page, {f"said.{column}.{label}": why["contributions"][label].get(column, 0) for label in "ab" for column in ("length", "visits", "member", "wait", "share", "length_2", "length_3")})
    same(page, {name: judged[name] for name in ("accuracy", "log_loss", "calibration_error")})
    assert page["said.visits.a"] == page["said.visits.b"] == 0


def test_halves_merge_and_rows_are_forgotten(visit, tmp_path):
    shown = visit("#lesson=adding")
    shown.page.get_by_label("what old rows count for").fill("0.5")
    page = shown.settle().numbers()
    shown.native(tmp_path)
    for name in ("first", "merged", "all", "forgot", "others", "faded"):
        told = json.loads(subprocess.run([COMMAND, "inspect", f"{name}.suf", "--json"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout)
        for column in told["columns"]:
            same(page, {f"{name}.{label}.mean.{column['name']}": column["parameters"][label]["mean"] for label in "ab"})
    for label in "ab":
        assert math.isclose(page[f"merged.{label}.mean.x"], page[f"all.{label}.mean.x"], rel_tol=1e-12)
        assert math.isclose(page[f"forgot.{label}.mean.x"], page[f"others.{label}.mean.x"], rel_tol=1e-9)


def test_a_stream_fades_as_the_command_lets_it(visit, tmp_path):
    shown = visit("#lesson=adding")
    shown.page.get_by_label("what is known counts, a day later, for").fill("0.35")
    page = shown.settle().numbers()
    told = json.loads(shown.native(tmp_path)[-1])
    same(page, {"stream.weight.7": told["classes"][0]["weight"], "stream.mean.7": told["columns"][0]["parameters"]["a"]["mean"]})
    assert abs(page["stream.mean.7"] - 1) < abs(page["kept.mean.7"] - 1)  # what fades follows the change


@pytest.mark.parametrize(("what", "press"), [("coin", "Heads"), ("die", "Throw three"), ("die", None), ("gauss", None)])
def test_coins_dice_and_gaussians(visit, tmp_path, what, press):
    shown = visit("#lesson=coins")
    shown.page.get_by_label("what is thrown").select_option(what)
    if press:
        shown.settle().page.get_by_role("button", name=press).click()
    page = shown.settle().numbers()
    told = json.loads(shown.native(tmp_path)[0])[0]
    names = {"log_evidence": told["log_evidence"]}
    if what == "die":
        names |= {f"posterior.concentration of {face}": value for face, value in zip(("one", "two", "three"), told["posterior"]["concentration"], strict=True)}
    else:
        names |= {f"posterior.{name}": value for name, value in told["posterior"].items()}
        names |= {f"likelihood.{name}": value for name, value in told["likelihood"].items()}
    for k, each in enumerate(told["credible_intervals"]):
        names |= {f"low.{k}": each["low"], f"high.{k}": each["high"]}
    same(page, names)


@pytest.mark.parametrize("what", ["coin", "die"])
def test_a_prior_without_throws_is_told(visit, tmp_path, what):
    shown = visit("#lesson=coins")
    shown.page.get_by_label("what is thrown").select_option(what)
    shown.settle().page.get_by_role("button", name="Start again").click()
    shown.settle()
    assert shown.wrong() == "" and json.loads(shown.native(tmp_path)[0])


def test_em_climbs_and_bic_is_the_commands(visit, tmp_path):
    shown = visit("#lesson=hidden")
    last = shown.numbers()["log_likelihood"]
    for _ in range(4):
        shown.page.get_by_role("button", name="Step", exact=True).click()
        now = shown.settle().numbers()["log_likelihood"]
        assert now >= last - 1e-9
        last = now
    told = json.loads(shown.native(tmp_path)[0])
    path = [each["log_likelihood"] for each in told["trace"]]
    assert len(path) == 5 and math.isclose(path[-1], last, rel_tol=1e-12) and math.isclose(told["log_likelihood"], last, rel_tol=1e-12)
    shown.page.get_by_role("button", name="BIC over the number of groups").click()
    shown.page.wait_for_selector("output[data-name='bic.6']")
    page = shown.settle().numbers()
    for k in (1, 2, 3):
        shown.native(tmp_path)
        done = subprocess.run([COMMAND, "cluster", "points.csv", "-k", str(k), "-o", "groups.csv"], cwd=tmp_path, capture_output=True, text=True, check=True)
        found = re.search(r"BIC ([-\d.]+)", done.stderr + done.stdout)
        assert math.isclose(page[f"bic.{k}"], float(found[1]), rel_tol=1e-7), k
    shown.page.get_by_label("method").select_option("k_means")
    first = shown.settle().numbers()["inertia"]
    shown.page.get_by_role("button", name="Ten steps").click()
    settled = shown.settle().numbers()["inertia"]
    assert settled < first and math.isclose(json.loads(shown.native(tmp_path)[0])["objective"], settled, rel_tol=1e-12)


def test_a_bad_start_ends_badly_and_labels_mend_it(visit):
    shown = visit("#lesson=hidden")

    def fifty_steps_after(name):
        if name:
            shown.page.get_by_role("button", name=name, exact=True).click()
        for _ in range(5):
            shown.settle().page.get_by_role("button", name="Ten steps", exact=True).click()
        return shown.settle().numbers()

    good, bad = fifty_steps_after(None)["log_likelihood"], fifty_steps_after("A bad start")["log_likelihood"]
    assert bad < good - 5
    assert fifty_steps_after("Label thirty points truly")["weight.0"] == pytest.approx(0.4, abs=0.15)
    assert shown.page.evaluate("Object.keys(suffice.current.state.labels).length") == 30


@pytest.mark.parametrize("shape", ["full", "tied", "spherical"])
def test_labels_given_to_some_points_end_where_the_command_ends(visit, tmp_path, shape):
    shown = visit("#lesson=hidden")
    shown.page.get_by_label("covariances").select_option(shape)
    shown.settle().page.get_by_role("button", name="Label thirty points truly").click()
    for _ in range(30):
        shown.settle().page.get_by_role("button", name="Ten steps", exact=True).click()
    page = shown.settle().numbers()
    told = json.loads(shown.native(tmp_path)[1])
    same(page, {f"weight.{k}": each["prior"] for k, each in enumerate(told["classes"])}, 1e-3)


def test_a_click_labels_a_point(visit):
    shown = visit("#lesson=hidden")
    mark = shown.page.locator("#lesson svg").first.locator(".point").first
    box = mark.bounding_box()
    shown.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    labels = shown.settle().page.evaluate("suffice.current.state.labels")
    assert list(labels.values()) == [0]
    assert shown.wrong() == ""


@pytest.mark.parametrize(("basis", "penalty"), [("", "0"), ("x=poly(2),y=poly(2),x*y", "0"), ("", "2")])
def test_logistic_regression(visit, tmp_path, basis, penalty):
    shown = visit("#lesson=logistic")
    shown.page.get_by_label("features").select_option(basis)
    shown.settle().page.get_by_label("penalty").fill(penalty)
    page = shown.settle().numbers()
    assert shown.wrong() == ""
    told = json.loads(shown.native(tmp_path)[1])
    for each in told["coefficients"]:
        assert math.isclose(page[f"coefficient.{each['name']}"], each["coefficient"], rel_tol=1e-9, abs_tol=1e-9), each
    same(page, {"log_likelihood": told["log_likelihood"]})


@pytest.mark.parametrize(("steps", "penalty", "basis"), [(1, "0", ""), (3, "2", ""), (2, "0", "x=poly(2),y=poly(2),x*y")])
def test_newtons_method_stopped_equals_the_command(visit, tmp_path, steps, penalty, basis):
    shown = visit("#lesson=logistic")
    shown.page.get_by_label("features").select_option(basis)
    shown.settle().page.get_by_label("penalty").fill(penalty)
    shown.settle().page.get_by_label("Newton's steps").fill(str(steps))
    page = shown.settle().numbers()
    told, _, judged = map(json.loads, shown.native(tmp_path))
    assert len(told["trace"]) == steps + 1
    for name, value in told["trace"][-1]["coefficients"]["b"].items():
        assert math.isclose(page[f"coefficient.{name}"], value, rel_tol=1e-9, abs_tol=1e-9), name
    same(page, {"log_loss": judged["log_loss"]}, 1e-9)


def test_learning_curves_are_the_commands(visit, tmp_path):
    shown = visit("#lesson=logistic")
    shown.page.get_by_role("button", name="Learning curves").click()
    shown.page.wait_for_selector("output[data-name='generative.error.1000']")
    page = shown.settle().numbers()
    told = json.loads(shown.native(tmp_path)[-1])
    names = {"linear_discriminant": "generative", "logistic_regression": "discriminative"}
    same(page, {"bayes_error": told["bayes_error"], **{f"{names[each['model']]}.error.{each['rows']}": each["error"] for each in told["points"]}}, 1e-9)
    again = visit(shown.page.evaluate("suffice.addressOf()"))
    again.page.wait_for_selector("output[data-name='bayes_error']")


def test_newtons_steps_lower_the_loss(visit):
    shown = visit("#lesson=logistic")
    losses = []
    for steps in range(4):
        shown.page.get_by_label("Newton's steps").fill(str(steps))
        losses.append(shown.settle().numbers()["log_loss"])
    assert losses == sorted(losses, reverse=True) and losses[0] == pytest.approx(math.log(2), abs=1e-12)


def test_a_typed_sentence(visit, tmp_path):
    shown = visit("#lesson=words")
    shown.page.get_by_label("a sentence").fill("bake the bread on the moon")
    page = shown.settle().numbers()
    texts = shown.native(tmp_path)
    predicted, told, expected = json.loads(texts[1])[0], json.loads(texts[2])[0], json.loads(texts[4])
    same(page, {f"posterior.{label}": predicted[f"p({label})"] for label in ("kitchen", "space", "sport")})
    same(page, {f"word.{term}.{label}": value for label, terms in told["contributions"].items() for term, value in terms.items()})
    same(page, {f"next.{each['word']}": each["probability"] for each in expected})


def test_deciding(visit, tmp_path):
    shown = visit("#lesson=deciding")
    shown.page.get_by_label("threshold", exact=True).fill("0.2")
    shown.settle().page.get_by_label("share of the ill").fill("0.01")
    page = shown.settle().numbers()
    judged = json.loads(shown.native(tmp_path)[1])
    matrix = decided(tmp_path, "rows.csv", ["healthy", "ill"], "--thresholds", "ill=0.2")
    cheapest = json.loads(shown.native(tmp_path)[2])["threshold"]["threshold"]
    same(page, {**matrix, "cheapest": cheapest, "accuracy": judged["decisions"]["accuracy"], "coverage": judged["decisions"]["coverage"], "log_loss": judged["log_loss"],
                "majority": judged["majority"]["accuracy"], "roc_auc": judged["roc_auc"]["per_class"][1],
                "recall": matrix["confusion.11"] / (matrix["confusion.11"] + matrix["confusion.10"])})


def test_ones_own_table_and_a_model_asked(visit, tmp_path):
    shown = visit("#lesson=own_table")
    table = tmp_path / "own.csv"
    table.write_text('size,"colour, outside",kind\n' + "".join(f"{k % 7 + k % 2},{'red' if k % 3 else 'blue'},{'xy'[k % 2]}\n" for k in range(60)))
    shown.page.set_input_files("#file", str(table))
    page = shown.settle().numbers()
    assert shown.wrong() == ""
    told = json.loads(shown.native(tmp_path)[1])
    same(page, {"rows": 60, "log_likelihood": told["log_likelihood"], "bic": told["bic"], "prior.x": told["classes"][0]["prior"]})
    shown.page.get_by_label("family of size").select_option("poisson")
    page = shown.settle().numbers()
    told = json.loads(shown.native(tmp_path)[1])
    assert told["columns"][0]["family"] == "poisson"
    same(page, {"log_likelihood": told["log_likelihood"]})
    shown.page.get_by_role("button", name="Compare models").click()
    shown.page.wait_for_selector("output[data-name='compare.naive_bayes']")
    shown.page.set_input_files("#file", str(tmp_path / "model.suf"))  # what the native command has written
    shown.settle().page.get_by_label("size").fill("5")
    shown.page.get_by_role("button", name="Ask", exact=True).click()
    shown.page.wait_for_selector("output[data-name='asked.x']")
    (tmp_path / "row.csv").write_text('size,"colour, outside"\n5,\n')
    said = json.loads(subprocess.run([COMMAND, "predict", "model.suf", "row.csv", "--proba", "--json"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout)[0]
    same(shown.numbers(), {"asked.x": said["p(x)"], "asked.y": said["p(y)"]})


DROP = """async ([name, text]) => {
  const carried = new DataTransfer();
  carried.items.add(new File([text], name));
  for (const kind of ["dragover", "drop"]) document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: carried, bubbles: true, cancelable: true }));
}"""


def test_a_table_dropped_is_drawn_predicted_reported_and_downloaded(visit, tmp_path):
    shown = visit("#lesson=own_table")
    text = (ROOT / "data" / "penguins.csv").read_text()
    shown.page.evaluate(DROP, ["penguins.csv", text])
    shown.page.wait_for_function("document.getElementById('lesson').textContent.includes('penguins.csv')")
    page = shown.settle().numbers()
    assert shown.wrong() == "" and page["rows"] == 344
    shown.page.get_by_role("button", name="Draw a picture").click()
    shown.page.wait_for_selector("img#picture")
    assert shown.page.evaluate("document.getElementById('picture').decode().then(() => document.getElementById('picture').naturalWidth > 100)")
    with shown.page.expect_download() as saved:
        shown.page.get_by_role("button", name="Download model.suf").first.click()
    saved.value.save_as(tmp_path / "page.suf")
    (tmp_path / "penguins.csv").write_text(text)
    subprocess.run([COMMAND, "fit", "penguins.csv", "--target", "species", "-q", "-o", "native.suf"], cwd=tmp_path, check=True)
    answers = [subprocess.run([COMMAND, "predict", name, "penguins.csv", "--proba"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout.split() for name in ("page.suf", "native.suf")]
    for ours, theirs in zip(*answers, strict=True):
        assert ours.split(",")[0] == theirs.split(",")[0]
    shown.page.get_by_role("button", name="Predict its rows").click()
    with shown.page.expect_download() as saved:
        shown.page.get_by_role("button", name="Download predictions").click()
    saved.value.save_as(tmp_path / "predictions.csv")
    assert [line.split(",")[0] for line in (tmp_path / "predictions.csv").read_text().split()] == [line.split(",")[0] for line in answers[1]]
    with shown.page.expect_download() as saved:
        shown.page.get_by_role("button", name="Download the report").click()
    saved.value.save_as(tmp_path / "report.html")
    assert "<svg" in (tmp_path / "report.html").read_text()
    shown.page.evaluate(DROP, ["bad.csv", "a,b\n1,x\n2\n"])
    shown.page.wait_for_function("document.getElementById('status').textContent.includes('row')")


def test_an_address_restores_what_was_seen(visit):
    shown = visit("#lesson=hidden")
    shown.page.get_by_label("method").select_option("k_means")
    shown.settle().page.get_by_role("button", name="Step", exact=True).click()
    numbers, address = shown.settle().numbers(), shown.page.evaluate("suffice.addressOf()")
    assert visit(address).numbers() == numbers
    assert len(visit("#lesson=1&state=rubbish").numbers()) > 3  # the lesson starts afresh


def test_one_turns_from_lesson_to_lesson(visit):
    shown = visit("#lesson=two_classes")
    assert shown.page.locator("#turn a").count() == 1
    shown.page.locator("#turn a[rel=next]").click()
    assert shown.settle().page.inner_text("h1") == "One dimension" and shown.page.evaluate("document.activeElement.id") == "main"
    shown.page.locator("#turn a[rel=prev]").click()
    assert shown.settle().page.inner_text("h1").startswith("Two classes")


def test_keys_alone_are_enough(visit):
    shown = visit("#lesson=two_classes")
    before = shown.numbers()["mean.x.b"]
    for _ in range(60):
        shown.page.keyboard.press("Tab")
        if shown.page.evaluate("document.activeElement.getAttribute('aria-label')") == "mean of class b":
            break
    for _ in range(3):
        shown.page.keyboard.press("ArrowRight")
    assert shown.settle().numbers()["mean.x.b"] == pytest.approx(before + 0.3, abs=1e-9)


def test_a_button_keeps_the_focus_when_it_is_pressed_by_keys(visit):
    shown = visit("#lesson=hidden")
    shown.page.get_by_role("button", name="Step", exact=True).focus()
    for _ in range(3):
        shown.page.keyboard.press("Enter")
        shown.settle()
    assert shown.page.evaluate("suffice.current.state.steps") == 3
    assert shown.page.evaluate("document.activeElement.textContent") == "Step"


def test_the_command_runs_in_the_page(visit):
    shown = visit("#lesson=1")
    data = (ROOT / "data" / "iris.csv").read_text()
    said = shown.page.evaluate("""async (text) => { const said = await suffice.run(["fit", "iris.csv", "--target", "species", "--json", "-o", "m.suf"], {"iris.csv": text});
        return {...said, files: Object.keys(said.files), size: said.files["m.suf"].length}; }""", data)
    assert said["code"] == 0 and said["stderr"] == "" and "m.suf" in said["files"] and said["size"] > 500
    assert json.loads(said["stdout"])["rows"] == 150
    assert shown.page.evaluate("suffice.run(['fit', 'absent.csv'], {})")["code"] == 2
    shown.page.get_by_role("button", name="Run", exact=True).click()
    shown.page.wait_for_function("document.getElementById('said').textContent.includes('usage')")


def test_the_terminal_is_a_small_shell(visit):
    shown = visit("#lesson=own_table")
    line = shown.page.get_by_role("textbox", name=re.compile("Any command"))
    for words, expected in [("ls", "iris.csv"), ("suffice fit iris.csv --target species -q -o mine.suf; suffice predict mine.suf iris.csv | sort | uniq -c", "50 setosa"),
                            ("head -3 iris.csv | suffice predict mine.suf - | tail -1", "setosa"), ("suffice fit nothing.csv", "(exit code 2)")]:
        line.fill(words)
        line.press("Enter")
        shown.page.wait_for_function("(text) => document.getElementById('said').textContent.includes(text)", arg=expected)
    line.press("ArrowUp")
    assert line.input_value() == "suffice fit nothing.csv"
    assert shown.page.get_by_role("button", name="Download mine.suf").count() == 1


def test_the_command_reads_folders_and_pipes(visit):
    shown = visit("#lesson=1")
    files = {"mail/spam/1": "buy cheap pills now", "mail/spam/2": "cheap watches, buy now", "mail/ham/1": "minutes of the meeting", "mail/ham/2": "the meeting is moved"}
    said = shown.page.evaluate("(files) => suffice.run(['fit', 'mail', '-q', '-o', 'out/mail.suf'], {...files, 'out/kept': ''}).then((said) => [said.code, said.stderr, Object.keys(said.files)])", files)
    assert said[0] == 0 and said[2] == ["out/mail.suf"], said


def test_one_file_needs_nothing_else(browser):
    context = browser.new_context(offline=True)
    page = context.new_page()
    said, asked = [], []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(ALONE.as_uri() + "#lesson=words")
    page.wait_for_function("window.suffice !== undefined")
    page.evaluate("suffice.idle()")
    page.wait_for_selector("output[data-name='posterior.space']")
    assert said == [] and all(url.startswith(("file:", "blob:", "data:")) for url in asked)
    context.close()
