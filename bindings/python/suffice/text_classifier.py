"""Classifiers of documents: from strings to posteriors with no matrix in between."""
import math
import warnings
from numbers import Integral

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS
from sklearn.utils.validation import check_is_fitted

from suffice import _core
from suffice.deciding import codes_of
from suffice.documents import documents_of
from suffice.estimator import Explanation
from suffice.generative import GenerativeMixin, prior_settings
from suffice.inputs import seed_of
from suffice.labels import known_labels, row_weights, weighty_classes
from suffice.statistics import Statistics, class_names
from suffice.text import shortest_word
from suffice.shared_docs import documented

MODELS = {"multinomial": "multinomial_nb", "complement": "complement_nb", "bernoulli": "bernoulli_nb",
           "ngram": "ngram"}


class DocumentsMixin(GenerativeMixin):
    """Fitting to documents and scoring them."""

    def _blank_documents(self, labels):
        """Statistics that have seen nothing."""
        raise NotImplementedError

    def _learn(self, X, y, sample_weight, first, shares):
        documents, count = documents_of(X)
        labels, codes = known_labels(y, self.unlabeled)
        if len(codes) != count:
            raise ValueError(f"Found input variables with inconsistent numbers of samples: [{count}, {len(codes)}]")
        weight = row_weights(sample_weight, count)
        if len(labels) == 0:
            raise ValueError("no document has a label")
        if getattr(self, "document_norm", None) is not None:
            return self._learn_unit_length(documents, labels, codes, weight, shares)
        if (codes < 0).any() and shares:
            labels, codes = weighty_classes(labels, codes, weight)
            state = _core.feed_unlabeled_documents(self._blank_documents(labels)._state, documents, codes,
                                                   class_names(labels), weight, float(self.unlabeled_weight))
            self._take(Statistics(state, labels))
            self.n_features_in_ = 1
            return self
        if (codes < 0).any():
            warnings.warn(f"{int((codes < 0).sum())} documents without a label were left out", UserWarning,
                          stacklevel=3)
        seen = self._blank_documents(labels) if first else self.statistics_
        if not first:
            together = np.union1d(self.classes_, labels)
            codes = np.where(codes >= 0, np.searchsorted(together, labels).astype(np.int32)[codes], -1)
            labels = together
        state = _core.feed_documents(seen._state, documents, np.ascontiguousarray(codes, dtype=np.int32),
                                     class_names(labels), weight)
        self._take(Statistics(state, labels))
        self.n_features_in_ = 1
        return self

    def _learn_unit_length(self, documents, labels, codes, weight, whole):
        if self.document_norm != "l2":
            raise ValueError(f"document_norm must be None or 'l2', not {self.document_norm!r}")
        if not whole:
            raise ValueError("documents scaled to length one take two passes over all of them, so such a model cannot "
                             "be fed in pieces; use fit")
        if (codes < 0).any():
            raise ValueError("documents without a label take part by EM, which does not go with document_norm")
        state = _core.feed_unit_documents(self._blank_documents(labels)._state, documents,
                                          np.ascontiguousarray(codes, dtype=np.int32), class_names(labels), weight)
        self._take(Statistics(state, labels))
        self.n_features_in_ = 1
        return self

    def fit(self, X, y, sample_weight=None):
        """Fits the model: X is a list of strings or a column of them (pandas, polars, pyarrow, NumPy).

        Documents whose label is not known take part by EM; a model with such documents cannot be merged or fed.
        """
        return self._learn(X, y, sample_weight, True, True)

    def partial_fit(self, X, y, sample_weight=None, classes=None):
        """Adds documents to the model: pieces in any order give what ``fit`` gives on all of them.

        Documents whose label is not known are left out.
        """
        return self._learn(X, y, sample_weight, not hasattr(self, "statistics_"), False)

    def _text_model(self):
        """The library's estimate; the last one is kept."""
        check_is_fitted(self)
        seen = self.statistics_
        given = () if seen._own else self._recipe()
        key = ("text", repr(given))
        if seen._model is None or seen._model[0] != key:
            seen._model = (key, _core.TextModel.estimate(seen._state, *given))
        return seen._model[1]

    def _model(self):
        return self._text_model().model

    def _score(self, X, form):
        text = self._text_model()
        return text.score(documents_of(X)[0], form)

    def predict(self, X):
        """The most probable class of each document."""
        best = self._score(X, "best")
        return self.classes_[best]

    def predict_proba(self, X):
        """p(class | document), classes in the order of ``classes_``."""
        return self._score(X, "posterior")

    def predict_log_proba(self, X):
        """log p(class | document), computed in the log domain."""
        return self._score(X, "log_posterior")

    def predict_joint_log_proba(self, X):
        """log p(document, class)."""
        return self._score(X, "joint")

    def log_evidence(self, X):
        """log p(document): low where no class explains it."""
        return self._score(X, "log_evidence")

    def explain(self, X):
        """What each word adds to each class's log joint.

        ``contributions`` is a sparse array (documents, classes, words), words in the order of
        ``get_feature_names_out()``; its sum over the words plus ``intercepts`` is the log joint.
        """
        import scipy.sparse as sp

        text = self._text_model()
        value, document, of_class, word, intercepts = text.explain(documents_of(X)[0])
        shape = (len(intercepts), len(self.classes_), len(text.words))
        return Explanation.of(self, sp.coo_array((value, (document, of_class, word)), shape=shape), intercepts, text.words)

    def sample(self, n_samples=1, random_state=None):
        """Draws labelled documents from the model: a list of strings, y."""
        documents, codes = self._text_model().sample(int(n_samples), seed_of(random_state))
        return documents, self.classes_[codes]

    def leave_one_out(self, X, y, sample_weight=None):
        """log p(class | document) of each training document, under the model refitted without it.

        Where the library cannot leave single documents out it says so: compare by folds instead.
        """
        text = self._text_model()
        codes = codes_of(text.model.classes, y)
        if (codes < 0).any():
            raise ValueError("y has labels that the model has not seen")
        weight = None if sample_weight is None else np.ascontiguousarray(sample_weight, dtype=np.float64)
        return text.leave_one_out(documents_of(X)[0], codes, weight)

    def _report_text(self, X, y, weight, format, columns):
        if columns:
            raise ValueError("documents have no columns to choose from")
        text = self._text_model()
        return text.report(documents_of(X)[0], codes_of(text.model.classes, y), weight, format)

    def get_feature_names_out(self, input_features=None):
        """The words of the vocabulary."""
        return np.array(self._text_model().words, dtype=object)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.classifier_tags.poor_score = True
        return tags


