"""States of queue instances (qstat's letters), computed again only if one of their causes has changed.

The rule is `queue_states`. Suspension by other queues follows from the booked slots.
"""

from collections.abc import Callable, Mapping, Sequence, Set
from typing import Final

from qmon_tui.incremental.prerequisites import NotIncremental
from qmon_tui.model import State
from qmon_tui.qmaster import kept_letters
from qmon_tui.scheduler.configuration import CompiledCluster
from qmon_tui.scheduler.matching import Resources
from qmon_tui.scheduler.suspension import ORPHANED, STOPPED, SUBORDINATED, queue_states_with, reached
from qmon_tui.values import CalendarState

_NOBODY: Final[frozenset[int]] = frozenset()


class InstanceStates:
    """The states of all queue instances in the last run."""

    def __init__(self, compiled: CompiledCluster) -> None:
        self._compiled = compiled
        self._given: Mapping[str, str] | None = None
        """`State.queue_states` of the last run; None before the first run."""
        self._reached: dict[int, Set[int]] = {}
        """Superordinate instance -> the instances that it suspends as a whole."""
        self._stopped: Set[int] = _NOBODY
        """All queue instances in `_reached`: suspended by others as a whole."""
        self._calendars: Sequence[CalendarState] = ()
        self._has_placed = False
        self.letters: Sequence[str] = ("",) * len(compiled.instances)
        """The states by instance number; replaced by a new object whenever one differs."""
        self.untold: Sequence[int] = ()
        """Numbers of the stopped queue instances that `State.queue_states` does not show as suspended by others."""
        self.are_kept = False
        """True if a run that changes nothing leaves `State.queue_states` as it is."""
        superordinates = compiled.subordination.subordinate_queues if compiled.subordination is not None else {}
        self._superordinates = superordinates
        self._touched: set[int] = set()
        """Superordinate instances whose used slots have changed since the last run."""

    def note(self, number: int) -> None:
        """Note that the used slots of a queue instance have changed."""
        if number in self._superordinates:
            self._touched.add(number)

    def take_over(self, state: State, resources: Resources, has_placed: Callable[[], bool]) -> None:
        """Compute the states for `state`, whose running tasks are booked; `has_placed` is true if there are any."""
        compiled, given = self._compiled, state.queue_states
        is_same = not (self._touched and self._follow(resources)) and given is self._given
        calendars = [calendar.state_at(state.now) for calendar in compiled.calendars.values()]
        has_any = has_placed()
        if is_same and calendars == self._calendars and has_any == self._has_placed:
            return
        if any(ORPHANED in letters for letters in given.values()):
            raise NotIncremental
        self._given, self._calendars, self._has_placed = given, calendars, has_any
        letters = queue_states_with(compiled, state, state.now, self._stopped, lambda: has_any)
        if letters != self.letters:
            self.letters = letters
        self.are_kept = kept_letters(compiled, letters, given) == given
        instances = compiled.instances
        self.untold = [
            number
            for number, shown in enumerate(letters)
            if shown and not STOPPED.isdisjoint(shown) and SUBORDINATED not in given.get(instances[number].name, "")
        ]

    def _follow(self, resources: Resources) -> bool:
        """Check the superordinates whose use has changed; return True if they suspend other instances than before."""
        has_changed = False
        for number in self._touched:
            used, slots = resources.slots_used(number), resources.instances[number].profile.slots
            now = frozenset(
                subordinate.instance
                for subordinate in self._superordinates[number]
                if not subordinate.slot_wise and reached(subordinate, used, slots)
            )
            if now != self._reached.get(number, _NOBODY):
                self._reached[number] = now
                has_changed = True
        self._touched.clear()
        if has_changed:
            self._stopped = frozenset[int]().union(*self._reached.values())
        return has_changed
