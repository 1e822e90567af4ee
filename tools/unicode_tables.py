"""Writes src/suffice/encode/unicode_tables.cpp from this Python's own Unicode database, so that words and case are Python's.

usage: unicode_tables.py > src/suffice/encode/unicode_tables.cpp
"""
import unicodedata

WORD, SPACE, CASED, IGNORABLE, DECOMPOSES = 1, 2, 4, 8, 16
BLOCK = 128
CODES = range(0x110000)
HANGUL = range(0xAC00, 0xD7A4)
SIGMA, FINAL_SIGMA = "\u03a3", "\u03c2"


def stripped(char: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", char) if not unicodedata.combining(c))


def record(code: int) -> tuple[int, int]:
    """Distance to the lower-case code point, and properties."""
    char = chr(code)
    if 0xD800 <= code < 0xE000:
        return 0, 0
    lower = char.lower()
    if code == 0x130:
        assert lower == "i\u0307"
        lower = char  # the one that becomes two; the reader of the table knows it
    assert len(lower) == 1, hex(code)
    flags = WORD * (char.isalnum() or char == "_") + SPACE * char.isspace()
    # Python tells these two only through what it does to a capital sigma after them.
    cased = (char + SIGMA).lower().endswith(FINAL_SIGMA)
    flags += CASED * cased + IGNORABLE * (not cased and ("A" + char + SIGMA).lower().endswith(FINAL_SIGMA))
    if code not in HANGUL and stripped(char) != char:
        flags += DECOMPOSES
    return ord(lower) - code, flags


def table(name: str, kind: str, values: list, per_line: int = 24) -> None:
    print(f"const {kind} {name}[] = {{")
    for at in range(0, len(values), per_line):
        print("    " + ", ".join(str(v) for v in values[at:at + per_line]) + ",")
    print("};")


records: dict[tuple[int, int], int] = {}
codes = [records.setdefault(record(c), len(records)) for c in CODES]
assert len(records) <= 256
blocks: dict[tuple[int, ...], int] = {}
first = [blocks.setdefault(tuple(codes[at:at + BLOCK]), len(blocks)) for at in range(0, len(codes), BLOCK)]
assert len(blocks) <= 65536
letters: list[int] = []
plain: list[str] = []
for code in CODES:
    if list(records)[codes[code]][1] & DECOMPOSES:
        text = stripped(chr(code))
        plain.append(f"{{{code}, {len(letters)}, {len(text)}}}")
        letters += map(ord, text)
plain_count = len(plain)

print(f"// Words, spaces, case and accents of Unicode {unicodedata.unidata_version}, "
      "written by tools/unicode_tables.py; do not edit.")
print('#include "suffice/encode/unicode.hpp"\n')
print("// clang-format off")
print("namespace suffice::unicode {\n")
print(f'const char* const version = "{unicodedata.unidata_version}";')
table("block_of", "std::uint16_t", first)
table("record_of", "std::uint8_t", [v for block in blocks for v in block], 40)
table("records", "Properties", [f"{{{delta}, {flags}}}" for delta, flags in records], 12)
print(f"const std::uint32_t plain_count = {plain_count};")
table("plain_of", "Plain", plain, 8)
table("plain_letters", "char32_t", letters, 20)
print("\n}  // namespace suffice::unicode")
