"""What the qmaster makes of a run's decisions: the states of queue instances and tasks after it."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field

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
    """The letters of each queue instance."""
    stopped: frozenset[str] = frozenset()
    """The names of queue instances in which nothing runs on."""
    newly_stopped: frozenset[str] = frozenset()
    """Those of them in which something ran on before."""
    told: frozenset[str] = frozenset()
    """Those that the state has as subordinated; it tells of each task whether it was there in time to be stopped."""
    keeps_calendar: frozenset[str] = frozenset()
    """Those that cannot have lost a calendar: they have one, or there is none in the cluster."""
    subordinates: frozenset[str] = frozenset()
    """The names of those that others may suspend, as a whole or single tasks in them."""
    added: dict[tuple[int, int], str] = field(default_factory=dict)
    """Letters that single tasks get; job and task."""
    removed: dict[tuple[int, int], str] = field(default_factory=dict)
    """Letters that single tasks lose."""
    late: set[tuple[int, int]] = field(default_factory=set)
    """Tasks that were started where everything stood still already, which nobody has told to stop."""

    def task_state(self, job: int, task: int, granted: Mapping[str, int], state: str) -> str:
        """The state of a task that was in another one before."""
        if SUBORDINATED in state and self._is_free(granted):
            state = without_letters(state, SUBORDINATED)
        if not granted or not (self.stopped or self.added or self.removed):
            return state
        if (job, task) in self.removed:
            state = without_letters(state, self.removed[job, task])
        letters = self.added.get((job, task), "")
        if (job, task) not in self.late and self._stands_still(granted, is_deleted=_DELETED in state):
            letters += SUBORDINATED
        return with_letters(state, letters) if letters else state

    def _is_free(self, granted: Mapping[str, int]) -> bool:
        """True if nothing stops any of its queue instances any more, so that it has gone on.

        Who took them out of a subordinate list, or changed their calendar, has let it go on. With `calendar NONE` 8.1.9
        opens them, too, and forgets the tasks: they stand still until somebody suspends and resumes the queue instance.
        """
        if not (self.stopped.isdisjoint(granted) and self.subordinates.isdisjoint(granted)):
            return False
        return not (self.told.isdisjoint(granted) and self.keeps_calendar.isdisjoint(granted))

    def _stands_still(self, granted: Mapping[str, int], *, is_deleted: bool) -> bool:
        """True if a task stands still with its queue instances, if its letters do not say so yet.

        Any of them makes it stop, and go on again, even while others still stand. What is deleted while it stands
        still is shown as if it ran on.
        """
        if not self.newly_stopped.isdisjoint(granted):
            return True
        return not is_deleted and (self.stopped - self.told).issuperset(granted)


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
    """Carry out what was decided; `resources` are those after the run, `given` are the letters of the state."""
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
    after.told = frozenset(name for name, letters in given.items() if SUBORDINATED in letters)
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
    """Enter the tasks that are there before the first start."""
    for run_job in sorted(jobs, key=lambda job: job.id):
        for number in (*run_job.split.running, *run_job.split.suspended):
            key, task = (run_job.id, number), run_job.job.tasks[number]
            is_halted = number in run_job.split.halted
            enter_task(preemption, resources.instance_numbers, states, key, task, is_halted=is_halted)


def kept_letters(compiled: CompiledCluster, states: Sequence[str], given: Mapping[str, str]) -> dict[str, str]:
    """The letters of queue instances that the qmaster keeps; what follows from the configuration is not among them."""
    kept_states = dict(given)
    for instance, letters in zip(compiled.instances, states, strict=True):
        told = given.get(instance.name)
        if not letters and not told:
            continue
        unread = instance.profile.calendar is not None and instance.profile.calendar not in compiled.calendars
        kept = "".join(letter for letter in letters if letter not in CONFIGURED or letter == ORPHANED or unread)
        if kept or told is not None or instance.profile.starts_disabled:
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
    """The queue instances that the scheduler takes for suspended by others after it has been told of starts.

    Every start has its queue instances sent as they stand then, before it suspends others. `states` and `used` slots
    are those before them.
    """
    seen = set(seen_suspended)
    standing = {number for number, letters in enumerate(states) if SUBORDINATED in letters}
    suspensions = SuspensionsAtStart.of(compiled, subordination)
    suspensions.used.update(used)
    for start in starts:
        for number, _ in start.grants:
            name = compiled.instances[number].name
            (seen.add if number in standing else seen.discard)(name)
        standing.update(suspensions.start(StartedTask(start.run_job.id, start.task, now), start.grants))
    return frozenset(seen)
