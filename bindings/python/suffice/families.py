"""Exponential families as objects: densities, fits, statistics, conjugate priors, predictives and evidences.

>>> from suffice.families import Bernoulli, Beta, Categorical, GaussianVector, Poisson
>>> family = Poisson()
>>> family.fit([1, 2, 3, 6])
Parameter(rate=3.0)
>>> float(family.log_density({"rate": 3.0}, [0])[0])
-3.0

Rows are observed once; what is kept of them can be added, saved and asked anything.

>>> rows = family.observe([1, 2, 3]) + family.observe([6])
>>> family.fit(rows) == family.fit([1, 2, 3, 6])
True

A prior is a distribution with its numbers; what rows make of it is one too.

>>> coin = Bernoulli()
>>> coin.posterior(Beta(2, 5), [1, 1, 0])
Prior(alpha=4.0, beta=6.0)
>>> round(float(coin.log_evidence(Beta(1, 1), [1, 1, 0])), 6)  # 1/12
-2.484907

The number of columns and of levels follows from the data, and levels may be words.

>>> GaussianVector().fit([[1, 2], [3, 2], [1, 5], [3, 5]]).mean.tolist()
[2.0, 3.5]
>>> Categorical().fit(["no", "yes", "no", "no"]).probability.round(2).tolist()
[0.75, 0.25]
"""
import numpy as np

from suffice import _core
from suffice.family_statistic import Statistic
from suffice.family_values import (Dirichlet, Named, Normal, NormalGamma, NormalWishart, Parameter, Prior, Wishart,
                                   by_name, factor_of, numbers_of, prior_from, text)

_SHAPES = {"levels": "level_count"}
_ALSO_PRIORS = {"beta": ("alpha", "beta"), "gamma": ("shape", "rate")}
# By which numbers of a parameter or prior its size is known.
_SIZED_BY = {"dimension": ("mean",), "level_count": ("log_probability", "probability", "concentration")}


def _dict(named):
    return numbers_of(named.parameter if isinstance(named, Family) else named)


def _parameter_dict(named):
    """As _dict; a covariance in place of its factor."""
    if isinstance(named, Family):
        named = named.parameter
    values = dict(named.as_dict() if isinstance(named, Named) else named)
    if "covariance" in values and "factor" not in values:
        values["factor"] = factor_of(values.pop("covariance"))
    return numbers_of(values)


def _words(x):
    """The array of words, or None where x holds numbers."""
    values = np.asarray(x)
    if values.dtype.kind in "US":
        return values.ravel().astype(str)
    if values.dtype.kind == "O":
        try:
            values.astype(float)
        except (TypeError, ValueError):
            return np.array([str(each) for each in values.ravel()])
    return None


