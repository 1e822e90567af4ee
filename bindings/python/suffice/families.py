"""Exponential families as objects: densities, fits, conjugate priors, predictives and evidences.

>>> from suffice.families import Bernoulli, Beta, Poisson
>>> family = Poisson()
>>> family.fit([1, 2, 3, 6])
Parameter(rate=3.0)
>>> float(family.log_density({"rate": 3.0}, [0])[0])
-3.0

A prior is a distribution with its numbers; what rows make of it is one too.

>>> coin = Bernoulli()
>>> coin.posterior(Beta(2, 5), [1, 1, 0])
Prior(alpha=4.0, beta=6.0)
>>> round(float(coin.log_evidence(Beta(1, 1), [1, 1, 0])), 6)  # 1/12
-2.484907
"""
import numpy as np

from suffice import _core


class Named:
    """Named numbers that print well: a parameter or a prior."""

    def __init__(self, values):
        self.__dict__.update(values)

    def as_dict(self):
        """The numbers by name."""
        return dict(self.__dict__)

    def __eq__(self, other):
        return isinstance(other, Named) and self.__dict__.keys() == other.__dict__.keys() and all(
            np.array_equal(value, other.__dict__[key]) for key, value in self.__dict__.items())

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self):
        inside = ", ".join(f"{key}={np.asarray(value).tolist()!r}" for key, value in self.__dict__.items())
        return f"{type(self).__name__}({inside})"


class Parameter(Named):
    """Parameters of a distribution, by their names."""


class Prior(Named):
    """A conjugate prior or posterior, by the names of its numbers."""


def _by_name(owner, names, values, named):
    """Numbers given in order, by name or both."""
    if len(values) > len(names):
        raise TypeError(f"{owner} takes {len(names)} numbers, not {len(values)}")
    given = {**dict(zip(names, values)), **named}
    if set(given) != set(names) or len(given) != len(values) + len(named):
        raise TypeError(f"{owner} takes the numbers {', '.join(names)}")
    return given


class NormalGamma(Prior):
    """Prior of a Gaussian's mean and precision."""

    def __init__(self, *values, **named):
        super().__init__(_by_name("NormalGamma", ("mean", "mean_weight", "shape", "rate"), values, named))

    def __str__(self):
        return _text("normal_gamma", self.as_dict().values())


class Normal(Prior):
    """Prior of a Gaussian's mean where the variance is known."""

    def __init__(self, *values, **named):
        super().__init__(_by_name("Normal", ("mean", "variance"), values, named))

    def __str__(self):
        return _text("normal", self.as_dict().values())


class Dirichlet(Prior):
    """Prior of the probabilities of levels: one number for each, or one for all."""

    def __init__(self, *concentration):
        super().__init__({"concentration": np.ravel(np.array(concentration, dtype=float))})

    def __str__(self):
        return _text("dirichlet", self.concentration.tolist())


def _text(name, numbers):
    """As the command line writes a prior."""
    return f"{name}({', '.join(repr(float(each)) for each in numbers)})"


def _dict(named):
    if isinstance(named, Family):
        named = named.parameter
    values = named.as_dict() if isinstance(named, Named) else dict(named)
    return {key: float(value) if np.ndim(value) == 0 else np.ravel(np.asarray(value, dtype=float)).tolist()
            for key, value in values.items()}


