"""Rows held out: not learned from, and measured on; by lot, by value and by time."""
import csv
import json
import random

import pytest


@pytest.fixture
def sales(folder):
    generator = random.Random(1)
    lines = []
    for k in range(400):
        churned = generator.random() < 0.4
        lines.append([f"2024-{k // 40 + 1:02d}-{k % 28 + 1:02d}", "test" if k % 5 == 0 else "train",
                      round(generator.gauss(2 * churned, 1), 3), generator.choice("abc"), "yes" if churned else "no"])
    with open(folder / "sales.csv", "w", newline="") as file:
        csv.writer(file).writerows([["sold", "split", "amount", "shop", "churned"], *lines])
    return lines


def fit(suffice, *words):
    return json.loads(suffice("fit", "sales.csv", "--target", "churned", "-o", "m.suf", "--json", *words).stdout)


def write(folder, name, lines):
    with open(folder / name, "w", newline="") as file:
        csv.writer(file).writerows([["sold", "split", "amount", "shop", "churned"], *lines])


def test_rows_of_a_value_are_those_of_two_files(suffice, folder, sales):
    told = fit(suffice, "--holdout", "split=test")
    assert told["rows"] == 320 and told["holdout"]["rows"] == 80
    write(folder, "train.csv", [line for line in sales if line[1] == "train"])
    write(folder, "test.csv", [line for line in sales if line[1] == "test"])
    suffice("fit", "train.csv", "--target", "churned", "--exclude", "split", "-q", "-o", "apart.suf")
    apart = json.loads(suffice("evaluate", "apart.suf", "test.csv", "--json").stdout)
    assert told["holdout"]["confusion"] == apart["confusion"]
    for measure in ("accuracy", "log_loss", "brier"):
        assert told["holdout"][measure] == pytest.approx(apart[measure], rel=1e-9)
    assert {each["column"]: each["family"] for each in told["columns"]}["split"] is None
    assert any("held out" in note for note in told["notes"])


def test_a_share_is_drawn_by_the_seed_and_every_row_counts_once(suffice, sales):
    one, again, other = fit(suffice, "--holdout", "0.25"), fit(suffice, "--holdout", "0.25"), fit(suffice, "--holdout", "0.25", "--seed", "1")
    assert one["rows"] + one["holdout"]["rows"] == 400 and 70 <= one["holdout"]["rows"] <= 130
    assert one["holdout"] == again["holdout"] and one["holdout"] != other["holdout"]


def test_later_rows_are_held_out_by_a_date_or_a_value(suffice, folder, sales):
    told = fit(suffice, "--holdout-after", "2024-07-15")
    later = sum(line[0] > "2024-07-15" for line in sales)
    assert told["holdout"]["rows"] == later and told["rows"] == 400 - later
    assert fit(suffice, "--holdout-after", "sold=2024-07-15")["holdout"]["rows"] == later
    above = sum(line[2] > 1.5 for line in sales)
    assert fit(suffice, "--holdout-after", "amount=1.5")["holdout"]["rows"] == above


def test_other_models_and_the_best_one_hold_out_too(suffice, sales):
    for model in ("logistic_regression", "auto", "mixture_discriminant"):
        told = fit(suffice, "--holdout", "split=test", "--model", model, "--exclude", "sold,shop")
        assert told["holdout"]["rows"] == 80 and told["holdout"]["accuracy"] > 0.65
    assert "rows held out: accuracy" in suffice("fit", "sales.csv", "--target", "churned", "-o", "m.suf", "--holdout", "0.3").stderr


@pytest.mark.parametrize("words, said", [
    (["--holdout", "1.5"], "between 0 and 1"), (["--holdout", "colour=red"], "no column colour"),
    (["--holdout-after", "soon"], "COLUMN=VALUE"), (["--holdout", "0.2", "--holdout-after", "2024-01-01"], "give one"),
    (["--holdout", "split=never"], "held out"),
])
def test_what_cannot_be_held_out_is_said(suffice, sales, words, said):
    done = suffice("fit", "sales.csv", "--target", "churned", "-o", "m.suf", *words, code=2)
    assert said in done.stderr and done.stdout == ""


def test_errors_name_the_line_of_the_file(suffice, folder, sales):
    write(folder, "sales.csv", [*sales[:398], ["2024-10-01", "train", "oops", "a", "yes"], sales[399]])
    done = suffice("fit", "sales.csv", "--target", "churned", "-o", "m.suf", "--holdout", "0.1", "--family", "amount=gaussian", code=2)
    assert "400" in done.stderr and "oops" in done.stderr
