"""Random numbers and names: the same for the same seed, in every process and on every version of Python.

Of the library only `random.Random.random` is used: Python guarantees that its numbers do not change.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate
from math import cos, exp, log, pi, sqrt
from random import Random
from typing import TypeVar

from qmon_tui.values import Draw, RandomValue

T = TypeVar("T")


class Dice:
    """One stream of random numbers; independent of streams with other names."""

    def __init__(self, seed: int, name: str) -> None:
        self.uniform = Random(f"{seed} {name}").random
        """Function that returns the next number, at least 0 and below 1."""

    def number(self, value: RandomValue) -> float:
        """Return a number from the distribution of `value`."""
        if value.how is Draw.ONE_OF:
            return value.numbers[0] if len(value.numbers) == 1 else self.choose(value.numbers, value.weights)
        if value.how is Draw.UNIFORM:
            low, high = value.numbers
            return low + (high - low) * self.uniform()
        median, sigma, *bounds = value.numbers
        number = median * exp(sigma * self.normal())
        return min(max(number, bounds[0]), bounds[1]) if bounds else number

    def choose(self, items: Sequence[T], weights: Sequence[float]) -> T:
        """Return a random item; probabilities are proportional to the weights."""
        sums = list(accumulate(weights))
        return items[min(bisect_right(sums, self.uniform() * sums[-1]), len(items) - 1)]

    def name(self, weights: Mapping[str, float]) -> str:
        names = tuple(weights)
        return names[0] if len(names) == 1 else self.choose(names, tuple(weights.values()))

    def below(self, count: int) -> int:
        """Return a whole number from 0 to `count` - 1."""
        return int(self.uniform() * count)

    def exponential(self) -> float:
        """Return a number from the exponential distribution of mean 1."""
        return -log(1 - self.uniform())

    def normal(self) -> float:
        """Return a number from the normal distribution of mean 0 and deviation 1 (Box and Muller)."""
        radius = sqrt(2 * self.exponential())
        return radius * cos(2 * pi * self.uniform())

    def gamma(self, shape: float, scale: float) -> float:
        """Return a number from the gamma distribution (Marsaglia and Tsang 2000); `shape` must be above 1."""
        d = shape - 1 / 3
        c = 1 / sqrt(9 * d)
        while True:
            x = self.normal()
            v = (1 + c * x) ** 3
            if v > 0 and log(1 - self.uniform()) < x * x / 2 + d - d * v + d * log(v):
                return scale * d * v
