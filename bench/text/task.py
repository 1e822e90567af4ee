"""20 Newsgroups by date from raw text to a fitted multinomial model and to posteriors: ours beside scikit-learn.

From memory both sides get the same strings; from a folder of files both read it, and ours pays for starting and for writing
its model.
"""
import pathlib
import tarfile
import tempfile

from bench.contest import Entry, absent, contest, entrants
from bench.places import DATA

ARCHIVE = DATA / "20newsgroups" / "20news-bydate.tar.xz"


def with_rate(entries: list[Entry]) -> list[Entry]:
    for entry in entries:
        entry.note = entry.note or f"{entry.bytes / entry.seconds / 1e6:.3g} MB/s"
    return entries


def from_memory(folder: pathlib.Path, quick: bool) -> list[Entry]:
    everyone = entrants("text")
    ours, rival = everyone["suffice (C++)"], everyone["scikit-learn"]
    times, vocabulary, accuracy = ours.measured(folder, 5 if quick else 20)
    (train, labels), (test, _) = (rival.documents(folder / f"20news-bydate-{part}") for part in ("train", "test"))
    model = rival.learn(train, labels)
    theirs = rival.accuracy(model, folder / "20news-bydate-test")
    if vocabulary != len(model[0].vocabulary_) or abs(accuracy - theirs) > 1e-4:
        raise SystemExit(f"text: ours finds {vocabulary} words and {accuracy}, scikit-learn {len(model[0].vocabulary_)} and {theirs:.4f}")
    entries = []
    for case, text, work in (("fit", train, lambda: rival.learn(train, labels)), ("classify", test, lambda: rival.classify(model, test))):
        title, size = f"20 Newsgroups in memory, {case}", sum(map(len, text))
        mine = Entry("text", title, ours.NAME, times[case], repetitions=5 if quick else 20, bytes=size)
        mine.note = f"{size / mine.seconds / 1e6:.3g} MB/s; the least"
        entries += [mine, *with_rate(contest("text", title, {rival.NAME: work}, budget_seconds=0.3 if quick else 1.0, bytes=size))]
    for script, (seconds, size) in ours.in_scripts(folder, 3 if quick else 10).items():
        entries.append(Entry("text", f"20 Newsgroups in {script} letters, fit, one core", ours.NAME, seconds,
                             repetitions=3 if quick else 10, bytes=size, note=f"{size / seconds / 1e6:.3g} MB/s; the least"))
    return entries


def run(quick: bool) -> list[Entry]:
    if not ARCHIVE.exists():
        return [absent("text", "20 Newsgroups", "suffice", f"{ARCHIVE.name} is not there")]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        with tarfile.open(ARCHIVE) as archive:
            archive.extractall(folder, filter="data")
        if quick:  # a fifth of the documents
            for number, path in enumerate(sorted(folder.glob("*/*/*"))):
                if number % 5:
                    path.unlink()
        train, test = folder / "20news-bydate-train", folder / "20news-bydate-test"
        readers = {who: module for who, module in entrants("text").items() if hasattr(module, "fit")}
        ours, theirs = readers.values()
        size = sum(path.stat().st_size for path in train.glob("*/*"))
        entries = from_memory(folder, quick)
        entries += with_rate(contest(
            "text", "20 Newsgroups, folder of files to a model",
            {who: (lambda module=module: module.fit(train)) for who, module in readers.items()},
            lambda mine, rival: abs(ours.accuracy(mine, test) - theirs.accuracy(rival, test)) < 1e-12, 0.3 if quick else 3.0, bytes=size))
    return entries
