"""suffice math against SciPy, NumPy and closed forms, and what it refuses."""
import json

import numpy as np
import pytest
from scipy import special, stats


@pytest.fixture
def ask(suffice):
    return lambda *terms: json.loads(suffice("math", *terms, "--json").stdout)


def test_sigmoid_and_logit_with_their_derivatives(ask):
    a = np.array([-745.0, -36.5, -1.0, 0.0, 0.3, 40.0, 800.0])
    told = ask(f"sigmoid({', '.join(map(repr, a.tolist()))})")
    s, c = special.expit(a), special.expit(-a)
    for name, expected in (("sigmoid", s), ("derivative", s * c), ("second_derivative", s * c * (c - s)), ("log_sigmoid", special.log_expit(a))):
        np.testing.assert_allclose(told[name], expected, rtol=1e-13, atol=1e-323, err_msg=name)  # exp(-745) is the least number, and 0 to SciPy
    p = np.array([1e-300, 0.2, 0.5, 0.75])
    told = ask(f"logit({', '.join(map(repr, p.tolist()))})")
    np.testing.assert_allclose(told["logit"], special.logit(p), rtol=1e-14, atol=1e-16)
    np.testing.assert_allclose(told["derivative"], 1 / (p * (1 - p)), rtol=1e-14)


def test_softmax_with_its_matrix_of_derivatives(ask):
    told = ask("softmax(1000, 1000, 999)")
    s = special.softmax([1000.0, 1000.0, 999.0])
    np.testing.assert_allclose(told["softmax"], s, rtol=1e-15)
    np.testing.assert_allclose(told["derivative"], np.diag(s) - np.outer(s, s), atol=1e-16)
    assert told["log_sum_exp"] == pytest.approx(special.logsumexp([1000.0, 1000.0, 999.0]), rel=1e-15)


def test_the_bound_of_a_risk_and_its_coverage(ask):
    told = ask("hoeffding(n=100, epsilon=0.1, risk=0.16)")
    assert told["probability_at_most"] == pytest.approx(2 * np.exp(-2))
    beyond = stats.binom(100, 0.16)
    exact = beyond.cdf(6) + beyond.sf(25)
    spread = np.sqrt(exact * (1 - exact) / 20000)
    assert abs(told["share_of_20000_draws"] - exact) < 5 * spread and told["share_of_20000_draws"] <= told["probability_at_most"]
    told = ask("hoeffding(n=200, delta=0.05, rules=50, risk=0.5)")
    assert told["epsilon"] == pytest.approx(np.sqrt(np.log(2 * 50 / 0.05) / 400)) and told["probability_at_most"] == pytest.approx(0.05)
    assert told["share_of_20000_draws"] <= 0.05


def test_robbins_monro_is_the_running_mean(ask):
    told = ask("robbins_monro(2, 4, 9, 1)")
    np.testing.assert_allclose(told["estimate"], np.cumsum([2, 4, 9, 1]) / np.arange(1, 5))
    np.testing.assert_allclose(told["step"], 1 / np.arange(1, 5))


@pytest.mark.parametrize("term, law", [
    ("poisson(2)", stats.poisson(2)), ("bernoulli(0.3)", stats.bernoulli(0.3)), ("gaussian(1, 4)", stats.norm(1, 2)),
    ("exponential(rate=0.5)", stats.expon(scale=2)), ("gamma(shape=3, rate=2)", stats.gamma(3, scale=0.5)), ("beta(2, 5)", stats.beta(2, 5)),
    ("gaussian_known_variance(mean=1, variance=4)", stats.norm(1, 2))])
def test_a_family_at_a_parameter(ask, term, law):
    told = ask(term)
    assert told["expectation"] == pytest.approx([law.mean()]) and told["spread"] == pytest.approx([law.var()])
    assert told["entropy"] == pytest.approx(law.entropy(), rel=1e-6)
    assert len(told["Hessian_of_A"]) == len(told["gradient_of_A"]) == len(told["natural_parameters"])


def test_gradient_and_hessian_of_a_gaussians_log_partition(ask):
    told, m, v = ask("gaussian(mean=1, variance=4)"), 1.0, 4.0
    assert told["log_partition"] == pytest.approx(m * m / (2 * v) + 0.5 * np.log(v))
    np.testing.assert_allclose(told["gradient_of_A"], [m, v + m * m])
    np.testing.assert_allclose(told["Hessian_of_A"], [[v, 2 * m * v], [2 * m * v, 4 * m * m * v + 2 * v * v]])


