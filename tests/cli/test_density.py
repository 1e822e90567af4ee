"""Families as densities of files: words, vectors, priors as text, evidence and credible intervals, beside SciPy; and histograms
that add nothing of their own."""
import json

import numpy as np
import pytest
from scipy import stats


def table(folder, name, header, rows):
    (folder / name).write_text("\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n")
    return name


def densities(done):
    return np.array([float(line) for line in done.stdout.split()[1:]])


def test_a_family_of_vectors_takes_the_columns_together(suffice, folder):
    X = np.random.default_rng(1).multivariate_normal([1, -2, 0], [[2, 1, 0], [1, 3, 0.5], [0, 0.5, 1]], 60)
    table(folder, "x.csv", "a,b,c", X.tolist())
    told, = json.loads(suffice("density", "x.csv", "--model", "gaussian_vector", "--json").stdout)
    assert told["columns"] == ["a", "b", "c"] and told["rows"] == 60
    np.testing.assert_allclose(told["likelihood"]["mean"], X.mean(axis=0), rtol=1e-12)
    factor = np.reshape(told["likelihood"]["factor"], (3, 3))
    np.testing.assert_allclose(factor @ factor.T, np.cov(X.T, bias=True), rtol=1e-10)
    theirs = stats.multivariate_normal(X.mean(axis=0), np.cov(X.T, bias=True))
    assert told["log_likelihood"] == pytest.approx(theirs.logpdf(X).sum())
    at = densities(suffice("density", "x.csv", "--model", "gaussian_vector", "--at", "x.csv"))
    np.testing.assert_allclose(at, theirs.logpdf(X), rtol=1e-9)


def test_a_prior_as_text_with_vectors_and_matrices(suffice, folder):
    X = np.random.default_rng(2).normal(size=(30, 2))
    table(folder, "x.csv", "a,b", X.tolist())
    prior = "normal_wishart(mean=[1, -1], mean_weight=2, degrees=4, scatter=[2, 0.5, 0.5, 1])"
    told, = json.loads(suffice("density", "x.csv", "--model", "gaussian_vector", "--prior", prior, "--json").stdout)
    mean, way = X.mean(axis=0), X.mean(axis=0) - [1, -1]
    scatter = np.array([[2, 0.5], [0.5, 1]]) + (X - mean).T @ (X - mean) + 60 / 32 * np.outer(way, way)
    after = (np.array([2, -2]) + X.sum(axis=0)) / 32
    np.testing.assert_allclose(told["posterior"]["scatter"], scatter.ravel(), rtol=1e-10)
    np.testing.assert_allclose(told["posterior"]["mean"], after, rtol=1e-10)
    intervals = {(each["quantity"], each["column"]): (each["low"], each["high"]) for each in told["credible_intervals"]}
    np.testing.assert_allclose(intervals["mean", "a"],
                               stats.t(33, after[0], np.sqrt(scatter[0, 0] / (32 * 33))).interval(0.95))
    np.testing.assert_allclose(intervals["variance", "b"], stats.invgamma(33 / 2, scale=scatter[1, 1] / 2).interval(0.95))
    at = densities(suffice("density", "x.csv", "--model", "gaussian_vector", "--prior", prior, "--at", "x.csv"))
    np.testing.assert_allclose(at, stats.multivariate_t(after, scatter * 33 / (32 * 33), df=33).logpdf(X), rtol=1e-9)


LAWS = {
    "bernoulli": lambda p: stats.bernoulli(p["probability"]).logpmf,
    "negative_binomial": lambda p: stats.nbinom(p["successes"], p["probability"]).logpmf,
    "beta_geometric": lambda p: stats.betanbinom(1, p["alpha"], p["beta"]).logpmf,
    "lomax": lambda p: stats.lomax(p["shape"], scale=p["scale"]).logpdf,
    "student_t": lambda p: stats.t(p["degrees"], p["location"], p["scale"]).logpdf,
    "log_student_t": lambda p: lambda x: stats.t(p["degrees"], p["location"], p["scale"]).logpdf(np.log(x)) - np.log(x),
    "multivariate": lambda p: stats.multivariate_t(p["location"], np.reshape(p["scale_matrix"], (2, 2)), p["degrees"]).logpdf,
    "sphere": lambda p: stats.multivariate_t(p["location"], p["scale"]**2 * np.eye(2), p["degrees"]).logpdf,
    "independent_student_t": lambda p: lambda x: stats.t(p["degrees"], p["location"], p["scale"]).logpdf(x).sum(axis=1),
}


