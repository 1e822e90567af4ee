"""Writers of one file that are killed at any moment: the file is always one that somebody wrote whole."""
import os
import pathlib
import random
import signal
import subprocess
import time

# A thousand and more by hand: SUFFICE_KILLS=1000 pytest tests/cli/test_killed_writers.py
KILLS = int(os.environ.get("SUFFICE_KILLS", 60))


def test_two_writers_killed_again_and_again_leave_a_whole_file(folder, suffice, command):
    rows = "".join(f"{k % 7 + (k % 3)},{k % 11},{'abc'[k % 3]}\n" for k in range(300))
    pathlib.Path("rows.csv").write_text("x,y,k\n" + rows)
    allowed = set()
    for model in ("qda", "lda"):
        suffice("fit", "rows.csv", "--target", "k", "--model", model, "-q", "-o", f"{model}.suf")
        suffice("merge", f"{model}.suf", f"{model}.suf", "-o", "target.suf")
        allowed.add(pathlib.Path("target.suf").read_bytes())
    assert len(allowed) == 2
    chance = random.Random(1)
    started = time.monotonic()
    suffice("merge", "qda.suf", "qda.suf", "-o", "target.suf")
    usual = time.monotonic() - started
    ended = {"killed": 0, "done": 0}
    while ended["killed"] < KILLS:
        writers = [subprocess.Popen([command, "merge", f"{model}.suf", f"{model}.suf", "-o", "target.suf"], stdout=subprocess.DEVNULL,
                                    stderr=subprocess.PIPE) for model in ("qda", "lda")]
        time.sleep(chance.uniform(0, 1.2 * usual))
        for writer in writers:
            writer.send_signal(signal.SIGKILL)
        for writer in writers:
            said = writer.communicate()[1]
            assert writer.returncode in (0, -signal.SIGKILL), said  # none fails because of the other
            ended["done" if writer.returncode == 0 else "killed"] += 1
        assert pathlib.Path("target.suf").read_bytes() in allowed
    assert ended["killed"] >= KILLS
    suffice("merge", "qda.suf", "qda.suf", "-o", "target.suf")  # what a killed writer left is taken away by the next one
    assert not list(folder.glob("*unfinished*"))


def test_writers_that_are_not_killed_all_succeed(folder, suffice, command):
    pathlib.Path("rows.csv").write_text("x,k\n1,a\n2,b\n3,a\n4,b\n")
    suffice("fit", "rows.csv", "--target", "k", "-q", "-o", "m.suf")
    writers = [subprocess.Popen([command, "merge", "m.suf", "m.suf", "-o", "target.suf"], stderr=subprocess.PIPE) for _ in range(12)]
    for writer in writers:
        said = writer.communicate(timeout=60)[1]
        assert writer.returncode == 0, said
    suffice("inspect", "target.suf")
    assert not list(folder.glob("*unfinished*"))
