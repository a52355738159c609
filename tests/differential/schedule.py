"""The schedule file of a real scheduler with `params MONITOR=1`, and what ours would have written.

A line is `job:task:state:start:duration:level:object:resource:utilization`. The lines of what is there before the run
come in an order that nobody sees otherwise; those of decisions come decision by decision.

Source: reservation.md#schedule-file.
"""

from collections.abc import Iterable
from itertools import groupby

from qmon_tui.model.outcome import ScheduleEntry
from tests.differential.qmaster import Qmaster

FILE = "default/common/schedule"
NEW_RUN = "::::::::"
_BEFORE = ("RUNNING", "SUSPENDED")


def last_schedule(qmaster: Qmaster) -> tuple[str, ...]:
    """The lines of the last run; none where nothing is monitored."""
    file = qmaster.world.path(FILE)
    if not file.exists():
        return ()
    return tuple(file.read_text().rpartition(NEW_RUN)[2].split())


def written(timeline: Iterable[ScheduleEntry]) -> list[str]:
    """Our lines."""
    return [
        f"{use.job}:{use.task}:{use.kind}:{use.start}:{use.end - use.start}:"
        f"{use.level}:{use.name}:{use.resource}:{use.amount:f}"
        for use in timeline
    ]


def arranged(lines: Iterable[str]) -> list[str]:
    """Lines in an order in which they can be compared: sorted, but decision after decision."""
    everything = list(lines)
    before = sorted(line for line in everything if line.split(":")[2] in _BEFORE)
    decisions = [line for line in everything if line.split(":")[2] not in _BEFORE]
    return before + [line for _, same in groupby(decisions, _decision) for line in sorted(same)]


def _decision(line: str) -> list[str]:
    return line.split(":")[:3]
