"""LogisticRegression's objective beside its minimum, over small tables, penalties, weights of classes and intercepts.

usage: bench/objective/objectives.py [--quick] [TABLE...]    ends with 1 where ours is above the minimum by more than 1e-8 of it

How far the minimum can be is known without a rival: half the squared Newton decrement g' H^-1 g of a smooth objective (twice that is a bound where it is
small: Boyd, Vandenberghe, Convex Optimization, 9.6.3; Bach 2010 for the logistic loss), the duality gap of one with magnitudes. Only where that is no proof
scikit-learn's solvers run to 1e-10, and the best of them is what ours is held against. Without a penalty, where classes separate, the infimum is 0: then a
loss of 1e-8 of the rows' weight is as good as none.
"""
import itertools
import pathlib
import sys
import time
import warnings

import numpy as np
from scipy.special import expit, logsumexp, softmax, xlogy
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.linear_model import LogisticRegression as Theirs
from sklearn.utils.class_weight import compute_sample_weight

import suffice

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "defaults"))
import table as defaults  # noqa: E402

BUNDLED = {"sklearn-iris": load_iris, "sklearn-wine": load_wine, "sklearn-cancer": load_breast_cancer, "sklearn-digits": load_digits}
C = [1e-3, 1e-2, 0.1, 1, 10, 1e3, 1e6, np.inf]
# l1 and elastic net on scaled columns, where scikit-learn's saga gets anywhere
RATIOS = {0.0: C, 0.5: [1e-2, 1, 1e2], 1.0: [1e-2, 1, 1e2]}


def numbers_of(name):
    """Numbers as they are, words one-hot, holes by the column's mean."""
    if name in BUNDLED:
        X, y = BUNDLED[name](return_X_y=True)
        return X[:, X.std(0) > 0], y
    _, rows, labels = defaults.rows_of(name)
    columns = []
    for cells in zip(*rows):
        known = [cell for cell in cells if cell not in ("?", "NA", "")]
        try:
            mean = np.mean([float(cell) for cell in known])
            columns.append([mean if cell in ("?", "NA", "") else float(cell) for cell in cells])
        except ValueError:
            words = sorted(set(cells))
            columns += [] if len(words) > 0.5 * len(cells) else [[float(cell == word) for cell in cells] for word in words[1:]]
    X = np.array(columns).T
    return X[:, X.std(0) > 0], np.unique(labels, return_inverse=True)[1]


def objective(model, X, y, C, ratio, weight):
    """The sum of losses and the penalty, from coefficients alone."""
    W, b = np.asarray(model.coef_, float), np.asarray(model.intercept_, float)
    scores = X @ W.T + b
    if len(W) == 1:
        loss = np.logaddexp(0, np.where(y == 1, -scores[:, 0], scores[:, 0]))
    else:
        loss = logsumexp(scores, axis=1) - scores[np.arange(len(y)), y]
    return (weight * loss).sum() + ((1 - ratio) / 2 * (W**2).sum() + ratio * np.abs(W).sum()) / C


def shares(model, X, y):
    """Posteriors and targets, rows x classes (of two: the second alone), and coefficients, intercepts last."""
    W, b = np.asarray(model.coef_, float), np.asarray(model.intercept_, float)
    scores = X @ W.T + b
    if len(W) == 1:
        return expit(scores), (y == 1)[:, None].astype(float), W, b
    return softmax(scores, axis=1), np.eye(len(W))[y], W, b


def decrement(model, X, y, C, weight, intercept):
    """g' H^-1 g of the smooth objective: about twice what is left to the minimum."""
    p, target, W, b = shares(model, X, y)
    Z = np.column_stack([X, np.ones(len(X))]) if intercept else X
    k, d = len(W), Z.shape[1]
    ridge = np.full(d, 1 / C)
    ridge[X.shape[1]:] = 0
    g = (Z.T @ (weight[:, None] * (p - target))).T
    g[:, :X.shape[1]] += W / C
    H = np.zeros((k * d, k * d))
    for c in range(k):
        for e in range(c + 1):
            part = Z.T @ (Z * (weight * ((p[:, c] if c == e else 0) - p[:, c] * p[:, e]))[:, None])
            H[c * d:(c + 1) * d, e * d:(e + 1) * d] = part
            H[e * d:(e + 1) * d, c * d:(c + 1) * d] = part.T
    H += np.diag(np.tile(ridge, k))
    unit = 1 / np.sqrt(np.maximum(np.diag(H), 1e-300))
    values, vectors = np.linalg.eigh(H * unit[:, None] * unit)
    along = vectors.T @ (g.ravel() * unit)
    kept = values > 1e-13 * values[-1]  # along the others the scores of all classes move together, or nothing does
    return (along[kept]**2 / values[kept]).sum() if np.abs(along[~kept]).max(initial=0) < 1e-6 * max(1, weight.sum()) else np.inf


