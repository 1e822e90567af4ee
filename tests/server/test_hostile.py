"""What strangers send: broken HTTP, slow clients, long bodies, odd paths, too many at once. The server answers others meanwhile."""
import json
import os
import pathlib
import re
import shutil
import socket
import ssl
import subprocess
import threading
import time

import pytest

FLOWER = {"sepal_length": 6.1, "sepal_width": 2.9, "petal_length": 4.7, "petal_width": 1.4}
PREDICT = "/v1/models/iris:predict"


def place(server):
    host, port = server.address.partition("://")[2].split(":")
    return host, int(port)


def exchange(server, data, seconds=20):
    """All that the server sends back to these bytes until it closes, or falls silent."""
    with socket.create_connection(place(server), seconds) as line:
        line.sendall(data)
        line.settimeout(3)
        told = b""
        try:
            while piece := line.recv(65536):
                told += piece
        except (TimeoutError, ConnectionResetError):
            pass
        return told


@pytest.mark.parametrize("data", [
    b"\x00\x01\x02\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"GET / HTTP/1.1\r\nno colon\r\n\r\n",
    b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", b"POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
    b"POST / HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n",
    b"POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", b"GET / HTTP/1.1\r\nX: " + b"a" * 20000 + b"\r\n\r\n",
])
def test_what_is_no_http_is_refused_and_the_connection_ends(server, data):
    told = exchange(server, data)
    assert told.startswith((b"HTTP/1.1 400", b"HTTP/1.1 413", b"HTTP/1.1 431")), told[:100]
    assert told.count(b"HTTP/1.1 ") == 1 and b"application/problem+json" in told
    assert server.ask("/v2/health/live")[0] == 200


def test_requests_may_follow_each_other_in_one_packet(server):
    one = b"GET /v2/health/live HTTP/1.1\r\nHost: x\r\n\r\n"
    last = b"GET /v2/health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    assert exchange(server, one * 4 + last).count(b"HTTP/1.1 200 OK") == 5


def test_connections_of_the_first_version_are_kept_where_they_are_asked_to_be(server):
    one = b"GET /v2/health/live HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"
    told = exchange(server, one + one + b"GET /v2/health/live HTTP/1.0\r\n\r\n")
    assert told.count(b" 200 OK") == 3 and told.count(b"Connection: keep-alive") == 2 and told.count(b"Connection: close") == 1


def test_a_long_answer_comes_whole_to_who_reads_slowly(server):
    """More than the system takes at once, behind a request whose answer it took."""
    body = json.dumps({"rows": [FLOWER] * 30_000, "outputs": ["probabilities"]}).encode()
    with socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.connect(place(server))
        line.sendall(b"GET /v2/health/live HTTP/1.1\r\nHost: x\r\n\r\n" + f"POST {PREDICT} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        told = b""
        while piece := line.recv(65536):
            told += piece
    assert json.loads(told.rpartition(b"\r\n\r\n")[2])["predictions"] == server.ask(PREDICT, body)[2]["predictions"]


def test_bodies_in_chunks_and_after_a_go_on(server):
    body = json.dumps({"rows": [FLOWER]}).encode()
    head = f"POST {PREDICT} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n".encode()
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in (body[:7], body[7:]))
    assert b'"label":"versicolor"' in exchange(server, head + b"Transfer-Encoding: chunked\r\n\r\n" + chunks + b"0\r\n\r\n")
    with socket.create_connection(place(server), 10) as line:
        line.sendall(head + b"Expect: 100-continue\r\nContent-Length: %d\r\n\r\n" % len(body))
        assert line.recv(1000).startswith(b"HTTP/1.1 100")
        line.sendall(body)
        assert line.recv(4000).startswith(b"HTTP/1.1 200")


def test_whoever_sends_too_much_still_hears_why(start, iris):
    server = start(iris, "--max-body", 100_000)
    status, _, problem = server.ask(PREDICT, b"x" * 8_000_000)
    assert status == 413 and "100000" in problem["detail"]


def test_slow_clients_are_cut_off_and_others_are_answered_meanwhile(start, iris):
    server = start(iris, "--timeout", 2)
    slow = [socket.create_connection(place(server), 10) for _ in range(200)]
    for line in slow:
        line.sendall(f"POST {PREDICT} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n".encode())
    began, cut = time.monotonic(), 0
    while cut < len(slow) and time.monotonic() - began < 60:
        assert server.ask(PREDICT, {"rows": [FLOWER]})[0] == 200
        cut = 0
        for line in slow:  # a byte now and then, as slowloris does
            try:
                line.settimeout(0.001)
                line.send(b"a")
                cut += line.recv(10) == b""
            except TimeoutError:
                pass
            except OSError:
                cut += 1
        time.sleep(0.2)
    for line in slow:
        line.close()
    assert cut == len(slow), "slow clients are still connected"


