"""Exported C: small, without allocation, clean under sanitizers, and the same on a microcontroller."""
import shutil
import struct
import subprocess

import numpy as np
import pytest

import suffice

STRICT = ["-std=c99", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-pedantic"]


@pytest.fixture(scope="module")
def iris(kit):
    return suffice.fit_files(kit.root / "data" / "iris.csv", "species", "lda")


def text_bytes(program, path):
    """Code and constants of an object file."""
    told = subprocess.run([program, path], capture_output=True, text=True, check=True).stdout.split("\n")[1].split()
    return int(told[0]), int(told[1]) + int(told[2])


@pytest.mark.parametrize("number", ["double", "float"])
def test_iris_is_below_four_kilobytes_and_has_no_state(tmp_path, iris, number):
    (tmp_path / "iris.c").write_text(iris.to_c("iris", number))
    subprocess.run(["gcc", *STRICT, "-Os", "-c", "-o", tmp_path / "iris.o", tmp_path / "iris.c"], check=True)
    code, data = text_bytes("size", tmp_path / "iris.o")
    assert code + data < 4096


def far_from_one(folder, kit, exponent):
    """Two classes two deviations apart, in a unit of 10 to this power."""
    rng = np.random.default_rng(4)
    kind = np.repeat(["a", "b"], 50)
    values = (rng.normal(size=(100, 2)) + 2.0 * (kind == "b")[:, np.newaxis]) * 10.0**exponent
    kit.write_csv(folder / "far.csv", {"u": values[:, 0], "v": values[:, 1], "kind": kind})
    return folder / "far.csv"


@pytest.mark.parametrize("exponent", [-60, -30, -16, 16, 30, 60])
@pytest.mark.parametrize("model", ["naive_bayes", "lda", "qda"])
def test_floats_are_such_that_the_compiler_takes_them_or_refused(tmp_path, kit, model, exponent):
    fitted = suffice.fit_files(far_from_one(tmp_path, kit, exponent), "kind", model)
    fitted.save(tmp_path / "far.suf")
    done = subprocess.run([kit.command, "export", tmp_path / "far.suf", "--c", "-o", tmp_path / "far.c", "--type", "float"], capture_output=True, text=True)
    squares = model != "naive_bayes"
    if abs(exponent) > 38 or squares and abs(exponent) > 19:
        assert done.returncode != 0 and "beyond the range of float" in done.stderr
    else:
        assert done.returncode == 0, done.stderr
        subprocess.run(["gcc", *STRICT, "-O2", "-c", "-o", tmp_path / "far.o", tmp_path / "far.c"], check=True)


def test_only_the_mathematics_that_is_needed_is_called(tmp_path, iris):
    (tmp_path / "iris.c").write_text(iris.to_c("iris"))
    subprocess.run(["gcc", *STRICT, "-O2", "-c", "-o", tmp_path / "iris.o", tmp_path / "iris.c"], check=True)
    wanted = subprocess.run(["nm", "-u", tmp_path / "iris.o"], capture_output=True, text=True, check=True).stdout.split()
    assert set(wanted) - {"U", "_GLOBAL_OFFSET_TABLE_", "__stack_chk_fail"} <= {"exp", "log"}  # log: of rows with holes
    seen = subprocess.run(["nm", "--defined-only", "-g", tmp_path / "iris.o"], capture_output=True, text=True, check=True).stdout.split()
    assert {name for name in seen if name.startswith("iris_")} == {"iris_classes", "iris_columns", "iris_posteriors", "iris_level", "iris_decide"}


def test_a_header_in_cpp_and_two_models_in_one_program(tmp_path, kit, iris):
    folder = tmp_path / "two"
    folder.mkdir()
    iris.save(folder / "iris.suf")
    for prefix in ("first", "second"):
        subprocess.run([kit.command, "export", folder / "iris.suf", "--c", "-o", folder / f"{prefix}.c", "--prefix", prefix], check=True)
        subprocess.run(["gcc", *STRICT, "-c", "-o", folder / f"{prefix}.o", folder / f"{prefix}.c"], check=True)
    (folder / "main.cpp").write_text('#include "first.h"\n#include "second.h"\nint main() {\n'
                                     "    double row[first_column_count] = {5.1, 3.5, 1.4, 0.2}, a[first_class_count], b[second_class_count];\n"
                                     "    first_posteriors(row, a);\n    second_posteriors(row, b);\n    return a[0] == b[0] && a[0] > 0.9 ? 0 : 1;\n}\n")
    subprocess.run(["g++", "-Wall", "-Wextra", "-Werror", "-o", folder / "both", folder / "main.cpp", folder / "first.o", folder / "second.o", "-lm"],
                   check=True)
    assert subprocess.run([folder / "both"]).returncode == 0


def test_no_row_makes_it_read_out_of_bounds(tmp_path, kit):
    """Codes and numbers of any kind, under the sanitizers."""
    case = kit.case(tmp_path, "naive_bayes", "mixed", {"families": kit.families})
    case.export("--c", "-o", "model.c", "--prefix", "tried")
    (tmp_path / "main.c").write_text("""#include <math.h>
#include "model.h"
int main(void) {
    static const double odd[] = {0, 1, 2, 3, 4, 1e300, 1e19, -1, -1e300, 0.5, 2.9999, NAN, INFINITY, -INFINITY};
    int a, b, k;
    for (a = 0; a < 14; ++a)
        for (b = 0; b < 14; ++b) {
            double row[tried_column_count], posteriors[tried_class_count];
            for (k = 0; k < tried_column_count; ++k) row[k] = odd[k % 2 ? a : b];
            tried_posteriors(row, posteriors);
            (void)tried_decide(posteriors);
        }
    for (k = -3; k < 20; ++k) (void)tried_level(k, "no such word");
    return tried_level(0, "") == -1 ? 0 : 1;
}
""")
    subprocess.run(["gcc", *STRICT, "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-o", tmp_path / "tried", tmp_path / "main.c",
                    tmp_path / "model.c", "-lm"], check=True)
    done = subprocess.run([tmp_path / "tried"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("model, limit", [("lda", 4096), ("qda", 6144), ("naive_bayes", 4096), ("logistic_regression", 4096)])
def test_a_microcontroller_gives_the_posteriors_of_the_model(tmp_path, kit, model, limit):
    for program in ("arm-none-eabi-gcc", "arm-none-eabi-size", "qemu-system-arm"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed: tools/bootstrap export")
    fitted = suffice.fit_files(kit.root / "data" / "iris.csv", "species", model)
    fitted.save(tmp_path / "iris.suf")
    subprocess.run([kit.command, "export", tmp_path / "iris.suf", "--c", "-o", tmp_path / "model.c", "--prefix", "model"], check=True)
    table = np.loadtxt(kit.root / "data" / "iris.csv", delimiter=",", skiprows=1, usecols=range(4))[::5]
    if model != "logistic_regression":  # which needs every value
        table[::3, 2] = np.nan
    rows = ",\n".join("{" + ", ".join("NAN" if np.isnan(value) else value.hex() for value in row) + "}" for row in table)
    (tmp_path / "rows.h").write_text(f"#include <math.h>\nenum {{ row_count = {len(table)} }};\nstatic const double rows[][4] = {{\n{rows}}};\n")
    done = subprocess.run([kit.root / "examples" / "microcontroller" / "build", tmp_path, "run"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    code, data = text_bytes("arm-none-eabi-size", tmp_path / "model.o")
    assert code + data < limit
    found = [line.split() for line in done.stdout.splitlines()]
    posteriors = np.array([[struct.unpack(">d", bytes.fromhex(bits))[0] for bits in line[:3]] for line in found])
    names = (kit.root / "data" / "iris.csv").read_text().splitlines()[0].split(",")[:4]
    kit.write_csv(tmp_path / "rows.csv", {name: [None if np.isnan(value) else value for value in column] for name, column in zip(names, table.T)})
    told = subprocess.run([kit.command, "predict", tmp_path / "iris.suf", tmp_path / "rows.csv", "--proba"], capture_output=True, text=True, check=True)
    expected = [line.split(",") for line in told.stdout.splitlines()[1:]]
    np.testing.assert_allclose(posteriors, np.array([line[1:] for line in expected], dtype=float), rtol=0, atol=1e-12)
    assert [line[3] for line in found] == [line[0] for line in expected]
