"""Text on the command line, held to scikit-learn, SciPy and formulas worked out here."""
import collections
import csv
import io
import json
import math
import re

import pytest

TRAIN = [("space", "the space shuttle left the launch pad"), ("space", "a launch of the shuttle into space"),
         ("space", "orbit orbit and the moon"), ("cars", "the engine of the car"), ("cars", "a fast car a fast engine"),
         ("cars", "drive the car to the shop, drive!")]
TEST = [("space", "the shuttle in orbit"), ("cars", "the fast engine of a shuttle"), ("cars", "the car"),
        ("space", "moon moon car launch")]


def write(path, rows):
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([("topic", "message"), *rows])
    return path


@pytest.fixture
def files(folder):
    return write(folder / "train.csv", TRAIN), write(folder / "test.csv", TEST)


def table(done):
    return list(csv.DictReader(io.StringIO(done.stdout)))


def words(text, shortest=2):
    return [word for word in re.findall(r"\w+", text.lower()) if len(word) >= shortest]


def fitted(suffice, files, *options, model="multinomial_nb"):
    suffice("fit", files[0], "--target", "topic", "--family", "message=" + ("ngrams" if model == "ngram" else "tokens"),
            "--model", model, *options, "-o", "text.suf")


def posteriors_of(suffice, model, files):
    return [[float(row["p(cars)"]), float(row["p(space)"])]
            for row in table(suffice("predict", model, files[1], "--proba"))]


def posteriors(suffice, files):
    return posteriors_of(suffice, "text.suf", files)


@pytest.mark.parametrize("options, vectorizer, model, idf", [
    (["--smoothing", "0.5"], {}, "MultinomialNB", False),
    (["--binary", "--smoothing", "0.5"], {"binary": True}, "MultinomialNB", False),
    (["--ngrams", "1-2", "--smoothing", "0.5"], {"ngram_range": (1, 2)}, "MultinomialNB", False),
    (["--analyzer", "char", "--ngrams", "2-3", "--smoothing", "0.5"],
     {"analyzer": "char", "ngram_range": (2, 3)}, "MultinomialNB", False),
    (["--analyzer", "char_wb", "--ngrams", "2-3", "--smoothing", "0.5"],
     {"analyzer": "char_wb", "ngram_range": (2, 3)}, "MultinomialNB", False),
    (["--stop-words", "the,of,and", "--smoothing", "0.5"], {"stop_words": ["the", "of", "and"]}, "MultinomialNB", False),
    (["--min-df", "2", "--smoothing", "0.5"], {"min_df": 2}, "MultinomialNB", False),
    (["--max-df", "0.5", "--smoothing", "0.5"], {"max_df": 0.5}, "MultinomialNB", False),
    (["--max-features", "4", "--smoothing", "0.5"], {"max_features": 4}, "MultinomialNB", False),
    (["--idf", "--smoothing", "0.5"], {}, "MultinomialNB", True),
    (["--idf", "--smoothing", "0.5"], {}, "ComplementNB", True),
    (["--idf", "--smoothing", "0.5", "--normalize-weights"], {}, "ComplementNB norm", True),
    (["--smoothing", "0.5"], {}, "BernoulliNB", False),
    (["--idf", "--document-norm", "l2", "--smoothing", "0.5"], {}, "MultinomialNB", "l2"),
    (["--idf", "--document-norm", "l2", "--smoothing", "0.5"], {}, "ComplementNB", "l2"),
    (["--idf", "--document-norm", "l2", "--smoothing", "0.5", "--min-df", "2", "--max-df", "0.9"],
     {"min_df": 2, "max_df": 0.9}, "MultinomialNB", "l2"),
    (["--idf", "--document-norm", "l2", "--smoothing", "0.5", "--max-features", "4"], {"max_features": 4},
     "ComplementNB norm", "l2"),
    (["--document-norm", "l2", "--smoothing", "0.5"], {}, "MultinomialNB", "l2 of counts"),
])
def test_every_option_of_text_is_scikit_learns(suffice, files, options, vectorizer, model, idf):
    text, bayes = pytest.importorskip("sklearn.feature_extraction.text"), pytest.importorskip("sklearn.naive_bayes")
    ours = {"MultinomialNB": "multinomial_nb", "BernoulliNB": "bernoulli_nb"}.get(model, "complement_nb")
    fitted(suffice, files, *options, *(["--normalize-weights"] if "norm" in model and "--normalize-weights" not in options else []),
           model=ours)
    counter = text.CountVectorizer(**vectorizer)
    X, Z = counter.fit_transform([t for _, t in TRAIN]), counter.transform([t for _, t in TEST])
    if idf:
        weights = text.TfidfTransformer(norm="l2" if "l2" in str(idf) else None, use_idf=idf != "l2 of counts").fit(X)
        X, Z = weights.transform(X), weights.transform(Z)
    rival = (bayes.ComplementNB(alpha=0.5, norm="norm" in model) if "Complement" in model
             else getattr(bayes, model)(alpha=0.5))
    wanted = rival.fit(X, [label for label, _ in TRAIN]).predict_proba(Z)
    for found, right in zip(posteriors(suffice, files), wanted):
        assert found == pytest.approx(list(right), rel=1e-9)


