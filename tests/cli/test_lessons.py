"""What a lecturer asks of the command, against NumPy, SciPy and closed forms."""
import json
import xml.etree.ElementTree

import numpy as np
import pytest
from scipy import stats
from scipy.special import gammaln


def given(suffice, folder, covariance, columns=("x", "y")):
    means = {"a": [0.0] * len(columns), "b": [1.0] * len(columns)}
    (folder / "stated.json").write_text(json.dumps(
        {"priors": {"a": 0.5, "b": 0.5}, "columns": columns, "means": means, "covariance": covariance}))
    return ["fit", "--given", "stated.json", "-o", "stated.suf"]


@pytest.mark.parametrize("covariance, columns, eigenvalue", [
    ([[1, 2], [2, 1]], ("x", "y"), "-1"), ([[-1]], ("x",), "-1"), ([[1, 1], [1, 1]], ("x", "y"), "0"), ([[0]], ("x",), "0")])
def test_what_is_no_covariance_is_refused_with_its_eigenvalue(suffice, folder, covariance, columns, eigenvalue):
    words = given(suffice, folder, covariance, columns)
    said = suffice(*words, code=2).stderr
    assert "stated.json" in said and "not positive definite" in said
    assert float(said.split("eigenvalue ")[1].split()[0].rstrip(".")) == pytest.approx(float(eigenvalue), abs=1e-9)
    assert not (folder / "stated.suf").exists()


def test_a_covariance_that_is_not_symmetric_is_refused(suffice, folder):
    assert "symmetric" in suffice(*given(suffice, folder, [[1, 0.5], [0.2, 1]]), code=2).stderr


def two_classes(folder, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(300, 2)) * [1.0, 3.0] + [2.0, -1.0]
    p = 1 / (1 + np.exp(-(0.5 + x[:, 0] - 0.4 * x[:, 1] - 0.3 * x[:, 0] ** 2)))
    t = (rng.random(300) < p).astype(int)
    (folder / "rows.csv").write_text("x1,x2,c\n" + "".join(f"{a!r},{b!r},{'no yes'.split()[k]}\n" for (a, b), k in zip(x.tolist(), t)))
    return x, t


def newton(Phi, t, steps):
    """IRLS from zero: coefficients before each step."""
    w, path = np.zeros(Phi.shape[1]), []
    for _ in range(steps):
        path.append(w)
        y = 1 / (1 + np.exp(-Phi @ w))
        w = w - np.linalg.solve(Phi.T * (y * (1 - y)) @ Phi, Phi.T @ (y - t))
    return path


def test_the_trace_of_newtons_method_is_irls_from_zero(suffice, folder):
    x, t = two_classes(folder)
    told = json.loads(suffice("fit", "rows.csv", "--target", "c", "--model", "logistic", "--start", "zeros", "--trace", "--json", "-o", "m.suf").stdout)
    Phi = np.column_stack([np.ones(300), x])
    trace = told["trace"]
    assert len(trace) >= 4
    for step, w in zip(trace, newton(Phi, t, 4)):
        found = step["coefficients"]["yes"]
        np.testing.assert_allclose([found["(intercept)"], found["x1"], found["x2"]], w, rtol=1e-7, atol=1e-9)
        y = 1 / (1 + np.exp(-Phi @ w))
        assert step["log_likelihood"] == pytest.approx(np.sum(np.log(np.where(t, y, 1 - y))), rel=1e-9)
        assert step["gradient_norm"] == pytest.approx(np.linalg.norm(Phi.T @ (y - t)), rel=1e-6, abs=1e-7)
        assert step["condition"] == pytest.approx(np.linalg.cond(Phi.T * (y * (1 - y)) @ Phi), rel=1e-6)
    assert [step["step_length"] for step in trace[1:4]] == [1, 1, 1]
    assert trace[-1]["gradient_norm"] < 1e-6


def test_a_stated_start_is_where_the_search_starts_and_the_end_is_the_same(suffice, folder):
    two_classes(folder)
    (folder / "start.json").write_text('{"(intercept)": 1, "x1": -2, "x2": 0.5}')
    words = ["fit", "rows.csv", "--target", "c", "--model", "logistic", "--json", "--trace", "-o", "m.suf"]
    far, near = (json.loads(suffice(*words, *more).stdout) for more in (["--start", "start.json"], []))
    assert far["trace"][0]["coefficients"]["yes"] == {"(intercept)": pytest.approx(1), "x1": pytest.approx(-2), "x2": pytest.approx(0.5)}
    for name, value in near["trace"][-1]["coefficients"]["yes"].items():
        assert far["trace"][-1]["coefficients"]["yes"][name] == pytest.approx(value, rel=1e-5)
    assert "log_likelihood" in suffice(*[word for word in words if word != "--json"]).stderr
    (folder / "start.json").write_text('{"age": 1}')
    assert "no coefficient age" in suffice(*words, "--start", "start.json", code=2).stderr
    assert "lda" in suffice("fit", "rows.csv", "--target", "c", "--model", "lda", "--trace", "-o", "m.suf", code=2).stderr.replace("linear_discriminant", "lda")


