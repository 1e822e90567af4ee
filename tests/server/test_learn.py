"""Learning while serving: what was acknowledged is there after any death, once."""
import concurrent.futures
import csv
import http.client
import itertools
import json
import os
import random
import struct
import subprocess
import threading
import time

import pytest

FLOWER = {"sepal_length": 6.1, "sepal_width": 2.9, "petal_length": 4.7, "petal_width": 1.4}


def rows_of(name):
    return [{key: value if key == "species" else float(value) for key, value in row.items()} for row in csv.DictReader(open(name))]


def posterior(server):
    return server.ask("/v1/models/half:predict", {"rows": [FLOWER], "outputs": ["probabilities", "log_evidence"]})[2]["predictions"][0]


@pytest.fixture
def half(suffice, folder):
    """A model of every second flower; the other ones are to be learned."""
    lines = open("iris.csv").read().splitlines()
    (folder / "half.csv").write_text("\n".join([lines[0], *lines[1::2]]) + "\n")
    suffice("fit", "half.csv", "--target", "species", "--model", "lda", "-o", "half.suf")
    suffice("fit", "iris.csv", "--target", "species", "--model", "lda", "-o", "whole.suf")
    return rows_of("iris.csv")[1::2]


def test_rows_learned_equal_the_fit_of_all_and_forgetting_undoes_it(start, half):
    server = start("half.suf", "--learn", "--log", "log")
    before = posterior(server)
    status, _, told = server.ask("/v1/models/half:learn", {"rows": half})
    assert (status, told) == (200, {"rows": 75, "sequence": 1})
    whole = start("whole.suf").ask("/v1/models/whole:predict", {"rows": [FLOWER], "outputs": ["probabilities", "log_evidence"]})[2]["predictions"][0]
    assert posterior(server)["probabilities"] == pytest.approx(whole["probabilities"], rel=1e-9)
    assert server.ask("/v1/models/half:forget", {"rows": half})[2] == {"rows": 75, "sequence": 2}
    assert posterior(server)["probabilities"] == pytest.approx(before["probabilities"], rel=1e-9)
    assert server.ask("/v1/models/half:decay", {"factor": 0.5})[2]["sequence"] == 3
    assert server.ask("/v1/models/half:merge", open("whole.suf", "rb").read(), "application/octet-stream")[0] == 200


def test_what_was_learned_is_there_after_a_graceful_end_and_after_a_kill(start, half):
    server = start("half.suf", "--learn", "--log", "log", "--fsync", "always")
    server.ask("/v1/models/half:learn", {"rows": half[:30]})
    first = posterior(server)
    server.kill()
    server = start("half.suf", "--learn", "--log", "log")
    assert posterior(server) == first
    server.ask("/v1/models/half:learn", {"rows": half[30:]})
    second = posterior(server)
    assert server.end() == 0
    assert os.path.exists("log/half.2.suf") and os.path.getsize("log/half.2.log") == 16, "a snapshot, and nothing behind it"
    server = start("half.suf", "--learn", "--log", "log")
    assert posterior(server) == second
    assert server.ask("/v1/models")[2]["models"][0]["sequence"] == 2


def test_a_torn_entry_at_the_end_is_cut_off(start, half, folder):
    server = start("half.suf", "--learn", "--log", "log")
    server.ask("/v1/models/half:learn", {"rows": half[:5]})
    found = posterior(server)
    server.kill()
    with open("log/half.0.log", "ab") as log:
        log.write(b"\x05\x00\x00\x00torn")
    server = start("half.suf", "--learn", "--log", "log")
    assert posterior(server) == found
    assert server.ask("/v1/models/half:learn", {"rows": half[5:9]})[2]["sequence"] == 2


def learn_until_killed(server, rows, draw):
    """Learns row by row while the server is killed at some moment: (rows acknowledged, the one it may have or not)."""
    acknowledged, pending = [], None
    timer = threading.Timer(draw.uniform(0, 0.1), server.process.kill)
    timer.start()
    try:
        while True:
            pending = draw.choice(rows)
            status, _, told = server.ask("/v1/models/half:learn", {"rows": [pending]})
            assert (status, told["rows"]) == (200, 1)
            acknowledged.append(pending)
    except (OSError, http.client.HTTPException, ValueError):  # refused, or an answer cut in the middle
        pass
    timer.join()
    server.kill()
    return acknowledged, pending


