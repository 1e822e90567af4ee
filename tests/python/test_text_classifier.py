"""TextClassifier against CountVectorizer with scikit-learn's naive Bayes, and the laws of statistics."""
import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.naive_bayes import BernoulliNB, ComplementNB, MultinomialNB

import suffice

WORDS = ["apple", "pear", "plum", "red", "green", "round", "sweet", "été", "naïve", "x1"]
RIVALS = {"multinomial": MultinomialNB, "complement": ComplementNB, "bernoulli": BernoulliNB}


def corpus(count=200, seed=0):
    rng = np.random.default_rng(seed)
    y = np.array(["fruit", "colour", "shape"])[rng.integers(0, 3, count)]
    weight = {"fruit": np.arange(1, 11), "colour": np.arange(10, 0, -1), "shape": np.ones(10)}
    documents = [" ".join(rng.choice(WORDS, size=rng.integers(0, 30), p=weight[c] / weight[c].sum())) for c in y]
    return documents, y


def rival(model, documents, y, alpha, sample_weight=None, **given):
    counts = CountVectorizer(**given)
    made = RIVALS[model](alpha=alpha).fit(counts.fit_transform(documents), y, sample_weight=sample_weight)
    return counts, made


@pytest.mark.parametrize("model", RIVALS)
@pytest.mark.parametrize("given", [{}, {"ngram_range": (1, 2)}, {"analyzer": "char_wb", "ngram_range": (2, 3)},
                                   {"binary": True}, {"min_df": 3, "max_df": 0.9}, {"max_features": 5},
                                   {"stop_words": ["apple", "red"]}, {"strip_accents": "unicode"}], ids=str)
def test_posteriors_equal_vectorizer_and_naive_bayes(model, given):
    documents, y = corpus()
    counts, theirs = rival(model, documents, y, 0.3, **given)
    ours = suffice.TextClassifier(model, smoothing=0.3, **given).fit(documents, y)
    others = corpus(50, 1)[0] + ["", "unheard of words"]
    X = counts.transform(others)
    np.testing.assert_allclose(ours.predict_log_proba(others), theirs.predict_log_proba(X), rtol=1e-9, atol=1e-9)
    assert ours.predict(others).tolist() == theirs.predict(X).tolist()
    assert ours.classes_.tolist() == theirs.classes_.tolist()


def same_as_tfidf(model, documents, y, others, smoothing, idf=True, **given):
    weights = TfidfVectorizer(use_idf=idf, **given)
    theirs = RIVALS[model](alpha=smoothing).fit(weights.fit_transform(documents), y)
    ours = suffice.TextClassifier(model, smoothing=smoothing, idf=idf, **given, document_norm="l2")
    ours.fit(documents, y)
    wanted = theirs.predict_log_proba(weights.transform(others))
    np.testing.assert_allclose(ours.predict_log_proba(others), wanted, rtol=1e-9, atol=1e-9)
    return ours


@pytest.mark.parametrize("model", ["multinomial", "complement"])
@pytest.mark.parametrize("given", [{}, {"idf": False}, {"min_df": 3, "max_df": 0.9}, {"max_features": 5},
                                   {"binary": True, "ngram_range": (1, 2)}], ids=str)
def test_documents_of_length_one_are_weighed_as_tfidf_does(model, given, tmp_path):
    documents, y = corpus()
    others = corpus(50, 1)[0] + ["", "unheard of words"]
    ours = same_as_tfidf(model, documents, y, others, 0.3, **given)
    ours.save(tmp_path / "one.suf")
    np.testing.assert_array_equal(suffice.load(tmp_path / "one.suf").predict_proba(others), ours.predict_proba(others))


def test_documents_of_length_one_are_weighed_as_tfidf_does_on_20_newsgroups(newsgroups):
    documents, y = (part[::5] for part in newsgroups("train"))
    others = newsgroups("test")[0][::7]
    for model in ("multinomial", "complement"):
        same_as_tfidf(model, documents, y, others, 0.1)