class Family:
    """One exponential family; shapes such as the number of levels are given to the constructor."""

    _name = ""
    _numbers: tuple[str, ...] = ()  # of a family that is also a prior: the names of its numbers

    def __init__(self, *values, **shape):
        self._given = _by_name(type(self).__name__, self._numbers, values, shape) if (
            values or self._numbers and shape) else shape
        self._shape = {} if self._numbers else {_SHAPES.get(key, key): value for key, value in shape.items()}
        self._core = _core.Family.make(self._name, _dict(self._shape))

    @property
    def parameter(self):
        """The numbers that were given, as in ``Beta(2, 5)``."""
        if not self._numbers or not self._given:
            raise TypeError(f"{self!r} has no numbers of its own")
        return Parameter(self._given)

    def __str__(self):
        return _text(self._name, self._given.values()) if self._numbers and self._given else repr(self)

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{key}={value!r}' for key, value in self._given.items())})"

    def __eq__(self, other):
        return type(self) is type(other) and self._given == other._given

    def __hash__(self):
        return hash((self._name, tuple(self._given.items())))

    def __reduce__(self):
        return (_remake, (type(self), self._given))

    @property
    def name(self):
        """The name that files, models and the command line use."""
        return self._core.name

    @property
    def support(self):
        """Which values have a density, in words."""
        return self._core.support

    def _rows(self, x):
        x = np.ascontiguousarray(x, dtype=np.float64)
        size = self._core.value_size
        if size > 1 and x.shape[-1:] != (size,):
            raise ValueError(f"{self.name} takes rows of {size} values")
        return x.ravel()

    @staticmethod
    def _weights(weights):
        return None if weights is None else np.ascontiguousarray(weights, dtype=np.float64)

    def _square(self, values):
        """Matrices come out of the library row by row."""
        size = self._core.value_size
        return values.reshape(size, size) if np.ndim(values) == 1 and 1 < size and len(values) == size**2 else values

    def _named(self, kind, values):
        return kind({key: self._square(value) for key, value in values.items()})

    def fit(self, x, weights=None, estimate="likelihood", prior=None):
        """The parameter of these rows: estimate is likelihood, unbiased, map or mean."""
        prior = None if prior is None else _dict(prior)
        return self._named(Parameter, self._core.fit(self._rows(x), self._weights(weights), estimate, prior))

    def log_density(self, parameter, x):
        """log p(x) of each row."""
        return self._core.log_density(_dict(parameter), self._rows(x))

    def mean(self, parameter):
        """The expectation of x."""
        return _scalar(self._core.mean(_dict(parameter)))

    def variance(self, parameter):
        """The variance of x; of a vector, its covariance matrix."""
        variance = self._core.variance(_dict(parameter))
        size = np.size(self._core.mean(_dict(parameter)))
        return _scalar(variance.reshape(size, size) if size > 1 and np.size(variance) == size**2 else variance)

    def natural(self, parameter):
        """The natural parameters."""
        return self._core.natural(_dict(parameter))

    def log_partition(self, parameter):
        """The log partition function at these parameters."""
        return self._core.log_partition(_dict(parameter))

    def entropy(self, parameter):
        """The differential entropy, or that of a discrete distribution, in nats."""
        return self._core.entropy(_dict(parameter))

    def kl_divergence(self, truth, other):
        """Kullback-Leibler divergence of `other` from `truth`, in nats."""
        return self._core.kl_divergence(_dict(truth), _dict(other))

    def default_prior(self):
        """The conjugate prior that is taken where none is given."""
        return self._named(Prior, self._core.default_prior())

    def prior(self, text):
        """A prior as the command line writes it, such as "beta(2, 5)"."""
        return self._named(Prior, self._core.parse_prior(str(text)))

    def posterior(self, prior, x, weights=None):
        """What these rows make of the prior."""
        return self._named(Prior, self._core.posterior(_dict(prior), self._rows(x), self._weights(weights)))

    def prior_mean(self, prior):
        """The parameter at the prior's mean."""
        return self._named(Parameter, self._core.prior_mean(_dict(prior)))

    def prior_mode(self, prior):
        """The parameter where the prior is highest."""
        return self._named(Parameter, self._core.prior_mode(_dict(prior)))

    def log_predictive(self, prior, x):
        """log p(x) of each row with the parameter integrated out."""
        return self._core.log_predictive(_dict(prior), self._rows(x))

    def log_evidence(self, prior, x, weights=None):
        """log p(all rows) with the parameter integrated out."""
        return self._core.log_evidence(_dict(prior), self._rows(x), self._weights(weights))

    def sample(self, parameter, n, random_state=None):
        """Draws n values."""
        seed = np.random.default_rng(random_state).integers(2**63) if not isinstance(
            random_state, np.random.RandomState) else random_state.randint(2**31)
        drawn = self._core.sample(_dict(parameter), int(n), int(seed))
        return drawn.reshape(int(n), -1) if self._core.value_size > 1 else drawn


_SHAPES = {"levels": "level_count"}
_ALSO_PRIORS = {"beta": ("alpha", "beta"), "gamma": ("shape", "rate")}


def _remake(family, given):
    return family(**given)


def _scalar(values):
    return float(values[0]) if values.size == 1 else values


def _class_name(name):
    return "".join(word.capitalize() for word in name.split("_"))


__all__ = ["Dirichlet", "Family", "Normal", "NormalGamma", "Parameter", "Prior"]
for _each in _core.family_names():
    globals()[_class_name(_each)] = type(_class_name(_each), (Family,), {
        "_name": _each, "_numbers": _ALSO_PRIORS.get(_each, ()), "__doc__": f"The family {_each}.",
        "__module__": __name__})
    __all__.append(_class_name(_each))
