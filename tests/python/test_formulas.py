"""Formulas in the documentation stay in their paragraph, and dollars in code stay dollars."""
import importlib.util
import pathlib

import pytest

markdown = pytest.importorskip("markdown")
pytest.importorskip("latex2mathml")
TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools" / "docs_hooks.py"


@pytest.fixture(scope="module")
def page():
    if not TOOL.exists():
        pytest.skip("tools/ is not here")
    found = importlib.util.spec_from_file_location("docs_hooks", TOOL)
    hooks = importlib.util.module_from_spec(found)
    found.loader.exec_module(hooks)
    return lambda text: markdown.markdown(hooks.on_page_markdown(text))


def test_a_formula_that_begins_a_line_does_not_end_the_paragraph(page):
    shown = page("words drawn from a vocabulary\n$V$ with probabilities $\\theta_t$:")
    assert shown.count("<p>") == 1 and shown.count("<math") == 2


def test_a_formula_of_its_own_is_a_block(page):
    assert 'display="block"' in page("before\n\n$$ x^2 $$\n\nafter")


def test_dollars_in_code_are_left_alone(page):
    assert "<math" not in page("`echo $HOME $PATH`")
