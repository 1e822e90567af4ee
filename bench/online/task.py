"""Test-then-learn on the electricity stream: ours row by row from C++, beside River's GaussianNB.

The stream is electricity/electricity_openml.csv in SUFFICE_DATA (else ../shared/data beside the source).
"""
import csv
import os
import pathlib
import subprocess
import time

from bench.contest import Entry

ROOT = pathlib.Path(__file__).resolve().parents[2]
STREAM = pathlib.Path(os.environ.get("SUFFICE_DATA", ROOT.parent / "shared/data")) / "electricity/electricity_openml.csv"


def ours(case: str) -> list[Entry]:
    build = ROOT / "build/release"
    subprocess.run(["cmake", "--preset", "release"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", build, "--target", "online_bench"], check=True, stdout=subprocess.DEVNULL)
    printed = subprocess.run([build / "online_bench", STREAM, "class", first_column()], check=True, capture_output=True,
                             text=True).stdout
    entries = []
    for line in printed.splitlines():
        model, memory, accuracy, nanoseconds = line.split()
        entries.append(Entry("online", case, f"suffice {model}, memory {memory}", float(nanoseconds) * 1e-9, 0, 5,
                             f"accuracy {accuracy}"))
    return entries


def first_column() -> str:
    with open(STREAM, newline="") as file:
        return next(csv.reader(file))[0] or "c1"


def river(case: str, limit: int) -> Entry:
    from river import naive_bayes
    with open(STREAM, newline="") as file:
        names, *rows = csv.reader(file)
    stream = [({name: float(cell) for name, cell in zip(names[1:-1], row[1:-1])}, row[-1]) for row in rows[:limit]]
    model, right = naive_bayes.GaussianNB(), 0
    started = time.process_time()
    for x, y in stream:
        right += model.predict_one(x) == y
        model.learn_one(x, y)
    spent = (time.process_time() - started) / len(stream)
    return Entry("online", case, "River GaussianNB", spent, 0, 1, f"accuracy {right / len(stream):.4f}")


def run(quick: bool) -> list[Entry]:
    """Processor seconds per row (both run on one thread), scoring and learning together; quick gives River the first 5,000 rows only."""
    case = "electricity, per row"
    if not STREAM.exists():
        return [Entry("online", case, "suffice", float("nan"), 0, 0, f"{STREAM.name} is not there")]
    return ours(case) + [river(case, 5000 if quick else 10**9)]
