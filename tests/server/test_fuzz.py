"""Requests mutated at random, HTTP and bodies alike: the server lives on, and no answer says that it is the server's fault.

SUFFICE_FUZZ_SECONDS (10) says for how long, SUFFICE_FUZZ_SEED where it begins; SUFFICE may name a build with sanitizers.
"""
import io
import json
import os
import random
import socket
import struct
import time

FLOWER = {"sepal_length": 6.1, "sepal_width": 2.9, "petal_length": 4.7, "petal_width": 1.4}
WORDS = [b"\r\n", b"\r\n\r\n", b":", b"%2e", b"%", b"null", b"1e999", b"-1", b"99999999999999999999", b"[", b"]", b"{", b"}", b'"', b"\\u0000", b"\\ud800", b"\xff",
         b"\x00", b",", b"NaN", b"Transfer-Encoding: chunked\r\n", b"Content-Length: 0\r\n", b"Expect: 100-continue\r\n", b"Inference-Header-Content-Length: 9\r\n", b"HTTP/1.0",
         b"GET ", b"/v1/models/iris:", b"text/csv", b"application/x-ndjson", b"shape", b"datatype", b"BYTES", b"rows", b"outputs"]


def request(path, body, kind="application/json", more=b""):
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return b"POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: %s\r\n%sContent-Length: %d\r\n\r\n" % (path.encode(), kind.encode(), more, len(data)), data


def seeds(model):
    row, columns = {**FLOWER, "species": "setosa"}, b",".join(name.encode() for name in FLOWER)
    tensors = [{"name": name, "datatype": "FP64", "shape": [1, 1], "data": [value]} for name, value in FLOWER.items()]
    raw = [{**each, "parameters": {"binary_data_size": 8}} for each in tensors]
    for each in raw:
        del each["data"]
    head = json.dumps({"inputs": raw}).encode()
    made = [request("/v1/models/iris:predict", {"rows": [FLOWER] * 2, "outputs": ["probabilities", "top", "decision"], "top": 2, "reject": 0.5, "cost": "setosa:virginica=5"}),
            request("/v1/models/iris:predict", columns + b"\n1,2,3,4\n,2,3,4\n", "text/csv"),
            request("/v1/models/iris:predict", json.dumps(FLOWER).encode() + b"\n" + json.dumps(FLOWER).encode(), "application/x-ndjson"),
            request("/v1/models/iris:explain", {"rows": [FLOWER]}), request("/v1/models/iris:sample", {"count": 2, "seed": 1, "class": "setosa"}),
            request("/v1/models/iris:learn", {"rows": [row]}), request("/v1/models/iris:learn", columns + b",species\n1,2,3,4,setosa\n", "text/csv"),
            request("/v1/models/iris:forget", {"rows": [row]}), request("/v1/models/iris:decay", {"factor": 0.9}),
            request("/v1/models/iris:merge", model, "application/octet-stream"), request("/v2/models/iris/infer", {"id": "1", "inputs": tensors, "outputs": [{"name": "label"}]}),
            request("/v2/models/iris/infer", head + struct.pack("<4d", *FLOWER.values()), "application/octet-stream", b"Inference-Header-Content-Length: %d\r\n" % len(head))]
    try:
        import pyarrow
    except ImportError:
        return made
    held, table = io.BytesIO(), pyarrow.Table.from_pylist([FLOWER] * 3)
    with pyarrow.ipc.new_stream(held, table.schema) as writer:
        writer.write_table(table)
    return [*made, request("/v1/models/iris:predict", held.getvalue(), "application/vnd.apache.arrow.stream")]


def mutated(draw, data):
    data = bytearray(data)
    for _ in range(draw.choice([1, 1, 2, 4, 8])):
        at, length = draw.randrange(len(data) + 1), draw.choice([1, 2, 4, 8, 32])
        how = draw.randrange(5)
        if how == 0 and data:
            data[at % len(data)] = draw.randrange(256)
        elif how == 1:
            del data[at:at + length]
        elif how == 2:
            data[at:at] = draw.choice(WORDS)
        elif how == 3:
            data[at:at] = data[at:at + length] * draw.choice([1, 2, 50])
        else:
            data[at:at + length] = draw.choice(WORDS)
    return bytes(data)


def exchange(place, data):
    with socket.create_connection(place, 20) as line:
        line.settimeout(20)
        try:
            line.sendall(data)
            line.shutdown(socket.SHUT_WR)
            told = b""
            while piece := line.recv(65536):
                told += piece
            return told
        except (ConnectionResetError, BrokenPipeError):
            return b""


def test_requests_that_were_mutated_at_random(start, iris, folder):
    server = start(iris, "--learn", "--log", "log", "--timeout", 5, "--max-rows", 2000, "--max-body", 1_000_000)
    host, port = server.address.removeprefix("http://").split(":")
    first = int(os.environ.get("SUFFICE_FUZZ_SEED", 1))
    pool, end, count = seeds((folder / iris).read_bytes()), time.monotonic() + float(os.environ.get("SUFFICE_FUZZ_SECONDS", 10)), 0
    while time.monotonic() < end:
        draw = random.Random(first * 1_000_003 + count)
        head, body = draw.choice(pool)
        if draw.random() < 0.7:  # the body alone, with its length told right
            body = mutated(draw, body)
            head = head[:head.index(b"Content-Length: ")] + b"Content-Length: %d\r\n\r\n" % len(body)
            data = head + body
        else:
            data = mutated(draw, head + body)
        told = exchange((host, int(port)), data)
        assert server.process.poll() is None, f"it died of {data!r} (number {count})"
        assert not told.startswith(b"HTTP/1.1 5") or told.startswith(b"HTTP/1.1 503"), f"number {count}: {data[:2000]!r} {told[:500]!r}"
        count += 1
    assert count > 20 and server.ask("/v2/health/live")[0] == 200
    server.kill()
    assert start(iris, "--learn", "--log", "log").ask("/v1/models/iris:predict", {"rows": [FLOWER]})[0] == 200, "what was learned is read back"
