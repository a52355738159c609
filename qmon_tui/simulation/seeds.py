"""Measures of the same day with several seeds: their mean, and how sure that is (measures.md#confidence)."""

from collections.abc import Mapping, Sequence

from qmon_tui.simulation.confidence import interval


def over_seeds(days: Sequence[Mapping[str, object]]) -> dict[str, object]:
    """Name -> mean and bounds of each number that all days have, in the shape of `measures`."""
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
