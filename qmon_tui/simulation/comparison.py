"""Comparison of policies on the same work: measures, tasks that gain and lose, and the first decision that differs.

All differences are between a policy and the first one, on the same day. Source: measures.md#differences.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from qmon_tui.simulation.confidence import Interval, interval
from qmon_tui.simulation.divergence import Divergence, TaskReason, divergence_of, reasons_of
from qmon_tui.simulation.execution import TaskKey
from qmon_tui.simulation.measure_kinds import left_out_of
from qmon_tui.simulation.no_effect import reason_without_effect
from qmon_tui.simulation.policy_edits import Subject, apply_edits
from qmon_tui.simulation.scenario import Day, Scenario, flat, simulated
from qmon_tui.simulation.task_record import TaskRecord
from qmon_tui.simulation.work_pool import computed_all

MOST_POLICIES: Final = 4


@dataclass(frozen=True, slots=True)
class Policy:
    """A scenario with the name under which it is compared."""

    label: str
    scenario: Scenario


@dataclass(frozen=True, slots=True)
class Compared:
    """One measure under each policy: its means over the seeds, and the differences to the first policy."""

    name: str
    values: tuple[float | None, ...]
    """One mean for each policy; None if no day has the number."""
    differences: tuple[Interval | None, ...]
    """One for each policy but the first; None if no day has the number under both policies."""


@dataclass(frozen=True, slots=True)
class TaskChange:
    """A task that waits longer or shorter on the first day; waits in seconds, None if it has not started."""

    job: int
    task: int
    name: str
    owner: str
    before: int | None
    after: int | None
    change: int
    """Seconds by which it waits longer; a task that has not started counts as waiting until the end of the day."""
    reason: TaskReason | None = None
    """Why it starts at another time; None if it is not among the explained tasks."""


@dataclass(frozen=True, slots=True)
class PolicyDelta:
    """One policy against the first: the owners and tasks that gain and lose, and where the days diverge."""

    label: str
    owners: tuple[Compared, ...]
    """Mean wait by owner, the largest gain first."""
    gaining: tuple[TaskChange, ...]
    losing: tuple[TaskChange, ...]
    changed: int
    """Number of tasks that start at another time."""
    divergence: Divergence | None
    """The first decision that differs; None if the days are the same."""
    no_effect: str = ""
    """Why the policy has no effect, as the end of a sentence; empty if it has one or there is no simple reason."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Result of a comparison; `days` are those of the first seed, one for each policy."""

    labels: tuple[str, ...]
    """The policies; all differences are to the first one."""
    seeds: tuple[int, ...]
    measures: tuple[Compared, ...]
    against: tuple[PolicyDelta, ...]
    """One for each policy but the first."""
    days: tuple[Day, ...]

    @property
    def by_name(self) -> Mapping[str, Compared]:
        return {measure.name: measure for measure in self.measures}

    def left_out(self, name: str) -> Compared | None:
        """Return the count of tasks that a mean leaves out; None if `name` is no mean, or leaves out no task."""
        count = self.by_name.get(left_out_of(name) or "")
        return count if count is not None and any(count.values) else None

    def has_effect(self, number: int) -> bool:
        """True if a policy differs from the first one in any number of any day, or in a start of the first day."""
        own = self.against[number - 1]
        return own.divergence is not None or any(
            (difference := measure.differences[number - 1]) is not None and not difference.is_zero
            for measure in self.measures
        )


