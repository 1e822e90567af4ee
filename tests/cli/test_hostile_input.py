"""What a stranger may put beside the command or ask of it: nothing of it is run, and nothing lasts for ever."""
import csv
import json
import os
import pathlib
import pty
import re
import resource
import shutil
import subprocess
from random import Random

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


def test_a_glob_of_many_stars_ends_on_a_long_name(suffice):
    name = "a" * 100_000
    pathlib.Path("long.csv").write_text(f"{name},b,y\n" + "".join(f"{k % 7},{k % 5},{'pq'[k % 2]}\n" for k in range(40)))
    suffice("fit", "long.csv", "--target", "y", "--family", "*a*a*?a*ab=poisson", "-q", "-o", "m.suf", code=2)
    suffice("fit", "long.csv", "--target", "y", "--family", "*a*a*?a*=geometric", "-q", "-o", "m.suf")
    families = {each["name"]: each["family"] for each in json.loads(suffice("inspect", "m.suf", "--json").stdout)["columns"]}
    assert families[name] == "geometric" != families["b"]


def seconds_of(suffice, *words):
    """Of computing, not of waiting."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    suffice(*words)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def test_what_is_said_of_many_columns_costs_as_much_as_they_do(suffice):
    """40,000 columns took eight times as long when each had a family, and sixteen times at 80,000."""
    count = 40_000
    with open("wide.csv", "w") as file:
        file.write(",".join(f"c{k}" for k in range(count)) + ",y\n")
        for row in range(20):
            file.write(",".join(str((k * row) % 7) for k in range(count)) + f",{'ab'[row % 2]}\n")
    fit = ("fit", "wide.csv", "--target", "y", "--model", "gaussian_nb", "-q", "-o", "m.suf")
    plain = seconds_of(suffice, *fit)
    assert seconds_of(suffice, *fit, "--family", "c*=gaussian") < 4 * plain
    assert seconds_of(suffice, *fit, "--exclude", "c1*,c2*") < 4 * plain


def test_a_model_of_many_columns_is_inspected_in_the_time_that_it_is_fitted_in(suffice):
    """The squares of its scores were a matrix of columns times columns: 10,000 took 6 s, 100,000 no memory was enough for."""
    count = 40_000
    with open("wide.csv", "w") as file:
        file.write(",".join(f"c{k}" for k in range(count)) + ",y\n")
        for row in range(20):
            file.write(",".join(str((k * row) % 7 + row % 3) for k in range(count)) + f",{'ab'[row % 2]}\n")
    fitting = seconds_of(suffice, "fit", "wide.csv", "--target", "y", "--model", "gaussian_nb", "-q", "-o", "m.suf")
    assert seconds_of(suffice, "inspect", "m.suf") < 4 * fitting
    assert seconds_of(suffice, "inspect", "m.suf", "--class", "a", "--versus", "b", "--top", "3") < 4 * fitting


def test_very_many_classes_cost_as_much_as_there_are(suffice):
    """Each class's variances were looked for among all classes: 100,000 took five seconds to load, 50 times what 20,000 did."""
    pathlib.Path("asked.csv").write_text("x,y\n1,2\n")
    seconds = {}
    for count in (20_000, 100_000):
        with open("classes.csv", "w") as file:
            file.write("x,y,kind\n" + "".join(f"{k % 97},{k * 31 % 89},c{k}\n" for k in range(count)))
        suffice("fit", "classes.csv", "--target", "kind", "--model", "gaussian_nb", "-q", "-o", "m.suf")
        seconds[count] = seconds_of(suffice, "predict", "m.suf", "asked.csv")
    assert seconds[100_000] < 12 * max(seconds[20_000], 0.05)


