"""Moves the letters of flattened documents (bench/flatten.py) to other scripts, case kept where there is one."""
import pathlib
import string
import struct

# CJK has words of many letters here, where real text has few: what is measured is the reading of three-byte letters.
LETTERS = {
    "accented": dict(zip("jkqvxz", "çöüéñà")),
    "Greek": dict(zip(string.ascii_lowercase, "αβγδεζηθικλμνξοπρστυφχψωάέ")),
    "Cyrillic": dict(zip(string.ascii_lowercase, "абвгдежзийклмнопрстуфхцчшщ")),
    "Arabic": dict(zip(string.ascii_lowercase, "ابتثجحخدذرزسشصضطظعغفقكلمنه")),
    "CJK": {letter: chr(0x4E00 + 61 * k) for k, letter in enumerate(string.ascii_lowercase)},
}


def move_letters(base: pathlib.Path, out: pathlib.Path, script: str) -> int:
    """BASE.txt and BASE.idx to OUT.txt and OUT.idx; returns the bytes written."""
    letters = LETTERS[script]
    table = str.maketrans({**letters, **{lower.upper(): other.upper() for lower, other in letters.items()}})
    text = pathlib.Path(f"{base}.txt").read_bytes()
    written = at = 0
    with open(f"{out}.txt", "wb") as moved, open(f"{out}.idx", "wb") as index:
        for label, size in struct.iter_unpack("ii", pathlib.Path(f"{base}.idx").read_bytes()):
            document = text[at:at + size].decode().translate(table).encode()
            moved.write(document)
            index.write(struct.pack("ii", label, len(document)))
            at += size
            written += len(document)
    return written
