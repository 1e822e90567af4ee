"""What memory `suffice serve` holds over very many requests: one row of JSON by 8 connections, told at every tenth of them.

usage: .venv/bin/python -m bench.serve.programs.memory [REQUESTS]     (10,000,000); fails where the last nine tenths need more than 3 MB beyond the first
"""
import pathlib
import subprocess
import sys
import tempfile
import time

from bench.serve import suffice_server, task


def resident(pid):
    return next(int(line.split()[1]) for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("VmRSS"))


def main(count):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        task.prepare(folder)
        bench, request = task.Bench(True), task.request_bytes(suffice_server.PATH, suffice_server.body(task.FLOWERS[:1]))
        with suffice_server.running(folder) as server:
            asked, began, told = 0, time.monotonic(), []
            while asked < count:
                found = bench.load(folder, server, 8, request, seconds=2)
                if found["others"] or not found["good"]:
                    sys.exit(f"{found['others']} of {found['good'] + found['others']} requests were not answered with 200")
                asked += found["good"]
                if asked >= count * (len(told) + 1) / 10:
                    told.append(resident(server[1]))
                    print(f"{asked:>12,} requests, {time.monotonic() - began:6.0f} s, {told[-1]:,} kB", flush=True)
        return 1 if told[-1] - told[0] > 3000 else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000))
