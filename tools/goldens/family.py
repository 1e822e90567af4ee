"""Makes tests/goldens/family_*.csv: densities, predictives, evidences, priors and fits of every family, by SciPy.

A cell holds the members of a shape, parameter or prior in the order of the C++ `fields`, separated by ";"; numbers of a
member are separated by spaces, and so are the values of all rows. Predictives and evidences come from SciPy's compound
distributions (beta-binomial, Student t of all rows at once, ...) or from quadrature, never from the formulas under test.
"""

import csv
import pathlib

import numpy as np
from scipy import integrate, linalg, optimize, special, stats

GOLDENS = pathlib.Path(__file__).resolve().parents[2] / "tests" / "goldens"
random = np.random.default_rng(20240101)
tables = {name: [] for name in ("density", "predictive", "evidence", "prior", "fit")}


def cell(*members):
    return ";".join(" ".join(repr(float(v)) for v in np.ravel(m)) for m in members)


def add(table, family, shape, given, rows, expected):
    tables[table].append((family, cell(*shape), cell(*given), cell(rows), cell(*expected)))


def log_integral(log_density, low, high, points=None):
    """log of the integral of exp(log_density), scaled by its largest value on a grid."""
    grid = np.linspace(low, high, 1001)[1:-1]
    values = np.array([log_density(x) for x in grid])
    top, at = values.max(), grid[values.argmax()]
    scaled = lambda x: np.exp(log_density(x) - top)
    pieces = sorted({low, high, at, *np.interp([0.02, 0.3, 0.7, 0.98], np.cumsum(np.exp(values - top)) / np.exp(values - top).sum(), grid)})
    total = sum(integrate.quad(scaled, a, b, epsabs=0, epsrel=1e-13, limit=400)[0] for a, b in zip(pieces, pieces[1:]))
    return top + np.log(total)


def column(family, shape, parameters, xs, log_density):
    for parameter in parameters:
        for x in xs:
            add("density", family, shape, parameter, x, [log_density(parameter, x)])


# bernoulli, geometric, negative_binomial: a Beta prior on a probability
def beta_prior(family, shape, log_likelihood, predictive, xs, rows, priors, fit):
    for prior in priors:
        for x in xs:
            add("predictive", family, shape, prior, x, [predictive(prior, x)])
        evidence = log_integral(lambda q: log_likelihood(q, rows) + stats.beta.logpdf(q, *prior), 0, 1)
        add("evidence", family, shape, prior, rows, [evidence])
        for q in (0.07, 0.5, 0.93):
            add("prior", family, shape, prior, q, [stats.beta.logpdf(q, *prior)])
    add("fit", family, shape, [], rows, [fit])


priors = [(1, 1), (2.5, 0.7), (40, 90)]
bits = np.array([1, 0, 0, 1, 1, 1, 0, 1, 0, 1, 1.0])
column("bernoulli", [], [[0.3], [1e-9], [0.999]], [0, 1], lambda p, x: stats.bernoulli.logpmf(x, *p))
beta_prior("bernoulli", [], lambda q, x: stats.bernoulli.logpmf(x, q).sum(),
           lambda prior, x: stats.betabinom.logpmf(x, 1, *prior), [0, 1], bits, priors, bits.mean())
counts = np.array([0, 3, 1, 7, 2, 2, 0, 11, 4.0])
column("geometric", [], [[0.3], [1e-4], [0.99]], [0, 1, 5, 400], lambda p, x: stats.nbinom.logpmf(x, 1, *p))
beta_prior("geometric", [], lambda q, x: stats.nbinom.logpmf(x, 1, q).sum(),
           lambda prior, x: stats.betanbinom.logpmf(x, 1, *prior), [0, 1, 5, 400], counts, priors, 1 / (1 + counts.mean()))
for r in (3.0, 0.35):
    column("negative_binomial", [r], [[0.3], [1e-4], [0.99]], [0, 1, 5, 400], lambda p, x: stats.nbinom.logpmf(x, r, *p))
    beta_prior("negative_binomial", [r], lambda q, x: stats.nbinom.logpmf(x, r, q).sum(),
               (lambda prior, x: stats.betanbinom.logpmf(x, r, *prior)) if r == 3 else
               (lambda prior, x: log_integral(lambda q: stats.nbinom.logpmf(x, r, q) + stats.beta.logpdf(q, *prior), 0, 1)),
               [0, 1, 5, 60], counts, [(2.5, 3.7), (40, 90)], r / (r + counts.mean()))

