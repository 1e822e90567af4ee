"""Fitted estimators of scikit-learn as models of this library: the same numbers, with all that models can do here."""
import warnings

import numpy as np
from sklearn import cluster, discriminant_analysis, linear_model, mixture, naive_bayes
from sklearn.utils.validation import check_is_fitted

import suffice
from suffice import _core
from suffice.stated import numbers
from suffice.statistics import Statistics, class_names


def from_sklearn(estimator):
    """The fitted estimator as this library's class of the same name, with equal posteriors.

    It explains, reports, is exported (``to_onnx``, ``to_c``, ``to_sql``) and saved, so that the command line predicts with
    it and serves it. Naive Bayes goes on learning by ``partial_fit`` from what it has counted.

    Parameters
    ----------
    estimator : GaussianNB, MultinomialNB, ComplementNB, BernoulliNB, CategoricalNB, LinearDiscriminantAnalysis,
        QuadraticDiscriminantAnalysis, LogisticRegression, LogisticRegressionCV, GaussianMixture, KMeans or MiniBatchKMeans
        Of scikit-learn, fitted. A LinearDiscriminantAnalysis that has kept no covariance (``solver="svd"`` without
        ``store_covariance``) has a posterior and no densities: it becomes a LogisticRegression, with a warning.

    Examples
    --------
    >>> import suffice
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> theirs = GaussianNB().fit(X, y)
    >>> ours = suffice.from_sklearn(theirs)
    >>> ours, bool(abs(ours.predict_proba(X) - theirs.predict_proba(X)).max() < 1e-12)
    (GaussianNB(), True)
    >>> ours.explain(X[:1]).contributions.shape
    (1, 3, 4)
    """
    if type(estimator).__module__.partition(".")[0] == "suffice":
        return estimator
    make = _MAKERS.get(type(estimator))
    if make is None:
        known = ", ".join(kind.__name__ for kind in _MAKERS)
        raise TypeError(f"from_sklearn takes a fitted {known} of scikit-learn, not {type(estimator).__name__}")
    check_is_fitted(estimator)
    return make(estimator)


def _names(theirs):
    names = getattr(theirs, "feature_names_in_", None)
    return [f"x{k}" for k in range(theirs.n_features_in_)] if names is None else [str(name) for name in names]


def _adopted(made, theirs, **more):
    """Our estimator with their fitted attributes, which have the same names, and what only ours has."""
    given = made.get_params(deep=False)
    made.__dict__.update({name: value for name, value in vars(theirs).items() if name not in given})
    made.__dict__.update(more)
    return made


def _stated(theirs, shares, parameters, weight=1.0, columns=None, classes=None):
    """The statistics of as many rows as would give these parameters."""
    classes = theirs.classes_ if classes is None else classes
    columns = [(name, "number", [], 0) for name in _names(theirs)] if columns is None else columns
    return _core.stated_state(class_names(classes), theirs.classes_.dtype.kind in "iu", numbers(shares), columns, parameters,
                              float(weight))


def _width(theirs):
    """The numbers that a model was fitted to are single ones where its parameters are."""
    return "<f4" if theirs.dtype == np.float32 else "<f8"


def _gaussian_nb(theirs):
    made = suffice.GaussianNB(**theirs.get_params(deep=False))
    state = _stated(theirs, theirs.class_prior_, {"mean": numbers(theirs.theta_), "variance": numbers(theirs.var_)},
                    theirs.class_count_.sum())
    # Its own settings, under which what is stated gives these variances again: they have been smoothed already.
    return _adopted(made, theirs, statistics_=Statistics(state, theirs.classes_, own=True), _dtype=_width(theirs.var_))


def _seen(theirs):
    """Classes that have rows, their rows and their shares of all rows."""
    seen = theirs.class_count_ > 0
    count = theirs.class_count_[seen]
    return seen, count, count / count.sum()


def _counts(kind):
    def make(theirs):
        made = kind(**theirs.get_params(deep=False))
        columns = [(name, "number", [], 0) for name in _names(theirs)]
        blank = Statistics.blank(made._recipe_name()[0], columns, theirs.classes_)
        seen, count, _ = _seen(theirs)
        # One row for each class, which weighs as many as it has and holds their mean.
        rows = np.ascontiguousarray(theirs.feature_count_[seen] / count[:, np.newaxis])
        statistics = blank.feed(rows, np.flatnonzero(seen).astype(np.int32), numbers(count))
        return _checked(_adopted(made, theirs, statistics_=statistics), theirs)

    return make


def _bernoulli_nb(theirs):
    made = suffice.BernoulliNB(**theirs.get_params(deep=False))
    seen, count, shares = _seen(theirs)
    parameters = {"probability": numbers(theirs.feature_count_[seen] / count[:, np.newaxis])}
    state = _stated(theirs, shares, parameters, count.sum(), classes=theirs.classes_[seen])
    return _checked(_adopted(made, theirs, statistics_=Statistics(state, theirs.classes_)), theirs)


