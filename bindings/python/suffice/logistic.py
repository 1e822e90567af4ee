"""Logistic regression named and shaped as scikit-learn's, with the standard errors that it lacks."""
import numbers
import warnings

import numpy as np
from sklearn.base import _fit_context
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression as _TheirLogisticRegression
from sklearn.linear_model._logistic import _check_solver
from sklearn.utils import compute_class_weight
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from suffice import _core, inputs
from suffice.deciding import DecidingMixin
from suffice.logistic_inference import InferenceMixin
from suffice.logistic_laplace import LaplaceMixin
from suffice.logistic_offset import beside, beside_names, column_names, offset_array, offset_setting, without_columns
from suffice.logistic_predictions import LinearPredictions, from_classes
from suffice.refusals import RegressionRefusalsMixin
from suffice.statistics import class_names, labels_of_file
from suffice.shared_docs import documented

__all__ = ["LogisticRegression", "ProbitRegression"]

_UNCONVERGED = {
    "lbfgs": "lbfgs failed to converge after {} iteration(s) (status=1):\nSTOP: TOTAL NO. OF ITERATIONS REACHED LIMIT",
    "liblinear": "Liblinear failed to converge, increase the number of iterations.",
    "newton-cg": "newton-cg failed to converge at loss = {1}. Increase the number of iterations.",
    "newton-cholesky": "Newton solver did not converge after {} iterations.",
    "sag": "The max_iter was reached which means the coef_ did not converge",
    "saga": "The max_iter was reached which means the coef_ did not converge",
}


def penalty_of(estimator):
    """Which penalty the deprecated and the new parameters mean together, with scikit-learn's warnings."""
    if estimator.penalty == "firth":
        return "firth"
    ratio = estimator.l1_ratio
    if estimator.penalty == "deprecated":
        if ratio is None:
            warnings.warn("'l1_ratio=None' was deprecated in version 1.8 and will trigger an error in 1.10. Use "
                          "0<=l1_ratio<=1 instead.", FutureWarning, stacklevel=3)
        if not isinstance(estimator.C, str) and np.isinf(estimator.C):
            penalty = None
        else:
            penalty = "l2" if not ratio else "l1" if ratio == 1 else "elasticnet"
    else:
        penalty = estimator.penalty
        warnings.warn("'penalty' was deprecated in version 1.8 and will be removed in 1.10. To avoid this warning, leave "
                      "'penalty' set to its default value and use 'l1_ratio' or 'C' instead. Use l1_ratio=0 instead of "
                      "penalty='l2', l1_ratio=1 instead of penalty='l1', l1_ratio set to a float between 0 and 1 "
                      "instead of penalty='elasticnet', and C=np.inf instead of penalty=None.",
                      FutureWarning, stacklevel=3)
    _check_solver(estimator.solver, penalty, estimator.dual)
    if penalty != "elasticnet" and ratio is not None and 0 < ratio < 1:
        warnings.warn("l1_ratio parameter is only used when penalty is 'elasticnet'. Got "
                      f"(penalty={penalty})", stacklevel=3)
    if (estimator.penalty == "l2" and ratio != 0) or (estimator.penalty == "l1" and ratio != 1):
        warnings.warn(f"Inconsistent values: penalty={estimator.penalty} with l1_ratio={ratio}. penalty is deprecated. "
                      "Please use l1_ratio only.", stacklevel=3)
    if penalty == "elasticnet" and ratio is None:
        raise ValueError("l1_ratio must be specified when penalty is elasticnet.")
    if estimator.penalty is None and estimator.C != 1.0:
        warnings.warn("Setting penalty=None will ignore the C and l1_ratio parameters", stacklevel=3)
    if estimator.n_jobs is not None:
        warnings.warn("'n_jobs' has no effect since 1.8 and will be removed in 1.10. You provided "
                      f"'n_jobs={estimator.n_jobs}', please leave it unspecified.", FutureWarning, stacklevel=3)
    return penalty


def strengths(C, penalty, l1_ratio):
    """(factor of half the squared length, factor of the sum of magnitudes)"""
    if penalty in (None, "firth") or np.isinf(C):
        return 0.0, 0.0
    ratio = {"l2": 0.0, "l1": 1.0}.get(penalty, l1_ratio)
    return (1.0 - ratio) / C, ratio / C


