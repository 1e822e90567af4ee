"""Fails where a ratio measured now is below half of the recorded one. Not part of `make test`: machines are noisy.

usage: bench/check.py [--record FILE] [TASK...]    (full runs of the tasks; the record is the newest file of bench/results)
"""
import argparse
import importlib
import json
import math
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from bench.chart import ratios  # noqa: E402  (the folder above must be on the path first)
from bench.contest import Entry  # noqa: E402


def recorded(path: pathlib.Path) -> list[Entry]:
    return [Entry(**{**each, "seconds": math.nan if each["seconds"] is None else each["seconds"]})
            for each in json.loads(path.read_text())["entries"]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--record", type=pathlib.Path)
    parser.add_argument("task", nargs="*")
    given = parser.parse_args()
    record = given.record or max(path for path in (HERE / "results").glob("*.json") if "quick" not in path.name)
    quick = bool(json.loads(record.read_text())["quick"])  # like is compared with like: ratios grow with the number of rows
    known = recorded(record)
    tasks = given.task or sorted({entry.task for entry in known} & {path.parent.name for path in HERE.glob("*/task.py")})
    expected = {(case, rival): ratio for case, rival, ratio in ratios(known)}
    slow, compared = [], 0
    for task in tasks:
        for case, rival, ratio in ratios(importlib.import_module(f"bench.{task}.task").run(quick)):
            before = expected.get((case, rival))
            compared += before is not None
            if before is not None and ratio < before / 2:
                slow.append(f"{case}: {rival} takes {ratio:.2f} times ours, recorded {before:.2f}")
    print("\n".join(slow) or f"bench: {compared} ratios of {len(tasks)} tasks are at least half of those in {record.name}")
    sys.exit(bool(slow) or compared == 0)


main()
