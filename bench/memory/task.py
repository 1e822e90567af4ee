"""Peak memory of the command on a file of 2 GB, on a pipe stopped after 20 GB and on 2 GB of text, and the time it takes to start."""
import pathlib
import subprocess
import tempfile
import time

from bench.contest import Entry, absent, entrants, quartile_distance
from bench.places import DATA
from bench.streamed import Streamed, StreamedText
from bench.text_python.task import newsgroups

LIMIT = 200e6  # bytes, of a fit of whatever size


def of_text(quick: bool) -> list[Entry]:
    """20 Newsgroups again and again: the memory is that of the vocabulary, whatever the size."""
    (who, module), = entrants("memory").items()
    if not (DATA / "20newsgroups").is_dir():
        return [absent("memory", "pipe of text", who, "the data are not there")]
    documents, labels = newsgroups("train")
    rows = StreamedText(documents, list(labels))
    blocks = (200_000_000 if quick else 2_000_000_000) // len(rows.block)
    with tempfile.TemporaryDirectory() as folder:
        command = [*module.fit("-", pathlib.Path(folder) / "m.suf"), "--model", "multinomial_nb"]
        least = rows.feed(command, rows.rows_of_block)[2]
        wall, processor, peak, size, _ = rows.feed(command, rows.rows_of_block * blocks)
    return [Entry("memory", f"pipe of text, {size / 1e9:.1f} GB", who, wall, repetitions=1, bytes=size, peak_bytes=peak,
                  note=f"{processor:.1f} s of processor time; {least / 1e6:.0f} MB for the first {len(rows.block) / 1e6:.0f} MB")]


def run(quick: bool) -> list[Entry]:
    entries: list[Entry] = []
    rows = Streamed(20)
    row_count = (200_000_000 if quick else 2_000_000_000) * rows.rows_of_block // len(rows.block)
    (who, module), = entrants("memory").items()
    with tempfile.TemporaryDirectory() as folder:
        path, model = pathlib.Path(folder) / "big.csv", pathlib.Path(folder) / "m.suf"
        with path.open("wb") as file:
            rows.write(file, row_count)
        for title, source, count in (("file of", path, 0), ("pipe stopped after", "-", row_count * (3 if quick else 10))):
            wall, processor, peak, fed, _ = rows.feed(module.fit(source, model), count)
            size = fed if count else path.stat().st_size
            verdict = "" if peak < LIMIT else ", ABOVE the limit of 200 MB"
            entries.append(Entry("memory", f"{title} {size / 1e9:.1f} GB", who, wall, repetitions=1, bytes=size, peak_bytes=peak,
                                 note=f"{processor:.1f} s of processor time{verdict}"))
            path.unlink(missing_ok=True)
    times = []
    for _ in range(20):
        started = time.perf_counter()
        subprocess.run(module.start(), check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - started)
    entries += of_text(quick)
    return [*entries, Entry("memory", "start", "suffice --version", min(times), quartile_distance(times), len(times), "the quickest of 20")]
