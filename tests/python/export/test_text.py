"""Texts leave with the model: from words or texts of words in ONNX, from counts of words in C."""
import ctypes
import io
import subprocess

import numpy as np
import pandas as pd
import pytest

import suffice

runtime = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
onnx = pytest.importorskip("onnx", reason="onnx is not installed")

WORDS = ["good", "fine", "bad", "sad", "day", "today", "rain", "joy", "again", "quote", "été", "what"]
TEXTS = ["good day day", "bad rain rain rain", "nothing known", "fine sad", "", "good good good good bad unknown été", "day", "joy joy joy sad sad bad rain today again"]
MODELS = [("multinomial_nb", {}), ("bernoulli_nb", {}), ("complement_nb", {}), ("multinomial_nb", {"estimate": "predictive"}),
          ("multinomial_nb", {"estimate": "predictive", "smoothing": 0.05}), ("multinomial_nb", {"document_length": "poisson"}),
          ("multinomial_nb", {"document_length": "negative_binomial"}), ("multinomial_nb", {"document_length": "negative_binomial", "estimate": "predictive"}),
          ("multinomial_nb", {"binary": True}), ("multinomial_nb", {"binary": True, "estimate": "predictive"}), ("multinomial_nb", {"document_norm": "l2"}),
          ("multinomial_nb", {"idf": True, "document_norm": "l2"}), ("complement_nb", {"idf": True, "document_norm": "l2", "binary": True}),
          ("multinomial_nb", {"idf": True}), ("complement_nb", {"normalize_weights": True}), ("multinomial_nb", {"max_features": 5}),
          ("bernoulli_nb", {"min_df": 3})]
IDS = ["-".join([model, *settings]) for model, settings in MODELS]


def training(path):
    rng = np.random.default_rng(3)
    lines = ["x,note,place,kind"]
    for _ in range(150):
        kind = rng.integers(0, 3)
        favoured = rng.permutation(WORDS[4 * kind:4 * kind + 4])
        words = [*rng.choice(favoured, rng.integers(1, 9)), *rng.choice(WORDS, rng.integers(0, 4))]
        note = " ".join(words) if rng.random() > 0.05 else ""
        lines.append(f"{rng.normal(kind):.3f},\"{note}\",{rng.choice(['here', 'there'])},{'abc'[kind]}")
    path.write_text("\n".join(lines) + "\n")
    return path