def test_killed_at_any_moment_nothing_acknowledged_is_lost_or_there_twice(start, half, suffice, folder):
    draw = random.Random(1)
    learned, pending = [], None
    words = ("half.suf", "--learn", "--log", "log", "--fsync", "never")

    def recovered(server):
        """What the server has after its start is what it acknowledged, and perhaps the row it could not tell of."""
        more = server.ask("/v1/models")[2]["models"][0]["rows"] - 75 - len(learned)
        assert more in ((0, 1) if pending else (0,))
        return [pending] if more else []

    for _ in range(int(os.environ.get("SUFFICE_KILLS", 25))):
        server = start(*words)
        learned += recovered(server)
        acknowledged, pending = learn_until_killed(server, half, draw)
        learned += acknowledged
    server = start(*words)
    learned += recovered(server)
    assert learned
    lines = [",".join(str(value) for value in row.values()) for row in learned]
    (folder / "all.csv").write_text((folder / "half.csv").read_text() + "\n".join(lines) + "\n")
    suffice("fit", "all.csv", "--target", "species", "--model", "lda", "-o", "all.suf")
    batch = start("all.suf").ask("/v1/models/all:predict", {"rows": [FLOWER], "outputs": ["probabilities", "log_evidence"]})[2]["predictions"][0]
    found = posterior(server)
    assert found["probabilities"] == pytest.approx(batch["probabilities"], rel=1e-8)
    assert found["log_evidence"] == pytest.approx(batch["log_evidence"], rel=1e-9)


KEEPING_LOGS = """// Files that are removed stay under another name.
#include <stdio.h>
int remove(const char *path) {
    char kept[4096];
    snprintf(kept, sizeof kept, "%s.kept", path);
    return rename(path, kept);
}
"""


def entries_of(folder):
    """Changes by their number, of all logs that there were; the last may be torn."""
    found = {}
    for path in folder.glob("half.*.log*"):
        data, at = path.read_bytes(), 16
        while at + 21 <= len(data):
            length, _, sequence, _ = struct.unpack_from("<IQQB", data, at)
            if at + 21 + length <= len(data):
                found[sequence] = data[at + 21:at + 21 + length].decode()
            at += 21 + length
    return found


def teach_until_killed(server, row_of_its_own, told, sent):
    """Learns row after row: what was sent, and what was acknowledged under which number, told by a value that no other row has."""
    line = http.client.HTTPConnection(*server.address.removeprefix("http://").split(":"), timeout=30)
    try:
        while True:
            one = row_of_its_own()
            sent.append(one["petal_width"])
            line.request("POST", "/v1/models/half:learn", json.dumps({"rows": [one]}), {"Content-Type": "application/json"})
            answer = json.loads(line.getresponse().read())
            assert answer["rows"] == 1 and told.setdefault(answer["sequence"], one["petal_width"]) == one["petal_width"]
    except (OSError, http.client.HTTPException, ValueError):
        pass
    finally:
        line.close()