def test_documents_of_length_one_come_all_at_once():
    documents, y = corpus(40)
    model = suffice.TextClassifier(idf=True, document_norm="l2").fit(documents, y)
    for attempt in (lambda: model + model, lambda: model.decay(0.5), lambda: model.leave_one_out(documents, y)):
        with pytest.raises((TypeError, ValueError), match="two passes"):
            attempt()
    with pytest.raises(ValueError, match="use fit"):
        model.partial_fit(documents, y)
    with pytest.raises(ValueError, match="EM"):
        clone(model).fit(documents, [None] + list(y[1:]))
    with pytest.raises(ValueError, match="document_norm"):
        suffice.TextClassifier(document_norm="l1").fit(documents, y)
    with pytest.raises(TypeError, match="length one"):
        suffice.TextClassifier("bernoulli", document_norm="l2").fit(documents, y).predict(documents)


@pytest.mark.parametrize("model", RIVALS)
def test_weights_count_as_rows(model):
    documents, y = corpus()
    weight = np.random.default_rng(2).integers(0, 4, len(y))
    counts, theirs = rival(model, documents, y, 1.0, weight)
    ours = suffice.TextClassifier(model).fit(documents, y, sample_weight=weight)
    kept = suffice.TextClassifier(model).fit([d for d, w in zip(documents, weight) for _ in range(w)], y.repeat(weight))
    np.testing.assert_allclose(ours.predict_proba(documents), kept.predict_proba(documents), rtol=0, atol=1e-12)
    np.testing.assert_allclose(ours.predict_proba(documents), theirs.predict_proba(counts.transform(documents)),
                               rtol=0, atol=1e-9)


def same_model(left, right, documents):
    """Counts are equal; sums of logarithms of factorials are rounded in another order."""
    assert left.classes_.tolist() == right.classes_.tolist()
    assert left.get_feature_names_out().tolist() == right.get_feature_names_out().tolist()
    assert left.statistics_.weight == right.statistics_.weight
    np.testing.assert_allclose(left.predict_log_proba(documents), right.predict_log_proba(documents), rtol=1e-12,
                               atol=1e-12)
    assert left.parameter_count_ == right.parameter_count_


@pytest.mark.parametrize("model", [*RIVALS, "ngram"])
def test_pieces_make_the_whole_and_come_out_again(model):
    documents, y = corpus()
    documents[150] += " lately only here"
    whole = suffice.TextClassifier(model).fit(documents, y)
    first = suffice.TextClassifier(model).fit(documents[:120], y[:120])
    second = suffice.TextClassifier(model).fit(documents[120:], y[120:])
    for together in (first + second, second + first):
        same_model(together, whole, documents)
    np.testing.assert_allclose((whole - second).predict_log_proba(documents), first.predict_log_proba(documents),
                               rtol=0, atol=1e-9)
    assert (whole - second).get_feature_names_out().tolist() == first.get_feature_names_out().tolist()
    piecewise = suffice.TextClassifier(model)
    for at in range(0, len(y), 37):
        piecewise.partial_fit(documents[at : at + 37], y[at : at + 37])
    same_model(piecewise, whole, documents)
    seen = suffice.Statistics.from_bytes(whole.statistics_.to_bytes())
    assert seen == whole.statistics_
    faded = suffice.TextClassifier(model, ngram_smoothing="witten_bell").fit(documents, y).decay(0.5)
    assert faded.statistics_.weight == pytest.approx(len(y) / 2)


