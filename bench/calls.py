"""The median and the 99th percentile of many calls of one function, for tasks where one call is too short for a contest."""
import time
from collections.abc import Callable


def quantiles(work: Callable[[], object], calls: int) -> tuple[float, float, object]:
    answer = work()
    times = []
    for _ in range(calls):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    times.sort()
    return times[calls // 2], times[calls * 99 // 100], answer
