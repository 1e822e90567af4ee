"""scikit-learn."""
import numpy
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB

from bench.calls import quantiles

NAME = "scikit-learn"
MODELS = dict(zip(("gaussian_nb", "lda", "qda"), (GaussianNB, LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis)))


def measured(small: numpy.ndarray, wide: numpy.ndarray, calls: int) -> dict[tuple[str, str], tuple[float, float, numpy.ndarray]]:
    few, many = numpy.arange(len(small)) % 3, numpy.arange(len(wide)) % 5
    found = {}
    for name, kind in MODELS.items():
        fitted = kind().fit(wide, many)
        found["fit_predict", name] = quantiles(lambda: kind().fit(small, few).predict(small), calls // 4)
        found["one_row", name] = quantiles(lambda: fitted.predict_proba(wide[:1])[0], calls)
    return found
