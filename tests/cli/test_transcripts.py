"""Runs the transcripts VERB/CASE.txt: "$ command" lines, each followed by what the command shall print.

Standard output and error count alike; "[2]" after the output is the exit code where that is not 0. A line "..." stands for
any lines. Numbers are compared to their last digit, times not at all (tools/near.py). To write what was printed into the
transcripts: `SUFFICE_UPDATE=1 pytest tests/cli/test_transcripts.py` (look at the difference before you commit it).
"""
import os
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tools"))
from near import near_lines  # noqa: E402
CASES = sorted(HERE.glob("*/*.txt"))


def read(path):
    """(command, expected lines) pairs behind the opening remarks."""
    remarks, steps = [], []
    for line in path.read_text().splitlines():
        if line.startswith("$ "):
            steps.append((line[2:], []))
        else:
            (steps[-1][1] if steps else remarks).append(line)
    return remarks, steps


def run(command, folder):
    environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "SUFFICE_THREADS": "2", "LC_ALL": "C"}
    done = subprocess.run(["bash", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment,
                          stdin=subprocess.DEVNULL, timeout=120)
    lines = done.stdout.decode().splitlines()
    return lines + ([f"[{done.returncode}]"] if done.returncode else [])


def agree(expected, printed):
    """Whether the printed lines are those expected, up to last digits of numbers."""
    if "..." not in expected:
        return near_lines(expected, printed)
    at = expected.index("...")
    rest = expected[at + 1:]
    return agree(expected[:at], printed[:at]) and any(agree(rest, printed[k:]) for k in range(at, len(printed) + 1))


@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_transcript(path, folder, command):
    remarks, steps = read(path)
    outcome = [(line, expected, run(line, command.parent)) for line, expected in steps]
    if os.environ.get("SUFFICE_UPDATE"):
        text = [*remarks]
        for line, expected, printed in outcome:
            text += ["$ " + line, *(expected if expected and agree(expected, printed) else printed)]
        path.write_text("\n".join(text) + "\n")
        return
    for line, expected, printed in outcome:
        while expected and not expected[-1]:
            expected.pop()  # empty lines before the next command
        while printed and not printed[-1]:
            printed.pop()
        assert agree(expected, printed), f"$ {line}\nexpected:\n" + "\n".join(expected) + "\nprinted:\n" + "\n".join(printed)