class Family:
    """One exponential family. Shapes that the data cannot tell are given to the constructor; the number of columns or
    levels may be."""

    _name = ""
    _numbers: tuple[str, ...] = ()  # of a family that is also a prior: the names of its numbers

    def __init__(self, *values, **shape):
        self._given = by_name(type(self).__name__, self._numbers, values, shape) if (
            values or self._numbers and shape) else shape
        own = {} if self._numbers else {_SHAPES.get(key, key): value for key, value in shape.items()}
        if "covariance" in own:
            own["factor"] = factor_of(own.pop("covariance"))
        self._levels = None
        if np.ndim(own.get("level_count", 0)) == 1:  # the words themselves
            self._levels = tuple(map(str, own["level_count"]))
            own["level_count"] = len(self._levels)
        self._shape = own
        self._core = _core.Family.make(self._name, numbers_of(own))
        open_sizes = [key for key in _SIZED_BY if key in self._core.shape and key not in own]
        self._open = open_sizes[0] if open_sizes else None

    @property
    def parameter(self):
        """The numbers that were given, as in ``Beta(2, 5)``."""
        if not self._numbers or not self._given:
            raise TypeError(f"{self!r} has no numbers of its own")
        return Parameter(self._given)

    def __str__(self):
        return text(self._name, self._given.values()) if self._numbers and self._given else repr(self)

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{key}={value!r}' for key, value in self._given.items())})"

    def __eq__(self, other):
        return type(self) is type(other) and repr(self._given) == repr(other._given)

    def __hash__(self):
        return hash((self._name, repr(self._given)))

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

    def _sized(self, size):
        if self._open is None or size is None:
            return self._core
        return _core.Family.make(self._name, numbers_of({**self._shape, self._open: size}))

    def _size_of(self, *named):
        """How many columns or levels these parameters, priors and statistics are of."""
        for each in named:
            if isinstance(each, Statistic):
                if self._open in each._core.shape:
                    return each._core.shape[self._open]
            elif self._open is not None and not isinstance(each, Family) and each is not None:
                values = each.as_dict() if isinstance(each, Named) else each
                for key in _SIZED_BY[self._open]:
                    if np.ndim(values.get(key, 0)) == 1 and not (isinstance(each, Dirichlet) and len(values[key]) == 1):
                        return len(values[key])
        return None

    def _levels_of(self, *named):
        found = [each.levels for each in named if isinstance(each, (Named, Statistic)) and each.levels is not None]
        return found[0] if found else self._levels

    def _rows(self, x, *named):
        """The family of the right size, the numbers of x row by row, and what its codes mean."""
        levels = self._levels_of(*named)
        words = _words(x) if "level_count" in self._core.shape and not self._core.is_joint else None
        if words is not None:
            if levels is None:
                levels = tuple(np.unique(words).tolist())
            if self._size_of(*named) not in (None, len(levels)):
                raise ValueError(f"{self.name}: name the levels, as in Categorical(levels=['a', 'b'])")
            place = {level: k for k, level in enumerate(levels)}
            unknown = sorted(set(words) - set(levels))
            if unknown:
                raise ValueError(f"{self.name}: there is no level {unknown[0]}; there are {', '.join(levels)}")
            return self._sized(len(levels)), np.array([place[word] for word in words], float), levels
        x = np.ascontiguousarray(x, dtype=np.float64)
        size = self._size_of(*named)
        if size is None and self._open is not None:
            if self._core.is_joint:
                size = x.shape[1] if x.ndim == 2 else 1
            else:
                size = max(2, int(np.nanmax(x, initial=0)) + 1) if np.isfinite(x).all() else None
        core = self._sized(size)
        if core.value_size > 1 and x.shape[-1:] != (core.value_size,):
            raise ValueError(f"{self.name} takes rows of {core.value_size} values")
        return core, x.ravel(), levels

    def _observed(self, x, weights, *named):
        """The family of the right size and the statistic of x, which may be one already."""
        if isinstance(x, Statistic):
            if weights is not None:
                raise ValueError("weights belong to values; those of a statistic are in it")
            return self._sized(self._size_of(*named, x)), x
        core, values, levels = self._rows(x, *named)
        weights = None if weights is None else np.ascontiguousarray(weights, dtype=np.float64)
        return core, Statistic(core.observe(values, weights), levels)

    def _named(self, kind, core, values, levels=None):
        size = core.value_size
        values = {key: value.reshape(size, size) if np.ndim(value) == 1 and 1 < size and len(value) == size**2
                  else value for key, value in values.items()}
        return kind(values, levels) if kind is Parameter else prior_from(core.prior_name, values, levels)

    def observe(self, x, weights=None):
        """What the family keeps of these rows: a :class:`Statistic`, which ``fit``, ``posterior``, ``log_evidence`` and
        ``log_likelihood`` take in place of values."""
        return self._observed(x, weights)[1]

    def fit(self, x, weights=None, estimate="likelihood", prior=None):
        """The parameter of these rows, or of a statistic: estimate is likelihood, unbiased, map or mean."""
        core, rows = self._observed(x, weights, prior)
        prior = None if prior is None else _dict(prior)
        return self._named(Parameter, core, core.fit(rows._core, estimate, prior), rows.levels)

    def log_density(self, parameter, x):
        """log p(x) of each row."""
        core, values, _ = self._rows(x, parameter)
        return core.log_density(_parameter_dict(parameter), values)

    def log_likelihood(self, parameter, x, weights=None):
        """log p(all rows) at this parameter, of values or of a statistic."""
        core, rows = self._observed(x, weights, parameter)
        return core.log_likelihood(_parameter_dict(parameter), rows._core)

    def _ask(self, question, parameter):
        core = self._sized(self._size_of(parameter))
        return getattr(core, question)(_parameter_dict(parameter))

    def mean(self, parameter):
        """The expectation of x."""
        return _scalar(self._ask("mean", parameter))

    def variance(self, parameter):
        """The variance of x; of a vector, its covariance matrix."""
        variance, size = self._ask("variance", parameter), np.size(self._ask("mean", parameter))
        return _scalar(variance.reshape(size, size) if size > 1 and np.size(variance) == size**2 else variance)

    def natural(self, parameter):
        """The natural parameters."""
        return self._ask("natural", parameter)

    def log_partition(self, parameter):
        """The log partition function A at these parameters."""
        return self._ask("log_partition", parameter)

    def mean_features(self, parameter):
        """The gradient of A: the expectation of the sufficient statistics.

        >>> Poisson().mean_features({"rate": 3.0}).tolist()
        [3.0]
        """
        return self._ask("mean_features", parameter)

    def feature_covariance(self, parameter):
        """The Hessian of A: the covariance matrix of the sufficient statistics.

        >>> Poisson().feature_covariance({"rate": 3.0}).tolist()
        [[3.0]]
        """
        covariance = self._ask("feature_covariance", parameter)
        side = len(self.mean_features(parameter))
        return covariance.reshape(side, side)

    def entropy(self, parameter):
        """The differential entropy, or that of a discrete distribution, in nats."""
        return self._ask("entropy", parameter)

    def kl_divergence(self, truth, other):
        """Kullback-Leibler divergence of `other` from `truth`, in nats."""
        return self._sized(self._size_of(truth)).kl_divergence(_parameter_dict(truth), _parameter_dict(other))

    def dispersed(self, parameter, scale, x=()):
        """The form with a dispersion s, p(x) = s^-d h(x/s) exp(eta . x / s - A(eta)): a dict of its ``mean``, which is
        s A'(eta), its ``variance``, s^2 A''(eta), the ``weights`` and the ``constant`` of the score that is linear in x,
        and the ``log_density`` of each row of `x`. For exponential, and for Gaussians whose variance is known.

        >>> Exponential().dispersed({"rate": 0.5}, 2.0)["mean"].tolist()
        [4.0]
        """
        core, values = self._sized(self._size_of(parameter)), np.empty(0)
        if np.size(x):
            core, values, _ = self._rows(x, parameter)
        mean, variance, weights, constant, dense = core.dispersed(_parameter_dict(parameter), float(scale), values)
        return {"mean": mean, "variance": variance if len(mean) == 1 else variance.reshape(len(mean), -1),
                "weights": weights, "constant": constant, "log_density": dense}

    def default_prior(self):
        """The conjugate prior that is taken where none is given."""
        return self._named(Prior, self._core, self._core.default_prior())

    def prior(self, text):
        """A prior as the command line writes it, such as "beta(2, 5)"."""
        return self._named(Prior, self._core, self._core.parse_prior(str(text)))

    def posterior(self, prior, x, weights=None):
        """What these rows, or those of a statistic, make of the prior."""
        core, rows = self._observed(x, weights, prior)
        return self._named(Prior, core, core.posterior(_dict(prior), rows._core), rows.levels)

    def _of_prior(self, question, prior):
        core = self._sized(self._size_of(prior))
        return self._named(Parameter, core, getattr(core, question)(_dict(prior)), self._levels_of(prior))

    def prior_mean(self, prior):
        """The parameter at the prior's mean."""
        return self._of_prior("prior_mean", prior)

    def prior_mode(self, prior):
        """The parameter where the prior is highest."""
        return self._of_prior("prior_mode", prior)

    def credible_intervals(self, prior, mass=0.95):
        """Central intervals that hold each number of the parameter with this probability: a dict of (low, high), or of
        arrays with a row for each column or level.

        >>> low, high = Bernoulli().credible_intervals(Beta(5, 12), 0.9)["probability"]
        >>> round(low, 6), round(high, 6)
        (0.132111, 0.484396)
        """
        found = {}
        for quantity, place, low, high in self._sized(self._size_of(prior)).credible_intervals(_dict(prior), mass):
            if place is None:
                found[quantity] = (low, high)
            else:
                found.setdefault(quantity, []).append((low, high))
        return {key: np.array(value) if isinstance(value, list) else value for key, value in found.items()}

    def predictive(self, prior):
        """The distribution of one more row with the parameter integrated out: its usual name and its numbers, or None where
        it has no such name.

        >>> Poisson().predictive(Gamma(4, 3))
        {'distribution': 'negative_binomial', 'successes': 4.0, 'probability': 0.75}
        """
        found = self._sized(self._size_of(prior)).predictive(_dict(prior))
        if found is None:
            return None
        told = {"distribution": found[0], **found[1]}
        for name in ("scale_matrix", "covariance"):
            if name in told:
                side = int(np.sqrt(len(told[name])))
                told[name] = told[name].reshape(side, side)
        return told

    def log_predictive(self, prior, x):
        """log p(x) of each row with the parameter integrated out."""
        core, values, _ = self._rows(x, prior)
        return core.log_predictive(_dict(prior), values)

    def log_evidence(self, prior, x, weights=None):
        """log p(all rows) with the parameter integrated out, of values or of a statistic."""
        core, rows = self._observed(x, weights, prior)
        return core.log_evidence(_dict(prior), rows._core)

    def sample(self, parameter, n, random_state=None):
        """Draws n values."""
        seed = np.random.default_rng(random_state).integers(2**63) if not isinstance(
            random_state, np.random.RandomState) else random_state.randint(2**31)
        core = self._sized(self._size_of(parameter))
        drawn = core.sample(_parameter_dict(parameter), int(n), int(seed))
        return drawn.reshape(int(n), -1) if core.value_size > 1 else drawn


