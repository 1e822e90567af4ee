"""SIGTERM and Ctrl-C end the command within a second in every phase, and nothing half is left."""

import os
import pathlib
import signal
import subprocess
import time

import pytest


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("words", [("fit", "-", "--target", "kind", "-o", "m.suf"), ("predict", "old.suf", "-")])
def test_waiting_for_standard_input_is_ended(suffice, command, number, words):
    pathlib.Path("rows.csv").write_text("x,kind\n1,a\n2,b\n3,a\n4,b\n")
    suffice("fit", "rows.csv", "--target", "kind", "-o", "old.suf")
    process = subprocess.Popen([command, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(0.3)
    started = time.monotonic()
    process.send_signal(number)
    process.wait(timeout=20)
    assert time.monotonic() - started < 2  # one second, and a busy machine
    assert process.returncode == 1
    assert process.stderr.read() == b"The computation was stopped.\n"
    process.stdin.close()
    assert not pathlib.Path("m.suf").exists()


def test_a_pipe_that_never_opens_is_ended(command, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    process = subprocess.Popen([command, "fit", tmp_path / "pipe", "--target", "kind", "-o", tmp_path / "m.suf"],
                               stderr=subprocess.PIPE)
    time.sleep(0.3)
    process.terminate()
    process.wait(timeout=20)
    assert process.returncode == 1

