"""Reports opened in a real browser: headless Chromium, light and dark, wide and narrow.

No console message, no request that leaves the page, every section there with a height of its own, no label outside its
picture. Screenshots are left in build/browser. Skipped where there is no Chromium.
"""
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
SECTIONS = ["model", "quality", "confusion", "classes", "columns", "telling", "planes", "curves", "calibration", "costs",
            "mistakes", "novelty", "misfit"]
BROWSERS_OWN = ("google.com", "googleapis.com", "gvt1.com")  # Chromium asks these for updates, whatever the page

pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium here; install the package chromium")

# Boxes of sections and of labels that stick out of their picture, written into the page for --dump-dom to show.
MEASURE = """<script>
const boxes = {}, outside = [];
for (const section of document.querySelectorAll("section")) boxes[section.id] = section.getBoundingClientRect().height;
for (const picture of document.querySelectorAll("svg.fig")) {
  const frame = picture.getBoundingClientRect();
  for (const label of picture.querySelectorAll("text")) {
    if (label.parentElement.closest("svg") !== picture) continue;  // inside a chart's frame, which clips on purpose
    const box = label.getBoundingClientRect();
    if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1)
      outside.push(picture.querySelector("title").textContent + ": " + label.textContent);
  }
}
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


def measured(page):
    """What a copy of the page with the measuring script says; the page itself allows no script."""
    text = page.read_text()
    copy = page.with_name("measured-" + page.name)
    copy.write_text(re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", text).replace("</body>", MEASURE + "</body>"))
    return copy


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
        found = json.loads(re.search(r'<pre id="measured">(.*?)</pre>', document, re.S)[1].replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">"))
        missing = [section for section in SECTIONS + (["words"] if name == "newsgroups" else []) if found["boxes"].get(section, 0) < 40]
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
