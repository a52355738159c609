"""Student's confidence interval of a mean.

The quantile is computed here: SciPy's `stdtrit` gives the same, but takes 100 MB to install.

Source: measures.md#confidence.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, inf, lgamma, log, sqrt
from typing import Final

from qmon_tui.values import sum_in_order

CONFIDENCE: Final = 0.95
_SMALLEST: Final = 1e-300
_EXACT: Final = 1e-15


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean, and the bounds between which the true mean lies in 95 of 100 cases; infinite bounds for one number."""

    mean: float
    low: float
    high: float
    count: int

    @property
    def is_known(self) -> bool:
        """True if there are bounds: the mean is of more than one number."""
        return self.count > 1

    @property
    def half(self) -> float:
        """Distance of each bound from the mean; infinite for one number."""
        return self.high - self.mean

    @property
    def is_zero(self) -> bool:
        """True if all its numbers are 0."""
        return self.mean == 0 and (not self.is_known or self.half == 0)

    @property
    def is_nothing(self) -> bool:
        """True if 0 lies within the bounds; with one value, if it is 0."""
        if self.is_known:
            return self.low <= 0 <= self.high
        return self.mean == 0


def interval(values: Sequence[float]) -> Interval:
    """Return Student's confidence interval of the mean. Raises ValueError without values."""
    count = len(values)
    if not count:
        raise ValueError("there are no values")
    mean = sum_in_order(values) / count
    if count == 1:
        return Interval(mean, -inf, inf, 1)
    spread = sqrt(sum_in_order((value - mean) ** 2 for value in values) / (count - 1))
    half = student_quantile(0.5 + CONFIDENCE / 2, count - 1) * spread / sqrt(count)
    return Interval(mean, mean - half, mean + half, count)


def least_difference(rows: Sequence[Sequence[float]]) -> float | None:
    """Return the least significant difference between two of many means; None for fewer than two rows or columns.

    A row has the numbers of one mean, a column the numbers of one day. Effects common to a day are taken out, all rows
    share one standard deviation, and in 5 of 100 cases some pair of rows is as far apart by chance (Bonferroni).
    """
    count, days = len(rows), min(map(len, rows), default=0)
    if count < 2 or days < 2:
        return None
    of_rows = [sum_in_order(row) / days for row in rows]
    of_days = [sum_in_order(column) / count for column in zip(*rows, strict=True)]
    mean = sum_in_order(of_rows) / count
    freedom = (count - 1) * (days - 1)
    rest = sum_in_order(
        (value - of_row - of_day + mean) ** 2
        for row, of_row in zip(rows, of_rows, strict=True)
        for value, of_day in zip(row, of_days, strict=True)
    )
    pairs = count * (count - 1) / 2
    return student_quantile(1 - (1 - CONFIDENCE) / 2 / pairs, freedom) * sqrt(2 * rest / freedom / days)


def student_quantile(probability: float, freedom: int) -> float:
    """Return the quantile of Student's t distribution for a `probability` of at least one half."""
    low, high = 0.0, 1.0
    while _student(high, freedom) < probability and high < 1e9:
        high *= 2
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if _student(middle, freedom) < probability else (low, middle)
    return high


def _student(value: float, freedom: int) -> float:
    """Return the probability that a t distributed number is at most `value`, which must not be negative."""
    return 1 - _beta(freedom / (freedom + value * value), freedom / 2, 0.5) / 2


def _beta(x: float, a: float, b: float) -> float:
    """Return the regularised incomplete beta function (DLMF 8.17)."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta(1 - x, b, a)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1 - x)) / a
    return front / _fraction(x, a, b)


def _fraction(x: float, a: float, b: float) -> float:
    """Return the continued fraction of DLMF 8.17.22 by Lentz's method."""
    value, numerator, denominator = 1.0, 1.0, 0.0
    for step in range(1, 300):
        m = step // 2
        part = (
            m * (b - m) * x / ((a + step - 1) * (a + step))
            if step % 2 == 0
            else -(a + m) * (a + b + m) * x / ((a + step - 1) * (a + step))
        )
        denominator = 1 / (1 + part * denominator or _SMALLEST)
        numerator = 1 + part / numerator or _SMALLEST
        value *= numerator * denominator
        if abs(numerator * denominator - 1) < _EXACT:
            break
    return value


def over_seeds(days: Sequence[Mapping[str, object]]) -> dict[str, object]:
    """Return mean and bounds of each number that all days have, by name and nested like `measures`."""
    numbers: dict[str, object] = {}
    for name, first in days[0].items():
        values = [day[name] for day in days if name in day]
        if len(values) < len(days):
            continue
        if isinstance(first, Mapping):
            inner = over_seeds([value for value in values if isinstance(value, Mapping)])
            if inner:
                numbers[name] = inner
        elif isinstance(first, int | float):
            over_days = interval([float(value) for value in values if isinstance(value, int | float)])
            bounds = {"low": over_days.low, "high": over_days.high} if over_days.is_known else {}
            numbers[name] = {"mean": over_days.mean, **bounds}
    return numbers
