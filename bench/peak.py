"""Runs a command with its standard input and says on standard error, as its last line, wall seconds, processor seconds and peak bytes.

usage: peak.py COMMAND...    (a small process of its own: the peak that the system tells of a child counts the parent it came from)
"""
import resource
import subprocess
import sys
import time

started = time.perf_counter()
status = subprocess.run(sys.argv[1:], check=False).returncode
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print(time.perf_counter() - started, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, file=sys.stderr)
sys.exit(status)
