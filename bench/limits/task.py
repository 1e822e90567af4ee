"""What this machine can do at most: bytes read per second from memory and multiply-adds per second."""
import numpy

from bench.contest import Entry, contest


def run(quick: bool) -> list[Entry]:
    values = numpy.random.default_rng(1).random(1 << (24 if quick else 27))
    size = 1024 if quick else 2048
    square = values[: size * size].reshape(size, size)
    read = contest("limits", f"sum of {values.nbytes >> 20} MiB", {"numpy": values.sum})
    product = contest("limits", f"product of {size} x {size}", {"numpy": lambda: square @ square})
    read[0].note = f"{values.nbytes / read[0].seconds / 1e9:.1f} GB/s"
    product[0].note = f"{2 * size**3 / product[0].seconds / 1e9:.0f} GF/s"
    return read + product
