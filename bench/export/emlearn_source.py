"""emlearn's C: Gaussian naive Bayes in fixed point, which answers with a label alone and knows no priors."""
import numpy

kept = numpy.geterr()
import emlearn  # noqa: E402
import emlearn.bayes  # noqa: E402

numpy.seterr(**kept)  # which it sets to raise, for everyone

NAME = "emlearn"


def c_source(fitted: object) -> dict[str, str] | None:
    if type(fitted).__name__ != "GaussianNB":
        return None
    deviation = numpy.sqrt(fitted.var_)  # type: ignore[attr-defined]
    summary = numpy.stack([fitted.theta_, deviation, numpy.log2(deviation)], axis=2)  # type: ignore[attr-defined]
    source = emlearn.bayes.generate_c(summary, "model")
    return {"source": source, "head": "#include <stdint.h>\nint32_t model_predict(const float *features, int32_t n_features);", "include": emlearn.includedir,
            "call": "for (k = 0; k < 3; ++k) out[k] = 0; out[model_predict(rows[row], 4)] = 1;", "number": "float", "labels": "only"}
