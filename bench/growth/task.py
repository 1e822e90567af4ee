"""How time and peak memory grow with rows (streamed too), columns, classes and threads: cost is linear where the nanoseconds
a cell stay the same."""
import pathlib
import re
from collections.abc import Callable

import numpy
from threadpoolctl import threadpool_limits

from bench.classifiers.task import gaussian_rows
from bench.contest import Entry, absent, contest, entrants
from bench.streamed import Streamed

STATUS, CLEAR = pathlib.Path("/proc/self/status"), pathlib.Path("/proc/self/clear_refs")


def resident(what: str) -> float:
    found = re.search(rf"^{what}:\s*(\d+) kB", STATUS.read_text(), re.M)
    return float(found[1]) * 1024 if found else 0.0


def extra_peak(work: Callable[[], object]) -> float:
    """Bytes that a call needs at its peak beyond what this process held before (Linux)."""
    try:
        CLEAR.write_text("5")  # the peak is counted anew from here
    except OSError:
        return 0.0
    before = resident("VmRSS")
    work()
    return max(resident("VmHWM") - before, 0.0)


def agree(rows: numpy.ndarray):  # type: ignore[no-untyped-def]
    return lambda ours, theirs: bool(numpy.abs(ours.predict_proba(rows) - theirs.predict_proba(rows)).max() < 1e-7)


def in_memory(name: str, X: numpy.ndarray, y: numpy.ndarray, title: str, axis: str, size: float, rivals: bool, budget: float) -> list[Entry]:
    makers = {who: module for who, module in entrants("growth").items() if module is None or hasattr(module, "make")}
    models = {who: module and module.make(name) for who, module in makers.items() if rivals or who == "suffice"}
    runs = {who: model and (lambda model=model: model.fit(X, y)) for who, model in models.items()}
    timed = contest("growth", f"{name} fit, {title}", runs, agree(X[:200]), budget, bytes=X.nbytes, axis=axis, size=size)
    for entry in timed:
        if not entry.note:
            entry.peak_bytes = extra_peak(runs[entry.contender])
            entry.note = f"{entry.seconds / X.size * 1e9:.3g} ns a cell"
    return timed


def streamed(quick: bool) -> list[Entry]:
    rows = Streamed(4)
    entries: list[Entry] = []
    for power in range(4, 7 if quick else 9):
        row_count, answer = 10**power, None
        for who, module in entrants("growth").items():
            if module is None or not hasattr(module, "streamed") or row_count > module.MOST_ROWS:
                continue
            case = f"GaussianNB fit, {row_count} rows x 4 through a pipe"
            wall, peak, size, means = module.streamed(rows, row_count)
            answer = means if answer is None else answer
            if not numpy.allclose(answer, means, rtol=1e-9):
                entries.append(absent("growth", case, who, "its answer differs"))
                continue
            entries.append(Entry("growth", case, who, wall, repetitions=1, bytes=size, peak_bytes=peak, axis="rows through a pipe",
                                 size=row_count, note=f"{wall / row_count / 4 * 1e9:.3g} ns a cell, {size / wall / 1e9:.3g} GB/s"))
    return entries


def run(quick: bool) -> list[Entry]:
    budget = 0.1 if quick else 0.5
    entries = streamed(quick)
    for rows in (10_000, 100_000, 1_000_000) if quick else (10_000, 100_000, 1_000_000, 10_000_000):
        X, y = gaussian_rows(rows, 10, 5)
        for name in ("GaussianNB", "LinearDiscriminantAnalysis"):
            entries += in_memory(name, X, y, f"{rows} rows x 10", f"rows, {name}", rows, rows <= 1_000_000, budget)
    for columns in (4, 20, 100, 500, 2000):
        X, y = gaussian_rows(4_000 if quick else 20_000, columns, 2)
        entries += in_memory("GaussianNB", X, y, f"{columns} columns, {len(X)} rows", "columns", columns, True, budget)
    for classes in (2, 10, 100, 1000):
        X, y = gaussian_rows(20_000 if quick else 200_000, 20, classes)
        entries += in_memory("GaussianNB", X, y, f"{classes} classes, {len(X)} x 20", "classes", classes, classes <= 100, budget)
    X, y = gaussian_rows(50_000 if quick else 500_000, 50, 5)
    for threads in (1, 2):
        with threadpool_limits(threads):
            for name in ("GaussianNB", "QuadraticDiscriminantAnalysis"):
                entries += in_memory(name, X, y, f"{threads} threads, {len(X)} x 50", f"threads, {name}", threads, False, budget)
    return entries
