"""The default fit, `--model auto` and simple baselines on small tables as people bring them: ten-fold accuracy and log loss.

usage: bench/defaults/table.py [--auto] [--write] [--keep FOLDER] [TABLE...]
--write renews the table in docs/guide/defaults.md, --auto has `--model auto` in it too; --keep FOLDER goes on where an earlier run with that folder stopped.
A star: right in fewer rows than GaussianNB (auto: than any of the three) by more than two standard errors of the difference on the same rows.
"""
import csv
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import warnings

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT.parent / "shared" / "data"
PAGE = ROOT / "docs" / "guide" / "defaults.md"
# name: file, the column of the class (from zero, from the end below it), the delimiter, has a header
TABLES = {
    "wdbc": ("ugly/wdbc.data", 1, ",", False), "breastw": ("ugly/breast-cancer-wisconsin.data", -1, ",", False),
    "dermatology": ("ugly/dermatology.data", -1, ",", False), "zoo": ("ugly/zoo.data", -1, ",", False),
    "hepatitis": ("ugly/hepatitis.data", 0, ",", False), "soybean": ("ugly/soybean-large.data", 0, ",", False),
    "yeast": ("ugly/yeast.data", -1, None, False), "crx": ("ugly/crx.data", -1, ",", False),
    "thyroid": ("ugly/thyroid_mclust.csv", 0, ",", True), "diabetes": ("ugly/diabetes.csv", 0, ",", True),
    "iris": ("iris/iris.data", -1, ",", False), "glass": ("glass/glass.data", -1, ",", False),
    "wine": ("wine/wine.csv", 0, ",", False), "pima": ("pima/pima-indians-diabetes.data", -1, ",", False),
    "saheart": ("saheart/SAheart.data", -1, ",", True), "titanic": ("titanic/titanic_train.csv", 1, ",", True),
    "penguins": ("penguins/penguins.csv", 0, ",", True), "crabs": ("crabs/crabs.csv", 0, ",", True),
    "votes": ("votes/house-votes-84.data", 0, ",", False), "car": ("car/car.data", -1, ",", False),
    "vowel": ("vowel/vowel.train", 1, ",", True), "redwine": ("wine/winequality-red.csv", -1, ",", False),
    "mixture": ("esl_mixture/mixture_train.csv", -1, ",", True), "synth": ("synth/synth_tr.csv", -1, ",", True),
    "adult": ("adult/adult.data", -1, ",", False), "mushroom": ("mushroom/agaricus-lepiota.data", 0, ",", False),
    "electricity": ("electricity/electricity_openml.csv", -1, ",", True), "magic": ("magic04/magic04.data", -1, ",", False),
    "spambase": ("spambase/spambase.data", -1, ",", False), "letter": ("letter/letter-recognition.data", 0, ",", False),
    "pendigits": ("pendigits/pendigits.train.data", -1, ",", False), "optdigits": ("optdigits/optdigits.train.data", -1, ",", False),
    "covertype": ("covertype/covtype.20k.data", -1, ",", False),
}
TABLES["tictactoe"] = (None, -1, ",", False)  # made here: every board at the end of a game, and whether x has won
MOST_ROWS = 1500  # of larger tables so many are drawn
FOLDS = 10
COMMAND = os.environ.get("SUFFICE", ROOT / "build" / "suffice")


def ends_of_games():
    """The 958 boards of tic-tac-toe at the end of a game that x began, and whether x has won (Aha 1991)."""
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    found = {}

    def play(board, turn):
        won = [board[a] for a, b, c in lines if board[a] != "b" and board[a] == board[b] == board[c]]
        if won or "b" not in board:
            found[board] = "positive" if won[:1] == ["x"] else "negative"
            return
        for k in range(9):
            if board[k] == "b":
                play(board[:k] + turn + board[k + 1:], "o" if turn == "x" else "x")
    play("b" * 9, "x")
    return [[*board, found[board]] for board in sorted(found)]


def is_there(name):
    return TABLES[name][0] is None or (DATA / TABLES[name][0]).exists()


def rows_of(name):
    file, target, delimiter, header = TABLES[name]
    if file is None:
        cells = ends_of_games()
        return [f"c{k + 1}" for k in range(9)], [row[:-1] for row in cells], [row[-1] for row in cells]
    lines = [line for line in (DATA / file).read_text().splitlines() if line.strip()]
    cells = [line.split() for line in lines] if delimiter is None else list(csv.reader(lines, delimiter=delimiter))
    cells = [[cell.strip() for cell in row] for row in cells]
    names = cells.pop(0) if header else [f"c{k + 1}" for k in range(len(cells[0]))]
    target %= len(names)
    if len(cells) > 2 * MOST_ROWS:
        chosen = np.sort(np.random.default_rng(0).permutation(len(cells))[:MOST_ROWS])
        cells = [cells[k] for k in chosen]
    order = [k for k in range(len(names)) if k != target]
    return [names[k] for k in order], [[row[k] for k in order] for row in cells], [row[target] for row in cells]


def folds_of(labels):
    """Stratified, shuffled by a fixed seed."""
    fold = np.zeros(len(labels), dtype=int)
    generator = np.random.default_rng(0)
    for label in sorted(set(labels)):
        which = generator.permutation([i for i, each in enumerate(labels) if each == label])
        fold[which] = (np.arange(len(which)) + generator.integers(FOLDS)) % FOLDS
    return fold


