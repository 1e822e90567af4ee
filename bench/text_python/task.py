"""20 Newsgroups from a list of strings through Python: matrices, models and posteriors, ours beside scikit-learn's."""
import os
import pathlib
import tarfile

import numpy
import sklearn.feature_extraction.text as theirs
import sklearn.naive_bayes

import suffice
from bench.contest import Entry, contest

FOLDER = pathlib.Path(os.environ.get("SUFFICE_DATA") or pathlib.Path(__file__).parents[3] / "shared" / "data")


def newsgroups(part: str) -> tuple[list[str], numpy.ndarray]:
    found = {}
    with tarfile.open(FOLDER / "20newsgroups" / "20news-bydate.tar.xz") as archive:
        for member in archive:
            if member.isfile() and f"-{part}/" in member.name:
                file = archive.extractfile(member)
                assert file is not None
                found[member.name] = file.read().decode("latin-1")
    return [found[name] for name in sorted(found)], numpy.array([name.split("/")[-2] for name in sorted(found)])


def same_matrix(ours, rival) -> bool:
    return ours.shape == rival.shape and abs(ours - rival).max() < 1e-12


def close(ours: numpy.ndarray, rival: numpy.ndarray) -> bool:
    return bool(numpy.abs(ours - rival).max() < 1e-9)


def run(quick: bool) -> list[Entry]:
    if not (FOLDER / "20newsgroups").is_dir():
        return [Entry("text_python", "20 Newsgroups", "suffice", float("nan"), 0, 0, "the data are not there")]
    share = 5 if quick else 1
    documents, labels = (part[::share] for part in newsgroups("train"))
    others = newsgroups("test")[0][::share]
    budget = 1.0 if quick else 8.0
    size = f"{sum(map(len, documents)) / 1e6:.3g} MB"
    entries: list[Entry] = []
    for name in ("CountVectorizer", "TfidfVectorizer", "HashingVectorizer"):
        ours, rival = getattr(suffice, name), getattr(theirs, name)
        entries += contest("text_python", f"{name}.fit_transform {size}", {
            "suffice": lambda: ours().fit_transform(documents),
            "scikit-learn": lambda: rival().fit_transform(documents)}, agree=same_matrix, budget_seconds=budget)

    def fit_ours():
        return suffice.TextClassifier(smoothing=0.01).fit(documents, labels)

    def fit_theirs():
        counts = theirs.CountVectorizer()
        model = sklearn.naive_bayes.MultinomialNB(alpha=0.01).fit(counts.fit_transform(documents), labels)
        return counts, model

    entries += contest("text_python", f"multinomial fit {size}", {"suffice": fit_ours, "scikit-learn": fit_theirs},
                       budget_seconds=budget)
    model, (counts, rival_model) = fit_ours(), fit_theirs()
    entries += contest("text_python", f"multinomial predict_proba {sum(map(len, others)) / 1e6:.3g} MB", {
        "suffice": lambda: model.predict_proba(others),
        "scikit-learn": lambda: rival_model.predict_proba(counts.transform(others))},
        agree=close, budget_seconds=budget)
    return entries
