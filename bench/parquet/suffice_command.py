"""Ours through the command line."""
import pathlib
from collections.abc import Callable

from bench.csv import suffice_command

NAME = "suffice fit"


def numbers(path: pathlib.Path) -> Callable[[], list[list[float]]]:
    return suffice_command.numbers(path)
