"""Runs the benchmark tasks and writes bench/results/DATE-CPU.json, with a Markdown table and charts beside it.

usage: bench/run.py [--quick] [TASK...]    (tasks that are not run keep what that file holds of them)

A task is a folder with task.py, which defines run(quick) -> list of Entry; its other files are the contenders.
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
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from bench.chart import chart, growth_chart  # noqa: E402  (the folder above must be on the path first)
from bench.contest import Entry  # noqa: E402
from bench.limits.task import PRODUCT, READ  # noqa: E402


def processor() -> str:
    text = pathlib.Path("/proc/cpuinfo").read_text() if pathlib.Path("/proc/cpuinfo").exists() else ""
    names = re.findall(r"model name\s*: (.*)", text)
    return names[0].strip() if names else platform.machine()


def share_of_machine(entry: Entry, limits: dict[str, Entry]) -> str:
    """The larger of the shares of memory bandwidth and of the rate of a matrix product, both as measured beside."""
    shares = []
    if READ in limits and entry.bytes:
        shares.append((entry.bytes / entry.seconds / (limits[READ].bytes / limits[READ].seconds), "memory"))
    if PRODUCT in limits and entry.operations:
        shares.append((entry.operations / entry.seconds / (limits[PRODUCT].operations / limits[PRODUCT].seconds), "DGEMM"))
    return "{:.0%} of {}".format(*max(shares)) if shares and max(shares)[0] >= 0.01 else ""


def times_ours(entry: Entry, first: Entry) -> str:
    if entry is first or math.isnan(first.seconds):
        return ""
    ratio = entry.seconds / first.seconds
    return f"{ratio:.2f}" + (", **quicker than ours**" if ratio < 1 and not entry.contender.startswith("suffice") else "")


def table(entries: list[Entry]) -> str:
    """Rivals are given as a multiple of our time in the same run."""
    lines = ["| task | case | contender | median | spread | times ours | of the machine | peak | note |", "|---|---|---|---|---|---|---|---|---|"]
    limits = {entry.case: entry for entry in entries if entry.task == "limits"}
    ours: dict[tuple[str, str], Entry] = {}
    for entry in entries:
        first = ours.setdefault((entry.task, entry.case), entry)
        peak = f"{entry.peak_bytes / 1e6:.3g} MB" if entry.peak_bytes > 1e5 else "under 0.1 MB" if entry.axis else ""
        cells = ["-", "-", "-", "", ""]
        if not math.isnan(entry.seconds):
            cells = [f"{entry.seconds * 1e3:.3g} ms", f"{entry.spread * 1e3:.2g} ms", times_ours(entry, first),
                     share_of_machine(entry, limits) if entry is first and entry.task != "limits" else "", peak]
        lines.append("| " + " | ".join([entry.task, entry.case, entry.contender, *cells, entry.note]) + " |")
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
    about = {"date": datetime.date.today().isoformat(), "processor": processor(),
             "cores": len(os.sched_getaffinity(0)), "quick": quick}
    stem = f"{about['date']}-{re.sub(r'[^A-Za-z0-9]+', '-', about['processor']).strip('-')}" + ("-quick" if quick else "")
    results = HERE / "results"
    results.mkdir(exist_ok=True)
    entries: list[Entry] = []
    for task in tasks:
        print(f"running {task}", end="", file=sys.stderr, flush=True)
        started = time.perf_counter()
        entries += importlib.import_module(f"bench.{task}.task").run(quick)
        print(f": {time.perf_counter() - started:.0f} s", file=sys.stderr, flush=True)
        write(results, stem, about, merged(results / f"{stem}.json", entries))
    print(table(merged(results / f"{stem}.json", entries)))
    print(f"written to {(results / stem).relative_to(HERE.parent)}.json, .md, .svg and -growth.svg", file=sys.stderr)


def write(results: pathlib.Path, stem: str, about: dict, entries: list[Entry]) -> None:
    """After each task, so that what was measured is kept where a later one fails."""
    kept = [{key: None if isinstance(value, float) and math.isnan(value) else value
             for key, value in dataclasses.asdict(entry).items()} for entry in entries]
    (results / f"{stem}.json").write_text(json.dumps({**about, "entries": kept}, indent=1) + "\n")
    charts = f"![how many times as long the rivals take]({stem}.svg)\n\n![growth of time and memory]({stem}-growth.svg)\n"
    (results / f"{stem}.md").write_text(f"{about['processor']}, {about['cores']} cores, {about['date']}\n\n{charts}\n{table(entries)}\n")
    (results / f"{stem}.svg").write_text(chart(entries))
    (results / f"{stem}-growth.svg").write_text(growth_chart(entries))


main()
