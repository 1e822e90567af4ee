"""Statistics of families as values, sizes that follow from the data, priors by name, and maps of Gaussians."""
import pickle

import numpy as np
import pytest
from scipy import stats

import suffice
from suffice import families
from suffice.families import (Bernoulli, Categorical, Dirichlet, GaussianVector, GaussianVectorKnownCovariance,
                              GaussianVectorKnownMean, Multinomial, NormalGamma, NormalWishart, Poisson, Wishart)

RNG = np.random.default_rng(5)
SOME = {
    "Bernoulli": RNG.integers(0, 2, 40), "Categorical": RNG.integers(0, 4, 40), "Poisson": RNG.poisson(3, 40),
    "Multinomial": RNG.multinomial(7, [0.2, 0.3, 0.5], 40), "Geometric": RNG.geometric(0.3, 40) - 1,
    "NegativeBinomial": RNG.negative_binomial(2, 0.4, 40), "Exponential": RNG.exponential(2, 40),
    "Gamma": RNG.gamma(2, 2, 40), "Beta": RNG.beta(2, 3, 40), "LogNormal": RNG.lognormal(size=40),
    "Gaussian": RNG.normal(size=40), "GaussianKnownMean": RNG.normal(size=40),
    "GaussianKnownVariance": RNG.normal(size=40), "GaussianVector": RNG.normal(size=(40, 3)),
    "GaussianVectorDiagonal": RNG.normal(size=(40, 3)), "GaussianVectorSpherical": RNG.normal(size=(40, 3)),
}