def test_whoever_does_not_read_is_cut_off(start, iris):
    server = start(iris, "--timeout", 5)
    with socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.connect(place(server))
        body = json.dumps({"rows": [FLOWER] * 50_000, "outputs": ["probabilities"]}).encode()
        line.sendall(f"POST {PREDICT} HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        wait_for_metric(server, "suffice_connections 1", 60)


def wait_for_metric(server, line, seconds=20):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if line in server.ask("/metrics")[2].decode().splitlines():
            return
        time.sleep(0.1)
    raise AssertionError(f"{line} did not come to pass:\n" + server.ask("/metrics")[2].decode())


def test_too_many_connections_are_told_so(start, iris):
    server = start(iris, "--max-connections", 5)
    held = [socket.create_connection(place(server), 10) for _ in range(5)]
    assert b"HTTP/1.1 503" in exchange(server, b"") and b"Retry-After" in exchange(server, b"")
    for line in held:
        line.close()
    for _ in range(100):
        try:
            if server.ask("/v2/health/live")[0] == 200:
                return
        except OSError:
            pass
        time.sleep(0.05)
    raise AssertionError("closed connections do not make room")


def test_overload_is_refused_with_429_and_what_is_taken_is_answered(start, iris):
    server = start(iris, "--max-queue", 2, "--threads", 1)
    body = json.dumps({"rows": [FLOWER] * 20_000}).encode()
    found = []

    def keep_asking():
        for _ in range(6):
            status, headers, told = server.ask(PREDICT, body)
            found.append(status)
            assert status == 200 and len(told["predictions"]) == 20_000 or status == 429 and headers["Retry-After"] == "1"
    threads = [threading.Thread(target=keep_asking) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found.count(200) > 0 and found.count(429) > 0 and len(found) == 72
    assert server.ask(PREDICT, {"rows": [FLOWER]})[0] == 200


def test_the_end_waits_for_what_is_in_flight(start, iris):
    server = start(iris, "--threads", 1)
    body = json.dumps({"rows": [FLOWER] * 20_000}).encode()
    lines = [socket.create_connection(place(server), 30) for _ in range(12)]
    for line in lines:
        line.sendall(f"POST {PREDICT} HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
    waiting = 0
    while waiting < 2:
        waiting = int(re.search(rb"^suffice_queue (\d+)", server.ask("/metrics")[2], re.MULTILINE)[1])
    server.process.terminate()
    answers = []
    for line in lines:
        line.settimeout(60)
        told = b""
        while piece := line.recv(1 << 20):
            told += piece
        answers.append(told)
        line.close()
    whole = [told for told in answers if told.startswith(b"HTTP/1.1 200") and told.count(b'"label"') == 20_000]
    assert len(whole) >= waiting and all(told in (b"", *whole) for told in answers)
    assert server.end() == 0


@pytest.mark.parametrize("path", [
    "/v1/models/iris%00:predict", "/v1/models/%2e%2e%2firis:predict", "/v1/models//iris:predict", "/v1/models/iris:predict/", "/v1/models/iris:lear%6e",
    "/v1/models/%ff%fe:predict", "//v2/health/live", "/v2/models/iris/versions/2/infer", "/page.js/../../etc/passwd", "/%70age.js%00",
])
def test_odd_paths_are_not_found(server, path):
    status, headers, problem = server.ask(path, {"rows": [FLOWER]})
    assert status == 404 and headers["Content-Type"] == "application/problem+json" and problem["detail"]


def test_deep_and_wide_json(server):
    for body in ('{"rows":' * 50000, '{"rows": [' + "[" * 40 + "]" * 40 + "]}", '{"a":' * 40 + "1" + "}" * 40, '"' + "\\u0000" * 10000, "\xff\xfe" * 100, ""):
        status, _, problem = server.ask(PREDICT, body)
        assert status == 400 and "JSON" in problem["detail"] or "rows" in problem["detail"]
    many = {f"c{k}": k for k in range(100_000)}
    assert server.ask(PREDICT, {"rows": [{**many, **FLOWER}]})[0] == 200


def test_rows_beyond_the_limit_are_refused_in_every_form(start, iris):
    server = start(iris, "--max-rows", 3)
    head, line = ",".join(FLOWER), ",".join(map(str, FLOWER.values()))
    assert server.ask(PREDICT, "\n".join([head, *[line] * 3]), "text/csv")[0] == 200
    for verb in ("predict", "explain"):
        assert server.ask(f"/v1/models/iris:{verb}", "\n".join([head, *[line] * 4]), "text/csv")[0] in (400, 413)
        assert server.ask(f"/v1/models/iris:{verb}", "\n".join([json.dumps(FLOWER)] * 4), "application/x-ndjson")[0] == 413


def test_labels_of_metrics_do_not_grow_with_what_strangers_ask(start, iris, folder):
    (folder / "tokens").write_text("secret read\n")
    server = start(iris, "--token-file", "tokens")
    for k in range(30):
        server.ask(f"/v1/models/iris:strange{k}", {})
        server.ask(f"/v1/models/none{k}:predict", {}, Authorization="Bearer secret")
    text = server.ask("/metrics", Authorization="Bearer secret")[2].decode()
    assert "strange" not in text and "none" not in text


def test_tokens_come_from_the_environment_too(start, iris, monkeypatch):
    monkeypatch.setenv("SUFFICE_TOKENS", "reader read; teacher learn")
    server = start(iris, "--learn", "--log", "log")
    assert server.ask("/v1/models")[0] == 401 and server.ask("/v1/models", Authorization="Bearer reader")[0] == 200
    row = {"rows": [{**FLOWER, "species": "setosa"}]}
    assert server.ask("/v1/models/iris:learn", row, Authorization="Bearer reader")[0] == 403
    assert server.ask("/v1/models/iris:learn", row, Authorization="Bearer teacher")[0] == 200
    assert server.ask("/")[0] == 200, "the page itself asks for the token"


def test_wrong_tokens_take_as_long_as_nearly_right_ones(start, iris, folder):
    """A comparison that stopped at the first wrong letter would take ten times as long for the second token."""
    (folder / "tokens").write_text("a" * 12_000 + " read\n")
    server = start(iris, "--token-file", "tokens")
    times = {"b" * 12_000: [], "a" * 11_999 + "b": []}
    import http.client
    line = http.client.HTTPConnection(*place(server), timeout=10)
    for _ in range(300):
        for token, found in times.items():
            began = time.perf_counter()
            line.request("GET", "/v2", headers={"Authorization": f"Bearer {token}"})
            answer = line.getresponse()
            answer.read()
            assert answer.status == 401
            found.append(time.perf_counter() - began)
    first, second = (sorted(each)[100] for each in times.values())
    assert abs(first - second) < 0.2 * max(first, second)


@pytest.fixture
def certificate(folder):
    made = subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-out", "cert.pem", "-days", "2",
                           "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"], capture_output=True)
    if made.returncode != 0:
        pytest.skip("there is no openssl here to make a certificate")
    return "cert.pem", "key.pem"


def test_tls_by_files(start, iris, certificate, command, folder):
    server = start(iris, "--certificate", certificate[0], "--key", certificate[1])
    assert server.address.startswith("https://")
    context = ssl.create_default_context(cafile=certificate[0])
    with socket.create_connection(place(server), 10) as line, context.wrap_socket(line, server_hostname="127.0.0.1") as safe:
        assert safe.version() in ("TLSv1.2", "TLSv1.3")
        body = json.dumps({"rows": [FLOWER]}).encode()
        for _ in range(3):
            safe.sendall(f"POST {PREDICT} HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
            assert b'"label":"versicolor"' in safe.recv(4000)
    assert not exchange(server, b"GET / HTTP/1.1\r\n\r\n").startswith(b"HTTP"), "plain HTTP is not answered"
    with socket.create_connection(place(server), 10) as line, context.wrap_socket(line, server_hostname="127.0.0.1") as safe:
        safe.sendall(b"GET /v2/health/live HTTP/1.1\r\nConnection: close\r\n\r\n")
        assert safe.recv(4000).startswith(b"HTTP/1.1 200")
    assert server.end() == 0
    (folder / "other.pem").write_text("no key")
    for words in (["--certificate", "cert.pem"], ["--certificate", "cert.pem", "--key", "other.pem"], ["--certificate", "other.pem", "--key", "key.pem"]):
        done = subprocess.run([command, "serve", iris, "--port", "0", *words], capture_output=True, text=True, timeout=30)
        assert done.returncode == 2 and done.stderr and "listening" not in done.stderr


def test_memory_stays_flat(server):
    def resident():
        return next(int(line.split()[1]) for line in open(f"/proc/{server.process.pid}/status") if line.startswith("VmRSS"))
    import http.client
    line = http.client.HTTPConnection(*place(server), timeout=10)
    body = json.dumps({"rows": [FLOWER], "outputs": ["probabilities"]})

    def ask_many(count):
        for _ in range(count):
            line.request("POST", PREDICT, body, {"Content-Type": "application/json"})
            line.getresponse().read()
    ask_many(2000)
    time.sleep(1.5)  # what was asked is folded once
    before = resident()
    ask_many(int(os.environ.get("SUFFICE_REQUESTS", 6000)))
    assert resident() - before < 3000, "kB"


def test_systemd_takes_the_unit(tmp_path):
    if shutil.which("systemd-analyze") is None:
        pytest.skip("there is no systemd here")
    unit = (pathlib.Path(__file__).resolve().parents[2] / "apps" / "server" / "suffice.service").read_text()
    (tmp_path / "suffice.service").write_text(unit.replace("/usr/bin/suffice", "/bin/true"))  # which need not be installed
    done = subprocess.run(["systemd-analyze", "verify", tmp_path / "suffice.service"], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