def test_raw_powers_and_products_have_the_coefficients_of_the_lecture(suffice, folder):
    x, t = two_classes(folder)
    suffice("fit", "rows.csv", "--target", "c", "--model", "logistic", "--basis", "x1^2,x1*x2", "-o", "m.suf")
    told = json.loads(suffice("inspect", "m.suf", "--json").stdout)["coefficients"]
    Phi = np.column_stack([np.ones(300), x, x[:, 0] ** 2, x[:, 0] * x[:, 1]])
    assert [line["name"] for line in told] == ["(intercept)", "x1", "x2", "x1^2", "x1*x2"]
    np.testing.assert_allclose([line["coefficient"] for line in told], newton(Phi, t, 30)[-1], rtol=1e-6)
    before = suffice("predict", "m.suf", "rows.csv", "--proba").stdout
    assert suffice("predict", "m.suf", "rows.csv", "--proba").stdout == before
    assert "degree" in suffice("fit", "rows.csv", "--target", "c", "--model", "logistic", "--basis", "x1^99", "-o", "n.suf", code=2).stderr


def test_families_are_compared_by_evidence(suffice, folder):
    counts = np.array([0, 1, 1, 4, 3, 3, 2, 2])
    (folder / "v.csv").write_text("v\n" + "\n".join(map(str, counts)) + "\n")
    told = {each["family"]: each for each in json.loads(suffice(
        "density", "v.csv", "--model", "poisson,geometric", "--prior", "gamma(2,1);beta(1,1)", "--json").stdout)}
    n, s = len(counts), counts.sum()
    poisson = gammaln(2 + s) - gammaln(2) + 2 * np.log(1) - (2 + s) * np.log(1 + n) - gammaln(counts + 1).sum()
    assert told["poisson"]["log_evidence"] == pytest.approx(poisson)
    log = [told[name]["log_evidence"] for name in ("poisson", "geometric")]
    assert told["poisson"]["family_probability"] == pytest.approx(1 / (1 + np.exp(log[1] - log[0])))
    text = suffice("density", "v.csv", "--model", "poisson,gamma", code=2).stderr  # a zero is no gamma
    assert "row 2" in text or "row 1" in text
    priors = json.loads(suffice("density", "v.csv", "--model", "poisson", "--prior", "gamma(2,1);gamma(200,100)", "--json").stdout)
    assert sum(each["family_probability"] for each in priors) == pytest.approx(1)


def curves(suffice, *words):
    return json.loads(suffice("plot", *words, "--json").stdout)["panels"]


def test_a_posterior_is_drawn_as_scipys_density(suffice, folder):
    flips = [1, 1, 0, 1] * 40
    (folder / "coin.csv").write_text("heads\n" + "\n".join(map(str, flips)) + "\n")
    panel, = curves(suffice, "coin.csv", "--what", "prior", "--model", "bernoulli", "--prior", "beta(2,5)")
    assert [each["name"] for each in panel["curves"]] == ["prior, beta(2,5)", "after 1 row", "after 10 rows", "after 100 rows", "after 160 rows"]
    for curve, rows in zip(panel["curves"], (0, 1, 10, 100, 160)):
        ones = sum(flips[:rows])
        points = np.array(curve["points"])
        expected = stats.beta(2 + ones, 5 + rows - ones).pdf(points[:, 0])
        middle = slice(20, -20)
        np.testing.assert_allclose(points[middle, 1], expected[middle], rtol=0.02)


def test_means_and_variances_under_a_normal_gamma_are_drawn(suffice, folder):
    rng = np.random.default_rng(1)
    x = rng.normal(5, 2, 40)
    (folder / "x.csv").write_text("x\n" + "\n".join(map(repr, x.tolist())) + "\n")
    prior = "normal_gamma(mean=5,mean_weight=1,shape=2,rate=2)"
    mean, variance = curves(suffice, "x.csv", "--what", "posterior", "--model", "gaussian", "--prior", prior)
    shape, weight = 2 + 20, 41
    rate = 2 + 0.5 * np.sum((x - x.mean()) ** 2) + 0.5 * 40 / 41 * (x.mean() - 5) ** 2
    centre = (5 + 40 * x.mean()) / 41
    for panel, law in ((mean, stats.t(2 * shape, centre, np.sqrt(rate / (shape * weight)))), (variance, stats.invgamma(shape, scale=rate))):
        points = np.array(panel["curves"][-1]["points"])[20:-20]
        np.testing.assert_allclose(points[:, 1], law.pdf(points[:, 0]), rtol=0.02)


def test_a_histogram_has_the_plug_in_and_the_predictive_over_it(suffice, folder):
    rng = np.random.default_rng(2)
    x = rng.normal(1, 2, 12)
    (folder / "x.csv").write_text("x\n" + "\n".join(map(repr, x.tolist())) + "\n")
    panel, = curves(suffice, "x.csv", "--what", "density", "--model", "gaussian", "--prior", "normal_gamma(mean=0,mean_weight=1,shape=2,rate=2)")
    bars = np.array(panel["bars"])
    assert np.sum((bars[:, 1] - bars[:, 0]) * bars[:, 2]) == pytest.approx(1)
    plug, predictive = (np.array(each["points"]) for each in panel["curves"])
    np.testing.assert_allclose(plug[:, 1], stats.norm(x.mean(), x.std()).pdf(plug[:, 0]), rtol=1e-9)
    shape, weight = 2 + 6, 13
    rate = 2 + 0.5 * np.sum((x - x.mean()) ** 2) + 0.5 * 12 / 13 * x.mean() ** 2
    law = stats.t(2 * shape, 12 * x.mean() / 13, np.sqrt(rate * (weight + 1) / (shape * weight)))
    np.testing.assert_allclose(predictive[:, 1], law.pdf(predictive[:, 0]), rtol=1e-9)


