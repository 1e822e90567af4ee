"""Times scikit-learn on what text_bench does, from the same files, best of three; accuracy and vocabulary must agree.

usage: rivals.py TRAIN TEST      (as written by prepare.py)
"""
import struct
import sys
import time

from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB


def corpus(base: str) -> tuple[list[str], list[int]]:
    text, index = open(base + ".txt", "rb").read(), open(base + ".idx", "rb").read()
    documents, labels, at = [], [], 0
    for label, size in struct.iter_unpack("ii", index):
        documents.append(text[at:at + size].decode())
        labels.append(label)
        at += size
    return documents, labels


def best(action, repeats: int = 3) -> tuple[float, object]:
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        result = action()
        times.append(time.perf_counter() - start)
    return min(times), result


def fit() -> tuple[CountVectorizer, MultinomialNB]:
    vectorizer = CountVectorizer()
    return vectorizer, MultinomialNB(alpha=0.01).fit(vectorizer.fit_transform(train), train_labels)


train, train_labels = corpus(sys.argv[1])
test, test_labels = corpus(sys.argv[2])
fit_time, (vectorizer, model) = best(fit)
matrix_time, _ = best(lambda: CountVectorizer().fit_transform(train))
predict_time, posterior = best(lambda: model.predict_log_proba(vectorizer.transform(test)))
accuracy = (posterior.argmax(1) == test_labels).mean()
print(f"vocabulary {len(vectorizer.vocabulary_)} accuracy {accuracy:.4f}")
print(f"fit {fit_time:.3f} s, classify {predict_time:.3f} s, matrix {matrix_time:.3f} s")
