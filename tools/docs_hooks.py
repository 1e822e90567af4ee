"""Formulas in the documentation become MathML while it is built, so that pages need neither a network nor a script, and the
reference of C++ is written from the headers.

$...$ is a formula within a line and $$...$$ one of its own; code keeps its dollars.
"""
import pathlib
import re
import shutil
import sys

import latex2mathml.converter

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import cpp_reference

BUILT = pathlib.Path("build")
HEADERS_HERE = "<!-- the public headers -->"
FENCED_CODE = re.compile(r"(?ms)^(?P<fence> *(?:```|~~~)).*?^(?P=fence) *$")
CODE_OR_FORMULA = re.compile(
    r"(?P<code>`[^`\n]+`)|\$\$(?P<block>.+?)\$\$|(?<![\\$\w])\$(?P<inline>[^\s$](?:[^$\n]*[^\s$])?)\$(?!\w)", re.DOTALL)


def render(match: re.Match) -> str:
    if match["code"]:
        return match["code"]
    if match["block"]:
        return latex2mathml.converter.convert(match["block"].strip(), display="block")
    # Markdown takes a line that begins with <math> for a block of its own; a span stays within the paragraph.
    formula = latex2mathml.converter.convert(match["inline"])
    if r"\frac" in match["inline"]:  # within a line fractions would be too small to read
        formula = formula.replace("<math ", '<math displaystyle="true" ', 1)
    return f"<span>{formula}</span>"


def on_page_markdown(markdown: str, **_) -> str:
    """Called by MkDocs with the text of each page."""
    if HEADERS_HERE in markdown:
        markdown = markdown.replace(HEADERS_HERE, cpp_reference.reference())
    parts, end = [], 0
    for code in FENCED_CODE.finditer(markdown):
        parts += [CODE_OR_FORMULA.sub(render, markdown[end:code.start()]), code[0]]
        end = code.end()
    return "".join([*parts, CODE_OR_FORMULA.sub(render, markdown[end:])])


def on_post_page(output: str, page, **_) -> str:
    """Console blocks get a button that runs them in the reader's browser, where the page is built."""
    if not (BUILT / "page" / "docs.js").exists() or "language-console" not in output:
        return output
    return output.replace("</body>", f'<script src="{"../" * page.url.count("/")}page/docs.js"></script></body>')


def on_post_build(config, **_):
    """The page that `make page` built goes with the documentation, which shows it."""
    site = pathlib.Path(config["site_dir"])
    if (BUILT / "page").is_dir():
        shutil.copytree(BUILT / "page", site / "page", dirs_exist_ok=True)
        shutil.copy(BUILT / "suffice.html", site / "suffice.html")
