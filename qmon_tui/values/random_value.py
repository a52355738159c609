"""Random numbers and their texts: `600`, `uniform 60 600`, `lognormal 10m 1.2 1s 8h`, `1=8 4=2 16=1`."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from math import erf, exp, isfinite, log, sqrt
from typing import Final


class Draw(StrEnum):
    """The distribution of a random number; the value is the word that leads its parameters."""

    ONE_OF = "one of"
    """Numbers, each with its weight; no word leads them."""
    UNIFORM = "uniform"
    """Between the first and the second number, each equally likely."""
    LOGNORMAL = "lognormal"
    """Median, standard deviation of the logarithm (sigma), and optionally the least and the largest number."""


_COUNTS: Final = {Draw.UNIFORM: (2,), Draw.LOGNORMAL: (2, 4)}
"""Distribution -> possible numbers of parameters."""
_WRONG: Final = (
    '"{}" is not a number to draw: write 600, numbers such as 1 4 16 or 1=8 4=2, "uniform 60 600", or '
    '"lognormal MEDIAN SIGMA", with the least and the largest number behind'
)


@dataclass(frozen=True, slots=True)
class RandomValue:
    """A random number: its distribution and the parameters, as listed in `Draw`."""

    how: Draw
    numbers: tuple[float, ...]
    weights: tuple[float, ...] = ()
    """Weights of the numbers, in their order; only for `ONE_OF`."""

    @property
    def text(self) -> str:
        """The text that `parse_random_value` reads."""
        if self.how is not Draw.ONE_OF:
            return " ".join((self.how, *map(_plain, self.numbers)))
        pairs = zip(self.numbers, self.weights, strict=True)
        return " ".join(_plain(number) if weight == 1 else f"{_plain(number)}={_plain(weight)}"
                        for number, weight in pairs)  # fmt: skip

    @property
    def mean(self) -> float:
        """The expected value; a number drawn outside of the bounds counts as the nearest bound."""
        if self.how is Draw.ONE_OF:
            total = sum(self.weights)
            return sum(number * weight for number, weight in zip(self.numbers, self.weights, strict=True)) / total
        if self.how is Draw.UNIFORM:
            return (self.numbers[0] + self.numbers[1]) / 2
        median, sigma, *bounds = self.numbers
        whole = median * exp(sigma * sigma / 2)
        if not bounds or not sigma:
            return min(max(whole, bounds[0]), bounds[1]) if bounds else whole
        low, high = ((log(bound / median) / sigma if bound > 0 else -1e9) for bound in bounds)
        inner = whole * (_normal_cdf(high - sigma) - _normal_cdf(low - sigma))
        return bounds[0] * _normal_cdf(low) + inner + bounds[1] * (1 - _normal_cdf(high))


def constant(number: float) -> RandomValue:
    """Return the value that is always this number."""
    return RandomValue(Draw.ONE_OF, (float(number),), (1.0,))


def parse_random_value(text: str, number: Callable[[str], float]) -> RandomValue:
    """Parse a text; `number` parses each number in it but weights and sigma. Raises ValueError with a sentence."""
    words = text.split()
    how = next((how for how in _COUNTS if words and words[0] == how), Draw.ONE_OF)
    try:
        if how is Draw.ONE_OF:
            pairs = [word.partition("=") for word in words]
            value = RandomValue(how, tuple(number(word) for word, _, _ in pairs),
                                tuple(float(weight) if sign else 1.0 for _, sign, weight in pairs))  # fmt: skip
        else:
            sigma_at = 1 if how is Draw.LOGNORMAL else None
            values = tuple(float(word) if at == sigma_at else number(word) for at, word in enumerate(words[1:]))
            value = RandomValue(how, values)
    except ValueError:
        raise ValueError(_WRONG.format(text)) from None
    if not _is_sound(value):
        raise ValueError(_WRONG.format(text))
    return value


def _is_sound(value: RandomValue) -> bool:
    everything = (*value.numbers, *value.weights)
    if not value.numbers or not all(isfinite(number) and number >= 0 for number in everything):
        return False
    if value.how is Draw.ONE_OF:
        return sum(value.weights) > 0
    if len(value.numbers) not in _COUNTS[value.how]:
        return False
    has_bounds = value.how is Draw.UNIFORM or len(value.numbers) == 4
    if has_bounds and value.numbers[-2] > value.numbers[-1]:
        return False
    # A lognormal number needs a median above 0, and a sigma up to 10.
    return value.how is Draw.UNIFORM or (value.numbers[0] > 0 and value.numbers[1] <= 10)


def _plain(number: float) -> str:
    return str(int(number)) if number.is_integer() else repr(number)


def _normal_cdf(x: float) -> float:
    return (1 + erf(x / sqrt(2))) / 2
