"""Ours from C++, the documents in memory."""
import os
import pathlib
import subprocess

from bench.flatten import flatten
from bench.places import program
from bench.scripts import LETTERS, move_letters

NAME = "suffice (C++)"


def measured(folder: pathlib.Path, repeats: int) -> tuple[dict[str, float], int, float]:
    """Least seconds to fit and to classify; the size of the vocabulary and the accuracy on the test part."""
    for part in ("train", "test"):
        flatten(folder / f"20news-bydate-{part}", folder / part)
    return timed(folder / "train", folder / "test", repeats,
                 os.environ.get("SUFFICE_THREADS", str(len(os.sched_getaffinity(0)))))


def timed(train: pathlib.Path, test: pathlib.Path, repeats: int, threads: str) -> tuple[dict[str, float], int, float]:
    printed = subprocess.run([program("text_bench"), train, test, threads, str(repeats)], check=True,
                             capture_output=True, text=True).stdout.splitlines()
    times = {line.split()[0]: float(line.split()[1]) for line in printed[1:]}
    answer = dict(zip(printed[0].split()[::2], printed[0].split()[1::2]))
    return times, int(answer["vocabulary"]), float(answer["accuracy"])


def in_scripts(folder: pathlib.Path, repeats: int) -> dict[str, tuple[float, int]]:
    """Least seconds of one core to fit, and the bytes, with the letters of the flattened documents moved to other scripts."""
    found = {}
    for script in LETTERS:
        size = move_letters(folder / "train", folder / "moved", script)
        found[script] = timed(folder / "moved", folder / "moved", repeats, "1")[0]["fit"], size
    return found
