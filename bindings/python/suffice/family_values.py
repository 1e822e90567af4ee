"""Parameters and priors of families: small named objects that print well."""
import numpy as np

from suffice import _core


class Named:
    """Named numbers that print well: a parameter or a prior."""

    __slots__ = ("__dict__", "__weakref__", "_levels")

    def __init__(self, values, levels=None):
        self._levels = levels
        self.__dict__.update(values)

    @property
    def levels(self):
        """The words that the numbers stand for, in their order; None where codes were given."""
        return self._levels

    def __getattr__(self, name):
        values = self.__dict__
        if name == "covariance" and "factor" in values:
            return values["factor"] @ values["factor"].T
        if name == "probability" and "log_probability" in values:
            return np.exp(values["log_probability"])
        raise AttributeError(f"{type(self).__name__} has no {name}; it has {', '.join(values)}")

    def as_dict(self):
        """The numbers by name."""
        return dict(self.__dict__)

    def __eq__(self, other):
        return isinstance(other, Named) and self._levels == other._levels and (
            self.__dict__.keys() == other.__dict__.keys()) and all(
                np.array_equal(value, other.__dict__[key]) for key, value in self.__dict__.items())

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self):
        inside = [f"{key}={np.asarray(value).tolist()!r}" for key, value in self.__dict__.items()]
        inside += [] if self._levels is None else [f"levels={list(self._levels)!r}"]
        return f"{type(self).__name__}({', '.join(inside)})"


class Parameter(Named):
    """Parameters of a distribution, by their names. One with a ``factor`` also has its ``covariance``, one with a
    ``log_probability`` its ``probability``."""


class Prior(Named):
    """A conjugate prior or posterior, by the names of its numbers."""


def by_name(owner, names, values, named):
    """Numbers given in order, by name or both."""
    if len(values) > len(names):
        raise TypeError(f"{owner} takes {len(names)} numbers, not {len(values)}")
    given = {**dict(zip(names, values)), **named}
    if set(given) != set(names) or len(given) != len(values) + len(named):
        raise TypeError(f"{owner} takes the numbers {', '.join(names)}")
    return given


def text(name, numbers):
    """As the command line writes a prior."""
    def one(each):
        return repr(float(each)) if np.ndim(each) == 0 else f"[{', '.join(repr(float(x)) for x in np.ravel(each))}]"
    return f"{name}({', '.join(map(one, numbers))})"


class NormalGamma(Prior):
    """Prior of a Gaussian's mean and precision; of columns that are independent, ``mean`` and ``rate`` may be lists."""

    def __init__(self, *values, **named):
        super().__init__(by_name("NormalGamma", ("mean", "mean_weight", "shape", "rate"), values, named))

    def __str__(self):
        return text("normal_gamma", self.as_dict().values())


class Normal(Prior):
    """Prior of a Gaussian's mean where the variance is known."""

    def __init__(self, *values, **named):
        super().__init__(by_name("Normal", ("mean", "variance"), values, named))

    def __str__(self):
        return text("normal", self.as_dict().values())


def _scatter(degrees, scatter, covariance):
    if (scatter is None) == (covariance is None):
        raise TypeError("give either scatter or covariance, which is scatter / degrees")
    return np.asarray(covariance if scatter is None else scatter, float) * (degrees if scatter is None else 1)


class NormalWishart(Prior):
    """Prior of a Gaussian vector's mean and precision matrix.

    The mean is worth ``mean_weight`` rows. The expected precision is ``degrees`` times the inverse of ``scatter``;
    ``covariance`` may be given in its place and is the inverse of the expected precision: ``scatter / degrees``.

    >>> NormalWishart([0, 0], 1, 4, covariance=[[1, 0], [0, 2]]).scatter.tolist()
    [[4.0, 0.0], [0.0, 8.0]]
    """

    def __init__(self, mean, mean_weight, degrees, scatter=None, *, covariance=None):
        super().__init__({"mean": np.asarray(mean, float), "mean_weight": mean_weight, "degrees": degrees,
                          "scatter": _scatter(degrees, scatter, covariance)})

    def __str__(self):
        return text("normal_wishart", self.as_dict().values())


class Wishart(Prior):
    """Prior of a Gaussian vector's precision matrix where the mean is known; as :class:`NormalWishart` without it."""

    def __init__(self, degrees, scatter=None, *, covariance=None):
        super().__init__({"degrees": degrees, "scatter": _scatter(degrees, scatter, covariance)})

    def __str__(self):
        return text("wishart", self.as_dict().values())


class Dirichlet(Prior):
    """Prior of the probabilities of levels: one number for each, or one for all."""

    def __init__(self, *concentration):
        super().__init__({"concentration": np.ravel(np.array(concentration, dtype=float))})

    def __str__(self):
        return text("dirichlet", self.concentration.tolist())


_PRIORS = {("dirichlet", 1): Dirichlet, ("normal_gamma", 4): NormalGamma, ("normal_wishart", 4): NormalWishart,
           ("wishart", 2): Wishart}


def prior_from(name, values, levels=None):
    """The named object of a prior that the library made."""
    made = object.__new__(_PRIORS.get((name, len(values)), Prior))
    Named.__init__(made, values, levels)
    return made


def numbers_of(named):
    """What the library takes: floats and flat lists; covariances as factors, probabilities of levels as logarithms."""
    values = dict(named.as_dict() if isinstance(named, Named) else named)
    if "covariance" in values and "degrees" in values and "scatter" not in values:
        values["scatter"] = np.asarray(values.pop("covariance"), float) * values["degrees"]
    if np.ndim(values.get("probability", 0)) > 0 and "log_probability" not in values:
        with np.errstate(divide="ignore"):
            values["log_probability"] = np.maximum(
                np.log(np.asarray(values.pop("probability"), float)), np.log(np.finfo(float).tiny))
    if isinstance(named, Dirichlet) and len(values["concentration"]) == 1:
        values["concentration"] = values["concentration"][0]
    return {key: float(value) if np.ndim(value) == 0 else np.ravel(np.asarray(value, dtype=float)).tolist()
            for key, value in values.items()}


def factor_of(covariance):
    """The lower Cholesky factor, row by row."""
    covariance = np.atleast_2d(np.asarray(covariance, float))
    made = _core.gaussian_from_covariance([0.0] * len(covariance), covariance.ravel().tolist())
    return made["factor"].tolist()
