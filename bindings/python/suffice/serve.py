"""Models served over HTTP from Python, and a client that asks such a server.

`python -m suffice.serve churn.suf --port 8080` is `suffice serve` within Python, with its options. `Server` runs it beside a
program, on threads of its own that never wait for the interpreter; `Client` asks a server, whoever started it.

>>> import numpy as np, suffice
>>> from suffice.serve import Client, Server
>>> model = suffice.GaussianNB().fit(np.array([[1.0], [2.0], [7.0], [8.0]]), np.array([0, 0, 1, 1]))
>>> with Server({"small": model}, port=0) as server:
...     client = Client(server.address)
...     client.predict("small", [{name: 7.5 for name in client.columns("small")}], outputs=[])
[{'label': 1}]
"""
import http.client
import json
import pathlib
import sys
import tempfile
import urllib.parse

from suffice import _core

__all__ = ["Client", "Problem", "Server"]


class Server:
    """`suffice serve` within this process, from its construction until `stop` or the end of a `with` block.

    ``models`` are paths of model files and of folders that are watched, or a dict from names to fitted models and paths.
    Options are those of the command with underscores: ``host``, ``port`` (0: any that is free), ``learn=True``, ``log``,
    ``fsync``, ``token_file``, ``access_log``, ``max_body``, ``max_rows``, ``timeout``, ``max_connections``, ``max_queue``.
    """

    def __init__(self, models, *, threads=0, **options):
        if not hasattr(_core, "InProcessServer"):
            raise RuntimeError("this build of the package has no server; build it where Boost's headers are installed")
        self._folder = tempfile.TemporaryDirectory(prefix="suffice-serve-")
        known = {name[2:].replace("-", "_"): (name, value) for name, value, _ in _core.server_options()}
        words = []
        for name, value in options.items():
            if name not in known:
                raise TypeError(f"the server has no option {name!r}; it has {', '.join(sorted(known))}")
            option, takes = known[name]
            if takes and value is not None:
                words.append((option, str(value)))
            elif not takes and value:
                words.append((option, ""))
        try:
            self._server = _core.InProcessServer(self._paths(models), words, threads)
        except BaseException:
            self._folder.cleanup()
            raise

    def _paths(self, models):
        if isinstance(models, dict):
            return [self._saved(name, model) for name, model in models.items()]
        return [str(models)] if isinstance(models, (str, pathlib.Path)) else [str(path) for path in models]

    def _saved(self, name, model):
        path = pathlib.Path(self._folder.name) / f"{name}.suf"
        if path.parent != pathlib.Path(self._folder.name):
            raise ValueError(f"a model's name holds no slash: {name!r}")
        if isinstance(model, (str, pathlib.Path)):
            path.symlink_to(pathlib.Path(model).resolve())
        else:
            model.save(str(path))
        return str(path)

    @property
    def address(self):
        """Where it listens, such as http://127.0.0.1:8080."""
        return self._server.address

    def said(self):
        """Lines for the operator since the last call: models that came, went or were refused."""
        return self._server.said()

    def stop(self):
        """Answers what is in flight, writes snapshots of models that learn, and ends."""
        self._server.stop()
        while not self._server.wait(0.2):
            pass
        self._folder.cleanup()

    def wait(self, seconds):
        """Whether the server has ended within so many seconds."""
        return self._server.wait(seconds)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


class Problem(Exception):
    """What the server says is wrong: ``status`` as in HTTP, ``detail`` its sentence."""

    def __init__(self, status, detail):
        super().__init__(detail)
        self.status, self.detail = status, detail


