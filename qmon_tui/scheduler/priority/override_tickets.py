"""Override tickets of users, projects, departments and single jobs.

Source: tickets.md#override-tickets.
"""

from collections.abc import Callable, Sequence
from operator import attrgetter

from qmon_tui.scheduler.configuration import TicketPolicy
from qmon_tui.scheduler.jobs import TicketHolder
from qmon_tui.scheduler.priority.share_tree_nodes import TaskRef, set_running
from qmon_tui.scheduler.priority.ticket_picking import WorthKeys, groups_of, pick_in_turn


def divide_among_running(refs: Sequence[TaskRef], policy: TicketPolicy) -> None:
    """Set the override tickets of running tasks; with share_override_tickets an owner's tasks share them."""
    for ref in refs:
        ref.tickets.override = _value(ref, policy.share_override_tickets, 0)


def divide_among_pending(refs: Sequence[TaskRef], policy: TicketPolicy) -> Sequence[TaskRef]:
    """Set the override tickets of pending tasks; return the tasks in the order of picking, empty if not shared."""
    if policy.share_override_tickets:
        return _pick_all(refs, dependent="O" in policy.dependent)
    for ref in refs:
        ref.tickets.override = _value(ref, False, 0)
        ref.accumulated += ref.tickets.override
    return ()


def _value(ref: TaskRef, shared: bool, more: int) -> float:
    total = 0.0
    for holder in ref.ticket_holders:
        if holder is None:
            continue
        tickets = holder.entitlement.override_tickets
        count = holder.running + more
        if not shared:
            total += tickets
        elif tickets and count:
            total += tickets / count
    return total + ref.run_job.job.request.override_tickets


def _of_holder(holder: TicketHolder) -> float:
    return holder.entitlement.override_tickets


_of_job: Callable[[TaskRef], float] = attrgetter("run_job.job.request.override_tickets")


def _pick_all(refs: Sequence[TaskRef], *, dependent: bool) -> Sequence[TaskRef]:
    """Set shared override tickets by picking the task with most tickets, which then counts as running; return all."""
    groups = groups_of(refs, WorthKeys(_of_holder, _of_job), dependent=dependent)
    picked: list[TaskRef] = []

    def value(ref: TaskRef) -> float:
        ref.tickets.override = _value(ref, True, 1)
        return ref.tickets.override

    def pick(ref: TaskRef, _: TaskRef | None) -> None:
        set_running(ref, 1)
        ref.accumulated += ref.tickets.override
        picked.append(ref)

    pick_in_turn(groups, sum(map(len, groups)), value, lambda ref: (ref.run_job.id, ref.task), pick)
    for ref in picked:
        set_running(ref, -1)
    return picked
