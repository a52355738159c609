"""Holders of resources that a task lacks: jobs, amounts, and latest end times."""

from collections.abc import Collection, Iterator, Sequence
from math import inf

from qmon_tui.explain.explanation import Holder
from qmon_tui.explain.not_yet import end_of_start, expected_end
from qmon_tui.explain.rejection import PlaceRejection
from qmon_tui.model import messages
from qmon_tui.qmaster import Run
from qmon_tui.scheduler.configuration import Attribute
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.matching import CONSUMABLE, SLOTS, Grants
from qmon_tui.scheduler.placement import GLOBAL_SCOPE, HOST_SCOPE
from qmon_tui.scheduler.quotas import MatchedRule, limit_amounts_of, subject_of
from qmon_tui.values import format_number

End = tuple[int, str] | None
"""Latest end of a task in seconds since the epoch, and its source; None without a limit."""
Started = tuple[RunJob, int, Grants, str | None, End]
"""(job, task number, grants, parallel environment, end)."""


def holders_of(run: Run, rejection: PlaceRejection, numbers: Collection[int]) -> tuple[Holder, ...]:
    """Return the tasks that hold what the rejecting queue instances lack, the first to end first.

    Empty if the rejection is not about an amount.
    """
    if rejection.quota is not None:
        return _in_order(_holders_of_quota(run, rejection.quota))
    shortfall = rejection.shortfall
    if rejection.number == messages.FULL:
        attribute = run.compiled.attributes.by_name.get(SLOTS)
    elif shortfall is not None and shortfall.kind.endswith(CONSUMABLE):
        attribute = shortfall.attribute
    else:
        return ()
    return () if attribute is None else _in_order(_holders_of_consumable(run, attribute, rejection.scope, numbers))


def _in_order(holders: Iterator[Holder]) -> tuple[Holder, ...]:
    return tuple(sorted(holders, key=lambda holder: (inf if holder.until is None else holder.until, holder.job)))


def _holders_of_consumable(run: Run, attribute: Attribute, scope: str, numbers: Collection[int]) -> Iterator[Holder]:
    """Yield the holders on one level: in the queue instances, on their hosts, or everywhere."""
    host_of = run.resources.host_of
    instances = frozenset(numbers)
    hosts = {host_of[number] for number in instances}
    for run_job, task, grants, _, end in _started(run):
        slots_there = [
            slots
            for number, slots in grants
            if scope == GLOBAL_SCOPE or (host_of[number] in hosts if scope == HOST_SCOPE else number in instances)
        ]
        each = 1.0 if attribute.name == SLOTS else run_job.demand.amounts.get(attribute.name, attribute.default_amount)
        amount = each if attribute.per_job else each * sum(slots_there)
        if slots_there and amount:
            yield _holder(run_job, task, amount, attribute, end)


def _holders_of_quota(run: Run, matched: MatchedRule) -> Iterator[Holder]:
    """Yield the tasks that count against the first exceeded limit, in the same counter (such as that of a user)."""
    if run.quota_usage is None:
        return
    index = matched.limits[0].index
    attribute = run.compiled.attributes.by_name[matched.limits[0].attribute]
    for run_job, task, grants, environment, end in _started(run):
        subject = subject_of(run_job, environment)
        if subject is None:
            continue
        usages = run.quota_usage.subject_usage(subject).rule_usages
        amount = 0.0
        for position, (number, slots) in enumerate(grants):
            for usage in usages[number]:
                if (usage.rule.label, usage.key) != (matched.rule, matched.key):
                    continue
                counts = (count for count in limit_amounts_of(usage.rule, run_job.demand) if count.limit == index)
                amount += sum(count.amount * count.times(slots, position == 0) for count in counts)
        if amount:
            yield _holder(run_job, task, amount, attribute, end)


def _holder(run_job: RunJob, task: int, amount: float, attribute: Attribute, end: End) -> Holder:
    until, by = (None, "") if end is None else end
    is_array = run_job.job.request.array is not None
    text = format_number(amount, attribute.type) if attribute.type == "MEMORY" else f"{amount:g}"
    return Holder(run_job.id, task if is_array else None, run_job.job.owner, amount, text, until, by)


def _started(run: Run) -> Sequence[Started]:
    """Return all tasks with grants: those that ran before, and those that the run has started."""
    started: list[Started] = []
    for run_job in run.jobs:
        for number, task in run_job.job.tasks.items():
            grants = run.resources.grants_of(task)
            if grants:
                environment = run.resources.environment_of(run_job.job, number)
                started.append((run_job, number, grants, environment, expected_end(run, run_job, number)))
    for start in run.dispatch.starts:
        if not start.refused:
            end = end_of_start(run, start)
            started.append((start.run_job, start.task, start.grants, start.environment, end))
    return started