@pytest.mark.parametrize("words", [("--fsync", "always"), ("--fsync", "interval", "--snapshot-after", "4000")], ids=["always", "snapshots"])
def test_killed_while_several_learn(start, half, suffice, folder, monkeypatch, words):
    """What the recovered model holds is what was acknowledged, each row once, and perhaps what was under way."""
    (folder / "keeping.c").write_text(KEEPING_LOGS)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", "keeping.so", "keeping.c"], check=True)
    draw, told, sent, numbers = random.Random(2), {}, [], itertools.count(1)

    def row_of_its_own():
        return {**half[draw.randrange(len(half))], "petal_width": round(0.1 + next(numbers) * 1e-6, 6)}
    for _ in range(int(os.environ.get("SUFFICE_KILLS", 8))):
        with monkeypatch.context() as set_up:
            set_up.setenv("LD_PRELOAD", str(folder / "keeping.so"))
            server = start("half.suf", "--learn", "--log", "log", "--threads", 4, *words)
        last = server.ask("/v1/models")[2]["models"][0]
        assert last["rows"] == 75 + last["sequence"] and last["sequence"] >= max(told, default=0)
        threads = [threading.Thread(target=teach_until_killed, args=(server, row_of_its_own, told, sent)) for _ in range(6)]
        for thread in threads:
            thread.start()
        time.sleep(draw.uniform(0, 0.15))
        server.kill()
        for thread in threads:
            thread.join()
    server = start("half.suf", "--learn", "--log", "log")
    last = server.ask("/v1/models")[2]["models"][0]
    logged = entries_of(folder / "log")
    found = {sequence: float(text.splitlines()[1].split(",")[3]) for sequence, text in logged.items()}
    assert told and list(sorted(found)) == list(range(1, last["sequence"] + 1)) and last["rows"] == 75 + last["sequence"]
    assert told.items() <= found.items(), "what was acknowledged is there"
    assert len(set(found.values())) == len(found) and set(found.values()) <= set(sent), "and once"
    assert any((folder / "log").glob("half.*.suf")) == ("--snapshot-after" in words)
    (folder / "all.csv").write_text((folder / "half.csv").read_text() + "".join(logged[k].splitlines()[1] + "\n" for k in sorted(logged)))
    suffice("fit", "all.csv", "--target", "species", "--model", "lda", "-o", "all.suf")
    batch = start("all.suf").ask("/v1/models/all:predict", {"rows": [FLOWER], "outputs": ["probabilities", "log_evidence"]})[2]["predictions"][0]
    recovered = posterior(server)
    assert recovered["probabilities"] == pytest.approx(batch["probabilities"], rel=1e-8)
    assert recovered["log_evidence"] == pytest.approx(batch["log_evidence"], rel=1e-9)
    print(f"{len(told)} rows acknowledged, {len(found)} there")


SLOW_DISK = """// fdatasync as a slow disk does it, counted.
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
int fdatasync(int file) {
    const int count = open(getenv("SYNCS"), O_WRONLY | O_APPEND | O_CREAT, 0644);
    const long told = write(count, "x", 1);
    close(count);
    usleep(300000);
    return told == 1 ? (int)syscall(SYS_fdatasync, file) : -1;
}
"""


def test_those_who_wait_for_the_disk_share_its_syncs(start, half, folder, monkeypatch):
    (folder / "slow_disk.c").write_text(SLOW_DISK)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", "slow_disk.so", "slow_disk.c"], check=True)
    with monkeypatch.context() as set_up:
        set_up.setenv("LD_PRELOAD", str(folder / "slow_disk.so"))
        set_up.setenv("SYNCS", str(folder / "syncs"))
        server = start("half.suf", "--learn", "--log", "log", "--fsync", "always")
    with concurrent.futures.ThreadPoolExecutor(len(half)) as pool:
        told = list(pool.map(lambda row: server.ask("/v1/models/half:learn", {"rows": [row]}), half))
    assert [status for status, _, _ in told] == [200] * len(half)
    assert sorted(answer["sequence"] for _, _, answer in told) == list(range(1, len(half) + 1))
    syncs = (folder / "syncs").stat().st_size
    assert 1 <= syncs <= len(half) / 2
    assert f'suffice_phase_seconds_count{{model="half",phase="sync"}} {len(half)}'.encode() in server.ask("/metrics")[2]
    server.kill()
    assert start("half.suf", "--learn", "--log", "log").ask("/v1/models")[2]["models"][0]["rows"] == 75 + len(half)


FAILING_DISK = """// Syncs fail while the file FAILS names is there: "data" of fdatasync alone, "all" of fsync too.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
static int fails(const char *what) {
    char told[8] = "";
    FILE *file = fopen(getenv("FAILS"), "r");
    if (file == NULL) return 0;
    if (fgets(told, sizeof told, file) == NULL) told[0] = 0;
    fclose(file);
    return strcmp(told, what) == 0 || strcmp(told, "all") == 0;
}
int fdatasync(int file) { return fails("data") ? (errno = EIO, -1) : (int)syscall(SYS_fdatasync, file); }
int fsync(int file) { return fails("sync") ? (errno = EIO, -1) : (int)syscall(SYS_fsync, file); }
"""


