"""Our vectorizers against scikit-learn's on the same documents."""
import copy
import os
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest
from sklearn.feature_extraction import text as theirs

import suffice

# Combining marks, dotted and dotless i, sharp s, final sigma, CJK, emoji, digits of other scripts, NUL, odd spaces.
TORTURE = [
    "", " ", "a", "ab", "İstanbul IŞIK ıı iI", "Straße STRASSE ẞß", "ΟΔΥΣΣΕΥΣ ΣΑΣ Σ ΑΣ. ΣΑ\u0301Σ",
    "e\u0301cole \u0301e école ÉCOLE", "漢字かな交じり文 テスト ﾃｽﾄ", "👩‍👩‍👧 family 👍🏽 ok", "١٢٣ ४५६ ½ ² ⅷ Ⅷ",
    "nul\x00byte \x00\x00", "tab\tnew\nline\x0bvt\x0cff\x1cfs\x1dgs\x85nel\xa0nbsp\u2003em\u3000ideo",
    "snake_case __init__ x_1", "don't can’t l'été", "ﬁnance ﬂuﬀ ŉ ǆ ǅ Ǆ", "ǰ ΐ ΰ ﬀ ﬃ", "हिन्दी தமிழ் ไทย",
    "\u200bzero\u200bwidth\ufeff", "𝒜𝓁𝓅𝒽𝒶 𐐀𐐁 𐐨", "Ａｆｕｌｌ ｗｉｄｔｈ", "한국어 \u1112\u1161\u11ab", "عَرَبِيّ עִבְרִית", "a" * 3000, "x y " * 500,
    "naïve café Ångström Å Å", "Æon œuvre Øre łódź", "۞ ۩ \U000E0001 \uffff", "CamelCase UPPER lower MiXeD 123abc abc123",
]
TORTURE += ["".join(TORTURE), " ".join(TORTURE[::-1])]  # sizes of code points in every order
SETTINGS = [
    {}, {"lowercase": False}, {"strip_accents": "unicode"}, {"strip_accents": "ascii"}, {"ngram_range": (1, 3)},
    {"ngram_range": (2, 2)}, {"analyzer": "char", "ngram_range": (1, 3)}, {"analyzer": "char_wb", "ngram_range": (2, 5)},
    {"analyzer": "char_wb", "ngram_range": (3, 3), "strip_accents": "unicode"}, {"stop_words": "english"},
    {"stop_words": ["ab", "abc123", "straße"], "ngram_range": (1, 2)}, {"binary": True}, {"dtype": np.float32},
    {"token_pattern": r"(?u)\b\w+\b"}, {"token_pattern": r"\w{3,}"}, {"token_pattern": r"\w\w\w\w+"},
    {"token_pattern": r"[a-z]+"}, {"tokenizer": str.split, "token_pattern": None}, {"preprocessor": str.upper},
]


def same_matrix(ours, rival):
    ours, rival = ours.copy(), rival.copy()
    ours.sort_indices()  # theirs leaves rows unsorted
    rival.sort_indices()
    assert type(ours) is type(rival) and ours.shape == rival.shape and ours.dtype == rival.dtype
    for part in ("indptr", "indices", "data"):
        left, right = getattr(ours, part), getattr(rival, part)
        assert left.dtype == right.dtype, part
        np.testing.assert_array_equal(left, right)


def pair(name, **given):
    return getattr(suffice, name)(**given), getattr(theirs, name)(**given)


def same_counts(documents, others, **given):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours, rival = pair("CountVectorizer", **given)
        same_matrix(ours.fit_transform(documents), rival.fit_transform(documents))
        assert list(ours.vocabulary_.items()) == list(rival.vocabulary_.items())
        assert ours.get_feature_names_out().tolist() == rival.get_feature_names_out().tolist()
        same_matrix(ours.transform(others), rival.transform(others))


@pytest.mark.parametrize("given", SETTINGS, ids=str)
def test_counts_of_unusual_text_equal_theirs(given):
    same_counts(TORTURE, TORTURE[::-1] + ["nothing known: qqqq zzzz"], **given)


@pytest.mark.parametrize("given", [{}, {"lowercase": False}, {"strip_accents": "unicode"}], ids=str)
def test_counts_of_text_in_many_scripts_equal_theirs(given):
    random = np.random.default_rng(7)
    scripts = [np.arange(first, last) for first, last in (
        (0x20, 0x7f), (0xc0, 0x180), (0x370, 0x400), (0x400, 0x530), (0x5d0, 0x700), (0x900, 0xe80), (0x10a0, 0x1100),
        (0x1e00, 0x2c00), (0x3040, 0x3100), (0x4e00, 0x5200), (0xa640, 0xac40), (0xff00, 0xffff), (0x10400, 0x10450))]
    documents = []
    for _ in range(300):
        chosen = [scripts[k] for k in random.integers(len(scripts), size=2)] + [scripts[0]]
        codes = [random.choice(chosen[min(k, 2)]) for k in random.integers(4, size=random.integers(1, 80))]
        documents.append("".join(map(chr, codes)))
    same_counts(documents, documents[::-1], **given)


@pytest.mark.parametrize("given", [{}, {"n_features": 7}, {"norm": None, "alternate_sign": False}, {"norm": "l1"},
                                   {"binary": True, "norm": None, "n_features": 3}, {"dtype": np.float32},
                                   {"analyzer": "char", "ngram_range": (1, 4), "n_features": 2**10}], ids=str)
def test_hashes_of_unusual_text_equal_theirs(given):
    ours, rival = pair("HashingVectorizer", **given)
    same_matrix(ours.transform(TORTURE), rival.transform(TORTURE))


