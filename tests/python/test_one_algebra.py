"""Python, the command and C++ combine states by the same rules: equal to the bit, and equal to the fit of all rows."""
import os
import pathlib
import shutil
import subprocess

import numpy as np
import pytest

import suffice

COMMAND = os.environ.get("SUFFICE") or str(pathlib.Path(__file__).parents[2] / "build" / "suffice")
command = pytest.mark.skipif(shutil.which(COMMAND) is None, reason="the command is not built")

# A flag that the second file shows to be a number, whole numbers that become real ones, a new level, a new class.
FIRST = "flag,size,colour,kind\n0,1,red,a\n1,2,green,a\n1,4,red,b\n0,7,green,b\n1,3,red,a\n0,5,red,b\n"
SECOND = "flag,size,colour,kind\n3,1.5,blue,c\n1,2.25,red,c\n0,4.75,blue,a\n2,6.5,green,b\n0.5,3.125,blue,c\n"


def run(*words):
    return subprocess.run([COMMAND, *words], check=True, capture_output=True, text=True).stdout


def fitted(tmp_path, **files):
    for name, text in files.items():
        (tmp_path / f"{name}.csv").write_text(text)
        run("fit", str(tmp_path / f"{name}.csv"), "--target", "kind", "-q", "-o", str(tmp_path / f"{name}.suf"))
    return {name: suffice.load(tmp_path / f"{name}.suf") for name in files}


@command
def test_states_that_widen_merge_as_the_command_merges_files(tmp_path):
    both = FIRST + SECOND.split("\n", 1)[1]
    models = fitted(tmp_path, first=FIRST, second=SECOND, both=both)
    merged = models["first"].statistics_ + models["second"].statistics_
    run("merge", str(tmp_path / "first.suf"), str(tmp_path / "second.suf"), "-o", str(tmp_path / "merged.suf"))
    by_command = suffice.load(tmp_path / "merged.suf").statistics_
    assert merged == by_command and merged.to_bytes() == by_command.to_bytes()
    assert list(merged.classes) == ["a", "b", "c"]
    rows = str(tmp_path / "both.csv")
    read = [line.split(",") for line in run("predict", str(tmp_path / "merged.suf"), rows, "--proba").splitlines()[1:]]
    want = [line.split(",") for line in run("predict", str(tmp_path / "both.suf"), rows, "--proba").splitlines()[1:]]
    assert [line[0] for line in read] == [line[0] for line in want]
    np.testing.assert_allclose([[float(x) for x in line[1:]] for line in read],
                               [[float(x) for x in line[1:]] for line in want], rtol=1e-12, atol=1e-15)


@command
def test_rows_are_taken_out_as_the_command_takes_them_out(tmp_path):
    both = FIRST + SECOND.split("\n", 1)[1]
    models = fitted(tmp_path, both=both, second=SECOND)
    rest = models["both"].statistics_ - models["second"].statistics_
    run("forget", str(tmp_path / "both.suf"), str(tmp_path / "second.csv"), "-o", str(tmp_path / "rest.suf"))
    by_command = suffice.load(tmp_path / "rest.suf").statistics_
    assert rest == by_command and rest.to_bytes() == by_command.to_bytes()
    assert list(rest.classes) == ["a", "b"]


@command
def test_fading_is_the_same_in_merge_update_and_python(tmp_path):
    models = fitted(tmp_path, first=FIRST, second=SECOND)
    faded = models["first"].statistics_.decay(0.5) + models["second"].statistics_
    first, second = str(tmp_path / "first.suf"), str(tmp_path / "second.suf")
    run("merge", first, second, "--decay", "0.5", "-o", str(tmp_path / "merged.suf"))
    run("update", first, str(tmp_path / "second.csv"), "--decay", "0.5", "-o", str(tmp_path / "updated.suf"))
    assert suffice.load(tmp_path / "merged.suf").statistics_ == faded
    assert suffice.load(tmp_path / "updated.suf").statistics_ == faded


def test_whole_and_real_class_labels_are_the_same_classes():
    x = np.array([[0.0], [1.0], [5.0], [6.0], [2.0], [7.0]])
    whole = suffice.GaussianNB().fit(x[:4], np.array([0, 0, 1, 1])).statistics_
    real = suffice.GaussianNB().fit(x[4:], np.array([0.0, 1.0])).statistics_
    together = suffice.GaussianNB().fit(x, np.array([0.0, 0, 1, 1, 0, 1])).statistics_
    for both in (whole + real, real + whole):
        np.testing.assert_array_equal(both.classes, [0.0, 1.0])
        np.testing.assert_array_equal(both.class_weight(), together.class_weight())
    np.testing.assert_array_equal(((whole + real) - whole).class_weight(), real.class_weight())


def test_a_remedy_is_spelled_as_a_keyword(tmp_path):
    (tmp_path / "d.csv").write_text("size,place,kind\n1.5,x,a\n2.25,y,b\n3.75,x,a\n")
    with pytest.raises(ValueError, match=r'families=\{"size": "categorical"\}') as told:
        suffice.fit_files(tmp_path / "d.csv", "kind", joint=[["size", "place"]])
    assert "--" not in str(told.value)
