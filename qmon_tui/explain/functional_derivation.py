"""The functional tickets of a task as arithmetic: total × weight × shares/all shares / tasks.

For a running task all running tasks count. For a pending task those picked before it and itself count; tasks past
max_functional_jobs_to_schedule get their value before the last pick.

Source: tickets.md#functional-tickets-of-running-tasks and tickets.md#functional-tickets-of-pending-tasks.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from qmon_tui.explain.derived import Derivation, given, number_text, sum_of
from qmon_tui.qmaster import Run
from qmon_tui.scheduler.jobs import TicketHolder
from qmon_tui.scheduler.priority import TaskRef

_KINDS = ("user", "project", "department")
_MOST_NAMED = 8
_TENTATIVE = 0.001
"""The amount that the scheduler adds to a sum while it tries a task's value."""


def names_of(refs: Sequence[TaskRef]) -> str:
    """Name tasks by their numbers, limited to the first ones."""
    named = [
        str(ref.run_job.id) if ref.run_job.job.request.array is None else f"{ref.run_job.id}.{ref.task}"
        for ref in refs[:_MOST_NAMED]
    ]
    more = f" and {len(refs) - _MOST_NAMED} more" if len(refs) > _MOST_NAMED else ""
    return f"job {', '.join(named)}{more}"


@dataclass(frozen=True, slots=True)
class _Counting:
    """The tasks that count for a task, and how."""

    ref: TaskRef
    tasks: Sequence[TaskRef]
    """The tasks with shares when it is valued, itself included."""
    shared: bool
    is_tried: bool
    """True if it is only valued; see `_TENTATIVE`."""
    is_running: bool


def functional_derivation(run: Run, ref: TaskRef) -> Derivation:
    """Return the functional tickets of a task to which the run gave tickets."""
    policy, order = run.compiled.policy.tickets, run.formula.order
    if policy.functional <= 0:
        return given("ftckt", 0.0, "weight_tickets_functional is 0")
    is_running = ref in order.running
    if not is_running and not _claims(ref):
        return given("ftckt", 0.0, "no user, project, department nor job of it has shares")
    tasks: Sequence[TaskRef] = order.running
    is_tried = not is_running and ref not in order.functional
    if is_tried:
        if not order.functional:
            return given("ftckt", 0.0, "max_functional_jobs_to_schedule is 0")
        tasks = (*order.running, *order.functional[:-1], ref)
    elif not is_running:
        tasks = (*order.running, *order.functional[: order.functional.index(ref) + 1])
    counting = _Counting(ref, tasks, policy.share_functional_shares, is_tried, is_running)
    weights = (policy.user, policy.project, policy.department, policy.job)
    holders = zip(_KINDS, ref.ticket_holders, strict=True)
    shares = [*(_of_holder(counting, kind, holder) for kind, holder in holders), _of_job(counting)]
    counted = [
        weight if not is_running or has_shares else 0.0
        for weight, has_shares in zip(weights, _with_shares(order.running), strict=True)
    ]
    scale = sum_of(counted) if sum_of(counted) > 0 else 1.0
    parts = tuple(
        _weighted(f"weight_{kind}", weight, scale, share)
        for kind, weight, share in zip((*_KINDS, "job"), counted, shares, strict=True)
        if share is not None and share.value and weight
    )
    if not parts:
        return given("ftckt", 0.0, "nothing that it has shares in has a weight")
    inner = " + ".join(part.arithmetic for part in parts)
    inner = f"({inner})" if len(parts) > 1 else inner
    origin = "worth before the last pick: it is past max_functional_jobs_to_schedule" if is_tried else ""
    return Derivation(
        "ftckt",
        policy.functional * sum_of(part.value for part in parts),
        f"{number_text(policy.functional)} × {inner}",
        origin,
        (given("weight_tickets_functional", policy.functional, "scheduler"), *parts),
    )


def _claims(ref: TaskRef) -> bool:
    holders = (holder for holder in ref.ticket_holders if holder is not None)
    return bool(ref.run_job.job.request.job_share) or any(holder.entitlement.functional_shares for holder in holders)


def _with_shares(running: Sequence[TaskRef]) -> tuple[bool, bool, bool, bool]:
    """True for each of user, project, department and job if a running task has such shares; only these weigh."""
    users, projects, departments = (
        any(
            holder is not None and holder.entitlement.functional_shares > 0
            for ref in running
            for holder in (ref.ticket_holders[place],)
        )
        for place in range(3)
    )
    return users, projects, departments, sum(ref.run_job.job.request.job_share for ref in running) > 0


def _weighted(field: str, weight: float, scale: float, share: Derivation) -> Derivation:
    own = given(field, weight, "scheduler")
    arithmetic = f"{number_text(weight)} × {share.arithmetic}"
    if scale != 1:
        arithmetic = f"{number_text(weight)}/{number_text(scale)} × {share.arithmetic}"
    return Derivation(share.name, weight / scale * share.value, arithmetic, share.origin, (own, *share.parts))


def _of_holder(counting: _Counting, kind: str, holder: TicketHolder | None) -> Derivation | None:
    """Return a task's fraction of all shares of a kind, by one ticket holder."""
    if holder is None or not holder.entitlement.functional_shares:
        return None
    place, shares = _KINDS.index(kind), holder.entitlement.functional_shares
    own = [other for other in counting.tasks if other.ticket_holders[place] is holder]
    holders = {id(account): account for ref in counting.tasks if (account := ref.ticket_holders[place]) is not None}
    if counting.shared:
        known = holders
        if counting.is_tried:
            # The sum does not yet contain a task that is only valued.
            known = {id(account): account for ref in counting.tasks[:-1] if (account := ref.ticket_holders[place])}
        claims = [(account.entitlement.name, account.entitlement.functional_shares) for account in known.values()]
    else:
        claims = [
            (account.entitlement.name, account.entitlement.functional_shares)
            for ref in counting.tasks
            if (account := ref.ticket_holders[place]) is not None
        ]
    divided = len(own) if counting.shared else 1
    every = sum_of(amount for _, amount in claims) + (_TENTATIVE if counting.is_tried else 0.0)
    arithmetic = f"{number_text(shares)}/{number_text(every)}" + (f" / {divided}" if divided > 1 else "")
    parts = [given("fshare", shares, f"{kind} {holder.entitlement.name}"), _all_shares(claims, every)]
    if divided > 1:
        parts.append(given("tasks that count", divided, names_of(own)))
    value = shares / divided / every if every else 0.0
    return Derivation(f"{kind} {holder.entitlement.name}", value, arithmetic, "", tuple(parts))


def _all_shares(claims: Sequence[tuple[str, float]], every: float) -> Derivation:
    amounts = [(name, amount) for name, amount in claims if amount]
    words = " + ".join(f"{name} {number_text(amount)}" for name, amount in amounts[:_MOST_NAMED])
    more = f" + {len(amounts) - _MOST_NAMED} more" if len(amounts) > _MOST_NAMED else ""
    return given("all fshare that count", every, words + more)


def _of_job(counting: _Counting) -> Derivation | None:
    """Return a task's fraction of all job shares (-js)."""
    shares = float(counting.ref.run_job.job.request.job_share)
    if not shares:
        return None
    every = float(sum(ref.run_job.job.request.job_share for ref in counting.tasks))
    every += _TENTATIVE if counting.is_tried else 0.0
    parts = (
        given("-js", shares, names_of([counting.ref])),
        given("all -js that count", every, names_of(counting.tasks)),
    )
    return Derivation("job", shares / every, f"{number_text(shares)}/{number_text(every)}", "", parts)