def solver_settings(estimator, C, penalty, l1_ratio):
    """What the library is told of an estimator's parameters."""
    ridge, lasso = strengths(C, penalty, l1_ratio)
    settings = {"penalty": ridge, "lasso": lasso, "intercept": bool(estimator.fit_intercept),
                "gradient_tolerance": float(estimator.tol), "tolerance": float(min(1e-9, estimator.tol**2)),
                "step_limit": max(int(estimator.max_iter), 1)}
    if penalty == "firth":  # its steps shrink by a factor only, so a small gradient says little
        settings |= {"firth": True, "gradient_tolerance": 0.0}
    if getattr(estimator, "link", "logit") != "logit":
        settings["link"] = estimator.link
    if estimator.solver == "liblinear" and estimator.fit_intercept and penalty != "firth":
        settings["intercept_scale"] = float(estimator.intercept_scaling)
    return settings


def class_factors(class_weight, classes, codes, weight):
    """Factors on the weights of rows, by class; none where there are none."""
    if class_weight is None:
        return None
    if isinstance(class_weight, str):
        count = np.bincount(codes, weights=weight, minlength=len(classes)).astype(np.float64)
        return count.sum() / (len(classes) * np.where(count > 0, count, 1.0))
    return compute_class_weight(class_weight, classes=classes, y=classes)


def fit_classes(X, codes, weight, classes, settings, start=None, names=None):
    """The library's model of the classes that have any weight, and coefficients and intercepts of all classes.

    A class without weight gets the log odds of half a row, or none where there is no intercept.
    """
    factors = settings.get("class_weight")
    present = np.arange(len(classes))
    if factors is not None or weight is not None or len(codes) < 100_000:
        count = np.bincount(codes, weights=weight, minlength=len(classes))
        present = np.flatnonzero(count if factors is None else count * factors)
    coef, intercept = np.zeros((len(classes), X.shape[1]), order="F"), np.zeros(len(classes))
    if settings["intercept"]:
        intercept[:] = np.log(0.5 / len(codes))
    if len(present) < 2:
        intercept[present] = 0.0
        return None, coef, intercept
    if len(present) < len(classes):
        if "offset" in settings:
            raise ValueError("an offset needs rows of every class with a weight above zero")
        place = np.full(len(classes), -1, dtype=np.int32)
        place[present] = np.arange(len(present))
        codes = place[codes]
        settings = settings if factors is None else settings | {"class_weight": [factors[c] for c in present]}
        start = None if start is None else (start[0][present], start[1][present])
    if start is not None:
        start = np.ascontiguousarray(np.pad(start[0], ((0, 0), (0, X.shape[1] - start[0].shape[1])))), start[1].copy()
    model = _core.fit_logistic(inputs.lend(X), codes, weight, class_names(classes[present]), settings, start, names)
    coef[present], intercept[present] = model.coefficient, model.intercept
    return model, coef, intercept


def warn_of(estimator, model):
    """Says what the user should know of a fit, under scikit-learn's class of warnings."""
    for note in model.notes:
        if "separated" in note:
            warnings.warn(note, ConvergenceWarning, stacklevel=5)
    if not model.converged and not model.separated:
        warnings.warn(_UNCONVERGED[estimator.solver].format(estimator.max_iter, -model.log_likelihood)
                      + "\nIncrease the number of iterations (max_iter) or the tolerance (tol).",
                      ConvergenceWarning, stacklevel=5)