@pytest.mark.parametrize("model", [*RIVALS, "ngram"])
def test_saved_models_answer_alike(model, tmp_path):
    documents, y = corpus()
    fitted = suffice.TextClassifier(model, smoothing=0.5).fit(documents, y)
    fitted.save(tmp_path / "m.suf")
    loaded = suffice.load(tmp_path / "m.suf")
    np.testing.assert_allclose(loaded.predict_log_proba(documents), fitted.predict_log_proba(documents), rtol=1e-12,
                               atol=1e-12)
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_allclose(again.predict_log_proba(documents), fitted.predict_log_proba(documents), rtol=1e-12,
                               atol=1e-12)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(loaded)).predict(documents), fitted.predict(documents))
    loaded.partial_fit(["apple pie"], ["fruit"])
    assert "pie" in loaded.get_feature_names_out()
    assert isinstance(loaded, suffice.TextClassifier) and loaded.smoothing == 0.5  # the class that saved it, to be fitted anew
    np.testing.assert_allclose(loaded.fit(documents, y).predict_proba(documents), fitted.predict_proba(documents), rtol=1e-12)


@pytest.mark.parametrize("model", [*RIVALS, "ngram"])
def test_explanations_add_up_to_the_log_joint(model):
    documents, y = corpus()
    fitted = suffice.TextClassifier(model).fit(documents, y)
    contributions, intercepts = fitted.explain(documents[:20])
    joint = contributions.sum(axis=2) + intercepts
    np.testing.assert_allclose(np.asarray(joint), fitted.predict_joint_log_proba(documents[:20]), rtol=1e-10, atol=1e-9)
    word = fitted.get_feature_names_out().tolist().index("apple")
    touched = np.asarray(contributions.toarray()[:, :, word] != 0).any(axis=1)
    assert touched.tolist() == ["apple" in document.split() for document in documents[:20]]


def test_evidence_is_the_sum_over_classes():
    documents, y = corpus()
    for model in ("multinomial", "bernoulli", "ngram"):
        fitted = suffice.TextClassifier(model).fit(documents, y)
        joint = fitted.predict_joint_log_proba(documents)
        np.testing.assert_allclose(fitted.log_evidence(documents), np.logaddexp.reduce(joint, axis=1), rtol=1e-12, atol=1e-12)
        own = joint[np.arange(len(y)), np.searchsorted(fitted.classes_, y)]
        assert model == "ngram" or fitted.log_likelihood_ == pytest.approx(own.sum(), rel=1e-9)
    refused = suffice.TextClassifier("complement").fit(documents, y)
    for ask in (lambda: refused.log_evidence(documents), refused.sample):
        with pytest.raises(TypeError, match="no densities"):
            ask()


@pytest.mark.parametrize("model", ["multinomial", "bernoulli", "ngram"])
def test_drawn_documents_teach_what_they_were_drawn_from(model):
    documents, y = corpus(2000)
    fitted = suffice.TextClassifier(model).fit(documents, y)
    drawn, labels = fitted.sample(3000, random_state=0)
    assert drawn == fitted.sample(3000, random_state=0)[0] and all(isinstance(each, str) for each in drawn)
    again = suffice.TextClassifier(model).fit(drawn, labels)
    agree = (again.predict(documents) == fitted.predict(documents)).mean()
    assert agree > 0.85


def test_left_out_documents_are_scored_as_if_never_seen():
    documents, y = corpus(40)
    documents[3] += " unheard words"
    documents.append("apple alone")
    y = np.append(y, "lonely")
    weight = np.random.default_rng(4).integers(1, 4, len(y)).astype(float)
    for sample_weight in (None, weight):
        model = suffice.TextClassifier(smoothing=0.3).fit(documents, y, sample_weight=sample_weight)
        left_out = model.leave_one_out(documents, y, sample_weight)
        for k in range(len(y)):
            rest = np.arange(len(y)) != k
            kept = None if sample_weight is None else weight[rest]
            counts, theirs = rival("multinomial", [documents[j] for j in np.flatnonzero(rest)], y[rest], 0.3, kept)
            wanted = theirs.predict_log_proba(counts.transform([documents[k]]))[0]
            there = np.isin(model.classes_, theirs.classes_)
            np.testing.assert_allclose(left_out[k, there], wanted, rtol=1e-9, atol=1e-9)
            assert (left_out[k, ~there] < -100).all()


