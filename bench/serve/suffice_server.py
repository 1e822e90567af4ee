"""Ours: `suffice serve`."""
import contextlib
import re
import subprocess

from bench.places import COMMAND

NAME = "suffice serve"
PATH = "/v1/models/iris:predict"


def body(rows):
    return {"rows": rows, "outputs": ["probabilities"]}


def answered(told):
    return [one["label"] for one in told["predictions"]]


@contextlib.contextmanager
def running(folder, *words):
    process = subprocess.Popen([COMMAND, "serve", str(folder / "iris.suf"), "--port", "0", *words], stderr=subprocess.PIPE, text=True)
    try:
        yield int(re.search(r":(\d+)$", next(line for line in process.stderr if line.startswith("listening")).strip())[1]), process.pid
    finally:
        process.terminate()
        process.wait(60)
        process.stderr.close()
