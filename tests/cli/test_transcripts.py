"""Runs the transcripts VERB/CASE.txt: "$ command" lines, each followed by what the command shall print.

Standard output and error count alike; "[2]" after the output is the exit code where that is not 0. A line "..." stands for
any lines. Times are not compared. `SUFFICE_UPDATE=1 pytest tests/cli/test_transcripts.py` writes what was printed into the
transcripts (look at the difference before you commit it).
"""
import os
import pathlib
import re
import subprocess

import pytest

HERE = pathlib.Path(__file__).resolve().parent
CASES = sorted(HERE.glob("*/*.txt"))
TIMES = (re.compile(r"[0-9.e+-]+ s, [0-9,]+ rows/s"), "0.01 s, 100 rows/s")


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
    lines = TIMES[0].sub(TIMES[1], done.stdout.decode()).splitlines()
    return lines + ([f"[{done.returncode}]"] if done.returncode else [])


def agree(expected, printed):
    pattern = "".join("(?:.*\n)*" if line == "..." else re.escape(line) + "\n" for line in expected)
    return re.fullmatch(pattern, "".join(line + "\n" for line in printed)) is not None


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
