"""States of queue instances and tasks after the qmaster has carried out a run's decisions."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from qmon_tui.scheduler.configuration import CompiledCluster, Subordination
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.matching import Resources, StartOrder
from qmon_tui.scheduler.suspension import (
    CONFIGURED,
    ORPHANED,
    OVER_THRESHOLD,
    SUBORDINATED,
    SlotwisePreemption,
    StartedTask,
    SuspensionsAtStart,
    ThresholdSuspensions,
    enter_task,
    in_order,
    stopped_queues,
    with_letters,
    without_letters,
)

_DELETED = "d"


@dataclass(slots=True)
class StatesAfterRun:
    """The states after a run."""

    states: Sequence[str]
    """qstat's states of each queue instance."""
    stopped: frozenset[str] = frozenset()
    """Names of suspended queue instances."""
    newly_stopped: frozenset[str] = frozenset()
    """Names of queue instances that this run has suspended."""
    recorded: frozenset[str] = frozenset()
    """Names with a recorded S; the states of their tasks show which of them started early enough to be suspended."""
    keeps_calendar: frozenset[str] = frozenset()
    """Names of instances that cannot have lost a calendar: they have one, or the cluster has none."""
    subordinates: frozenset[str] = frozenset()
    """Names of instances that others may suspend, as a whole or by task."""
    added: dict[tuple[int, int], str] = field(default_factory=dict)
    """(job, task) -> states that the task gets."""
    removed: dict[tuple[int, int], str] = field(default_factory=dict)
    """(job, task) -> states that the task loses."""
    late: set[tuple[int, int]] = field(default_factory=set)
    """Tasks started in instances suspended before, which are not recorded to stop."""

    def without_run(self, states: Sequence[str]) -> "StatesAfterRun":
        """Return the states without the decisions of the run; `states` are those of the queue instances before it."""
        before = self.stopped - self.newly_stopped
        return replace(self, states=states, stopped=before, newly_stopped=frozenset(), added={}, removed={}, late=set())

    def task_state(self, job: int, task: int, granted: Mapping[str, int], state: str) -> str:
        """Return the state of a task, given its state before."""
        if SUBORDINATED in state and self._is_free(granted):
            state = without_letters(state, SUBORDINATED)
        if not granted or not (self.stopped or self.added or self.removed):
            return state
        if (job, task) in self.removed:
            state = without_letters(state, self.removed[job, task])
        letters = self.added.get((job, task), "")
        if (job, task) not in self.late and self._is_suspended(granted, is_deleted=_DELETED in state):
            letters += SUBORDINATED
        return with_letters(state, letters) if letters else state

    def _is_free(self, granted: Mapping[str, int]) -> bool:
        """True if no queue instance of the task is suspended any more, so that it was resumed.

        Removing the instances from a subordinate list, or changing their calendar, resumes tasks. With `calendar NONE`
        8.1.9 opens them, too, but tasks stay suspended until the queue instance is suspended and resumed.
        """
        if not (self.stopped.isdisjoint(granted) and self.subordinates.isdisjoint(granted)):
            return False
        return not (self.recorded.isdisjoint(granted) and self.keeps_calendar.isdisjoint(granted))

    def _is_suspended(self, granted: Mapping[str, int], *, is_deleted: bool) -> bool:
        """True if a task is suspended with its queue instances, and its state does not show it yet.

        Any of them suspends it, and resumes it even while others are suspended. A task that is deleted while suspended
        is shown as running.
        """
        if not self.newly_stopped.isdisjoint(granted):
            return True
        return not is_deleted and (self.stopped - self.recorded).issuperset(granted)


