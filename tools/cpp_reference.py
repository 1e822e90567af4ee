"""The reference of the public C++ headers, as Markdown: of exactly those that src/suffice/PUBLIC lists, in its order, what each is for
and what it declares. Private members, includes and the tables by which settings find their names are left out, and bodies too."""
import pathlib
import re

SOURCES = pathlib.Path(__file__).resolve().parent.parent / "src" / "suffice"
SIGNATURE = r"^( *(?:[^\n;{}/]|\{\})*\))((?: const| noexcept| override| &&| &|&)*)"
BODY_IN_LINE = re.compile(SIGNATURE + r"(?: : [^\n]*?)? \{[^\n]*\}( *//[^\n]*)?$", re.MULTILINE)
BODY_BELOW = re.compile(SIGNATURE + r"(?:\s+: [^;]*?)? \{( *//[^\n]*)?$", re.MULTILINE)


def public_headers() -> list[str]:
    return re.findall(r"^[a-z]\S*$", (SOURCES / "PUBLIC").read_text(), re.MULTILINE)


def end_of(text: str, start: int) -> int:
    """Behind the brace that closes the one at or after start, and the semicolon behind it."""
    depth = 0
    for place in range(text.index("{", start), len(text)):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if depth == 0:
            return place + 1 + (text[place + 1 : place + 2] == ";")
    raise ValueError(f"a brace is not closed: {text[start:start + 80]}")


def without(text: str, beginning: str) -> str:
    """Text without the declarations that begin so, which end with a closed brace."""
    while found := re.search(beginning, text, re.MULTILINE):
        text = text[: found.start()] + text[end_of(text, found.start()) :].lstrip("\n")
    return text


def without_private(text: str) -> str:
    while found := re.search(r"^\n?private:$", text, re.MULTILINE):
        text = text[: found.start()].rstrip() + "\n" + text[text.index("\n};", found.start()) + 1 :]
    return text


def declarations(text: str) -> str:
    text = text[text.index("#pragma once") :]
    text = re.sub(r"^#(?!define).*\n|^(?:inline )?namespace \w+ \{\n|^\}  // namespace.*\n", "", text, flags=re.MULTILINE)
    text = without_private(without(text, r"^ *static constexpr auto fields\b"))
    text = re.sub(r"^template <>\ninline constexpr std::array<[^;]*;\n", "", text, flags=re.MULTILINE)  # names of enumerators
    text = without(text, r"^template <>\nstruct SettingCodec")
    text = BODY_IN_LINE.sub(r"\1\2;\3", text)
    while found := BODY_BELOW.search(text):
        text = text[: found.start()] + found[1] + found[2] + ";" + (found[3] or "") + text[end_of(text, text.rindex("{", 0, found.end())) :]
    text = re.sub(r"\)\s+: \w+\([^\n]*\);", ");", text)  # what constructors begin with
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def reference() -> str:
    """A section for each header."""
    parts = []
    for header in public_headers():
        text = (SOURCES / header).read_text()
        about = " ".join(line.removeprefix("//").strip() for line in text[: text.index("#pragma once")].splitlines() if not line.startswith("//   "))
        parts.append(f"## {header}\n\n{about}\n\n```c++\n#include \"suffice/{header}\"\n\n{declarations(text)}\n```\n")
    return "\n".join(parts)
