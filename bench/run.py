"""Runs the benchmark tasks and writes bench/results/DATE-CPU.json, with a Markdown table and a chart beside it.

usage: bench/run.py [--quick] [TASK...]    (tasks that are not run keep what that file holds of them)

A task is a folder with task.py, which defines run(quick) -> list of Entry; the first contender of a case is ours.
"""
import dataclasses
import datetime
import importlib
import json
import math
import os
import pathlib
import platform
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from bench.chart import chart  # noqa: E402  (the folder above must be on the path first)
from bench.contest import Entry  # noqa: E402


def processor() -> str:
    text = pathlib.Path("/proc/cpuinfo").read_text() if pathlib.Path("/proc/cpuinfo").exists() else ""
    names = re.findall(r"model name\s*: (.*)", text)
    return names[0].strip() if names else platform.machine()


def table(entries: list[Entry]) -> str:
    """Rivals are given as a multiple of our time in the same run."""
    lines = ["| task | case | contender | median | spread | times ours | note |", "|---|---|---|---|---|---|---|"]
    ours: dict[tuple[str, str], float] = {}
    for entry in entries:
        first = ours.setdefault((entry.task, entry.case), entry.seconds)
        timed = not math.isnan(entry.seconds)
        lines.append(f"| {entry.task} | {entry.case} | {entry.contender} | "
                     + (f"{entry.seconds * 1e3:.3g} ms | {entry.spread * 1e3:.2g} ms | {entry.seconds / first:.2f} |"
                        if timed else "- | - | - |") + f" {entry.note} |")
    return "\n".join(lines)


def merged(path: pathlib.Path, entries: list[Entry]) -> list[Entry]:
    """What was measured now, and of the other tasks what the file of today holds."""
    if not path.exists():
        return entries
    done = {entry.task for entry in entries}
    old = [Entry(**{**each, "seconds": math.nan if each["seconds"] is None else each["seconds"]})
           for each in json.loads(path.read_text())["entries"] if each["task"] not in done]
    return sorted(old + entries, key=lambda entry: entry.task)


def main() -> None:
    quick = "--quick" in sys.argv
    chosen = [name for name in sys.argv[1:] if not name.startswith("-")]
    tasks = chosen or sorted(path.parent.name for path in HERE.glob("*/task.py"))
    entries: list[Entry] = []
    for task in tasks:
        print(f"running {task}", file=sys.stderr, flush=True)
        entries += importlib.import_module(f"bench.{task}.task").run(quick)
    about = {"date": datetime.date.today().isoformat(), "processor": processor(),
             "cores": len(os.sched_getaffinity(0)), "quick": quick}
    stem = f"{about['date']}-{re.sub(r'[^A-Za-z0-9]+', '-', about['processor']).strip('-')}" + ("-quick" if quick else "")
    results = HERE / "results"
    results.mkdir(exist_ok=True)
    entries = merged(results / f"{stem}.json", entries)
    print(table(entries))
    kept = [{key: None if isinstance(value, float) and math.isnan(value) else value
             for key, value in dataclasses.asdict(entry).items()} for entry in entries]
    (results / f"{stem}.json").write_text(json.dumps({**about, "entries": kept}, indent=1) + "\n")
    (results / f"{stem}.md").write_text(f"{about['processor']}, {about['cores']} cores, {about['date']}\n\n{table(entries)}\n")
    (results / f"{stem}.svg").write_text(chart(entries))
    print(f"written to {(results / stem).relative_to(HERE.parent)}.json, .md and .svg", file=sys.stderr)


main()
