"""Writes tests/goldens/evaluate_*.csv: rows of posteriors, and what scikit-learn and SciPy say of them.

Run with python -P tools/goldens/evaluate.py (-P: the math.py beside it must not hide Python's own).
"""

import csv
import itertools
import pathlib
import warnings

import numpy as np
from scipy import optimize, special, stats
from sklearn import isotonic, metrics

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "tests" / "goldens"
warnings.filterwarnings("ignore")


def make_case(seed, rows, classes, digits=None, weighted=False, absent=(), skill=1.5):
    random = np.random.default_rng(seed)
    share = random.dirichlet(np.full(classes, 3.0))
    share[list(absent)] = 0
    truth = random.choice(classes, size=rows, p=share / share.sum())
    score = random.normal(size=(rows, classes)) * 1.3
    score[np.arange(rows), truth] += skill
    proba = special.softmax(score, axis=1)
    if digits is not None:
        steps = np.floor(proba * 10**digits)
        steps[np.arange(rows), proba.argmax(axis=1)] += 10**digits - steps.sum(axis=1)
        proba = steps / 10**digits
    weight = np.round(random.gamma(2.0, size=rows), 3) if weighted else np.ones(rows)
    return truth, weight, proba


CASES = {
    "two": make_case(1, 80, 2),
    "two_tied": make_case(2, 90, 2, digits=1),
    "two_weighted": make_case(3, 70, 2, digits=1, weighted=True),
    "three": make_case(4, 120, 3),
    "three_weighted": make_case(9, 100, 3, weighted=True),
    "three_tied_weighted": make_case(5, 100, 3, digits=1, weighted=True),
    "five_absent": make_case(6, 110, 5, absent=(1, 3)),
    "five_absent_weighted": make_case(7, 110, 5, digits=1, weighted=True, absent=(4,)),
    "one_truth": make_case(8, 30, 3, absent=(0, 2)),
}


def make_bent_case(rows=120):
    """Small posteriors of class 1 that come true too often: beta calibration then meets its bound a >= 0."""
    random = np.random.default_rng(10)
    high = random.uniform(size=rows) ** 2
    truth = (random.uniform(size=rows) < np.where(high < 0.1, 0.6, high)).astype(int)
    return truth, np.ones(rows), np.c_[1 - high, high]


CASES["two_bent"] = make_bent_case()


def equal_width_calibration_error(truth, weight, proba, bins=15):
    confidence, right = proba.max(axis=1), proba.argmax(axis=1) == truth
    place = np.minimum((confidence * bins).astype(int), bins - 1)
    error = 0.0
    for each in np.unique(place):
        here = place == each
        gap = np.average(right[here], weights=weight[here]) - np.average(confidence[here], weights=weight[here])
        error += weight[here].sum() * abs(gap)
    return error / weight.sum()


def weighted_pairwise(truth, weight, proba):
    """Hand and Till's area; scikit-learn has it without weights only, so its binary area is averaged over pairs."""
    areas = []
    for a, b in itertools.combinations(np.unique(truth), 2):
        pair = (truth == a) | (truth == b)
        for positive in (a, b):
            areas.append(metrics.roc_auc_score(truth[pair] == positive, proba[pair, positive], sample_weight=weight[pair]))
    return np.mean(areas) if areas else np.nan


def values(truth, weight, proba):
    classes = proba.shape[1]
    codes = np.arange(classes)
    predicted = proba.argmax(axis=1)
    common = {"sample_weight": weight}
    yield "accuracy", 0, metrics.accuracy_score(truth, predicted, **common)
    yield "balanced_accuracy", 0, metrics.balanced_accuracy_score(truth, predicted, **common)
    yield "cohen_kappa", 0, metrics.cohen_kappa_score(truth, predicted, **common)
    if len(np.unique(truth)) > 1:
        yield "matthews", 0, metrics.matthews_corrcoef(truth, predicted, **common)
    yield "log_loss", 0, metrics.log_loss(truth, proba, labels=codes, **common)
    yield "brier", 0, metrics.brier_score_loss(truth, proba, labels=codes, **common)
    yield "calibration_error", 0, equal_width_calibration_error(truth, weight, proba)
    confusion = metrics.confusion_matrix(truth, predicted, labels=codes, **common)
    for cell, value in enumerate(confusion.ravel()):
        yield "confusion", cell, value
    named = {
        "precision": metrics.precision_score,
        "recall": metrics.recall_score,
        "f1": metrics.f1_score,
        "f2": lambda *given, **options: metrics.fbeta_score(*given, beta=2, **options),
    }
    for name, measure in named.items():
        options = {"labels": codes, "zero_division": np.nan, **common}
        for code, value in enumerate(measure(truth, predicted, average=None, **options)):
            yield name, code, value
        for average in ("macro", "weighted", "micro"):
            yield f"{name}_{average}", 0, measure(truth, predicted, average=average, **options)
    for code in codes:
        yield "roc_auc", code, metrics.roc_auc_score(truth == code, proba[:, code], **common)
        if (truth == code).any():
            yield "average_precision", code, metrics.average_precision_score(truth == code, proba[:, code], **common)
            precision, recall, _ = metrics.precision_recall_curve(truth == code, proba[:, code], **common)
            yield "precision_recall_area", code, metrics.auc(recall, precision)
            yield "precision_recall_points", code, len(precision)
    if classes == 2:
        yield "roc_auc_macro", 0, metrics.roc_auc_score(truth, proba[:, 1], **common)
        fall_out, recall, threshold = metrics.roc_curve(truth, proba[:, 1], **common)
        for point in range(len(fall_out)):
            yield "roc_fpr", point, fall_out[point]
            yield "roc_tpr", point, recall[point]
            yield "roc_threshold", point, threshold[point]
    else:
        for average in ("macro", "weighted"):
            area = metrics.roc_auc_score(truth, proba, multi_class="ovr", average=average, labels=codes, **common)
            yield f"roc_auc_{average}", 0, area
        if (weight == 1).all():
            area = metrics.roc_auc_score(truth, proba, multi_class="ovo", average="macro", labels=codes)
            yield "roc_auc_pairwise", 0, area
    yield "roc_auc_pairwise", 0, weighted_pairwise(truth, weight, proba)


