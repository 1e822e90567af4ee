"""Classes that never vary in a column, or have fewer rows than columns, are unsure of what they have not seen."""
import csv
import io
import json

import numpy as np
from scipy import stats

PRIOR_ROWS = 10  # what the pooled covariance counts for


def rows_with_a_constant(seed=5, count=60):
    """Class b never varies in x2; the column z has other units."""
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(count, 3)) @ np.array([[1, .4, 0], [0, 1, .3], [0, 0, 200]])
    y = np.arange(count) % 2
    X[y == 1] += [1, 0, 100]
    X[y == 1, 1] = .1  # the mean of so many tenths is not a tenth
    return X, y


def write(path, X, y):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*(f"x{k + 1}" for k in range(X.shape[1])), "kind"])
        writer.writerows([*map(repr, map(float, row)), "ab"[label]] for row, label in zip(X, y))


def posteriors(suffice, model, data):
    told = csv.DictReader(io.StringIO(suffice("predict", model, data, "--proba").stdout))
    return np.array([[float(row["p(a)"]), float(row["p(b)"])] for row in told])


def covariance(X):
    return np.cov(X.T, bias=True)


def test_a_singular_covariance_is_drawn_toward_the_pooled_one(suffice):
    X, y = rows_with_a_constant()
    write("d.csv", X, y)
    said = suffice("fit", "d.csv", "--target", "kind", "--model", "qda", "-o", "m.suf").stderr
    assert "class b is singular (rank 2 of 3): x2 is constant; it was drawn toward the pooled covariance, which counts for 10 rows" in said
    own = [covariance(X[y == c]) for c in (0, 1)]
    share = 30 / (30 + PRIOR_ROWS)
    own[1] = share * own[1] + (1 - share) * (own[0] + own[1]) / 2  # class a has full rank and keeps its own
    joint = np.column_stack([np.log(.5) + stats.multivariate_normal(X[y == c].mean(0), own[c]).logpdf(X) for c in (0, 1)])
    expected = np.exp(joint - np.logaddexp(*joint.T)[:, None])
    np.testing.assert_allclose(posteriors(suffice, "m.suf", "d.csv"), expected, rtol=1e-9, atol=1e-12)


def test_units_do_not_matter_to_a_singular_class(suffice):
    X, y = rows_with_a_constant()
    write("d.csv", X, y)
    write("e.csv", X * [1e-3, 1e4, 7], y)
    answers = []
    for file in ("d.csv", "e.csv"):
        suffice("fit", file, "--target", "kind", "--model", "qda", "-o", "m.suf")
        answers.append(posteriors(suffice, "m.suf", file))
    np.testing.assert_allclose(answers[0], answers[1], rtol=1e-7, atol=1e-12)


def test_one_class_of_fewer_rows_than_columns_says_no_more_than_it_has_seen(suffice):
    draw = np.random.default_rng(2)
    X = draw.normal(size=(106, 8))
    y = np.r_[np.zeros(100, int), np.ones(6, int)]
    write("d.csv", X, y)
    write("new.csv", draw.normal(size=(400, 8)), np.zeros(400, int))
    suffice("fit", "d.csv", "--target", "kind", "--model", "qda", "-o", "m.suf")
    p = posteriors(suffice, "m.suf", "new.csv")
    assert -np.log(np.maximum(p[:, 0], 1e-300)).mean() < 1 and p[:, 1].max() > 1e-30  # before: millions


def test_a_kernel_of_a_constant_column_has_the_width_of_the_other_classes(suffice):
    X, y = rows_with_a_constant()
    write("d.csv", X, y)
    suffice("fit", "d.csv", "--target", "kind", "--model", "kernel_nb", "-o", "m.suf")
    joint = np.full((len(X), 2), np.log(.5))
    within = np.sqrt(sum(((X[y == c] - X[y == c].mean(0)) ** 2).sum(0) for c in (0, 1)) / len(X))
    for c in (0, 1):
        own = X[y == c]
        for k in range(3):
            spread = own[:, k].std(ddof=1)
            width = (spread if spread > 1e-9 else within[k]) * len(own) ** (-1 / 5)
            joint[:, c] += np.log(stats.norm(own[:, k], width).pdf(X[:, k][:, None]).mean(1))
    expected = np.exp(joint - np.logaddexp(*joint.T)[:, None])
    np.testing.assert_allclose(posteriors(suffice, "m.suf", "d.csv"), expected, rtol=1e-8, atol=1e-12)


def test_holes_do_not_change_the_cure(suffice):
    X, y = rows_with_a_constant(count=200)
    draw = np.random.default_rng(9)
    X[draw.random(X.shape) < .1] = np.nan
    with open("d.csv", "w") as file:
        file.write("x1,x2,x3,kind\n")
        for row, label in zip(X, y):
            file.write(",".join("" if np.isnan(v) else repr(float(v)) for v in row) + "," + "ab"[label] + "\n")
    said = json.loads(suffice("compare", "d.csv", "--target", "kind", "--models", "qda,kernel_density", "--json").stdout)
    losses = {each["model"]: each["log_loss"] for each in said}
    assert max(losses.values()) < 1
