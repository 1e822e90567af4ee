"""MLServer with its scikit-learn runtime, asked by the Open Inference Protocol."""
import json

from bench.serve.programs import rival

NAME = "MLServer + scikit-learn"
PATH = "/v2/models/iris/infer"
if not rival.PYTHON.exists():
    raise ImportError("tools/bootstrap rivals")


def body(rows):
    values = [value for row in rows for value in row.values()]
    return {"inputs": [{"name": "x", "shape": [len(rows), 4], "datatype": "FP64", "data": values}]}


def answered(told):
    return next(each["data"] for each in told["outputs"] if each["name"] == "predict")


def running(folder):
    port = rival.free_port()
    (folder / "settings.json").write_text(json.dumps({"host": "127.0.0.1", "http_port": port, "grpc_port": rival.free_port(), "metrics_port": rival.free_port(),
                                                      "parallel_workers": 0, "debug": False}))
    (folder / "model-settings.json").write_text(json.dumps({"name": "iris", "implementation": "mlserver_sklearn.SKLearnModel",
                                                            "parameters": {"uri": "./model.joblib", "version": "1"}}))
    return rival.started(["-c", "from mlserver.cli import main; main()", "start", "."], folder, port, "/v2/models/iris/ready")
