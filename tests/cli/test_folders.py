"""Folders with one document in a file and one class in a folder: empty, malformed and binary ones, and a published corpus."""
import csv
import json
import tarfile

import pytest


def test_documents_without_words_leave_the_decision_to_the_prior(suffice, folder):
    for path, text in (("mail/ham/1", "see you at noon"), ("mail/ham/2", ""), ("mail/ham/3", "the and of"),
                       ("mail/spam/1", "win a prize")):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    suffice("fit", "mail", "--model", "multinomial_nb", "--stop-words", "english", "-o", "m.suf")
    for path, text in (("new/ham/1", ""), ("new/spam/1", "the of and"), ("new/spam/2", "\0\x01\x02 \xff\xfe")):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text.encode("latin-1"))
    done = suffice("predict", "m.suf", "new", "--proba")
    assert [float(row["p(ham)"]) for row in csv.DictReader(done.stdout.splitlines())] == pytest.approx([0.75] * 3)
    assert done.stderr.count("no word that the model knows") == 1 and "3 texts" in done.stderr


def test_malformed_bytes_are_replaced_and_counted(suffice, folder):
    for path, text in (("mail/ham/1", b"caf\xe9 \xff\xfe noon"), ("mail/spam/1", b"win a prize")):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text)
    words = ["fit", "mail", "--model", "multinomial_nb", "-o", "m.suf"]
    assert "3 malformed pieces of UTF-8" in suffice(*words).stderr
    assert "malformed" not in suffice(*words, "--encoding", "latin-1").stderr


def test_binary_files_and_a_very_long_line_are_documents_like_others(suffice, folder):
    (folder / "d" / "a").mkdir(parents=True), (folder / "d" / "b").mkdir(parents=True)
    (folder / "d" / "a" / "1").write_bytes(bytes(range(256)) * 64)
    (folder / "d" / "a" / "2").write_bytes(b"alpha " * 2_000_000)  # 12 MB without a line end
    (folder / "d" / "b" / "1").write_bytes(b"beta")
    suffice("fit", "d", "--model", "multinomial_nb", "-o", "m.suf")
    top = json.loads(suffice("inspect", "m.suf", "--json", "--top", 3).stdout)["columns"][0]["telling_words"]
    assert {"word": "alpha", "count": 2_000_000} == {key: top["a"][0][key] for key in ("word", "count")}


def test_enron_1_has_the_accuracies_of_scikit_learn(suffice, shared, folder):
    with tarfile.open(shared("enron1/enron1.tar.gz")) as archive:
        archive.extractall(folder, filter="data")
    for k, path in enumerate(sorted((folder / "enron1").glob("*/*"))):
        if k % 2:  # held out
            (folder / "rest" / path.parent.name).mkdir(parents=True, exist_ok=True)
            path.rename(folder / "rest" / path.parent.name / path.name)
    suffice("fit", "enron1", "--encoding", "latin-1", "--model", "multinomial_nb", "-o", "multinomial_nb.suf")
    assert json.loads(suffice("inspect", "multinomial_nb.suf", "--json").stdout)["columns"][0]["words"] == 33398
    for model, smoothing, wanted in (("multinomial_nb", 1, .975638), ("multinomial_nb", .1, .977958),
                                     ("complement_nb", 1, .977185), ("bernoulli_nb", 1, .817865)):
        suffice("derive", "multinomial_nb.suf", "--model", model, "--smoothing", smoothing, "-o", "m.suf")
        found = json.loads(suffice("evaluate", "m.suf", "rest", "--encoding", "latin-1", "--json").stdout)
        assert found["accuracy"] == pytest.approx(wanted, abs=1e-6), model
