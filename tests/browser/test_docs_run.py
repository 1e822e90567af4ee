"""The run buttons of the documentation, pressed in headless Chromium: what a block prints there is what the page shows.

Skipped where the page or the documentation cannot be built, or where there is no Chromium or Playwright.
"""
import os
import pathlib
import re
import subprocess
import sys

import pytest

pytest.importorskip("playwright", reason="no Playwright here; tools/bootstrap page installs it")
pytest.importorskip("mkdocs", reason="no MkDocs here; tools/bootstrap docs installs it")
sys.path[:0] = [str(pathlib.Path(__file__).parent), str(pathlib.Path(__file__).parents[2] / "tools")]
from near import near  # noqa: E402
from page_server import BROWSER, PAGE, ROOT, chromium, served  # noqa: E402

pytestmark = [pytest.mark.skipif(BROWSER is None, reason="no Chromium here; install the package chromium"),
              pytest.mark.skipif(not (PAGE / "docs.js").exists(), reason="the page is not built; make page builds it")]
PAGES = ["", "start/", "guide/text/", "guide/regression/", "guide/groups/", "theory/naive_bayes/", "theory/em/", "theory/bayes/", "reference/messages/"]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    subprocess.run([sys.executable, "-m", "mkdocs", "build", "--quiet", "-d", str(folder)], cwd=ROOT, check=True, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"})
    with served(folder) as address, chromium() as browser:
        yield address, browser


@pytest.mark.parametrize("name", PAGES)
def test_a_block_prints_what_the_page_shows(site, name):
    address, browser = site
    page = browser.new_page()
    wrong = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(f"{address}/{name}")
    buttons = page.get_by_role("button", name="Run it in this page")
    assert buttons.count() > 0
    for k in range(buttons.count()):
        buttons.nth(k).click()
        said = page.locator("pre.ran").nth(k)
        page.wait_for_function("(k) => !document.querySelectorAll('pre.ran')[k].previousElementSibling.disabled", arg=k)
        shown = buttons.nth(k).evaluate("(press) => press.previousElementSibling.textContent")
        untimed = re.compile(r"^.*\b(seconds|s, [\d,]+ rows/s).*\n", re.MULTILINE)
        assert near(untimed.sub("", shown), untimed.sub("", said.inner_text())), (shown, said.inner_text())
    assert wrong == []
    page.close()
