"""Writes what scikit-learn makes of hard documents (tests/encode/tokenizer_golden.txt) and, given the unpacked 20 Newsgroups,
a digest of its counts per group (tests/encode/newsgroups_golden.txt).

usage: text_goldens.py tests/encode [FOLDER WITH 20news-bydate-train AND 20news-bydate-test]
"""
import pathlib
import random
import sys
import unicodedata

from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, CountVectorizer, HashingVectorizer
from sklearn.utils import murmurhash3_32

HAND_MADE = [
    "", " ", "a", "ab", "A B C dd", "under_score __ _ x_", "it's well-known, isn't it? e-mail: a.b@c.de 3.14 1e10",
    "İstanbul ISPARTA ıspanak İİ iİi DİYARBAKIR", "Straße STRASSE ẞTRASSE Größe", "ΟΔΥΣΣΕΥΣ Σ ΣΣ ΑΣ. ΑΣΑ ΑΣ'Α ΑΣ\u0301 Α\u0301Σ ΣΑΣ Σ\u00ad ΑΣ\u00ad ΑΣ\u00adΑ",
    "cafe\u0301 café na\u00efve nai\u0308ve Ångström A\u030angstro\u0308m", "你好世界 日本語テキスト カタカナ 한국어 텍스트 中 文",
    "😀😁 emoji👩‍👩‍👧 flag🇩🇪 ❤️ done", "٠١٢٣ ۴۵۶ ४५६ ①② Ⅷ ½ ¼ x² ৳৴ 𝟘𝟙 ½½", "nul\0nul a\0 \0\0 \0b\0 end\0", "\t\ttabs  \n\n and\u00a0\u00a0no\u2003break\u3000wide\x1c\x1d x",
    "ǅungla ǲ Ǆ ﬁne ﬀ ŉ ΐ ὒ", "\u0600\u0301 \u200d\u200c word\u200djoin soft\u00adhyphen", "Ⱥ Ⱦ ȺȾ Ꭰ Ꮿ ᏣᎳᎩ Ა ᲐᲑ Ω K Å", "𐐀𐐁 𐐨 𝐀𝐁𝐂 𞤀𞤁", "ﷺ ﷲ ㎏ ㍿ ㏂ ⑴ ™ ℡ Ǆ",
    "x" * 11 + " " + "y" * 12 + " " + "z" * 13 + " " + "w" * 70 + " " + "é" * 6 + " " + "é" * 7 + " " + "u" * 12 + "\0",
    "ascii then é then ascii again for more than sixty-four bytes so that blocks are crossed é é and á word_ends_hereé and on and on",
]
MALFORMED = [
    b"\xff\xfe bad", b"abc\xc3", b"abc\xe2\x82", b"\xe2\x82 x", b"\xf0\x9f\x98 cut", b"\xf0\x9f\x98\x80 whole", b"\xc0\x80 overlong \xe0\x80\x80", b"\xed\xa0\x80 surrogate",
    b"\xf5\x80\x80\x80 \xf4\x90\x80\x80 beyond", b"\x80\x80 tails", b"ab\x80cd", b"\xce\x91\xce\xa3\xff", b"\xce\x91\xff\xce\xa3", b"\xce\x91\x80\xce\xa3\x80\xce\x91", b"\xe4\xb8\xadx\xe4\xb8",
]


