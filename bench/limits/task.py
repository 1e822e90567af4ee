"""What this machine can do at most: bytes read per second from memory and operations per second in a matrix product."""
import numpy

from bench.contest import Entry, contest, entrants

READ, PRODUCT = "read memory", "matrix product"


def run(quick: bool) -> list[Entry]:
    values = numpy.random.default_rng(1).random(1 << (25 if quick else 27))
    size = 2048
    square = values[: size * size].reshape(size, size)
    module = entrants("limits")["numpy"]
    budget = 0.5 if quick else 3.0
    read = contest("limits", READ, {"numpy": lambda: module.read(values)}, budget_seconds=budget, bytes=values.nbytes)
    product = contest("limits", PRODUCT, {"numpy": lambda: module.product(square)}, budget_seconds=budget, operations=2 * size**3)
    read[0].note = f"{values.nbytes / read[0].seconds / 1e9:.1f} GB/s"
    product[0].note = f"{2 * size**3 / product[0].seconds / 1e9:.0f} GF/s"
    return read + product