class _GaussianMaps(Family):
    """What one does with a Gaussian vector: linear maps, some of its columns, the rest given some."""

    def _gaussian(self, values):
        d = len(values["mean"])
        return Parameter({"mean": values["mean"], "factor": values["factor"].reshape(d, d)})

    def affine(self, parameter, A, b, noise=None, cross=None):
        """The Gaussian of y = A x + b + n, n with mean zero and covariance `noise` (default: none).

        `cross` is Cov(x, n), a row for each column of x; without it the noise is independent of x.

        >>> unit = {"mean": [0.0, 0.0], "covariance": [[1.0, 0.0], [0.0, 1.0]]}
        >>> GaussianVector().affine(unit, [[3.0, 4.0]], [1.0]).covariance.tolist()
        [[25.0]]
        """
        A = np.atleast_2d(np.asarray(A, float))
        optional = [[] if each is None else np.ravel(np.asarray(each, float)).tolist() for each in (noise, cross)]
        return self._gaussian(_core.gaussian_affine(_parameter_dict(parameter), len(A), A.ravel().tolist(),
                                                    np.ravel(np.asarray(b, float)).tolist(), *optional))

    def marginal(self, parameter, columns):
        """The Gaussian of these columns, in this order."""
        return self._gaussian(_core.gaussian_marginal(_parameter_dict(parameter), _columns(columns)))

    def conditional(self, parameter, columns, values):
        """The Gaussian of the other columns, ascending, given that `columns` have these values."""
        return self._gaussian(_core.gaussian_conditional(_parameter_dict(parameter), _columns(columns),
                                                         np.ravel(np.asarray(values, float)).tolist()))


def _columns(columns):
    columns = np.atleast_1d(np.asarray(columns))
    if columns.dtype.kind not in "iu" or (columns < 0).any():
        raise ValueError("columns are whole numbers from 0")
    return columns.tolist()


def _remake(family, given):
    return family(**given)


def _scalar(values):
    return float(values[0]) if values.size == 1 else values


def _class_name(name):
    return "".join(word.capitalize() for word in name.split("_"))


__all__ = ["Dirichlet", "Family", "Normal", "NormalGamma", "NormalWishart", "Parameter", "Prior", "Statistic",
           "Wishart"]
for _each in _core.family_names():
    globals()[_class_name(_each)] = type(
        _class_name(_each), (_GaussianMaps if _each == "gaussian_vector" else Family,), {
            "_name": _each, "_numbers": _ALSO_PRIORS.get(_each, ()), "__doc__": f"The family {_each}.",
            "__module__": __name__})
    __all__.append(_class_name(_each))
