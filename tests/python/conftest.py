"""Real data sets that are kept beside the repository; a test that needs one skips where it is absent."""
import functools
import os
import pathlib
import tarfile

import pytest

FOLDER = pathlib.Path(os.environ.get("SUFFICE_DATA") or pathlib.Path(__file__).parents[3] / "shared" / "data")


@pytest.fixture(scope="session")
def newsgroups():
    """newsgroups("train"), newsgroups("test"): documents and class names of 20 Newsgroups by date."""
    path = FOLDER / "20newsgroups" / "20news-bydate.tar.xz"
    if not path.exists():
        pytest.skip(f"{path.name} is not there")

    @functools.cache
    def read(part):
        found = {}
        with tarfile.open(path) as archive:
            for member in archive:
                if member.isfile() and f"-{part}/" in member.name:
                    found[member.name] = archive.extractfile(member).read().decode("latin-1")
        return [found[name] for name in sorted(found)], [name.split("/")[-2] for name in sorted(found)]

    return read


@pytest.fixture(scope="session")
def sms():
    """Messages and whether each is ham or spam."""
    path = FOLDER / "smsspam" / "SMSSpamCollection"
    if not path.exists():
        pytest.skip(f"{path.name} is not there")
    lines = [line.split("\t", 1) for line in path.read_text(encoding="utf-8").splitlines()]
    return [line[1].strip() for line in lines], [line[0] for line in lines]
