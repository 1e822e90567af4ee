"""Fails when library code calls what it must not: hidden state, draws that differ between platforms, output, exits;
and when one of its sentences names an option or a verb of the command, which a user of C++ or Python does not have.

usage: check_calls.py src/suffice
"""
import pathlib
import re
import sys

REFUSED = {
    r"lgamma[fl]?\s*\(": "lgamma writes the global signgam; use suffice::log_gamma",
    r"(?:s?rand|random|drand48|srandom)\s*\(": "a global generator; draw from suffice's generators",
    r"std::random_device\b": "seeds come from Context",
    r"std::\w+_distribution\b": "its draws differ between standard libraries",
    r"std::(?:cout|cerr|clog|wcout|wcerr)\b": "the library never prints",
    r"(?:f|v|vf)?printf\s*\(": "the library never prints",
    r"(?:f?puts|f?putc|putchar|perror)\s*\(": "the library never prints",
    r"(?:std::)?(?:abort|exit|_Exit|quick_exit|terminate)\s*\(": "the library never ends the process",
}
PATTERNS = [(re.compile(r"(?<![\w.>:])(?:std::|::)?" + call), reason) for call, reason in REFUSED.items()]
NOT_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\'', re.DOTALL)


COMMENT_OR_TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|"((?:\\.|[^"\\\n])*)"', re.DOTALL)
VERBS = ("fit|predict|evaluate|inspect|explain|derive|merge|update|forget|sample|compare|calibrate|cluster|density|report|plot|"
         "completion|help")
COMMAND_WORDS = re.compile(rf"(?<![\w(-])--[a-z]|\bsuffice (?:{VERBS})\b")  # var(--ink) is of style sheets


def blank(match: re.Match) -> str:
    return re.sub(r"[^\n]", " ", match[0])


def faults(root: pathlib.Path) -> list[str]:
    found = []
    for path in sorted(root.rglob("*.[hc]pp")):
        text = path.read_text()
        for match in COMMENT_OR_TEXT.finditer(text):
            named = COMMAND_WORDS.search(match[1] or "")
            if named:
                line = text.count("\n", 0, match.start()) + 1
                found.append(f"{path}:{line}: {named[0]}: an Error or a Note carries a Remedy, which each surface spells")
        code = NOT_CODE.sub(blank, text)
        for number, line in enumerate(code.splitlines(), 1):
            for pattern, reason in PATTERNS:
                match = pattern.search(line)
                if match:
                    found.append(f"{path}:{number}: {match[0].strip()}: {reason}")
    return found


found = faults(pathlib.Path(sys.argv[1]))
print("\n".join(found) or "calls: ok")
sys.exit(bool(found))