@pytest.mark.parametrize("name", sorted(SOME))
def test_statistics_of_every_family_are_values(name):
    family, x = getattr(families, name)(), SOME[name]
    whole = family.observe(x)
    pieces = family.observe(x[:15]) + family.observe(x[15:])
    assert pieces.weight == whole.weight == 40
    assert family.fit(whole) == family.fit(x)
    for key, value in family.fit(x).as_dict().items():
        np.testing.assert_allclose(family.fit(pieces).as_dict()[key], value, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(family.fit(pieces - family.observe(x[:15])).as_dict()[key],
                                   family.fit(x[15:]).as_dict()[key], rtol=1e-7, atol=1e-9)
        np.testing.assert_allclose(family.fit(x, weights=np.full(40, 2.0)).as_dict()[key],
                                   family.fit(2 * whole).as_dict()[key], rtol=1e-9, atol=1e-12)
    assert families.Statistic.from_bytes(whole.to_bytes()) == whole == pickle.loads(pickle.dumps(whole))
    assert sum([family.observe(x[:15]), family.observe(x[15:])]) == pieces
    fitted = family.fit(x)
    np.testing.assert_allclose(family.log_likelihood(fitted, whole), family.log_density(fitted, x).sum(), rtol=1e-10)
    assert repr(whole).startswith(f"Statistic('{family.name}', ")
    with pytest.raises(ValueError, match="not all in"):
        family.observe(x[:5]) - whole


def test_priors_take_statistics_in_place_of_values():
    family, x = Poisson(), SOME["Poisson"]
    prior = families.Gamma(2, 1)
    assert family.posterior(prior, family.observe(x)) == family.posterior(prior, x)
    assert family.log_evidence(prior, family.observe(x)) == family.log_evidence(prior, x)
    assert family.posterior(prior, family.observe(x) * 0.5).rate == 21
    with pytest.raises(ValueError, match="poisson was given a statistic of bernoulli"):
        family.fit(Bernoulli().observe([0, 1]))
    with pytest.raises(ValueError, match="do not go together"):
        family.observe([1]) + Bernoulli().observe([0, 1])
    with pytest.raises(ValueError, match="weights belong to values"):
        family.fit(family.observe(x), weights=x)


def test_the_number_of_columns_follows_from_the_data():
    X = SOME["GaussianVector"][:6, :2]
    fitted = GaussianVector().fit(X)
    np.testing.assert_allclose(fitted.mean, X.mean(axis=0))
    np.testing.assert_allclose(fitted.covariance, np.cov(X.T, bias=True))
    theirs = stats.multivariate_normal(X.mean(axis=0), np.cov(X.T, bias=True))
    np.testing.assert_allclose(GaussianVector().log_density(fitted, X), theirs.logpdf(X))
    np.testing.assert_allclose(GaussianVector().log_density({"mean": fitted.mean, "covariance": fitted.covariance}, X),
                               theirs.logpdf(X))
    np.testing.assert_allclose(GaussianVector().entropy(fitted), theirs.entropy())
    assert GaussianVector().sample(fitted, 5, random_state=1).shape == (5, 2)
    assert Multinomial().fit([[1, 2, 3]]).probability == pytest.approx(np.array([1, 2, 3]) / 6)


def test_levels_are_words_or_codes():
    fitted = Categorical().fit(["b", "a", "b", "c"])
    assert fitted.levels == ("a", "b", "c")
    assert fitted.probability == pytest.approx([0.25, 0.5, 0.25])
    assert Categorical().log_density(fitted, ["c", "b"]) == pytest.approx(np.log([0.25, 0.5]))
    assert Categorical().log_density({"probability": [0.5, 0.2, 0.3]}, [2]) == pytest.approx(np.log([0.3]))
    assert Categorical().fit([0, 4, 4, 1, 1]).probability == pytest.approx([0.2, 0.4, 0, 0, 0.4])
    both = Categorical().observe(["a", "b"]) + Categorical().observe(["c", "b"])
    assert both.levels == ("a", "b", "c") and Categorical().fit(both).probability == pytest.approx([0.25, 0.5, 0.25])
    posterior = Categorical().posterior(Dirichlet(1), both)
    assert posterior.concentration.tolist() == [2, 3, 2] and posterior.levels == ("a", "b", "c")
    assert Categorical().log_predictive(posterior, ["b"]) == pytest.approx([np.log(3 / 7)])
    known = Categorical(levels=["x", "a", "b"])
    assert known.fit(["a", "b"]).probability == pytest.approx([0, 0.5, 0.5])
    with pytest.raises(ValueError, match="no level c"):
        known.fit(["c"])
    back = families.Statistic.from_bytes(both.to_bytes())
    assert back == both and back.levels == both.levels
    assert pickle.loads(pickle.dumps(fitted)) == fitted


def test_priors_of_vectors_are_named_objects():
    X = SOME["GaussianVector"]
    prior = NormalWishart(mean=[0, 0, 0], mean_weight=2, degrees=5, covariance=np.eye(3))
    np.testing.assert_allclose(prior.scatter, 5 * np.eye(3))
    assert prior == NormalWishart([0, 0, 0], 2, 5, 5 * np.eye(3))
    posterior = GaussianVector().posterior(prior, X)
    assert isinstance(posterior, NormalWishart) and posterior.degrees == 45 and posterior.mean_weight == 42
    mean, n = X.mean(axis=0), len(X)
    scatter = 5 * np.eye(3) + (X - mean).T @ (X - mean) + 2 * n / (2 + n) * np.outer(mean, mean)
    np.testing.assert_allclose(posterior.scatter, scatter)
    theirs = stats.multivariate_t(posterior.mean, scatter * 43 / (42 * 43), df=43)
    np.testing.assert_allclose(GaussianVector().log_predictive(posterior, X[:4]), theirs.logpdf(X[:4]))
    parsed = GaussianVector(dimension=3).prior(str(prior))
    assert parsed == prior and isinstance(parsed, NormalWishart)
    known = GaussianVectorKnownMean(mean=[0.0, 0.0])
    after = known.posterior(Wishart(3, np.eye(2)), X[:, :2])
    assert isinstance(after, Wishart)
    np.testing.assert_allclose(after.scatter, np.eye(2) + X[:, :2].T @ X[:, :2])
    assert isinstance(families.Gaussian().posterior(NormalGamma(0, 1, 1, 1), X[:, 0]), NormalGamma)
    fixed = GaussianVectorKnownCovariance(covariance=[[4.0, 1.0], [1.0, 2.0]])
    np.testing.assert_allclose(fixed.log_density({"mean": [0.0, 0.0]}, X[:3, :2]),
                               stats.multivariate_normal([0, 0], [[4, 1], [1, 2]]).logpdf(X[:3, :2]))
    with pytest.raises(TypeError, match="either scatter or covariance"):
        Wishart(3)


def test_predictives_have_their_usual_names_and_numbers():
    """What log_predictive computes is the distribution that is named."""
    t = families.GaussianVector().predictive(NormalWishart(mean=[1, -1], mean_weight=2, degrees=4, scatter=[[2, 0.5], [0.5, 1]]))
    assert t["distribution"] == "student_t" and t["scale_matrix"].shape == (2, 2)
    x = np.array([[0.3, 2.0], [1.0, -1.0]])
    np.testing.assert_allclose(stats.multivariate_t(t["location"], t["scale_matrix"], t["degrees"]).logpdf(x),
                               families.GaussianVector().log_predictive(NormalWishart(mean=[1, -1], mean_weight=2, degrees=4, scatter=[[2, 0.5], [0.5, 1]]), x))
    counts = families.NegativeBinomial(r=2.0)
    told = counts.predictive(families.Beta(3, 2))
    assert told.pop("distribution") == "beta_negative_binomial"
    np.testing.assert_allclose(stats.betanbinom(told["successes"], told["alpha"], told["beta"]).logpmf([0, 1, 7]), counts.log_predictive(families.Beta(3, 2), [0, 1, 7]))
    throws = families.Multinomial(levels=3, trial_count=4)
    told = throws.predictive(Dirichlet(2, 1, 3))
    rows = np.array([[4, 0, 0], [1, 2, 1]])
    np.testing.assert_allclose(stats.dirichlet_multinomial(told["concentration"], told["trials"]).logpmf(rows), throws.log_predictive(Dirichlet(2, 1, 3), rows))
    known = families.GaussianVectorKnownCovariance(covariance=[[2, 0.5], [0.5, 1]])
    belief = {"mean": [0.0, 1.0], "covariance": [[1.0, 0.2], [0.2, 3.0]]}
    told = known.predictive(belief)
    np.testing.assert_allclose(stats.multivariate_normal(told["mean"], told["covariance"]).logpdf(x), known.log_predictive(belief, x))
    with pytest.raises((ValueError, TypeError)):
        families.Poisson().predictive({"shape": -1.0, "rate": 1.0})
    with pytest.raises((ValueError, TypeError)):
        families.Gamma().predictive({"shape": 1.0, "rate": 1.0})


def test_credible_intervals_are_those_of_scipy():
    found = Categorical().credible_intervals(Dirichlet(2, 1, 2), 0.9)["probability"]
    np.testing.assert_allclose(found, [stats.beta(a, 5 - a).interval(0.9) for a in (2, 1, 2)])
    found = families.Gaussian().credible_intervals(NormalGamma(1, 4, 3, 2), 0.9)
    np.testing.assert_allclose(found["mean"], stats.t(6, 1, np.sqrt(2 / 12)).interval(0.9))
    np.testing.assert_allclose(found["variance"], stats.invgamma(3, scale=2).interval(0.9))


@pytest.mark.parametrize("name", sorted(SOME))
def test_features_are_derivatives_of_the_log_partition(name):
    family, x = getattr(families, name)(), SOME[name]
    parameter = family.fit(x)
    gradient, hessian = family.mean_features(parameter), family.feature_covariance(parameter)
    np.testing.assert_allclose(hessian, hessian.T)
    assert np.all(np.linalg.eigvalsh(hessian) > 0) and hessian.shape == (len(gradient),) * 2
    if name == "Poisson":
        assert gradient == pytest.approx([x.mean()]) and hessian == pytest.approx(np.array([[x.mean()]]))
    if name == "GaussianVector":
        np.testing.assert_allclose(gradient[:3], x.mean(axis=0))
        np.testing.assert_allclose(gradient[3:], ((x.T @ x) / len(x))[np.tril_indices(3)])
        np.testing.assert_allclose(hessian[:3, :3], np.cov(x.T, bias=True))


def test_maps_of_gaussians_are_their_closed_forms():
    rng = np.random.default_rng(8)
    root = rng.normal(size=(4, 4))
    mean, S = rng.normal(size=4), root @ root.T
    gaussian = {"mean": mean, "covariance": S}
    A, b, N, C = rng.normal(size=(2, 4)), rng.normal(size=2), np.array([[20.0, 1], [1, 30]]), rng.normal(size=(4, 2))
    plain = GaussianVector().affine(gaussian, A, b)
    np.testing.assert_allclose(plain.mean, A @ mean + b)
    np.testing.assert_allclose(plain.covariance, A @ S @ A.T)
    noisy = GaussianVector().affine(gaussian, A, b, noise=N, cross=C)
    np.testing.assert_allclose(noisy.covariance, A @ S @ A.T + N + A @ C + (A @ C).T)
    some = GaussianVector().marginal(gaussian, [3, 1])
    np.testing.assert_allclose(some.mean, mean[[3, 1]])
    np.testing.assert_allclose(some.covariance, S[np.ix_([3, 1], [3, 1])])
    rest = GaussianVector().conditional(gaussian, [3, 1], [0.5, -1.0])
    gain = S[np.ix_([0, 2], [3, 1])] @ np.linalg.inv(S[np.ix_([3, 1], [3, 1])])
    np.testing.assert_allclose(rest.mean, mean[[0, 2]] + gain @ (np.array([0.5, -1.0]) - mean[[3, 1]]))
    np.testing.assert_allclose(rest.covariance, S[np.ix_([0, 2], [0, 2])] - gain @ S[np.ix_([3, 1], [0, 2])])
    for bad in ([4], [-1], [0, 0]):
        with pytest.raises(ValueError):
            GaussianVector().marginal(gaussian, bad)
    with pytest.raises((ValueError, np.linalg.LinAlgError)):
        GaussianVector().affine({"mean": [0, 0], "covariance": [[1, 2], [2, 1]]}, np.eye(2), [0, 0])
    assert isinstance(suffice.families.GaussianVector().marginal(gaussian, 2), families.Parameter)


def test_the_dispersion_form_integrates_to_one_and_has_these_moments():
    x = np.linspace(0.1, 9, 7)
    wide = families.Exponential().dispersed({"rate": 0.5}, 2.0, x)
    np.testing.assert_allclose(wide["log_density"], stats.expon(scale=4).logpdf(x))
    assert (wide["mean"].item(), wide["variance"].item()) == (4, 16)
    known = families.GaussianKnownVariance(variance=4.0)
    wide = known.dispersed({"mean": 1.0}, 3.0, x)  # x / 3 is normal with mean 1 and variance 4
    np.testing.assert_allclose(wide["log_density"], stats.norm(3, 6).logpdf(x))
    other = known.dispersed({"mean": 2.0}, 3.0, x)
    difference = other["log_density"] - wide["log_density"]
    np.testing.assert_allclose(difference, x * (other["weights"] - wide["weights"]) + other["constant"] - wide["constant"], atol=1e-12)
    with pytest.raises(ValueError):
        families.Poisson().dispersed({"rate": 1.0}, 2.0)