def _categorical_nb(theirs):
    made = suffice.CategoricalNB(**theirs.get_params(deep=False))
    seen, count, shares = _seen(theirs)
    columns = [(name, "category", [str(level) for level in range(len(table[0]))], len(table[0]))
               for name, table in zip(_names(theirs), theirs.category_count_)]
    tables = [numbers(table[seen] / count[:, np.newaxis]) for table in theirs.category_count_]
    state = _stated(theirs, shares, {"tables": tables}, count.sum(), columns, theirs.classes_[seen])
    return _checked(_adopted(made, theirs, statistics_=Statistics(state, theirs.classes_)), theirs)


def _checked(made, theirs):
    """What the counts give is what theirs says, or its attributes were changed by hand and files would say other things."""
    again = type(made)(**made.get_params(deep=False))
    again._restore(made.statistics_, None, made._kept())
    for name in ("feature_log_prob_", "class_log_prior_"):
        pairs = [(getattr(again, name), getattr(theirs, name))]
        pairs = zip(*pairs[0]) if isinstance(pairs[0][0], list) else pairs
        if not all(np.allclose(ours, other, rtol=1e-9, atol=1e-12) for ours, other in pairs):
            raise ValueError(f"{name} of this {type(theirs).__name__} is not what its counts and parameters give")
    return made


def _linear(theirs):
    if not hasattr(theirs, "covariance_"):
        warnings.warn("a LinearDiscriminantAnalysis without covariance_ has a posterior and no densities, so it becomes a "
                      "LogisticRegression; fit it with store_covariance=True to keep them", UserWarning, stacklevel=3)
        return _adopted(suffice.LogisticRegression(C=np.inf), theirs)
    made = suffice.LinearDiscriminantAnalysis(theirs.solver, None, theirs.priors, theirs.n_components, theirs.store_covariance,
                                              theirs.tol)
    parameters = {"mean": numbers(theirs.means_), "covariance": numbers(theirs.covariance_)}
    state = _stated(theirs, theirs.priors_, parameters)
    return _adopted(made, theirs, statistics_=Statistics(state, theirs.classes_, own=True), _dtype=_width(theirs.means_))


def _quadratic(theirs):
    made = suffice.QuadraticDiscriminantAnalysis(solver=theirs.solver, priors=theirs.priors,
                                                 store_covariance=theirs.store_covariance, tol=theirs.tol)
    covariance = numbers([(rotation * scaling) @ rotation.T for rotation, scaling in zip(theirs.rotations_, theirs.scalings_)])
    covariance = (covariance + covariance.transpose(0, 2, 1)) / 2
    state = _stated(theirs, theirs.priors_, {"mean": numbers(theirs.means_), "covariance": covariance})
    made = _adopted(made, theirs, statistics_=Statistics(state, theirs.classes_, own=True), _dtype=_width(theirs.means_))
    made._keep_axes(covariance, made.__dict__.pop("rotations_"), made.__dict__.pop("scalings_"))
    return made


def _logistic(theirs):
    return _adopted(suffice.LogisticRegression(**theirs.get_params(deep=False)), theirs)


def _logistic_cv(theirs):
    made = suffice.LogisticRegression(C=float(np.ravel(theirs.C_)[0]), fit_intercept=theirs.fit_intercept, solver=theirs.solver,
                                      class_weight=theirs.class_weight, max_iter=theirs.max_iter, tol=theirs.tol)
    kept = ("classes_", "coef_", "intercept_", "n_iter_", "n_features_in_", "feature_names_in_")
    made.__dict__.update({name: vars(theirs)[name] for name in kept if hasattr(theirs, name)})
    return made


def _mixture(theirs):
    made = _adopted(suffice.GaussianMixture(**theirs.get_params(deep=False)), theirs, _prior=None)
    model = made._model_of(theirs.weights_, theirs.means_, theirs.covariances_, 0.0)
    made.statistics_ = Statistics(model.state, np.arange(theirs.n_components))
    return made


def _centres(kind):
    return lambda theirs: _adopted(kind(**theirs.get_params(deep=False)), theirs)


_MAKERS = {
    naive_bayes.GaussianNB: _gaussian_nb,
    naive_bayes.MultinomialNB: _counts(suffice.MultinomialNB),
    naive_bayes.ComplementNB: _counts(suffice.ComplementNB),
    naive_bayes.BernoulliNB: _bernoulli_nb,
    naive_bayes.CategoricalNB: _categorical_nb,
    discriminant_analysis.LinearDiscriminantAnalysis: _linear,
    discriminant_analysis.QuadraticDiscriminantAnalysis: _quadratic,
    linear_model.LogisticRegression: _logistic,
    linear_model.LogisticRegressionCV: _logistic_cv,
    mixture.GaussianMixture: _mixture,
    cluster.KMeans: _centres(suffice.KMeans),
    cluster.MiniBatchKMeans: _centres(suffice.MiniBatchKMeans),
}