def test_the_simplex_takes_words_and_three_levels_only(suffice, folder):
    picture = suffice("plot", "penguins.csv", "--what", "simplex", "--columns", "island", "--prior", "dirichlet(2,2,2)").stdout
    assert "Biscoe" in picture and "after 344 rows" in picture
    xml.etree.ElementTree.fromstring(picture)
    assert "three levels" in suffice("plot", "penguins.csv", "--what", "simplex", "--columns", "sex", code=2).stderr


def test_learning_curves_fall_to_the_bayes_error_of_a_stated_model(suffice, folder):
    suffice(*given(suffice, folder, [[1, 0.5], [0.5, 1]]))
    words = ["learn-curve", "stated.suf", "--models", "lda,logistic", "--sizes", "12,60,3000", "--repeats", "12", "--test-rows", "3000", "--json"]
    told = json.loads(suffice(*words, "--picture", "curve.svg").stdout)
    distance = np.sqrt(np.ones(2) @ np.linalg.solve([[1, 0.5], [0.5, 1]], np.ones(2)))
    assert told["bayes_error"] == pytest.approx(stats.norm.cdf(-distance / 2), abs=0.02)
    for model in ("linear_discriminant", "logistic_regression"):
        errors = [each["error"] for each in told["points"] if each["model"] == model]
        assert errors[0] > errors[1] > errors[2] >= told["bayes_error"]
        assert errors[2] - told["bayes_error"] < 0.01
    few = {each["model"]: each["log_loss"] for each in told["points"] if each["rows"] == 12}
    assert few["linear_discriminant"] < few["logistic_regression"]  # where its Gaussians are the truth
    assert json.loads(suffice(*words).stdout) == told  # one seed, one answer
    xml.etree.ElementTree.parse(folder / "curve.svg")


def test_bias_stays_and_variance_falls_where_a_model_is_wrong(suffice, folder):
    """A shared variance where the truth has two: what is left of the linear discriminant after all rows is known."""
    (folder / "two.json").write_text(json.dumps({"priors": {"a": 0.3, "b": 0.7}, "columns": ["x"], "means": {"a": [2], "b": [-1]},
                                                 "covariances": {"a": [[1]], "b": [[4]]}}))
    suffice("fit", "--given", "two.json", "-o", "two.suf")
    words = ["learn-curve", "two.suf", "--models", "lda,qda", "--sizes", "40,400,4000", "--repeats", "20", "--test-rows", "20000"]
    at = {(point["rows"], point["model"]): point for point in json.loads(suffice(*words, "--json").stdout)["points"]}
    x = np.linspace(-15, 15, 20001)
    joint = np.array([0.3 * stats.norm(2, 1).pdf(x), 0.7 * stats.norm(-1, 2).pdf(x)])
    pooled = np.sqrt(0.3 * 1 + 0.7 * 4)
    limit = np.array([0.3 * stats.norm(2, pooled).pdf(x), 0.7 * stats.norm(-1, pooled).pdf(x)])
    apart = limit / limit.sum(0) - joint / joint.sum(0)
    expected = ((apart**2).sum(0) * joint.sum(0)).sum() * (x[1] - x[0])
    assert at[4000, "linear_discriminant"]["squared_bias"] == pytest.approx(expected, rel=0.06)
    assert at[4000, "quadratic_discriminant"]["squared_bias"] < expected / 100
    for model in ("linear_discriminant", "quadratic_discriminant"):
        variance = [at[rows, model]["variance"] for rows in (40, 400, 4000)]
        assert variance[0] > 5 * variance[1] > 25 * variance[2] > 0  # as one over the rows
    assert at[40, "quadratic_discriminant"]["variance"] > at[40, "linear_discriminant"]["variance"]
    assert "bias^2" in suffice(*words[:6], "--repeats", "2").stdout


def test_learning_curves_of_a_table_are_judged_on_the_other_rows(suffice, folder):
    told = json.loads(suffice("learn-curve", "iris.csv", "--target", "species", "--models", "lda", "--sizes", "20,100", "--repeats", "5", "--json").stdout)
    assert told["bayes_error"] is None and "variance" not in told["points"][0]
    assert 0 < told["points"][1]["error"] < told["points"][0]["error"] < 0.2
    assert "too few rows" in suffice("learn-curve", "iris.csv", "--target", "species", "--sizes", "149", code=2).stderr


def test_k_means_says_how_many_steps_it_took(suffice, folder):
    told = json.loads(suffice("cluster", "iris.csv", "--k", "3", "--exclude", "species", "--model", "k_means", "--json", "--trace", "-o", "groups.csv").stdout)
    path = [each["objective"] for each in told["trace"]]
    assert told["steps"] == len(path) - 1 > 1
    assert all(after <= before for before, after in zip(path, path[1:]))


