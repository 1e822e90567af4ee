"""The model that compares best, without asking."""
import numpy as np
import scipy.sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from suffice.column_families import NaiveBayes
from suffice.comparison import compare
from suffice.exporting import ExportMixin
from suffice.gaussian_discriminant import GaussianDiscriminant, RegularizedDiscriminantAnalysis
from suffice.kernel_classifier import HistogramNB, KernelDensityClassifier, NearestClassifier
from suffice.labels import known_labels, row_weights
from suffice.logistic import LogisticRegression
from suffice.mixture_discriminant import MixtureDiscriminantAnalysis


def _discriminant(covariance, shared):
    return lambda shrinkage=None: GaussianDiscriminant(covariance=covariance, shared=shared, shrinkage=shrinkage)


# What makes each model that compare names, from the options it was compared with.
_MAKERS = {
    "naive_bayes": lambda: NaiveBayes(families="auto"),
    "linear_discriminant": _discriminant("full", "all"),
    "quadratic_discriminant": _discriminant("full", "none"),
    "grouped_discriminant": lambda groups: GaussianDiscriminant(covariance=groups),
    "diagonal_discriminant": _discriminant("diagonal", "all"),
    "spherical_discriminant": _discriminant("spherical", "all"),
    "regularized_discriminant": lambda alpha=1.0, gamma=0.0: RegularizedDiscriminantAnalysis(alpha=alpha, gamma=gamma),
    "kernel_density": lambda: KernelDensityClassifier(),
    "kernel_nb": lambda: KernelDensityClassifier(independent=True),
    "histogram_nb": lambda: HistogramNB(),
    "nearest": lambda: NearestClassifier(),
    "mixture_discriminant": lambda: MixtureDiscriminantAnalysis(),
    "logistic_regression": lambda penalty=0.0: LogisticRegression(C=1 / penalty if penalty else np.inf, max_iter=1000),
}


_PENALTIES = (0.01, 0.1, 1.0, 10.0)  # of logistic regression


def _is_complete(X):
    """Whether these are numbers without holes, as a regression takes them."""
    try:
        return bool(np.isfinite(np.asarray(X, dtype=np.float64)).all())
    except (TypeError, ValueError):
        return False


def _number(text):
    try:
        return float(text)
    except ValueError:
        return text


def _made(line):
    """The estimator that a line of a comparison stands for; None: there is none of that name."""
    words = [word for word in str(line["options"] or "").replace(",", " ").split() if "=" in word]
    options = {key: _number(value.strip("'\"")) for key, value in (word.split("=", 1) for word in words)}
    try:
        return _MAKERS[line["model"]](**options)
    except (KeyError, TypeError):
        return None


class AutoClassifier(ClassifierMixin, ExportMixin, BaseEstimator):
    """Compares every model that fits the columns on the same folds and fits the best: ``fit --model auto`` for rows in memory.

    Parameters
    ----------
    folds : int, default=10
        Folds of the comparison; fewer where the smallest class has fewer rows.
    models : list of names, default=None
        Only these; None: every model that fits the columns.
    random_state : int, default=0
        Of the shuffled folds.

    Attributes
    ----------
    comparison_ : list of dict
        What ``suffice.compare`` says, best first.
    best_estimator_ : estimator
        The winner, fitted to all rows.
    classes_ : ndarray of shape (n_classes,)
    n_features_in_ : int
    feature_names_in_ : ndarray, where the columns of X have names

    See Also
    --------
    suffice.compare : the comparison alone.

    Examples
    --------
    >>> import numpy as np, suffice
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 200)
    >>> X = rng.normal(size=(200, 2)) + 2 * y[:, None]
    >>> model = suffice.AutoClassifier(folds=5, models=["lda", "naive_bayes"]).fit(X, y)
    >>> bool(model.score(X, y) > 0.9)
    True
    """

    def __init__(self, folds=10, models=None, random_state=0):
        self.folds = folds
        self.models = models
        self.random_state = random_state

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.categorical = True
        return tags

    def fit(self, X, y, sample_weight=None):
        """Compares on X and y, then fits the winner to all of them."""
        if scipy.sparse.issparse(X):
            raise TypeError("sparse rows are not compared; use toarray()")
        if y is None:
            raise ValueError("AutoClassifier requires y to be passed, but the target y is None")
        if getattr(getattr(X, "dtype", None), "kind", "") == "c":
            raise ValueError("Complex data not supported")
        labels, codes = known_labels(y, None, refuse_quantities=True)
        if len(labels) < 2:
            raise ValueError(f"This solver needs samples of at least 2 classes in the data, but the data contains {len(labels)} class(es)")
        sample_weight = row_weights(sample_weight, len(codes))
        smallest = int(np.bincount(codes[codes >= 0]).min())
        folds = max(2, min(int(self.folds), smallest))
        shared = {"folds": folds, "sample_weight": sample_weight, "random_state": self.random_state}
        lines = [(line, _made(line)) for line in compare(X, y, models=self.models, **shared)]
        if self.models is None and _is_complete(X):
            lines += [(compare(X, y, models=[each], **shared)[0], each) for each in map(_MAKERS["logistic_regression"], _PENALTIES)]
        lines.sort(key=lambda each: np.inf if each[0]["log_loss"] is None else each[0]["log_loss"])
        self.comparison_ = [line for line, _ in lines]
        given = {} if sample_weight is None else {"sample_weight": sample_weight}
        for line, model in lines:
            model = None if line["log_loss"] is None else model
            if model is not None:
                self.best_estimator_ = model.fit(X, y, **given)
                break
        else:
            raise ValueError("no model could be fitted to these columns")
        self.classes_ = self.best_estimator_.classes_
        self.n_features_in_ = self.best_estimator_.n_features_in_
        if hasattr(self.best_estimator_, "feature_names_in_"):
            self.feature_names_in_ = self.best_estimator_.feature_names_in_
        return self

    def _file_bytes(self):
        check_is_fitted(self)
        return self.best_estimator_._file_bytes()

    def predict(self, X):
        """The class of each row."""
        check_is_fitted(self)
        return self.best_estimator_.predict(X)

    def predict_proba(self, X):
        """The posterior of each class, in the order of ``classes_``."""
        check_is_fitted(self)
        return self.best_estimator_.predict_proba(X)
