"""Reports opened in a real browser: headless Chromium, light and dark, wide and narrow.

No console message, no request that leaves the page, every section there with a height of its own, no label outside its
picture, whatever the font. Screenshots are left in build/browser. Skipped where there is no Chromium.
"""
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import tarfile
from urllib.parse import urlsplit

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMAND = pathlib.Path(os.environ.get("SUFFICE", ROOT / "build" / "suffice")).resolve()
SHARED = ROOT.parent / "shared" / "data"
SHOTS = ROOT / "build" / "browser"
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
SECTIONS = ["summary", "quality", "confusion", "classes", "columns", "curves", "calibration", "costs", "novelty",
            "threshold", "model"]
OF_NUMBERS = ["telling", "planes", "misfit", "mistakes"]  # what the texts here have nothing to tell of is left out
BROWSERS_OWN = ("google.com", "googleapis.com", "gvt1.com")  # Chromium asks these for updates, whatever the page

pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium here; install the package chromium")

# Boxes of sections and of labels that stick out of their picture, written into the page for --dump-dom to show.
MEASURE = """<style>
@font-face { font-family: tall; src: local("DejaVu Sans"), local("Liberation Sans"); ascent-override: 120%; descent-override: 32%; }
</style><script>
const boxes = {}, outside = [];
for (const section of document.querySelectorAll("section")) boxes[section.id] = section.getBoundingClientRect().height;
function measure(font) {
  for (const picture of document.querySelectorAll("svg.fig")) {
    if (font) picture.style.fontFamily = font;
    const frame = picture.getBoundingClientRect();
    for (const label of picture.querySelectorAll("text")) {
      if (label.parentElement.closest("svg") !== picture) continue;  // inside a chart's frame, which clips on purpose
      const box = label.getBoundingClientRect();
      if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1)
        outside.push(font + " " + picture.querySelector("title").textContent + ": " + label.textContent);
    }
  }
}
for (const font of ["", "'DejaVu Sans'", "'Liberation Sans'", "'Noto Sans'", "tall"]) measure(font);
const found = {boxes, outside, wide: document.documentElement.scrollWidth - innerWidth,
               labels: document.querySelectorAll("svg.fig text").length};
const note = document.createElement("pre");
note.id = "measured";
note.textContent = JSON.stringify(found);
document.body.append(note);
</script>"""


def browse(page, *options, width=1280, height=1800, dark=False):
    """Opens a page; returns the finished document, console messages and addresses asked for beyond the disk."""
    net = page.with_suffix(".net.json")
    net.unlink(missing_ok=True)
    done = subprocess.run(
        [BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--no-first-run", "--enable-logging=stderr",
         f"--user-data-dir={page.parent / 'profile'}", f"--log-net-log={net}", f"--window-size={width},{height}",
         f"--blink-settings=preferredColorScheme={0 if dark else 1}", *options, page.resolve().as_uri()],
        capture_output=True, text=True, timeout=180, env={**os.environ, "HOME": str(page.parent)})
    assert done.returncode == 0, done.stderr
    console = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    asked = {url for url in re.findall(r'"url":"([^"]+)"', net.read_text(errors="replace")) if urlsplit(url).scheme.startswith("http")}
    return done.stdout, console, {url for url in asked if not (urlsplit(url).hostname or "").endswith(BROWSERS_OWN)}