class Text:
    """A model of a text, and perhaps of columns beside it, in a file; what the command answers to TEXTS."""

    def __init__(self, folder, kit, model, settings, beside=False):
        self.folder, self.kit, self.beside = folder, kit, beside
        exclude = {} if beside else {"exclude": ["x", "place"]}
        self.model = suffice.fit_files(training(folder / "train.csv"), "kind", model, families={"note": "tokens"}, **exclude, **settings)
        self.model.save(folder / "t.suf")
        self.x = [None if k == 3 else k / 2 for k in range(len(TEXTS))]
        self.place = ["here", "there", "nowhere", None] * 2
        kit.write_csv(folder / "ask.csv", {"x": self.x, "note": TEXTS, "place": self.place})
        done = subprocess.run([kit.command, "predict", folder / "t.suf", folder / "ask.csv", "--proba"], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        table = pd.read_csv(io.StringIO(done.stdout), float_precision="round_trip")
        self.labels, self.expected = table["prediction"].tolist(), table.iloc[:, 1:].to_numpy()

    def by_onnx(self, texts):
        """texts: rows x 1 of texts, or rows x words."""
        onnx.checker.check_model(self.model.to_onnx(), full_check=True)
        session = runtime.InferenceSession(self.model.to_onnx(), providers=["CPUExecutionProvider"])
        feed = {"note": np.array(texts, dtype=object)}
        if self.beside:
            feed["x"] = np.array([[np.nan if each is None else each] for each in self.x])
            feed["place"] = np.array([[each or ""] for each in self.place], dtype=object)
        return session.run(["label", "probabilities"], feed)

    def by_c(self, type="double"):
        (self.folder / "model.c").write_text(self.model.to_c("m", type))
        subprocess.run(["gcc", "-std=c99", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-pedantic", "-O1", "-shared", "-fPIC", "-o", self.folder / "m.so",
                        self.folder / "model.c", "-lm"], check=True)
        code = ctypes.CDLL(str(self.folder / "m.so"))
        code.m_word.argtypes = code.m_level.argtypes = [ctypes.c_int, ctypes.c_char_p]
        count = len(self.model.to_c("m").split("m_columns[] = {")[1].split("};")[0].split('", "'))
        names = [each.decode() for each in (ctypes.c_char_p * count).in_dll(code, "m_columns")]
        assert {code.m_word(0, name.encode()) for name in set(names) & set(WORDS)} == {k for k, name in enumerate(names) if name in WORDS}
        assert code.m_word(0, b"unknown") == code.m_word(1, b"good") == -1
        found = []
        for text, x, place in zip(TEXTS, self.x, self.place):
            values, out = (ctypes.c_double * count)(), (ctypes.c_double * 3)()
            for word in text.split():
                if code.m_word(0, word.encode()) >= 0:
                    values[code.m_word(0, word.encode())] += 1
            if not text:
                values[min(k for k, name in enumerate(names) if name in WORDS)] = np.nan
            if self.beside:
                values[names.index("x")] = np.nan if x is None else x
                values[names.index("place")] = np.nan if place is None else code.m_level(names.index("place"), place.encode())
            code.m_posteriors(values, out)
            found.append(out[:])
        return np.array(found)


def cut(texts):
    longest = max(len(each.split()) for each in texts)
    return [each.split() + [""] * (longest - len(each.split())) for each in texts]


@pytest.mark.parametrize("model, settings", MODELS, ids=IDS)
def test_texts_and_words_give_what_predict_gives(tmp_path, kit, model, settings):
    text = Text(tmp_path, kit, model, settings)
    for given in ([[each] for each in TEXTS], cut(TEXTS), [["  " + each.replace(" ", "   ")] if each else [""] for each in TEXTS]):
        labels, posteriors = text.by_onnx(given)
        np.testing.assert_allclose(posteriors, text.expected, rtol=0, atol=1e-12)
        assert labels.tolist() == text.labels
    missing = TEXTS.index("")
    np.testing.assert_allclose(text.by_onnx([[""]] * 3)[1], text.expected[[missing] * 3], rtol=0, atol=1e-12)
    np.testing.assert_allclose(text.by_c(), text.expected, rtol=0, atol=1e-12)
    np.testing.assert_allclose(text.by_c("float"), text.expected, rtol=0, atol=2e-3)
    with pytest.raises(ValueError, match="export it to ONNX, or to C"):
        text.model.to_sql("duckdb")


@pytest.mark.parametrize("model, settings", [("naive_bayes", {}), ("naive_bayes", {"estimate": "predictive"}), ("linear_discriminant", {})])
def test_texts_beside_other_columns(tmp_path, kit, model, settings):
    text = Text(tmp_path, kit, model, settings, beside=True)
    np.testing.assert_allclose(text.by_onnx([[each] for each in TEXTS])[1], text.expected, rtol=0, atol=1e-12)
    np.testing.assert_allclose(text.by_c(), text.expected, rtol=0, atol=1e-12)


def test_runs_of_words_come_cut(tmp_path, kit):
    text = Text(tmp_path, kit, "multinomial_nb", {"ngrams": (1, 2)})
    runs = [words + [f"{a} {b}" for a, b in zip(words, words[1:])] for words in (each.split() for each in TEXTS)]
    longest = max(map(len, runs))
    np.testing.assert_allclose(text.by_onnx([each + [""] * (longest - len(each)) for each in runs])[1], text.expected, rtol=0, atol=1e-12)


def test_words_in_buckets_are_refused(tmp_path, kit):
    text = Text(tmp_path, kit, "multinomial_nb", {"hash_features": 64})
    for leave in (text.model.to_onnx, text.model.to_c):
        with pytest.raises(ValueError, match="buckets by a hash"):
            leave()
