#!/usr/bin/env python3
"""Regressions on rows with holes, from NumPy and SciPy alone: the likelihood of what is there maximised directly, and multiple imputation.

usage: tools/goldens/missing_values.py    writes tests/goldens/missing_{numbers,mixed}.csv (rows) and missing_values.csv (estimates)

Direct: log p(y, x_present) of a logistic regression y | x and x ~ N(mu, S), or of the general location model where there are categories; w . x given what
is present is normal, so one integral by 80 Gauss-Hermite nodes serves any number of missing numbers. Errors from the Hessian in all parameters.
Imputation: x | y ~ N(mu_y, S), which implies the regression; 200 imputations by data augmentation (Schafer 1997), pooled by Rubin's rules.
"""
import pathlib

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, log_expit, logsumexp

OUT = pathlib.Path(__file__).resolve().parents[2] / "tests" / "goldens"
AT, WEIGHT = np.polynomial.hermite_e.hermegauss(80)
WEIGHT = WEIGHT / WEIGHT.sum()


def log_likelihood_of_class(y, mean, variance):
    """log E[sigma(+-a)], a ~ N(mean, variance)."""
    sign = 1 if y else -1
    return np.log(WEIGHT @ expit(sign * (mean + np.sqrt(variance) * AT)))


def log_normal(x, mean, covariance):
    way = x - mean
    return -0.5 * (len(x) * np.log(2 * np.pi) + np.linalg.slogdet(covariance)[1] + way @ np.linalg.solve(covariance, way)) if len(x) else 0.0


def numbers(theta, X, y):
    """- log p(y, x_present): intercept and w, mu, and the Cholesky factor of S by rows, logarithms on its diagonal."""
    d = X.shape[1]
    b, w, mu = theta[0], theta[1:1 + d], theta[1 + d:1 + 2 * d]
    L = np.zeros((d, d))
    L[np.tril_indices(d)] = theta[1 + 2 * d:]
    L[np.diag_indices(d)] = np.exp(L[np.diag_indices(d)])
    S, total = L @ L.T, 0.0
    for x, each in zip(X, y):
        o, m = ~np.isnan(x), np.isnan(x)
        total += log_normal(x[o], mu[o], S[np.ix_(o, o)])
        slope = S[np.ix_(m, o)] @ np.linalg.inv(S[np.ix_(o, o)]) if o.any() else np.zeros((m.sum(), 0))
        left = S[np.ix_(m, m)] - slope @ S[np.ix_(o, m)]
        expected = mu[m] + slope @ (x[o] - mu[o])
        total += log_likelihood_of_class(each, b + w[o] @ x[o] + w[m] @ expected, w[m] @ left @ w[m])
    return -total


def mixed(theta, rows, y):
    """- log posterior of a flag g, a category k of three levels and a number u, each on those before it; penalty one on what indicators change."""
    beta, (g0, k0, k1), kg, (m0, mg, m1, m2, s) = theta[:5], theta[5:8], theta[8:10], theta[10:15]
    variance = np.exp(2 * s)
    intercept, slope = np.array([-k0 - k1, k0, k1]), np.array([-kg.sum(), *kg])
    total = -0.5 * (slope**2).sum() - 0.5 * (mg**2 + m1**2 + m2**2) / variance
    for (g, k, u), each in zip(rows, y):
        share = intercept + slope * g
        share = share - logsumexp(share)
        ways = []
        for level in range(3) if np.isnan(k) else [int(k)]:
            indicators = np.array([level == 1, level == 2], float)
            mean = m0 + mg * g + indicators @ [m1, m2]
            score = beta[0] + beta[1] * g + beta[2:4] @ indicators
            if np.isnan(u):
                given = log_likelihood_of_class(each, score + beta[4] * mean, beta[4]**2 * variance)
            else:
                given = log_expit((1 if each else -1) * (score + beta[4] * u)) + log_normal(np.array([u]), mean, np.array([[variance]]))
            ways.append(share[level] + given)
        total += logsumexp(ways) + log_expit(g0 if g else -g0)
    return -total


def maximised(objective, start, count):
    """The first `count` parameters and their errors."""
    found = minimize(objective, start, method="BFGS", options={"gtol": 1e-6, "maxiter": 2000}).x
    h, n = 1e-4, len(found)
    step = np.eye(n) * h
    gradient = lambda t: np.array([(objective(t + e) - objective(t - e)) / (2 * h) for e in step])  # noqa: E731
    hessian = np.array([(gradient(found + e) - gradient(found - e)) / (2 * h) for e in step])
    found = found - np.linalg.solve(hessian, gradient(found))
    return found[:count], np.sqrt(np.diag(np.linalg.inv((hessian + hessian.T) / 2)))[:count], -objective(found)


