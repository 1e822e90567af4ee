"""NumPy on every core: a sum that reads memory, and OpenBLAS's matrix product."""
import os
from concurrent.futures import ThreadPoolExecutor

import numpy

NAME = "numpy"
CORES = len(os.sched_getaffinity(0))
POOL = ThreadPoolExecutor(CORES)


def read(values: numpy.ndarray) -> float:
    return sum(POOL.map(numpy.sum, numpy.array_split(values, CORES)))


def product(square: numpy.ndarray) -> numpy.ndarray:
    return square @ square
