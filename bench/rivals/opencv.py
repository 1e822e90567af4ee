"""OpenCV's normal Bayes classifier: a Gaussian of its own for every class, in single precision."""
import cv2
import numpy

NAME = "OpenCV NormalBayesClassifier"


def contender(model: str, X: numpy.ndarray, y: numpy.ndarray):  # type: ignore[no-untyped-def]
    if model != "qda":
        return None
    rows, labels = X.astype(numpy.float32), y.astype(numpy.int32)

    def run() -> numpy.ndarray:
        made = cv2.ml.NormalBayesClassifier_create()
        made.train(rows, cv2.ml.ROW_SAMPLE, labels)
        return made.predict(rows)[1].ravel().astype(numpy.int64)
    return run
