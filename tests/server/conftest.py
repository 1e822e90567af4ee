"""What tests of the server share: a model, a server on a free port of the loopback, and a way to ask it."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import urllib.error
import urllib.request

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMAND = pathlib.Path(os.environ.get("SUFFICE", ROOT / "build" / "suffice")).resolve()


class Server:
    def __init__(self, *words):
        self.process = subprocess.Popen([COMMAND, "serve", *map(str, words), "--port", "0"], stderr=subprocess.PIPE, text=True)
        self.said = []
        for line in self.process.stderr:
            self.said.append(line)
            if found := re.match(r"listening on (https?://\S+)", line):
                self.address = found[1]
                return
        raise RuntimeError("".join(self.said))

    def ask(self, path, body=None, kind="application/json", **headers):
        """Status, headers and the body: parsed where it is JSON."""
        if body is not None and not isinstance(body, (bytes, str)):
            body = json.dumps(body)
        data = body.encode() if isinstance(body, str) else body
        request = urllib.request.Request(self.address + path, data,
                                         {"Content-Type": kind, **{k.replace("_", "-"): v for k, v in headers.items()}})
        try:
            answer = urllib.request.urlopen(request, timeout=30)
        except urllib.error.HTTPError as problem:
            answer = problem
        with answer:
            text = answer.read()
            parsed = json.loads(text) if "json" in answer.headers["Content-Type"] and "ndjson" not in answer.headers["Content-Type"] else text
            return answer.status, answer.headers, parsed

    def kill(self):
        self.process.kill()
        self.process.wait(30)
        self.process.stderr.close()

    def end(self):
        """Asks it to end, and gives its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(60)
        self.process.stderr.close()
        return code


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for file in (ROOT / "data").glob("*.csv"):
        shutil.copy(file, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def command():
    return COMMAND


@pytest.fixture
def suffice(folder):
    def run(*words):
        done = subprocess.run([COMMAND, *map(str, words)], capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        return done.stdout
    return run


@pytest.fixture
def iris(suffice):
    suffice("fit", "iris.csv", "--target", "species", "--model", "lda", "-o", "iris.suf")
    return "iris.suf"


@pytest.fixture
def start(folder):
    started = []

    def begin(*words):
        started.append(Server(*words))
        return started[-1]
    yield begin
    for server in started:
        if server.process.poll() is None:
            server.kill()


@pytest.fixture
def server(start, iris):
    return start(iris)
