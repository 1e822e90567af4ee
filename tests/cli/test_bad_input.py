"""Bad input: the exit code, one sentence that says what and where, nothing on standard output, nothing lost."""
import gzip
import os
import pathlib
import signal
import subprocess
import time
from random import Random

import pytest

HEAD = "a,b,kind\n"
GOOD = HEAD + "1,2,x\n2,3,y\n3,4,x\n4,5,y\n"
# e = 10 b - d / 2 + 7; the other columns are squares in different orders
SIX_COLUMNS = "a,b,c,d,e,f,kind\n" + "".join(
    f"{k * k % 7},{k * k % 11},{k * k % 13},{k * k % 17},{10 * (k * k % 11) - (k * k % 17) / 2 + 7},{k * k % 19},{'xy'[k % 2]}\n"
    for k in range(60))

CASES = {  # files, words behind `fit`, what the sentence must hold
    "missing file": ({}, ["nowhere.csv", "--target", "kind"], ["nowhere.csv"]),
    "empty file": ({"d.csv": ""}, ["d.csv", "--target", "kind"], ["d.csv"]),
    "header only": ({"d.csv": HEAD}, ["d.csv", "--target", "kind"], ["d.csv"]),
    "wrong delimiter": ({"d.csv": GOOD}, ["d.csv", "--target", "kind", "--delimiter", ";"], ["d.csv", "one column", "--delimiter"]),
    "target misspelt": ({"d.csv": GOOD}, ["d.csv", "--target", "knid"], ["d.csv", "knid", "did you mean kind?"]),
    "no target": ({"d.csv": GOOD}, ["d.csv"], ["--target"]),
    "one class only": ({"d.csv": HEAD + "1,2,x\n2,3,x\n"}, ["d.csv", "--target", "kind"], ["d.csv", "only one class, x"]),
    "no class at all": ({"d.csv": HEAD + "1,2,\n2,3,\n"}, ["d.csv", "--target", "kind"], ["d.csv", "no row has a class"]),
    "ragged row": ({"d.csv": GOOD + "1,2\n"}, ["d.csv", "--target", "kind"], ["d.csv", "6"]),
    "words in a number": ({"d.csv": HEAD + "1,2,x\n2,3,y\n" * 90000 + "five,3,x\n"}, ["d.csv", "--target", "kind"],
                          ["d.csv", "row 180002", "column a", "five"]),
    "infinite value": ({"d.csv": GOOD + "inf,1,x\n"}, ["d.csv", "--target", "kind"], ["d.csv", "row 6", "column a"]),
    "negative weight": ({"d.csv": GOOD + "1,-1,x\n"}, ["d.csv", "--target", "kind", "--weight", "b"], ["d.csv", "row", "weight"]),
    "weight that is no number": ({"d.csv": GOOD + "1,nan,x\n"}, ["d.csv", "--target", "kind", "--weight", "b"], ["d.csv", "row", "weight"]),
    "infinite weight": ({"d.csv": GOOD + "1,inf,x\n"}, ["d.csv", "--target", "kind", "--weight", "b"], ["d.csv", "row", "weight"]),
    "negative count": ({"d.csv": GOOD + "1,-1,x\n"}, ["d.csv", "--target", "kind", "--model", "multinomial_nb"], ["d.csv", "row 6", "column b", "counts"]),
    "group of an unknown class": ({"d.csv": GOOD}, ["d.csv", "--target", "kind", "--model", "grouped_discriminant", "--groups", "x;z"], ["the class z", "x, y"]),
    "groups that overlap": ({"d.csv": GOOD}, ["d.csv", "--target", "kind", "--model", "grouped_discriminant", "--groups", "x,y;y"], ["the class y is in two groups"]),
    "class in no group": ({"d.csv": GOOD}, ["d.csv", "--target", "kind", "--model", "grouped_discriminant", "--groups", "x"], ["the class y is in none"]),
    "prior of an unknown class": ({"d.csv": GOOD}, ["d.csv", "--target", "kind", "--prior", "x=0.5,z=0.5"], ["the class z", "x, y"]),
    "negative prior": ({"d.csv": GOOD}, ["d.csv", "--target", "kind", "--prior", "x=1.5,y=-0.5"], ["class x", "between 0 and 1"]),
    "bad weight behind empty lines": ({"a.csv": GOOD, "d.csv": GOOD + "\n\n1,-1,x\n"}, ["a.csv", "d.csv", "--target", "kind", "--weight", "b"],
                                      ["d.csv", "row 8", "weight"]),
    "infinite value in a second file": ({"a.csv": GOOD, "d.csv": GOOD + "\n1,inf,x\n"}, ["a.csv", "d.csv", "--target", "kind", "--model", "lda"],
                                        ["d.csv", "row 7", "column b"]),
    "joined numbers": ({"d.csv": GOOD}, ["d.csv", "--target", "kind", "--joint", "a,b"], ["column a", "--family a=categorical"]),
    "joined column not there": ({"d.csv": GOOD}, ["d.csv", "--target", "kind", "--joint", "a,bb"], ["d.csv", "no column bb", "did you mean b?"]),
    "one joined column": ({"d.csv": GOOD}, ["d.csv", "--target", "kind", "--joint", "a"], ["two columns or more"]),
    "outside the family": ({"d.csv": GOOD + "-1,1,x\n"}, ["d.csv", "--target", "kind", "--family", "a=poisson"], ["d.csv", "row 6", "column a", "poisson"]),
    "no such family": ({"d.csv": GOOD}, ["d.csv", "--target", "kind", "--family", "a=poison"], ["did you mean poisson?"]),
    "no such model": ({"d.csv": GOOD}, ["d.csv", "--target", "kind", "--model", "ldaa"], ["did you mean lda?"]),
    "no such option": ({"d.csv": GOOD}, ["d.csv", "--traget", "kind"], ["did you mean --target?"]),
    "excluded column not there": ({"d.csv": GOOD}, ["d.csv", "--target", "kind", "--exclude", "a,c"], ["no column c"]),
    "truncated gzip": ({"d.csv.gz": gzip.compress(GOOD.encode() * 1000)[:-20]}, ["d.csv.gz", "--target", "kind"], ["d.csv.gz"]),
    "Parquet that is none": ({"d.parquet": b"PAR1" + b"\0" * 40}, ["d.parquet", "--target", "kind"], ["d.parquet"]),
    "words for gaussian_nb": ({"d.csv": "a,c,kind\n1,u,x\n2,v,y\n"}, ["d.csv", "--target", "kind", "--model", "gnb"], ["column c", "--exclude"]),
    "priors that do not add up": ({"d.csv": GOOD}, ["d.csv", "--target", "kind", "--prior", "x=0.9,y=0.9"], ["prior"]),
    "no data": ({}, ["--target", "kind"], ["Name the data"]),
    "strict singular": ({"d.csv": "a,b,kind\n1,1,x\n2,2,x\n3,3,y\n4,4,y\n5,5,y\n"}, ["d.csv", "--target", "kind", "--model", "lda", "--strict"], ["b is determined by a"]),
    "strict, three collinear columns of six": ({"d.csv": SIX_COLUMNS}, ["d.csv", "--target", "kind", "--model", "lda", "--strict"], ["rank 5 of 6", "b is determined by d, e"]),
}