@pytest.mark.parametrize("given", [{"model": "complement"}, {"model": "bernoulli"}, {"max_features": 3},
                                   {"estimate": "predictive"}, {"idf": True}], ids=str)
def test_documents_are_left_out_of_plain_multinomial_models_alone(given):
    documents, y = corpus(40)
    with pytest.raises(TypeError, match="compare by folds"):
        suffice.TextClassifier(**given).fit(documents, y).leave_one_out(documents, y)


def test_columns_of_strings_are_read_where_they_lie():
    pandas, polars, pyarrow = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    documents, y = corpus()
    documents[3] = None
    expected = suffice.TextClassifier().fit(documents, y).predict_proba(documents)
    given = [pandas.Series(documents), pandas.Series(documents, dtype=object), pandas.DataFrame({"t": documents}),
             pandas.Series(documents, dtype="string"), polars.Series(documents), polars.DataFrame({"t": documents}),
             pyarrow.array(documents), pyarrow.chunked_array([documents[:50], documents[50:]]),
             pyarrow.table({"t": documents}), pyarrow.array(["x"] + documents).slice(1),
             pyarrow.array(documents).dictionary_encode(), np.array(documents, dtype=object), tuple(documents)]
    for each in given:
        np.testing.assert_array_equal(suffice.TextClassifier().fit(each, y).predict_proba(each), expected)


def test_feeding_leaves_unknown_labels_out_and_says_so():
    documents, y = corpus(60)
    some = y.astype(object)
    some[::5] = None
    with pytest.warns(UserWarning, match="12 documents without a label"):
        ours = suffice.TextClassifier().partial_fit(documents, some)
    known = np.array([each is not None for each in some])
    theirs = suffice.TextClassifier().fit([d for d, k in zip(documents, known) if k], y[known])
    same_model(ours, theirs, documents)


@pytest.mark.parametrize("bad, error", [(["a b", 3], TypeError), ("a b", ValueError), ([b"a b", b"c"], TypeError)])
def test_bad_documents_are_refused(bad, error):
    with pytest.raises(error):
        suffice.TextClassifier().fit(bad, ["a", "b"])
    with pytest.raises(error):
        suffice.TextClassifier().fit(["x y", "z w"], ["a", "b"]).predict(bad)


def test_bad_parameters_are_refused():
    for given in ({"model": "gaussian"}, {"token_pattern": "[a-z]+"}, {"stop_words": "klingon"}, {"min_df": 1000}):
        with pytest.raises((ValueError, TypeError)):
            suffice.TextClassifier(**given).fit(["one two", "three"], [0, 1])
    with pytest.raises(ValueError, match="inconsistent"):
        suffice.TextClassifier().fit(["one two"], [0, 1])


def test_empty_documents_are_decided_by_the_prior():
    ours = suffice.TextClassifier().fit(["a cat", "a dog", "the bank"], [0, 0, 1])
    np.testing.assert_allclose(ours.predict_proba(["", "unheard", None]), [[2 / 3, 1 / 3]] * 3, rtol=1e-12)


def test_settings_reach_the_model():
    documents, y = corpus()
    usual = suffice.TextClassifier().fit(documents, y)
    for given in ({"estimate": "predictive"}, {"priors": "uniform"}, {"idf": True}, {"document_length": "poisson"},
                  {"lowercase": False, "hash_features": 4}, {"smoothing": 20.0}):
        other = suffice.TextClassifier(**given).fit(documents, y)
        assert not np.allclose(other.predict_proba(documents), usual.predict_proba(documents)), given
        assert clone(other).get_params() == other.get_params()
    backed = [suffice.TextClassifier("ngram", order=order, ngram_smoothing=smoothing).fit(documents, y).predict_proba(documents)
              for order, smoothing in ((1, "kneser_ney"), (3, "kneser_ney"), (3, "witten_bell"))]
    assert not np.allclose(backed[0], backed[1]) and not np.allclose(backed[1], backed[2])


