"""Ticket calculation: the tasks that receive tickets, the policies in policy_hierarchy order, and the second pass.

Tickets are calculated twice (tickets.md#two-passes): with all tasks, and as if no task were pending. The second pass
changes only the share tree tickets of running tasks, as branches without running tasks drop out. The highest number of
both passes is the upper end of the scale.
"""

from collections.abc import Iterable, Sequence

from qmon_tui.scheduler.configuration import TicketPolicy
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.priority import functional_tickets, override_tickets, share_tree_tickets
from qmon_tui.scheduler.priority.formulas import GRID_ENGINE, Formulas, Scale
from qmon_tui.scheduler.priority.share_tree_nodes import TaskRef, TicketOrder, pending_refs, running_refs, set_running
from qmon_tui.scheduler.priority.share_tree_targets import RunShareTree


def work_out_tickets(
    running: Iterable[RunJob],
    pending: Iterable[RunJob],
    policy: TicketPolicy,
    free_slots: int,
    formulas: Formulas = GRID_ENGINE,
    run_share_tree: RunShareTree | None = None,
    *,
    order: TicketOrder | None = None,
) -> Scale:
    """Set the tickets of all running tasks and of the first pending tasks of each job; return the scale for ntckts.

    `order` receives the tasks in the order in which the policies handled them.
    """
    order = TicketOrder() if order is None else order
    active = running_refs(running)
    waiting = pending_refs(pending, tickets_per_job(policy, free_slots))
    order.running, order.pending = active, waiting
    if run_share_tree is not None:
        run_share_tree.enter(active, waiting)
    _first_pass(order, policy, run_share_tree)
    if formulas.divide is not None:
        formulas.divide(active, waiting, policy)
    _add_up(active)
    _add_up(waiting)
    counting = (*active, *waiting) if formulas.counts_running else waiting
    totals = [ref.tickets.total for ref in counting]
    if run_share_tree is not None and policy.share > 0 and active:
        run_share_tree.leave_running(active)
        share_tree_tickets.divide_among_running(active, policy.share)
        _add_up(active)
        totals += [ref.tickets.total for ref in active] if formulas.counts_running else ()
    return formulas.tickets(totals)


def tickets_per_job(policy: TicketPolicy, free_slots: int) -> int:
    """Return the number of pending tasks per job that get tickets."""
    return min(policy.max_pending_tasks_per_job, free_slots + 1)


def _first_pass(order: TicketOrder, policy: TicketPolicy, run_share_tree: RunShareTree | None) -> None:
    active, waiting = order.running, order.pending
    for ref in active:
        set_running(ref, 1)
    shares = policy.share if run_share_tree is not None else 0.0
    if shares > 0:
        share_tree_tickets.divide_among_running(active, shares)
    sums = (
        functional_tickets.divide_among_running(active, policy) if policy.functional > 0 else functional_tickets.Parts()
    )
    override_tickets.divide_among_running(active, policy)
    for letter in policy.order:
        if letter == "O":
            order.override = override_tickets.divide_among_pending(waiting, policy)
        elif letter == "F" and policy.functional > 0:
            picks = functional_tickets.Picks(sums, policy)
            order.functional = functional_tickets.divide_among_pending(waiting, picks, policy)
        elif letter == "S" and run_share_tree is not None and shares > 0:
            order.share_tree = share_tree_tickets.divide_among_pending(
                run_share_tree.tree, active, waiting, shares, dependent="S" in policy.dependent
            )
    for ref in active:
        set_running(ref, -1)


def _add_up(refs: Sequence[TaskRef]) -> None:
    """Set each task's total tickets, and its fraction (0..1) of the sum over all of `refs`."""
    total = 0.0
    for ref in refs:
        tickets = ref.tickets
        tickets.total = tickets.share_tree + tickets.functional + tickets.override
        total += tickets.total
    for ref in refs:
        tickets = ref.tickets
        tickets.share = tickets.total / total if tickets.total > 0 else 0.0
