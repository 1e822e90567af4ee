"""Where the benchmarks find the command, the C++ programs beside the tasks, and the real data."""
import functools
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[1]
COMMAND = pathlib.Path(os.environ.get("SUFFICE", ROOT / "build" / "suffice"))
DATA = pathlib.Path(os.environ.get("SUFFICE_DATA") or ROOT.parent / "shared" / "data")


@functools.cache
def program(name: str) -> pathlib.Path:
    """bench/*/NAME.cpp, built as the release is."""
    build = ROOT / "build" / "release"
    subprocess.run(["cmake", "--preset", "release"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", build, "--target", name], check=True, stdout=subprocess.DEVNULL)
    return build / name