# categorical, multinomial: a Dirichlet prior
log_shares = [np.log([0.2, 0.3, 0.5]), np.log([1e-9, 0.4, 0.6 - 1e-9])]
levels = np.array([0, 2, 2, 1, 2, 0, 2.0])
level_counts = np.bincount(levels.astype(int), minlength=3)
log_coefficient = lambda x: special.gammaln(np.sum(x) + 1) - special.gammaln(np.asarray(x) + 1).sum()
column("categorical", [3], [[p] for p in log_shares], [0, 1, 2], lambda p, x: stats.multinomial.logpmf(np.eye(3)[x], 1, np.exp(p[0])))
trials = np.array([[2, 1, 2], [0, 0, 5], [4, 1, 0], [1, 1, 3.0]])
for p in log_shares:
    for x in trials:
        add("density", "multinomial", [3, 5], [p], x, [stats.multinomial.logpmf(x, 5, np.exp(p))])
for prior in (np.ones(3), np.array([0.5, 2.0, 7.5])):
    for x in range(3):
        add("predictive", "categorical", [3], [prior], x, [stats.dirichlet_multinomial.logpmf(np.eye(3, dtype=int)[x], prior, 1)])
    evidence = stats.dirichlet_multinomial.logpmf(level_counts, prior, 7) - log_coefficient(level_counts)
    add("evidence", "categorical", [3], [prior], levels, [evidence])
    for x in trials:
        add("predictive", "multinomial", [3, 5], [prior], x, [stats.dirichlet_multinomial.logpmf(x.astype(int), prior, 5)])
    total = trials.sum(axis=0).astype(int)
    evidence = stats.dirichlet_multinomial.logpmf(total, prior, 20) - log_coefficient(total) + sum(log_coefficient(x) for x in trials)
    add("evidence", "multinomial", [3, 5], [prior], trials, [evidence])
    for p in log_shares[:1]:
        for family, shape in (("categorical", [3]), ("multinomial", [3, 5])):
            add("prior", family, shape, [prior], p, [stats.dirichlet.logpdf(np.exp(p) / np.exp(p).sum(), prior)])
add("fit", "categorical", [3], [], levels, [np.log(level_counts / 7)])
add("fit", "multinomial", [3, 5], [], trials, [np.log(trials.sum(axis=0) / trials.sum())])


# poisson, exponential: a Gamma prior on a rate
def gamma_prior(family, log_likelihood, predictive, xs, rows, fit):
    for shape, rate in ((1, 1), (2.5, 0.4), (60, 20)):
        prior = stats.gamma(shape, scale=1 / rate)
        for x in xs:
            add("predictive", family, [], [shape, rate], x, [predictive(shape, rate, x)])
        low, high = prior.ppf(1e-300), 60 * fit + prior.ppf(1 - 1e-12)
        add("evidence", family, [], [shape, rate], rows, [log_integral(lambda r: log_likelihood(r, rows) + prior.logpdf(r), low, high)])
        for r in (0.07, 2.0, 9.0):
            add("prior", family, [], [shape, rate], r, [prior.logpdf(r)])
    add("fit", family, [], [], rows, [fit])


waits = np.array([0.4, 2.5, 0.02, 1.1, 7.5, 0.9, 3.3])
column("poisson", [], [[3.5], [1e-6], [800.0]], [0, 1, 7, 750], lambda p, x: stats.poisson.logpmf(x, *p))
gamma_prior("poisson", lambda r, x: stats.poisson.logpmf(x, r).sum(),
            lambda a, b, x: stats.nbinom.logpmf(x, a, b / (b + 1)), [0, 1, 7, 750], counts, counts.mean())
column("exponential", [], [[0.4], [1e-6], [800.0]], [0, 0.5, 7.25, 750], lambda p, x: stats.expon.logpdf(x, scale=1 / p[0]))
gamma_prior("exponential", lambda r, x: stats.expon.logpdf(x, scale=1 / r).sum(),
            lambda a, b, x: stats.lomax.logpdf(x, a, scale=b), [0, 0.5, 7.25, 750], waits, 1 / waits.mean())

