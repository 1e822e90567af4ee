"""The command says how it was built, and an environment variable limits the instructions it uses."""
import json
import os


def facts(suffice, **environment):
    return json.loads(suffice("--version", "--json", env={**os.environ, **environment}).stdout)


def test_the_version_tells_how_it_was_built(suffice):
    told = facts(suffice)
    assert suffice("--version").stdout == f"suffice {told['version']}\n"
    assert told["build"] == "release" and told["compiler"].split()[0] in ("gcc", "clang")
    assert set(told["libraries"]) >= {"eigen", "zlib", "zstd"} and all(told["libraries"].values())
    assert isinstance(told["arrow"], bool)


def test_no_target_beyond_the_named_one_is_used(suffice):
    here = facts(suffice)["targets"]
    assert len(here) == len(set(here)) and (here[-1] == "portable" or "avx2" not in here)
    for target in here:
        assert facts(suffice, SUFFICE_TARGET=target)["target"] == target
    assert facts(suffice, SUFFICE_TARGET="")["target"] == here[0]


def test_a_fit_on_every_target_agrees_to_rounding(suffice):
    losses = []
    for target in facts(suffice)["targets"]:
        environment = {**os.environ, "SUFFICE_TARGET": target}
        suffice("fit", "iris.csv", "--target", "species", "--model", "qda", "-q", "-o", "m.suf", env=environment)
        losses.append(json.loads(suffice("evaluate", "m.suf", "iris.csv", "--json", env=environment).stdout)["log_loss"])
    assert all(abs(loss - losses[0]) <= 1e-12 * losses[0] for loss in losses)
