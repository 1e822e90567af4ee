"""Ours, of scikit-learn's fitted estimators."""
from collections.abc import Callable

import numpy
import onnxruntime

import suffice

NAME = "suffice"


def onnx_scorer(fitted: object, width: int) -> Callable[[numpy.ndarray], numpy.ndarray]:
    session = onnxruntime.InferenceSession(suffice.from_sklearn(fitted).to_onnx(), providers=["CPUExecutionProvider"])
    names = [each.name for each in session.get_inputs()]
    return lambda X: session.run(["probabilities"], {name: X[:, k : k + 1] for k, name in enumerate(names)})[0]


def c_source(fitted: object) -> dict[str, str]:
    return {"source": suffice.from_sklearn(fitted).to_c("model"), "head": "void model_posteriors(const double *values, double *posteriors);",
            "call": "model_posteriors(rows[row], out);"}