def iris_start(folder):
    """Rows, and a start that is wrong for many of them: by their number."""
    rows = np.loadtxt(folder / "iris.csv", delimiter=",", skiprows=1, usecols=(2, 3))
    start = np.arange(len(rows)) % 10 // 4
    (folder / "start.csv").write_text("cluster\n" + "".join(f"{k}\n" for k in start))
    return rows, start


def test_the_trace_of_em_has_the_parameters_of_each_step(suffice, folder):
    x, start = iris_start(folder)
    words = ["cluster", "iris.csv", "--k", "3", "--exclude", "species,sepal_length,sepal_width", "--start", "start.csv", "--steps", "12", "--trace", "-o", "groups.csv"]
    trace = json.loads(suffice(*words, "--json").stdout)["trace"]
    assert len(trace) == 13
    order = None
    r = np.eye(3)[start]
    for step in trace:
        weight, mean = r.mean(0), r.T @ x / r.sum(0)[:, None]
        covariance = [((x - mean[k]).T * r[:, k]) @ (x - mean[k]) / r[:, k].sum() for k in range(3)]
        joint = np.column_stack([w * stats.multivariate_normal(m, c).pdf(x) for w, m, c in zip(weight, mean, covariance)])
        told = np.array([[g["petal_length"]["mean"], g["petal_width"]["mean"]] for g in step["groups"]])
        if order is None:
            order = [int(np.abs(mean - each).sum(1).argmin()) for each in told]  # the heaviest of the end is told first
        assert step["log_likelihood"] == pytest.approx(np.log(joint.sum(1)).sum(), rel=1e-8)
        np.testing.assert_allclose(told, mean[order], rtol=1e-7)
        np.testing.assert_allclose(step["shares"], weight[order], rtol=1e-7)
        for own, k in zip(step["covariances"], order):
            np.testing.assert_allclose(own["values"], covariance[k], rtol=1e-6)
        r = joint / joint.sum(1, keepdims=True)
    table = suffice(*words, "-q").stderr.splitlines()
    assert table[0].split()[:5] == ["step", "log-likelihood", "change", "group", "share"]
    assert float(table[1].split()[4]) == pytest.approx(trace[0]["groups"][0]["petal_length"]["mean"], rel=1e-3)


def test_the_trace_of_k_means_has_the_centres_of_each_step(suffice, folder):
    x, start = iris_start(folder)
    words = ["cluster", "iris.csv", "--k", "3", "--exclude", "species,sepal_length,sepal_width", "--model", "k_means", "--start", "start.csv", "--trace", "--json", "-o", "groups.csv"]
    told = json.loads(suffice(*words).stdout)
    centres = np.array([x[start == k].mean(0) for k in range(3)])
    final = np.array([[g["petal_length"]["centre"], g["petal_width"]["centre"]] for g in told["trace"][0]["groups"]])
    order = [int(np.abs(centres - each).sum(1).argmin()) for each in final]
    for step in told["trace"]:
        distance = ((x[:, None] - centres) ** 2).sum(2)
        nearest = distance.argmin(1)
        assert step["objective"] == pytest.approx(distance.min(1).sum(), rel=1e-9)
        np.testing.assert_allclose([[g["petal_length"]["centre"], g["petal_width"]["centre"]] for g in step["groups"]], centres[order], rtol=1e-9)
        np.testing.assert_allclose(step["shares"], np.bincount(nearest, minlength=3)[order] / len(x), rtol=1e-12)
        centres = np.array([x[nearest == k].mean(0) for k in range(3)])
    assert len(told["trace"]) == told["steps"] + 1


@pytest.mark.parametrize("words, named", [
    (["--model", "variational_mixture", "--start", "start.csv"], "--start"), (["--model", "variational_mixture", "--starts", "3"], "--starts"),
    (["--model", "k_means", "--distance", "cosine", "--start", "start.csv"], "--start"), (["--online", "--trace"], "--trace")])
def test_what_a_search_for_groups_does_not_take_is_refused(suffice, folder, words, named):
    iris_start(folder)
    assert suffice("cluster", "iris.csv", "--k", "3", "--exclude", "species", *words, code=2).stderr.startswith(named)


def test_one_start_of_k_means_is_one(suffice, folder):
    said = [json.loads(suffice("cluster", "iris.csv", "--k", "6", "--exclude", "species", "--model", "k_means", "--starts", n, "--seed", "3", "--json", "-o", "g.csv").stdout)
            for n in ("1", "40")]
    assert said[0]["objective"] > said[1]["objective"] * (1 + 1e-6)