@pytest.mark.parametrize("given", [{}, {"norm": "l1"}, {"norm": None, "sublinear_tf": True}, {"use_idf": False},
                                   {"smooth_idf": False, "dtype": np.float32}, {"analyzer": "char", "min_df": 2}], ids=str)
def test_weights_of_unusual_text_equal_theirs(given):
    ours, rival = pair("TfidfVectorizer", **given)
    a, b = ours.fit_transform(TORTURE), rival.fit_transform(TORTURE)
    np.testing.assert_allclose(a.toarray(), b.toarray(), rtol=1e-6 if a.dtype == np.float32 else 1e-14)
    np.testing.assert_allclose(ours.transform(TORTURE).toarray(), b.toarray(), rtol=1e-6, atol=1e-12)
    assert a.dtype == b.dtype and ours.fit(TORTURE).vocabulary_ == rival.vocabulary_


@pytest.mark.parametrize("part", ["train", "test"])
def test_counts_of_all_newsgroups_equal_theirs(part, newsgroups):
    documents, _ = newsgroups(part)
    ours, rival = pair("CountVectorizer")
    same_matrix(ours.fit_transform(documents), rival.fit_transform(documents))
    assert list(ours.vocabulary_.items()) == list(rival.vocabulary_.items())
    assert part == "test" or len(ours.vocabulary_) == 130107


@pytest.mark.parametrize("given", [{"min_df": 2}, {"max_df": 0.4}, {"min_df": 0.002, "max_df": 0.5},
                                   {"max_features": 500}, {"min_df": 3, "max_features": 50, "ngram_range": (1, 2)}], ids=str)
def test_the_choice_of_words_equals_theirs(given, newsgroups):
    documents = newsgroups("train")[0][::40]
    same_counts(documents, documents[:20], **given)


def test_threads_do_not_change_the_matrix(newsgroups):
    documents = newsgroups("train")[0][:2500]
    code = ("import pickle, sys, suffice; X = suffice.CountVectorizer(); M = X.fit_transform(pickle.load(sys.stdin.buffer));"
            "sys.stdout.buffer.write(pickle.dumps((M, X.vocabulary_)))")
    made = [subprocess.run([sys.executable, "-c", code], input=pickle.dumps(documents), capture_output=True, check=True,
                           env={**os.environ, "SUFFICE_THREADS": str(count)}).stdout for count in (1, 2, 5)]
    (first, words), *others = [pickle.loads(each) for each in made]
    for other, other_words in others:
        same_matrix(other, first)
        assert other_words == words


def test_a_vocabulary_may_be_given_changed_or_replaced():
    ours = suffice.CountVectorizer(vocabulary=["cat", "dog"])
    assert ours.transform(["cat cat bird"]).toarray().tolist() == [[2, 0]]
    ours = suffice.CountVectorizer().fit(["a cat", "a dog"])
    assert ours.transform(["bird"]).toarray().tolist() == [[0, 0]]
    ours.vocabulary_["bird"] = 2
    assert ours.transform(["bird"]).toarray().tolist() == [[0, 0, 1]]
    ours.vocabulary_ = {"fish": 0}
    assert ours.transform(["bird fish"]).toarray().tolist() == [[1]]


def test_a_subclass_that_analyses_otherwise_is_heard():
    class Stems(suffice.CountVectorizer):
        def build_analyzer(self):
            analyse = super().build_analyzer()
            return lambda document: [word[:3] for word in analyse(document)]

    assert sorted(Stems().fit(["walking walked"]).vocabulary_) == ["wal"]


def test_lone_surrogates_go_through_python():
    same_counts(["half \ud800 pair ab\udfffcd", "plain"], ["half"])


@pytest.mark.parametrize("bad", [[b"\xff\xfe ok"], [None], [np.nan], [3], "one string"])
def test_bad_documents_fail_as_theirs(bad):
    for name in ("CountVectorizer", "HashingVectorizer"):
        errors = []
        for made in pair(name):
            with pytest.raises(Exception) as caught:
                made.fit(bad) if name == "CountVectorizer" or isinstance(bad, str) else made.transform(bad)
            errors.append((type(caught.value), str(caught.value)))
        assert errors[0] == errors[1]


def test_bytes_and_files_are_decoded(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes("caf\xe9 noir".encode("latin-1"))
    made = suffice.CountVectorizer(encoding="latin-1").fit([path.read_bytes()])
    assert list(made.vocabulary_) == ["café", "noir"]
    made = suffice.CountVectorizer(input="filename", encoding="latin-1").fit([str(path)])
    assert list(made.vocabulary_) == ["café", "noir"]
    with open(path, "rb") as file:
        made = suffice.CountVectorizer(input="file", decode_error="ignore").fit([file])
    assert list(made.vocabulary_) == ["caf", "noir"]


def test_copies_and_pickles_transform_alike():
    fitted = suffice.TfidfVectorizer().fit(TORTURE)
    for other in (copy.deepcopy(fitted), pickle.loads(pickle.dumps(fitted))):
        same_matrix(other.transform(TORTURE), fitted.transform(TORTURE))


def test_documents_come_from_arrays_and_series():
    pandas = pytest.importorskip("pandas")
    words = ["a cat", "two dogs", "a cat"]
    expected = suffice.CountVectorizer().fit_transform(words)
    for given in (np.array(words), np.array(words, dtype=object), pandas.Series(words), iter(words), tuple(words)):
        same_matrix(suffice.CountVectorizer().fit_transform(given), expected)