def test_vectors_and_levels_are_written_as_covariances_and_probabilities(ask):
    told = ask("gaussian_vector(mean=[1, 2], covariance=[[2, 0.5], [0.5, 1]])")
    np.testing.assert_allclose(told["covariance"], [[2, 0.5], [0.5, 1]], atol=1e-15)
    assert told["entropy"] == pytest.approx(stats.multivariate_normal([1, 2], [[2, 0.5], [0.5, 1]]).entropy())
    for term in ("categorical(0.2, 0.3, 0.5)", "categorical(probability=[0.2, 0.3, 0.5])"):
        told = ask(term)
        np.testing.assert_allclose(told["probability"], [0.2, 0.3, 0.5])
        np.testing.assert_allclose(told["natural_parameters"], np.log([0.2 / 0.5, 0.3 / 0.5]))
        assert told["entropy"] == pytest.approx(stats.entropy([0.2, 0.3, 0.5]))


def test_the_divergence_of_two(ask):
    told = ask("poisson(2)", "poisson(3)")
    assert told["divergence"] == pytest.approx(2 * np.log(2 / 3) + 1) and told["risk"] - told["entropy"] == pytest.approx(told["divergence"])


def test_the_dispersion_form(ask):
    told = ask("exponential(0.5)", "dispersion(2)")  # x / 2 has the rate 0.5
    law = stats.expon(scale=4)
    assert told["expectation"] == pytest.approx([law.mean()]) and told["spread"] == pytest.approx([law.var()])
    assert told["weights_of_x"] == pytest.approx([-0.25]) and told["constant"] == pytest.approx(np.log(0.5))


def test_maps_of_a_gaussian(ask):
    m, S = np.array([1.0, 2.0, 0.0]), np.array([[2, 0.5, 0.1], [0.5, 1, 0.3], [0.1, 0.3, 1.5]])
    gaussian = f"gaussian_vector(mean={m.tolist()}, covariance={S.tolist()})"
    A, b, N, C = np.array([[1.0, 2.0, 0.0], [0.0, 1.0, -1.0]]), np.array([3.0, 1.0]), 0.5 * np.eye(2), np.array([[0.2, 0], [0.1, 0.1], [0, 0]])
    told = ask(gaussian, f"affine(matrix={A.tolist()}, offset={b.tolist()}, noise={N.tolist()}, cross={C.tolist()})")
    np.testing.assert_allclose(told["mean"], A @ m + b)
    np.testing.assert_allclose(told["covariance"], A @ S @ A.T + N + A @ C + (A @ C).T)
    told = ask(gaussian, "marginal(3, 1)")
    np.testing.assert_allclose(told["mean"], [0, 1], atol=1e-15)
    np.testing.assert_allclose(told["covariance"], S[np.ix_([2, 0], [2, 0])])
    told = ask(gaussian, "conditional(columns=[2], values=[3])", "marginal(2)")  # of x1 and x3 given x2, the second
    assert told["mean"] == pytest.approx([0 + 0.3 * (3 - 2)]) and told["covariance"][0] == pytest.approx([1.5 - 0.3 ** 2])


@pytest.mark.parametrize("terms, said", [
    ([], "ame a function"), (["sigmoid"], "name(number, ...)"), (["sigmoid()"], "takes numbers"), (["sigmoid(a=1)"], "without names"),
    (["sigmod(1)"], "did you mean sigmoid"), (["logit(2)"], "from 0 to 1"), (["hoeffding(n=100)"], "either epsilon or delta"),
    (["hoeffding(n=0, epsilon=1)"], "count from 1"), (["poisson(-1)"], "out of range"), (["poisson(1)", "gamma(1, 1)"], "neither"),
    (["poisson(1)", "dispersion(2)"], "no dispersion form"), (["exponential(1)", "dispersion(0)"], "above zero"),
    (["gaussian_vector(mean=[0,0], covariance=[[1,2],[2,1]])"], "eigenvalue -1"), (["poisson(1)", "marginal(1)"], "gaussian_vector"),
    (["gaussian_vector(mean=[0,0], covariance=[[1,0],[0,1]])", "marginal(3)"], "from 1 to 2"),
    (["gaussian_vector(mean=[0,0], covariance=[[1,0],[0,1]])", "conditional(columns=[1])"], "one value is needed"),
    (["gaussian_vector(mean=[0,0], covariance=[[1,0],[0,1]])", "affine(matrix=[1,2,3])"], "2 columns"),
    (["gaussian_vector(mean=[0,0,0], covariance=[[1,0],[0,1]])"], ""), (["poisson(rat=1)"], "rat")])
def test_what_cannot_be_told_is_refused_in_one_sentence(suffice, terms, said):
    told = suffice("math", *terms, code=2).stderr
    assert said in told and told.count("\n") == 1


def test_people_read_matrices_as_they_are_written(suffice):
    assert "[[2, 0.5], [0.5, 1]]\n" in suffice("math", "gaussian_vector(mean=[1,2], covariance=[[2,0.5],[0.5,1]])").stdout
