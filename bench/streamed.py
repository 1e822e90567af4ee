"""Rows made up as they are read: feeds a command through a pipe and tells its time and peak memory."""
import dataclasses
import pathlib
import random
import subprocess
import sys


@dataclasses.dataclass
class Streamed:
    """A block of rows in CSV, repeated as often as it takes: what counts here is how many there are."""
    columns: int
    rows_of_block: int = 20_000

    def __post_init__(self) -> None:
        draw = random.Random(1)
        line = ",".join(["%.6g"] * self.columns) + ",%d\n"
        labels = [draw.randrange(2) for _ in range(self.rows_of_block)]
        self.head = (",".join(f"x{k}" for k in range(self.columns)) + ",kind\n").encode()
        self.block = "".join(line % (*(draw.gauss(label, 1) for _ in range(self.columns)), label) for label in labels).encode()

    def write(self, file, row_count: int) -> int:  # type: ignore[no-untyped-def]
        """Writes that many rows (a last block is cut) and returns the bytes."""
        written = file.write(self.head)
        blocks, rest = divmod(row_count, self.rows_of_block)
        for _ in range(blocks):
            written += file.write(self.block)
        return written + file.write(b"".join(line + b"\n" for line in self.block.split(b"\n")[:rest]))

    def feed(self, command: list[str | pathlib.Path], row_count: int) -> tuple[float, float, float, int, str]:
        """Wall and processor seconds, peak bytes, bytes fed, what the command printed."""
        process = subprocess.Popen([sys.executable, "-S", pathlib.Path(__file__).with_name("peak.py"), *command],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        with process.stdin:
            size = self.write(process.stdin, row_count)
        printed, told = process.stdout.read(), process.stderr.read()
        if process.wait() != 0:
            raise RuntimeError(told.decode())
        wall, processor, peak = map(float, told.decode().splitlines()[-1].split())
        return wall, processor, peak, size, printed.decode()


class StreamedText(Streamed):
    """Documents with their words in another order, repeated: the vocabulary is that of the first block."""

    def __init__(self, documents: list[str], labels: list[str]) -> None:
        self.columns, self.rows_of_block = 1, len(documents)
        draw = random.Random(1)
        rows = []
        for text, label in zip(documents, labels):
            words = text.replace('"', " ").split()
            draw.shuffle(words)
            rows.append(f'"{" ".join(words)}",{label}\n')
        draw.shuffle(rows)
        self.head, self.block = b"text,kind\n", "".join(rows).encode()