@pytest.fixture
def failing_disk(folder, monkeypatch):
    (folder / "failing_disk.c").write_text(FAILING_DISK)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", "failing_disk.so", "failing_disk.c"], check=True)

    def begin(start, *words):
        with monkeypatch.context() as set_up:
            set_up.setenv("LD_PRELOAD", str(folder / "failing_disk.so"))
            set_up.setenv("FAILS", str(folder / "fails"))
            return start(*words)
    return begin


def test_behind_a_sync_that_failed_nothing_is_told_as_safe_until_a_snapshot_is(start, half, folder, failing_disk):
    """The system drops pages that it could not write, and the next sync succeeds without them."""
    server = failing_disk(start, "half.suf", "--learn", "--log", "log", "--fsync", "always")
    learn = lambda k: server.ask("/v1/models/half:learn", {"rows": half[k:k + 1]})  # noqa: E731
    assert learn(0)[0] == 200
    (folder / "fails").write_text("all")
    status, _, told = learn(1)
    assert status == 500 and "synced" in told["detail"] and "Input/output error" in told["detail"]
    status, _, told = learn(2)
    assert status == 500 and "log" in told["detail"]
    (folder / "fails").unlink()
    status, _, told = learn(3)
    assert status == 200 and told["sequence"] == 3  # the third was refused before anything was changed
    assert (folder / "log" / "half.2.suf").exists() and not (folder / "log" / "half.0.log").exists()
    server.kill()
    assert start("half.suf", "--learn", "--log", "log").ask("/v1/models")[2]["models"][0]["rows"] == 75 + 3


def test_a_log_whose_sync_failed_is_replaced_without_another_change(start, half, folder, failing_disk):
    server = failing_disk(start, "half.suf", "--learn", "--log", "log")
    (folder / "fails").write_text("all")
    assert server.ask("/v1/models/half:learn", {"rows": half[:2]})[0] == 200  # told before it is synced
    line = server.process.stderr.readline()
    assert "half" in line or "synced" in line, line
    (folder / "fails").unlink()
    wait_until(lambda: (folder / "log" / "half.1.suf").exists() and not (folder / "log" / "half.0.log").exists())


def test_learning_needs_its_right(start, half, folder):
    server = start("half.suf")
    assert server.ask("/v1/models/half:learn", {"rows": half[:1]})[0] == 403
    (folder / "tokens").write_text("# who\nreader read\nteacher learn\n")
    server = start("half.suf", "--learn", "--log", "log", "--token-file", "tokens")
    assert server.ask("/v1/models")[0] == 401
    assert server.ask("/v1/models", Authorization="Bearer wrong")[0] == 401
    assert server.ask("/v1/models", Authorization="Bearer reader")[0] == server.ask("/v1/models", Authorization="bearer reader")[0] == 200
    assert server.ask("/v1/models", Authorization="Basic reader")[0] == server.ask("/v1/models", Authorization="Bearer READER")[0] == 401
    assert server.ask("/v1/models/half:learn", {"rows": half[:1]}, Authorization="Bearer reader")[0] == 403
    assert server.ask("/v1/models/half:learn", {"rows": half[:1]}, Authorization="Bearer teacher")[0] == 200
    assert server.ask("/v2/health/live")[0] == 200


@pytest.mark.parametrize("rows, said", [
    ([FLOWER], "species"), ([{**FLOWER, "species": None}], "row 4"), ([{**FLOWER, "species": "setosa", "petal_width": "wide"}], "petal_width"),
])
def test_rows_that_cannot_be_learned_are_refused_whole(start, half, rows, said):
    server = start("half.suf", "--learn", "--log", "log")
    status, _, problem = server.ask("/v1/models/half:learn", {"rows": half[:3] + rows})
    assert status == 400 and said in problem["detail"]
    assert server.ask("/v1/models")[2]["models"][0]["rows"] == 75


def test_two_servers_do_not_learn_by_one_log(start, half):
    start("half.suf", "--learn", "--log", "log")
    with pytest.raises(RuntimeError, match="another server"):
        start("half.suf", "--learn", "--log", "log")