def test_stated_models_are_compared_by_the_evidence_of_the_rows(suffice, folder):
    rng = np.random.default_rng(1)
    x = rng.normal(0.3, 1, 20)
    (folder / "rows.csv").write_text("x\n" + "".join(f"{v!r}\n" for v in x.tolist()))
    evidence = []
    for name, mean in (("near", 0.0), ("far", 1.0)):
        (folder / f"{name}.json").write_text(json.dumps(
            {"priors": {"a": 0.4, "b": 0.6}, "columns": ["x"], "means": {"a": [mean], "b": [mean + 0.5]}, "covariance": [[1.5]]}))
        suffice("fit", "--given", f"{name}.json", "-o", f"{name}.suf")
        density = sum(p * stats.norm(m, 1.5**0.5).pdf(x) for p, m in ((0.4, mean), (0.6, mean + 0.5)))
        evidence.append(np.log(density).sum())
    told = json.loads(suffice("density", "rows.csv", "--model", "near.suf,far.suf", "--json").stdout)
    assert told["rows"] == 20 and [each["model"] for each in told["models"]] == ["near.suf", "far.suf"]
    np.testing.assert_allclose([each["log_evidence"] for each in told["models"]], evidence, rtol=1e-12)
    np.testing.assert_allclose([each["probability"] for each in told["models"]], np.exp(evidence - np.logaddexp(*evidence)), rtol=1e-9)
    lines = suffice("density", "rows.csv", "--model", "far.suf,near.suf").stdout.splitlines()
    assert lines[2].split()[0] == "near.suf"  # the more probable first
    assert "--at" in suffice("density", "rows.csv", "--model", "far.suf,near.suf", "--at", "rows.csv", code=2).stderr


def test_inspect_shows_covariances_off_the_diagonal(suffice, folder):
    suffice("fit", "iris.csv", "--target", "species", "--model", "lda", "-o", "m.suf")
    text = suffice("inspect", "m.suf").stdout
    told = json.loads(suffice("inspect", "m.suf", "--json").stdout)["covariances"][0]
    line = text[text.index("covariance of"):].splitlines()[3].split()
    assert line[0] == told["columns"][1] and float(line[1]) == pytest.approx(told["values"][1][0], rel=1e-3)


def test_a_matrix_in_a_prior_is_written_as_its_rows(suffice, folder):
    told = [suffice("density", "iris.csv", "--exclude", "species,sepal_length,sepal_width", "--model", "gaussian_vector", "--json",
                    "--prior", f"normal_wishart(mean=[4,1],mean_weight=1,degrees=4,scatter={scatter})").stdout for scatter in ("[[2,0.5],[0.5,1]]", "[2,0.5,0.5,1]")]
    assert told[0] == told[1]


PICTURES = [["--what", "sigmoid"], ["--what", "family"], ["--what", "simplex"], ["--what", "em"],
            ["iris.csv", "--what", "density", "--columns", "sepal_length", "--model", "gaussian,gamma"]]


@pytest.mark.parametrize("words", PICTURES, ids=lambda words: " ".join(words))
def test_pictures_have_no_css_variables(suffice, folder, words):
    assert "var(" not in suffice("plot", *words).stdout


def test_the_steps_of_k_means_are_those_of_the_start_that_won(suffice, folder):
    """Lloyd's steps by NumPy from the first centres told: as many, the last of them the only one that moves nothing."""
    rng = np.random.default_rng(3)
    x = np.concatenate([rng.normal(size=(40, 2)) + centre for centre in ([0, 0], [2.5, 0], [0, 3])])
    (folder / "rows.csv").write_text("a,b\n" + "".join(f"{a!r},{b!r}\n" for a, b in x.tolist()))
    told = json.loads(suffice("cluster", "rows.csv", "--k", "3", "--model", "k_means", "--tolerance", "1e-12", "--trace", "--json", "-o", "g.csv").stdout)
    trace = told["trace"]
    centres, steps = np.array([[group[name]["centre"] for name in "ab"] for group in trace[0]["groups"]]), 0
    while True:
        near = ((x[:, None] - centres) ** 2).sum(2).argmin(1)
        assert trace[steps]["objective"] == pytest.approx(((x - centres[near]) ** 2).sum(), rel=1e-9)
        moved = np.array([x[near == k].mean(0) for k in range(3)])
        steps += 1
        if np.allclose(moved, centres, rtol=0, atol=1e-12):
            break
        centres = moved
    assert told["steps"] == steps == len(trace) - 1 and steps > 2


def test_words_beside_the_curves_are_whole(suffice, folder):
    rng = np.random.default_rng(0)
    (folder / "rows.csv").write_text("x\n" + "".join(f"{v!r}\n" for v in rng.gamma(28, 150, size=200).tolist()))
    drawn = suffice("plot", "rows.csv", "--what", "density", "--model", "gaussian,gamma,log_normal").stdout
    words = ["".join(each.itertext()) for each in xml.etree.ElementTree.fromstring(drawn).iter("{http://www.w3.org/2000/svg}text")]
    assert all(any(word.startswith(name) and not word.endswith("…") and not word.endswith("...") for word in words)
               for name in ("gaussian, mean", "gamma, shape", "log_normal, log_mean"))


def test_what_is_known_of_vectors_and_levels_is_told_as_covariances_and_probabilities(suffice, folder):
    (folder / "rows.csv").write_text("a,b\n1,2\n2,1\n4,5\n")
    told = suffice("density", "rows.csv", "--model", "gaussian_vector", "--prior", "normal_wishart(mean=[0,0],mean_weight=1,degrees=4,scatter=[[1,0],[0,1]])").stdout
    assert "covariance [[1.55556, 1.77778], [1.77778, 2.88889]]" in told and "scatter [[1, 0], [0, 1]]" in told and "factor" not in told
    (folder / "words.csv").write_text("c\nred\nred\nblue\n")
    told = suffice("density", "words.csv", "--model", "categorical", "--prior", "dirichlet(1,1)").stdout
    assert "probability 0.4, 0.6" in told and "log_probability" not in told