def newton(X, y):
    Z, w = np.column_stack([np.ones(len(X)), X]), np.zeros(X.shape[1] + 1)
    for _ in range(30):
        p = expit(Z @ w)
        H = Z.T @ (Z * (p * (1 - p))[:, None])
        w = w + np.linalg.solve(H, Z.T @ (y - p))
    return w, np.linalg.inv(H)


def imputed(X, y, rng, count=200, between=10, burn=100):
    n, d = X.shape
    filled = np.where(np.isnan(X), np.nanmean(X, 0), X)
    estimates, variances = [], []
    for step in range(burn + count * between):
        means = np.array([filled[y == c].mean(0) for c in (0, 1)])
        residual = filled - means[y]
        A = np.linalg.cholesky(np.linalg.inv(residual.T @ residual))
        G = rng.normal(size=(n - 2, d)) @ A.T
        S = np.linalg.inv(G.T @ G)  # inverse Wishart
        L = np.linalg.cholesky(S)
        means = means + np.array([L @ rng.normal(size=d) / np.sqrt((y == c).sum()) for c in (0, 1)])
        for i in range(n):
            m = np.isnan(X[i])
            if not m.any():
                continue
            o = ~m
            slope = S[np.ix_(m, o)] @ np.linalg.inv(S[np.ix_(o, o)]) if o.any() else np.zeros((m.sum(), 0))
            left = S[np.ix_(m, m)] - slope @ S[np.ix_(o, m)]
            filled[i, m] = rng.multivariate_normal(means[y[i], m] + slope @ (X[i, o] - means[y[i], o]), left)
        if step >= burn and (step - burn) % between == 0:
            w, V = newton(filled, y)
            estimates.append(w)
            variances.append(np.diag(V))
    within, spread = np.mean(variances, 0), np.var(estimates, 0, ddof=1)
    return np.mean(estimates, 0), np.sqrt(within + (1 + 1 / count) * spread)


def write_rows(name, header, rows, y):
    lines = [header] + [",".join("" if np.isnan(v) else f"{v:.6g}" for v in row) + f",{'yes' if c else 'no'}" for row, c in zip(rows, y)]
    (OUT / name).write_text("\n".join(lines) + "\n")


def main():
    rng = np.random.default_rng(19)
    n = 300
    X = rng.normal(size=(n, 3)) @ np.array([[1, 0, 0], [0.7, 0.7, 0], [0.3, 0.5, 0.8]]).T + [1, -2, 3]
    y = (rng.random(n) < expit(-0.5 + (X - [1, -2, 3]) @ [0.8, -1.2, 0.6])).astype(int)
    X = np.round(X, 4)
    X[rng.random((n, 3)) < [0.3, 0.3, 0]] = np.nan
    X[rng.random(n) < 0.05, 2] = np.nan
    lines = ["case,parameter,estimate,standard_error"]

    def tell(case, names, estimates, errors):
        lines.extend(f"{case},{name},{a:.9g},{e:.9g}" for name, a, e in zip(names, estimates, errors))

    names = ["(intercept)", "a", "b", "c"]
    w, V = newton(X[~np.isnan(X).any(1)], y[~np.isnan(X).any(1)])
    tell("complete_rows", names, w, np.sqrt(np.diag(V)))
    start = np.concatenate([w, np.nanmean(X, 0), [0, 0.5, 0, 0, 0, 0]])
    estimates, errors, likelihood = maximised(lambda t: numbers(t, X, y), start, 4)
    tell("direct", names, estimates, errors)
    tell("imputed", names, *imputed(X, y, rng))
    write_rows("missing_numbers.csv", "a,b,c,y", X, y)

    g = (rng.random(n) < 0.4).astype(float)
    k = np.array([rng.choice(3, p=[0.5, 0.3, 0.2] if each else [0.2, 0.3, 0.5]) for each in g], float)
    u = np.round(rng.normal(size=n) + np.choose(k.astype(int), [0, 1, -1]) + 0.5 * g, 4)
    y = (rng.random(n) < expit(-0.2 + 0.7 * g + np.choose(k.astype(int), [0, -1, 0.8]) + 0.9 * u)).astype(int)
    k[rng.random(n) < 0.25] = np.nan
    u[rng.random(n) < 0.25] = np.nan
    rows = np.column_stack([g, k, u])
    estimates, errors, likelihood = maximised(lambda t: mixed(t, rows, y), np.zeros(15), 5)
    tell("mixed", ["(intercept)", "g", "k=l1", "k=l2", "u"], estimates, errors)
    text = ["g,k,u,y"] + [f"{int(a)},{'' if np.isnan(b) else f'l{int(b)}'},{'' if np.isnan(c) else f'{c:.6g}'},{'yes' if d else 'no'}" for (a, b, c), d in zip(rows, y)]
    (OUT / "missing_mixed.csv").write_text("\n".join(text) + "\n")
    (OUT / "missing_values.csv").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