def gap(model, X, y, C, ratio, weight, intercept):
    """The objective less a lower bound of it: the dual at the residuals, scaled until they are feasible."""
    p, target, W, b = shares(model, X, y)
    if len(W) == 1:
        p, target = np.column_stack([1 - p, p]), np.column_stack([1 - target, target])
    theta = weight[:, None] * (p - target)
    most, ridge = ratio / C, (1 - ratio) / C
    pull = np.abs((X.T @ theta)[:, 1:] if len(W) == 1 else X.T @ theta)
    scale = min(1.0, most / max(pull.max(), 1e-300)) if ridge == 0 else 1.0
    q = scale * p + (1 - scale) * target
    lower = -(weight[:, None] * xlogy(q, q)).sum()
    if ridge > 0:
        lower -= (np.maximum(pull - most, 0)**2).sum() / (2 * ridge)
    drift = scale * np.abs(b @ (theta[:, 1:] if len(W) == 1 else theta).sum(0)) if intercept else 0.0
    return objective(model, X, y, C, ratio, weight) - lower + drift


def theirs(X, y, C, ratio, balanced, intercept):
    options = dict(C=C, tol=1e-10, class_weight="balanced" if balanced else None, fit_intercept=intercept)
    if ratio == 0:
        solvers = [("newton-cholesky", 1000), ("lbfgs", 20000), ("newton-cg", 1000)]
        return [Theirs(solver=solver, max_iter=most, **options).fit(X, y) for solver, most in solvers]
    return [Theirs(solver="saga", max_iter=2000, l1_ratio=ratio, **options).fit(X, y)]


def cases(X, quick):
    for ratio, values in RATIOS.items():
        values = [1e-3, 1, np.inf] if quick and ratio == 0 else values
        for value, balanced, intercept in itertools.product(values, (False, True), (True, False)):
            if not (quick and ratio and (balanced or not intercept)):
                yield ratio, value, balanced, intercept


def check(name, quick=False, tell=print, **ours):
    X, y = numbers_of(name)
    scaled = (X - X.mean(0)) / X.std(0)
    worst, bad, asked, ours_time, start = -np.inf, 0, 0, 0.0, time.perf_counter()
    for ratio, value, balanced, intercept in cases(X, quick):
        Z = X if ratio == 0 else scaled
        weight = compute_sample_weight("balanced", y) if balanced else np.ones(len(y))
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            began = time.perf_counter()
            model = suffice.LogisticRegression(C=value, l1_ratio=ratio, class_weight="balanced" if balanced else None,
                                               fit_intercept=intercept, max_iter=5000, solver="lbfgs" if ratio == 0 else "saga", **ours).fit(Z, y)
            ours_time += time.perf_counter() - began
            got = objective(model, Z, y, value, ratio, weight)
            left = decrement(model, Z, y, value, weight, intercept) if ratio == 0 else gap(model, Z, y, value, ratio, weight, intercept)
            if value == np.inf and got <= 1e-8 * weight.sum():
                left = 0.0
            proven = left <= 1e-8 * got
            best = got if proven else min(objective(other, Z, y, value, ratio, weight) for other in theirs(Z, y, value, ratio, balanced, intercept))
        asked += not proven
        excess = left / max(got, 1e-300) if proven else (got - best) / max(best, 1e-300)
        worst = max(worst, excess)
        if not proven and not excess <= 1e-8:
            bad += 1
            tell(f"  {name} C={value:g} l1_ratio={ratio:g} balanced={balanced} intercept={intercept}: {got:.10g} above {best:.10g} by {excess:.1e}"
                 f" after {np.max(model.n_iter_)} iterations")
    tell(f"{name}: {X.shape[0]} x {X.shape[1]}, {len(set(y))} classes, worst {worst:.1e}, {bad} above, {asked} by rivals, {time.perf_counter() - start:.1f} s, ours {ours_time:.1f}")
    return bad


if __name__ == "__main__":
    chosen = [each for each in sys.argv[1:] if not each.startswith("--")] or [*BUNDLED, *defaults.TABLES]
    sys.exit(sum(check(name, "--quick" in sys.argv) for name in chosen) > 0)
