"""Many policies on the same work: the points of a grid, or some drawn from it, each measured on the same days.

The result of a point depends only on its value, so it can be computed in any process. Source: measures.md#sweeps.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import isfinite, prod
from random import Random
from types import MappingProxyType
from typing import Final

from qmon_tui.model import Cluster
from qmon_tui.simulation.confidence import least_difference
from qmon_tui.simulation.policy_edits import EditError, edit_of
from qmon_tui.simulation.scenario import Scenario, flat, simulated

MOST_POINTS: Final = 10_000
"""Most points of a sweep; a larger number is taken for a mistake."""
_OUTSIDE: Final = re.compile(r",(?![^\[]*\])")
"""A comma that separates values: one in brackets belongs to [host=value]."""
_RANGE: Final = re.compile(r"(-?\d+(?:\.\d+)?)\.\.(-?\d+(?:\.\d+)?)")
Setting = tuple[tuple[str, str], ...]
"""Pairs of a varied field and its value: one point of a sweep."""


@dataclass(frozen=True, slots=True)
class Axis:
    """A varied field, and its values."""

    place: str
    values: tuple[str, ...] = ()
    span: tuple[float, float] | None = None
    """Lowest and highest number, instead of `values`; None with values."""

    def drawn(self, random: Random) -> str:
        """Return a random value."""
        if self.span is None:
            return random.choice(self.values)
        low, high = self.span
        if low.is_integer() and high.is_integer() and high - low > 1:
            return str(random.randint(int(low), int(high)))
        return f"{random.uniform(low, high):.6g}"


@dataclass(frozen=True, slots=True)
class SweepPoint:
    """One policy to be tried, and the seeds of the days on which it is tried."""

    setting: Setting
    scenario: Scenario
    seeds: tuple[int, ...]
    by_day: tuple[str, ...] = ()
    """Measures whose value on each day is wanted, besides the mean."""


Measured = Mapping[str, float]
"""Measure -> its mean over the days that have it."""


class DailyMeasures(dict[str, float]):
    """Means of measures; `by_day` has the values on each day for some of them, None for a day without a value."""

    by_day: Mapping[str, Sequence[float | None]] = MappingProxyType({})


def read_axis(cluster: Cluster, text: str) -> Axis:
    """Return the axis written as `scheduler.weight_urgency=0,0.1,1` or `scheduler.weight_urgency=0..1`.

    Raises EditError with a sentence that says what is wrong.
    """
    place, equals, rest = text.partition("=")
    place = place.strip()
    span = _RANGE.fullmatch(rest.strip())
    values = tuple(dict.fromkeys(value.strip() for value in _OUTSIDE.split(rest) if value.strip()))
    if not equals or not values:
        raise EditError(f'"{text}": write what is varied and its values, such as scheduler.weight_urgency=0,0.1,1')
    if span is not None:
        low, high = float(span[1]), float(span[2])
        if not isfinite(low) or not isfinite(high):
            raise EditError(f"{place}: a range goes from a number to a number, and one of these is too large")
        if low >= high:
            raise EditError(f"{place}: {rest.strip()} goes nowhere, write the smaller number first")
        values = (span[1], span[2])
    for value in values:
        edit_of(cluster, place, value)
    return Axis(place, () if span is not None else values, (low, high) if span is not None else None)


def grid(axes: Sequence[Axis]) -> Iterator[Setting]:
    """Yield all points; the last axis varies fastest. Raises EditError for a span or too many points."""
    spans = [axis.place for axis in axes if axis.span is not None]
    if spans:
        raise EditError(f"{spans[0]}: of all numbers between two only some can be tried, say how many with --random")
    count = prod(len(axis.values) for axis in axes)
    if count > MOST_POINTS:
        raise EditError(
            f"these are {count} points, {MOST_POINTS} can be tried at most; "
            f"--random {MOST_POINTS // 10} tries some of them"
        )
    places = [axis.place for axis in axes]
    return (tuple(zip(places, values, strict=True)) for values in product(*(axis.values for axis in axes)))


def drawn(axes: Sequence[Axis], count: int, seed: int) -> list[Setting]:
    """Return `count` different random points, fewer if there are no more. Raises EditError."""
    if not 1 <= count <= MOST_POINTS:
        raise EditError(f"--random: write a number from 1 to {MOST_POINTS}")
    random = Random(seed)
    settings: dict[Setting, None] = {}
    for _ in range(100 * count):
        settings[tuple((axis.place, axis.drawn(random)) for axis in axes)] = None
        if len(settings) == count:
            break
    return list(settings)


def point_of(scenario: Scenario, setting: Setting, seeds: Sequence[int], by_day: Sequence[str] = ()) -> SweepPoint:
    """Return the scenario with the edits of a point. Raises EditError."""
    edits = tuple(edit_of(scenario.cluster, place, value) for place, value in setting)
    return SweepPoint(setting, replace(scenario, edits=(*scenario.edits, *edits)), tuple(seeds), tuple(by_day))


def measured(point: SweepPoint, look: Callable[[], None] | None = None) -> DailyMeasures | str:
    """Return the measures of a point, or a sentence if it is impossible. `look` is called after every step."""
    try:
        days = [flat(simulated(replace(point.scenario, seed=seed), look).measures) for seed in point.seeds]
    except EditError as error:
        return str(error)
    names = dict.fromkeys(name for day in days for name in day)
    means = DailyMeasures({name: _mean([day[name] for day in days if name in day]) for name in names})
    if len(days) > 1:
        means.by_day = {name: [day.get(name) for day in days] for name in point.by_day if name in names}
    return means


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def least_difference_of(points: Iterable[Measured], name: str) -> float | None:
    """Return the least significant difference of a measure between two points; None if it cannot be computed.

    Source: measures.md#sweeps.
    """
    rows = [point.by_day.get(name, ()) if isinstance(point, DailyMeasures) else () for point in points if name in point]
    if len({len(row) for row in rows}) != 1:
        return None
    columns = [column for column in zip(*rows, strict=True) if None not in column]
    return least_difference([[value for value in row if value is not None] for row in zip(*columns, strict=True)])


def pareto(
    points: Iterable[tuple[Setting, Measured]], first: str, second: str, less: tuple[bool, bool]
) -> list[Setting]:
    """Return the points that no other point beats in one of two measures without being worse in the other.

    `less` has True for a measure of which less is better.
    """
    known = [
        (
            setting,
            tuple(
                numbers[name] if is_less else -numbers[name]
                for name, is_less in zip((first, second), less, strict=True)
            ),
        )
        for setting, numbers in points
        if first in numbers and second in numbers
    ]
    return [
        setting
        for setting, values in known
        if not any(other != values and other[0] <= values[0] and other[1] <= values[1] for _, other in known)
    ]


Evaluate = Callable[[Sequence[Setting]], Sequence[Measured | str]]


def searched(axes: Sequence[Axis], evaluate: Evaluate, cost: Callable[[Measured], tuple[float, ...]]) -> Setting | None:
    """Return the point of least cost found by trying one axis after the other, from the middle of all on.

    Each point is evaluated once. None if the point in the middle and all tried ones are impossible. Raises EditError
    for an axis without values.
    """
    for axis in axes:
        if axis.span is not None:
            raise EditError(f"{axis.place}: a search needs values, such as {axis.place}=0,0.5,1")
    known: dict[Setting, Measured | str] = {}

    def costs(settings: Sequence[Setting]) -> None:
        new = [setting for setting in dict.fromkeys(settings) if setting not in known]
        known.update(zip(new, evaluate(new) if new else (), strict=True))

    def worth(setting: Setting) -> tuple[float, ...]:
        numbers = known[setting]
        return (float("inf"),) if isinstance(numbers, str) else cost(numbers)

    best = tuple((axis.place, axis.values[len(axis.values) // 2]) for axis in axes)
    costs([best])
    improved = True
    while improved:
        improved = False
        for number, axis in enumerate(axes):
            tried = [(*best[:number], (axis.place, value), *best[number + 1 :]) for value in axis.values]
            costs(tried)
            cheapest = min(tried, key=worth)
            if worth(cheapest) < worth(best):
                best, improved = cheapest, True
    return None if isinstance(known[best], str) else best