def test_documents_of_length_one_take_two_passes_and_nothing_is_added_later(suffice, files):
    words = ["fit", files[0], "--target", "topic", "--family", "message=tokens", "--document-norm", "l2", "-o", "one.suf"]
    assert "neither merged nor updated" in suffice(*words, "--model", "multinomial_nb", "--idf").stderr
    for verb in (["merge", "one.suf", "one.suf", "-o", "x.suf"], ["update", "one.suf", files[1]],
                 ["forget", "one.suf", files[0]], ["derive", "one.suf", "--model", "complement_nb", "-o", "x.suf"]):
        assert "fit it again to all documents" in suffice(*verb, code=2).stderr, verb[0]
    assert "densities" in suffice("sample", "one.suf", "-n", 2, code=2).stderr
    assert "a setting of multinomial_nb and complement_nb" in suffice(*words, "--model", "bernoulli_nb", code=2).stderr
    assert "length one" in suffice(*words, "--model", "multinomial_nb", "--unlabeled", "use", code=2).stderr
    explained = json.loads(suffice("explain", "one.suf", files[1], "--json").stdout)[0]
    joint = [explained["intercepts"][c] + sum(explained["contributions"][c].values()) for c in ("cars", "space")]
    share = 1 / (1 + math.exp(joint[1] - joint[0]))
    assert share == pytest.approx(posteriors_of(suffice, "one.suf", files)[0][0], rel=1e-9)


def test_stems_are_counted_together(suffice, files):
    write("train.csv", [*TRAIN, ("space", "shuttles launching")])
    fitted(suffice, ("train.csv",), "--stemmer", "english")
    top = json.loads(suffice("inspect", "text.suf", "--json", "--top", 50).stdout)["columns"][0]["telling_words"]
    counts = {each["word"]: each["count"] for each in top["space"]}
    assert counts["shuttl"] == 3 and counts["launch"] == 3


def test_hashed_words_are_buckets_that_merge_exactly(suffice, files):
    write("one.csv", TRAIN[:4]), write("two.csv", TRAIN[4:] + TEST), write("all.csv", TRAIN + TEST)
    for name in ("one", "two", "all"):
        suffice("fit", f"{name}.csv", "--target", "topic", "--family", "message=tokens", "--model", "multinomial_nb",
                "--hash-features", 3, "-o", f"{name}.suf")
    suffice("merge", "one.suf", "two.suf", "-o", "both.suf")
    both, whole = (json.loads(suffice("inspect", f"{name}.suf", "--json").stdout) for name in ("both", "all"))
    assert both["columns"] == whole["columns"]
    assert whole["columns"][0]["words"] <= 8
    assert re.fullmatch(r"#\d+", whole["columns"][0]["telling_words"]["space"][0]["word"])


@pytest.mark.parametrize("family", ["poisson", "negative_binomial"])
def test_the_length_of_documents_tells_where_asked(suffice, files, family):
    stats = pytest.importorskip("scipy.stats")
    fitted(suffice, files, "--smoothing", "1")
    before = posteriors(suffice, files)
    fitted(suffice, files, "--smoothing", "1", "--document-length", family)
    known = {word for _, text in TRAIN for word in words(text)}
    lengths = {c: [len(words(t)) for label, t in TRAIN if label == c] for c in ("cars", "space")}

    def mass(c, n):
        mean = sum(lengths[c]) / 3
        spread = sum(x * x for x in lengths[c]) / 3 - mean ** 2 - mean
        if family == "negative_binomial" and spread > 0:
            r = mean ** 2 / spread
            return stats.nbinom.pmf(n, r, r / (r + mean))
        return stats.poisson.pmf(n, mean)

    for (_, text), old, new in zip(TEST, before, posteriors(suffice, files)):
        n = sum(word in known for word in words(text))
        joint = [old[0] * mass("cars", n), old[1] * mass("space", n)]
        assert new == pytest.approx([x / sum(joint) for x in joint], rel=1e-9)


