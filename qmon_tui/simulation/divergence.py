"""First decision that differs between two days of the same work, and why a task starts sooner in one of them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from qmon_tui.explain import Explainer, Explanation
from qmon_tui.qmaster import RunFacts
from qmon_tui.simulation.execution import TaskKey
from qmon_tui.simulation.scenario import Day, Scenario, runs_at
from qmon_tui.simulation.task_record import TaskRecord

_MOST_EXPLAINED: Final = 5


@dataclass(frozen=True, slots=True)
class TaskInRun:
    """Priority, rank and start or obstacle of a task in one run."""

    prior: float
    terms: tuple[tuple[str, float], ...]
    """urgency, tickets, POSIX priority, each with its part of the priority."""
    rank: int | None
    """Its position in the pending list; None if it is not pending."""
    pending: int
    """Number of pending jobs in that list."""
    starts_on: tuple[str, ...]
    """The queue instances on which this run starts it."""
    waits_for: str
    """The first reason in qstat's words; empty if it starts, or there is no reason."""
    behind: str
    """The job directly ahead of it in the list, and why; empty if it is first or starts."""


@dataclass(frozen=True, slots=True)
class TaskReason:
    """A task at its start under one of two policies, in the runs of both at that moment."""

    time: int
    """Seconds since the epoch."""
    job: int
    task: int
    name: str
    owner: str
    in_runs: tuple[TaskInRun | None, TaskInRun | None]
    """Under the first policy and under the other; None if the run at that time does not have the task."""

    @property
    def key(self) -> TaskKey:
        return self.job, self.task

    @property
    def is_elsewhere(self) -> bool:
        """True if both policies start it at that moment, on different hosts or queues."""
        return all(in_run is not None and in_run.starts_on for in_run in self.in_runs)


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first decision that differs."""

    time: int
    """Seconds since the epoch."""
    first: tuple[TaskReason, ...]
    """Tasks that the first policy starts at that time and the other does not, or elsewhere."""
    other: tuple[TaskReason, ...]
    """Tasks that only the other policy starts at that time."""
    count: int
    """Number of all tasks in which the decisions differ."""


Scenarios = tuple[Scenario, Scenario]
Days = tuple[Day, Day]


def divergence_of(scenarios: Scenarios, days: Days) -> Divergence | None:
    """Return the first decision in which two days differ; None if there is none."""
    first, other = (_records(day) for day in days)
    differing = [key for key in first if key in other and _start(first[key]) != _start(other[key])]
    times = [time for key in differing for time in (first[key].started, other[key].started) if time is not None]
    if not times:
        return None
    time = min(times)
    starting = [[key for key in differing if records[key].started == time] for records in (first, other)]
    starting[1] = [key for key in starting[1] if first[key].started != time]
    asked = [(time, key) for keys in starting for key in keys[:_MOST_EXPLAINED]]
    reasons = {reason.key: reason for reason in _reasons(scenarios, days, asked)}
    by_policy = [tuple(reasons[key] for key in keys[:_MOST_EXPLAINED]) for keys in starting]
    return Divergence(time, by_policy[0], by_policy[1], len(starting[0]) + len(starting[1]))


def reasons_of(scenarios: Scenarios, days: Days, keys: Sequence[TaskKey]) -> Mapping[TaskKey, "TaskReason"]:
    """Return task -> its reason at its earlier start under the two policies."""
    first, other = (_records(day) for day in days)
    asked = []
    for key in keys:
        times = [records[key].started for records in (first, other) if key in records]
        known = [time for time in times if time is not None]
        if known and key in first:
            asked.append((min(known), key))
    return {reason.key: reason for reason in _reasons(scenarios, days, asked)}


def runs_of_start(
    scenarios: Scenarios, days: Days, key: TaskKey
) -> tuple[int, tuple[RunFacts | None, RunFacts | None]] | None:
    """Return the earlier start of a task under two policies, in seconds since the epoch, and both runs at that time.

    None if it starts under neither policy. A run is None if the policy makes no run at that time.
    """
    times = [record.started for day in days if (record := day.record(key)) is not None and record.started is not None]
    if not times:
        return None
    start = min(times), key
    first, other = (
        runs_at(scenario, [start], day.copies).get(start) for scenario, day in zip(scenarios, days, strict=True)
    )
    return min(times), (first, other)


def _reasons(scenarios: Scenarios, days: Days, asked: Sequence[tuple[int, TaskKey]]) -> Iterable[TaskReason]:
    if not asked:
        return
    records = _records(days[0])
    runs = [runs_at(scenario, asked, day.copies) for scenario, day in zip(scenarios, days, strict=True)]
    explainers: dict[int, Explainer] = {}
    for time, key in asked:
        record = records[key]
        in_runs = [_in_run(runs_of_tasks.get((time, key)), key, explainers) for runs_of_tasks in runs]
        yield TaskReason(time, *key, record.name, record.owner, (in_runs[0], in_runs[1]))


def _in_run(run: RunFacts | None, key: TaskKey, explainers: dict[int, Explainer]) -> TaskInRun | None:
    if run is None:
        return None
    full = run.full()
    explainer = explainers.setdefault(id(full), Explainer(full))
    try:
        explained = explainer.explanation(*key)
    except LookupError:
        return None
    places = next(
        (
            tuple(full.resources.instances[number].name for number, _ in start.grants)
            for start in full.dispatch.starts
            if (start.run_job.id, start.task) == key and not start.refused
        ),
        (),
    )
    return TaskInRun(
        explained.prior, tuple((term.name, term.value) for term in explained.terms), explained.rank, explained.pending,
        places,
        "" if places else _waits_for(explained), "" if places else _behind(explained),
    )  # fmt: skip


def _waits_for(explained: Explanation) -> str:
    if explained.rejected:
        return explained.rejected
    soon = [group for group in explained.groups if group.why.value != "never"] or list(explained.groups)
    return soon[0].message if soon else ""


def _behind(explained: Explanation) -> str:
    if not explained.ahead:
        return ""
    ahead = explained.ahead[-1]
    return f"behind job {ahead.job} by {ahead.by}" + (f" ({ahead.cause})" if ahead.cause else "")


def _records(day: Day) -> dict[TaskKey, TaskRecord]:
    return {(record.job, record.task): record for record in day.records}


def _start(record: TaskRecord) -> tuple[int | None, tuple[tuple[str, int], ...]]:
    return record.started, tuple(record.granted.items())
