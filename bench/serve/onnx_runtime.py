"""ONNX Runtime with the model that `suffice export` writes, behind Python's http.server."""
from bench.places import ROOT
from bench.serve.programs import rival

NAME = "ONNX Runtime + http.server"
PATH = "/predict"
if not rival.PYTHON.exists():
    raise ImportError("tools/bootstrap rivals")


def body(rows):
    return {"rows": rows}


def answered(told):
    return [one["label"] for one in told["predictions"]]


def running(folder):
    port = rival.free_port()
    return rival.started([str(ROOT / "bench" / "serve" / "programs" / "onnx_server.py"), str(port)], folder, port, "/")
