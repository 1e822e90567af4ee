"""Every example in a docstring runs and prints what it says."""
import doctest
import importlib

import pytest

MODULES = ["suffice", "suffice.naive_bayes", "suffice.discriminant_analysis", "suffice.generative",
           "suffice.statistics", "suffice.families", "suffice.decisions", "suffice.patching"]


@pytest.mark.parametrize("module", MODULES)
def test_examples(module):
    done = doctest.testmod(importlib.import_module(module), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert done.failed == 0 and done.attempted > 0