@pytest.mark.parametrize("name", CASES)
def test_bad_data_is_refused_with_one_sentence(suffice, name):
    files, words, parts = CASES[name]
    for file, content in files.items():
        pathlib.Path(file).write_bytes(content.encode() if isinstance(content, str) else content)
    pathlib.Path("old.suf").write_text("as it was")
    done = suffice("fit", *words, "-o", "old.suf", code=2)
    sentence = done.stderr.splitlines()
    assert done.stdout == "" and 1 <= len(sentence) <= 3, done.stderr
    for part in parts:
        assert part in sentence[0], sentence[0]
    assert pathlib.Path("old.suf").read_text() == "as it was"
    assert not list(pathlib.Path().glob("old.suf.*"))


@pytest.mark.parametrize("text", ["a,day,kind\n1,2024-05-01,x\n2,2024-05-02,y\n", "a,day,kind\n" + "1,,x\n2,,y\n" * 150000 + "1,2024-05-01,x\n"],
                         ids=["at once", "after the first look"])
def test_dates_are_split_and_told(suffice, text):
    pathlib.Path("d.csv").write_text(text)
    told = suffice("fit", "d.csv", "--target", "kind", "-o", "m.suf").stderr
    assert "the column day holds dates, such as 2024-05-01; it was split into year, month, weekday, days" in told


