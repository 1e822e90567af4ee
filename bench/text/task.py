"""20 Newsgroups by date from raw text to a fitted multinomial model and to posteriors: ours beside scikit-learn.

The archive is 20newsgroups/20news-bydate.tar.xz in SUFFICE_DATA (else ../shared/data beside the source). From memory
both sides get the same strings; from a folder of files both read it, and ours pays for starting and for writing its model.
"""
import json
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile

import numpy
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB

from bench.contest import Entry, contest

ROOT = pathlib.Path(__file__).resolve().parents[2]
ARCHIVE = pathlib.Path(os.environ.get("SUFFICE_DATA", ROOT.parent / "shared/data")) / "20newsgroups/20news-bydate.tar.xz"
COMMAND = pathlib.Path(os.environ.get("SUFFICE", ROOT / "build" / "suffice"))


def documents(folder: pathlib.Path) -> tuple[list[str], list[str]]:
    paths = sorted(folder.glob("*/*"))
    return [path.read_bytes().decode("latin-1") for path in paths], [path.parent.name for path in paths]


def learn(text: list[str], labels: list[str]) -> tuple[CountVectorizer, MultinomialNB]:
    vectorizer = CountVectorizer()
    return vectorizer, MultinomialNB(alpha=0.01).fit(vectorizer.fit_transform(text), labels)


def same_accuracy(folder: pathlib.Path, rival: tuple[CountVectorizer, MultinomialNB]) -> bool:
    test = folder / "20news-bydate-test"
    told = subprocess.run([COMMAND, "evaluate", folder / "model.suf", test, "--encoding", "latin-1", "--json"], check=True,
                          capture_output=True, text=True).stdout
    text, truth = documents(test)
    return abs(json.loads(told)["accuracy"] - numpy.mean(rival[1].predict(rival[0].transform(text)) == truth)) < 1e-12


def from_memory(folder: pathlib.Path, repeats: int) -> list[Entry]:
    build = ROOT / "build/release"
    subprocess.run(["cmake", "--preset", "release"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", build, "--target", "text_bench"], check=True, stdout=subprocess.DEVNULL)
    for part in ("train", "test"):
        subprocess.run([sys.executable, ROOT / "bench/text/prepare.py", folder / f"20news-bydate-{part}", folder / part],
                       check=True)
    threads = os.environ.get("SUFFICE_THREADS", str(len(os.sched_getaffinity(0))))
    printed = subprocess.run([build / "text_bench", folder / "train", folder / "test", threads, str(repeats)], check=True,
                             capture_output=True, text=True).stdout.splitlines()
    times = {line.split()[0]: float(line.split()[1]) for line in printed[1:]}
    ours = {"fit": times["fit"], "classify": times["classify"]}
    (train, labels), (test, truth) = documents(folder / "20news-bydate-train"), documents(folder / "20news-bydate-test")
    vectorizer, model = learn(train, labels)
    answer = dict(zip(printed[0].split()[::2], printed[0].split()[1::2]))
    accuracy = numpy.mean(model.predict(vectorizer.transform(test)) == truth)
    if answer["vocabulary"] != str(len(vectorizer.vocabulary_)) or answer["accuracy"] != f"{accuracy:.4f}":
        raise SystemExit(f"text: ours answers {printed[0]}, scikit-learn {len(vectorizer.vocabulary_)} and {accuracy:.4f}")
    entries = []
    for case, rival in (("fit", lambda: learn(train, labels)),
                        ("classify", lambda: model.predict_log_proba(vectorizer.transform(test)))):
        title = f"20 Newsgroups in memory, {case}"
        entries.append(Entry("text", title, "suffice (C++)", ours[case], 0, repeats, f"best of {repeats}; {printed[0]}"))
        entries += contest("text", title, {"scikit-learn": rival}, budget_seconds=1)
    return entries


def run(quick: bool) -> list[Entry]:
    if not ARCHIVE.exists():
        return [Entry("text", "20 Newsgroups", "suffice", float("nan"), 0, 0, f"{ARCHIVE.name} is not there")]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        with tarfile.open(ARCHIVE) as archive:
            archive.extractall(folder, filter="data")
        if quick:  # a fifth of the documents
            for number, path in enumerate(sorted(folder.glob("*/*/*"))):
                if number % 5:
                    path.unlink()
        entries = from_memory(folder, 5 if quick else 20)
        train = folder / "20news-bydate-train"
        command = [COMMAND, "fit", train, "--model", "multinomial_nb", "--smoothing", "0.01", "--encoding", "latin-1", "-q",
                   "-o", folder / "model.suf"]
        entries += contest("text", "20 Newsgroups, folder of files to a model", {
            "suffice fit": lambda: subprocess.run(command, check=True), "scikit-learn": lambda: learn(*documents(train))},
            agree=lambda _, rival: isinstance(rival, subprocess.CompletedProcess) or same_accuracy(folder, rival),
            budget_seconds=1 if quick else 5)
    return entries
