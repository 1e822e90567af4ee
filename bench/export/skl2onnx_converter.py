"""skl2onnx's converters, which compute in single precision."""
from collections.abc import Callable

import numpy
import onnxruntime
import skl2onnx
from skl2onnx.common.data_types import FloatTensorType

NAME = "skl2onnx"


def onnx_scorer(fitted: object, width: int) -> Callable[[numpy.ndarray], numpy.ndarray]:
    mixture = type(fitted).__name__ == "GaussianMixture"
    graph = skl2onnx.to_onnx(fitted, initial_types=[("X", FloatTensorType([None, width]))], target_opset=17, options=None if mixture else {id(fitted): {"zipmap": False}})
    session = onnxruntime.InferenceSession(graph.SerializeToString(), providers=["CPUExecutionProvider"])
    wanted = [session.get_outputs()[1].name]
    return lambda X: session.run(wanted, {"X": X.astype(numpy.float32)})[0]
