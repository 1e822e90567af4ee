"""Writes tests/goldens/math_*.csv: special functions by mpmath with 60 digits or more, random words by numpy's Philox.

Run with a Python that has mpmath and numpy: python tools/goldens/math_functions.py
"""

import csv
import pathlib

import numpy
from mpmath import mp, mpf

mp.dps = 60
THE_SMALLEST_DOUBLE = 400  # digits that hold 1 + 1e-324
FOLDER = pathlib.Path(__file__).resolve().parents[2] / "tests" / "goldens"


def text(value):
    """The shortest decimal that reads back as the double nearest to the value."""
    return repr(float(value))


def write(name, header, rows):
    with open(FOLDER / name, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def sigmoid(a):
    return 1 / (1 + mp.exp(-a))


def normal(x):
    return mp.erfc(-x / mp.sqrt(2)) / 2


def inverse_normal(p):
    """The root of Phi(x) = p, searched on the side where p has all its digits."""
    if p > mpf("0.5"):
        return -inverse_normal(1 - p)
    low, high = mpf(-40), mpf(0)
    for _ in range(220):
        middle = (low + high) / 2
        low, high = (middle, high) if normal(middle) < p else (low, middle)
    return (low + high) / 2


def root(cdf, p):
    """Bisection of the exponent with 60 digits, for a positive root: slow, and independent of every quantile algorithm."""
    low, high = mpf(-1000), mpf(60)
    for _ in range(90):
        middle = (low + high) / 2
        low, high = (middle, high) if cdf(mp.exp(middle)) < p else (low, middle)
    return mp.exp((low + high) / 2)


def beta_cdf(a, b, x):
    return mp.betainc(a, b, 0, x, regularized=True)


def gamma_cdf(shape, x):
    return mp.gammainc(shape, 0, x, regularized=True)


def student_cdf(degrees, x):
    tail = mp.betainc(degrees / 2, mpf(1) / 2, 0, degrees / (degrees + x * x), regularized=True) / 2
    return tail if x < 0 else 1 - tail


def special_functions():
    rows = []

    def add(name, value, *arguments):
        padded = [text(a) for a in arguments] + ["0.0"] * (3 - len(arguments))
        rows.append([name, *padded, text(value)])

    positive = [1e-300, 1e-10, 0.003, 0.1, 0.5, 0.99, 1.0, 1.25, 1.4616321449683622, 1.999, 2.0, 2.5, 3.0, 7.5, 9.99,
                10.0, 33.3, 100.0, 1234.5, 1e6, 1e10, 1e15]
    for x in positive + [-0.5, -1.75, -10.25]:
        m = mpf(x)
        add("log_gamma", mp.log(abs(mp.gamma(m))) if x < 0 else mp.loggamma(m), x)
        if x > 1e-200:
            add("digamma", mp.digamma(m), x)
            add("trigamma", mp.polygamma(1, m), x)
        elif x < 0:
            add("digamma", mp.digamma(m), x)
            add("trigamma", mp.polygamma(1, m), x)
    for a in [1e-310, 1e-12, 0.01, 0.5, 1.0, 2.5, 9.0, 10.0, 57.0, 1e3, 1e8]:
        for b in [1e-5, 0.3, 1.0, 3.0, 9.999, 12.0, 1e4, 1e9]:
            add("log_beta", mp.loggamma(mpf(a)) + mp.loggamma(mpf(b)) - mp.loggamma(mpf(a) + mpf(b)), a, b)
    for d in [1, 2, 5, 40]:
        for x in [d / 2, d / 2 + 3.25, d + 1000.0]:
            value = mpf(d) * (d - 1) / 4 * mp.log(mp.pi) + sum(mp.loggamma(mpf(x) - mpf(j) / 2) for j in range(d))
            add("multivariate_log_gamma", value, d, x)
    for n in [0, 1, 2, 10, 170, 255, 256, 1000, 10**9]:
        add("log_factorial", mp.loggamma(mpf(n) + 1), n)
    for x in [0.5, 1.0, 9.0, 10.0, 15.5, 1e3, 1e9]:
        m = mpf(x)
        add("stirling_correction", mp.loggamma(m + 1) - (m + mpf(1) / 2) * mp.log(m) + m - mp.log(2 * mp.pi) / 2, x)
    for x, mean in [(0, 3.0), (3, 3.5), (10, 10.0001), (100, 3.0), (1e9, 1e9 + 1e4), (1e15, 1e15 + 64), (5, 900.0)]:
        add("poisson_deviance", mpf(x) * mp.log(mpf(x) / mpf(mean)) + mpf(mean) - mpf(x) if x else mpf(mean), x, mean)

    probabilities = [1e-12, 1e-4, 0.025, 0.3, 0.5, 0.8, 0.975, 0.9999]
    for a, b in [(0.1, 0.2), (0.5, 0.5), (1.0, 1.0), (2.0, 5.0), (30.0, 3.0), (250.0, 400.0)]:
        for x in [1e-6, 0.01, 0.3, 0.5, 0.62, 0.99]:
            add("incomplete_beta", beta_cdf(mpf(a), mpf(b), mpf(x)), a, b, x)
            add("incomplete_beta_complement", 1 - beta_cdf(mpf(a), mpf(b), mpf(x)), a, b, x)
        for p in probabilities[1:]:
            add("beta_quantile", root(lambda x: beta_cdf(mpf(a), mpf(b), min(x, mpf(1))), mpf(p)), a, b, p)
    for shape in [0.05, 0.5, 1.0, 2.5, 20.0, 900.0]:
        for ratio in [1e-4, 0.3, 1.0, 1.7, 4.0]:
            x = shape * ratio
            add("incomplete_gamma", gamma_cdf(mpf(shape), mpf(x)), shape, x)
            add("incomplete_gamma_complement", mp.gammainc(mpf(shape), mpf(x), regularized=True), shape, x)
        for p in probabilities[1:]:
            add("gamma_quantile", root(lambda x: gamma_cdf(mpf(shape), x), mpf(p)), shape, p)
    for degrees in [0.7, 1.0, 2.0, 5.0, 30.5, 1e4]:
        for x in [-40.0, -3.0, -0.2, 0.0, 1.5, 8.0]:
            add("student_t_cdf", student_cdf(mpf(degrees), mpf(x)), degrees, x)
        for p in probabilities[1:]:
            m = mpf(p)
            side = min(m, 1 - m)
            value = root(lambda x: 1 - student_cdf(mpf(degrees), -x), 1 - side) if p != 0.5 else 0
            add("student_t_quantile", value if p > 0.5 else -value, degrees, p)
    for p in [1e-300, 1e-100, 1e-20, *probabilities, 0.07, 0.0749, 0.0751, 0.925, 1 - 1e-10]:
        add("normal_quantile", inverse_normal(mpf(p)) if p != 0.5 else 0, p)
    write("math_special.csv", ["function", "a", "b", "c", "value"], rows)


def sigmoids():
    rows = []
    for a in [-745.0, -700.0, -87.3, -40.0, -5.0, -1.0, -1e-3, -1e-9, 0.0, 1e-9, 0.3, 2.0, 16.7, 40.0, 87.3, 700.0, 745.0]:
        m = mpf(a)
        s, t = sigmoid(m), sigmoid(-m)
        rows.append([text(v) for v in (a, s, s * t, s * t * (t - s), mp.log1p(mp.exp(m)), normal(m), normal(m * mp.sqrt(mp.pi / 8)))])
    header = ["a", "sigmoid", "derivative", "second_derivative", "log1p_exp", "probit", "scaled_probit"]
    write("math_sigmoid.csv", header, rows)
    rows = [[text(p), text(mp.log(mpf(p) / (1 - mpf(p))))]
            for p in [1e-300, 1e-10, 0.1, 0.25, 0.4, 0.499999, 0.5, 0.5000001, 0.7, 0.75, 0.9, 1 - 1e-10]]
    write("math_logit.csv", ["p", "logit"], rows)


def log_sums():
    rng = numpy.random.default_rng(7)
    cases = [[0.0], [0.0, -50.0], [1000.0, 1000.0], [-1e4, -1e4 - 1, -1e4 - 30], [709.0, 710.0, -710.0], [1e300, 0.0]]
    cases += [list(scale * rng.standard_normal(size)) for size in (3, 8, 21) for scale in (1e-3, 1.0, 30.0, 800.0)]
    rows = []
    for case, terms in enumerate(cases):
        largest = mpf(max(terms))
        total = largest + mp.log(sum(mp.exp(mpf(t) - largest) for t in terms))
        rows += [[case, text(t), text(total), text(mpf(t) - total), text(mp.exp(mpf(t) - total))] for t in terms]
    write("math_log_sum_exp.csv", ["case", "term", "log_sum_exp", "log_softmax", "softmax"], rows)


def philox():
    top = 2**64 - 1
    rows = []
    for key, counter in [([0, 0], [0, 0, 0, 0]), ([42, 0], [0, 0, 0, 0]), ([top, top], [top, top, top, top]),
                         ([42, 7], [top, 0, 0, 0]), ([0x243F6A8885A308D3, 0x13198A2E03707344], [top, top, 5, 9])]:
        bits = numpy.random.Philox(key=numpy.array(key, dtype=numpy.uint64), counter=numpy.array(counter, dtype=numpy.uint64))
        rows += [[*key, *counter, position, int(word)] for position, word in enumerate(bits.random_raw(10))]
    header = ["key0", "key1", "counter0", "counter1", "counter2", "counter3", "position", "word"]
    write("math_philox.csv", header, rows)


def draws():
    """Normal and exponential draws of seed 42, by inversion from numpy's words."""
    rows = []
    for word in numpy.random.Philox(key=42).random_raw(12):
        u = (mpf(int(word) >> 12) + mpf(1) / 2) / 2**52
        rows.append([text(inverse_normal(u)), text(-mp.log(u))])
    write("math_draws.csv", ["normal", "exponential"], rows)


if __name__ == "__main__":
    special_functions()
    with mp.workdps(THE_SMALLEST_DOUBLE):
        sigmoids()
        log_sums()
    philox()
    draws()
