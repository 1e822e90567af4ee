"""Model files of earlier versions load for ever and predict what they predicted when they were written."""
import csv
import json
import math
import pathlib
import struct

import pytest

MODELS = pathlib.Path(__file__).resolve().parents[1] / "goldens" / "models"
NAMES = sorted(path.stem for path in MODELS.glob("*.suf"))


@pytest.mark.parametrize("name", NAMES)
def test_a_golden_model_predicts_as_ever(suffice, name):
    data = MODELS / (MODELS / f"{name}.data").read_text().strip()
    found = list(csv.reader(suffice("predict", MODELS / f"{name}.suf", data, "--proba").stdout.splitlines()))
    expected = list(csv.reader((MODELS / f"{name}.expected.csv").read_text().splitlines()))
    assert found[0] == expected[0]
    for row, wanted in zip(found[1:], expected[1:]):
        assert row[0] == wanted[0]
        for p, q in zip(row[1:], wanted[1:]):
            assert math.isclose(float(p), float(q), rel_tol=1e-9, abs_tol=1e-12)
    suffice("inspect", MODELS / f"{name}.suf", "--json")


def parts(node):
    if isinstance(node, dict):
        return ({(node["part"], node["version"])} if "part" in node else set()).union(*map(parts, node.values()))
    return set().union(*map(parts, node)) if isinstance(node, list) else set()


def test_every_kind_of_part_has_a_golden():
    seen = set()
    for name in NAMES:
        whole = (MODELS / f"{name}.suf").read_bytes()
        length, = struct.unpack("<Q", whole[:8])
        seen |= parts(json.loads(json.loads(whole[8:8 + length])["__metadata__"]["suffice"]))
    kinds = ["bernoulli", "beta", "categorical", "exponential", "gamma", "gaussian", "geometric", "log_normal", "negative_binomial", "poisson",
             "covariance", "joint", "evidence", "tokens", "counts"]
    assert seen >= {(kind, 1) for kind in kinds}
