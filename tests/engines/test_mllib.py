"""suffice.spark beside MLlib: the same answers where it has the model."""
import numpy as np
import pytest

pa = pytest.importorskip("pyarrow")
ROWS = 3000


@pytest.fixture(scope="module")
def theirs(spark):
    ml = pytest.importorskip("pyspark.ml")
    from pyspark.ml.feature import VectorAssembler

    def vectors(table):
        frame = spark.createDataFrame(table.to_pandas()).repartition(3).persist()
        names = [name for name in table.column_names if name != "label"]
        return frame, VectorAssembler(inputCols=names, outputCol="features").transform(frame)

    return ml, vectors


def numbers(seed=3):
    rng = np.random.default_rng(seed)
    label = rng.integers(0, 3, ROWS)
    return pa.table({"label": label.astype(float), **{f"x{j}": rng.normal(size=ROWS) * (1 + j / 4) + (label == j % 3) for j in range(5)}})


def test_gaussian_naive_bayes(theirs):
    from suffice import spark as engine

    (ml, vectors), table = theirs, numbers()
    frame, assembled = vectors(table)
    other = ml.classification.NaiveBayes(modelType="gaussian").fit(assembled)
    mine = engine.fit(frame, "label", "gaussian_nb", estimate="likelihood")
    np.testing.assert_allclose(mine.theta_, other.theta.toArray(), rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(mine.var_, other.sigma.toArray(), rtol=1e-8)


def test_multinomial_naive_bayes(theirs):
    from suffice import spark as engine

    rng = np.random.default_rng(4)
    label = rng.integers(0, 3, ROWS)
    counts = pa.table({"label": label.astype(float), **{f"x{j}": rng.poisson(1 + 2 * (label == j % 3)).astype(float) for j in range(6)}})
    (ml, vectors) = theirs
    frame, assembled = vectors(counts)
    other = ml.classification.NaiveBayes(modelType="multinomial", smoothing=1.0).fit(assembled)
    mine = engine.fit(frame, "label", "multinomial_nb")
    np.testing.assert_allclose(mine.feature_log_prob_, other.theta.toArray(), rtol=1e-10)


def test_logistic_regression(theirs):
    from suffice import spark as engine

    (ml, vectors), table = theirs, numbers()
    frame, assembled = vectors(table)
    other = ml.classification.LogisticRegression(maxIter=200, tol=1e-12).fit(assembled)
    mine = engine.fit(frame, "label", "logistic_regression")
    expected = other.coefficientMatrix.toArray()
    np.testing.assert_allclose(mine.coef_ - mine.coef_.mean(0), expected - expected.mean(0), atol=1e-4)


def test_k_means_and_mixtures(theirs, grouped_rows):
    from suffice import spark as engine

    (ml, vectors), table = theirs, grouped_rows()
    frame, assembled = vectors(table)

    def in_order(rows):
        return rows[np.argsort(rows[:, 0] - rows[:, 1])]

    other = ml.clustering.KMeans(k=3, seed=1, maxIter=100, tol=0.0).fit(assembled)
    mine = engine.fit(frame, model="k_means", k=3)
    np.testing.assert_allclose(in_order(mine.cluster_centers_), in_order(np.array(other.clusterCenters())), atol=1e-3)
    np.testing.assert_allclose(mine.inertia_, other.summary.trainingCost, rtol=1e-4)
    other = ml.clustering.GaussianMixture(k=3, seed=1, maxIter=500, tol=1e-9).fit(assembled)
    mine = engine.fit(frame, model="gaussian_mixture", k=3)
    means = np.array([each.mean.toArray() for each in other.gaussians])
    np.testing.assert_allclose(in_order(mine.means_), in_order(means), atol=0.02)
    found = mine.score(table.to_pandas()) * table.num_rows
    assert abs(found - other.summary.logLikelihood) < 1e-4 * table.num_rows  # either stops at a rise of its own