def states_after_run(
    compiled: CompiledCluster,
    states: Sequence[str],
    resources: Resources,
    jobs: Iterable[RunJob],
    starts: Sequence[StartOrder],
    threshold_suspensions: ThresholdSuspensions,
    now: float,
    given: Mapping[str, str],
) -> StatesAfterRun:
    """Return the states after the decisions; `resources` are those after the run, `given` the recorded states."""
    after = StatesAfterRun(states)
    after.added.update(((run_job.id, task), OVER_THRESHOLD) for run_job, task in threshold_suspensions.halted)
    after.removed.update(((run_job.id, task), OVER_THRESHOLD) for run_job, task in threshold_suspensions.resumed)
    if compiled.subordination is not None:
        after.subordinates = frozenset(
            compiled.instances[number].name for number in compiled.subordination.subordinates()
        )
        carried_out = [start for start in starts if start.denial is None]
        _subordinate(after, compiled, compiled.subordination, resources, jobs, carried_out, now)
    after.stopped = stopped_queues(compiled, after.states)
    after.newly_stopped = after.stopped - stopped_queues(compiled, states)
    after.recorded = frozenset(name for name, letters in given.items() if SUBORDINATED in letters)
    after.keeps_calendar = frozenset(
        instance.name
        for instance in compiled.instances
        if instance.profile.calendar is not None or not compiled.calendars
    )
    return after


def _subordinate(
    after: StatesAfterRun,
    compiled: CompiledCluster,
    subordination: Subordination,
    resources: Resources,
    jobs: Iterable[RunJob],
    starts: Sequence[StartOrder],
    now: float,
) -> None:
    states = list(after.states)
    suspensions = SuspensionsAtStart.of(compiled, subordination)
    suspensions.used.update({number: resources.slots_used(number) for number in subordination.subordinate_queues})
    for start in starts:
        suspensions.used.subtract(dict(start.grants))
    if subordination.trees:
        _enter_started(suspensions.preemption, resources, jobs, states)
    for start in starts:
        if any(SUBORDINATED in states[number] for number, _ in start.grants):
            after.late.add((start.run_job.id, start.task))
        for instance in suspensions.start(StartedTask(start.run_job.id, start.task, now), start.grants):
            states[instance] = in_order(states[instance] + SUBORDINATED)
    after.states = states
    for started_task in suspensions.preemption.changed:
        key = started_task.job, started_task.task
        letters, others = (after.added, after.removed) if started_task.halted else (after.removed, after.added)
        letters[key] = letters.get(key, "") + SUBORDINATED
        others[key] = others.get(key, "").replace(SUBORDINATED, "")


def _enter_started(
    preemption: SlotwisePreemption, resources: Resources, jobs: Iterable[RunJob], states: Sequence[str]
) -> None:
    """Enter the tasks started before this run."""
    for run_job in sorted(jobs, key=lambda job: job.id):
        for number in (*run_job.split.running, *run_job.split.suspended):
            key, task = (run_job.id, number), run_job.job.tasks[number]
            is_halted = number in run_job.split.halted
            enter_task(preemption, resources.instance_numbers, states, key, task, is_halted=is_halted)


def kept_letters(compiled: CompiledCluster, states: Sequence[str], given: Mapping[str, str]) -> dict[str, str]:
    """Return the states that the qmaster keeps, without those that follow from the configuration."""
    kept_states = dict(given)
    for instance, letters in zip(compiled.instances, states, strict=True):
        recorded = given.get(instance.name)
        if not letters and not recorded:
            continue
        unread = instance.profile.calendar is not None and instance.profile.calendar not in compiled.calendars
        kept = "".join(letter for letter in letters if letter not in CONFIGURED or letter == ORPHANED or unread)
        if kept or recorded is not None or instance.profile.starts_disabled:
            kept_states[instance.name] = kept
    return kept_states


def seen_after_starts(
    compiled: CompiledCluster,
    subordination: Subordination,
    seen_suspended: Set[str],
    states: Sequence[str],
    used: Mapping[int, int],
    starts: Iterable[StartOrder],
    now: float,
) -> frozenset[str]:
    """Return the queue instances that the scheduler treats as suspended by others after the events of starts.

    Each start has its queue instances sent in their present state, before it suspends others. `states` and `used` are
    from before the starts.
    """
    seen = set(seen_suspended)
    suspended = {number for number, letters in enumerate(states) if SUBORDINATED in letters}
    suspensions = SuspensionsAtStart.of(compiled, subordination)
    suspensions.used.update(used)
    for start in starts:
        for number, _ in start.grants:
            name = compiled.instances[number].name
            (seen.add if number in suspended else seen.discard)(name)
        suspended.update(suspensions.start(StartedTask(start.run_job.id, start.task, now), start.grants))
    return frozenset(seen)
