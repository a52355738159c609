"""Suspended and resumed tasks after a run; only those that its starts or queue states can affect are checked.

The rules are `states_after_run` and `seen_after_starts`.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from qmon_tui.incremental.bookings import Bookings
from qmon_tui.incremental.known_jobs import KnownJob
from qmon_tui.incremental.latest_changes import TaskKey
from qmon_tui.model import State
from qmon_tui.qmaster import StatesAfterRun, kept_letters, seen_after_starts, states_after_run
from qmon_tui.scheduler.matching import StartOrder
from qmon_tui.scheduler.suspension import ThresholdSuspensions

_STARTED: Final = "t"


class SuspensionsAfterRun:
    """The states (qstat's letters) of queue instances and tasks after a run."""

    def __init__(
        self,
        bookings: Bookings,
        state: State,
        starts: Sequence[StartOrder],
        by_number: Mapping[int, KnownJob],
        suspended: Collection[TaskKey],
    ) -> None:
        """Work out the states; the starts must be booked already. `by_number` has the jobs before the run.

        `suspended` are suspended tasks in queue instances that no other queue can suspend.
        """
        self.queue_states = state.queue_states
        """Queue instance -> its kept states, see `State.queue_states`."""
        self.seen_suspended = state.seen_suspended
        self.moved: dict[TaskKey, str] = {}
        """Task that the run suspends or resumes -> its new state; started tasks are not among them."""
        self._after: StatesAfterRun | None = None
        compiled, letters = bookings.compiled, bookings.letters.letters
        subordination = compiled.subordination
        suspends = subordination is not None and bool(starts)
        if suspends or suspended or bookings.tasks_in(bookings.letters.untold):
            jobs = [known.run_job for known in by_number.values()]
            self._after = states_after_run(
                compiled,
                letters,
                bookings.resources,
                jobs,
                starts,
                ThresholdSuspensions(),
                state.now,
                state.queue_states,
            )
            self._move(self._after, bookings, by_number, suspended)
        if suspends or not bookings.letters.are_kept:
            shown = self._after.states if self._after is not None else letters
            kept = kept_letters(compiled, shown, state.queue_states)
            if kept != state.queue_states:
                self.queue_states = MappingProxyType(kept)
        if subordination is not None and starts:
            slots_used = bookings.resources.slots_used
            used = Counter({number: slots_used(number) for number in subordination.subordinate_queues})
            for start in starts:
                used.subtract(dict(start.grants))
            seen = state.seen_suspended
            self.seen_suspended = seen_after_starts(compiled, subordination, seen, letters, used, starts, state.now)

    def _move(
        self,
        after: StatesAfterRun,
        bookings: Bookings,
        by_number: Mapping[int, KnownJob],
        suspended: Collection[TaskKey],
    ) -> None:
        numbers = bookings.resources.instance_numbers
        names = after.newly_stopped | (after.stopped - after.recorded)
        keys = bookings.tasks_in(numbers[name] for name in names)
        for job, number in sorted(keys.union(after.added, after.removed, suspended)):
            task = by_number[job].job.tasks.get(number)
            if task is None or not task.granted:
                continue
            shown = after.task_state(job, number, task.granted, task.state)
            if shown != task.state:
                self.moved[job, number] = shown

    def state_of_started(self, start: StartOrder, granted: Mapping[str, int]) -> str:
        """Return the state of a task that the run has started, such as `t`."""
        if self._after is None:
            return _STARTED
        return self._after.task_state(start.run_job.id, start.task, granted, _STARTED)
