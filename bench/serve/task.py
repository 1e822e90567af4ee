"""Requests over HTTP on the loopback: one row of JSON by 8 and 256 connections, batches of 1,000 rows, at half load, while learning, overloaded.

All servers and the client that asks them share this machine's cores. What a request takes is the time of all divided by their number.
"""
import contextlib
import json
import os
import pathlib
import subprocess
import tempfile
import time
import urllib.request

from bench.contest import Entry, absent, entrants
from bench.places import COMMAND, ROOT, program

COLUMNS = ["sepal_length", "sepal_width", "petal_length", "petal_width"]
FLOWERS = [dict(zip(COLUMNS, (round(4.5 + k % 31 / 10, 1), round(2.2 + k % 17 / 10, 1), round(1.2 + k % 53 / 10, 1), round(0.1 + k % 23 / 10, 1)))) for k in range(1000)]
ARROW = "application/vnd.apache.arrow.stream"


def processor_seconds(pid):
    """Of a process and all below it."""
    below = []
    for thread in pathlib.Path(f"/proc/{pid}/task").iterdir():
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # it has just ended
            below += (thread / "children").read_text().split()
    words = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK") + sum(map(processor_seconds, below))


def request_bytes(path, data, kind="application/json"):
    data = data if isinstance(data, bytes) else json.dumps(data).encode()
    return f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {kind}\r\nContent-Length: {len(data)}\r\n\r\n".encode() + data


class Bench:
    def __init__(self, quick):
        self.seconds = 2 if quick else 5
        self.entries: list[Entry] = []

    def load(self, folder, server, connections, request, rate=0.0, seconds=None):
        port, pid = server
        (folder / "request").write_bytes(request)
        before = processor_seconds(pid)
        done = subprocess.run([program("load_bench"), str(port), str(connections), str(seconds or self.seconds), str(rate), str(folder / "request")],
                              capture_output=True, text=True, timeout=120, check=True)
        return {**json.loads(done.stdout), "rate": rate, "server": processor_seconds(pid) - before}

    def add(self, case, who, told, rows=1, note=""):
        """What an answer took of the processor, server and client, is told too: it holds on a busy machine as well."""
        if told["good"] == 0:
            return self.entries.append(absent("serve", case, who, f"none of its {told['others']} answers was 200"))
        each = told["seconds"] / told["good"]
        took = [f"{told[whose] / told['good'] * 1e6:.3g}" for whose in ("server", "client")]
        text = f"{told['good'] / told['seconds']:,.0f} requests/s" if rows == 1 else f"{rows * told['good'] / told['seconds']:,.0f} rows/s"
        text += f", p50 {told['p50'] * 1e3:.3g} ms, p99 {told['p99'] * 1e3:.3g} ms"
        if told["others"]:
            text += f", {told['others']} refused"
        text += f", processor {took[0]} us" if told["rate"] else f", processor {took[0]} + {took[1]} us"  # at a rate the client spins
        self.entries.append(Entry("serve", case, who, each, 0.0, told["good"], text + note))


def answer_of(port, path, data):
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", json.dumps(data).encode(), {"Content-Type": "application/json"})
    return json.loads(urllib.request.urlopen(request, timeout=60).read())


def prepare(folder):
    iris = ROOT / "data" / "iris.csv"
    subprocess.run([COMMAND, "fit", iris, "--target", "species", "--model", "lda", "-q", "-o", folder / "iris.suf"], check=True)
    subprocess.run([COMMAND, "export", folder / "iris.suf", "--onnx", "-o", folder / "model.onnx"], check=True, capture_output=True)
    with contextlib.suppress(ImportError):
        import joblib
        import pandas
        from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
        rows = pandas.read_csv(iris)
        joblib.dump(LinearDiscriminantAnalysis(solver="lsqr").fit(rows[COLUMNS].to_numpy(), rows["species"].to_numpy()), folder / "model.joblib")