def unigrams(smoothing=1.0):
    """p(word | class) with pseudo-counts, by hand."""
    vocabulary = sorted({word for _, text in TRAIN for word in words(text)})
    p = {}
    for c in ("cars", "space"):
        count = collections.Counter(word for label, text in TRAIN if label == c for word in words(text))
        total = sum(count.values()) + smoothing * len(vocabulary)
        p[c] = {word: (count[word] + smoothing) / total for word in vocabulary}
    return p


def test_perplexity_is_that_of_the_words_of_each_class(suffice, files):
    fitted(suffice, files)
    found = json.loads(suffice("evaluate", "text.suf", files[1], "--json").stdout)
    p = unigrams()
    for k, c in enumerate(("cars", "space")):
        known = [word for label, text in TEST if label == c for word in words(text) if word in p[c]]
        bits = -sum(math.log2(p[c][word]) for word in known) / len(known)
        assert found["words"][k] == len(known)
        assert found["cross_entropy"]["per_class"][k] == pytest.approx(bits, rel=1e-12)
        assert found["perplexity"]["per_class"][k] == pytest.approx(2 ** bits, rel=1e-12)
    assert "perplexity" in suffice("evaluate", "text.suf", files[1]).stdout
    fitted(suffice, files, model="complement_nb")
    assert "perplexity" not in json.loads(suffice("evaluate", "text.suf", files[1], "--json").stdout)


def test_inspect_lists_words_by_log_odds_with_their_bits(suffice, files):
    fitted(suffice, files)
    top = json.loads(suffice("inspect", "text.suf", "--json", "--top", 3).stdout)["columns"][0]["telling_words"]
    p = unigrams()
    best = max(p["space"], key=lambda word: (p["space"][word] / p["cars"][word], word))
    first = top["space"][0]
    assert p["space"][first["word"]] / p["cars"][first["word"]] == pytest.approx(p["space"][best] / p["cars"][best])
    assert first["log_odds"] == pytest.approx(math.log(p["space"][best] / p["cars"][best]))
    assert first["bits"] == pytest.approx(-math.log2(p["space"][first["word"]]))


def witten_bell(history, word, c):
    """p(word | one word before, class), interpolated down to the uniform: Witten and Bell 1991."""
    texts = [["<s>", *words(text, 1), "</s>"] for label, text in TRAIN if label == c]
    vocabulary = {word for _, text in TRAIN for word in words(text, 1)}
    p = 1 / (len(vocabulary) + 2)
    after = collections.Counter(word for text in texts for word in text[1:])
    p = (after[word] + len(after) * p) / (sum(after.values()) + len(after))
    after = collections.Counter(b for text in texts for a, b in zip(text, text[1:]) if a == history)
    return (after[word] + len(after) * p) / (sum(after.values()) + len(after)) if after else p


def test_the_next_word_is_that_of_the_language_model(suffice, files):
    fitted(suffice, files, "--order", 2, "--ngram-smoothing", "witten_bell", model="ngram")
    found = table(suffice("predict", "text.suf", "--next", "the", "--class", "cars", "--top", 100))
    for row in found:
        assert float(row["probability"]) == pytest.approx(witten_bell("the", row["word"], "cars"), rel=1e-9)
    assert found[0]["word"] == "car"
    rest = witten_bell("the", "</s>", "cars") + witten_bell("the", "<unseen>", "cars")
    assert sum(float(row["probability"]) for row in found) + rest == pytest.approx(1)
    # Without --class the words so far weigh the classes.
    shares = {c: 0.5 * witten_bell(None, "shuttle", c) for c in ("cars", "space")}
    mixed = sum(shares[c] * witten_bell("shuttle", "left", c) for c in shares) / sum(shares.values())
    found = {row["word"]: float(row["probability"])
             for row in table(suffice("predict", "text.suf", "--next", "Shuttle", "--top", 100))}
    assert found["left"] == pytest.approx(mixed, rel=1e-9)


def test_an_ngram_model_answers_by_its_sequences(suffice, files):
    fitted(suffice, files, "--order", 2, "--ngram-smoothing", "witten_bell", model="ngram")
    for (_, text), found in zip(TEST, posteriors(suffice, files)):
        sequence = ["<s>", *words(text, 1), "</s>"]
        joint = [math.prod(witten_bell(a, b, c) for a, b in zip(sequence, sequence[1:])) for c in ("cars", "space")]
        assert found == pytest.approx([x / sum(joint) for x in joint], rel=1e-9)
    explained = json.loads(suffice("explain", "text.suf", files[1], "--json").stdout)
    sequence = ["<s>", *words(TEST[0][1], 1), "</s>"]
    whole = math.log(0.5) + sum(math.log(witten_bell(a, b, "cars")) for a, b in zip(sequence, sequence[1:]))
    assert explained[0]["intercepts"]["cars"] + sum(explained[0]["contributions"]["cars"].values()) == pytest.approx(whole)