PREDICT_CASES = {  # rows to predict, what the sentence must hold
    "infinite value": ("a,b\n1,2\ninf,2\n", ["p.csv", "row 3", "column a"]),
    "words in a number": ("a,b\n1,word\n", ["p.csv", "row 2", "column b", "word"]),
    "a column too few": ("a\n1\n", ["p.csv", "no column b"]),
}


@pytest.mark.parametrize("name", PREDICT_CASES)
def test_bad_rows_to_predict_are_named(suffice, name):
    rows, parts = PREDICT_CASES[name]
    pathlib.Path("d.csv").write_text(GOOD)
    pathlib.Path("p.csv").write_text(rows)
    suffice("fit", "d.csv", "--target", "kind", "-o", "m.suf")
    done = suffice("predict", "m.suf", "p.csv", code=2)
    sentence = done.stderr.splitlines()
    assert done.stdout == "" and 1 <= len(sentence) <= 3
    for part in parts:
        assert part in sentence[0], sentence[0]


def test_a_class_that_the_model_does_not_know_is_said_and_not_counted(suffice):
    pathlib.Path("d.csv").write_text(GOOD)
    pathlib.Path("e.csv").write_text(HEAD + "1,2,x\n2,3,q\n")
    suffice("fit", "d.csv", "--target", "kind", "-o", "m.suf")
    done = suffice("evaluate", "m.suf", "e.csv", "--json")
    assert '"rows": 1,' in done.stdout
    assert "1 rows without a class that the model knows were skipped" in done.stderr


def test_a_folder_without_data_is_refused(suffice):
    os.mkdir("nothing")
    assert "nothing" in suffice("fit", "nothing", "--target", "kind", "-o", "m.suf", code=2).stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_an_unreadable_file_is_refused(suffice):
    pathlib.Path("d.csv").write_text(GOOD)
    os.chmod("d.csv", 0)
    assert "d.csv" in suffice("fit", "d.csv", "--target", "kind", "-o", "m.suf", code=2).stderr


