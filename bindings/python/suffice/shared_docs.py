"""Passages that the documentation of several classes has in common, each written once.

A class marked with ``documented`` names a passage in its docstring by a line such as ``<what sums add>``.
"""
import textwrap

_PASSAGES = {
    "what sums add": """
        Beside scikit-learn's methods, because the model is a function of sums over rows:

        ``a + b``, ``a - b``, ``a.decay(f)``
            The model of the rows of both, of the rows of one without those of the other, of rows that count f each.
        ``partial_fit(X, y, classes=None, sample_weight=None)``
            Rows piece by piece; equals ``fit`` on all of them, whatever the pieces.
        ``statistics_``
            What was seen, as a value: ``to_bytes()``, ``Statistics.from_bytes``, ``+``, ``-``.
        ``explain(X)``
            ``contributions`` (rows, classes, columns) and ``intercepts`` (rows, classes), which sum to the log joint.
        ``log_evidence(X)``, ``sample(n, random_state=None)``
            log p(x) of each row, with which novelty is told; rows drawn from the model, with their classes.
        ``leave_one_out(X, y)``
            Log posteriors of every row by the model without it, in closed form.
        ``save(path)``, ``to_onnx()``, ``to_c()``, ``to_sql()``, ``report(X, y)``
            The file that the command and C++ read; formulas for other programs; a page with pictures.
        ``parameter_count_``, ``log_likelihood_``, ``bic_``, ``aic_``
            Of the joint likelihood log p(x, y) of the training rows.
    """,
    "attributes of classifiers": """
        classes_ : ndarray of shape (n_classes,)
            The labels, sorted.
        n_features_in_ : int
            Columns of X.
        feature_names_in_ : ndarray of shape (n_features_in_,)
            Their names, where X is a data frame whose columns are all named by strings.
    """,
    "parameters of smoothed counts": """
        force_alpha : bool, default=True
            Whether an ``alpha`` below 1e-10 is used as it is; otherwise it is raised to that, so that no logarithm is
            infinite.
        fit_prior : bool, default=True
            Learn the class probabilities from the rows; False: all classes are as probable as each other.
        class_prior : array-like of shape (n_classes,), default=None
            Class probabilities that are given; the rows do not change them then.
    """,
    "attributes of smoothed counts": """
        class_count_ : ndarray of shape (n_classes,)
            Weight of the rows of each class.
        class_log_prior_ : ndarray of shape (n_classes,)
            Logarithms of the class probabilities, as ``fit_prior`` and ``class_prior`` say.
    """,
    "parameters of documents": r"""
        input : {"filename", "file", "content"}, default="content"
            What is passed: paths, objects with ``read``, or the text itself (str or bytes).
        encoding : str, default="utf-8"
            Of bytes and files.
        decode_error : {"strict", "ignore", "replace"}, default="strict"
            What happens to bytes that the encoding does not have.
        strip_accents : {"ascii", "unicode"} or callable, default=None
            Take accents off letters: by what ASCII has, or by Unicode's decomposition.
        lowercase : bool, default=True
            Make letters small before words are told apart.
        preprocessor, tokenizer : callable, default=None
            Functions of your own, from text to text and from text to words. They run in Python, at its speed.
        stop_words : {"english"} or list, default=None
            Words that are not counted.
        token_pattern : str, default=r"(?u)\b\w\w+\b"
            What a word is. Patterns of the form "words of so many letters" are counted natively.
        ngram_range : tuple (min_n, max_n), default=(1, 1)
            Words by themselves, and runs of as many as this.
        analyzer : {"word", "char", "char_wb"} or callable, default="word"
            Words, letters, letters within words; or a function of your own from text to features.
    """,
    "parameters of vocabularies": """
        max_df, min_df : float in [0, 1] or int, default=1.0 and 1
            Words in more than ``max_df`` or fewer than ``min_df`` documents (shares or numbers) are left out of a
            vocabulary that is learned.
        max_features : int, default=None
            At most so many words, those that come most often.
        vocabulary : mapping or iterable, default=None
            The words and their columns where they are known; nothing is learned then.
        binary : bool, default=False
            Whether a word is there, not how often.
    """,
    "parameters of tf-idf": """
        norm : {"l1", "l2"} or None, default="l2"
            The length that every row is brought to.
        use_idf : bool, default=True
            Weigh words by how few documents have them, log(n / df) + 1.
        smooth_idf : bool, default=True
            Count one document more that has every word: log((1 + n) / (1 + df)) + 1, never infinite.
        sublinear_tf : bool, default=False
            1 + log(count) in the place of counts.
    """,
    "how words are counted": """
        Texts are cut into words and counted in C++, in all threads; the results are scikit-learn's, word for word.
        What is written in Python (a tokenizer, a preprocessor, an analyzer, other patterns) takes scikit-learn's own
        loop: the same counts at its speed. ``suffice.text`` says which is which.
    """,
    "parameters of regressions": """
        dual : bool, default=False
            Accepted for the sake of programs that say it; the minimum is the same.
        tol : float, default=1e-4
            The search ends where the largest entry of the gradient, per row, is below it; Newton's last step usually
            lands much nearer.
        fit_intercept : bool, default=True
            False: boundaries go through zero.
        intercept_scaling : float, default=1
            With ``solver="liblinear"`` the intercept is penalised as the coefficient of a column of this number.
        class_weight : dict or "balanced", default=None
            Factors on the weights of rows by class; "balanced": every class weighs the same in all.
        random_state : int or RandomState, default=None
            Accepted; nothing is drawn at random.
        solver : {"lbfgs", "liblinear", "newton-cg", "newton-cholesky", "sag", "saga"}, default="lbfgs"
            Means the objective that the solver of this name has in scikit-learn; the minimum is found by Newton's
            method, or by what suits the size of the data.
        max_iter : int, default=100
            The most steps; a warning says where they were not enough.
        verbose : int, default=0
            Accepted; see ``suffice.newton_steps`` for the steps themselves.
        n_jobs : int, default=None
            Accepted; threads follow ``SUFFICE_THREADS``, ``threadpoolctl`` and joblib's workers.
    """,
    "attributes of regressions": """
        coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
            Coefficients; of two classes those of the second against the first.
        intercept_ : ndarray of shape (1,) or (n_classes,)
            Zeros without ``fit_intercept``.
        n_iter_ : ndarray
            Steps that the search took.
    """,
    "attributes of mixtures": """
        weights_ : ndarray of shape (n_components,)
            Shares of the components; they sum to one.
        means_ : ndarray of shape (n_components, n_features)
        covariances_ : ndarray
            Its shape follows ``covariance_type``: (n_components, d, d) for "full", (d, d) for "tied",
            (n_components, d) for "diag", (n_components,) for "spherical".
        precisions_, precisions_cholesky_ : ndarray
            Inverses of the covariances, and their Cholesky factors, in the same shapes.
        converged_ : bool
            Whether the last step changed the bound by less than ``tol``.
        n_iter_ : int
            Steps of the start that won.
        lower_bound_, lower_bounds_ : float and list of float
            The bound per row at the end, and after each step; it never falls.
    """,
    "methods of mixtures": """
        ``predict``, ``predict_proba`` (responsibilities), ``score_samples`` (log density of rows), ``score`` (their mean),
        ``sample(n)``, ``fit_predict``, ``bic(X)`` and ``aic(X)`` are scikit-learn's. A row or a column in other units changes
        nothing but ``reg_covar``'s part; EM climbs to a local maximum, so several starts (``n_init``) are worth their time.
        The file that ``save`` writes is read by ``suffice inspect``, ``suffice predict`` and ``suffice.load``.
    """,
    "methods of vectorizers": """
        ``fit(documents)`` learns the words, ``transform(documents)`` counts, ``fit_transform`` does both in one run over
        the texts, which is much the quickest. ``get_feature_names_out()`` names the columns in their order,
        ``inverse_transform(X)`` lists the words of each row, ``build_analyzer()`` gives the function from a text to its
        words. Matrices are scipy's, in CSR form with sorted columns.

        Words are those of Unicode: letters, marks and digits of every script, by tables that ship with the library, so that
        results are the same on every machine. Large collections are cut into pieces that are counted side by side;
        vocabularies are united in the order of the documents, and then sorted, as there.

        A pickle holds parameters and the vocabulary alone. Both work in pipelines, in ``ColumnTransformer`` and under
        ``GridSearchCV``; ``suffice.patch()`` puts them in the place of scikit-learn's in programs that do not know of them.
    """,
    "methods of regressions": """
        ``decision_function(X)`` are the scores, ``predict_proba(X)`` and ``predict_log_proba(X)`` their softmax; the latter is
        computed as a logarithm and stays finite where the former is rounded to zero. ``predict_proba(X, moderated=True)``
        averages over Laplace's posterior of the coefficients, where the covariance is known: less sure far from the rows.
        ``table()`` gives intervals and tests of the coefficients, as R's ``summary(glm)``.
        ``explain(X)`` tells what each column adds to each score, ``save(path)`` writes the command's file, ``to_onnx()``,
        ``to_c()`` and ``to_sql()`` the formula for other programs, ``sparsify()`` and ``densify()`` change the form of
        ``coef_``. Sparse rows are read where they lie, float32 rows without a copy.
    """,
    "parameters of mixtures": """
        covariance_type : {"full", "tied", "diag", "spherical"}, default="full"
            A covariance for each component, one for all, variances alone, or one variance for each.
        tol : float, default=1e-3
            EM ends where a step gains less than this per row.
        reg_covar : float, default=1e-6
            Added to variances, so that no component collapses onto a row.
        max_iter : int, default=100
            The most steps of one start.
        n_init : int, default=1
            Starts; the best is kept.
        init_params : {"kmeans", "k-means++", "random", "random_from_data"}, default="kmeans"
            How responsibilities are had to begin with.
    """,
    "rest of mixtures": """
        random_state : int, RandomState or None, default=None
            Of the starts.
        warm_start : bool, default=False
            ``fit`` goes on from where the last one ended.
        verbose, verbose_interval : int, default=0 and 10
            Whether progress is told, and how often.
    """,
    "parameters of centres": """
        init : {"k-means++", "random"}, callable or array-like of shape (n_clusters, n_features), default="k-means++"
            Greedy k-means++ (each centre the best of 2 + log k draws), rows at random, or centres that are given.
        verbose : int, default=0
            Accepted.
        random_state : int, RandomState or None, default=None
            Of the starts; an int gives the same centres on every machine.
    """,
    "attributes of centres": """
        cluster_centers_ : ndarray of shape (n_clusters, n_features)
        labels_ : ndarray of shape (n_samples,)
            The nearest centre of each row of ``fit``.
        inertia_ : float
            Sum of the squared distances to them, weighted by ``sample_weight``.
        n_iter_ : int
            Steps that were taken.
        n_features_in_ : int
        feature_names_in_ : ndarray of shape (n_features_in_,)
            Names of the columns, where X has them.
    """,
    "parameters of discriminants": """
        shrinkage : None, "auto" or float in [0, 1], default=None
            Mix the covariance with a multiple of the identity: by Ledoit and Wolf's share, or by a given one. Not
            with ``solver="svd"``.
        priors : array-like of shape (n_classes,), default=None
            Class probabilities; None: their shares of the training rows.
    """,
    "more parameters of discriminants": """
        store_covariance : bool, default=False
            Keep ``covariance_`` with ``solver="svd"`` too.
        tol : float, default=1e-4
            Singular values below it count as zero: the rank of the rows within classes, told by ``rank_``.
        covariance_estimator : object with ``fit`` and ``covariance_``, default=None
            Estimates the covariance of each class instead; no ``partial_fit`` and no ``sample_weight`` then.
    """,
}


def documented(cls):
    """Fills the passages that the class's docstring names."""
    lines = []
    for line in (cls.__doc__ or "").splitlines():
        name = line.strip()
        if name.startswith("<") and name.endswith(">") and name[1:-1] in _PASSAGES:
            indent = line[:len(line) - len(line.lstrip())]
            passage = textwrap.dedent(_PASSAGES[name[1:-1]].strip("\n")).rstrip()
            lines += [indent + each if each else "" for each in passage.splitlines()]
        else:
            lines.append(line)
    cls.__doc__ = "\n".join(lines)
    return cls
