"""The model of Lublin and Feitelson, for jobs of all types: sizes, run times, arrivals (workloads.md#arrivals)."""

from collections.abc import Iterator
from datetime import datetime
from math import exp, lgamma, log, log2
from typing import Final

from qmon_tui.simulation.workload.dice import Dice

SERIAL, POWER_OF_TWO = 0.244, 0.576
"""Probabilities of a job with one slot, and with a power of two."""
SMALLEST, MIDDLE_BELOW_LARGEST, LOWER_STAGE = 0.8, 2.5, 0.86
"""Logarithms (base 2) of slots: the lower bound, and the middle below the largest; probability of the lower part."""
SHORT, LONG = (4.2, 0.94), (312.0, 0.03)
"""Shape and scale of two gamma distributions of the logarithm of run times (seconds)."""
BY_SIZE, OF_NONE = -0.0054, 0.78
"""The probability of SHORT is BY_SIZE times the slots plus OF_NONE."""
LONGEST, FARTHEST = 12.0, 13.0
"""Logarithms of seconds above which run times and distances are drawn again."""
RUSH, ALL_DAY = (10.2303, 0.4871), 1.0225
"""Shape and scale of the gamma distribution of distances in rush hours; factor of the shape for whole days."""
BY_HOUR: Final = (8.1737, 3.9631)
"""Shape and scale of the gamma distribution of arrivals over the half hours of a day."""
BUCKETS, FIRST = 48, 11
"""Half hours of a day; the one in which the distribution begins."""
HALF_HOUR = 1800
FARTHEST_AHEAD: Final = 2.0 * 366 * 86400
"""Longest distance in seconds: a mistyped rate may stretch distances."""


def slots(dice: Dice, all_slots: int) -> int:
    """Draw the number of slots of a job, `all_slots` at most."""
    kind = dice.uniform()
    largest = log2(all_slots) if all_slots > 1 else 0.0
    if kind <= SERIAL or largest < 1:
        return 1
    middle = max(SMALLEST, largest - MIDDLE_BELOW_LARGEST)
    low, high = (SMALLEST, middle) if dice.uniform() <= LOWER_STAGE else (middle, largest)
    power = low + (high - low) * dice.uniform()
    if kind <= SERIAL + POWER_OF_TWO:
        power = int(power + 0.5)
    return min(all_slots, int(2**power + 0.5))


def run_time(dice: Dice, size: int) -> float:
    """Draw the run time in seconds of a job with `size` slots."""
    share = min(1.0, max(0.0, BY_SIZE * size + OF_NONE))
    while True:
        drawn = dice.gamma(*(SHORT if dice.uniform() <= share else LONG))
        if drawn <= LONGEST:
            return exp(drawn)


def distance(dice: Dice) -> float:
    """Draw the seconds from one arrival to the next, for a day in which all hours are alike."""
    while True:
        drawn = dice.gamma(RUSH[0] * ALL_DAY, RUSH[1])
        if drawn <= FARTHEST:
            return exp(drawn)


def half_hours() -> tuple[float, ...]:
    """Return the relative number of arrivals in each half hour of the day; their mean is 1."""
    shares = [0.0] * BUCKETS
    for bucket in range(FIRST, FIRST + BUCKETS):
        shares[(bucket - 1) % BUCKETS] = gamma_cdf(bucket + 0.5, *BY_HOUR) - gamma_cdf(bucket - 0.5, *BY_HOUR)
    mean = sum(shares) / BUCKETS
    return tuple(share / mean for share in shares)


def times(dice: Dice, start: int, stretch: float) -> Iterator[float]:
    """Yield arrival times in seconds since the epoch, without end; distances are `stretch` times as long."""
    weights = half_hours()
    moment = datetime.fromtimestamp(start)
    midnight = start - moment.hour * 3600 - moment.minute * 60 - moment.second
    bucket, passed = divmod(start - midnight, HALF_HOUR)
    at = float(passed)
    while True:
        points = min(distance(dice) * stretch, FARTHEST_AHEAD)
        while points > (HALF_HOUR - at) * (weight := weights[bucket % BUCKETS]):
            points -= (HALF_HOUR - at) * weight
            bucket, at = bucket + 1, 0.0
        at += points / weight
        yield midnight + bucket * HALF_HOUR + at


def gamma_cdf(x: float, shape: float, scale: float) -> float:
    """Return the probability up to x in a gamma distribution, by the series of the incomplete gamma function."""
    x /= scale
    if x <= 0:
        return 0.0
    term = whole = 1 / shape
    step = shape
    while term > whole * 1e-16:
        step += 1
        term *= x / step
        whole += term
    return min(1.0, whole * exp(shape * log(x) - x - lgamma(shape)))
