"""What counts as the same where a text or a picture was made by another processor (tools/near.py)."""
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
from near import near, near_picture  # noqa: E402


@pytest.mark.parametrize("shown, printed", [
    ("accuracy 0.9733  log loss 0.04\nrows 150", "accuracy 0.9734  log loss 0.04\nrows 150"),
    ("a -0.00 b", "a  0.00 b"),
    ("setosa 1e-10 ... x", "setosa 9.99e-11 by far x"),
    ("[1.5, -2.25]", "[1.5, -2.26]"),
    ("-1234.567891234", "-1234.567891299"),
    ("2 groups after 2 steps", "2 groups after 14 steps"),
    ("0.00838 s, 41,030 rows/s", "0.0142 s, 24,215 rows/s"),
])
def test_last_digits_do_not_matter(shown, printed):
    assert near(shown, printed)


@pytest.mark.parametrize("shown, printed", [
    ("rows 150", "rows 151"),
    ("accuracy 0.9733", "accuracy 0.9736"),
    ("a  1.0", "a 1.0"),
    ("one", "one\ntwo"),
    ("p 1e-10", "p 3e-10"),
    ("2 groups after 2 steps", "3 groups after 2 steps"),
])
def test_all_else_does(shown, printed):
    assert not near(shown, printed)


def test_pictures_may_differ_by_less_than_is_seen():
    shown = '<path d="M1 2l3 0.01z"/><text>0.97</text>'
    assert near_picture(shown, '<path d="M1.01 2l3-0.01z"/><text>0.97</text>')
    assert not near_picture(shown, '<path d="M1.1 2l3-0.01z"/><text>0.97</text>')
    assert not near_picture(shown, '<path d="M1 2l3 0.01z"/><text>0.92</text>')