@pytest.mark.parametrize("form", ["parquet", "feather"])
@pytest.mark.parametrize("compression", ["uncompressed", "zstd"])
def test_damaged_parquet_and_arrow_are_refused_or_read_and_never_crash(suffice, command, form, compression):
    csv, parquet, feather = (pytest.importorskip(f"pyarrow.{name}") for name in ("csv", "parquet", "feather"))
    if not list(command.parents[2].glob("libsuffice_arrow.so")):
        pytest.skip("this build has no Arrow")
    table = csv.read_csv("penguins.csv")
    if form == "parquet":
        parquet.write_table(table, "whole", compression=compression.replace("uncompressed", "none"), write_page_checksum=True)
    else:
        feather.write_feather(table, "whole", compression=compression)
    whole = pathlib.Path("whole").read_bytes()
    pathlib.Path("m.suf").write_text("as it was")
    random = Random(1)
    cuts = [whole[:at] for at in (9, 100, len(whole) // 2, len(whole) - 100, len(whole) - 1)]
    wrong = [b"PAR2" + whole[4:], whole[:-4] + b"1234"]
    ends = range(1000, len(whole) - 1000, 2000)
    if form == "parquet":  # the last byte of a column's last page
        group = parquet.ParquetFile("whole").metadata.row_group(0)
        chunks = [group.column(k) for k in range(group.num_columns)]
        ends = [(chunk.dictionary_page_offset or chunk.data_page_offset) + chunk.total_compressed_size - 1 for chunk in chunks]
    pages = [whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1:] for at in ends]
    spoilt = []
    for _ in range(10):
        bytes_ = bytearray(whole)
        for _ in range(8):
            bytes_[random.randrange(8, len(whole))] = random.randrange(256)
        spoilt.append(bytes(bytes_))
    for kind, contents in {"cut": cuts, "wrong": wrong, "page": pages, "spoilt": spoilt}.items():
        for content in contents:
            pathlib.Path("d." + form).write_bytes(content)
            done = subprocess.run([command, "fit", "d." + form, "--target", "species", "-o", "m.suf"], capture_output=True, text=True, timeout=60)
            if done.returncode == 0 and kind in ("page", "spoilt"):  # a value may have become another
                pathlib.Path("m.suf").write_text("as it was")
                assert (form, kind) != ("parquet", "page"), "the checksum of the page is not looked at"
                continue
            assert done.returncode == 2 and done.stderr.startswith("d." + form) and done.stderr.count("\n") == 1, done.stderr
            assert pathlib.Path("m.suf").read_text() == "as it was"


@pytest.mark.parametrize("what", ["cut", "flipped", "foreign", "newer", "empty", "text"])
def test_a_damaged_model_file_is_refused(suffice, what):
    suffice("fit", "iris.csv", "--target", "species", "-o", "m.suf")
    whole = pathlib.Path("m.suf").read_bytes()
    other = {"cut": whole[:-9], "flipped": whole[:-9] + bytes([whole[-9] ^ 1]) + whole[-8:], "empty": b"", "text": b"a,b\n1,2\n",
             "foreign": whole.replace(b"suffice 2", b"another 2"), "newer": whole.replace(b"suffice 2", b"suffice 9")}[what]
    pathlib.Path("m.suf").write_bytes(other)
    done = suffice("predict", "m.suf", "iris.csv", code=2)
    assert done.stdout == "" and done.stderr.startswith("m.suf: ")
    assert ("newer" in done.stderr) == (what == "newer")


def test_rows_are_told_by_their_line_in_every_verb(suffice):
    pathlib.Path("d.csv").write_text(GOOD)
    pathlib.Path("bad.csv").write_text(GOOD + "\n\ninf,1,x\n")
    suffice("fit", "d.csv", "--target", "kind", "-q", "-o", "m.suf")
    for verb in ("predict", "evaluate", "explain", "update", "forget"):
        assert suffice(verb, "m.suf", "bad.csv", code=2).stderr.startswith("bad.csv, row 8, column a: "), verb


def test_columns_the_model_lacks_or_the_data_lack(suffice):
    suffice("fit", "iris.csv", "--target", "species", "-o", "m.suf")
    pathlib.Path("few.csv").write_text("sepal_width,petal_length,more,sepal_length\n3,4.5,1,5\n")
    assert "petal_width" in suffice("predict", "m.suf", "few.csv", code=2).stderr
    done = suffice("predict", "m.suf", "few.csv", "--allow-missing-columns")
    assert done.stdout == "prediction\nversicolor\n" and "more" in done.stderr


def test_different_models_do_not_merge(suffice):
    suffice("fit", "iris.csv", "--target", "species", "-o", "a.suf")
    suffice("fit", "iris.csv", "--target", "species", "--model", "lda", "-o", "b.suf")
    suffice("fit", "penguins.csv", "--target", "species", "-o", "c.suf")
    for other in ("b.suf", "c.suf"):
        done = suffice("merge", "a.suf", other, "-o", "d.suf", code=2)
        assert other in done.stderr and not pathlib.Path("d.suf").exists()
    suffice("fit", "iris.csv", "--target", "species", "--strip", "-o", "s.suf")
    for order in (["a.suf", "s.suf"], ["s.suf", "a.suf"]):
        assert suffice("merge", *order, "-o", "d.suf", code=2).stderr.startswith("s.suf: "), order


def test_rows_that_were_never_in_cannot_be_forgotten(suffice):
    suffice("fit", "iris.csv", "--target", "species", "-o", "m.suf")
    before = pathlib.Path("m.suf").read_bytes()
    text = pathlib.Path("iris.csv").read_text()
    pathlib.Path("twice.csv").write_text(text + "".join(text.splitlines(keepends=True)[1:]))
    suffice("forget", "m.suf", "twice.csv", code=2)
    assert pathlib.Path("m.suf").read_bytes() == before


def test_a_full_disk_is_the_machines_fault(suffice, command):
    done = suffice("fit", "iris.csv", "--target", "species", "-o", "/dev/full", code=1)
    assert "No space left" in done.stderr
    suffice("fit", "iris.csv", "--target", "species", "-o", "m.suf")
    with open("/dev/full", "w") as full:
        failed = subprocess.run([command, "predict", "m.suf", "iris.csv"], stdout=full, stderr=subprocess.PIPE, text=True)
    assert failed.returncode == 1 and "No space left" in failed.stderr


def test_a_folder_that_is_not_there_is_the_machines_fault(suffice):
    assert "nowhere/m.suf" in suffice("fit", "iris.csv", "--target", "species", "-o", "nowhere/m.suf", code=1).stderr


def test_a_closed_pipe_ends_quietly(suffice, command):
    suffice("fit", "iris.csv", "--target", "species", "-o", "m.suf")
    head, *rows = pathlib.Path("iris.csv").read_text().splitlines(keepends=True)
    pathlib.Path("long.csv").write_text(head + "".join(rows) * 500)
    done = subprocess.run(["bash", "-c", f"{command} predict m.suf long.csv | head -1; echo ${{PIPESTATUS[0]}}"],
                          capture_output=True, text=True)
    assert done.stdout == "prediction\n1\n" and done.stderr == ""


@pytest.mark.parametrize("copies", [1, 1000])
def test_an_error_leaves_nothing_on_standard_output_or_whole_rows_of_long_ones(suffice, copies):
    suffice("fit", "iris.csv", "--target", "species", "-o", "m.suf")
    head, *rows = pathlib.Path("iris.csv").read_text().splitlines(keepends=True)
    pathlib.Path("long.csv").write_text(head + "".join(rows) * copies + "5,many,1,2,setosa\n")
    where = f"long.csv, row {150 * copies + 2}, column sepal_width: "
    done = suffice("predict", "m.suf", "long.csv", code=2)
    assert done.stderr.startswith(where)
    if copies == 1:  # less than is held back
        assert done.stdout == "" and suffice("predict", "m.suf", "long.csv", "--json", code=2).stdout == ""
        assert suffice("explain", "m.suf", "long.csv", code=2).stdout == ""
    else:
        assert done.stdout.startswith("prediction\nsetosa\n") and done.stdout.endswith("\n")
        assert set(done.stdout.splitlines()) == {"prediction", "setosa", "versicolor", "virginica"}
    pathlib.Path("out.csv").write_text("as it was")
    for words in ([], ["--json"]):
        assert suffice("predict", "m.suf", "long.csv", *words, "-o", "out.csv", code=2).stderr.startswith(where)
        assert pathlib.Path("out.csv").read_text() == "as it was" and not list(pathlib.Path().glob("out.csv.*"))
    suffice("predict", "m.suf", "long.csv", "-o", "new.csv", code=2)
    assert not list(pathlib.Path().glob("new.csv*"))


def test_skipped_rows_keep_their_place(suffice):
    suffice("fit", "iris.csv", "--target", "species", "-o", "m.suf")
    rows = pathlib.Path("iris.csv").read_text().splitlines(keepends=True)
    pathlib.Path("ragged.csv").write_text("".join(rows[:2]) + "1,2\n" + rows[60] + "3\n")
    done = suffice("predict", "m.suf", "ragged.csv", "--ragged", "skip")
    assert done.stdout == 'prediction\nsetosa\n""\nversicolor\n""\n'
    assert "2 ragged rows" in done.stderr


def test_a_model_is_whole_whenever_its_writer_is_killed(suffice, command):
    head = ",".join(f"x{k}" for k in range(300)) + ",kind\n"
    row = ",".join(str(k % 7) for k in range(300))
    pathlib.Path("wide.csv").write_text(head + "".join(f"{row[:-1]}{k % 5},{'xyz'[k % 3]}\n" for k in range(60)))
    suffice("fit", "wide.csv", "--target", "kind", "--model", "qda", "-o", "m.suf")
    whole = pathlib.Path("m.suf").read_bytes()
    started = time.monotonic()
    suffice("fit", "wide.csv", "--target", "kind", "--model", "qda", "-o", "m.suf")
    span = time.monotonic() - started
    for step in range(25):
        process = subprocess.Popen([command, "fit", "wide.csv", "--target", "kind", "--model", "qda", "-o", "m.suf"],
                                   stderr=subprocess.DEVNULL)
        time.sleep(span * step / 20)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert pathlib.Path("m.suf").read_bytes() == whole
    suffice("fit", "wide.csv", "--target", "kind", "--model", "qda", "-o", "m.suf")
    assert [path.name for path in pathlib.Path().iterdir() if path.name.startswith("m.suf")] == ["m.suf"]


def test_an_interrupted_fit_leaves_nothing_behind(suffice, command):
    os.mkfifo("pipe")
    process = subprocess.Popen([command, "fit", "pipe", "--target", "kind", "-o", "m.suf"], stderr=subprocess.PIPE, text=True)
    with open("pipe", "w") as pipe:
        pipe.write(GOOD + "1,2,x\n" * 200000)
        pipe.flush()
        process.send_signal(signal.SIGINT)
        try:
            pipe.write("1,2,x\n" * 200000)
        except BrokenPipeError:
            pass
    assert process.wait(60) == 1
    assert "stopped" in process.stderr.read()
    assert not list(pathlib.Path().glob("m.suf*"))


def test_a_regression_tells_the_line_of_the_missing_value(suffice):
    head, *rows = pathlib.Path("iris.csv").read_text().splitlines(keepends=True)
    pathlib.Path("first.csv").write_text(head + "".join(rows[::2]))
    pathlib.Path("second.csv").write_text(head + "".join(rows[1::2])[:-1] + "\n1,,2,3,setosa\n")
    told = suffice("fit", "first.csv", "second.csv", "--target", "species", "--model", "logistic", "--missing-values", "refuse",
                   "-o", "m.suf", code=2)
    assert told.stderr.startswith(f"second.csv, row {len(rows[1::2]) + 2}, column sepal_width: "), told.stderr


def test_models_of_groups_are_told_where_they_are(suffice):
    told = suffice("fit", "iris.csv", "--target", "species", "--model", "k_means", "-o", "m.suf", code=2)
    assert "suffice cluster" in told.stderr and told.stdout == ""


def test_names_of_models_keep_their_spelling_in_front_of_a_sentence(suffice):
    suffice("fit", "iris.csv", "--target", "species", "--model", "mda", "-o", "m.suf")
    assert suffice("forget", "m.suf", "iris.csv", code=2).stderr.startswith("mixture_discriminant takes ")


def test_a_header_without_rows_is_told_as_such(suffice):
    pathlib.Path("head.csv").write_text("a,b,kind\n")
    assert suffice("fit", "head.csv", "--target", "kind", "-o", "m.suf", code=2).stderr == (
        "head.csv: the file has a header, but no row with a value.\n")


def test_damaged_parquet_by_a_pipe_is_told_as_such(suffice, command):
    told = suffice("fit", "-", "--target", "kind", "-o", "m.suf", code=2, input=b"PAR1\x15\x04\x15\xfe").stderr.decode()
    built_in = list(command.parents[2].glob("libsuffice_arrow.so"))
    assert told.startswith("stdin: the file cannot be read" if built_in else "stdin: Parquet"), told