@pytest.mark.parametrize(("family", "prior", "law"), [
    ("bernoulli", "beta(2,5)", "bernoulli"), ("poisson", "gamma(2,3)", "negative_binomial"), ("geometric", "beta(2,3)", "beta_geometric"),
    ("exponential", "gamma(3,2)", "lomax"), ("gaussian", "normal_gamma(1,2,3,4)", "student_t"), ("log_normal", "normal_gamma(1,2,3,4)", "log_student_t"),
    ("gaussian_known_mean", "gamma(3,2)", "student_t"), ("gaussian_vector", "normal_wishart(mean=[1,-1], mean_weight=2, degrees=4, scatter=[2,0.5,0.5,1])", "multivariate"),
    ("gaussian_vector_spherical", "normal_gamma(mean=[1,-1], mean_weight=2, shape=3, rate=4)", "sphere"),
    ("gaussian_vector_diagonal", "normal_gamma(mean=[1,-1], mean_weight=2, shape=3, rate=[4,1])", "independent_student_t")])
def test_the_predictive_has_its_usual_name_and_numbers(suffice, folder, family, prior, law):
    rng = np.random.default_rng(5)
    X = rng.normal([1, -1], [1, 2], size=(40, 2)) if "vector" in family else rng.integers(0, 2, (40, 1)) + (0 if family == "bernoulli" else 1)
    table(folder, "x.csv", ",".join("ab"[:X.shape[1]]), X.tolist())
    words = ["density", "x.csv", "--model", family, "--prior", prior]
    told, = json.loads(suffice(*words, "--json").stdout)
    assert told["predictive_family"] == (law if law not in ("multivariate", "sphere") else "student_t")
    at = densities(suffice(*words, "--at", "x.csv"))
    x = X if "vector" in family else X[:, 0]
    np.testing.assert_allclose(at, LAWS[law](told["predictive"])(x), rtol=1e-9)
    assert any(line.split()[:2] == ["predictive", told["predictive_family"] + ":"] for line in suffice(*words).stdout.splitlines())


def test_predictives_of_levels_and_of_known_spreads(suffice, folder):
    table(folder, "w.csv", "colour", [("red",)] * 5 + [("blue",)] * 3)
    told, = json.loads(suffice("density", "w.csv", "--model", "categorical", "--prior", "dirichlet(2)", "--json").stdout)
    assert told["predictive_family"] == "categorical" and sorted(told["predictive"]["probability"]) == pytest.approx([5 / 12, 7 / 12])
    table(folder, "x.csv", "a", [(1.0,), (3.0,)])
    told, = json.loads(suffice("density", "x.csv", "--model", "gaussian_known_variance", "--prior", "normal(0,4)", "--json").stdout)
    assert told["predictive_family"] == "gaussian" and told["predictive"] == pytest.approx({"mean": 8 / 4.5, "variance": 1 + 1 / 2.25})


def test_before_and_after_each_batch_the_same_is_told(suffice, folder):
    table(folder, "first.csv", "a", [(1,), (0,), (1,)])
    table(folder, "second.csv", "a", [(0,), (0,)])
    words = ["density", "first.csv", "second.csv", "--model", "bernoulli", "--prior", "beta(2,5)", "--batches", "--credible", "0.8"]
    told, = json.loads(suffice(*words, "--json").stdout)
    states = [(told["prior_credible_intervals"], told["prior_predictive"], (2, 5)),
              *((each["credible_intervals"], each["predictive"], belief) for each, belief in zip(told["batches"], [(4, 6), (4, 8)]))]
    for (interval,), predictive, (alpha, beta) in states:
        np.testing.assert_allclose((interval["low"], interval["high"]), stats.beta(alpha, beta).interval(0.8))
        assert predictive["probability"] == pytest.approx(alpha / (alpha + beta))
    assert told["credible_intervals"] == told["batches"][-1]["credible_intervals"]
    lines = suffice(*words).stdout.splitlines()
    assert sum("predictive" in line and "bernoulli" in line for line in lines) == 4
    assert sum("80 % within" in line for line in lines) == 4


def test_levels_may_be_words_and_any_number_of_them(suffice, folder):
    words = ["red"] * 5 + ["blue"] * 3 + ["green"] * 2
    table(folder, "w.csv", "colour,size", [(word, k % 4) for k, word in enumerate(words)])
    colour, size = json.loads(suffice("density", "w.csv", "--model", "categorical", "--prior", "dirichlet(2)", "--json",
                                      "--credible", "0.9").stdout)
    assert dict(zip(colour["levels"], colour["probability"])) == {"red": 0.5, "blue": 0.3, "green": 0.2}
    assert size["levels"] == ["0", "1", "2", "3"]
    assert sorted(colour["posterior"]["concentration"]) == [4, 5, 7]
    low, high = next((each["low"], each["high"]) for each in colour["credible_intervals"] if each["level"] == "red")
    np.testing.assert_allclose((low, high), stats.beta(7, 9).interval(0.9))
    counts = np.array([5, 3, 2])
    expected = stats.dirichlet_multinomial([2, 2, 2], 10).logpmf(counts) - stats.multinomial(
        10, [1 / 3] * 3).logpmf(counts) - 10 * np.log(3)
    assert colour["log_evidence"] == pytest.approx(expected)
    table(folder, "at.csv", "colour,size", [("red", 0), ("blue", 1), ("mauve", 0)])
    np.testing.assert_allclose(densities(suffice("density", "w.csv", "--model", "categorical", "--at", "at.csv")),
                               [np.log(0.5 * 0.3), np.log(0.3 * 0.3), -np.inf])


