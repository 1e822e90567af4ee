"""Every example in a docstring runs and prints what it says."""
import doctest
import importlib

import pytest

import suffice

HOMES = {getattr(suffice, name).__module__ for name in suffice.__all__ if hasattr(getattr(suffice, name), "__module__")}
MODULES = sorted(HOMES | {"suffice", "suffice.families"})


@pytest.mark.parametrize("module", MODULES)
def test_examples(module):
    done = doctest.testmod(importlib.import_module(module), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert done.failed == 0 and done.attempted > 0
