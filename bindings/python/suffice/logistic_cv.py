"""Logistic regression whose penalty is chosen by cross-validation, along paths of warm starts; as scikit-learn's."""
import inspect
import numbers
import warnings

import numpy as np
from sklearn.base import _fit_context
from sklearn.linear_model import LogisticRegressionCV as _TheirLogisticRegressionCV
from sklearn.linear_model._logistic import _check_solver
from sklearn.metrics import get_scorer, make_scorer
from sklearn.model_selection import check_cv
from sklearn.utils.metadata_routing import _manual_routing, _raise_for_params, _routing_enabled, process_routing
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_method_params, _check_sample_weight, validate_data

from suffice import _core
from suffice.deciding import DecidingMixin
from suffice.logistic import LogisticRegression, class_factors, fit_classes, solver_settings, strengths, warn_of
from suffice.logistic_offset import beside, offset_array
from suffice.logistic_predictions import LinearPredictions, by_class, from_classes
from suffice.statistics import class_names
from suffice.shared_docs import documented

__all__ = ["LogisticRegressionCV"]


def _penalty_and_ratios(estimator):
    """(penalty, the ratios as the user means them or None, the ratios to try), with scikit-learn's warnings."""
    ratios = estimator.l1_ratios
    if isinstance(ratios, str):
        ratios = None
        warnings.warn("The default value for l1_ratios will change from None to (0.0,) in version 1.10. From version "
                      "1.10 onwards, only array-like with values in [0, 1] will be allowed, None will be forbidden. To "
                      "avoid this warning, explicitly set a value, e.g. l1_ratios=(0,).", FutureWarning, stacklevel=3)
    if estimator.penalty == "deprecated":
        if estimator.l1_ratios is None:
            warnings.warn("'l1_ratios=None' was deprecated in version 1.8 and will trigger an error in 1.10. Use an "
                          "array-like with values in [0, 1] instead.", FutureWarning, stacklevel=3)
        values = np.asarray(ratios)
        penalty = "l2" if ratios is None or np.all(values == 0) else "l1" if np.all(values == 1) else "elasticnet"
    else:
        penalty = estimator.penalty
        warnings.warn("'penalty' was deprecated in version 1.8 and will be removed in 1.10. To avoid this warning, leave "
                      "'penalty' set to its default value and use 'l1_ratios' and 'Cs' instead. Use l1_ratios=(0,) "
                      "instead of penalty='l2', l1_ratios=(1,) instead of penalty='l1', l1_ratios set to floats between "
                      "0 and 1 instead of penalty='elasticnet', and Cs=(np.inf,) instead of penalty=None.",
                      FutureWarning, stacklevel=3)
    return penalty, ratios


def _check_ratios(estimator, penalty, ratios):
    if penalty == "elasticnet":
        if ratios is None or len(ratios) == 0 or any(
                not isinstance(each, numbers.Number) or each < 0 or each > 1 for each in ratios):
            raise ValueError(f"l1_ratios must be an array-like of numbers between 0 and 1; got (l1_ratios={ratios!r})")
        return ratios
    if ratios is not None and estimator.penalty != "deprecated":
        warnings.warn("l1_ratios parameter is only used when penalty is 'elasticnet'. Got "
                      f"(penalty={penalty})", stacklevel=3)
    return [None] if ratios is None else ratios


def _changes_to_come(estimator):
    """(scoring, whether attributes keep their old shapes), with scikit-learn's warnings."""
    scoring, legacy = estimator.scoring, estimator.use_legacy_attributes
    if isinstance(scoring, str) and scoring == "warn":
        warnings.warn("The default value of the parameter 'scoring' will change from None, i.e. accuracy, to "
                      "'neg_log_loss' in version 1.11. To silence this warning, explicitly set the scoring parameter: "
                      "scoring='neg_log_loss' for the new, scoring='accuracy' or scoring=None for the old default.",
                      FutureWarning, stacklevel=3)
        scoring = None
    if isinstance(legacy, str):
        warnings.warn("The fitted attributes of LogisticRegressionCV will be simplified in scikit-learn 1.10 to remove "
                      "redundancy. Set`use_legacy_attributes=False` to enable the new behavior now, or set it to `True` "
                      "to silence this warning during the transition period while keeping the deprecated behavior for "
                      "the time being. The default value of use_legacy_attributes will change from True to False in "
                      "scikit-learn 1.10. See the docstring of LogisticRegressionCV for more details.",
                      FutureWarning, stacklevel=3)
        legacy = True
    return scoring, legacy


