"""FastAPI + scikit-learn, one worker process of uvicorn for each core."""
import os

from bench.places import ROOT
from bench.serve.programs import rival

NAME = "FastAPI + scikit-learn"
PATH = "/predict"
if not rival.PYTHON.exists():
    raise ImportError("tools/bootstrap rivals")


def body(rows):
    return {"rows": rows}


def answered(told):
    return [one["label"] for one in told["predictions"]]


def running(folder):
    port, workers = rival.free_port(), str(len(os.sched_getaffinity(0)))
    words = ["-m", "uvicorn", "fastapi_server:app", "--host", "127.0.0.1", "--port", str(port), "--log-level", "warning", "--workers", workers]
    return rival.started(words, folder, port, "/ready", {"PYTHONPATH": str(ROOT / "bench" / "serve" / "programs"), "OMP_NUM_THREADS": "1"})
