"""The page of `suffice serve` in headless Chromium: a form from the schema, predictions and explanations, no request elsewhere, no markup by names."""
import csv
import os
import pathlib
import re
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMAND = pathlib.Path(os.environ.get("SUFFICE", ROOT / "build" / "suffice")).resolve()
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium here; install the package chromium")
EVIL = '<img src=x onerror="document.title=1">'


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("served")
    with open(folder / "shop.csv", "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["country", "age", EVIL, "buys"])
        writer.writerows([["NL" if k % 3 else EVIL, 30 + k % 40 + (10 if k % 2 else 0), k % 7, "yes" if k % 2 else "</script><b>no"] for k in range(300)])
    subprocess.run([COMMAND, "fit", folder / "shop.csv", "--target", "buys", "--family", "country=categorical", "-q", "-o", folder / "shop.suf"], check=True)
    process = subprocess.Popen([COMMAND, "serve", folder / "shop.suf", "--port", "0"], stderr=subprocess.PIPE, text=True)
    try:
        yield re.search(r"http://\S+", next(line for line in process.stderr if "listening" in line))[0]
    finally:
        process.terminate()
        process.wait(60)
        process.stderr.close()


def test_the_page_shows_form_prediction_and_metrics_and_logs_nothing(address, tmp_path):
    done = subprocess.run([BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update",
                           "--enable-logging=stderr", f"--user-data-dir={tmp_path}", "--virtual-time-budget=12000", "--dump-dom", address + "/"],
                          capture_output=True, text=True, timeout=180, env={**os.environ, "HOME": str(tmp_path)})
    document = done.stdout
    assert [line for line in done.stderr.splitlines() if "CONSOLE" in line] == []
    assert '<option>shop</option>' in document and 'data-name="age"' in document and "usually" in document
    assert re.search(r'<p class="label">', document) and document.count('class="bar"') >= 4
    assert "shop:predict" in document and "MB," in document  # the table of metrics is asked for again every five seconds
    assert "<img" not in document and "<b>no" not in document and "<title>suffice serve</title>" in document


def test_prediction_and_explanation_follow_what_is_typed(address):
    pytest.importorskip("playwright", reason="tools/bootstrap page installs Playwright")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        asked, said = [], []
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda problem: said.append(str(problem)))
        page.goto(address + "/")
        page.wait_for_selector("#answer .bar")
        before = page.inner_text("#answer")
        page.fill("[data-name=age]", "79")
        page.wait_for_function("text => document.getElementById('answer').innerText !== text", arg=before)
        assert page.inner_text("#answer .label") == "yes"
        page.wait_for_function("() => [...document.querySelectorAll('#why .bar')].some(bar => bar.innerText.includes('age') && Number(bar.querySelector('.number').innerText) > 0)")
        page.select_option("[data-name=country]", index=1)
        page.click("#clear")
        page.wait_for_function("text => document.getElementById('answer').innerText === text", arg=before)
        page.wait_for_selector("#metrics td")
        page.wait_for_selector("#drift td")
        told = page.inner_text("#drift")
        assert "(classes)" in told and "age" in told and EVIL in told and "rows asked" in page.inner_text("#asked")
        assert said == [] and all(url.startswith((address, "data:")) for url in asked)
        browser.close()
