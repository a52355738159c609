"""The letters of queue instances, worked out anew only where something has changed that they follow from.

The rule is `queue_states`. Who stands still because of others follows from the slots that are booked.
"""

from collections.abc import Callable, Mapping, Sequence, Set
from typing import Final

from qmon_tui.model import State
from qmon_tui.qmaster.next_run.prerequisites import Beyond
from qmon_tui.scheduler.configuration import CompiledCluster
from qmon_tui.scheduler.matching import Resources
from qmon_tui.scheduler.suspension import ORPHANED, queue_states_with, suspended
from qmon_tui.values import CalendarState

_NOBODY: Final[frozenset[int]] = frozenset()


class InstanceLetters:
    """Those of the last run."""

    def __init__(self, compiled: CompiledCluster) -> None:
        self._compiled = compiled
        self._given: Mapping[str, str] | None = None
        """`State.queue_states` from which they are; None before the first run."""
        self._stopped: Set[int] = _NOBODY
        self._calendars: Sequence[CalendarState] = ()
        self._has_placed = False
        self.letters: Sequence[str] = ("",) * len(compiled.instances)
        """In the order of the instances: another object where they may be others."""

    def take_over(self, state: State, resources: Resources, has_placed: Callable[[], bool]) -> None:
        """Go by a state, of which all that runs is booked; `has_placed` tells whether anything does."""
        compiled, given = self._compiled, state.queue_states
        stopped = self._suspended_by_others(resources)
        calendars = [calendar.state_at(state.now) for calendar in compiled.calendars.values()]
        has_any = has_placed()
        is_same = stopped == self._stopped and calendars == self._calendars and has_any == self._has_placed
        if given is self._given and is_same:
            return
        if any(ORPHANED in letters for letters in given.values()):
            raise Beyond
        self._given, self._stopped, self._calendars, self._has_placed = given, stopped, calendars, has_any
        letters = queue_states_with(compiled, state, state.now, stopped, lambda: has_any)
        if letters != self.letters:
            self.letters = letters

    def _suspended_by_others(self, resources: Resources) -> Set[int]:
        subordination = self._compiled.subordination
        if subordination is None:
            return _NOBODY
        instances = resources.instances
        used = {instances[number].name: resources.slots_used(number) for number in subordination.subordinate_queues}
        return frozenset(suspended(self._compiled, used))