@documented
class LogisticRegression(InferenceMixin, LaplaceMixin, LinearPredictions, RegressionRefusalsMixin, DecidingMixin, _TheirLogisticRegression):
    """Logistic and softmax regression, as ``sklearn.linear_model.LogisticRegression``.

    Every solver name is taken and means its objective (``liblinear`` penalises the intercept); the minimum is found by
    Newton's method, or by what suits the size of the data. Gains: ``standard_errors_``, ``deviance_`` and the rest of a
    table of estimates, a warning where the classes are separated, ``explain``, ``update`` and ``save``.

    Parameters
    ----------
    penalty : {"l1", "l2", "elasticnet", "firth", None}, default="deprecated"
        As scikit-learn's; by ``l1_ratio`` and ``C`` instead. "firth" takes off the first-order bias and keeps
        separated classes finite.
    C : float or "evidence", default=1.0
        One over the strength of the penalty. ``np.inf`` is no penalty, "evidence" the one of greatest evidence, in ``C_``.
    l1_ratio : float in [0, 1], default=0.0
        Share of the magnitudes in the penalty; the rest is squares.
    <parameters of regressions>
    warm_start : bool, default=False
        Start from the coefficients of the last fit.
    offset : str, int or list of them, default=None
        The name or number of a column of X whose coefficient is one, such as log odds that are known beforehand: a column, so
        that pipelines and cross-validation carry it along; of more classes a list with one column for each. An array of
        offsets goes beside X instead: ``fit(X, y, offset=known)`` and ``predict_proba(X, offset=known)``.

    Attributes
    ----------
    <attributes of classifiers>
    <attributes of regressions>
    standard_errors_ : ndarray of shape (n_features + 1,) or (n_classes - 1, n_features + 1)
        Of the coefficients, the intercept first; with more than two classes, of each class less the first. With a
        penalty they are those of Laplace's approximation of the posterior.
    covariance_ : ndarray
        Of the estimates, in the order of the standard errors.
    laplace_log_evidence_ : float
        log p(y | X) of an l2 penalty as a Gaussian prior, up to the size of the intercept's flat prior.
    deviance_, null_deviance_, log_likelihood_, parameter_count_, aic_, bic_, rank_
        The likelihood is that of the labels given the rows; rank_ is that of the columns.

    See Also
    --------
    LogisticRegressionCV : The penalty by cross-validation.
    ProbitRegression : The normal's distribution function in the place of the sigmoid.
    newton_steps : The search, step by step.
    to_logistic : A linear discriminant or naive Bayes written as one.
    basis : Functions of columns: splines, polynomials, products.

    Notes
    -----
    Newton's method starts at the linear discriminant's coefficients, which one pass over the rows gives, and halves a step
    until the objective falls, so that any start converges. Few parameters: the exact Hessian. Many rows: the Hessian of a
    sample of them. Many columns: Boehning's bound, or sparse rows read where they lie.

    Where a plane separates the classes there is no maximum: coefficients would grow for ever. It is found out by a linear
    program over the rows in doubt, said in a ``ConvergenceWarning`` that names the classes, and the coefficients of the last
    step are kept. A penalty, or "firth", makes the answer finite.

    It does not merge, since it is no sum over rows; ``update(X, y)`` goes on from where it stands. It has no density, so
    ``log_evidence`` and ``sample`` refuse; ``explain(X)`` gives coefficient times value for every column.

    <methods of regressions>

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import LogisticRegression
    >>> X = np.array([[0.5], [1.0], [1.5], [2.0], [2.5], [3.0], [3.5], [4.0]])
    >>> y = np.array([0, 0, 1, 0, 1, 0, 1, 1])
    >>> model = LogisticRegression(C=np.inf).fit(X, y)
    >>> model.coef_.round(3), model.intercept_.round(3)
    (array([[1.188]]), array([-2.673]))
    >>> model.standard_errors_.round(3)
    array([2.121, 0.864])
    >>> round(model.null_deviance_, 4), round(model.deviance_, 4)
    (11.0904, 8.4496)
    """

    _parameter_constraints = _TheirLogisticRegression._parameter_constraints | {
        "C": [*_TheirLogisticRegression._parameter_constraints["C"], StrOptions({"evidence"})],
        "penalty": [*_TheirLogisticRegression._parameter_constraints["penalty"], StrOptions({"firth"})],
        "offset": [str, Interval(numbers.Integral, 0, None, closed="left"), "array-like", None]}

    link = "logit"

    def __init__(self, penalty="deprecated", *, C=1.0, l1_ratio=0.0, dual=False, tol=1e-4, fit_intercept=True,
                 intercept_scaling=1, class_weight=None, random_state=None, solver="lbfgs", max_iter=100, verbose=0,
                 warm_start=False, n_jobs=None, offset=None):
        super().__init__(penalty, C=C, l1_ratio=l1_ratio, dual=dual, tol=tol, fit_intercept=fit_intercept,
                         intercept_scaling=intercept_scaling, class_weight=class_weight, random_state=random_state,
                         solver=solver, max_iter=max_iter, verbose=verbose, warm_start=warm_start, n_jobs=n_jobs)
        self.offset = offset

    def get_params(self, deep=True):
        """scikit-learn's own parameters, and ``offset`` where there is one: so they fit scikit-learn's class too."""
        return {name: value for name, value in super().get_params(deep).items() if name != "offset" or value is not None}

    def set_params(self, **params):
        """Sets parameters by name."""
        self.offset = params.pop("offset", self.offset)
        return super().set_params(**params)

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None, offset=None):
        """Fits the model to X, y; rows may be weighted.

        ``offset``: what is known of each row's log odds beforehand; of more than two classes a column for each.
        """
        if hasattr(self, "_skl_callbacks"):  # called at each step of scikit-learn's own solver
            return super().fit(X, y, sample_weight)
        vars(self).pop("C_", None)
        return self._fit(X, y, sample_weight, offset, "where_cheap", self.warm_start)

    def _fit(self, X, y, sample_weight, offset, inference, warm):
        penalty = penalty_of(self)
        start = self._start() if warm and hasattr(self, "coef_") else None
        X, self.classes_, codes = inputs.rows_and_labels(
            self, X, y, accept_sparse="csr", dtype=[np.float64, np.float32], order="C",
            accept_large_sparse=self.solver not in ("liblinear", "sag", "saga"))
        self._refuse(X)
        weight = inputs.weights(sample_weight, X)
        single = X.dtype == np.float32 and self.solver != "liblinear"
        own, names = offset_setting(self), column_names(self)
        if offset is not None:
            offset = offset_array(offset, X.shape[0], len(self.classes_))
            if own:
                raise ValueError("an offset is a column of X or an array beside it, not both")
            X, names = beside(X, offset), beside_names(names, offset.shape[1])
            own = {"offset": names[self.n_features_in_:]}
        settings = self._settings(X, codes, weight, penalty, own, names)
        settings["inference"] = "always" if penalty in (None, "firth") else inference
        settings |= vars(self).get("_extra", {})
        if self.max_iter == 0:
            return self._without_steps(start, single)
        try:
            model, coef, intercept = fit_classes(X, codes, weight, self.classes_, settings, start, names)
        except ValueError:
            inputs.refuse_holes(self, X)
            raise
        if model is None:
            raise ValueError("logistic regression needs rows of at least two classes with a weight above zero")
        self._take(model, coef, intercept, single)
        warn_of(self, model)
        return self

    def _settings(self, X, codes, weight, penalty, own, names):
        """What the library is told; the penalty of greatest evidence is found, or kept in an update."""
        factors = class_factors(self.class_weight, self.classes_, codes, weight)
        if factors is not None:
            own = own | {"class_weight": factors.tolist()}
        if isinstance(self.C, str) and not hasattr(self, "C_"):
            found = solver_settings(self, 1.0, penalty, self.l1_ratio) | own
            self.C_ = 1.0 / _core.evidence_penalty(inputs.lend(X), codes, weight, class_names(self.classes_), found, names)
        return solver_settings(self, self._chosen_C() if self.penalty is not None else np.inf, penalty, self.l1_ratio) | own

    def _refuse(self, X):
        if self.solver == "liblinear":
            if len(self.classes_) > 2:
                raise ValueError("The 'liblinear' solver does not support multiclass classification (n_classes >= 3). "
                                 "Either use another solver or wrap the estimator in a OneVsRestClassifier to keep "
                                 "applying a one-versus-rest scheme.")
            if X.max() > 1e30:
                raise ValueError("Using the 'liblinear' solver while X contains a maximum value > 1e30 results in a "
                                 "frozen fit. Please choose another solver or rescale the input X.")
        if len(self.classes_) < 2:
            raise ValueError("This solver needs samples of at least 2 classes in the data, but the data contains only "
                             f"one class: {self.classes_[0]!r}")

    def _without_steps(self, start, single):
        kind = np.float32 if single else np.float64
        count = len(self.classes_)
        if start is None:
            start = np.zeros((count, self.n_features_in_)), np.zeros(count)
        coef, intercept = from_classes(*start)
        self.coef_, self.intercept_ = coef.astype(kind), intercept.astype(kind)
        self.n_iter_ = np.zeros(1, dtype=np.int32)
        return self

    def _take(self, model, coef, intercept, single):
        self.__dict__.pop("_loaded", None)
        count = coef.shape[1] - self.n_features_in_  # of offsets beside X
        coef, intercept = from_classes(coef[:, :self.n_features_in_], intercept)
        kind = np.float32 if single else np.float64
        # Column by column as scikit-learn's, and as sparse rows are scored with it.
        self.coef_ = np.asfortranarray(coef, dtype=kind) if single else _core.turned(np.ascontiguousarray(coef)).T
        self.intercept_ = np.ascontiguousarray(intercept, dtype=kind)
        self.n_iter_ = np.array([min(model.iterations, self.max_iter)], dtype=np.int32)
        self._covariance = model.covariance
        if count > 0 and self._covariance is not None:
            self._covariance = without_columns(self._covariance, self.n_features_in_, count)
        self.log_likelihood_ = model.log_likelihood
        self.deviance_ = model.deviance
        self.null_deviance_ = model.null_deviance
        self.parameter_count_ = model.parameter_count
        self.aic_, self.bic_ = model.aic, model.bic
        self.rank_ = model.rank - count
        self._class_weight = model.class_weight

    def update(self, X, y, sample_weight=None, offset=None):
        """Fits again, to these rows, from where the model stands."""
        check_is_fitted(self)
        self._validate_params()
        return self._fit(X, y, sample_weight, offset, "where_cheap", True)

    def infer(self, X, y, sample_weight=None, offset=None):
        """Finds the standard errors where ``fit`` left them out because they cost more than the fit itself."""
        check_is_fitted(self)
        return self._fit(X, y, sample_weight, offset, "always", True)

    def _model(self):
        """The library's own object of what was fitted; of what was loaded, the one that was loaded."""
        check_is_fitted(self)
        if (loaded := self._loaded_model()) is not None:
            return loaded
        ridge, lasso = strengths(self._chosen_C() if self.penalty is not None else np.inf,
                                 self.penalty if self.penalty in (None, "firth") else "elasticnet", self.l1_ratio or 0.0)
        known = {"integer_classes": self.classes_.dtype.kind in "iu"}
        if hasattr(self, "log_likelihood_"):
            known |= {"log_likelihood": self.log_likelihood_, "null_log_likelihood": -self.null_deviance_ / 2,
                      "rank": self.rank_, "class_weight": self._class_weight.tolist()}
            if self._covariance is not None:
                known["covariance"] = self._covariance.ravel().tolist()
        return _core.given_logistic(*self._start(), class_names(self.classes_), column_names(self),
                                    {"penalty": ridge, "lasso": lasso, "intercept": self.fit_intercept,
                                     "firth": self.penalty == "firth", "link": self.link} | offset_setting(self), known)

    def _loaded_model(self):
        """What a file held, as long as the coefficients are those of the file."""
        file, coef, intercept = getattr(self, "_loaded", (None, None, None))
        same = file is not None and np.array_equal(coef, self.coef_) and np.array_equal(intercept, self.intercept_)
        return _core.logistic_from_file(file) if same else None

    def table(self, coverage=0.95):
        """One dict per coefficient: class, name, coefficient, standard_error, z, p_value, low and high."""
        self.covariance_  # an AttributeError says why there is none
        return self._model().table(coverage)

    def _file_bytes(self):
        return self._model().to_file()


