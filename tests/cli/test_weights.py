"""A weight of two is two rows: every model of `fit` learns from weighted rows what it learns from copies."""
import csv
import io
import random

import pytest

ROWS = 150
NUMBERS = [
    "--model naive_bayes", "--model gaussian_nb", "--model linear_discriminant", "--model quadratic_discriminant",
    "--model grouped_discriminant --groups a,b;c", "--model regularized_discriminant --alpha 0.5", "--model diagonal_discriminant",
    "--model spherical_discriminant", "--model kernel_density", "--model kernel_nb", "--model histogram_nb", "--model nearest",
    "--model priors_only", "--model logistic_regression", "--estimate predictive",
    "--estimate likelihood", "--estimate unbiased", "--model lda --shrinkage auto", "--model lda --shrinkage oas", "--model lda --shrinkage ledoit_wolf",
    "--model qda --shrinkage 0.1", "--model lda --estimate predictive", "--model logistic_regression --penalty 1",
    "--model logistic_regression --penalty firth", "--model logistic_regression --lasso 1", "--model logistic_regression --penalty evidence",
    "--model kernel_nb --bandwidth silverman", "--model kernel_nb --bandwidth sheather_jones", "--model kernel_nb --bandwidth nrd0",
    "--family *=categorical",
]
COUNTS = ["--model naive_bayes", "--model poisson_nb", "--model multinomial_nb", "--model complement_nb", "--model categorical_nb",
          "--model histogram_nb", "--family *=poisson", "--family *=geometric", "--family *=negative_binomial",
          "--family *=categorical --estimate predictive"]
FLAGS = ["--model naive_bayes", "--model bernoulli_nb", "--model logistic_regression"]
HOLES = ["--model naive_bayes", "--model lda", "--model qda", "--model logistic_regression",
         "--model logistic_regression --missing-values integrate", "--model kernel_nb"]
# EM climbs from starts that are drawn by rows, so that copies draw others: the rows have two clear groups in each class,
# which all good starts find. Where the likelihood has many hills, weights and copies may end on different ones.
MODES = ["--model mixture_discriminant --components 2"]
CASES = [(kind, words) for kind, all_words in (("numbers", NUMBERS), ("counts", COUNTS), ("flags", FLAGS), ("holes", HOLES), ("modes", MODES)) for words in all_words]


def values(kind, draw, label):
    numbers = [draw.gauss(1.5 * (label == j) + 0.3 * j, 1 + 0.3 * label) for j in range(4)]
    if kind == "counts":
        return [max(0, round(2 * x + 2)) for x in numbers]
    if kind == "flags":
        return [int(x > 0.5) for x in numbers]
    if kind == "modes":
        aside = 9 * draw.randrange(2)
        return [repr(x + aside) for x in numbers]
    return ["" if kind == "holes" and draw.random() < .15 else repr(x) for x in numbers]


def write_rows(folder, kind):
    draw, made = random.Random(11), []
    for k in range(ROWS):
        label = k % 3
        made.append((values(kind, draw, label), 1 if k < 9 else draw.randrange(4), "abc"[label if k % 7 else (label + 1) % 3]))
    head = ["p", "q", "r", "s"]
    for name, names, lines in (("weighted", [*head, "w", "y"], [[*x, w, y] for x, w, y in made]),
                               ("copies", [*head, "y"], [[*x, y] for x, w, y in made for _ in range(w)]),
                               ("plain", head, [x for x, _, _ in made])):
        with open(folder / f"{name}.csv", "w", newline="") as file:
            csv.writer(file).writerows([names, *lines])


@pytest.mark.parametrize("kind, words", CASES, ids=lambda each: each.replace("--", ""))
def test_weights_count_as_copies_do(suffice, folder, kind, words):
    write_rows(folder, kind)
    answers = []
    for name, more in (("weighted", ["--weight", "w"]), ("copies", [])):
        suffice("fit", f"{name}.csv", "--target", "y", "-q", "-o", "m.suf", *words.split(), *more)
        said = csv.DictReader(io.StringIO(suffice("predict", "m.suf", "plain.csv", "--proba").stdout))
        answers.append([float(row[f"p({c})"]) for row in said for c in "abc"])
    assert len(answers[0]) == 3 * ROWS
    assert answers[0] == pytest.approx(answers[1], rel=1e-5, abs=1e-8)
