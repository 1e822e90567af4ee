"""Vectorizers named and shaped as scikit-learn's, which read a list of strings in place and count it on all cores.

They are scikit-learn's own classes with the counting replaced, so parameters, attributes, warnings and errors are
those. What is counted natively: analyzers "word", "char" and "char_wb", any ``ngram_range``, ``stop_words``,
``strip_accents`` by name and a ``token_pattern`` that means "words of at least so many letters". A tokenizer,
preprocessor or analyzer written in Python, another pattern, a subclass that overrides how documents are analysed, and
strings with lone surrogates go through scikit-learn's loop in Python: the same result, at its speed (some 15 MB/s).
"""
import copy
import re
from numbers import Integral

import numpy as np
import scipy.sparse as sp
from sklearn.feature_extraction import text as theirs
from sklearn.preprocessing import normalize
from sklearn.utils._sparse import _align_api_if_sparse

from suffice import _core
from suffice.shared_docs import documented

__all__ = ["CountVectorizer", "HashingVectorizer", "TfidfTransformer", "TfidfVectorizer"]

# Patterns that take the longest runs of word letters, if long enough. Where they start and end, \b holds anyway.
_RUNS = re.compile(r"(?:\(\?u\))?(?:\\b)?(?:(?P<letters>(?:\\w)+)\+|\\w\{(?P<least>[1-9]\d{0,2}),\})(?:\\b)?")
# What must be scikit-learn's own for its result to be known without calling it.
_STEPS = ("build_analyzer", "build_preprocessor", "build_tokenizer", "get_stop_words", "decode", "_word_ngrams",
          "_char_ngrams", "_char_wb_ngrams")
_MOST_BUCKETS = 1 << 26  # beyond, tables with a place for every bucket are too large


def shortest_word(pattern):
    """How many letters a word has at least, or None if the pattern means something else."""
    found = _RUNS.fullmatch(pattern) if isinstance(pattern, str) else None
    if found is None:
        return None
    return len(found["letters"]) // 2 if found["letters"] else int(found["least"])


def _is_whole(value):
    return isinstance(value, Integral) and not isinstance(value, bool)


class NativeAnalysis:
    """Which vectorizers the library can stand in for, and the counting."""

    def _native_options(self):
        """The library's options for these parameters, or None where only Python can follow them."""
        mixin = theirs._VectorizerMixin
        own = all(getattr(type(self), step) is getattr(mixin, step) and step not in vars(self) for step in _STEPS)
        if not own or self.preprocessor is not None or self.analyzer not in ("word", "char", "char_wb") \
                or (self.strip_accents or "none") not in ("none", "ascii", "unicode"):
            return None
        least, most = self.ngram_range
        if not (_is_whole(least) and _is_whole(most) and 1 <= least <= most < 1000):
            return None
        options = {"analyzer": self.analyzer, "lowercase": bool(self.lowercase), "ngrams": (int(least), int(most)),
                   "strip_accents": self.strip_accents or "none"}
        if self.analyzer == "word":
            options["minimum_length"] = None if self.tokenizer is not None else shortest_word(self.token_pattern)
            options["stop_words"] = sorted(self.get_stop_words() or (), key=str)
            if options["minimum_length"] is None or not all(isinstance(word, str) for word in options["stop_words"]):
                return None
        return options

    def _strings(self, raw_documents):
        if self.input != "content":
            return [self.decode(document) for document in raw_documents]
        documents = raw_documents if type(raw_documents) in (list, tuple) else list(raw_documents)
        if any(type(document) is not str for document in documents):
            documents = [self.decode(document) for document in documents]
        return documents if isinstance(documents, list) else list(documents)

    def _natively(self, count, documents, *given):
        """What the library makes of the documents, or None where it cannot read one of them."""
        if any(not isinstance(document, str) for document in documents):
            return None
        try:
            return count(documents, *given, np.dtype(self.dtype).kind in "iub")
        except UnicodeEncodeError:
            return None

    def _of_strings(self):
        """This vectorizer, for documents that are decoded already."""
        other = copy.copy(self)
        other.input = "content"
        return other

    def _as_matrix(self, parts, column_count):
        data, columns, starts = parts
        narrow = len(columns) <= np.iinfo(np.int32).max
        columns, starts = (columns, starts.astype(np.int32)) if narrow else (columns.astype(np.int64), starts)
        X = sp.csr_array((data.astype(self.dtype, copy=False), columns, starts), shape=(len(starts) - 1, column_count))
        X.has_canonical_format = True
        return _align_api_if_sparse(X)