def test_others_cannot_reach_a_server_without_tokens(command, half):
    done = subprocess.run([command, "serve", "half.suf", "--host", "0.0.0.0", "--port", "0"], capture_output=True, text=True, timeout=30)
    assert done.returncode == 2 and "--token-file" in done.stderr


def test_a_changed_file_takes_its_place_and_a_bad_one_is_refused(start, half, folder):
    server = start("half.suf")
    before = posterior(server)
    stop = threading.Event()
    failed = []

    def keep_asking():
        while not stop.is_set():
            if server.ask("/v1/models/half:predict", {"rows": [FLOWER]})[0] != 200:
                failed.append(1)
    asking = threading.Thread(target=keep_asking)
    asking.start()
    os.replace("whole.suf", "half.suf")
    wait_until(lambda: posterior(server) != before)
    after = posterior(server)
    (folder / "half.suf").write_bytes(b"no model")
    wait_until(lambda: b'suffice_model_refused_total{model="half"} 1' in server.ask("/metrics")[2])
    stop.set()
    asking.join()
    assert posterior(server) == after and not failed


def wait_until(done):
    for _ in range(300):
        if done():
            return
        time.sleep(0.05)
    raise AssertionError("it did not come to pass")


def test_a_folder_is_watched_and_its_models_come_and_go(start, half, folder):
    (folder / "models").mkdir()
    os.rename("half.suf", "models/half.suf")
    (folder / "models" / "bad.suf").write_text("no model")
    (folder / "models" / "notes.txt").write_text("no model either")
    server = start("models")
    names = lambda: [each["name"] for each in server.ask("/v1/models")[2]["models"]]  # noqa: E731
    assert names() == ["half"] and any("bad.suf" in line and "left out" in line for line in server.said)
    before = posterior(server)
    os.rename("whole.suf", "models/whole.suf")
    wait_until(lambda: names() == ["half", "whole"])
    assert server.ask("/v1/models/whole:predict", {"rows": [FLOWER]})[0] == 200 and posterior(server) == before
    os.remove("models/whole.suf")
    wait_until(lambda: names() == ["half"])
    assert server.ask("/v1/models/whole:predict", {"rows": [FLOWER]})[0] == 404


def test_models_of_a_folder_learn_beside_it(start, half, folder, command):
    (folder / "models").mkdir()
    os.rename("half.suf", "models/half.suf")
    server = start("models", "--learn")
    assert server.ask("/v1/models/half:learn", {"rows": half[:4]})[2]["rows"] == 4
    found = posterior(server)
    server.kill()
    server = start("models", "--learn")
    assert posterior(server) == found and [each["name"] for each in server.ask("/v1/models")[2]["models"]] == ["half"]
    server.kill()
    done = subprocess.run([command, "serve", "models", "--learn", "--log", "models", "--port", "0"], capture_output=True, text=True, timeout=30)
    assert done.returncode == 2 and "log" in done.stderr


def test_a_log_that_is_damaged_in_its_middle_is_told_and_not_cut(start, half, folder):
    server = start("half.suf", "--learn", "--log", "log")
    for k in range(3):
        server.ask("/v1/models/half:learn", {"rows": half[k:k + 1]})
    server.kill()
    log = folder / "log" / "half.0.log"
    data = bytearray(log.read_bytes())
    data[40] ^= 1
    log.write_bytes(data)
    with pytest.raises(RuntimeError, match="damaged behind byte 16"):
        start("half.suf", "--learn", "--log", "log")
    assert log.read_bytes() == data
    log.write_bytes(data[:16] + bytes(4096))  # as a file system may leave it when power fails
    assert start("half.suf", "--learn", "--log", "log").ask("/v1/models")[2]["models"][0]["rows"] == 75