def logistic_fit(features, target, weight, bounds):
    def loss(beta):
        score = features @ beta
        value = np.sum(weight * (np.logaddexp(0, score) - target * score))
        return value, features.T @ (weight * (special.expit(score) - target))

    start = np.zeros(features.shape[1])
    options = {"ftol": 1e-16, "gtol": 1e-11, "maxiter": 10000}
    return optimize.minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options).x


def calibration_values(truth, weight, proba):
    """One class against the rest, each fitted by a general optimiser on Platt's smoothed targets."""
    if (proba > 0).all():
        yield from logarithmic_values(truth, weight, proba)
    for code in range(proba.shape[1]):
        curve = isotonic.IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip")
        curve.fit(proba[:, code], (truth == code).astype(float), sample_weight=weight)
        for place, at in enumerate(np.linspace(0, 1, 21)):
            yield f"isotonic_{code}", place, curve.predict([at])[0]


def logarithmic_values(truth, weight, proba):
    def temperature_loss(sharpness):
        score = special.log_softmax(sharpness * np.log(proba), axis=1)
        return -np.average(score[np.arange(len(truth)), truth], weights=weight)

    options = {"xatol": 1e-12}
    sharpness = optimize.minimize_scalar(temperature_loss, bounds=(1e-3, 1e3), method="bounded", options=options).x
    yield "temperature", 0, 1 / sharpness
    for code in range(proba.shape[1]):
        positive = truth == code
        hits, misses = weight[positive].sum(), weight[~positive].sum()
        target = np.where(positive, (hits + 1) / (hits + 2), 1 / (misses + 2))
        log_p, log_rest = np.log(proba[:, code]), np.log(np.delete(proba, code, axis=1).sum(axis=1))
        one = np.ones(len(truth))
        free = (None, None)
        slope, intercept = logistic_fit(np.c_[log_p - log_rest, one], target, weight, [free, free])
        yield "platt_slope", code, slope
        yield "platt_intercept", code, intercept
        a, b, c = logistic_fit(np.c_[log_p, -log_rest, one], target, weight, [(0, None), (0, None), free])
        yield "beta_a", code, a
        yield "beta_b", code, b
        yield "beta_c", code, c


def paired_values():
    for b, c in ((3, 3), (1, 7), (15, 4), (120, 170), (5000, 5300)):
        yield f"mcnemar_{b}_{c}", 0, stats.binomtest(b, b + c).pvalue
    for hits, trials in ((0, 10), (3, 10), (10, 10), (299, 1000)):
        interval = stats.binomtest(hits, trials).proportion_ci(0.95, method="wilson")
        yield f"wilson_{hits}_{trials}", 0, interval.low
        yield f"wilson_{hits}_{trials}", 1, interval.high


def write(name, header, rows):
    with open(FOLDER / name, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def number(value):
    return "" if np.isnan(value) else repr(float(value))


def main():
    rows = []
    for name, (truth, weight, proba) in CASES.items():
        for row in range(len(truth)):
            rows.append([name, truth[row], repr(float(weight[row])), *(repr(float(p)) for p in proba[row])])
    write("evaluate_rows.csv", ["case", "truth", "weight", "posteriors..."], rows)

    found = []
    for name, case in CASES.items():
        found += [[name, measure, index, number(value)] for measure, index, value in values(*case)]
    found += [["paired", measure, index, number(value)] for measure, index, value in paired_values()]
    write("evaluate_values.csv", ["case", "measure", "index", "value"], found)

    fitted = []
    for name in ("two", "two_bent", "two_weighted", "three", "three_weighted", "three_tied_weighted"):
        fitted += [[name, what, index, number(value)] for what, index, value in calibration_values(*CASES[name])]
    write("evaluate_calibration.csv", ["case", "measure", "index", "value"], fitted)


if __name__ == "__main__":
    main()
