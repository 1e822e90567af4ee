"""Seconds that the compiler took for each room, from the log of a build: where the time of a cold `make demo` goes.

usage: bench/build_times.py [build/release/.ninja_log]
"""
import collections
import pathlib
import re
import sys

ROOM = re.compile(r"suffice_(\w+)\.dir/")


def seconds_of_rooms(log: pathlib.Path) -> dict[str, float]:
    """By room, app or binding, the most first. What was compiled twice counts as it was the last time."""
    last: dict[str, float] = {}
    for line in log.read_text().splitlines():
        if not line.startswith("#"):
            begun, ended, _, output, _ = line.split("\t")
            last[output] = (int(ended) - int(begun)) / 1000
    rooms: collections.Counter[str] = collections.Counter()
    for output, seconds in last.items():
        if output.endswith(".o") and (room := ROOM.search(output)):
            rooms[room[1].removesuffix("_objects")] += seconds
    return dict(rooms.most_common())


def main() -> None:
    log = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build/release/.ninja_log")
    rooms = seconds_of_rooms(log)
    print("| room | seconds of its compilers |\n|---|---|")
    for room, seconds in rooms.items():
        print(f"| {room} | {seconds:.0f} |")
    print(f"| all | {sum(rooms.values()):.0f} |")


if __name__ == "__main__":
    main()
