"""compare tells models as they are ready, keeps what is ready when it is stopped, and tries models on folds that lack a class."""
import json
import os
import pathlib
import pty
import random
import signal
import subprocess

import pytest


def holes(rows, columns):
    """Mixtures with holes take long: every pattern of what is missing is a case of its own."""
    draw = random.Random(1)
    lines = [",".join([*(f"x{k}" for k in range(columns)), "kind"])]
    for i in range(rows):
        lines.append(",".join(["" if draw.random() < 0.2 else f"{draw.gauss(i % 2, 1):.3f}" for _ in range(columns)] + ["ab"[i % 2]]))
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("which", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_compare_shows_what_is_ready(folder, command, which):
    pathlib.Path("holes.csv").write_text(holes(2000, 16))
    terminal, their_side = pty.openpty()
    process = subprocess.Popen([command, "compare", "holes.csv", "--target", "kind", "--models", "naive_bayes,mixture_discriminant",
                                "--budget", "3600"], stdout=subprocess.PIPE, stderr=their_side, text=True)
    os.close(their_side)
    told = b""
    while b"naive_bayes: log loss" not in told:  # the row of the first model, while the second one is fitted
        told += os.read(terminal, 4096)
    process.send_signal(which)
    table, _ = process.communicate(timeout=300)
    os.close(terminal)
    assert process.returncode == 1
    assert "naive_bayes" in table.split("could not be fitted")[0]
    assert "mixture_discriminant: it was not ready when all was stopped" in table


def test_a_class_that_a_fold_lacks_keeps_no_model_out(suffice):
    draw = random.Random(2)
    rows = ["x,y,kind"] + [f"{draw.gauss(k, 1):.3f},{draw.gauss(-k, 1):.3f},{'bcd'[k]}" for k in (0, 1, 2) for _ in range(20)]
    pathlib.Path("rare.csv").write_text("\n".join([*rows, "9,9,a_rare"]) + "\n")
    done = {each["model"]: each for each in
            json.loads(suffice("compare", "rare.csv", "--target", "kind", "--models", "logistic,naive_bayes", "--json").stdout)}
    assert 0 < done["logistic_regression"]["accuracy"] <= 60 / 61
