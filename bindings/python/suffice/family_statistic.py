"""What a family keeps of rows: values that are added, taken apart, scaled and saved."""
import json

import numpy as np

from suffice import _core


class Statistic:
    """The sufficient statistic of some rows under a family, made by ``Family.observe``.

    Sums of statistics are statistics of all rows, differences take rows out again, and a factor counts every row so
    much more or less. Words are matched by name, so that pieces need not have seen the same levels.

    >>> from suffice.families import Categorical, Poisson
    >>> a, b = Poisson().observe([1, 2, 3]), Poisson().observe([6])
    >>> Poisson().fit(a + b)
    Parameter(rate=3.0)
    >>> (a + b - b).weight, (a * 0.5).weight
    (3.0, 1.5)
    >>> words = Categorical().observe(["a", "b"]) + Categorical().observe(["b", "c"])
    >>> words.levels, Categorical().fit(words).probability.tolist()
    (('a', 'b', 'c'), [0.25, 0.5, 0.25])
    """

    __slots__ = ("_core", "_levels")

    def __init__(self, core, levels=None):
        self._core = core
        self._levels = levels

    @property
    def family(self):
        """The family's name."""
        return self._core.family

    @property
    def levels(self):
        """The words of the levels, in their order; None where codes were given."""
        return self._levels

    @property
    def weight(self):
        """How many rows are in it, each with its weight."""
        return self._core.weight

    @property
    def sums(self):
        """The numbers that are kept, by name."""
        return self._core.sums

    def _spread(self, levels):
        place = {level: k for k, level in enumerate(levels)}
        return self._core.recoded([place[level] for level in self._levels], len(levels))

    def _both(self, other):
        if (self._levels is None) != (other._levels is None):
            raise ValueError("one statistic has words for its levels and the other codes")
        if self._levels == other._levels:
            return self._core, other._core, self._levels
        levels = tuple(sorted(set(self._levels) | set(other._levels)))
        return self._spread(levels), other._spread(levels), levels

    def __add__(self, other):
        if not isinstance(other, Statistic):
            return NotImplemented
        left, right, levels = self._both(other)
        return Statistic(left.merged(right), levels)

    def __radd__(self, other):
        return self if isinstance(other, int) and other == 0 else NotImplemented  # sum() begins with 0

    def __sub__(self, other):
        if not isinstance(other, Statistic):
            return NotImplemented
        left, right, levels = self._both(other)
        return Statistic(left.without(right), levels)

    def __mul__(self, factor):
        if not np.isscalar(factor):
            return NotImplemented
        return Statistic(self._core.scaled(float(factor)), self._levels)

    __rmul__ = __mul__

    def __eq__(self, other):
        return isinstance(other, Statistic) and self._levels == other._levels and self._core.equals(other._core)

    __hash__ = None  # type: ignore[assignment]

    def to_bytes(self):
        """Bytes that ``from_bytes`` reads back to the last bit."""
        names = json.dumps(self._levels).encode()
        return len(names).to_bytes(8, "little") + names + self._core.to_bytes()

    @classmethod
    def from_bytes(cls, data):
        """The statistic whose ``to_bytes`` these are."""
        data = bytes(data)
        end = 8 + int.from_bytes(data[:8], "little")
        try:
            names = json.loads(data[8:end])
        except ValueError:
            raise ValueError("these bytes are not those of a statistic") from None
        return cls(_core.FamilyStatistic.from_bytes(data[end:]), None if names is None else tuple(names))

    def __reduce__(self):
        return (Statistic.from_bytes, (self.to_bytes(),))

    def __repr__(self):
        inside = [f"{key}={np.asarray(value).tolist()!r}" for key, value in self.sums.items()]
        inside += [] if self._levels is None else [f"levels={list(self._levels)!r}"]
        return f"Statistic({', '.join([repr(self.family), *inside])})"
