"""20 Newsgroups from a list of strings through Python: matrices, models and posteriors, ours beside scikit-learn's."""
import tarfile

import numpy

from bench.contest import Entry, absent, contest, entrants
from bench.places import DATA
from bench.text.task import with_rate


def newsgroups(part: str) -> tuple[list[str], numpy.ndarray]:
    found = {}
    with tarfile.open(DATA / "20newsgroups" / "20news-bydate.tar.xz") as archive:
        for member in archive:
            if member.isfile() and f"-{part}/" in member.name:
                file = archive.extractfile(member)
                assert file is not None
                found[member.name] = file.read().decode("latin-1")
    return [found[name] for name in sorted(found)], numpy.array([name.split("/")[-2] for name in sorted(found)])


def same_matrix(ours, rival) -> bool:  # type: ignore[no-untyped-def]
    return ours.shape == rival.shape and abs(ours - rival).max() < 1e-12


def close(ours: numpy.ndarray, rival: numpy.ndarray) -> bool:
    return bool(numpy.abs(ours - rival).max() < 1e-9)


def run(quick: bool) -> list[Entry]:
    if not (DATA / "20newsgroups").is_dir():
        return [absent("text_python", "20 Newsgroups", "suffice", "the data are not there")]
    share = 5 if quick else 1
    documents, labels = (part[::share] for part in newsgroups("train"))
    others = newsgroups("test")[0][::share]
    budget = 0.3 if quick else 3.0
    size, other_size = (sum(map(len, each)) for each in (documents, others))
    everyone = entrants("text_python")
    entries: list[Entry] = []
    for name in ("CountVectorizer", "TfidfVectorizer", "HashingVectorizer"):
        entries += contest("text_python", f"{name}.fit_transform {size / 1e6:.3g} MB", {
            who: module and (lambda module=module: module.vectorizer(name).fit_transform(documents)) for who, module in everyone.items()},
            same_matrix, budget, bytes=size)
    models = {who: module.fit(documents, labels) for who, module in everyone.items() if module}
    entries += contest("text_python", f"multinomial fit {size / 1e6:.3g} MB", {
        who: module and (lambda module=module: module.fit(documents, labels)) for who, module in everyone.items()},
        lambda ours, rival: close(ours.predict_proba(others[:500]), rival.predict_proba(others[:500])), budget, bytes=size)
    entries += contest("text_python", f"multinomial predict_proba {other_size / 1e6:.3g} MB", {
        who: (lambda who=who: everyone[who].posteriors(models[who], others)) for who in models}, close, budget, bytes=other_size)
    return with_rate(entries)
