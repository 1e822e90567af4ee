"""A user's program, which mypy --strict must accept and whose types it must see (tools/check_types runs it)."""
from typing import Any, assert_type

import numpy as np
from numpy.typing import NDArray

import suffice
from suffice.families import Beta, Parameter, Poisson, Prior

X = np.zeros((4, 2))
y = np.array([0, 0, 1, 1])
model = suffice.GaussianNB(var_smoothing=1e-8).fit(X, y)
assert_type(model, suffice.GaussianNB)
assert_type(model + model, suffice.GaussianNB)
assert_type(model.decay(0.5), suffice.GaussianNB)
assert_type(model.predict_proba(X), NDArray[np.float64])
assert_type(model.statistics_.to_bytes(), bytes)
assert_type(suffice.Statistics.from_bytes(b"") + model.statistics_, suffice.Statistics)
assert_type(model.explain(X).contributions, NDArray[np.float64])
assert_type(model.bic_, float)
assert_type(suffice.LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto").fit(X, y).coef_, NDArray[np.float64])
assert_type(suffice.QuadraticDiscriminantAnalysis(reg_param=0.1).partial_fit(X, y), suffice.QuadraticDiscriminantAnalysis)
assert_type(suffice.NaiveBayes(families={"a": Poisson()}, column_priors={"b": Beta(2, 5)}, joint=[["c", "d"]]),
            suffice.NaiveBayes)
assert_type(suffice.GaussianDiscriminant(shared=[["a", "b"], ["c"]], shrinkage="oas").fit(X, y).quadratic_,
            NDArray[np.float64])
assert_type(suffice.load("model.suf").predict(X), Any)  # the class that saved it
assert_type(suffice.from_sklearn(object()), Any)  # our class of its name
assert_type(model.to_onnx(), bytes)
assert_type(suffice.KMeans(3).to_sql("duckdb"), str)
assert_type(suffice.fit_files(["a.csv"], target="y", model="lda"), suffice.LoadedModel)
assert_type(suffice.compare(X, y, folds=5, models=["lda"]), list[dict[str, Any]])
assert_type(suffice.evaluate(y, model.predict_proba(X)), dict[str, Any])
assert_type(suffice.decide(model.predict_proba(X), reject=0.9), NDArray[np.int32])
assert_type(suffice.top_k(model.predict_proba(X), 2), NDArray[np.int32])
assert_type(model.calibrate(X, y, thresholds={1: ("recall", 0.9)}), suffice.CalibratedModel)
assert_type(suffice.GaussianMixture(2, covariance_type="diag").fit(X).means_, NDArray[np.float64])
assert_type(suffice.KMeans(3, random_state=0).fit(X).labels_, NDArray[np.int32])
assert_type(suffice.KernelDensity(bandwidth="scott").fit(X).score_samples(X), NDArray[np.float64])
assert_type(suffice.LogisticRegression(C=2.0).fit(X, y).table(), list[dict[str, Any]])
assert_type(suffice.basis.spline(4).fit(X).transform(X), NDArray[np.float64])
assert_type(suffice.MixtureDiscriminantAnalysis(2).fit(X, y), suffice.MixtureDiscriminantAnalysis)
suffice.KMeans(clusters=3)  # type: ignore[call-arg]
assert_type(Poisson().fit([1, 2]), Parameter)
assert_type(Poisson().posterior(Poisson().default_prior(), [1, 2]), Prior)
suffice.GaussianDiscriminant(covariance=3)  # type: ignore[arg-type]
suffice.GaussianNB(alpha=1)  # type: ignore[call-arg]
