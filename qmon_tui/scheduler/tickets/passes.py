"""From jobs to tickets: who receives any, each policy in its turn, and the second look at running tasks.

Tickets are worked out twice (tickets.md section 8): first with everybody, then as if nobody were pending. Only the
share tree then gives running tasks other numbers: its idle branches are others. The highest number of both passes is
what all are compared with.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from qmon_tui.scheduler.compiled.policy import TicketPolicy
from qmon_tui.scheduler.formulas import GRID_ENGINE, Formulas
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.scale import Scale
from qmon_tui.scheduler.tickets import functional, override, sharetree
from qmon_tui.scheduler.tickets.refs import Ref, pending_refs, running_refs, set_running
from qmon_tui.scheduler.tickets.sharing import Sharing


def work_out_tickets(
    running: Iterable[RunJob],
    pending: Iterable[RunJob],
    policy: TicketPolicy,
    free_slots: int,
    formulas: Formulas = GRID_ENGINE,
    sharing: Sharing | None = None,
) -> Scale:
    """Set the tickets of all running tasks and of the first pending tasks of each job.

    Returns the scale on which they are normalised.
    """
    active = running_refs(running)
    waiting = pending_refs(pending, min(policy.max_pending_tasks_per_job, free_slots + 1))
    if sharing is not None:
        sharing.enter(active, waiting)
    _first_pass(active, waiting, policy, sharing)
    if formulas.divide is not None:
        formulas.divide(active, waiting, policy)
    _add_up(active)
    _add_up(waiting)
    counting = (*active, *waiting) if formulas.counts_running else waiting
    totals = [ref.tickets.total for ref in counting]
    if sharing is not None and policy.share > 0 and active:
        sharing.leave_running(active)
        sharetree.divide_among_running(active, policy.share)
        _add_up(active)
        totals += [ref.tickets.total for ref in active] if formulas.counts_running else ()
    return formulas.tickets(totals)


def _first_pass(active: Sequence[Ref], waiting: Sequence[Ref], policy: TicketPolicy, sharing: Sharing | None) -> None:
    for ref in active:
        set_running(ref, 1)
    shares = policy.share if sharing is not None else 0.0
    if sharing is not None and shares > 0:
        sharetree.divide_among_running(active, shares)
    sums = functional.divide_among_running(active, policy) if policy.functional > 0 else functional.Parts()
    override.divide_among_running(active, policy)
    steps: Mapping[str, Callable[[], None]] = {
        "O": lambda: override.divide_among_pending(waiting, policy),
        "F": lambda: functional.divide_among_pending(waiting, sums, policy) if policy.functional > 0 else None,
        "S": lambda: (
            sharetree.divide_among_pending(sharing.tree, active, waiting, shares, dependent="S" in policy.dependent)
            if sharing is not None and shares > 0
            else None
        ),
    }
    for letter in policy.order:
        steps[letter]()
    for ref in active:
        set_running(ref, -1)


def _add_up(refs: Sequence[Ref]) -> None:
    """Set the totals, and each one's share in the sum of its class."""
    total = 0.0
    for ref in refs:
        tickets = ref.tickets
        tickets.total = tickets.share_tree + tickets.functional + tickets.override
        total += tickets.total
    for ref in refs:
        tickets = ref.tickets
        tickets.share = tickets.total / total if tickets.total > 0 else 0.0
