"""The built page, served on the loopback and opened in headless Chromium by Playwright."""
import contextlib
import functools
import http.server
import pathlib
import shutil
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE, ALONE = ROOT / "build" / "page", ROOT / "build" / "suffice.html"
AXE = ROOT / "build" / "page-tools" / "node_modules" / "axe-core" / "axe.min.js"
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
LESSONS = ["two_classes", "one_dimension", "naive_bayes", "adding", "coins", "hidden", "logistic", "words", "deciding", "own_table"]


class Files(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".wasm": "application/wasm", ".js": "text/javascript"}

    def log_message(self, *_):
        pass

    def copyfile(self, source, outputfile):
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # the page was closed meanwhile
            super().copyfile(source, outputfile)


@contextlib.contextmanager
def served(folder):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()


@contextlib.contextmanager
def chromium():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox", "--disable-gpu"])
        try:
            yield browser
        finally:
            browser.close()
