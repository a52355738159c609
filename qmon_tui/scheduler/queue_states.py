"""The state letters of queue instances before a run: as given, else as configuration and time make them.

Source: lifecycle.md section 4. A calendar's letters stand for what it does now, unless the state has one of them.
"""

from collections.abc import Mapping, Sequence

from qmon_tui.scheduler.compiled.cluster import Compiled
from qmon_tui.scheduler.compiled.queues import Instance
from qmon_tui.values.calendar import CalendarState

LETTERS = "CDduESsco"
"""What the qmaster keeps, in qstat's order; the alarms before and between them are worked out from loads."""

DISABLED = "d"
AMBIGUOUS = "c"
STOPPED = frozenset("sSC")
CALENDAR_LETTERS = {CalendarState.ON: "", CalendarState.SUSPENDED: "C", CalendarState.OFF: "D"}


def queue_states(compiled: Compiled, given: Mapping[str, str], now: float) -> list[str]:
    """The letters of each queue instance, in the order of the instances."""
    calendars = {name: CALENDAR_LETTERS[calendar.state_at(now)] for name, calendar in compiled.calendars.items()}
    return [_state(instance, given.get(instance.name), calendars) for instance in compiled.instances]


def stopped_queues(compiled: Compiled, states: Sequence[str]) -> frozenset[str]:
    """The names of the instances in which nothing runs on: suspended by hand, by subordination or by a calendar."""
    named = zip(compiled.instances, states, strict=True)
    return frozenset(instance.name for instance, letters in named if letters and STOPPED & set(letters))


def _state(instance: Instance, given: str | None, calendars: Mapping[str, str]) -> str:
    profile = instance.profile
    if not given and profile.is_plain:
        return ""
    letters = set(given or "")
    if given is None and profile.starts_disabled:
        letters.add(DISABLED)
    if profile.ambiguous:
        letters.add(AMBIGUOUS)
    if profile.calendar is not None and not letters & {"C", "D"}:
        letters.update(calendars.get(profile.calendar, ""))
    return "".join(letter for letter in LETTERS if letter in letters)
