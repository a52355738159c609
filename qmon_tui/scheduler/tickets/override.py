"""Override tickets: what an administrator gave users, projects, departments and single jobs (tickets.md section 5)."""

from collections.abc import Callable, Sequence
from operator import attrgetter

from qmon_tui.scheduler.compiled.policy import TicketPolicy
from qmon_tui.scheduler.jobs import Account
from qmon_tui.scheduler.tickets.picking import Claims, groups_of, pick_in_turn
from qmon_tui.scheduler.tickets.refs import Ref, set_running


def divide_among_running(refs: Sequence[Ref], policy: TicketPolicy) -> None:
    """Set the override tickets of running tasks; shared ones are divided among the owner's running tasks."""
    for ref in refs:
        ref.tickets.override = _value(ref, policy.share_override_tickets, 0)


def divide_among_pending(refs: Sequence[Ref], policy: TicketPolicy) -> None:
    """Set the override tickets of pending tasks."""
    dependent = "O" in policy.dependent
    if policy.share_override_tickets:
        _pick_all(refs, dependent=dependent)
        return
    for ref in refs:
        ref.tickets.override = _value(ref, False, 0)
        if dependent:
            ref.accumulated += ref.tickets.override


def _value(ref: Ref, shared: bool, more: int) -> float:
    total = 0.0
    for account in ref.accounts:
        if account is None:
            continue
        tickets = account.entitlement.override_tickets
        count = account.running + more
        if not shared:
            total += tickets
        elif tickets and count:
            total += tickets / count
    return total + ref.run_job.job.request.override_tickets


def _of_account(account: Account) -> float:
    return account.entitlement.override_tickets


_of_job: Callable[[Ref], float] = attrgetter("run_job.job.request.override_tickets")


def _pick_all(refs: Sequence[Ref], *, dependent: bool) -> None:
    """Pick tasks one by one, the most valuable first; each pick counts as running for those that follow.

    What a pick is worth is added up for the later policies whether or not policy_hierarchy says so.
    """
    groups = groups_of(refs, Claims(_of_account, _of_job), dependent=dependent)
    picked: list[Ref] = []

    def value(ref: Ref) -> float:
        ref.tickets.override = _value(ref, True, 1)
        return ref.tickets.override

    def pick(ref: Ref, _: Ref | None) -> None:
        set_running(ref, 1)
        ref.accumulated += ref.tickets.override
        picked.append(ref)

    pick_in_turn(groups, sum(map(len, groups)), value, lambda ref: (ref.run_job.id, ref.task), pick)
    for ref in picked:
        set_running(ref, -1)
