"""Ours from C++: every column decoded and added up, in constant memory."""
import os
import pathlib
import subprocess

from bench.places import program

NAME = "suffice (C++)"


def seconds_and_rows(path: pathlib.Path, repeats: int) -> tuple[float, int]:
    threads = os.environ.get("SUFFICE_THREADS", str(len(os.sched_getaffinity(0))))
    printed = subprocess.run([program("csv_bench"), path, threads, str(repeats)], check=True, capture_output=True, text=True).stdout
    words = printed.replace(",", " ").split()
    return float(words[words.index("s") - 1]), int(words[words.index("rows") - 1])
