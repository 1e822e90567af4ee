"""Peak memory of the command on a file of 2 GB and on a pipe stopped after 20 GB, and the time it takes to start."""
import os
import pathlib
import random
import subprocess
import tempfile
import time

from bench.contest import Entry

COMMAND = pathlib.Path(os.environ.get("SUFFICE", pathlib.Path(__file__).resolve().parents[2] / "build" / "suffice"))
COLUMNS = 20
LIMIT = 200e6  # bytes, of a fit of whatever size


def block(row_count: int = 20_000) -> bytes:
    """Rows that are repeated: what counts here is how many there are."""
    draw = random.Random(1)
    line = ",".join(["%.6g"] * COLUMNS) + ",%d\n"
    labels = [draw.randrange(2) for _ in range(row_count)]
    return "".join(line % (*(draw.gauss(label, 1) for _ in range(COLUMNS)), label) for label in labels).encode()


def feed(file, rows: bytes, size: int) -> None:
    file.write((",".join(f"x{k}" for k in range(COLUMNS)) + ",kind\n").encode())
    for _ in range(size // len(rows)):
        file.write(rows)


def measured(process: subprocess.Popen) -> tuple[float, float]:
    """CPU seconds and peak bytes of a process that has ended."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024.0


def entry(case: str, seconds: float, cpu: float, peak: float) -> Entry:
    verdict = "" if peak < LIMIT else ", ABOVE the limit of 200 MB"
    return Entry("memory", case, "suffice fit", seconds, 0, 1, f"peak {peak / 1e6:.0f} MB, {cpu:.1f} s of processor time{verdict}")


def run(quick: bool) -> list[Entry]:
    entries: list[Entry] = []
    rows = block()
    with tempfile.TemporaryDirectory() as folder:
        words = ["--target", "kind", "--quiet", "-o", str(pathlib.Path(folder) / "m.suf")]
        path = pathlib.Path(folder) / "big.csv"
        size = 200_000_000 if quick else 2_000_000_000
        with path.open("wb") as file:
            feed(file, rows, size)
        started = time.perf_counter()
        cpu, peak = measured(subprocess.Popen([COMMAND, "fit", path, *words]))
        entries.append(entry(f"file of {size / 1e9:g} GB", time.perf_counter() - started, cpu, peak))
        path.unlink()
        size *= 10
        started = time.perf_counter()
        process = subprocess.Popen([COMMAND, "fit", "-", *words], stdin=subprocess.PIPE)
        feed(process.stdin, rows, size)
        process.stdin.close()
        cpu, peak = measured(process)
        entries.append(entry(f"pipe stopped after {size / 1e9:g} GB", time.perf_counter() - started, cpu, peak))
    times = []
    for _ in range(20):
        started = time.perf_counter()
        subprocess.run([COMMAND, "--version"], check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - started)
    entries.append(Entry("memory", "start", "suffice --version", min(times), max(times) - min(times), len(times), "the quickest of 20"))
    return entries
