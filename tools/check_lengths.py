"""Fails when a function has more lines than fit a screen: sixty, its docstring not counted.

usage: check_lengths.py FOLDER...

C++ as clang-format leaves it: a function begins with a statement that has parameters and ends in a brace, all within is indented
further, and it ends at the brace of the statement's own indentation.
"""
import ast
import pathlib
import re
import sys

MOST = 60
NO_FUNCTION = re.compile(r"(?:namespace|struct|class|enum|union|if|for|while|switch|else|do|extern|case|default|try|catch|return)\b|[}{(\"]")
ENDS = (";", "}", "{", ":", "*/")


def statement_start(lines: list[str], line: int) -> int:
    """The first line of the statement that goes on in this one."""
    while line > 0 and lines[line - 1].strip() and not lines[line - 1].rstrip().endswith(ENDS) \
            and not lines[line - 1].lstrip().startswith(("//", "#")):
        line -= 1
    return line


def indentation(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def in_cpp(path: pathlib.Path):
    lines = path.read_text().split("\n")
    for at, line in enumerate(lines):
        if not line.rstrip().endswith("{") or line.lstrip().startswith("//"):
            continue
        start = statement_start(lines, at)
        head = " ".join(each.strip() for each in lines[start:at + 1])
        if "(" not in head or NO_FUNCTION.match(head):
            continue
        indent = indentation(lines[start])
        end = next((k for k in range(at + 1, len(lines)) if lines[k] and not lines[k].startswith("#") and indentation(lines[k]) <= indent), at)
        if lines[end].startswith(" " * indent + "}"):
            yield start + 1, end - start + 1, head


def in_python(path: pathlib.Path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            text = node.body[0] if ast.get_docstring(node) is not None else None
            yield node.lineno, node.end_lineno - node.lineno + 1 - (text.end_lineno - text.lineno + 1 if text else 0), node.name


found = []
for folder in map(pathlib.Path, sys.argv[1:]):
    for path in sorted(folder.rglob("*")):
        functions = in_cpp if path.suffix in (".cpp", ".hpp", ".h") else in_python if path.suffix == ".py" else None
        found += [f"{path}:{line}: {length} lines: {name[:80]}" for line, length, name in (functions(path) if functions else ()) if length > MOST]
print("\n".join(found) or "lengths: ok")
sys.exit(bool(found))
