"""Compares what is shown with what is printed or drawn now: words exactly, numbers to a tolerance.

The last bits of a fit depend on the instruction sets of the processor, so that a printed number may end in another digit and a
line of a picture may lie a hundredth of a pixel elsewhere. Whole numbers in text are counts and are compared exactly, but for
times and for the steps after which an iteration settles, which are the machine's.
"""
import base64
import re
import struct
import zlib

NUMBER = re.compile(r"(?<![\w.])[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w])")
DRAWN = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)")
IMAGE = re.compile(r"data:image/png;base64,([A-Za-z0-9+/=]+)")
MACHINE = [(re.compile(r"[0-9.e+-]+ s, [0-9,]+ rows/s"), "0.01 s, 100 rows/s"), (re.compile(r"after \d+ steps?\b"), "after some steps")]
PIXELS = 0.03  # of a place in a picture, which has two decimals
SHADES = 2  # of a colour of 255 in a picture made of pixels


def last_digit(number: str) -> float:
    """What one more in the last digit shown is worth; 0 for whole numbers."""
    digits, exponent, power = number.lower().partition("e")
    if "." not in digits and not exponent:
        return 0.0
    return 10.0 ** (int(power or 0) - len(digits.partition(".")[2]))


def close(shown: str, printed: str) -> bool:
    a, b, step = float(shown), float(printed), max(last_digit(shown), last_digit(printed))
    return a == b or (step > 0 and abs(a - b) <= max(1.01 * step, 1e-6 * abs(a), 1e-15))


def match_line(shown: str, printed: str, blanks: bool) -> list[tuple[str, str]] | None:
    """The numbers of two lines that are alike but for these, in pairs; None for others. Without `blanks` any do."""
    pieces = [re.escape(piece) for piece in NUMBER.split(shown)]
    pattern = r"([+-]?[\d.]+(?:[eE][+-]?\d+)?)".join(pieces).replace(re.escape("..."), ".*")
    if not blanks:
        pattern = r"\s*" + re.sub(r"(?:\\?\s)+", r"\\s+", pattern) + r"\s*"
    match = re.fullmatch(pattern, printed)
    return match and list(zip(NUMBER.findall(shown), match.groups()))


def of_any_machine(line: str) -> str:
    """The line without what only this machine and this run could print."""
    for pattern, words in MACHINE:
        line = pattern.sub(words, line)
    return line


def near_lines(shown: list[str], printed: list[str]) -> bool:
    """Whether lines differ in last digits only, and in the blanks that line numbers up where one grew longer."""
    shown, printed = [of_any_machine(line) for line in shown], [of_any_machine(line) for line in printed]
    if shown == printed:
        return True
    for blanks in (True, False):
        pairs = [match_line(line, other, blanks) for line, other in zip(shown, printed)]
        if len(shown) == len(printed) and None not in pairs:
            numbers = [pair for line in pairs for pair in line]
            return all(close(a, b) for a, b in numbers) and (blanks or any(len(a) != len(b) for a, b in numbers))
    return False


def near(shown: str, printed: str) -> bool:
    """The same of texts; "..." is anything within a line, blanks at the ends do not count."""
    return near_lines(shown.rstrip().splitlines(), printed.rstrip().splitlines())


def pixels(png: bytes) -> tuple[bytes, bytes]:
    """The head of a PNG and its unpacked lines."""
    at, head, packed = 8, b"", b""
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at:at + 8])
        body = png[at + 8:at + 8 + length]
        head, packed = (body, packed) if kind == b"IHDR" else (head, packed + body) if kind == b"IDAT" else (head, packed)
        at += 12 + length
    return head, zlib.decompress(packed)


def near_image(shown: str, drawn: str) -> bool:
    (head, a), (other, b) = (pixels(base64.b64decode(text)) for text in (shown, drawn))
    return head == other and len(a) == len(b) and all(abs(x - y) <= SHADES for x, y in zip(a, b))


def near_tag(shown: str, drawn: str) -> bool:
    a, b = DRAWN.findall(shown), DRAWN.findall(drawn)
    gaps = [DRAWN.sub("#", text).replace(" ", "") for text in (shown, drawn)]  # "l3 0.01" may become "l3-0.01"
    return gaps[0] == gaps[1] and all(abs(float(x) - float(y)) <= PIXELS for x, y in zip(a, b))


def near_picture(shown: str, drawn: str) -> bool:
    """Whether two SVG pictures differ by less than can be seen, and in words not at all."""
    images = IMAGE.findall(shown), IMAGE.findall(drawn)
    if len(images[0]) != len(images[1]) or not all(map(near_image, *images)):
        return False
    a, b = (re.split("(<[^>]*>)", IMAGE.sub("", text)) for text in (shown, drawn))
    return len(a) == len(b) and all(near_tag(x, y) if x.startswith("<") else near(x, y) for x, y in zip(a, b))