def random_documents(count: int) -> list[bytes]:
    draw = random.Random(7)
    assigned = [chr(c) for c in range(0x110000) if unicodedata.category(chr(c)) not in ("Cn", "Cs", "Co")]
    letters = [c for c in assigned if c.isalnum()]
    ascii_text = "abcdefgh ABC_12 .,\n"
    made = []
    for k in range(count):
        pools = (assigned, letters, ascii_text, "ΣσςΑα'\u0301\u00ad. ", "éÉïüß aAbc ")
        made.append("".join(draw.choice(pools[min(draw.randrange(9), 4) if k % 2 else k // 2 % 5]) for _ in range(draw.randrange(1, 150))).encode())
        if k % 4 == 0:
            made.append(bytes(draw.choice(b"\xc3\xa9\xe2\x82\xacab \xf0\x9f\x98\x80\xce\xa3\xff") for _ in range(60)))
    return made


CONFIGURATIONS = {
    "": {}, "lowercase=0": {"lowercase": False}, "accents=unicode": {"strip_accents": "unicode"}, "accents=ascii": {"strip_accents": "ascii"},
    "ngram_min=1 ngram_max=3": {"ngram_range": (1, 3)}, "ngram_min=2 ngram_max=2 stop_words=english": {"ngram_range": (2, 2), "stop_words": "english"},
    "analyzer=char ngram_min=1 ngram_max=2": {"analyzer": "char", "ngram_range": (1, 2)},
    "analyzer=char ngram_min=3 ngram_max=3 accents=unicode": {"analyzer": "char", "ngram_range": (3, 3), "strip_accents": "unicode"},
    "analyzer=char_wb ngram_min=2 ngram_max=4": {"analyzer": "char_wb", "ngram_range": (2, 4)},
    "encoding=latin-1": {"encoding": "latin-1"}, "encoding=latin-1 analyzer=char": {"encoding": "latin-1", "analyzer": "char"},
    "invalid_bytes=ignore analyzer=char": {"decode_error": "ignore", "analyzer": "char"}, "invalid_bytes=ignore": {"decode_error": "ignore"},
    "minimum_length=1": {"token_pattern": r"(?u)\b\w+\b"}, "minimum_length=4": {"token_pattern": r"(?u)\b\w{4,}\b"},
}


def write_tokens(path: pathlib.Path) -> None:
    documents = [d.encode() for d in HAND_MADE] + MALFORMED + random_documents(24)
    with path.open("w") as out:
        print("english", ",".join(w.encode().hex() for w in sorted(ENGLISH_STOP_WORDS)), file=out)
        for document in documents:
            print("document", document.hex(), file=out)
        for options, arguments in CONFIGURATIONS.items():
            analyze = CountVectorizer(**{"decode_error": "replace", **arguments}).build_analyzer()
            print("options", options, file=out)
            for document in documents:
                print("tokens", ",".join(t.encode().hex() for t in analyze(document)), file=out)
        for document in documents:
            print("murmur", document.hex(), murmurhash3_32(document, seed=0, positive=True), murmurhash3_32(document, seed=42, positive=True), file=out)
        for size, sign in ((1 << 20, True), (1000, True), (7, False)):
            rows = HashingVectorizer(n_features=size, alternate_sign=sign, norm=None, decode_error="replace").transform(documents)
            for k in range(len(documents)):
                row = rows[[k]]
                print("hashed", size, int(sign), k, ",".join(f"{c}:{v:g}" for c, v in zip(row.indices, row.data)), file=out)


def digest(rows, names: list[str]) -> int:
    """FNV-1a over each document's words in alphabetical order, each followed by its count."""
    value = 0xCBF29CE484222325
    for row in rows:
        row.sort_indices()
        text = b"".join(names[c] + b" %d\n" % n for c, n in zip(row.indices, row.data)) + b"\n"
        for byte in text:
            value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return value


def write_newsgroups(folder: pathlib.Path, path: pathlib.Path) -> None:
    with path.open("w") as out:
        vectorizer = CountVectorizer(encoding="latin-1")
        groups = sorted(p.name for p in (folder / "20news-bydate-train").iterdir())
        for part in ("train", "test"):
            files = [(g, f) for g in groups for f in sorted((folder / f"20news-bydate-{part}" / g).iterdir())]
            texts = [f.read_bytes() for _, f in files]
            rows = vectorizer.fit_transform(texts) if part == "train" else vectorizer.transform(texts)
            names = [w.encode() for w in vectorizer.get_feature_names_out()]
            if part == "train":
                print("vocabulary", len(names), file=out)
            for group in groups:
                print(part, group, f"{digest([rows[[k]] for k, (g, _) in enumerate(files) if g == group], names):016x}", file=out)


write_tokens(pathlib.Path(sys.argv[1]) / "tokenizer_golden.txt")
if len(sys.argv) > 2:
    write_newsgroups(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[1]) / "newsgroups_golden.txt")
