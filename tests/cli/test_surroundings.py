"""What is around the command changes no bit of what it says and saves: time zone, language, cores, mask, blanks in paths, the user."""
import functools
import os
import pathlib
import re
import shutil
import stat
import subprocess
import tempfile

import pytest

ROWS = "when,amount,town,kind\n" + "".join(
    f"2024-{3 + k % 9:02}-{1 + k * 7 % 28:02} {k % 24:02}:30,{(k * 37 % 101) / 8},{('Köln', 'Oslo', 'İzmir')[k * k % 3]},{'ab'[k * k % 7 < 3]}\n"
    for k in range(200))
JOBS = (("fit", "rows.csv", "--target", "kind", "-o", "m.suf"), ("predict", "m.suf", "rows.csv", "--proba"), ("inspect", "m.suf"),
        ("evaluate", "m.suf", "rows.csv", "--json"), ("fit", "rows.csv", "--target", "kind", "--model", "logistic_regression", "-o", "r.suf"),
        ("cluster", "rows.csv", "--exclude", "kind,town,when*", "--k", "2", "--json"))


def said_and_saved(command, folder, words=(), **around):
    """What every job says, on both streams, and the bytes of the models."""
    (folder / "rows.csv").write_text(ROWS)
    said = []
    for job in JOBS:
        done = subprocess.run([command, *job, *words], cwd=folder, capture_output=True, timeout=300, **around)
        assert done.returncode == 0, done.stderr
        said.append((done.stdout, re.sub(rb"\n[^\n]* s, [^\n]* rows/s\n", b"\n", done.stderr)))  # how long it took is another matter
    return said, [(folder / name).read_bytes() for name in ("m.suf", "r.suf")]


@functools.cache
def as_usual(command):
    with tempfile.TemporaryDirectory() as folder:
        return said_and_saved(command, pathlib.Path(folder))


@pytest.fixture
def usual(command):
    return as_usual(command)


@pytest.mark.parametrize("around", [{"TZ": "Asia/Kathmandu"}, {"TZ": "America/St_Johns"}, {"LC_ALL": "C"}, {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"},
                                    {"LC_ALL": "de_DE.UTF-8", "LC_NUMERIC": "de_DE.UTF-8"}, {"LC_ALL": "not a locale"}], ids=lambda each: next(iter(each.values())))
def test_time_zone_and_language(command, tmp_path, usual, around):
    assert said_and_saved(command, tmp_path, env={**os.environ, **around}) == usual


def test_no_environment_at_all(command, tmp_path, usual):
    kept = {name: value for name, value in os.environ.items() if name in ("SUFFICE_TARGET", "ASAN_OPTIONS")}
    assert said_and_saved(command, tmp_path, env=kept) == usual


@pytest.mark.parametrize("threads", [1, 2, 64])
def test_threads(command, tmp_path, usual, threads):
    assert said_and_saved(command, tmp_path, ("--threads", str(threads))) == usual


def test_one_core(command, tmp_path, usual):
    core = min(os.sched_getaffinity(0))
    assert said_and_saved(command, tmp_path, preexec_fn=lambda: os.sched_setaffinity(0, {core})) == usual


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o077])
def test_mask(command, tmp_path, usual, mask):
    assert said_and_saved(command, tmp_path, umask=mask) == usual
    assert stat.S_IMODE((tmp_path / "m.suf").stat().st_mode) == 0o666 & ~mask


def test_a_path_with_blanks_and_quotes(command, tmp_path, usual):
    folder = tmp_path / "my rows, \"new\" 'ones' $HOME ü"
    folder.mkdir()
    program = folder / "suffice it"
    shutil.copy(command, program)
    assert said_and_saved(program, folder) == usual
    done = subprocess.run([program, "fit", folder / "rows.csv", "--target", "kind", "-q", "-o", folder / "my model.suf"], capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"") and (folder / "my model.suf").exists()


def test_somebody_who_may_do_little(command, usual):
    if os.getuid() != 0:
        pytest.skip("only root can become somebody else")
    with tempfile.TemporaryDirectory(dir="/tmp") as place:
        folder = pathlib.Path(place)
        folder.chmod(0o755)
        program = shutil.copy(command, folder / "suffice")
        own = folder / "own"
        own.mkdir()
        os.chown(own, 65534, 65534)
        assert said_and_saved(program, own, user=65534, group=65534, extra_groups=[]) == usual
        done = subprocess.run([program, "fit", "rows.csv", "--target", "kind", "-o", "../m.suf"], cwd=own, capture_output=True, text=True,
                              user=65534, group=65534, extra_groups=[])
        assert done.returncode == 1 and done.stderr.count("\n") == 1 and "m.suf" in done.stderr
