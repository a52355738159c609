"""A goal in words: `p95 wait of project climate < 1h`, `utilisation > 80 %`, `wait.mean <= 600`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from qmon_tui.simulation.measure_kinds import Unit, unit_of
from qmon_tui.simulation.measures import GROUPS, PERCENTILES, TASK_MEASURES
from qmon_tui.simulation.policy_edits import EditError

_GOAL: Final = re.compile(r"(?P<what>.+?)\s*(?P<sign><=|>=|<|>)\s*(?P<value>.+)")
_STATISTICS: Final = ("mean", "median", "max", *(f"p{percent}" for percent in PERCENTILES))
_KINDS: Final = {"user": "owner", **{kind: kind for kind in GROUPS}}
_UNITS: Final = {"s": 1, "m": 60, "min": 60, "h": 3600, "d": 86400}
_VALUE: Final = re.compile(r"(-?\d+(?:\.\d+)?)\s*([a-z%]*)")
_EXAMPLE: Final = "write such as p95 wait of project climate < 1h"


@dataclass(frozen=True, slots=True)
class Goal:
    """A bound that a measure is to reach."""

    measure: str
    """Its dotted name, such as `by.project.climate.wait.p95`."""
    wants_less: bool
    bound: float
    allows_bound: bool
    text: str

    def is_reached(self, numbers: Mapping[str, float]) -> bool:
        """True if the measures of a point reach the goal."""
        value = numbers.get(self.measure)
        if value is None:
            return False
        return self.shortfall(numbers) < 0 or (self.allows_bound and value == self.bound)

    def shortfall(self, numbers: Mapping[str, float]) -> float:
        """Return how far a point is from the bound, negative beyond it; infinite if it lacks the measure."""
        value = numbers.get(self.measure)
        if value is None:
            return float("inf")
        return value - self.bound if self.wants_less else self.bound - value


def read_goal(text: str) -> Goal:
    """Return the goal written as `text`. Raises EditError."""
    match = _GOAL.fullmatch(text.strip())
    if match is None:
        raise EditError(f'"{text}" is not a goal: {_EXAMPLE}')
    measure = measure_named(match["what"])
    return Goal(measure, match["sign"].startswith("<"), _bound(match["value"], measure), "=" in match["sign"], text)


def measure_named(text: str) -> str:
    """Return the name of a measure: `p95 wait of user rosa` is `by.owner.rosa.wait.p95`. Raises EditError."""
    what, of, whom = text.strip().partition(" of ")
    words = what.split()
    if not words:
        raise EditError(f'"{text}" names no measure: {_EXAMPLE}')
    statistic = next((word for word in words if word in _STATISTICS), None)
    rest = [word for word in words if word != statistic]
    name = ".".join([*(["_".join(rest)] if "." not in what else rest), *([statistic] if statistic else [])])
    if name in TASK_MEASURES:
        name += ".mean"
    if not of:
        return name
    kind, _, who = whom.strip().partition(" ")
    if kind not in _KINDS or not who.strip():
        raise EditError(f'"{text}": behind "of" stands user, {", ".join(GROUPS)} and a name')
    return f"by.{_KINDS[kind]}.{who.strip()}.{name}"


def _bound(text: str, measure: str) -> float:
    match = _VALUE.fullmatch(text.strip())
    unit = match[2] if match is not None else ""
    kind = unit_of(measure)
    if match is None or (unit and unit != "%" and unit not in _UNITS):
        raise EditError(f'"{text}" is not a bound: write 600, 10m, 1h or 80 %')
    if (unit == "%" and kind is not Unit.PART) or (unit in _UNITS and kind is not Unit.SECONDS):
        raise EditError(f"{measure} is not measured in {unit}")
    number = float(match[1])
    return number / 100 if unit == "%" else number * _UNITS.get(unit, 1)
