"""Times contenders against each other: answers are checked first, repetitions are interleaved, medians are kept."""
import dataclasses
import statistics
import time
from collections.abc import Callable


@dataclasses.dataclass
class Entry:
    """One contender's time on one case; seconds is the median, spread the distance between the quartiles."""
    task: str
    case: str
    contender: str
    seconds: float
    spread: float
    repetitions: int
    note: str = ""


def quartile_distance(times: list[float]) -> float:
    if len(times) < 4:
        return max(times) - min(times)
    first, _, third = statistics.quantiles(times, n=4)
    return third - first


def come_to_rest(longest_seconds: float = 1.0) -> None:
    """Waits until no thread of this process runs: OpenBLAS's spin on for 20 to 50 ms after a call, and whoever comes
    next would share the cores with them."""
    stop = time.perf_counter() + longest_seconds
    pause = 0.02
    while time.perf_counter() < stop:
        before = time.process_time()
        time.sleep(pause)
        if time.process_time() - before < 0.05 * pause:
            return


def contest(task: str, case: str, contenders: dict[str, Callable[[], object]],
            agree: Callable[[object, object], bool] | None = None, budget_seconds: float = 3.0) -> list[Entry]:
    """Runs each contender once to warm up, then all in turn until the budget is spent (three rounds at least).

    The first contender is ours. A rival whose answer does not agree with ours is not timed; its entry says so.
    """
    answers = {name: run() for name, run in contenders.items()}
    ours = next(iter(contenders))
    wrong = {name for name in contenders if agree is not None and not agree(answers[ours], answers[name])}
    del answers
    times: dict[str, list[float]] = {name: [] for name in contenders if name not in wrong}
    stop = time.perf_counter() + budget_seconds * len(times)
    while time.perf_counter() < stop or len(times[ours]) < 3:
        for name, kept in times.items():
            come_to_rest()
            started = time.perf_counter()
            contenders[name]()
            kept.append(time.perf_counter() - started)
    entries = [Entry(task, case, name, statistics.median(kept), quartile_distance(kept), len(kept))
               for name, kept in times.items()]
    return entries + [Entry(task, case, name, float("nan"), 0, 0, "its answer differs") for name in sorted(wrong)]
