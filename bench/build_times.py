"""Seconds that the compiler takes for each room: where the time of a cold `make demo` goes.

usage: bench/build_times.py [build/release/.ninja_log]      what a build took, by the clock, from its log
       bench/build_times.py --cold [TARGET...]              builds anew without the compiler's cache (default: suffice_cli), in
                                                            seconds of computing, which other programs hardly change
"""
import collections
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time

ROOM = re.compile(r"suffice_(\w+)\.dir/")


def room_of(output: str) -> str | None:
    room = ROOM.search(output) if output.endswith(".o") else None
    return room[1].removesuffix("_objects") if room else None


def seconds_of_rooms(log: pathlib.Path) -> dict[str, float]:
    """By room, app or binding, the most first. What was compiled twice counts as it was the last time."""
    last: dict[str, float] = {}
    for line in log.read_text().splitlines():
        if not line.startswith("#"):
            begun, ended, _, output, _ = line.split("\t")
            last[output] = (int(ended) - int(begun)) / 1000
    rooms: collections.Counter[str] = collections.Counter()
    for output, seconds in last.items():
        if room := room_of(output):
            rooms[room] += seconds
    return dict(rooms.most_common())


def compile_and_note(log: str, command: list[str]) -> int:
    """What stands before the compiler in a cold build: notes what it computed for."""
    code = subprocess.run(command).returncode
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    output = command[command.index("-o") + 1] if "-o" in command else ""
    with open(log, "a") as file:
        file.write(json.dumps([output, usage.ru_utime + usage.ru_stime]) + "\n")
    return code


def cold_build(targets: list[str]) -> tuple[dict[str, float], list[tuple[str, float]], float]:
    """Seconds of computing by room, and by file, the most first; and the seconds of the whole by the clock."""
    with tempfile.TemporaryDirectory() as place:
        log = pathlib.Path(place) / "log"
        launcher = f"{sys.executable};{pathlib.Path(__file__).resolve()};--note;{log}"
        subprocess.run(["cmake", "--preset", "release", "-B", f"{place}/build", "-DCCACHE=CCACHE-NOTFOUND",
                        f"-DCMAKE_CXX_COMPILER_LAUNCHER={launcher}"], stdout=subprocess.DEVNULL, check=True)
        started = time.monotonic()
        subprocess.run(["cmake", "--build", f"{place}/build", "--target", *targets], stdout=subprocess.DEVNULL, check=True)
        took = time.monotonic() - started
        files = collections.Counter({output: seconds for output, seconds in map(json.loads, log.read_text().splitlines())})
        rooms: collections.Counter[str] = collections.Counter()
        for output, seconds in files.items():
            rooms[room_of(output) or "others"] += seconds
        return dict(rooms.most_common()), files.most_common(12), took


def table(rooms: dict[str, float]) -> str:
    lines = ["| room | seconds of its compilers |", "|---|---|", *(f"| {room} | {seconds:.0f} |" for room, seconds in rooms.items())]
    return "\n".join([*lines, f"| all | {sum(rooms.values()):.0f} |"])


def main() -> None:
    if sys.argv[1:2] == ["--note"]:
        sys.exit(compile_and_note(sys.argv[2], sys.argv[3:]))
    if sys.argv[1:2] == ["--cold"]:
        os.chdir(pathlib.Path(__file__).resolve().parent.parent)
        rooms, worst, took = cold_build(sys.argv[2:] or ["suffice_cli"])
        print(table(rooms) + f"\n\n{took:.0f} s by the clock. The longest files:\n")
        print("\n".join(f"- {pathlib.Path(output).name.removesuffix('.o')} {seconds:.1f}" for output, seconds in worst))
        return
    print(table(seconds_of_rooms(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build/release/.ninja_log"))))


main()
