"""Reading alone, GB/s: a CSV and a Parquet file of twenty numbers and a class, into columns."""
import pathlib
import tempfile

import bench.csv.task
import bench.parquet.task
from bench.contest import Entry, absent, contest, entrants


def run(quick: bool) -> list[Entry]:
    entries: list[Entry] = []
    row_count = 100_000 if quick else 1_000_000
    ours, *rivals = entrants("read").items()
    with tempfile.TemporaryDirectory() as folder:
        for kind in ("csv", "parquet"):
            path = pathlib.Path(folder) / f"rows.{kind}"
            if kind == "csv":
                bench.csv.task.write(path, row_count, "%.6g")
                size = path.stat().st_size
            else:
                size = bench.parquet.task.write(path, row_count, "none")
            case = f"{kind}, {row_count} x 21"
            seconds, rows = ours[1].seconds_and_rows(path, 5 if quick else 9)
            if rows != row_count:
                raise SystemExit(f"read: ours finds {rows} rows of {row_count} in {path.name}")
            timed = [Entry("read", case, ours[0], seconds, repetitions=9, bytes=size)]
            for who, module in rivals:
                if module and module.rows(path) != row_count:
                    timed.append(absent("read", case, who, "its answer differs"))
                    continue
                timed += contest("read", case, {who: module and (lambda module=module: module.rows(path))},
                                 budget_seconds=0.2 if quick else 1.0, bytes=size)
            for entry in timed:
                entry.note = entry.note or f"{size / entry.seconds / 1e9:.3g} GB/s" + ("; least" if entry is timed[0] else "")
            entries += timed
    return entries