@documented
class ProbitRegression(LogisticRegression):
    """The normal's distribution function in place of the sigmoid, for two classes; all else as LogisticRegression.

    p(1 | x) = Phi(w . x + w0). Tails are lighter than the sigmoid's: a row far on the wrong side weighs more.

    Parameters
    ----------
    penalty, C, l1_ratio
        As in ``LogisticRegression``; there is no lasso.
    <parameters of regressions>
    warm_start : bool, default=False
        Start from the coefficients of the last fit.
    offset : str, int or list of them, default=None
        As in ``LogisticRegression``.

    Attributes
    ----------
    <attributes of classifiers>
    <attributes of regressions>
    standard_errors_, covariance_, deviance_, null_deviance_, log_likelihood_, aic_, bic_
        As in ``LogisticRegression``, by the expected information, as R's ``glm``.

    See Also
    --------
    LogisticRegression : With the sigmoid.

    Examples
    --------
    >>> import numpy as np, suffice
    >>> X = np.array([[0.5], [1.0], [1.5], [2.0], [2.5], [3.0], [3.5], [4.0]])
    >>> y = np.array([0, 0, 1, 0, 1, 0, 1, 1])
    >>> suffice.ProbitRegression(C=np.inf).fit(X, y).coef_.round(3)
    array([[0.748]])
    """

    link = "probit"

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


def from_model(model):
    """The estimator of a regression that was read from a file and whose features are its columns."""
    sum_of_both = model.penalty + model.lasso
    kind = ProbitRegression if model.link == "probit" else LogisticRegression
    made = kind("firth" if model.firth else "deprecated", C=1.0 / sum_of_both if sum_of_both > 0 else np.inf,
                l1_ratio=model.lasso / sum_of_both if sum_of_both > 0 else 0.0,
                solver="saga" if model.lasso > 0 else "lbfgs", fit_intercept=model.has_intercept,
                offset=model.offset[0] if len(model.offset) == 1 else model.offset or None)
    names = model.classes
    made.classes_ = labels_of_file(names, model.integer_classes)
    made.n_features_in_ = len(model.columns)
    if model.columns != [f"x{k}" for k in range(len(model.columns))]:
        made.feature_names_in_ = np.array(model.columns, dtype=object)
    made._take(model, model.coefficient, model.intercept, False)
    made._loaded = model.to_file(), made.coef_.copy(), made.intercept_.copy()
    if model.path:
        made.penalty_path_ = model.path
    return made
