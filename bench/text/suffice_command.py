"""Ours through the command line, from a folder of files; starting and writing the model included."""
import json
import pathlib
import subprocess

from bench.places import COMMAND

NAME = "suffice fit"


def fit(train: pathlib.Path) -> pathlib.Path:
    model = train.parent / "model.suf"
    subprocess.run([COMMAND, "fit", train, "--model", "multinomial_nb", "--smoothing", "0.01", "--encoding", "latin-1", "-q", "-o", model],
                   check=True)
    return model


def accuracy(model: pathlib.Path, test: pathlib.Path) -> float:
    told = subprocess.run([COMMAND, "evaluate", model, test, "--encoding", "latin-1", "--json"], check=True, capture_output=True, text=True)
    return json.loads(told.stdout)["accuracy"]
