"""The numeric kernels on one and two threads and their share of the machine; tests/kernel checks their answers."""
from bench.contest import Entry, entrants


def run(quick: bool) -> list[Entry]:
    groups = ["moments", "scores"] if quick else ["moments", "scatter", "scores", "categories", "composed"]
    (who, module), = entrants("kernel").items()
    return [Entry("kernel", f"{name}, {threads} threads", who, seconds, repetitions=10, note="least of ten", bytes=size, operations=operations)
            for name, threads, seconds, size, operations in module.measured(groups)]