# gamma, beta: no prior; the likelihood equations by SciPy's root finders, checked against its own fits
column("gamma", [], [[2.5, 0.5], [0.03, 4.0], [900.0, 30.0]], [1e-6, 0.5, 7.25, 31.0], lambda p, x: stats.gamma.logpdf(x, p[0], scale=1 / p[1]))
column("beta", [], [[2.5, 4.0], [0.03, 0.4], [900.0, 300.0]], [1e-6, 0.5, 0.74, 0.999], lambda p, x: stats.beta.logpdf(x, *p))
for rows in (waits, stats.gamma.rvs(0.05, size=40, random_state=random) + 1e-30, stats.gamma.rvs(900, size=25, random_state=random)):
    gap = np.log(rows.mean()) - np.log(rows).mean()
    shape = optimize.brentq(lambda a: np.log(a) - special.digamma(a) - gap, 1e-6, 1e6, xtol=1e-14, rtol=1e-15)
    assert abs(shape / stats.gamma.fit(rows, floc=0)[0] - 1) < 1e-5
    add("fit", "gamma", [], [], rows, [shape, shape / rows.mean()])
for rows in (stats.beta.rvs(2, 5, size=30, random_state=random), stats.beta.rvs(0.2, 0.3, size=30, random_state=random), stats.beta.rvs(400, 100, size=30, random_state=random)):
    target = np.array([np.log(rows).mean(), np.log1p(-rows).mean()])
    equation = lambda p: special.digamma(p) - special.digamma(p.sum()) - target
    fit = np.array(stats.beta.fit(rows, floc=0, fscale=1)[:2])
    for _ in range(20):
        jacobian = np.diag(special.polygamma(1, fit)) - special.polygamma(1, fit.sum())
        fit = fit - linalg.solve(jacobian, equation(fit))
    add("fit", "beta", [], [], rows, fit)

# gaussian and log_normal: a Normal-Gamma prior; all rows together are one multivariate t
reals = np.array([99.0, 103.5, 101.25, 97.0, 100.5, 104.0])
logs = np.log(waits)
normal_gammas = [(0, 1, 1, 1), (100.5, 0.3, 2.5, 7.0), (90, 40, 60, 200)]
for m, v in ((100.0, 4.0), (1e9, 1e-4), (-3.0, 1e12)):
    for z in (-7.5, 0, 0.25, 3):
        add("density", "gaussian", [], [m, v], m + z * np.sqrt(v), [stats.norm.logpdf(m + z * np.sqrt(v), m, np.sqrt(v))])
column("log_normal", [], [[1.5, 0.25], [-9.0, 4.0]], [1e-6, 0.5, 7.25, 1e9], lambda p, x: stats.lognorm.logpdf(x, np.sqrt(p[1]), scale=np.exp(p[0])))
for m, k, a, b in normal_gammas:
    together = lambda n, of: stats.multivariate_t(np.full(n, m), b / a * (np.eye(n) + 1 / k), df=2 * a).logpdf(of)
    for x in (-5, 93.5, 100.0, 1e4):
        add("predictive", "gaussian", [], [m, k, a, b], x, [stats.t.logpdf(x, 2 * a, m, np.sqrt(b * (k + 1) / (a * k)))])
    for x in (1e-3, 1, 40, 1e5):
        add("predictive", "log_normal", [], [m, k, a, b], x, [stats.t.logpdf(np.log(x), 2 * a, m, np.sqrt(b * (k + 1) / (a * k))) - np.log(x)])
    add("evidence", "gaussian", [], [m, k, a, b], reals, [together(6, reals)])
    add("evidence", "log_normal", [], [m, k, a, b], waits, [together(7, logs) - logs.sum()])
    for family in ("gaussian", "log_normal"):
        for mean, variance in ((0.5, 0.3), (101.0, 4.0)):
            density = stats.norm.logpdf(mean, m, np.sqrt(variance / k)) + stats.gamma.logpdf(1 / variance, a, scale=1 / b)
            tables["prior"].append((family, "", cell(m, k, a, b), cell(mean, variance), cell(density)))
add("fit", "gaussian", [], [], reals, [reals.mean(), reals.var()])
add("fit", "gaussian", [], [], reals + 2.0**30, [reals.mean() + 2.0**30, reals.var()])
add("fit", "log_normal", [], [], waits, [logs.mean(), logs.var()])

