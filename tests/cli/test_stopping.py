"""SIGTERM and Ctrl-C end the command within a second in every phase, and nothing half is left."""

import os
import pathlib
import signal
import subprocess
import time

import pytest


def wait_until_caught(process, number):
    """Returns when the process has said that it handles the signal itself."""
    for _ in range(1000):
        caught = next(line for line in pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines() if line.startswith("SigCgt"))
        if int(caught.split()[1], 16) >> (number - 1) & 1:
            return
        time.sleep(0.01)
    raise AssertionError("the signal is never caught")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("words", [("fit", "-", "--target", "kind", "-o", "m.suf"), ("predict", "old.suf", "-")])
def test_waiting_for_standard_input_is_ended(suffice, command, number, words):
    pathlib.Path("rows.csv").write_text("x,kind\n1,a\n2,b\n3,a\n4,b\n")
    suffice("fit", "rows.csv", "--target", "kind", "-o", "old.suf")
    process = subprocess.Popen([command, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    wait_until_caught(process, number)
    process.send_signal(number)
    assert process.wait(timeout=10) == 1  # a second where the machine is idle; it had been never
    assert process.stderr.read() == b"The computation was stopped.\n"
    process.stdin.close()
    assert not pathlib.Path("m.suf").exists()


def test_a_pipe_that_never_opens_is_ended(command, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    process = subprocess.Popen([command, "fit", tmp_path / "pipe", "--target", "kind", "-o", tmp_path / "m.suf"],
                               stderr=subprocess.PIPE)
    wait_until_caught(process, signal.SIGTERM)
    process.terminate()
    assert process.wait(timeout=10) == 1