@documented
class CountVectorizer(NativeAnalysis, theirs.CountVectorizer):
    """Documents into a matrix of token counts, as ``sklearn.feature_extraction.text.CountVectorizer``.

    A row for each document, a column for each word of the vocabulary, which is learned from the documents or given; what a
    word is, which are left out and whether runs of words count too is said by the parameters.

    Parameters
    ----------
    <parameters of documents>
    <parameters of vocabularies>
    dtype : dtype, default=np.int64
        Of the matrix.

    Attributes
    ----------
    vocabulary_ : dict
        The column of each word; columns are in the order of the words, so that they do not depend on that of documents.
    fixed_vocabulary_ : bool
        Whether it was given, so that nothing was learned.

    See Also
    --------
    HashingVectorizer : No vocabulary: columns by hash.
    TfidfVectorizer : Weights in the place of counts.
    TextClassifier : From documents to classes in one object, in constant memory.

    Notes
    -----
    <how words are counted>

    <methods of vectorizers>

    Examples
    --------
    >>> from suffice import CountVectorizer
    >>> vectorizer = CountVectorizer()
    >>> X = vectorizer.fit_transform(["the cat sat", "the dog sat on the cat"])
    >>> vectorizer.get_feature_names_out().tolist()
    ['cat', 'dog', 'on', 'sat', 'the']
    >>> X.toarray().tolist()
    [[1, 0, 0, 1, 1], [1, 1, 1, 1, 2]]
    """

    def _count_vocab(self, raw_documents, fixed_vocab):
        self.build_analyzer()  # its warnings and errors
        options = self._native_options()
        words = self._known_words() if fixed_vocab and options is not None else None
        if options is None or (fixed_vocab and words is None):
            return super()._count_vocab(raw_documents, fixed_vocab)
        documents = self._strings(raw_documents)
        if fixed_vocab:
            made = self._natively(_core.count_known_words, documents, options, words)
        else:
            made = self._natively(_core.count_words, documents, options)
        if made is None:
            return theirs.CountVectorizer._count_vocab(self._of_strings(), documents, fixed_vocab)
        if fixed_vocab:
            return self.vocabulary_, self._as_matrix(made, len(self.vocabulary_))
        words = made[3]
        if len(words) == 0:
            raise ValueError("empty vocabulary; perhaps the documents only contain stop words")
        return words, self._as_matrix(made[:3], len(words))

    def _known_words(self):
        """The library's form of ``vocabulary_``, made once; None where a term is no string."""
        kept = vars(self).get("_words")
        if kept is None or kept[0] is not self.vocabulary_ or len(kept[1]) != len(self.vocabulary_):
            try:
                kept = (self.vocabulary_, _core.WordColumns.from_dict(self.vocabulary_))
            except (TypeError, UnicodeEncodeError):
                return None
            self._words = kept
        return kept[1]

    # Native words come in alphabetical order already, and stay out of Python until it is known which are kept.
    def _sort_features(self, X, vocabulary):
        if isinstance(vocabulary, _core.WordColumns):
            return X
        return super()._sort_features(X, vocabulary)

    def _limit_features(self, X, vocabulary, high=None, low=None, limit=None):
        if not isinstance(vocabulary, _core.WordColumns):
            return super()._limit_features(X, vocabulary, high, low, limit)
        frequency = np.bincount(X.indices, minlength=X.shape[1])
        kept = (frequency <= high) & (frequency >= low)
        if limit is not None and kept.sum() > limit:
            # Ties fall as NumPy's sort lets them, so it must be the sort that scikit-learn calls.
            total = np.asarray(X.sum(axis=0)).ravel()
            best = (-total[kept]).argsort()[:limit]
            among = np.flatnonzero(kept)
            kept = np.zeros(len(kept), dtype=bool)
            kept[among[best]] = True
        if kept.all():
            return X
        if not kept.any():
            raise ValueError("After pruning, no terms remain. Try a lower min_df or a higher max_df.")
        self._kept = np.where(kept, np.cumsum(kept) - 1, -1).astype(np.int32)
        return _without_columns(X, kept, self._kept)

    def fit_transform(self, raw_documents, y=None):
        """Learns the vocabulary and returns the documents' counts: one row per document, one column per term."""
        vars(self).pop("_words", None)
        try:
            X = super().fit_transform(raw_documents)
        finally:
            kept = vars(self).pop("_kept", None)
        words = self.vocabulary_
        if isinstance(words, _core.WordColumns):
            self.vocabulary_ = words.to_dict(kept)
            if kept is None:
                self._words = (self.vocabulary_, words)
        return X

    def __getstate__(self):
        state = super().__getstate__()
        state.pop("_words", None)
        return state


def _without_columns(X, kept, place):
    stays = kept[X.indices]
    starts = np.concatenate(([0], np.cumsum(stays)))[X.indptr].astype(X.indptr.dtype)
    made = type(X)((X.data[stays], place[X.indices[stays]], starts), shape=(X.shape[0], int(kept.sum())))
    made.has_canonical_format = True
    return made


