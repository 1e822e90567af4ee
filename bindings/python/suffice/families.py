"""Exponential families as objects: densities, fits, conjugate priors, predictives and evidences.

>>> from suffice.families import Poisson
>>> family = Poisson()
>>> family.fit([1, 2, 3, 6])
Parameter(rate=3.0)
>>> float(family.log_density({"rate": 3.0}, [0])[0])
-3.0
"""
import numpy as np

from suffice import _core


class Named:
    """Named numbers that print well: a parameter or a prior."""

    def __init__(self, values):
        self.__dict__.update(values)

    def as_dict(self):
        return dict(self.__dict__)

    def __eq__(self, other):
        return type(self) is type(other) and self.__dict__.keys() == other.__dict__.keys() and all(
            np.array_equal(value, other.__dict__[key]) for key, value in self.__dict__.items())

    __hash__ = None

    def __repr__(self):
        inside = ", ".join(f"{key}={np.asarray(value).tolist()!r}" for key, value in self.__dict__.items())
        return f"{type(self).__name__}({inside})"


class Parameter(Named):
    """Parameters of a distribution, by their names."""


class Prior(Named):
    """A conjugate prior or posterior, by the names of its numbers."""


def _dict(named):
    values = named.as_dict() if isinstance(named, Named) else dict(named)
    return {key: float(value) if np.ndim(value) == 0 else np.ravel(np.asarray(value, dtype=float)).tolist()
            for key, value in values.items()}


class Family:
    """One exponential family; shapes such as the number of levels are given to the constructor."""

    _name = ""

    def __init__(self, **shape):
        self._shape = {_SHAPES.get(key, key): value for key, value in shape.items()}
        self._given = shape
        self._core = _core.Family.make(self._name, _dict(self._shape))

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{key}={value!r}' for key, value in self._given.items())})"

    def __reduce__(self):
        return (_remake, (type(self), self._given))

    @property
    def name(self):
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

    def fit(self, x, weights=None, estimate="likelihood", prior=None):
        """The parameter of these rows: estimate is likelihood, unbiased, map or mean."""
        prior = None if prior is None else _dict(prior)
        return Parameter(self._core.fit(self._rows(x), self._weights(weights), estimate, prior))

    def log_density(self, parameter, x):
        return self._core.log_density(_dict(parameter), self._rows(x))

    def mean(self, parameter):
        return _scalar(self._core.mean(_dict(parameter)))

    def variance(self, parameter):
        return _scalar(self._core.variance(_dict(parameter)))

    def natural(self, parameter):
        return self._core.natural(_dict(parameter))

    def log_partition(self, parameter):
        return self._core.log_partition(_dict(parameter))

    def entropy(self, parameter):
        return self._core.entropy(_dict(parameter))

    def kl_divergence(self, truth, other):
        return self._core.kl_divergence(_dict(truth), _dict(other))

    def default_prior(self):
        return Prior(self._core.default_prior())

    def prior(self, text):
        """A prior as the command line writes it, such as "beta(2, 5)"."""
        return Prior(self._core.parse_prior(text))

    def posterior(self, prior, x, weights=None):
        return Prior(self._core.posterior(_dict(prior), self._rows(x), self._weights(weights)))

    def prior_mean(self, prior):
        return Parameter(self._core.prior_mean(_dict(prior)))

    def prior_mode(self, prior):
        return Parameter(self._core.prior_mode(_dict(prior)))

    def log_predictive(self, prior, x):
        return self._core.log_predictive(_dict(prior), self._rows(x))

    def log_evidence(self, prior, x, weights=None):
        return self._core.log_evidence(_dict(prior), self._rows(x), self._weights(weights))

    def sample(self, parameter, n, random_state=None):
        seed = np.random.default_rng(random_state).integers(2**63) if not isinstance(
            random_state, np.random.RandomState) else random_state.randint(2**31)
        drawn = self._core.sample(_dict(parameter), int(n), int(seed))
        return drawn.reshape(int(n), -1) if self._core.value_size > 1 else drawn


_SHAPES = {"levels": "level_count"}


def _remake(family, shape):
    return family(**shape)


def _scalar(values):
    return float(values[0]) if len(values) == 1 else values


def _class_name(name):
    return "".join(word.capitalize() for word in name.split("_"))


__all__ = ["Family", "Parameter", "Prior"]
for _each in _core.family_names():
    globals()[_class_name(_each)] = type(_class_name(_each), (Family,), {
        "_name": _each, "__doc__": f"The family {_each}.", "__module__": __name__})
    __all__.append(_class_name(_each))
