"""The examples that are scripts run, and print what they promise. (Those in C++ are built by tests/install/run.)"""
import os
import pathlib
import subprocess
import sys
import tarfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"


@pytest.fixture
def run(folder, command):
    def start(*words):
        environment = {**os.environ, "PATH": f"{command.parent}:{os.environ['PATH']}"}
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=300, env=environment)
        assert done.returncode == 0, done.stderr
        return done.stdout
    return start


def test_the_spam_filter_learns_a_mail_and_forgets_it(run):
    spam, ham, seat = run(sys.executable, EXAMPLES / "spam_filter" / "spam_filter.py").splitlines()
    assert float(spam.split()[-1]) > 0.9 > 0.1 > float(ham.split()[-1])
    before, after, forgotten = (float(word.rstrip(",")) for word in seat.split() if word.rstrip(",").startswith("0."))
    assert after < before == forgotten


def test_penguins_add_up(run):
    pytest.importorskip("suffice")
    printed = run(sys.executable, EXAMPLES / "penguins" / "penguins.py", ROOT / "data" / "penguins.csv")
    assert "three seasons added up are the whole: True" in printed
    assert "a season taken out was never there: True" in printed
    assert "decisions change" in printed


def test_the_figures_of_a_first_lecture_are_drawn(run, folder):
    assert int(run(EXAMPLES / "figures" / "figures.sh", ROOT / "data", folder).split()[-1]) == 11


def test_the_spam_filter_reads_a_folder_of_real_mail(run, folder):
    archives = sorted((ROOT.parent / "shared" / "data" / "enron1").glob("*.tar.gz"))
    if not archives:
        pytest.skip("the Enron mails are not here")
    with tarfile.open(archives[0]) as archive:
        members = [member for member in archive if member.isfile() and member.name.endswith(".txt")]
        archive.extractall(folder, members[::10], filter="data")  # a tenth is enough, and quick
    mail = next(path.parent for path in pathlib.Path(folder).rglob("spam"))
    spam, ham, _ = run(sys.executable, EXAMPLES / "spam_filter" / "spam_filter.py", mail).splitlines()
    assert float(spam.split()[-1]) > 0.5 > float(ham.split()[-1])
