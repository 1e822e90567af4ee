"""scikit-learn's models in ONNX Runtime."""
import numpy
import onnxruntime
import skl2onnx
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB

from bench.calls import quantiles

NAME = "ONNX Runtime"
MODELS = dict(zip(("gaussian_nb", "lda", "qda"), (GaussianNB, LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis)))


def measured(small: numpy.ndarray, wide: numpy.ndarray, calls: int) -> dict[tuple[str, str], tuple[float, float, numpy.ndarray]]:
    """It scores and does not fit."""
    many, found = numpy.arange(len(wide)) % 5, {}
    for name, kind in MODELS.items():
        fitted = kind().fit(wide, many)
        graph = skl2onnx.to_onnx(fitted, wide[:1], options={id(fitted): {"zipmap": False}})
        session = onnxruntime.InferenceSession(graph.SerializeToString(), providers=["CPUExecutionProvider"])
        given, wanted = session.get_inputs()[0].name, [session.get_outputs()[1].name]
        found["one_row", name] = quantiles(lambda: session.run(wanted, {given: wide[:1]})[0][0], calls)
    return found
