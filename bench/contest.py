"""Times contenders against each other: answers are checked first, repetitions are interleaved, medians are kept."""
import dataclasses
import importlib
import pathlib
import statistics
import time
from collections.abc import Callable, Sequence
from types import ModuleType


@dataclasses.dataclass
class Entry:
    """One contender's time on one case; seconds is the median, spread the distance between the quartiles.

    bytes and operations are what the case must read and compute at least, so that its share of the machine can be told;
    axis and size place it on a growth curve.
    """
    task: str
    case: str
    contender: str
    seconds: float
    spread: float = 0.0
    repetitions: int = 0
    note: str = ""
    bytes: float = 0.0
    operations: float = 0.0
    peak_bytes: float = 0.0
    axis: str = ""
    size: float = 0.0


def absent(task: str, case: str, contender: str, why: str) -> Entry:
    return Entry(task, case, contender, float("nan"), note=why)


def entrants(task: str) -> dict[str, ModuleType | None]:
    """The contenders of a task, one file of its folder each, by their NAME and ours first; None where one is not installed."""
    found: dict[str, ModuleType | None] = {}
    files = [path.stem for path in (pathlib.Path(__file__).parent / task).glob("*.py") if path.stem != "task"]
    for stem in sorted(files, key=lambda stem: (not stem.startswith("suffice"), stem)):
        try:
            module = importlib.import_module(f"bench.{task}.{stem}")
            found[module.NAME] = module
        except ImportError:
            found[stem.replace("_", "-")] = None
    return found


def quartile_distance(times: Sequence[float]) -> float:
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


def contest(task: str, case: str, contenders: dict[str, Callable[[], object] | None],
            agree: Callable[[object, object], bool] | None = None, budget_seconds: float = 3.0, least_rounds: int = 3,
            longest_rival_seconds: float = 4.0, **about: float | str) -> list[Entry]:
    """Runs each contender once to warm up, then all in turn until the budget is spent (least_rounds at least).

    The first contender is ours. A rival whose answer does not agree with ours is not timed; its entry says so, and so does
    that of a rival that is not installed (None). A rival whose first run takes longer than longest_rival_seconds is not run
    again: that run counts, and its entry has one repetition. What is known about the case goes into each entry.
    """
    present = {name: run for name, run in contenders.items() if run is not None}
    answers: dict[str, object] = {}
    first: dict[str, float] = {}
    for name, run in present.items():
        come_to_rest()
        started = time.perf_counter()
        answers[name] = run()
        first[name] = time.perf_counter() - started
    ours = next(iter(present))
    wrong = {name for name in present if agree is not None and name != ours and not agree(answers[ours], answers[name])}
    del answers
    slow = {name for name in present if name != ours and first[name] > longest_rival_seconds}
    times: dict[str, list[float]] = {name: [first[name]] if name in slow else [] for name in present if name not in wrong}
    again = {name: kept for name, kept in times.items() if name not in slow}
    stop = time.perf_counter() + budget_seconds * len(again)
    while time.perf_counter() < stop or len(times[ours]) < least_rounds:
        for name, kept in again.items():
            come_to_rest()
            started = time.perf_counter()
            present[name]()
            kept.append(time.perf_counter() - started)
    entries = [Entry(task, case, name, statistics.median(kept), quartile_distance(kept), len(kept), **about)  # type: ignore[arg-type]
               for name, kept in times.items()]
    entries += [absent(task, case, name, "its answer differs") for name in sorted(wrong)]
    return entries + [absent(task, case, name, "is not installed") for name, run in contenders.items() if run is None]
