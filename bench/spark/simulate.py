"""What 1,000 workers would take: a pass over rows, then statistics merged in a tree, with stragglers and retries.

usage: .venv/bin/python bench/spark/simulate.py [--svg FILE]

Costs of a row and of a merge are measured here on one core (its time, not the clock's), through the package; bandwidth, latency, stragglers and
failures are stated below. Nothing but a simulation: no cluster was run.
"""
import argparse
import math
import time

import numpy
import pyarrow

import suffice

WORKERS = 1000
BANDWIDTH = 1.25e9  # bytes a second of a worker's network: 10 Gbit/s
LATENCY = 0.01  # seconds from asking a task to its start, and of each transfer
STRAGGLERS = 0.02, 3.0  # the share of tasks that take so many times as long
FAILURES = 0.005  # of tasks: begun again from the start
SEED = 1


def table(rows: int, columns: int, classes: int) -> pyarrow.Table:
    draw = numpy.random.default_rng(SEED)
    y = draw.integers(0, classes, rows)
    return pyarrow.table({"y": y, **{f"x{j}": draw.normal(size=rows) + (y == j % classes) for j in range(columns)}})


def measured(columns: int, classes: int, model: str) -> tuple[float, float, int]:
    """Seconds a row, seconds a merge of two, bytes of a statistic: medians of five."""
    rows = max(20_000, 40 * classes)
    some = table(rows, columns, classes)
    plan = suffice.plan_statistics(some.slice(0, 5000), "y", model)

    def seconds(work) -> float:  # type: ignore[no-untyped-def]
        times = []
        for _ in range(5):
            started = time.process_time()
            work()
            times.append(time.process_time() - started)
        return sorted(times)[2]

    half = rows // 2
    whole = seconds(lambda: suffice.statistics_of(some, "y", model, plan=plan, threads=1))
    part = seconds(lambda: suffice.statistics_of(some.slice(0, half), "y", model, plan=plan, threads=1))
    bytes_made = suffice.statistics_of(some, "y", model, plan=plan, threads=1)
    merge = seconds(lambda: suffice.merge_bytes([bytes_made, bytes_made]))
    return max(whole - part, whole / 4) / (rows - half), merge, len(bytes_made)


def task_seconds(work: float, draw: numpy.random.Generator, count: int) -> numpy.ndarray:
    """Each task: its work, some of them slow, some begun again after having failed at a random moment."""
    share, factor = STRAGGLERS
    took = work * numpy.where(draw.uniform(size=count) < share, factor, 1.0) * draw.uniform(0.9, 1.1, count)
    failed = draw.uniform(size=count) < FAILURES
    return LATENCY + took + numpy.where(failed, draw.uniform(size=count) * took + LATENCY, 0.0)


def tree_seconds(ready: numpy.ndarray, size: int, merge: float, fan_in: int, draw: numpy.random.Generator) -> float:
    """Statistics go to one of each fan_in neighbours, level by level; it takes them one after the other."""
    while len(ready) > 1:
        level = []
        for start in range(0, len(ready), fan_in):
            arrived = numpy.sort(ready[start:start + fan_in])
            clock = arrived[0]
            for each in arrived[1:]:
                clock = max(clock, each + LATENCY) + size / BANDWIDTH + merge
            level.append(clock)
        ready = numpy.array(level)
    return float(ready[0])


def round_seconds(rows: float, cost: tuple[float, float, int], fan_in: int) -> tuple[float, float]:
    """(seconds of the pass until the last worker is done, seconds of the whole round)"""
    row, merge, size = cost
    draw = numpy.random.default_rng(SEED)
    ready = task_seconds(rows / WORKERS * row, draw, WORKERS)
    return float(ready.max()), tree_seconds(ready, size, merge, fan_in, draw)


def drawn(lines: dict[str, list[tuple[float, float]]]) -> str:
    """Seconds of a round against rows, both logarithmic."""
    width, height, left, bottom = 640, 380, 70, 50
    points = [point for line in lines.values() for point in line]
    low_x, high_x = (f(math.log10(x) for x, _ in points) for f in (min, max))
    low_y, high_y = math.floor(min(math.log10(y) for _, y in points)), math.ceil(max(math.log10(y) for _, y in points))
    x_of = lambda x: left + (math.log10(x) - low_x) / (high_x - low_x) * (width - left - 180)  # noqa: E731
    y_of = lambda y: height - bottom - (math.log10(y) - low_y) / (high_y - low_y) * (height - bottom - 30)  # noqa: E731
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="11">'
           f'<title>Seconds of one round on {WORKERS} workers</title><rect width="{width}" height="{height}" fill="white"/>']
    for power in range(int(low_x), int(high_x) + 1):
        out.append(f'<text x="{x_of(10.0 ** power):.0f}" y="{height - bottom + 18}" text-anchor="middle">10^{power}</text>')
    for power in range(low_y, high_y + 1):
        out.append(f'<text x="{left - 8}" y="{y_of(10.0 ** power) + 4:.0f}" text-anchor="end">{10.0 ** power:g} s</text>')
        out.append(f'<path d="M{left} {y_of(10.0 ** power):.1f}H{width - 180}" stroke="#ddd"/>')
    colours = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00"]
    for (name, line), colour in zip(lines.items(), colours):
        path = "M" + "L".join(f"{x_of(x):.1f} {y_of(y):.1f}" for x, y in line)
        out.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out.append(f'<text x="{width - 174}" y="{y_of(line[-1][1]) + 4:.0f}" fill="{colour}">{name}</text>')
    out.append(f'<text x="{left}" y="18">seconds of one round on {WORKERS} workers against rows (simulated)</text></svg>')
    return "\n".join(out) + "\n"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--svg", help="where the chart goes")
    given = arguments.parse_args()
    cases = {"naive Bayes, d=20, k=2": (20, 2, "gaussian_nb"), "QDA, d=20, k=2": (20, 2, "qda"),
             "QDA, d=100, k=10": (100, 10, "qda"), "QDA, d=300, k=10": (300, 10, "qda")}
    lines: dict[str, list[tuple[float, float]]] = {}
    print(f"{'case':<24}{'ns a row':>10}{'us a merge':>12}{'KB':>8}{'rows':>8}{'pass s':>9}" + "".join(f"{f'+tree {f}':>11}" for f in (2, 16, 1000)))
    for name, (columns, classes, model) in cases.items():
        cost = measured(columns, classes, model)
        for power in (9, 10, 11, 12):
            passes, _ = round_seconds(10.0 ** power, cost, 16)
            trees = [round_seconds(10.0 ** power, cost, fan_in)[1] - passes for fan_in in (2, 16, 1000)]
            print(f"{name:<24}{cost[0] * 1e9:>10.0f}{cost[1] * 1e6:>12.0f}{cost[2] / 1000:>8.0f}{f'1e{power}':>8}{passes:>9.2f}"
                  + "".join(f"{each:>11.3f}" for each in trees))
            lines.setdefault(name, []).append((10.0 ** power, passes + trees[1]))
    if given.svg:
        with open(given.svg, "w") as file:
            file.write(drawn(lines))


if __name__ == "__main__":
    main()
