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



def seconds_of_cpu(process):
    """What the process has used so far."""
    user, system = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def run_until(words, seconds):
    """Runs a command, ends it once it has computed for so long; its exit code, what it computed until it was told, and from then on."""
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while (used := seconds_of_cpu(process)) < seconds and not os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
        time.sleep(0.002)
    os.kill(process.pid, signal.SIGTERM)  # terminate() would wait for one that has ended
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, used, usage.ru_utime + usage.ru_stime - used


def wide_file(columns, rows):
    with open("wide.csv", "w") as file:
        file.write(",".join(f"c{k}" for k in range(columns)) + ",y\n")
        for row in range(rows):
            file.write(",".join(str((k * row) % 7) for k in range(columns)) + f",{'ab'[row % 2]}\n")


def crowded_file(classes):
    with open("crowded.csv", "w") as file:
        file.write("x,z,y\n" + "".join(f"{k % 97},{k * 31 % 89},c{k}\n" for k in range(classes)))


@pytest.mark.parametrize("what", ["wide", "crowded"])
def test_opening_looking_reading_and_saving_are_ended(suffice, command, what):
    """Wherever a fit is, SIGTERM ends it within a second of computing: 200,000 columns, or as many classes."""
    wide_file(200_000, 40) if what == "wide" else crowded_file(200_000)
    words = [command, "fit", f"{what}.csv", "--target", "y", "--model", "gaussian_nb", "--threads", "1", "-o", "m.suf"]
    code, whole, _ = run_until(words, 1e9)
    assert code == 0
    pathlib.Path("m.suf").unlink()
    for tenth in (1, 3, 5, 7, 9):
        code, used, more = run_until(words, whole * tenth / 10)
        assert code in (0, 1) and (code != 0 or pathlib.Path("m.suf").exists()), tenth
        assert more < 1, f"told after {used:.1f} of {whole:.1f} s"
        pathlib.Path("m.suf").unlink(missing_ok=True)