def test_many_writers_at_once_are_each_there_once_and_readers_see_whole_models(start, half):
    server = start("half.suf", "--learn", "--log", "log", "--fsync", "always")
    told, wrong, stop = [], [], threading.Event()

    def learn(rows):
        for row in rows:
            told.append(server.ask("/v1/models/half:learn", {"rows": [row]})[2]["sequence"])

    def read():
        while not stop.is_set():
            one = posterior(server)
            if abs(sum(one["probabilities"].values()) - 1) > 1e-9:
                wrong.append(one)
    threads = [threading.Thread(target=learn, args=(half[k::4],)) for k in range(4)]
    reader = threading.Thread(target=read)
    for thread in [reader, *threads]:
        thread.start()
    for thread in threads:
        thread.join()
    stop.set()
    reader.join()
    assert sorted(told) == list(range(1, 76)) and not wrong
    whole = start("whole.suf").ask("/v1/models/whole:predict", {"rows": [FLOWER], "outputs": ["probabilities"]})[2]["predictions"][0]
    assert posterior(server)["probabilities"] == pytest.approx(whole["probabilities"], rel=1e-9)


def test_replay_gives_the_same_bits(start, half):
    server = start("half.suf", "--learn", "--log", "log")
    for k in range(0, 75, 5):
        server.ask("/v1/models/half:learn", {"rows": half[k:k + 5]})
    found = posterior(server)
    server.kill()
    assert posterior(start("half.suf", "--learn", "--log", "log")) == found


def test_what_is_asked_is_told_beside_what_was_learned(start, half):
    server = start("half.suf")
    rows = rows_of("iris.csv")
    server.ask("/v1/models/half:predict", {"rows": [{k: v for k, v in row.items() if k != "species"} for row in rows[:50]]})
    asked = lambda: server.ask("/v1/models/half:asked")[2]  # noqa: E731
    wait_until(lambda: asked()["looked_at"] == 50)
    assert asked()["rows"] == 50 and asked()["classes"]["setosa"] == pytest.approx(1, abs=1e-6)
    assert 'suffice_asked_rows_total{model="half"} 50' in server.ask("/metrics")[2].decode()


def test_drift_of_what_is_asked_is_that_of_the_command(start, half, suffice, folder):
    import json
    flowers = [{k: v for k, v in row.items() if k != "species"} for row in rows_of("iris.csv")]
    for row in flowers:
        row["petal_width"] += 0.8
    (folder / "asked.csv").write_text("\n".join([",".join(flowers[0]), *(",".join(map(str, row.values())) for row in flowers)]) + "\n")
    told = json.loads(suffice("drift", "half.suf", "asked.csv", "--json"))
    server = start("half.suf")
    server.ask("/v1/models/half:predict", {"rows": flowers})
    asked = lambda: server.ask("/v1/models/half:asked")[2]  # noqa: E731
    wait_until(lambda: asked()["looked_at"] == 150)
    found = asked()["drift"]
    expected = {each["column"]: each["divergence"] for each in told["columns"]}
    assert {each["column"]: each["divergence"] for each in found["columns"]} == pytest.approx(expected, rel=1e-9)
    assert found["columns"][0]["column"] == "petal_width" and found["columns"][0]["adjusted_p_value"] < 1e-6
    lines = dict(line.rsplit(" ", 1) for line in server.ask("/metrics")[2].decode().splitlines() if line.startswith("suffice_asked_"))
    assert float(lines['suffice_asked_divergence{model="half",column="petal_width"}']) == pytest.approx(expected["petal_width"], rel=1e-9)
    assert float(lines['suffice_asked_p_value{model="half",column="petal_width"}']) < 1e-6
    assert float(lines['suffice_asked_class_divergence{model="half"}']) > 0


def test_the_access_log_is_lines_of_json_without_secrets(start, half, folder):
    import json
    (folder / "tokens").write_text("s3cret read\n")
    server = start("half.suf", "--token-file", "tokens", "--access-log", "access.log")
    trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    server.ask("/v1/models/half:predict", {"rows": [FLOWER] * 2}, Authorization="Bearer s3cret", traceparent=trace, X_Request_Id="mine")
    server.ask("/v1/models/half:predict", {"rows": [FLOWER]})
    lines = [json.loads(line) for line in open("access.log")]
    assert [line["status"] for line in lines] == [200, 401] and "s3cret" not in open("access.log").read()
    assert lines[0]["id"] == "mine" and lines[0]["traceparent"] == trace and lines[0]["rows"] == 2 and lines[0]["model"] == "half"
    assert set(lines[0]["phases"]) >= {"parse", "score", "render"} and lines[0]["client"] == "127.0.0.1"