def test_both_crossings_of_learning_curves_are_told(suffice, folder):
    (folder / "stated.json").write_text(json.dumps({"priors": {"a": 0.5, "b": 0.5}, "columns": ["x", "y"],
                                                    "means": {"a": [0, 0], "b": [2, 0]}, "covariance": [[1, 0.8], [0.8, 1]]}))
    suffice("fit", "--given", "stated.json", "-o", "stated.suf")
    words = ["learn-curve", "stated.suf", "--models", "gnb,lda", "--sizes", "20,2000", "--repeats", "10", "--test-rows", "2000"]
    said, told = suffice(*words).stdout, json.loads(suffice(*words, "--json").stdout)
    at = {(point["rows"], point["model"]): point for point in told["points"]}
    assert at[2000, "linear_discriminant"]["error"] < at[2000, "gaussian_nb"]["error"]
    assert told["leaders_by_error"] in said and told["leaders"] in said
    assert told["leaders_by_error"].startswith("by error ") and "linear_discriminant" in told["leaders_by_error"]


@pytest.mark.parametrize("family, numbers, law", [
    ("gaussian", ([0, 1], [2, 4]), lambda a, b: stats.norm(a, np.sqrt(b)).logpdf), ("log_normal", ([0, 0.3], [1, 0.5]), lambda a, b: stats.lognorm(np.sqrt(b), scale=np.exp(a)).logpdf),
    ("gamma", ([2, 1], [6, 1.5]), lambda a, b: stats.gamma(a, scale=1 / b).logpdf), ("beta", ([2, 5], [5, 2]), lambda a, b: stats.beta(a, b).logpdf),
    ("exponential", ([1], [0.3]), lambda r: stats.expon(scale=1 / r).logpdf), ("poisson", ([2], [6]), lambda r: stats.poisson(r).logpmf),
    ("geometric", ([0.3], [0.6]), lambda p: stats.geom(p, loc=-1).logpmf), ("bernoulli", ([0.2], [0.7]), lambda p: stats.bernoulli(p).logpmf)])
def test_every_family_that_is_stated_answers_by_its_density(suffice, folder, family, numbers, law):
    (folder / "stated.json").write_text(json.dumps(
        {"priors": {"a": 0.3, "b": 0.7}, "families": {"x": {"family": family, "a": numbers[0], "b": numbers[1]}}}))
    suffice("fit", "--given", "stated.json", "-o", "stated.suf")
    x = np.array([0.2, 0.9]) if family == "beta" else np.array([0.0, 1.0]) if family == "bernoulli" else np.array([1.0, 3.0])
    (folder / "x.csv").write_text("x\n" + "".join(f"{v!r}\n" for v in x.tolist()))
    said = np.loadtxt(suffice("predict", "stated.suf", "x.csv", "--proba", "--evidence").stdout.splitlines()[1:], delimiter=",", usecols=(1, 2, 3))
    joint = np.column_stack([np.log(0.3) + law(*numbers[0])(x), np.log(0.7) + law(*numbers[1])(x)])
    np.testing.assert_allclose(said[:, 2], np.logaddexp(*joint.T), rtol=1e-8)
    np.testing.assert_allclose(said[:, :2], np.exp(joint - said[:, 2:]), rtol=1e-8)


@pytest.mark.parametrize("family, numbers, said", [("gamma", [2, -1], "shape and rate above 0"), ("gamma", [2], "shape and rate"), ("negative_binomial", [2, 0.5], "cannot be stated"), ("poison", [2], "cannot be stated")])
def test_families_that_cannot_be_stated_are_refused(suffice, folder, family, numbers, said):
    (folder / "stated.json").write_text(json.dumps({"priors": {"a": 0.5, "b": 0.5}, "families": {"x": {"family": family, "a": numbers, "b": numbers}}}))
    told = suffice("fit", "--given", "stated.json", "-o", "stated.suf", code=2).stderr
    assert said in told and "column x" in told


def test_pairs_of_discrete_values_are_drawn_as_areas(suffice, folder):
    p, q = {"a": 0.2, "b": 0.7}, {"a": 0.6, "b": 0.9}
    (folder / "stated.json").write_text(json.dumps({"priors": {"a": 0.5, "b": 0.5}, "families": {
        "x": {"family": "bernoulli", **{k: [v] for k, v in p.items()}}, "y": {"family": "bernoulli", **{k: [v] for k, v in q.items()}}}}))
    suffice("fit", "--given", "stated.json", "-o", "stated.suf")
    marks = [each for each in xml.etree.ElementTree.fromstring(suffice("plot", "stated.suf", "--what", "density").stdout).iter("{http://www.w3.org/2000/svg}rect")
             if each.get("class") in ("f0", "f1") and each.get("fill-opacity")]
    assert len(marks) == 8
    for style, name in (("f0", "a"), ("f1", "b")):
        own = [each for each in marks if each.get("class") == style]
        areas = [float(each.get("width")) * float(each.get("height")) for each in sorted(own, key=lambda each: (round(float(each.get("x")) + float(each.get("width")) / 2), -float(each.get("y"))))]
        expected = [(p[name] if x else 1 - p[name]) * (q[name] if y else 1 - q[name]) for x in (0, 1) for y in (0, 1)]
        np.testing.assert_allclose(np.array(areas) / sum(areas), expected, atol=0.01)


