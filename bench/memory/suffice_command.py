"""Ours through the command line."""
import pathlib

from bench.places import COMMAND

NAME = "suffice fit"


def fit(source: str | pathlib.Path, model: pathlib.Path) -> list[str | pathlib.Path]:
    return [COMMAND, "fit", source, "--target", "kind", "--quiet", "-o", model]


def start() -> list[str | pathlib.Path]:
    return [COMMAND, "--version"]