def test_ngram_models_merge_and_forget_exactly(suffice, files):
    write("one.csv", TRAIN[:4]), write("two.csv", TRAIN[4:] + TEST), write("all.csv", TRAIN + TEST)
    for name in ("one", "two", "all"):
        suffice("fit", f"{name}.csv", "--target", "topic", "--model", "ngram", "--family", "message=ngrams", "-o",
                f"{name}.suf")
    suffice("merge", "one.suf", "two.suf", "-o", "both.suf")
    suffice("forget", "all.suf", "two.csv", "-o", "rest.suf")
    show = lambda name: json.loads(suffice("inspect", name, "--json").stdout)
    for left, right in (("both.suf", "all.suf"), ("rest.suf", "one.suf")):
        assert show(left)["log_likelihood"] == pytest.approx(show(right)["log_likelihood"], rel=1e-12)
        assert show(left)["columns"] == show(right)["columns"]


@pytest.mark.parametrize("model, options", [("ngram", ["--order", 3]), ("multinomial_nb", [])])
def test_documents_are_drawn_from_the_words_of_a_class(suffice, files, model, options):
    fitted(suffice, files, *options, model=model)
    drawn = table(suffice("sample", "text.suf", "-n", 200, "--class", "space", "--seed", 4))
    assert len(drawn) == 200 and {row["topic"] for row in drawn} == {"space"}
    shortest = 1 if model == "ngram" else 2
    vocabulary = {word for _, text in TRAIN for word in words(text, shortest)}
    seen = collections.Counter(word for row in drawn for word in words(row["message"], shortest))
    assert set(seen) <= vocabulary
    p = unigrams()
    if model == "multinomial_nb":  # each word as often as its probability says: five standard errors
        n = sum(seen.values())
        for word, share in p["space"].items():
            assert abs(seen[word] / n - share) < 5 * math.sqrt(share / n)


def test_a_query_ranks_documents_by_its_likelihood(suffice, files):
    fitted(suffice, files)
    every = [word for _, text in TRAIN for word in words(text)]
    share = {word: every.count(word) / len(every) for word in ("shuttle", "car")}

    def score(text, smoothing, amount):
        own = words(text)
        own = [word for word in own if word in set(every)]
        total = 0
        for word, overall in share.items():
            n = own.count(word)
            total += math.log((n + amount * overall) / (len(own) + amount) if smoothing == "dirichlet"
                              else (1 - amount) * n / len(own) + amount * overall)
        return total

    for smoothing, amount in (("dirichlet", 2000), ("dirichlet", 5), ("jelinek_mercer", 0.3)):
        found = table(suffice("predict", "text.suf", files[1], "--query", "Shuttle car!", "--query-smoothing",
                              f"{smoothing}({amount})"))
        wanted = sorted(((score(text, smoothing, amount), -k) for k, (_, text) in enumerate(TEST, 1)), reverse=True)
        assert [int(row["row"]) for row in found] == [-k for _, k in wanted]
        for row, (value, _) in zip(found, wanted):
            assert float(row["log_likelihood"]) == pytest.approx(value, rel=1e-12)
    assert "No word of the query" in suffice("predict", "text.suf", files[1], "--query", "zeppelin", code=2).stderr


def test_explain_colours_the_words_that_decided(suffice, files):
    fitted(suffice, files)
    plain = suffice("explain", "text.suf", files[1]).stdout
    assert "\x1b" not in plain  # not a terminal
    coloured = suffice("explain", "text.suf", files[1], "--color", "always").stdout
    assert re.search("\x1b\\[32m(shuttle|orbit)\x1b\\[0m", coloured)
    assert re.sub("\x1b\\[[0-9]*m", "", coloured).count("the shuttle in orbit") == 1


