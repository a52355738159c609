"""Charts of a day as rows of numbers: means over equal parts of the day."""

from collections.abc import Mapping, Sequence
from typing import Final

from qmon_tui.simulation.measures_observed import Observations
from qmon_tui.simulation.measures_series import StepSeries

USED, WAITING, UNUSABLE = "slots used", "waiting", "slots free but unusable"
_MOST_NAMES: Final = 50
"""With more users (projects, departments) their shares are left out: that many lines cannot be distinguished."""


def charts(seen: Observations, end: int, count: int) -> dict[str, Sequence[float]]:
    """Return name -> `count` means: slots in use, by queue and consumable, waiting tasks, shares received and due."""
    start = seen.start
    samples: dict[str, Sequence[float]] = {
        USED: seen.used.sampled(start, end, count),
        WAITING: seen.waiting.sampled(start, end, count),
        UNUSABLE: seen.unusable.sampled(start, end, count),
    }
    for kind, series in (("slots used in", seen.queues), ("used of", seen.resources)):
        samples |= {f"{kind} {name}": uses.sampled(start, end, count) for name, uses in sorted(series.items())}
    for kind in seen.received:
        names = sorted({*seen.received[kind], *seen.entitled[kind]})
        if len(names) <= _MOST_NAMES:
            for name in names:
                samples[f"{kind} {name} received"] = _parts(seen.received[kind], name, seen.used, start, end, count)
                due = seen.entitled[kind].get(name, StepSeries())
                samples[f"{kind} {name} entitled"] = due.sampled(start, end, count)
    return samples


def _parts(
    received: Mapping[str, StepSeries], name: str, used: StepSeries, start: int, end: int, count: int
) -> list[float]:
    own = received.get(name, StepSeries()).sampled(start, end, count)
    return [part / whole if whole else 0.0 for part, whole in zip(own, used.sampled(start, end, count), strict=True)]