def measured(page, script=MEASURE):
    """A copy of the page with another script behind its own; the page itself allows no other."""
    text = page.read_text()
    copy = page.with_name("measured-" + page.name)
    copy.write_text(re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", text).replace("</body>", script + "</body>"))
    return copy


def told_by(document):
    """What a script left behind."""
    return json.loads(html.unescape(re.search(r'<pre id="measured">(.*?)</pre>', document, re.S)[1]))


# A reader's hands: sorts a table twice, moves the threshold, filters mistakes, looks at a place in a chart.
HANDS = """<script>
const seen = {};
const column = (table, k) => [...table.tBodies[0].rows].map(row => row.cells[k].textContent);
const table = document.querySelector("#columns table.sorts");
const button = table.tHead.rows[0].cells[4].querySelector("button");
button.click(); seen.up = column(table, 4); seen.sort = table.tHead.rows[0].cells[4].getAttribute("aria-sort");
button.click(); seen.down = column(table, 4);
const place = document.querySelector(".thresholds"), slide = place.querySelector("input[type=range]"), pick = place.querySelector("select");
seen.classes = [...pick.options].map(option => option.textContent);
const read = () => Object.fromEntries([...place.querySelectorAll("tr")].map(row => [row.cells[0].textContent, row.cells[1].textContent]));
for (const at of ["0", "0.5", "1"]) { slide.value = at; slide.dispatchEvent(new Event("input")); seen["at " + at] = read(); }
const cards = document.querySelector(".filtered");
if (cards) {
  const truth = cards.previousElementSibling.querySelector("select[name=truth]");
  seen.cards = cards.children.length;
  truth.value = truth.options[1].value; truth.dispatchEvent(new Event("change"));
  seen.left = [...cards.children].filter(card => !card.hidden).map(card => card.dataset.truth);
  seen.truth = truth.value;
}
const chart = document.querySelector("#curves svg[data-x]"), box = chart.getBoundingClientRect();
chart.dispatchEvent(new PointerEvent("pointermove", {clientX: box.left + box.width / 2, clientY: box.top + box.height / 2, bubbles: true}));
seen.told = document.getElementById("told").textContent;
const note = document.createElement("pre"); note.id = "measured"; note.textContent = JSON.stringify(seen); document.body.append(note);
</script>"""


def fit_and_report(folder, data, *fit_options, apply=()):
    model, page = folder / "model.suf", folder / "report.html"
    subprocess.run([COMMAND, "fit", *map(str, data), *fit_options, "-q", "-o", model], check=True)
    subprocess.run([COMMAND, "report", model, *map(str, data), *apply, "-o", page], check=True, capture_output=True)
    return page


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """The reports by name, made once."""
    folder = tmp_path_factory.mktemp("reports")
    made = {}
    for name, options in {"iris": ["--target", "species", "--model", "qda"], "penguins": ["--target", "species"]}.items():
        (folder / name).mkdir()
        made[name] = fit_and_report(folder / name, [ROOT / "data" / f"{name}.csv"], *options)
    archives = sorted((SHARED / "20newsgroups").glob("*.tar.xz")) if (SHARED / "20newsgroups").exists() else []
    if archives:
        documents = folder / "newsgroups" / "documents"
        wanted = {"rec.autos": 0, "sci.space": 0, "talk.religion.misc": 0}
        with tarfile.open(archives[0]) as archive:
            for member in archive:
                group = pathlib.PurePath(member.name).parent.name
                if member.isfile() and wanted.get(group, 60) < 60:
                    wanted[group] += 1
                    (documents / group).mkdir(parents=True, exist_ok=True)
                    (documents / group / pathlib.PurePath(member.name).name).write_bytes(archive.extractfile(member).read())
        made["newsgroups"] = fit_and_report(folder / "newsgroups", [documents], "--model", "multinomial_nb",
                                            "--encoding", "latin-1", apply=["--encoding", "latin-1"])
    return made


@pytest.fixture(params=["iris", "penguins", "newsgroups"])
def page(request, pages):
    if request.param not in pages:
        pytest.skip("the newsgroups are not here")
    return pages[request.param], request.param


def test_nothing_is_logged_and_no_request_leaves_the_page(page):
    path, _ = page
    _, console, asked = browse(path, "--dump-dom")
    assert console == []
    assert asked == set()
    assert not re.findall(r'(?:src|href)="(?!#|data:)[^"]*"', path.read_text())


def test_these_checks_can_fail(tmp_path):
    refused, sent = tmp_path / "refused.html", tmp_path / "sent.html"
    sent.write_text('<img src="http://localhost:9/x.png">')
    refused.write_text('<meta http-equiv="Content-Security-Policy" content="default-src \'none\'">' + sent.read_text())
    assert browse(refused, "--dump-dom")[1] != []
    assert browse(sent, "--dump-dom")[2] == {"http://localhost:9/x.png"}


def test_every_section_is_there_and_no_label_leaves_its_picture(page):
    path, name = page
    for width in (1280, 420):
        document, _, _ = browse(measured(path), "--dump-dom", width=width)
        found = told_by(document)
        missing = [section for section in SECTIONS + (["words"] if name == "newsgroups" else OF_NUMBERS) if found["boxes"].get(section, 0) < 40]
        assert missing == []
        assert found["labels"] > 40
        assert found["outside"] == []
        assert found["wide"] <= 0, "the page scrolls sideways"


def test_screenshots_light_and_dark_differ_and_are_not_empty(page):
    path, name = page
    SHOTS.mkdir(parents=True, exist_ok=True)
    sizes = {}
    for theme in ("light", "dark"):
        shot = SHOTS / f"{name}-{theme}.png"
        shot.unlink(missing_ok=True)
        browse(path, f"--screenshot={shot}", dark=theme == "dark", height=3000)
        sizes[theme] = shot.read_bytes()
        assert len(sizes[theme]) > 60_000, "a page with pictures does not compress to nothing"
    assert sizes["light"] != sizes["dark"]


def test_the_report_of_iris_is_small(pages):
    assert pages["iris"].stat().st_size < 1_000_000


def test_a_reader_sorts_filters_and_moves_the_threshold(pages):
    document, console, _ = browse(measured(pages["iris"], HANDS), "--dump-dom")
    assert console == []
    seen = told_by(document)
    numbers = [float(value.replace(",", "")) for value in seen["up"]]
    assert numbers == sorted(numbers) and seen["sort"] == "ascending" and seen["down"] == seen["up"][::-1]
    assert seen["classes"] == ["setosa", "versicolor", "virginica"]
    assert seen["at 0"]["recall"] == "100.0 %" and seen["at 0"]["false positive rate"] == "100.0 %"
    middle = seen["at 0.5"]
    assert float(middle["found (true positives)"]) + float(middle["missed"]) == 50
    assert float(middle["false alarms"]) + float(middle["rightly left (true negatives)"]) == 100
    assert seen["left"] and set(seen["left"]) == {seen["truth"]} and len(seen["left"]) <= seen["cards"]
    assert re.match(r"false positive rate 0\.\d+, true positive rate 0\.\d+", seen["told"])


def test_many_classes_are_folded_and_unfold(tmp_path):
    rows = ["x,y,k"] + [f"{k + 0.1 * j},{k % 5 - 0.1 * j},c{k:02}" for k in range(30) for j in range(5)]
    (tmp_path / "many.csv").write_text("\n".join(rows) + "\n")
    page = fit_and_report(tmp_path, [tmp_path / "many.csv"], "--target", "k")
    document, console, _ = browse(measured(page, """<script>
const folded = document.querySelector("table[data-fold]"), shown = () => [...folded.tBodies[0].rows].filter(row => !row.hidden).length;
const seen = {folded: shown()}; folded.nextElementSibling.click(); seen.unfolded = shown();
const note = document.createElement("pre"); note.id = "measured"; note.textContent = JSON.stringify(seen); document.body.append(note);
</script>"""), "--dump-dom")
    assert console == [] and told_by(document) == {"folded": 12, "unfolded": 30}


def test_pictures_are_drawn_alike_by_other_viewers(tmp_path):
    """Paper is white and lines have colours in librsvg and CairoSVG, which know no style sheet variables."""
    if shutil.which("rsvg-convert") is None:
        pytest.skip("no rsvg-convert here; tools/bootstrap browser installs it")
    Image = pytest.importorskip("PIL.Image")
    svg = tmp_path / "family.svg"
    subprocess.run([COMMAND, "plot", "--what", "family", "-o", svg], check=True)
    drawn = {"rsvg": tmp_path / "rsvg.png"}
    subprocess.run(["rsvg-convert", svg, "-o", drawn["rsvg"]], check=True)
    try:
        import cairosvg
    except (ImportError, OSError):
        cairosvg = None
    if cairosvg is not None:
        drawn["cairo"] = tmp_path / "cairo.png"
        cairosvg.svg2png(url=str(svg), write_to=str(drawn["cairo"]))
    for name, path in drawn.items():
        colours = dict((colour, count) for count, colour in Image.open(path).convert("RGB").getcolors(1 << 24))
        assert max(colours, key=colours.get) == (255, 255, 255), name
        for wanted in ((0, 114, 178), (213, 94, 0), (0, 158, 115)):
            assert colours.get(wanted, 0) > 50, (name, wanted)


KINDS = ["figures/line", "figures/quadratic", "figures/penguins", "figures/islands", "figures/fitted", "figures/family", "figures/roc", "figures/em",
         "figures/newton", "figures/curve", "theory/figures/calibration", "theory/figures/kernels", "theory/figures/plugin"]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_picture_is_the_same_in_chromium_librsvg_and_cairosvg(tmp_path, kind):
    """As large as a thumbnail nothing may lack or lie elsewhere; letters differ a little between them."""
    Image = pytest.importorskip("PIL.Image")
    np = pytest.importorskip("numpy")
    svg = ROOT / "docs" / f"{kind}.svg"
    width, height = (float(number) for number in re.search(r'width="([\d.]+)" height="([\d.]+)"', svg.read_text()).groups())
    size = (round(width), round(height))
    drawn = {"chromium": tmp_path / "chromium.png"}
    shown = tmp_path / "shown.html"
    shown.write_text(f"<style>body {{ margin: 0 }} img {{ display: block }}</style><img src='{svg.as_uri()}'>")
    browse(shown, f"--screenshot={drawn['chromium']}", width=size[0], height=size[1] + 200)
    if shutil.which("rsvg-convert") is not None:
        drawn["librsvg"] = tmp_path / "rsvg.png"
        subprocess.run(["rsvg-convert", svg, "-o", drawn["librsvg"]], check=True)
    try:
        import cairosvg
    except (ImportError, OSError):
        cairosvg = None
    if cairosvg is not None:
        drawn["cairosvg"] = tmp_path / "cairo.png"
        cairosvg.svg2png(url=str(svg), write_to=str(drawn["cairosvg"]))
    if len(drawn) == 1:
        pytest.skip("neither librsvg nor CairoSVG is here")
    small = (size[0] // 8, size[1] // 8)
    seen = {name: np.asarray(Image.open(path).convert("RGB").crop((0, 0, *size)).resize(small, Image.Resampling.BOX), float) for name, path in drawn.items()}
    for name, picture in seen.items():
        apart = np.abs(picture - seen["chromium"]).max(axis=2)
        assert (apart > 80).mean() < 0.002 and apart.mean() < 4, (name, (apart > 80).mean(), apart.mean())
