"""Ours: the numeric kernels themselves, from C++."""
import re
import subprocess

from bench.places import program

NAME = "suffice (C++)"


def measured(groups: list[str]) -> list[tuple[str, int, float, float, float]]:
    """Name, threads, seconds, bytes, operations."""
    found = []
    for group in groups:
        printed = subprocess.run([program("kernel_bench"), group], check=True, capture_output=True, text=True).stdout
        for name, threads, seconds, memory, arithmetic in re.findall(
                r"^(.+?) +threads (\d): +([\d.]+) s +([\d.]+) GB/s .*? +([\d.]+) GF/s", printed, re.M):
            found.append((name, int(threads), float(seconds), 1e9 * float(memory) * float(seconds),
                          1e9 * float(arithmetic) * float(seconds)))
    return found