def single_rows_and_batches(bench, folder):
    """The cases that every server has. Labels of all rows are compared first."""
    expected = None
    for who, module in entrants("serve").items():
        if module is None:
            bench.entries.append(absent("serve", "one row, 8 connections", who, "is not installed"))
            continue
        try:
            with module.running(folder) as server:
                labels = module.answered(answer_of(server[0], module.PATH, module.body(FLOWERS)))
                expected = expected or labels
                if labels != expected:
                    bench.entries.append(absent("serve", "one row, 8 connections", who, "its answer differs"))
                    continue
                one = request_bytes(module.PATH, module.body(FLOWERS[:1]))
                bench.load(folder, server, 8, one, seconds=0.5)
                for connections in (8, 256):
                    bench.add(f"one row, {connections} connections", who, bench.load(folder, server, connections, one))
                bench.add("1,000 rows of JSON", who, bench.load(folder, server, 8, request_bytes(module.PATH, module.body(FLOWERS))), 1000)
        except (RuntimeError, subprocess.CalledProcessError) as problem:
            bench.entries.append(absent("serve", "one row, 8 connections", who, f"failed: {str(problem).strip()[-200:]}"))


def half_load_and_arrow(bench, folder, ours):
    one = request_bytes(ours.PATH, ours.body(FLOWERS[:1]))
    with ours.running(folder) as server:
        full = bench.load(folder, server, 8, one)
        half = bench.load(folder, server, 8, one, rate=full["good"] / full["seconds"] / 2)
        bench.add("one row at half load", ours.NAME, half)
        with contextlib.suppress(ImportError):
            import io

            import pyarrow
            table, held = pyarrow.Table.from_pylist(FLOWERS), io.BytesIO()
            with pyarrow.ipc.new_stream(held, table.schema) as writer:
                writer.write_table(table)
            bench.add("1,000 rows of Arrow", ours.NAME, bench.load(folder, server, 8, request_bytes(ours.PATH, held.getvalue(), ARROW)), 1000)


def learning(bench, folder, ours):
    labelled = [{**row, "species": ("setosa", "versicolor", "virginica")[k % 3]} for k, row in enumerate(FLOWERS)]
    text = "\n".join([",".join(labelled[0]), *(",".join(map(str, row.values())) for row in labelled)]).encode()
    learn, one = "/v1/models/iris:learn", request_bytes(ours.PATH, ours.body(FLOWERS[:1]))
    for policy, case, request, rows in (("interval", "learn 1,000 rows of CSV, fsync interval", request_bytes(learn, text, "text/csv"), 1000),
                                        ("interval", "learn 1,000 rows of JSON, fsync interval", request_bytes(learn, {"rows": labelled}), 1000),
                                        ("always", "learn one row, fsync always", request_bytes(learn, {"rows": labelled[:1]}), 1),
                                        ("always", "learn one row, fsync always, 64 connections", request_bytes(learn, {"rows": labelled[:1]}), 1)):
        with tempfile.TemporaryDirectory() as log, ours.running(folder, "--learn", "--log", log, "--fsync", policy) as server:
            bench.add(case, ours.NAME, bench.load(folder, server, 64 if "64" in case else 4, request), rows)
    with tempfile.TemporaryDirectory() as log, ours.running(folder, "--learn", "--log", log) as server:
        alone = bench.load(folder, server, 2, one, rate=1000)
        (folder / "learned").write_bytes(request_bytes(learn, {"rows": labelled[:10]}))
        beside = subprocess.Popen([program("load_bench"), str(server[0]), "1", str(bench.seconds + 1), "100", str(folder / "learned")], stdout=subprocess.PIPE)
        time.sleep(0.3)
        bench.add("one row, 1,000 a second, beside 1,000 rows learned a second", ours.NAME, bench.load(folder, server, 2, one, rate=1000),
                  note=f"; p99 alone {alone['p99'] * 1e3:.3g} ms")
        beside.communicate()


def overload(bench, folder, ours):
    many = request_bytes(ours.PATH, ours.body(FLOWERS * 2))  # long ones, which wait for a worker
    with ours.running(folder, "--max-queue", "8") as server:
        full = bench.load(folder, server, 4, many)
        told = bench.load(folder, server, 64, many, rate=3 * full["good"] / full["seconds"])
        bench.add("2,000 rows of JSON, three times what it can do, 64 connections", ours.NAME, told, 2000)


def run(quick: bool) -> list[Entry]:
    bench = Bench(quick)
    ours = next(iter(entrants("serve").values()))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        prepare(folder)
        single_rows_and_batches(bench, folder)
        half_load_and_arrow(bench, folder, ours)
        learning(bench, folder, ours)
        overload(bench, folder, ours)
    return sorted(bench.entries, key=lambda entry: entry.case)