def test_pieces_merge_by_the_names_of_levels_and_in_any_number(suffice, folder):
    rng = np.random.default_rng(3)
    rows = [(f"w{rng.integers(40)}", rng.poisson(3)) for _ in range(500)]
    table(folder, "all.csv", "word,count", rows)
    for k in range(3):
        table(folder, f"p{k}.csv", "word,count", rows[k * 170:(k + 1) * 170])
    for model, left in (("categorical", "count"), ("poisson", "word")):
        whole, = json.loads(suffice("density", "all.csv", "--model", model, "--exclude", left, "--json").stdout)
        pieces, = json.loads(suffice("density", "p0.csv", "p1.csv", "p2.csv", "--model", model, "--exclude", left, "--json",
                                     "--batches").stdout)
        batches = pieces.pop("batches")
        sums = {key: pieces.pop(key) for key in ("log_likelihood", "log_evidence")}  # log x! added in another order
        assert sums == {key: pytest.approx(whole[key], rel=1e-12) for key in sums}
        for key in ("prior_predictive_family", "prior_predictive", "prior_credible_intervals"):  # told beside batches
            assert pieces.pop(key)
        assert pieces == {key: value for key, value in whole.items() if key not in sums}
        assert batches[-1]["posterior"] == whole["posterior"] and [each["rows"] for each in batches] == [170, 170, 160]
        assert sum(each["log_predictive"] for each in batches) == pytest.approx(whole["log_evidence"])


def test_each_column_has_its_family_and_missing_values_tell_nothing(suffice, folder):
    table(folder, "n.csv", "a,b", [(1, 5), (3, ""), (2, 7)])
    a, b = json.loads(suffice("density", "n.csv", "--model", "poisson", "--json").stdout)
    assert (a["rows"], b["rows"], a["likelihood"], b["likelihood"]) == (3, 2, {"rate": 2}, {"rate": 6})
    joint, = json.loads(suffice("density", "n.csv", "--model", "gaussian_vector_diagonal", "--json").stdout)
    assert (joint["rows"], joint["missing_rows"]) == (2, 1)
    np.testing.assert_allclose(densities(suffice("density", "n.csv", "--model", "poisson", "--at", "n.csv"))[1],
                               stats.poisson(2).logpmf(3))


@pytest.mark.parametrize(("words", "told"), [
    (["--model", "poisson"], "row 2, column a: poisson: the value 1.5 is not allowed"), (["--model", "gaussian", "--credible", "2"], "between 0 and 1"),
    (["--model", "gaussian", "--prior", "gamma(1,1)"], "it takes normal_gamma"),
    (["--model", "beta", "--prior", "gamma(1,1)"], "not allowed"), (["--prior", "gamma(1,1)"], "is for a family"),
    (["--model", "gaussian", "--smoothing", "1"], "by its prior"),
    (["--model", "gaussian_vector_known_mean"], "known beforehand"),
])
def test_what_cannot_be_is_refused_in_a_sentence(suffice, folder, words, told):
    table(folder, "x.csv", "a,b", [(1.5, 2), (-1, 3)])
    done = suffice("density", "x.csv", *words, code=2)
    assert told in done.stderr and done.stdout == ""


def test_histograms_add_nothing_unless_asked(suffice, folder):
    x = np.array([0.0, 0.1, 0.2, 1.6, 3.0, 2.9])
    table(folder, "x.csv", "x", [(each,) for each in x])
    counts, edges = np.histogram(x, 3)
    at = np.clip(np.searchsorted(edges, x, "right") - 1, 0, 2)
    for words, pseudo in (([], 0), (["--smoothing", "1"], 1)):
        done = densities(suffice("density", "x.csv", "--model", "histogram", "--bins", "3", *words))
        np.testing.assert_allclose(done, np.log((counts[at] + pseudo) / (6 + 3 * pseudo)))


def test_the_bandwidth_that_was_chosen_is_told(suffice, folder):
    x = np.random.default_rng(4).normal(size=50)
    table(folder, "x.csv", "x", [(each,) for each in x])
    done = suffice("density", "x.csv")
    told = float(done.stderr.split("bandwidth of the kernels: x ")[1])
    assert told == pytest.approx(stats.gaussian_kde(x).factor * x.std(ddof=1), rel=1e-5)
