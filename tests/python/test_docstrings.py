"""Every example in a docstring runs and prints what it says."""
import doctest
import importlib
import inspect

import pytest

import suffice
from sklearn.feature_extraction import text
from sklearn.utils import all_estimators

HOMES = {getattr(suffice, name).__module__ for name in suffice.__all__ if hasattr(getattr(suffice, name), "__module__")}
MODULES = sorted(HOMES | {"suffice", "suffice.families", "suffice.family_statistic", "suffice.family_values", "suffice.math", "suffice.serve"})


@pytest.mark.parametrize("module", MODULES)
def test_examples(module):
    done = doctest.testmod(importlib.import_module(module), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert done.failed == 0 and done.attempted > 0


THEIRS = dict(all_estimators()) | {name: getattr(text, name) for name in dir(text) if name.endswith("Vectorizer")}
CLASSES = [name for name in suffice.__all__ if inspect.isclass(getattr(suffice, name)) and hasattr(getattr(suffice, name), "fit")]


@pytest.mark.parametrize("name", CLASSES)
def test_every_class_is_documented_in_full(name):
    told = inspect.getdoc(getattr(suffice, name))
    for part in ("Parameters\n", "See Also\n", ">>> "):
        assert part in told, part
    assert "Attributes\n" in told or name == "HashingVectorizer"  # which learns nothing
    assert not [line for line in told.splitlines() if line.startswith("<") and line.endswith(">")], "a passage without a text"
    if name in THEIRS:
        assert len(told) >= len(inspect.getdoc(THEIRS[name])) / 2