def compared(
    policies: Sequence[Policy],
    seeds: Sequence[int] = (0,),
    *,
    processes: int = 1,
    explained: int = 5,
    note: Callable[[int, int], None] | None = None,
    look: Callable[[], None] | None = None,
) -> Comparison:
    """Simulate each policy on the day of each seed, and compare. Raises EditError.

    The `explained` tasks that gain and lose most get reasons. `note` is called with the number of simulated days and
    of all days. With one process `look` is called after every step; an exception in it ends the comparison.
    """
    simulate = simulated if look is None or processes > 1 else partial(simulated, look=look)
    scenarios = [
        replace(policy.scenario, seed=seed, keeps_copies=not number)
        for number, seed in enumerate(seeds)
        for policy in policies
    ]
    every_day = list(computed_all(simulate, scenarios, processes=processes, note=note))
    width = len(policies)
    days = [every_day[number : number + width] for number in range(0, len(every_day), width)]
    named = [[flat(day.measures) for day in row] for row in days]
    against = tuple(_policy_delta(policies, number, seeds, days, named, explained) for number in range(1, width))
    names = dict.fromkeys(name for row in named for numbers in row for name in numbers)
    comparison = Comparison(
        tuple(policy.label for policy in policies),
        tuple(seeds),
        tuple(_compared(name, named) for name in names),
        against,
        tuple(days[0]),
    )
    if all(comparison.has_effect(number) for number in range(1, width)):
        return comparison
    first, *others = (
        apply_edits(Subject(scenario.cluster, scenario.work().state), scenario.edits) for scenario in scenarios[:width]
    )
    reasons = (
        "" if comparison.has_effect(number) else reason_without_effect(first, other)
        for number, other in enumerate(others, start=1)
    )
    with_reasons = (replace(own, no_effect=reason) for own, reason in zip(against, reasons, strict=True))
    return replace(comparison, against=tuple(with_reasons))


def _compared(name: str, named: Sequence[Sequence[Mapping[str, float]]]) -> Compared:
    width = len(named[0])
    values = []
    for number in range(width):
        own = [row[number][name] for row in named if name in row[number]]
        values.append(sum(own) / len(own) if own else None)
    return Compared(name, tuple(values), tuple(_difference(name, named, number) for number in range(1, width)))


def _difference(name: str, named: Sequence[Sequence[Mapping[str, float]]], number: int) -> Interval | None:
    both = [row[number][name] - row[0][name] for row in named if name in row[0] and name in row[number]]
    return interval(both) if both else None


def _policy_delta(
    policies: Sequence[Policy],
    number: int,
    seeds: Sequence[int],
    days: Sequence[Sequence[Day]],
    named: Sequence[Sequence[Mapping[str, float]]],
    explained: int,
) -> PolicyDelta:
    first, other = days[0][0], days[0][number]
    pairs = [[row[0], row[number]] for row in named]
    owners = sorted({record.owner for day in (first, other) for record in day.records})
    by_owner = [replace(_compared(f"by.owner.{owner}.wait.mean", pairs), name=owner) for owner in owners]
    by_owner.sort(key=lambda owner: owner.differences[0].mean if owner.differences[0] is not None else 0.0)
    changes = sorted(_task_changes(first, other), key=lambda change: (change.change, change.job, change.task))
    gaining = [change for change in changes if change.change < 0][:explained]
    losing = [change for change in reversed(changes) if change.change > 0][:explained]
    scenarios = [replace(policies[place].scenario, seed=seeds[0]) for place in (0, number)]
    days_pair = (first, other)
    questions: list[TaskKey] = [(change.job, change.task) for change in (*gaining, *losing)]
    reasons = reasons_of((scenarios[0], scenarios[1]), days_pair, questions)
    return PolicyDelta(
        policies[number].label,
        tuple(by_owner),
        _with_reasons(gaining, reasons),
        _with_reasons(losing, reasons),
        sum(change.change != 0 for change in changes),
        divergence_of((scenarios[0], scenarios[1]), days_pair),
    )


def _with_reasons(changes: Iterable[TaskChange], reasons: Mapping[TaskKey, TaskReason]) -> tuple[TaskChange, ...]:
    return tuple(replace(change, reason=reasons.get((change.job, change.task))) for change in changes)


def _task_changes(first: Day, other: Day) -> Iterator[TaskChange]:
    known = {(record.job, record.task): record for record in other.records}
    for record in first.records:
        later = known.get((record.job, record.task))
        if later is not None:
            change = _waited(later, other) - _waited(record, first)
            yield TaskChange(
                record.job, record.task, record.name, record.owner, record.wait, later.wait, change
            )  # fmt: skip


def _waited(record: TaskRecord, day: Day) -> int:
    return record.waiting_until(day.end) - record.submitted
