"""Ours row by row from C++: three models, with four lengths of memory each."""
import pathlib
import subprocess

from bench.places import program

NAME = "suffice (C++)"


def measured(stream: pathlib.Path, rows: int) -> list[tuple[str, float, float]]:
    """Name, seconds of processor a row, accuracy; the first column is a row number and is left out."""
    with stream.open() as file:
        first = file.readline().split(",")[0].strip().strip('"') or "c1"
    printed = subprocess.run([program("online_bench"), stream, "class", first], check=True, capture_output=True, text=True).stdout
    found = []
    for line in printed.splitlines():
        model, memory, accuracy, nanoseconds = line.split()
        found.append((f"suffice {model}, memory {memory}", float(nanoseconds) * 1e-9, float(accuracy)))
    return found
