"""Override tickets: what an administrator gave users, projects, departments and single jobs (tickets.md section 5)."""

from collections.abc import Sequence

from qmon_tui.scheduler.compiled.policy import TicketPolicy
from qmon_tui.scheduler.tickets.refs import Ref, set_running


def divide_among_running(refs: Sequence[Ref], policy: TicketPolicy) -> None:
    """Set the override tickets of running tasks; shared ones are divided among the owner's running tasks."""
    for ref in refs:
        ref.tickets.override = _value(ref, policy.share_override_tickets, 0)


def divide_among_pending(refs: Sequence[Ref], policy: TicketPolicy) -> None:
    """Set the override tickets of pending tasks."""
    if policy.share_override_tickets:
        _pick_all(refs, "O" in policy.dependent)
        return
    for ref in refs:
        ref.tickets.override = _value(ref, False, 0)
        if "O" in policy.dependent:
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


def _pick_all(refs: Sequence[Ref], dependent: bool) -> None:
    """Pick tasks one by one, the most valuable first; each pick counts as running for those that follow.

    What a pick is worth is added up for the later policies whether or not policy_hierarchy says so.
    """
    groups: dict[tuple[int, ...], list[Ref]] = {}
    for ref in refs:
        own = ref.run_job.job.request.override_tickets
        owners = [a if a is not None and a.entitlement.override_tickets else None for a in ref.accounts]
        if own or any(owners):
            groups.setdefault((own, *map(id, owners)), []).append(ref)
    if dependent:
        for group in groups.values():
            group.sort(key=lambda ref: (-ref.accumulated, *ref.seniority))
    waiting = [group[::-1] for group in groups.values()]
    picked: list[Ref] = []
    while waiting:
        best = 0
        best_key = (1.0, 0, 0)
        for position, group in enumerate(waiting):
            ref = group[-1]
            ref.tickets.override = _value(ref, True, 1)
            key = (-ref.tickets.override, ref.run_job.job.id, ref.task)
            if position == 0 or key < best_key:
                best, best_key = position, key
        ref = waiting[best].pop()
        if not waiting[best]:
            del waiting[best]
        set_running(ref, 1)
        ref.accumulated += ref.tickets.override
        picked.append(ref)
    for ref in picked:
        set_running(ref, -1)
