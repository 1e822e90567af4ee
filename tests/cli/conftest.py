"""What tests of the command share: where it is, a folder with small data, and a way to run it."""
import os
import pathlib
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMAND = pathlib.Path(os.environ.get("SUFFICE", ROOT / "build" / "suffice")).resolve()
SHARED = ROOT.parent / "shared" / "data"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder to work in, with the data that ship with the project."""
    for file in (ROOT / "data").glob("*.csv"):
        shutil.copy(file, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def suffice(folder):
    """Runs the command; fails the test where it fails, unless another exit code is expected."""
    def run(*words, code=0, **keywords):
        done = subprocess.run([COMMAND, *map(str, words)], capture_output=True, timeout=600,
                              **{"text": "input" not in keywords or isinstance(keywords["input"], str), **keywords})
        assert done.returncode == code, f"exit code {done.returncode}: {done.stderr}"
        return done
    return run


@pytest.fixture
def command():
    return COMMAND


@pytest.fixture
def shared():
    """A file of the larger collection, where that is there."""
    def find(name):
        if not (SHARED / name).exists():
            pytest.skip(f"{name} is not here")
        return SHARED / name
    return find
