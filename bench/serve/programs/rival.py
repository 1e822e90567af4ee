"""Starts a server of another project in .venv-rivals (tools/bootstrap rivals) and waits until it answers."""
import contextlib
import os
import pathlib
import socket
import subprocess
import time
import urllib.error
import urllib.request

from bench.places import ROOT

PYTHON = pathlib.Path(os.environ.get("SUFFICE_RIVALS", ROOT / ".venv-rivals" / "bin" / "python"))


def free_port():
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        return door.getsockname()[1]


@contextlib.contextmanager
def started(words, folder, port, ready, environment=None):
    """`words` run behind the rivals' Python; the process is ended with all that it started."""
    with open(folder / "rival.log", "w") as log:
        process = subprocess.Popen([str(PYTHON), *words], cwd=folder, stdout=log, stderr=log, start_new_session=True, env={**os.environ, **(environment or {})})
        try:
            end = time.monotonic() + 90
            while time.monotonic() < end and process.poll() is None:
                with contextlib.suppress(urllib.error.URLError, ConnectionError):
                    urllib.request.urlopen(f"http://127.0.0.1:{port}{ready}", timeout=5).read()
                    break
                time.sleep(0.3)
            else:
                raise RuntimeError((folder / "rival.log").read_text()[-2000:])
            yield port, process.pid
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, 15)
            process.wait(30)