class Client:
    """Asks a server over one connection that is kept; not for several threads at once."""

    def __init__(self, address, token=None, timeout=30, context=None):
        parts = urllib.parse.urlsplit(address if "//" in address else f"http://{address}")
        secure = {"context": context} if parts.scheme == "https" else {}
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self._connection = kind(parts.hostname, parts.port, timeout=timeout, **secure)
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}

    def close(self):
        self._connection.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def ask(self, path, body=None, kind="application/json", accept="application/json"):
        """The answer to GET, or to POST where there is a body: parsed where it is JSON, else bytes."""
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        headers = {**self._headers, "Content-Type": kind, "Accept": accept}
        reused = self._connection.sock is not None
        try:
            answer = self._exchange(path, data, headers)
        except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError):
            self._connection.close()
            if not reused or (data is not None and not path.partition("?")[0].endswith((":predict", ":explain", ":sample", "/infer"))):
                raise  # what changes a model is not sent twice unasked
            answer = self._exchange(path, data, headers)
        text = answer.read()
        told = json.loads(text) if answer.headers.get_content_type() in ("application/json", "application/problem+json") else text
        if answer.status >= 400:
            raise Problem(answer.status, told.get("detail", "") if isinstance(told, dict) else answer.reason)
        return told

    def _exchange(self, path, data, headers):
        self._connection.request("GET" if data is None else "POST", path, data, headers)
        return self._connection.getresponse()

    def models(self):
        """What the server says of each of its models."""
        return self.ask("/v1/models")["models"]

    def columns(self, model):
        """Names of the columns that rows must have."""
        return [column["name"] for column in self.ask(self._path(model))["columns"]]

    def predict(self, model, rows, outputs=("probabilities",), **more):
        """A dict for each row. ``more``: top=K, reject=P, cost="fraud:ok=50", novelty=SHARE."""
        return self.ask(self._path(model, "predict"), {"rows": _records(rows), "outputs": list(outputs), **more})["predictions"]

    def predict_table(self, model, table, **more):
        """For many rows: an Arrow table in, one with ``prediction`` and ``p(CLASS)`` out; needs pyarrow.

        ``more``: outputs=[...] in place of the posteriors, top=K, reject=P, cost="fraud:ok=50", novelty=SHARE.
        """
        import pyarrow as pa

        held = pa.BufferOutputStream()
        table = pa.table(table)
        with pa.ipc.new_stream(held, table.schema) as writer:
            writer.write_table(table)
        arrow = "application/vnd.apache.arrow.stream"
        path = self._path(model, "predict") + ("?" + urllib.parse.urlencode(more, doseq=True) if more else "")
        return pa.ipc.open_stream(self.ask(path, held.getvalue().to_pybytes(), arrow, arrow)).read_all()

    def explain(self, model, rows):
        return self.ask(self._path(model, "explain"), {"rows": _records(rows)})["explanations"]

    def sample(self, model, count, seed=0):
        """Rows drawn from the model, as the text of a CSV file."""
        return self.ask(self._path(model, "sample"), {"count": count, "seed": seed}).decode()

    def learn(self, model, rows):
        """Rows with their classes; how many there were, and the number of the change in the log."""
        return self.ask(self._path(model, "learn"), {"rows": _records(rows)})

    def forget(self, model, rows):
        return self.ask(self._path(model, "forget"), {"rows": _records(rows)})

    def decay(self, model, factor):
        return self.ask(self._path(model, "decay"), {"factor": factor})

    def merge(self, model, file):
        """The bytes of a model file, or its path."""
        data = file if isinstance(file, bytes) else pathlib.Path(file).read_bytes()
        return self.ask(self._path(model, "merge"), data, "application/octet-stream")

    def metrics(self):
        return self.ask("/metrics").decode()

    def _path(self, model, verb=None):
        return f"/v1/models/{urllib.parse.quote(model, safe='')}" + (f":{verb}" if verb else "")


def _records(rows):
    """Rows as dicts, from dicts or from a data frame; NaN is missing."""
    if hasattr(rows, "to_dicts"):
        rows = rows.to_dicts()
    elif hasattr(rows, "to_dict"):
        rows = rows.to_dict("records")
    return [{name: _plain(value) for name, value in row.items()} for row in rows]


def _plain(value):
    value = value.item() if hasattr(value, "item") else value
    return None if isinstance(value, float) and value != value else value


def main(words=None):
    """`python -m suffice.serve`: the command's options, its messages and its exit codes."""
    import argparse
    import signal

    parser = argparse.ArgumentParser(prog="python -m suffice.serve", description="Serves models over HTTP.")
    parser.add_argument("models", nargs="+", metavar="MODEL", help="model files, and folders of them that are watched")
    for name, value, help_text in _core.server_options() if hasattr(_core, "server_options") else ():
        parser.add_argument(name, help=help_text.replace("%", "%%"), **({"metavar": value} if value else {"action": "store_true"}))
    parser.add_argument("--threads", type=int, default=0, metavar="N", help="threads (default: SUFFICE_THREADS or the cores)")
    options = vars(parser.parse_args(words))
    try:
        server = Server(options.pop("models"), **options)
    except (OSError, RuntimeError, ValueError) as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 1 if isinstance(problem, OSError) else 2
    print(f"listening on {server.address}", file=sys.stderr, flush=True)
    asked = []
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: asked.append(True))
    while not asked and not server.wait(0.2):
        for line in server.said():
            print(line, file=sys.stderr, flush=True)
    server.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