SIZES = {
    "huge": lambda random: random.uniform(-1, 1) * 1.7e308,  # whose range is beyond all numbers
    "mixed": lambda random: random.choice([1e308, -1e308, 5e-324, 1.5]) * random.random(),
    "tiny": lambda random: random.uniform(-1, 1) * 5e-310,
    "spread": lambda random: 10 ** random.uniform(-320, 308),
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("model", ["naive_bayes", "gaussian_nb", "histogram_nb", "kernel_nb", "kde", "nearest", "lda", "qda", "mda", "logistic"])
def test_numbers_of_any_size_are_refused_or_make_a_model_that_is_loaded(suffice, command, model, size):
    """A histogram wrote outside of its memory, and sums of squares that are no numbers were saved and then refused."""
    random, draw = Random(1), SIZES[size]
    with open("rows.csv", "w") as file:
        file.write("x,y,kind\n" + "".join(f"{draw(random)!r},{random.gauss(0, 1)},{'ab'[k % 2]}\n" for k in range(1000)))
    fit = subprocess.run([command, "fit", "rows.csv", "--target", "kind", "--model", model, "-q", "-o", "m.suf"], capture_output=True, text=True)
    assert fit.returncode in (0, 2), fit.stderr
    if fit.returncode == 0:
        done = subprocess.run([command, "predict", "m.suf", "rows.csv", "--proba"], capture_output=True, text=True)
        assert done.returncode in (0, 2) and "contradicts" not in done.stderr, done.stderr
        for row in csv.DictReader(done.stdout.splitlines()):
            assert abs(float(row["p(a)"]) + float(row["p(b)"]) - 1) < 1e-9


@pytest.mark.parametrize("words", ["cluster --model k_means", "cluster --model gaussian_mixture", "density --model histogram", "density --model kernel_density"])
def test_numbers_of_any_size_are_grouped_or_refused(suffice, command, words):
    """k-means had no centre where every distance was infinite, and read one all the same."""
    for size, draw in SIZES.items():
        random = Random(1)
        pathlib.Path("rows.csv").write_text("x\n" + "".join(f"{draw(random)!r}\n" for _ in range(400)))
        verb, *rest = words.split()
        options = ["--k", "2"] if verb == "cluster" else []
        done = subprocess.run([command, verb, "rows.csv", *rest, *options, "-o", "out.csv"], capture_output=True, text=True)
        assert done.returncode in (0, 2), f"{size}: {done.stderr}"


def test_rows_of_any_weight_are_counted_or_refused(suffice, command):
    """Where products of weights were no numbers the hierarchy of a mixture's start merged a row with itself, and wrote outside of its memory."""
    for weight in (1e308, 1e300, 5e-324):
        random = Random(1)
        pathlib.Path("rows.csv").write_text("x,w,kind\n" + "".join(f"{random.gauss(0, 1)},{weight},{'ab'[k % 2]}\n" for k in range(100)))
        for model in ("naive_bayes", "gaussian_nb", "lda", "kde", "kernel_nb", "histogram_nb", "nearest", "mda", "logistic"):
            fit = subprocess.run([command, "fit", "rows.csv", "--target", "kind", "--weight", "w", "--model", model, "-q", "-o", "m.suf"], capture_output=True, text=True)
            assert fit.returncode in (0, 2), f"{model}, {weight}: {fit.stderr}"


STEERING = "\x1b]0;owned\x07\x1b[31m"  # a terminal's title and colour
TARGET = f"kind\u202e{STEERING}"
UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


@pytest.fixture
def hostile(suffice):
    """A file and its model whose file, columns, levels and classes hold escape codes, marks of direction and lines."""
    name = f"rows{STEERING}\u202e.csv"
    with open(name, "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow([f"x{STEERING}", "\u2067y\nnote: all is well", TARGET])
        for k in range(40):
            rows.writerow([k % 7 + k % 2, f"{'ab'[k % 2]}\u202e\x9b31m", f"{'=-'[k % 2]}class{STEERING}\u202e"])
    suffice("fit", name, "--target", TARGET, "-q", "-o", "m.suf")
    return name


def test_names_steer_no_terminal(suffice, hostile):
    """Of whatever is for people, and of JSON, which loses nothing by it."""
    told = {
        "fit": suffice("fit", hostile, "--target", TARGET, "-o", "n.suf").stderr,
        "inspect": suffice("inspect", "m.suf").stdout,
        "json": suffice("inspect", "m.suf", "--json").stdout,
        "evaluate": suffice("evaluate", "m.suf", hostile).stdout,
        "explain": suffice("explain", "m.suf", hostile, "--top", 3).stdout,
        "predict": suffice("predict", "m.suf", hostile, "--json", "--proba").stdout,
        "compare": suffice("compare", hostile, "--target", TARGET, "--folds", 3).stdout,
        "drift": suffice("drift", "m.suf", hostile).stdout,
        "no file": suffice("predict", "m.suf", f"gone{STEERING}", code=2).stderr,
        "no column": suffice("fit", hostile, "--target", f"q{STEERING}", "-o", "n.suf", code=2).stderr,
        "no verb": suffice(f"f{STEERING}", code=2).stderr,
    }
    for format in ("html", "md", "json"):
        told["report " + format] = suffice("report", "m.suf", hostile, "--format", format).stdout
    told["plot"] = suffice("plot", "m.suf", hostile).stdout
    for what, text in told.items():
        assert text and not UNSEEN.search(text), (what, UNSEEN.search(text))
    assert "\\x1b]0;owned\\x07" in told["inspect"] and "\\u202e" in told["inspect"]
    assert not any(line.startswith("note: all is well") for what, text in told.items() if what not in ("report html", "plot") for line in text.splitlines())
    classes = [each["name"] for each in json.loads(told["json"])["classes"]]
    assert sorted(classes) == [f"-class{STEERING}\u202e", f"=class{STEERING}\u202e"]


def test_rows_as_csv_are_as_they_were_read_but_not_on_a_terminal(suffice, hostile, command):
    done = suffice("predict", "m.suf", hostile, "--keep", f"x{STEERING}")
    assert STEERING in done.stdout
    process, screen = pty.fork()
    if process == 0:
        os.execv(command, [str(command), "predict", "m.suf", hostile, "--keep", f"x{STEERING}"])
    seen = b""
    try:
        while more := os.read(screen, 1 << 16):
            seen += more
    except OSError:  # the program has ended
        pass
    os.close(screen)
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0
    text = seen.decode().replace("\r\x1b[K", "").replace("\r\n", "\n")  # of the progress bar, and of the terminal itself
    assert text and not UNSEEN.search(text) and "\\x1b]0;owned\\x07" in text


def test_formulas_are_words_where_a_spreadsheet_is_meant(suffice):
    cells = ["=1+1", "@SUM(A1)", "+cmd", "-2+3", "plain", "-3.5", "+7"]
    with open("d.csv", "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["=name", "kind", "x"])
        rows.writerows([cell, "=a" if k % 2 else "b", k % 2 + k / 9] for k, cell in enumerate(cells))
    suffice("fit", "d.csv", "--target", "kind", "--exclude", "=name", "-q", "-o", "m.suf")
    plain = list(csv.reader(suffice("predict", "m.suf", "d.csv", "--keep", "=name").stdout.splitlines()))
    sheet = list(csv.reader(suffice("predict", "m.suf", "d.csv", "--keep", "=name", "--spreadsheet").stdout.splitlines()))
    assert [row[0] for row in plain] == ["=name", *cells]
    assert [row[0] for row in sheet] == ["'=name", "'=1+1", "'@SUM(A1)", "'+cmd", "'-2+3", "plain", "-3.5", "+7"]
    assert {row[1] for row in sheet[1:]} == {"'=a", "b"}
    assert "'=a" in suffice("sample", "m.suf", "-n", 20, "--spreadsheet").stdout
    assert "--spreadsheet is for CSV" in suffice("predict", "m.suf", "d.csv", "--spreadsheet", "--json", code=2).stderr