PLUG_IN = {  # the density of SciPy at the estimate of maximum likelihood
    "poisson": ([0, 1, 1, 3, 5, 2], "gamma(2,1)", lambda x, v: stats.poisson(np.mean(v)).pmf(x)),
    "bernoulli": ([0, 1, 1, 1], "beta(1,1)", lambda x, v: stats.bernoulli(np.mean(v)).pmf(x)),
    "geometric": ([0, 0, 1, 4], "beta(1,1)", lambda x, v: stats.geom(1 / (1 + np.mean(v)), loc=-1).pmf(x)),
    "exponential": ([0.0, 0.2, 1.5, 3.0], "gamma(1,1)", lambda x, v: stats.expon(scale=np.mean(v)).pdf(x)),
    "beta": (stats.beta(2, 5).rvs(200, random_state=1).tolist(), None, lambda x, v: stats.beta(*stats.beta.fit(v, floc=0, fscale=1)[:2]).pdf(x)),
    "gaussian": ([1.0, 2.0, 4.0], "normal_gamma(0,1,1,1)", lambda x, v: stats.norm(np.mean(v), np.std(v)).pdf(x)),
}


@pytest.mark.parametrize("family", PLUG_IN)
def test_every_family_is_drawn_over_its_rows(suffice, folder, family):
    values, prior, density = PLUG_IN[family]
    (folder / "v.csv").write_text("v\n" + "".join(f"{x!r}\n" for x in values))
    words = ["plot", "v.csv", "--what", "density", "--model", family, *(["--prior", prior] if prior else []), "--json"]
    panel = json.loads(suffice(*words).stdout)["panels"][0]
    assert len(panel["curves"]) == (2 if prior else 1)
    x, y = np.array(panel["curves"][0]["points"]).T
    np.testing.assert_allclose(y, density(x, values), rtol=1e-5, atol=1e-12)
    assert min(x) >= 0 if family in ("exponential", "beta") else True
    if family in ("poisson", "bernoulli", "geometric"):  # a grey bar for each value, as high as its share
        heights = {round((low + high) / 2): height for low, high, height in panel["bars"]}
        assert all(heights[value] == pytest.approx(np.mean(np.array(values) == value)) for value in set(values))
        assert set(heights) == set(range(len(heights))) and len(panel["curves"][1]["points"]) == len(y)


def test_words_are_drawn_as_bars_by_level(suffice, folder):
    (folder / "w.csv").write_text("w\ncat\ndog\ncat\nemu\n")
    panel = json.loads(suffice("plot", "w.csv", "--what", "density", "--model", "categorical", "--prior", "dirichlet(1,1,1)", "--json").stdout)["panels"][0]
    assert [bar[2] for bar in panel["bars"]] == pytest.approx([0.5, 0.25, 0.25])
    assert [point[1] for point in panel["curves"][1]["points"]] == pytest.approx([3 / 7, 2 / 7, 2 / 7])
    svg = suffice("plot", "w.csv", "--what", "density", "--model", "categorical").stdout
    assert ">emu<" in svg


def test_a_prior_with_poles_keeps_its_shape(suffice, folder):
    points = lambda prior: json.loads(suffice("plot", "--what", "prior", "--prior", prior, "--json").stdout)["panels"][0]
    svg = suffice("plot", "--what", "prior", "--prior", "beta(0.5,0.5)").stdout
    top = max(float(tick) for tick in __import__("re").findall(r">(\d+(?:\.\d+)?)</text>", svg))
    assert 1 < top < 6 and max(y for _, y in points("beta(0.5,0.5)")["curves"][0]["points"]) > 20


def test_a_prior_by_itself_is_told(suffice):
    told = json.loads(suffice("math", "wishart(degrees=5, covariance=[[2,0.5],[0.5,1]])", "--json").stdout)
    scale = np.linalg.inv(5 * np.array([[2, 0.5], [0.5, 1]]))
    np.testing.assert_allclose(told["mean_of_precision"], stats.wishart(5, scale).mean())
    np.testing.assert_allclose(told["mode_of_precision"], stats.wishart(5, scale).mode())
    told = json.loads(suffice("math", "normal_gamma(mean=5, mean_weight=2, shape=3, rate=0.5)", "--json").stdout)
    assert told["mean_of_precision"] == pytest.approx(6) and told["mean_of_mean"] == 5
    assert told["credible_interval_of_mean"] == pytest.approx(stats.t(6, 5, np.sqrt(0.5 / 3 / 2)).ppf([0.025, 0.975]))
    assert told["credible_interval_of_variance"] == pytest.approx(stats.invgamma(3, scale=0.5).ppf([0.025, 0.975]))
    told = json.loads(suffice("math", "dirichlet(2, 3, 5)", "--json").stdout)
    assert told["mean_of_probability"] == pytest.approx([0.2, 0.3, 0.5])
    assert told["mode_of_probability"] == pytest.approx([1 / 7, 2 / 7, 4 / 7])
    assert told["credible_interval_of_probability_1"] == pytest.approx(stats.beta(2, 8).ppf([0.025, 0.975]))
    assert "did you mean normal_gamma" in suffice("math", "normal_gama(1)", code=2).stderr


