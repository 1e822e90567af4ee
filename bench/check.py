"""Fails where a ratio measured now is below half of the recorded one. Not part of `make test`: machines are noisy.

usage: bench/check.py [TASK...]    (quick runs; the record is the newest file of bench/results)
"""
import importlib
import json
import math
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from bench.chart import ratios  # noqa: E402  (the folder above must be on the path first)
from bench.contest import Entry  # noqa: E402


def shape(case: str) -> str:
    return re.sub(r"[0-9,.]+", "#", case)  # a quick run has fewer rows


record = max(path for path in (HERE / "results").glob("*.json") if "quick" not in path.name)
known = [Entry(**{**each, "seconds": math.nan if each["seconds"] is None else each["seconds"]})
         for each in json.loads(record.read_text())["entries"]]
tasks = sys.argv[1:] or sorted({entry.task for entry in known} & {path.parent.name for path in HERE.glob("*/task.py")})
expected = {(shape(case), rival): ratio for case, rival, ratio in ratios(known)}
slow = []
for task in tasks:
    for case, rival, ratio in ratios(importlib.import_module(f"bench.{task}.task").run(True)):
        before = expected.get((shape(case), rival))
        if before is not None and ratio < before / 2:
            slow.append(f"{case}: {rival} takes {ratio:.2f} times ours, recorded {before:.2f}")
print("\n".join(slow) or f"bench: {len(tasks)} tasks within half of {record.name}")
sys.exit(bool(slow))
