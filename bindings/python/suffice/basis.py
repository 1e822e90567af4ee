"""Basis functions of columns, as steps of a pipeline before a regression.

>>> import numpy as np, suffice
>>> from sklearn.pipeline import make_pipeline
>>> x = np.linspace(-2, 2, 200)[:, None]
>>> y = (x[:, 0] ** 2 > 1).astype(int)  # no line through x tells these apart
>>> model = make_pipeline(suffice.basis.polynomial(2), suffice.LogisticRegression()).fit(x, y)
>>> model.score(x, y) > 0.95
True
"""
import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from suffice import _core

__all__ = ["Basis", "b_spline", "fourier", "interactions", "polynomial", "radial", "sigmoid", "spline"]


def _cut(text):
    """Terms between commas that stand in no parentheses and no quotes."""
    pieces, depth, quoted = [""], 0, False
    for letter in text:
        quoted ^= letter == '"'
        depth += 0 if quoted else (letter == "(") - (letter == ")")
        if letter == "," and depth == 0 and not quoted:
            pieces.append("")
        else:
            pieces[-1] += letter
    return [piece.strip() for piece in pieces if piece.strip()]


class Basis(TransformerMixin, BaseEstimator):
    """Columns in place of columns, as the command line's ``--basis`` writes them.

    Parameters
    ----------
    terms : str or list of str
        ``"age=spline(5), income=poly(3), age*income"``. Functions are ``poly``, ``spline`` (natural cubic), ``bspline``,
        ``radial``, ``sigmoid`` and ``fourier``; ``*=poly(2)`` takes every column that has no term of its own. Columns
        without names are called ``x0``, ``x1``, ... Columns that no term names stay as they are.

    Examples
    --------
    >>> import numpy as np, suffice
    >>> X = np.array([[1.0, 10.0], [2.0, 30.0], [3.0, 20.0], [4.0, 50.0]])
    >>> basis = suffice.basis.Basis("x0=poly(2), x0*x1").fit(X)
    >>> basis.get_feature_names_out().tolist()
    ['x0^1', 'x0^2', 'x1', 'x0*x1']
    >>> basis.transform(X)[:, 2:].tolist()
    [[10.0, 10.0], [30.0, 60.0], [20.0, 60.0], [50.0, 200.0]]
    """

    def __init__(self, terms="*=poly(2)"):
        self.terms = terms

    def _terms(self):
        return _cut(self.terms) if isinstance(self.terms, str) else list(self.terms)

    def fit(self, X, y=None):
        """Places knots and centres by the values of the columns."""
        X = validate_data(self, X, dtype=np.float64)
        names = getattr(self, "feature_names_in_", None)
        names = [f"x{k}" for k in range(X.shape[1])] if names is None else [str(name) for name in names]
        self._basis = _core.Basis.fit(self._terms(), names, np.ascontiguousarray(X))
        return self

    def __getstate__(self):
        state = dict(super().__getstate__())
        if "_basis" in state:
            state["_basis"] = state["_basis"].to_bytes()
        return state

    def __setstate__(self, state):
        if isinstance(state.get("_basis"), bytes):
            state = {**state, "_basis": _core.Basis.from_bytes(state["_basis"])}
        super().__setstate__(state)

    def transform(self, X):
        """The values of all functions, row by row."""
        check_is_fitted(self, "_basis")
        return self._basis.transform(np.ascontiguousarray(validate_data(self, X, dtype=np.float64, reset=False)))

    def get_feature_names_out(self, input_features=None):
        """Names of the functions."""
        check_is_fitted(self, "_basis")
        return np.array(self._basis.names, dtype=object)


def polynomial(degree):
    """t, t^2, ... of every column, with t the standardised value."""
    return Basis(f"*=poly({int(degree)})")


def spline(count):
    """Natural cubic splines with so many functions per column, knots at quantiles as R's ``ns(x, df=count)``."""
    return Basis(f"*=spline({int(count)})")


def b_spline(count):
    """Cubic B-splines with so many functions per column, knots at quantiles as R's ``bs(x, df=count)``."""
    return Basis(f"*=bspline({int(count)})")


def radial(count):
    """Gaussian bumps at even distances between the least and the greatest value of each column."""
    return Basis(f"*=radial({int(count)})")


def sigmoid(count):
    """Sigmoids at even distances between the least and the greatest value of each column."""
    return Basis(f"*=sigmoid({int(count)})")


def fourier(count):
    """Sines and cosines of so many periods over the range of each column."""
    return Basis(f"*=fourier({int(count)})")


def interactions(columns):
    """The columns and all products of two of those named.

    >>> interactions(["age", "income", "height"]).terms
    ['age*income', 'age*height', 'income*height']
    """
    names = [str(name) for name in columns]
    return Basis([f"{a}*{b}" for k, a in enumerate(names) for b in names[k + 1:]])
