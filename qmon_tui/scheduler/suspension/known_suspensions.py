"""Tasks that the scheduler knows to be suspended with their queue instances or in slot-wise trees.

The qmaster reports to the scheduler that a queue instance is suspended, but not that its tasks are: they continue to
count as running, and so does a task suspended in a slot-wise tree. A task counts as suspended only after it is sent
again for another reason (its job is altered or held, or the task itself suspended or resumed). It then counts as
suspended, even if it runs again, until it is sent once more. `Task.seen_suspended` records this; without it, the times
of the events decide, if known.

Source: lifecycle.md#what-the-scheduler-does-not-notice.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from qmon_tui.model import Job, State, Task
from qmon_tui.scheduler.configuration import CompiledCluster, InstanceNumber, Subordination
from qmon_tui.scheduler.suspension.queuewise_suspension import newly_reached
from qmon_tui.scheduler.suspension.slotwise_suspension import SlotwisePreemption, StartedTask
from qmon_tui.scheduler.suspension.state_letters import SUBORDINATED
from qmon_tui.values import DAY, CalendarState


@dataclass(slots=True)
class SuspensionsAtStart:
    """The starts so far, and the suspensions by subordination that they cause."""

    compiled: CompiledCluster
    preemption: SlotwisePreemption
    """The slot-wise trees with their tasks."""
    used: Counter[InstanceNumber] = field(default_factory=Counter)
    """Queue instance -> used slots."""

    @classmethod
    def of(cls, compiled: CompiledCluster, subordination: Subordination) -> "SuspensionsAtStart":
        return cls(compiled, SlotwisePreemption(subordination))

    def start(self, started_task: StartedTask, grants: Iterable[tuple[InstanceNumber, int]]) -> list[InstanceNumber]:
        """Record a start; return the queue instances that it suspends as a whole. `grants`: (queue instance, slots)."""
        grants = tuple(grants)
        suspended: list[InstanceNumber] = []
        self.preemption.enter(started_task, [number for number, _ in grants])
        for number, slots in grants:
            self.preemption.suspend_for_start(number)
            for subordinate in newly_reached(self.compiled, number, self.used[number], slots):
                if not subordinate.slot_wise:
                    suspended.append(subordinate.instance)
                    self.preemption.stop(subordinate.instance)
            self.used[number] += slots
        return suspended


_BY_HAND = "s"
_NEVER = float("inf")
_LONG = 8 * DAY
"""Seconds: calendar changes longer ago are ignored, as tasks sent before them do not matter."""
_NONE: frozenset[int] = frozenset()


@dataclass(frozen=True)
class KnownSuspensions:
    """The tasks that the scheduler knows to be suspended, by when they were suspended and last sent."""

    compiled: CompiledCluster
    state: State
    now: int

    def known_suspended(self, job: Job) -> frozenset[int]:
        """Return the tasks of a job that were sent to the scheduler after they were suspended."""
        suspended = [
            number for number, task in job.tasks.items() if task.seen_suspended or self._was_sent(job, number, task)
        ]
        return frozenset(suspended) if suspended else _NONE

    def _was_sent(self, job: Job, number: int, task: Task) -> bool:
        """True if the known times say that the task was sent after its suspension."""
        if task.changed is None or SUBORDINATED not in task.state:
            return False
        return min((*map(self._since, task.granted), self._stopped.tasks.get((job.id, number), _NEVER))) < task.changed

    def _since(self, name: str) -> float:
        """Return when a queue instance was suspended (seconds since the epoch); 0 by hand at an unknown time."""
        if _BY_HAND in self.state.queue_states.get(name, ""):
            return self.state.changed.get(name, 0.0)
        return min(self._stopped.instances.get(name, _NEVER), self._closed_since(name))

    def _closed_since(self, name: str) -> float:
        """Return when a calendar suspended the instance, or when it got that calendar; at most `_LONG` ago."""
        calendar = self.compiled.calendars.get(self._calendars.get(name, ""))
        if calendar is None or calendar.state_at(self.now) is not CalendarState.SUSPENDED:
            return _NEVER
        *_, period = calendar.closed(self.now - _LONG, self.now + 1)
        return max(period.start, self.state.changed.get(name, 0.0))

    @cached_property
    def _calendars(self) -> Mapping[str, str]:
        instances = self.compiled.instances
        return {
            instance.name: instance.profile.calendar for instance in instances if instance.profile.calendar is not None
        }

    @cached_property
    def _stopped(self) -> "_Stopped":
        """The times of suspension by subordination, calculated as if no task had ended."""
        subordination = self.compiled.subordination
        stopped = _Stopped()
        if subordination is None:
            return stopped
        instances = self.compiled.instances
        numbers = {instance.name: number for number, instance in enumerate(instances)}
        suspensions = SuspensionsAtStart.of(self.compiled, subordination)
        starts = (
            (
                task.started,
                job.id,
                number,
                [(numbers[name], slots) for name, slots in task.granted.items() if name in numbers],
            )
            for job in self.state.jobs
            for number, task in job.tasks.items()
            if task.started is not None
        )
        for started, job, number, grants in sorted(starts):
            # Commands count as before the starts in the same second.
            since = int(started) + 1.0
            for instance in suspensions.start(StartedTask(job, number, started), grants):
                stopped.instances.setdefault(instances[instance].name, since)
            for started_task in suspensions.preemption.changed:
                if started_task.halted:
                    stopped.tasks[started_task.order] = since
                else:
                    stopped.tasks.pop(started_task.order, None)
            suspensions.preemption.changed.clear()
        return stopped


@dataclass(frozen=True, slots=True)
class _Stopped:
    """Times of suspension in seconds since the epoch."""

    instances: dict[str, float] = field(default_factory=dict)
    """Name of a queue instance suspended as a whole -> time."""
    tasks: dict[tuple[int, int], float] = field(default_factory=dict)
    """(job, task) suspended in a slot-wise tree -> time."""