def _score_function(scoring, classes, X, test, params):
    """A function of a fitted model, its rows and labels; scorers that take labels are told all classes."""
    scorer = get_scorer(scoring)
    params = _check_method_params(X=X, params=params or {}, indices=test)
    known = inspect.signature(scorer._score_func).parameters if hasattr(scorer, "_score_func") else []
    if "labels" in known:
        positive = {"pos_label": classes[-1]} if len(classes) <= 2 and "pos_label" in known else {}
        scorer = make_scorer(scorer._score_func, greater_is_better=scorer._sign == 1,
                             response_method=scorer._response_method, labels=classes, **positive,
                             **getattr(scorer, "_kwargs", {}))
    return lambda model, rows, labels: scorer(model, rows, labels, **params)


class _Path:
    """Fits for one penalty after another, each from where the last one stands."""

    def __init__(self, estimator, X, codes, weight, factors, penalty):
        self.estimator, self.X, self.codes, self.weight, self.penalty = estimator, X, codes, weight, penalty
        self.start = None
        self.own = {"inference": "none"}
        if factors is not None:
            self.own["class_weight"] = factors.tolist()
        if X.shape[1] > estimator.n_features_in_:  # columns of offsets
            self.own["offset"] = [f"x{k}" for k in range(estimator.n_features_in_, X.shape[1])]

    def fit(self, C, l1_ratio):
        """(coefficients with the intercept last, one line per class or one for two classes; how many steps)"""
        settings = solver_settings(self.estimator, C, self.penalty, l1_ratio) | self.own
        model, coef, intercept = fit_classes(self.X, self.codes, self.weight, self.estimator.classes_, settings,
                                             self.start)
        self.start = coef, intercept
        if model is not None:
            warn_of(self.estimator, model)
        coef, intercept = from_classes(coef, intercept)
        lines = np.hstack([coef, intercept[:, None]]) if self.estimator.fit_intercept else coef
        return lines, 0 if model is None else min(model.iterations, self.estimator.max_iter)


