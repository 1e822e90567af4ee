"""What a stranger may put beside the command or ask of it: nothing of it is run, and nothing lasts for ever."""
import pathlib
import shutil
import subprocess

import pytest


def test_a_planted_library_is_not_loaded(folder, suffice, command):
    """Beside the program, above it, in a folder lib next to it and where the user stands."""
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    if shutil.which("gcc") is None:
        pytest.skip("there is no C compiler to make a library with")
    parquet.write_table(pyarrow.table({"x": [1.0, 2, 3, 4], "kind": ["a", "b", "a", "b"]}), "rows.parquet")
    pathlib.Path("planted.c").write_text(
        '#include <stdio.h>\n__attribute__((constructor)) static void run(void) { FILE *f = fopen("was_run", "w"); if (f) fclose(f); }\n'
        "void suffice_open_arrow_table(void) {}\n")
    subprocess.run(["gcc", "-shared", "-fPIC", "planted.c", "-o", "planted.so"], check=True)
    place = folder / "a" / "b"
    place.mkdir(parents=True)
    shutil.copy(command, place / "suffice")
    for where in (place, place.parent, folder, place.parent / "lib", folder / "lib", place / "lib"):
        where.mkdir(exist_ok=True)
        shutil.copy("planted.so", where / "libsuffice_arrow.so")
    for standing in (folder, place):
        done = subprocess.run([place / "suffice", "fit", folder / "rows.parquet", "--target", "kind", "-q", "-o", folder / "m.suf"],
                              cwd=standing, capture_output=True, text=True)
        assert not (standing / "was_run").exists(), done.stderr


def test_too_many_folds_are_refused_at_once(suffice):
    assert "folds are too many" in suffice("compare", "iris.csv", "--target", "species", "--folds", "1000000", code=2).stderr
    assert "too many for 150 rows" in suffice("compare", "iris.csv", "--target", "species", "--folds", "151", code=2).stderr