# gaussian_known_mean, gaussian_known_variance
column("gaussian_known_mean", [-2.0], [[4.0], [1e-3]], [-2, -1.5, 7.25], lambda p, x: stats.norm.logpdf(x, -2, np.sqrt(p[0])))
for a, b in ((1, 1), (2.5, 7.0)):
    for x in (-2, 0.5, 300):
        add("predictive", "gaussian_known_mean", [-2.0], [a, b], x, [stats.t.logpdf(x, 2 * a, -2, np.sqrt(b / a))])
    add("evidence", "gaussian_known_mean", [-2.0], [a, b], waits, [stats.multivariate_t(np.full(7, -2), b / a * np.eye(7), df=2 * a).logpdf(waits)])
    for v in (0.3, 4.0):
        add("prior", "gaussian_known_mean", [-2.0], [a, b], v, [stats.gamma.logpdf(1 / v, a, scale=1 / b)])
add("fit", "gaussian_known_mean", [-2.0], [], waits, [np.mean((waits + 2) ** 2)])
column("gaussian_known_variance", [2.25], [[7.0], [-1e3]], [-2, -1.5, 7.25], lambda p, x: stats.norm.logpdf(x, p[0], 1.5))
for m, v in ((0, 1), (99.0, 30.0)):
    for x in (-2, 0.5, 300):
        add("predictive", "gaussian_known_variance", [2.25], [m, v], x, [stats.norm.logpdf(x, m, np.sqrt(v + 2.25))])
    add("evidence", "gaussian_known_variance", [2.25], [m, v], reals, [stats.multivariate_normal(np.full(6, m), 2.25 * np.eye(6) + v).logpdf(reals)])
    add("prior", "gaussian_known_variance", [2.25], [m, v], 98.0, [stats.norm.logpdf(98.0, m, np.sqrt(v))])
add("fit", "gaussian_known_variance", [2.25], [], reals, [reals.mean()])

# vectors
d = 3
center = np.array([50, -3, 0.5])
factor = np.array([[2, 0, 0], [1, 0.5, 0], [-0.3, 0.2, 1.5]])
covariance = factor @ factor.T
vectors = center + random.normal(size=(9, d)) @ factor.T
far = center + 30 * np.array([1, -2, 0.5])
identity, ones = np.eye(d), np.ones(d)
variances = np.array([4, 0.25, 9])
for x in (center, vectors[0], far):
    add("density", "gaussian_vector", [d], [center, factor], x, [stats.multivariate_normal(center, covariance).logpdf(x)])
    add("density", "gaussian_vector_known_mean", [center], [factor], x, [stats.multivariate_normal(center, covariance).logpdf(x)])
    add("density", "gaussian_vector_known_covariance", [factor], [center], x, [stats.multivariate_normal(center, covariance).logpdf(x)])
    add("density", "gaussian_vector_diagonal", [d], [center, variances], x, [stats.multivariate_normal(center, np.diag(variances)).logpdf(x)])
    add("density", "gaussian_vector_spherical", [d], [center, 2.25], x, [stats.multivariate_normal(center, 2.25 * identity).logpdf(x)])
centred = vectors - vectors.mean(axis=0)
lower = lambda s: linalg.cholesky(s, lower=True)
add("fit", "gaussian_vector", [d], [], vectors, [vectors.mean(axis=0), lower(np.cov(vectors.T, bias=True))])
add("fit", "gaussian_vector_known_mean", [center], [], vectors, [lower((vectors - center).T @ (vectors - center) / 9)])
add("fit", "gaussian_vector_known_covariance", [factor], [], vectors, [vectors.mean(axis=0)])
add("fit", "gaussian_vector_diagonal", [d], [], vectors, [vectors.mean(axis=0), vectors.var(axis=0)])
add("fit", "gaussian_vector_spherical", [d], [], vectors, [vectors.mean(axis=0), vectors.var(axis=0).mean()])


def wishart_predictive(mean, share, degrees, scatter, x):
    freedom = degrees - d + 1
    return stats.multivariate_t(mean, scatter / (share * freedom), df=freedom).logpdf(x)