def test_a_prior_takes_a_covariance_and_says_what_it_takes(suffice, folder):
    (folder / "ab.csv").write_text("a,b\n1,2\n2,1\n3,5\n0,1\n")
    ask = lambda prior, code=0: suffice("density", "ab.csv", "--model", "gaussian_vector", "--prior", prior, *(["--json"] if code == 0 else []), code=code)
    by_covariance = ask("normal_wishart(mean=[0,0],mean_weight=2,degrees=4,covariance=[[1,0.25],[0.25,2]])")
    assert by_covariance.stdout == ask("normal_wishart(mean=[0,0],mean_weight=2,degrees=4,scatter=[[4,1],[1,8]])").stdout
    assert "normal_wishart(mean, mean_weight, degrees, scatter or covariance)" in ask("normal_wishart(spread=3)", 2).stderr


@pytest.mark.parametrize("rate", ["0.002", "auto"])
def test_steps_against_the_gradient_are_told(suffice, folder, rate):
    x, t = two_classes(folder)
    told = json.loads(suffice("fit", "rows.csv", "--target", "c", "--model", "logistic", "--start", "zeros", "--descent", rate, "--steps", "30",
                              "--trace", "--json", "-o", "slow.suf").stdout)["trace"]
    Phi, w = np.column_stack([np.ones(300), x]), np.zeros(3)
    length = 4 / np.linalg.eigvalsh(Phi.T @ Phi)[-1] if rate == "auto" else float(rate)
    assert len(told) == 31
    for step in told:
        np.testing.assert_allclose(list(step["coefficients"]["yes"].values()), w, rtol=1e-8, atol=1e-10)
        w = w - length * Phi.T @ (1 / (1 + np.exp(-Phi @ w)) - t)
    suffice("fit", "rows.csv", "--target", "c", "--model", "logistic", "--descent", rate, "--steps", "5", "--trace-picture", "slow.svg", "-q", "-o", "slow.suf")
    assert "Steps against the gradient" in (folder / "slow.svg").read_text()


@pytest.mark.parametrize("words, said", [
    (["--model", "lda", "--descent", "auto"], "--descent is for models that are searched for"), (["--model", "logistic", "--descent", "-1"], "above 0"),
    (["--model", "logistic", "--steps", "0"], "from 1"), (["--model", "logistic", "--descent", "auto", "--lasso", "1"], "no gradient")])
def test_steps_that_cannot_be_taken_are_refused(suffice, folder, words, said):
    two_classes(folder)
    assert said in suffice("fit", "rows.csv", "--target", "c", *words, "-o", "x.suf", code=2).stderr


def test_newtons_method_stops_after_so_many_steps(suffice, folder):
    x, t = two_classes(folder)
    told = json.loads(suffice("fit", "rows.csv", "--target", "c", "--model", "logistic", "--start", "zeros", "--steps", "2", "--trace", "--json", "-o", "two.suf").stdout)
    Phi, w = np.column_stack([np.ones(300), x]), np.zeros(3)
    for _ in range(2):
        y = 1 / (1 + np.exp(-Phi @ w))
        w = w - np.linalg.solve(Phi.T * (y * (1 - y)) @ Phi, Phi.T @ (y - t))
    assert len(told["trace"]) == 3
    np.testing.assert_allclose(list(told["trace"][-1]["coefficients"]["yes"].values()), w, rtol=1e-8)


def test_levels_are_stated_that_no_row_has(suffice, folder):
    (folder / "die.csv").write_text("throw\n3\n1\n3\n")
    ask = lambda *more, code=0: suffice("density", "die.csv", "--model", "categorical", "--prior", "dirichlet(1,2,3,4)", *more, code=code)
    told = json.loads(ask("--levels", "1,2,3,4", "--json").stdout)[0]
    assert told["posterior"]["concentration"] == [2, 2, 5, 4] and told["probability"] == pytest.approx([1 / 3, 0, 2 / 3, 0])
    alpha, rows = np.array([1, 2, 3, 4]), np.array([1, 0, 2, 0])
    assert told["log_evidence"] == pytest.approx(gammaln(10) - gammaln(13) + np.sum(gammaln(alpha + rows) - gammaln(alpha)))
    assert "takes dirichlet(concentration)" in ask(code=2).stderr
    assert "no levels" in suffice("density", "die.csv", "--model", "poisson", "--levels", "1,2", code=2).stderr
    (folder / "at.csv").write_text("throw\n2\n4\n")
    dense = suffice("density", "die.csv", "--model", "categorical", "--prior", "dirichlet(1,2,3,4)", "--levels", "1,2,3,4", "--at", "at.csv").stdout
    assert [float(x) for x in dense.split()[1:]] == pytest.approx(np.log([2 / 13, 4 / 13]))