def test_bad_wishes_are_told_in_one_sentence(suffice, files):
    def refused(*options, model="multinomial_nb", family="tokens"):
        return suffice("fit", files[0], "--target", "topic", "--family", f"message={family}", "--model", model, *options,
                       "-o", "x.suf", code=2).stderr
    assert "--order takes" in refused("--order", 6, model="ngram", family="ngrams")
    assert " order" in refused("--ngrams", 2, model="ngram", family="ngrams")
    assert "idf" in refused("--idf", model="bernoulli_nb")
    assert "length of documents" in refused("--document-length", "poisson", model="complement_nb")
    assert "--hash-features takes" in refused("--hash-features", -1)
    write("numbers.csv", [("a", "1"), ("b", "2"), ("a", "3")])
    assert "--family" in suffice("fit", "numbers.csv", "--target", "topic", "--model", "ngram", "-o", "x.suf", code=2).stderr
    fitted(suffice, files)
    assert "order" in suffice("derive", "text.suf", "--model", "ngram", "-o", "x.suf", code=2).stderr


def test_a_class_without_words_and_rows_without_labels_are_defined(suffice, folder):
    write("train.csv", [*TRAIN, ("silent", "!!! ... ???"), ("", "no label here at all")])
    done = suffice("fit", "train.csv", "--target", "topic", "--model", "multinomial_nb", "-o", "m.suf")
    assert "1 rows without a class were skipped" in done.stderr
    write("test.csv", [("", "car"), ("", "orbit")])
    found = table(suffice("predict", "m.suf", "test.csv", "--proba"))
    vocabulary = {word for _, text in TRAIN for word in words(text)}
    p = {**{c: q["car"] for c, q in unigrams().items()}, "silent": 1 / len(vocabulary)}
    joint = {c: p[c] * (1 if c == "silent" else 3) for c in p}
    for c, value in joint.items():
        assert float(found[0][f"p({c})"]) == pytest.approx(value / sum(joint.values()), rel=1e-9)


def test_too_many_words_in_too_many_classes_need_a_bound(suffice, folder):
    rows = [(f"c{k}", " ".join(f"w{k}x{j}" for j in range(60))) for k in range(3000)]  # a table of 4.3 GB
    write("train.csv", rows)
    words = ["fit", "train.csv", "--target", "topic", "--model", "multinomial_nb", "-q", "-o", "m.suf"]
    assert "--max-features" in suffice(*words, code=2).stderr
    suffice(*words, "--max-features", 1000)


def test_perplexity_falls_with_the_order_on_text_held_out(suffice, shared):
    lines = (shared("smsspam/SMSSpamCollection")).read_text(encoding="utf-8").splitlines()
    rows = [tuple(line.split("\t", 1)) for line in lines if "\t" in line]
    write("train.csv", [row for k, row in enumerate(rows) if k % 5]), write("test.csv", rows[::5])
    perplexity = []
    for order in range(1, 6):
        suffice("fit", "train.csv", "--target", "topic", "--model", "ngram", "--order", order, "-o", "m.suf")
        found = json.loads(suffice("evaluate", "m.suf", "test.csv", "--json").stdout)
        perplexity.append(found["perplexity"]["all"])
        assert found["accuracy"] > 0.97
    assert all(after < before for before, after in zip(perplexity, perplexity[1:])), perplexity


@pytest.mark.parametrize("weight", [1.0, 0.3])
def test_documents_without_a_class_take_part_by_em(suffice, folder, weight):
    rows = [("cars", "red car"), ("space", "blue moon"), ("", "car engine"), ("", "engine road"), ("", "moon orbit"),
            ("", "orbit launch")]
    asked = ["road", "launch"]  # in no document that has a class
    files = write(folder / "few.csv", rows), write(folder / "asked.csv", [("", word) for word in asked])
    fitted(suffice, files, "--unlabeled", "use", "--unlabeled-weight", weight)
    text, bayes = pytest.importorskip("sklearn.feature_extraction.text"), pytest.importorskip("sklearn.naive_bayes")
    counts = text.CountVectorizer()
    X = counts.fit_transform([document for _, document in rows])
    order, classes = [k for k in range(len(rows)) for _ in range(2)], [0, 1] * len(rows)
    model = bayes.MultinomialNB().fit(X[:2], [0, 1])
    for _ in range(500):  # Nigam et al. (2000): each document in both classes, by its shares
        shares = [1, 0, 0, 1, *(weight * model.predict_proba(X[2:])).ravel()]
        model = bayes.MultinomialNB().fit(X[order], classes, shares)
    for found, right in zip(posteriors(suffice, files), model.predict_proba(counts.transform(asked))):
        assert found == pytest.approx(list(right), abs=2e-4)
    assert "--unlabeled use" in suffice("fit", files[0], "--target", "topic", "--unlabeled-weight", 0.5, code=2).stderr