for mean, weight, degrees, scatter in ((np.zeros(d), 1.0, 4.0, 4 * identity), (center + 1, 0.3, 7.5, 3 * covariance + identity)):
    prior = [mean, weight, degrees, scatter]
    for x in (mean, vectors[0], far):
        add("predictive", "gaussian_vector", [d], prior, x, [wishart_predictive(mean, weight / (weight + 1), degrees, scatter, x)])
        add("predictive", "gaussian_vector_known_mean", [center], prior[2:], x, [wishart_predictive(center, 1, degrees, scatter, x)])
    chain, known_chain = 0, 0  # row by row, the posterior after each
    m, k, nu, s, t = mean.copy(), weight, degrees, scatter.copy(), scatter.copy()
    for x in vectors:
        chain += wishart_predictive(m, k / (k + 1), nu, s, x)
        known_chain += wishart_predictive(center, 1, nu, t, x)
        s = s + k / (k + 1) * np.outer(x - m, x - m)
        t = t + np.outer(x - center, x - center)
        m, k, nu = (k * m + x) / (k + 1), k + 1, nu + 1
    add("evidence", "gaussian_vector", [d], prior, vectors, [chain])
    add("evidence", "gaussian_vector_known_mean", [center], prior[2:], vectors, [known_chain])
    wishart = stats.wishart(degrees, linalg.inv(scatter)).logpdf(linalg.inv(covariance))
    tables["prior"].append(("gaussian_vector", cell(d), cell(*prior), cell(center, factor),
                            cell(stats.multivariate_normal(mean, covariance / weight).logpdf(center) + wishart)))
    tables["prior"].append(("gaussian_vector_known_mean", cell(center), cell(*prior[2:]), cell(factor), cell(wishart)))

for mean, spread in ((np.zeros(d), identity), (center - 2, 5 * covariance[::-1, ::-1])):
    prior = [mean, spread]
    for x in (mean, vectors[0], far):
        add("predictive", "gaussian_vector_known_covariance", [factor], prior, x, [stats.multivariate_normal(mean, covariance + spread).logpdf(x)])
    joint = np.kron(np.eye(9), covariance) + np.kron(np.ones((9, 9)), spread)
    add("evidence", "gaussian_vector_known_covariance", [factor], prior, vectors, [stats.multivariate_normal(np.tile(mean, 9), joint).logpdf(vectors.ravel())])
    add("prior", "gaussian_vector_known_covariance", [factor], prior, center, [stats.multivariate_normal(mean, spread).logpdf(center)])

for mean, k, a, b in ((np.zeros(d), 1.0, 1.0, ones), (center + 1, 0.3, 2.5, np.array([7.0, 0.5, 3.0]))):
    together = lambda x, j, rate: stats.multivariate_t(np.full(len(x), mean[j]), rate / a * (np.eye(len(x)) + 1 / k), df=2 * a).logpdf(x)
    gammas = lambda v, rate: stats.gamma.logpdf(1 / v, a, scale=1 / rate)
    for x in (mean, vectors[0], far):
        add("predictive", "gaussian_vector_diagonal", [d], [mean, k, a, b], x, [sum(together(x[j : j + 1], j, b[j]) for j in range(d))])
        add("predictive", "gaussian_vector_spherical", [d], [mean, k, a, b[0]], x,
            [stats.multivariate_t(mean, b[0] / a * (1 + 1 / k) * identity, df=2 * a).logpdf(x)])
    add("evidence", "gaussian_vector_diagonal", [d], [mean, k, a, b], vectors, [sum(together(vectors[:, j], j, b[j]) for j in range(d))])
    joint = b[0] / a * (np.eye(9 * d) + np.kron(np.ones((9, 9)), identity) / k)
    add("evidence", "gaussian_vector_spherical", [d], [mean, k, a, b[0]], vectors, [stats.multivariate_t(np.tile(mean, 9), joint, df=2 * a).logpdf(vectors.ravel())])
    tables["prior"].append(("gaussian_vector_diagonal", cell(d), cell(mean, k, a, b), cell(center, variances),
                            cell(sum(stats.norm.logpdf(center[j], mean[j], np.sqrt(variances[j] / k)) + gammas(variances[j], b[j]) for j in range(d)))))
    tables["prior"].append(("gaussian_vector_spherical", cell(d), cell(mean, k, a, b[0]), cell(center, 2.25),
                            cell(stats.multivariate_normal(mean, 2.25 / k * identity).logpdf(center) + gammas(2.25, b[0]))))

given = {"density": "parameter", "predictive": "prior", "evidence": "prior", "prior": "prior", "fit": "nothing"}
for name, rows in tables.items():
    with open(GOLDENS / f"family_{name}.csv", "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["family", "shape", given[name], "parameter" if name == "prior" else "values", "expected"])
        writer.writerows(rows)