@documented
class LogisticRegressionCV(LinearPredictions, DecidingMixin, _TheirLogisticRegressionCV):
    """Logistic regression with the penalty chosen by cross-validation, as ``sklearn.linear_model.LogisticRegressionCV``.

    For every fold and every share of magnitudes the penalties are gone through from the strongest on, each search starting
    where the last ended, which costs a few steps each; the best by ``scoring`` is fitted to all rows.

    Parameters
    ----------
    Cs : int or list of float, default=10
        Strengths that are tried (one over the penalty); an int: so many between 1e-4 and 1e4, evenly on a logarithmic scale.
    l1_ratios : array-like, default="warn"
        Shares of the magnitudes in the penalty that are tried, each with every strength; (0,) are squares alone.
    cv : int or splitter, default=None
        Folds; None: five, stratified. An object with ``split`` is taken at its word, and so is an iterable of pairs of rows.
    penalty : {"l1", "l2", "elasticnet"}, default="deprecated"
        As scikit-learn's; by ``l1_ratios`` instead.
    scoring : str or callable, default="warn"
        What is better: a name that scikit-learn knows, such as "neg_log_loss" or "accuracy", or a function of estimator, rows
        and labels. For probabilities the log loss is the honest one.
    refit : bool, default=True
        Fit the best to all rows; False: the mean of the folds' coefficients at their best strengths.
    use_legacy_attributes : bool, default="warn"
        Attributes as dicts by class, as before scikit-learn 1.8; False: as arrays.
    <parameters of regressions>

    Attributes
    ----------
    <attributes of classifiers>
    <attributes of regressions>
    Cs_ : ndarray of shape (n_cs,)
        The strengths, from the strongest penalty on.
    l1_ratios_ : ndarray of shape (n_l1_ratios,)
        The shares that were tried.
    C_ : float or ndarray
        The strength that was chosen; by class in the legacy form.
    l1_ratio_ : float or ndarray
        The share that was chosen.
    scores_ : ndarray of shape (n_folds, n_l1_ratios, n_cs) or dict
        The score of every fold, share and strength.
    coefs_paths_ : ndarray or dict
        Coefficients of every fold, share and strength, the intercept last.

    See Also
    --------
    LogisticRegression : One penalty; ``C="evidence"`` chooses it without folds.
    compare : Several models on the same folds.

    Notes
    -----
    A class that the training part of a fold lacks gets the log odds of half a row there, so that a score of probabilities
    stays finite.

    The command has the same as ``suffice fit data.csv --target y --model logistic --penalty auto``, which prints the path with
    the standard errors of its log losses; ``--choose simplest`` takes the strongest penalty within one of them of the best,
    which is often as good on new rows and has fewer or smaller coefficients.

    How good the chosen model is cannot be read from ``scores_``: the best of many looks better than it is. Ask
    ``suffice.compare(..., nested=True)``, or keep rows aside.

    Columns are penalised as they stand, as there; bring them to one scale first (``StandardScaler`` in a pipeline) unless their
    units are meant. Own models of this library (``suffice.fit(X, y, "logistic_regression", penalty=...)``) do so by
    themselves.

    Separated classes are no trouble here, since every strength is a penalty; at the weak end of the path coefficients grow, and
    the score says whether that helps. With ``penalty="l1"`` shares of coefficients are exactly zero: ``(coef_ != 0).sum()``
    counts what is left.

    Weights (``fit(X, y, sample_weight=...)``) count in the fits; scores of folds take them where the scorer does, as there.
    ``cv`` by groups or by time: pass a splitter of scikit-learn's, such as ``GroupKFold().split(X, y, groups)``.

    <methods of regressions>

    Speed: the path of one fold costs little more than its last fit, folds run one after the other in all threads, and the
    answer does not depend on how many there are. The strongest penalty comes first, where one or two steps are enough.

    Which scoring? "accuracy" looks at the larger side alone, and many strengths tie; "neg_log_loss" asks whether the
    probabilities are right, changes smoothly along the path, and chooses penalties that carry over to other thresholds,
    costs and priors. "roc_auc" asks for the order of the rows. With few rows of a class use folds enough for each to have
    some of them, or leave one out (``cv=LeaveOneOut()``).

    Choosing by hand afterwards: ``scores_.mean(0)`` is the curve over strengths, its standard error over folds is
    ``scores_.std(0) / sqrt(n_folds)``; a strength within one of the best is as good as anybody can tell from these rows.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import LogisticRegressionCV
    >>> random = np.random.default_rng(0)
    >>> X = random.normal(size=(200, 3))
    >>> y = (X[:, 0] + 0.5 * random.normal(size=200) > 0).astype(int)
    >>> model = LogisticRegressionCV(Cs=5, l1_ratios=(0,), scoring="accuracy", use_legacy_attributes=False).fit(X, y)
    >>> model.scores_.shape
    (5, 1, 5)
    """

    _by_model = False  # the paths of all folds are not

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None, offset=None, **params):
        """Fits along the paths of all folds, then to all rows with the best penalty; ``offset`` as of ``LogisticRegression``."""
        _raise_for_params(params, self, "fit")
        penalty, ratios = _penalty_and_ratios(self)
        scoring, legacy = _changes_to_come(self)
        _check_solver(self.solver, penalty, self.dual)
        tried = _check_ratios(self, penalty, ratios)
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64, order="C",
                             accept_large_sparse=self.solver not in ("liblinear", "sag", "saga"))
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        codes = codes.astype(np.int32)
        self._refuse(X)
        if offset is not None:
            X = beside(X, offset_array(offset, X.shape[0], len(self.classes_)))
        if _routing_enabled():
            routed = process_routing(self, "fit", sample_weight=sample_weight, **params)
        else:
            given = dict(params) if sample_weight is None else {**params, "sample_weight": sample_weight}
            routed = _manual_routing({"splitter": {}, "scorer": {"score": given}})
        folds = list(check_cv(self.cv, y, classifier=True).split(X, y, **routed.splitter.split))
        if isinstance(self.class_weight, dict) and not set(self.class_weight) <= set(self.classes_):
            raise ValueError("The given class_weight dict must have the class labels as keys; "
                             f"classes={self.classes_} but key={self.class_weight.keys()}")
        weight = None if sample_weight is None else _check_sample_weight(sample_weight, X, dtype=np.float64)
        self.Cs_ = np.logspace(-4, 4, self.Cs) if isinstance(self.Cs, numbers.Integral) else np.asarray(self.Cs)
        paths, scores, steps = self._follow(X, y, codes, weight, folds, penalty, tried, scoring, routed.scorer.score)
        best_C, best_ratio = self._choose(X, codes, weight, paths, scores, penalty, tried)
        paths = np.delete(paths, np.arange(self.n_features_in_, X.shape[1]), axis=-1)
        self._attributes(paths, scores, steps, best_C, best_ratio, tried, ratios, legacy)
        return self

    def _model(self):
        """The library's own object of the coefficients chosen."""
        C, ratio = float(np.ravel(self.C_)[0]), np.ravel(self.l1_ratio_)[0] or 0.0
        ridge, lasso = strengths(C, "elasticnet", ratio)
        names = getattr(self, "feature_names_in_", None)
        return _core.given_logistic(*self._start(), class_names(self.classes_),
                                    None if names is None else [str(name) for name in names],
                                    {"penalty": ridge, "lasso": lasso, "intercept": self.fit_intercept},
                                    {"integer_classes": self.classes_.dtype.kind in "iu"})

    def _file_bytes(self):
        return self._model().to_file()

    def _refuse(self, X):
        if len(self.classes_) < 2:
            raise ValueError("This solver needs samples of at least 2 classes in the data, but the data contains only "
                             f"one class: {self.classes_[0]}.")
        if self.solver == "liblinear" and len(self.classes_) > 2:
            raise ValueError("The 'liblinear' solver does not support multiclass classification (n_classes >= 3). "
                             "Either use another solver or wrap the estimator in a OneVsRestClassifier to keep applying "
                             "a one-versus-rest scheme.")

    def _follow(self, X, y, codes, weight, folds, penalty, ratios, scoring, score_params):
        """Coefficients (folds, ratios, Cs, classes or one, features and intercept), scores and numbers of steps."""
        factors = class_factors(self.class_weight, self.classes_, codes, weight)
        paths, scores, steps = [], [], []
        for train, test in folds:
            own = None if weight is None else np.ascontiguousarray(weight[train])
            held = None if weight is None else weight[test]
            score = None if scoring is None else _score_function(scoring, self.classes_, X, test, score_params)
            trained = LogisticRegression(solver=self.solver)
            trained.classes_ = self.classes_
            for ratio in ratios:
                path = _Path(self, X[train], codes[train], own, factors, penalty)
                for C in self.Cs_:
                    w, count = path.fit(C, ratio)
                    trained.C = C
                    trained.coef_ = w[:, :-1] if self.fit_intercept else w
                    trained.intercept_ = w[:, -1] if self.fit_intercept else np.zeros(len(w))
                    trained.n_features_in_ = X.shape[1]
                    scores.append(trained.score(X[test], y[test], sample_weight=held) if score is None
                                  else score(trained, X[test], y[test]))
                    paths.append(w)
                    steps.append(count)
        shape = len(folds), len(ratios), len(self.Cs_)
        return (np.reshape(paths, (*shape, *paths[0].shape)), np.reshape(scores, shape),
                np.reshape(steps, shape).astype(np.int32))

    def _choose(self, X, codes, weight, paths, scores, penalty, ratios):
        """Sets coef_ and intercept_; (C, ratio) of the choice."""
        if self.refit:
            # The first of equals along the Cs, then along the ratios, as scikit-learn's table is laid out.
            total = scores.sum(axis=0).T
            at_C, at_ratio = np.unravel_index(np.argmax(total), total.shape)
            best_C, best_ratio = self.Cs_[at_C], ratios[at_ratio]
            path = _Path(self, X, codes, weight, class_factors(self.class_weight, self.classes_, codes, weight), penalty)
            w = paths[:, at_ratio, at_C].mean(axis=0)
            path.start = by_class(w[:, :-1] if self.fit_intercept else w,
                                  w[:, -1] if self.fit_intercept else np.zeros(len(w)))
            w, _ = path.fit(best_C, best_ratio)
        else:
            flat = np.swapaxes(scores, 1, 2).reshape(len(scores), -1)
            at_C, at_ratio = np.unravel_index(np.argmax(flat, axis=1), (len(self.Cs_), len(ratios)))
            w = np.mean([paths[fold, at_ratio[fold], at_C[fold]] for fold in range(len(paths))], axis=0)
            best_C = np.mean(self.Cs_[at_C])
            best_ratio = np.mean(np.asarray(ratios)[at_ratio]) if penalty == "elasticnet" else 0.0
        self.coef_ = w[:, : self.n_features_in_]
        self.intercept_ = w[:, -1] if self.fit_intercept else np.zeros(len(w))
        return best_C, best_ratio

    def _attributes(self, paths, scores, steps, best_C, best_ratio, tried, ratios, legacy):
        self.l1_ratios_ = np.asarray(tried)
        if not legacy:
            self.C_, self.coefs_paths_, self.scores_, self.n_iter_ = float(best_C), paths, scores, steps
            self.l1_ratio_ = float(best_ratio) if ratios is not None else 1.0 if self.penalty == "l1" else 0.0
            return
        lines = self.classes_[1:] if len(self.classes_) == 2 else self.classes_
        self.C_ = np.tile(np.asarray([best_C]), len(lines))
        self.l1_ratio_ = np.tile(np.asarray([best_ratio]), len(lines))
        by_C = np.swapaxes(paths, 1, 2), np.swapaxes(scores, 1, 2), np.swapaxes(steps, 1, 2)
        if ratios is None:  # there is no axis of ratios
            by_C = tuple(each[:, :, 0] for each in by_C)
        self.coefs_paths_ = {line: by_C[0][..., k, :] for k, line in enumerate(lines)}
        self.scores_ = dict.fromkeys(lines, by_C[1])
        self.n_iter_ = by_C[2][None]