def test_newsgroups_give_the_published_accuracies(newsgroups):
    documents, y = newsgroups("train")
    others, truth = newsgroups("test")
    published = {"multinomial": (0.7728, 0.8062, 0.8039), "complement": (0.8267, 0.8182, 0.8001),
                 "bernoulli": (0.6308, 0.7281, 0.7521)}
    for model, accuracies in published.items():
        for smoothing, accuracy in zip((1.0, 0.1, 0.01), accuracies):
            made = suffice.TextClassifier(model, smoothing=smoothing).fit(documents, y)
            assert round(made.score(others, truth), 4) == accuracy, (model, smoothing)
            assert len(made.get_feature_names_out()) == 130107


def em_by_scikit_learn(X, y, weight, steps):
    """Nigam et al.: MultinomialNB on documents shared out among the classes, again and again."""
    model = MultinomialNB().fit(X[y >= 0], y[y >= 0])
    classes = range(2)
    for _ in range(steps):
        share = np.where((y < 0)[:, None], weight * model.predict_proba(X), y[:, None] == np.array([classes]))
        model = MultinomialNB().fit(sp.vstack([X] * 2), np.repeat(classes, X.shape[0]), share.T.ravel())
    return model


@pytest.mark.parametrize("weight", [1.0, 0.3])
def test_documents_without_a_label_take_part_by_em(weight):
    documents, y = corpus(150)
    kept = y != "shape"
    documents, y = [d for d, k in zip(documents, kept) if k], (y[kept] == "fruit").astype(int)
    y[10:] = -1
    documents[-1] += " never seen with a label"
    X = CountVectorizer().fit_transform(documents)
    model = suffice.TextClassifier(unlabeled=-1, unlabeled_weight=weight).fit(documents, y)
    theirs = em_by_scikit_learn(X, y, weight, 200)
    assert model.get_feature_names_out().tolist() == CountVectorizer().fit(documents).get_feature_names_out().tolist()
    np.testing.assert_allclose(model.predict_proba(documents), theirs.predict_proba(X), atol=2e-3)
    assert not np.allclose(model.predict_proba(documents),
                           MultinomialNB().fit(X[y >= 0], y[y >= 0]).predict_proba(X), atol=0.05)
    with pytest.raises(TypeError, match="EM"):
        model.partial_fit(documents[:10], y[:10])
    missing = suffice.TextClassifier(unlabeled_weight=weight).fit(documents, [None if c < 0 else c for c in y])
    np.testing.assert_array_equal(missing.predict_proba(documents), model.predict_proba(documents))


def test_documents_without_a_label_need_densities():
    documents, y = corpus(30)
    with pytest.raises(TypeError, match="complement"):
        suffice.TextClassifier("complement").fit(documents, [None] + list(y[1:]))


@pytest.mark.slow
def test_documents_without_a_label_raise_the_accuracy_on_20_newsgroups(newsgroups):
    def some(part, step):  # eight of the twenty groups
        rows = [row for row in zip(*newsgroups(part)) if row[1].startswith(("rec.", "sci."))]
        return zip(*rows[::step])
    (documents, labels), (others, truth) = some("train", 6), some("test", 3)
    seen, y = dict.fromkeys(labels, 0), []
    for label in labels:
        seen[label] += 1
        y.append(label if seen[label] <= 20 else None)
    given = {"smoothing": 0.01, "priors": "uniform", "stop_words": "english"}
    few = suffice.TextClassifier(**given).fit(*zip(*[pair for pair in zip(documents, y) if pair[1] is not None]))
    more = suffice.TextClassifier(unlabeled_weight=0.3, **given).fit(documents, y)
    assert more.score(others, truth) > few.score(others, truth) + 0.08