@documented
class TextClassifier(DocumentsMixin, BaseEstimator):
    """Documents classified by their words: a model of text per class, and Bayes' rule.

    Words are cut as scikit-learn's ``CountVectorizer`` does. Words that training never met tell nothing.

    Parameters
    ----------
    model : {"multinomial", "complement", "bernoulli", "ngram"}, default="multinomial"
        Counts of words; the same by the counts of all other classes; presence or absence of every word; words in their
        order, each given those before it.
    smoothing : float, default=1.0
        Pseudo-count of every word: 1 Laplace, 0.5 Jeffreys, any other Lidstone. Not of "ngram".
    estimate : {"map", "likelihood", "predictive"}, default="map"
        "predictive" is the Dirichlet-multinomial, which expects a word that has occurred to occur again.
    priors : None, "uniform" or array-like, default=None
    analyzer : {"word", "char", "char_wb"}, default="word"
    ngram_range : tuple (least, most), default=(1, 1)
    lowercase : bool, default=True
    strip_accents : {"ascii", "unicode"} or None, default=None
    token_pattern : str, default="(?u)\\\\b\\\\w\\\\w+\\\\b"
        Patterns of the kind "words of at least so many letters" are understood.
    stop_words : "english", another language, list of words or None, default=None
    stemmer : a Snowball language or None, default=None
    min_df, max_df : int (documents) or float (share of them), default=1, 1.0
    max_features : int or None, default=None
    binary : bool, default=False
        A word counts once a document.
    normalize_weights : bool, default=False
        Whether the complement's weights are normalised.
    idf : bool, default=False
        Whether counts are weighted by the inverse document frequency.
    document_norm : {"l2"} or None, default=None
        "l2" scales every document to length one after ``idf``, as ``TfidfTransformer``. It takes two passes over
        the documents, so such a model cannot be merged or fed in pieces. For "multinomial" and "complement".
    document_length : {"none", "poisson", "negative_binomial"}, default="none"
        A model of how many words a document of a class has.
    hash_features : int or None, default=None
        Words are hashed into so many buckets, for a vocabulary that never grows.
    order : int, default=3
        Of "ngram": 1 to 5.
    ngram_smoothing : {"kneser_ney", "witten_bell"}, default="kneser_ney"
        How "ngram" shares out what rare words leave.
    unlabeled : default=None
        A label that means: not known. None: there is none.
    unlabeled_weight : float, default=1.0
        How much a document without a label counts in EM (Nigam, McCallum, Thrun, Mitchell 2000).

    Attributes
    ----------
    <attributes of classifiers>

    See Also
    --------
    MultinomialNB, ComplementNB, BernoulliNB : On matrices of counts.
    CountVectorizer : From documents to such matrices.

    Notes
    -----
    <what sums add>

    Examples
    --------
    >>> from suffice import TextClassifier
    >>> documents = ["the cat sat on the mat", "a dog and a cat", "stocks fell on monday", "the bank raised rates"]
    >>> model = TextClassifier().fit(documents, ["pets", "pets", "money", "money"])
    >>> model.predict(["my dog chased the cat", "rates fell"]).tolist()
    ['pets', 'money']
    >>> halves = TextClassifier().fit(documents[:2], ["pets"] * 2) + TextClassifier().fit(documents[2:], ["money"] * 2)
    >>> bool((halves.predict_proba(documents) == model.predict_proba(documents)).all())
    True
    """

    def __init__(self, model="multinomial", *, smoothing=1.0, estimate="map", priors=None, analyzer="word",
                 ngram_range=(1, 1), lowercase=True, strip_accents=None, token_pattern=r"(?u)\b\w\w+\b",
                 stop_words=None, stemmer=None, min_df=1, max_df=1.0, max_features=None, binary=False,
                 normalize_weights=False, idf=False, document_norm=None, document_length="none", hash_features=None, order=3,
                 ngram_smoothing="kneser_ney", unlabeled=None, unlabeled_weight=1.0):
        self.model = model
        self.smoothing = smoothing
        self.estimate = estimate
        self.priors = priors
        self.analyzer = analyzer
        self.ngram_range = ngram_range
        self.lowercase = lowercase
        self.strip_accents = strip_accents
        self.token_pattern = token_pattern
        self.stop_words = stop_words
        self.stemmer = stemmer
        self.min_df = min_df
        self.max_df = max_df
        self.max_features = max_features
        self.binary = binary
        self.normalize_weights = normalize_weights
        self.idf = idf
        self.document_norm = document_norm
        self.document_length = document_length
        self.hash_features = hash_features
        self.order = order
        self.ngram_smoothing = ngram_smoothing
        self.unlabeled = unlabeled
        self.unlabeled_weight = unlabeled_weight

    def _recipe_for(self, labels):
        if self.model not in MODELS:
            raise ValueError(f"model must be one of {', '.join(MODELS)}, not {self.model!r}")
        settings = {"estimate": self.estimate, "smoothing": float(self.smoothing),
                    "min_df": _least(self.min_df), "max_df": _most(self.max_df),
                    "max_features": int(self.max_features or 0), "normalize_weights": bool(self.normalize_weights),
                    "idf": bool(self.idf), "document_length": self.document_length, "ngram_smoothing": self.ngram_smoothing,
                    **prior_settings(self.priors, labels)}
        return MODELS[self.model], settings

    def _text_options(self):
        least = shortest_word(self.token_pattern)
        if least is None:
            raise ValueError(f"the token pattern {self.token_pattern!r} needs Python for every word; words of at least "
                             r"k letters are \w{k,}, else use CountVectorizer and MultinomialNB")
        options = {"analyzer": self.analyzer, "ngrams": tuple(map(int, self.ngram_range)),
                   "lowercase": bool(self.lowercase), "strip_accents": self.strip_accents or "none",
                   "minimum_length": least, "stop_words": _stop_words(self.stop_words),
                   "stemmer": self.stemmer or "", "binary": bool(self.binary),
                   "hash_features": int(self.hash_features or 0), "alternate_sign": False}
        if self.model == "ngram":
            options |= {"in_order": True, "minimum_length": 1 if self.token_pattern == _USUAL else least}
        return options

    def _blank_documents(self, labels):
        name, settings = self._recipe_for(labels)
        state = _core.make_text(name, settings, self._text_options(), int(self.order), labels.dtype.kind in "iu")
        return Statistics(state, labels)


_USUAL = r"(?u)\b\w\w+\b"


def _stop_words(given):
    if given is None:
        return []
    if given == "english":
        return sorted(ENGLISH_STOP_WORDS)
    return _core.stop_words(given) if isinstance(given, str) else [str(word) for word in given]


# A whole number counts documents, any other is a share of them; the library tells them apart by being above one.
def _least(min_df):
    return float(min_df) if isinstance(min_df, Integral) else min(float(min_df), 1 - 1e-12)


def _most(max_df):
    return float(max_df) if not isinstance(max_df, Integral) else max(float(max_df), math.nextafter(1.0, 2.0))