def ours(names, rows, labels, fold, options):
    """Accuracy and log loss, and which rows were right."""
    right, loss = np.zeros(len(labels), dtype=bool), 0.0
    with tempfile.TemporaryDirectory() as folder:
        def write(path, which):
            with open(path, "w", newline="") as file:
                writer = csv.writer(file)
                writer.writerow([*names, "class"])
                writer.writerows([*rows[i], labels[i]] for i in which)
        for f in range(FOLDS):
            train, test, model = (str(pathlib.Path(folder) / end) for end in ("train.csv", "test.csv", "model.suf"))
            write(train, np.flatnonzero(fold != f))
            held = np.flatnonzero(fold == f)
            write(test, held)
            subprocess.run([COMMAND, "fit", train, "--target", "class", "-q", "-o", model, *options], check=True,
                           capture_output=True)
            told = subprocess.run([COMMAND, "predict", model, test, "--proba"], check=True, capture_output=True, text=True)
            for i, row in zip(held, csv.DictReader(io.StringIO(told.stdout))):
                right[i] = row["prediction"] == labels[i]
                loss -= np.log(max(float(row.get(f"p({labels[i]})", 0) or 0), 2.0 ** -52))
    return right.mean(), loss / len(labels), right


def baselines(names, rows, labels, fold):
    """Scaled, one-hot and imputed, as one does by hand."""
    from sklearn.compose import ColumnTransformer
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    def number(cell):
        try:
            return float(cell)
        except ValueError:
            return np.nan
    X = np.array([[np.nan if cell in ("?", "NA", "") else cell for cell in row] for row in rows], dtype=object)
    numeric = [k for k in range(len(names)) if all(isinstance(c, float) or not np.isnan(number(c)) for c in X[:, k])]
    words = [k for k in range(len(names)) if k not in numeric and len({c for c in X[:, k]}) < 0.9 * len(X)]
    table = np.empty(X.shape, dtype=object)
    for k in range(len(names)):
        table[:, k] = [number(c) for c in X[:, k]] if k in numeric else ["?" if isinstance(c, float) else c for c in X[:, k]]
    y = np.array(labels)
    answers = {}
    for name, model in (("GaussianNB", GaussianNB()), ("LDA", LinearDiscriminantAnalysis()), ("logistic", LogisticRegression(max_iter=2000))):
        right, loss = np.zeros(len(y), dtype=bool), 0.0
        for f in range(FOLDS):
            ready = ColumnTransformer([("n", make_pipeline(SimpleImputer(), StandardScaler()), numeric),
                                       ("w", OneHotEncoder(handle_unknown="ignore", sparse_output=False), words)])
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                fitted = make_pipeline(ready, model).fit(table[fold != f], y[fold != f])
                p = fitted.predict_proba(table[fold == f])
            truth = np.array([{c: k for k, c in enumerate(fitted.classes_)}.get(c, -1) for c in y[fold == f]])
            right[fold == f] = p.argmax(1) == truth
            loss -= np.log(np.maximum(np.where(truth >= 0, p[np.arange(len(p)), truth], 0), 2.0 ** -52)).sum()
        answers[name] = (right.mean(), loss / len(y), right)
    return answers


def is_behind(ours, theirs, margin=0):
    """Right less often, by more than the margin and two standard errors of the difference on the same rows."""
    difference = theirs[2].astype(float) - ours[2]
    return difference.mean() > margin + 2 * difference.std() / np.sqrt(len(difference))


def answers_of(name, auto, folder):
    names, rows, labels = rows_of(name)
    fold = folds_of(labels)
    kept = pathlib.Path(folder) / f"{name}.json" if folder else None
    got = {who: (a, b, np.array(right, dtype=bool)) for who, (a, b, right) in json.loads(kept.read_text()).items()} if kept and kept.exists() else {}
    ways = {"default": [], **({"--model auto": ["--model", "auto"]} if auto else {})}
    for who, options in ways.items():
        if who not in got:
            got[who] = ours(names, rows, labels, fold, options)
    if "GaussianNB" not in got:
        got |= baselines(names, rows, labels, fold)
    if kept:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps({who: (a, b, right.astype(int).tolist()) for who, (a, b, right) in got.items()}))
    return {who: got[who] for who in (*ways, "GaussianNB", "LDA", "logistic")}


def main(arguments):
    folder = arguments.pop(arguments.index("--keep") + 1) if "--keep" in arguments else None
    chosen = [each for each in arguments if not each.startswith("--")] or [name for name in TABLES if is_there(name)]
    lines, heads, means = [], None, []
    for name in chosen:
        got = answers_of(name, "--auto" in arguments, folder)
        heads = list(got)
        behind = {"default": is_behind(got["default"], got["GaussianNB"])}
        if "--auto" in arguments:
            behind["--model auto"] = any(is_behind(got["--model auto"], got[each]) for each in ("GaussianNB", "LDA", "logistic"))
        lines.append(f"| {name} | " + " | ".join(f"{a:.3f} / {b:.2f}{' *' if behind.get(who) else ''}" for who, (a, b, _) in got.items()) + " |")
        print(lines[-1], flush=True)
        means.append([answer[:2] for answer in got.values()])
    lines.append("| mean | " + " | ".join(f"{a:.3f} / {b:.2f}" for a, b in np.mean(means, axis=0)) + " |")
    print(lines[-1])
    table = "\n".join(["| table | " + " | ".join(heads) + " |", "|---" * (len(heads) + 1) + "|", *lines])
    if "--write" in arguments:
        before, _, rest = PAGE.read_text().partition("<!-- table -->\n")
        PAGE.write_text(before + "<!-- table -->\n" + table + "\n<!-- end -->" + rest.partition("<!-- end -->")[2])


if __name__ == "__main__":
    main(sys.argv[1:])