@documented
class HashingVectorizer(NativeAnalysis, theirs.HashingVectorizer, auto_wrap_output_keys=None):
    """Documents into a matrix of hashed token counts, as ``sklearn.feature_extraction.text.HashingVectorizer``.

    The column of a word is a hash of it (MurmurHash3, as there), so that nothing is learned, nothing is kept, and documents can
    be taken piece by piece or in many places at once. What is lost: columns have no names, and two words may share one.

    Parameters
    ----------
    <parameters of documents>
    n_features : int, default=2**20
        Columns; the more, the fewer words share one.
    binary : bool, default=False
        Whether a word is there, not how often.
    norm : {"l1", "l2"} or None, default="l2"
        The length that every row is brought to.
    alternate_sign : bool, default=True
        Half of the words count negatively, by another bit of the hash, so that words in one column cancel on average. Set it to
        False for naive Bayes, which takes no negative counts.
    dtype : dtype, default=np.float64
        Of the matrix.

    See Also
    --------
    CountVectorizer : Columns with names.
    TfidfVectorizer : Weights by rarity.

    Notes
    -----
    <how words are counted>

    ``fit`` and ``partial_fit`` do nothing, and are there for pipelines. ``inverse_transform`` and names of columns there are
    none. Rows of a document that has no words are empty.

    <methods of vectorizers>

    Examples
    --------
    >>> from suffice import HashingVectorizer
    >>> HashingVectorizer(n_features=16).transform(["the cat sat", "the dog sat"]).shape
    (2, 16)
    """

    def transform(self, X):
        """Hashed counts of the documents, normalised as ``norm`` says."""
        options = None if isinstance(X, str) or self.n_features > _MOST_BUCKETS else self._native_options()
        if options is None:
            return super().transform(X)
        self._validate_ngram_range()
        self.build_analyzer()  # its warnings and errors
        documents = self._strings(X)
        options |= {"hash_features": int(self.n_features), "alternate_sign": bool(self.alternate_sign)}
        made = self._natively(_core.hash_words, documents, options) if documents else None
        if made is None:
            return theirs.HashingVectorizer.transform(self._of_strings(), documents)
        hashed = self._as_matrix(made, self.n_features)
        if self.binary:
            hashed.data.fill(1)
        if self.norm is not None:
            hashed = normalize(hashed, norm=self.norm, copy=False)
        return _align_api_if_sparse(hashed)


@documented
class TfidfTransformer(theirs.TfidfTransformer, auto_wrap_output_keys=None):
    """Counts into tf-idf weights, as ``sklearn.feature_extraction.text.TfidfTransformer``.

    The weight of a word in a document is its count (tf) times how rare it is among documents (idf), and rows are brought to
    length one, so that long and short documents compare.

    Parameters
    ----------
    <parameters of tf-idf>

    Attributes
    ----------
    idf_ : ndarray of shape (n_features,)
        The weights of words; only where ``use_idf`` is set.
    n_features_in_ : int
        Columns of X in ``fit``.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, where X has them.

    See Also
    --------
    CountVectorizer : Counts from raw documents.
    TfidfVectorizer : Both in one.

    Notes
    -----
    ``fit(X)`` counts in how many documents each word is, ``transform(X, copy=True)`` weighs; with ``copy=False`` a sparse
    matrix of floats is changed in place. Sparse matrices stay sparse; dense arrays become sparse, as there.

    idf is learned from counts, and counts add up: a transformer's idf is a function of two sums, the number of documents and
    the number that has each word. ``TextClassifier(..., idf=True)`` and the command's text models use that: they keep the sums,
    weigh at estimate time, and so still merge and subtract exactly where no length is normalised.

    A word that no document of ``fit`` has gets the largest weight there is under ``smooth_idf``; without it the weight would be
    infinite, and the division is warned about as in scikit-learn.

    ``get_feature_names_out(names)`` passes names through, so that pipelines can tell their columns. Rows without any word stay
    rows of zeros. Weights of float32 counts are float32. In a pipeline it stands behind ``CountVectorizer`` or
    ``HashingVectorizer`` (with ``norm=None`` there), before a classifier that takes sparse rows, such as ``MultinomialNB``,
    ``ComplementNB`` or ``LogisticRegression``; ``ComplementNB`` gains most by it.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import TfidfTransformer
    >>> TfidfTransformer().fit_transform(np.array([[3, 0], [2, 0], [3, 2]])).toarray().round(4).tolist()
    [[1.0, 0.0], [1.0, 0.0], [0.6631, 0.7485]]
    """


@documented
class TfidfVectorizer(theirs.TfidfVectorizer, CountVectorizer):
    """Documents into tf-idf weights, as ``sklearn.feature_extraction.text.TfidfVectorizer``: ``CountVectorizer`` and
    ``TfidfTransformer`` in one.

    Parameters
    ----------
    <parameters of documents>
    <parameters of vocabularies>
    dtype : dtype, default=np.float64
        Of the matrix.
    <parameters of tf-idf>

    Attributes
    ----------
    vocabulary_ : dict
        The column of each word.
    fixed_vocabulary_ : bool
        Whether it was given.
    idf_ : ndarray of shape (n_features,)
        The weights of words; only where ``use_idf`` is set.

    See Also
    --------
    CountVectorizer, TfidfTransformer : The two steps by themselves.
    HashingVectorizer : No vocabulary: columns by hash.

    Notes
    -----
    <how words are counted>

    <methods of vectorizers>

    Examples
    --------
    >>> from suffice import TfidfVectorizer
    >>> X = TfidfVectorizer().fit_transform(["the cat sat", "the dog sat on the cat"])
    >>> X.shape
    (2, 5)
    """
