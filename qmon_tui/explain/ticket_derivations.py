"""The tickets of a task as arithmetic: shares, sums of shares, numbers of tasks.

Functional tickets are total × weight × shares/all shares / tasks. For a running task, all running tasks count; for a
pending task, itself and those picked before it. Tasks past max_functional_jobs_to_schedule count as if picked last.

Source: tickets.md#functional-tickets, tickets.md#override-tickets and tickets.md#share-tree-tickets.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

from qmon_tui.explain.explanation import Derivation, given, number_text, total
from qmon_tui.explain.share_tree_derivation import share_tree_derivation
from qmon_tui.qmaster import Run
from qmon_tui.scheduler.jobs import RunJob, TicketHolder
from qmon_tui.scheduler.priority import TaskRef

_KINDS = ("user", "project", "department")
_MOST_NAMED = 8
_TENTATIVE = 0.001
"""The amount that the scheduler adds to a sum of shares while it values a task that is not picked yet."""


def names_of(refs: Sequence[TaskRef]) -> str:
    """Return the numbers of tasks in words, limited to the first ones."""
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
    """The tasks that count when the task is valued, itself included."""
    shared: bool
    is_tried: bool
    """True if the task is valued but not picked; see `_TENTATIVE`."""
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
    shares = [*(_share_of_holder(counting, kind, holder) for kind, holder in holders), _of_job(counting)]
    counted = [
        weight if not is_running or has_shares else 0.0
        for weight, has_shares in zip(weights, _with_shares(order.running), strict=True)
    ]
    scale = fsum(counted) if fsum(counted) > 0 else 1.0
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
        policy.functional * fsum(part.value for part in parts),
        f"{number_text(policy.functional)} × {inner}",
        origin,
        (given("weight_tickets_functional", policy.functional, "scheduler"), *parts),
    )


def _claims(ref: TaskRef) -> bool:
    holders = (holder for holder in ref.ticket_holders if holder is not None)
    return bool(ref.run_job.job.request.job_share) or any(holder.entitlement.functional_shares for holder in holders)


def _with_shares(running: Sequence[TaskRef]) -> tuple[bool, bool, bool, bool]:
    """Return for user, project, department and job whether a running task has such shares; only these count."""
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


def _share_of_holder(counting: _Counting, kind: str, holder: TicketHolder | None) -> Derivation | None:
    """Return a task's fraction of all shares of a kind ("user", …) by one ticket holder; None without shares."""
    if holder is None or not holder.entitlement.functional_shares:
        return None
    place, shares = _KINDS.index(kind), holder.entitlement.functional_shares
    own = [other for other in counting.tasks if other.ticket_holders[place] is holder]
    holders = {id(account): account for ref in counting.tasks if (account := ref.ticket_holders[place]) is not None}
    if counting.shared:
        known = holders
        if counting.is_tried:
            # The sum does not contain a task that is valued but not picked.
            known = {id(account): account for ref in counting.tasks[:-1] if (account := ref.ticket_holders[place])}
        claims = [(account.entitlement.name, account.entitlement.functional_shares) for account in known.values()]
    else:
        claims = [
            (account.entitlement.name, account.entitlement.functional_shares)
            for ref in counting.tasks
            if (account := ref.ticket_holders[place]) is not None
        ]
    divided = len(own) if counting.shared else 1
    every = fsum(amount for _, amount in claims) + (_TENTATIVE if counting.is_tried else 0.0)
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
    """Return a task's fraction of all job shares (-js); None if the job has none."""
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


def tickets_derivation(run: Run, run_job: RunJob, task: int) -> Derivation:
    """Return the tickets of a task that takes part."""
    order, known = run.formula.order, run_job.tickets[task]
    if any(halted.id == run_job.id and number == task for halted, number in run.threshold_suspensions.halted):
        return given("tckts", known.total, "a suspend threshold suspends it in this run")
    own = [ref for ref in (*order.running, *order.pending) if ref.run_job.id == run_job.id]
    # A task beyond max_pending_tasks_per_job has the tickets of the last task that got any.
    ref = next((ref for ref in own if ref.task == task), own[-1])
    formulas = run.formula.formulas
    stckt = share_tree_derivation(run, ref)
    if formulas.divide is not None:
        words = f"by the formulas {formulas.name}"
        return total("tckts", (stckt, given("ftckt", known.functional, words), given("otckt", known.override, words)))
    return total("tckts", (stckt, functional_derivation(run, ref), _override(run, ref)))


def _override(run: Run, ref: TaskRef) -> Derivation:
    """Return the override tickets of owner, project, department and job."""
    policy, order, request = run.compiled.policy.tickets, run.formula.order, ref.run_job.job.request
    shared = policy.share_override_tickets
    before: Sequence[TaskRef] = order.running
    if shared and ref not in order.running:
        if ref not in order.override:
            return given("otckt", 0.0, "none were given")
        before = (*order.running, *order.override[: order.override.index(ref) + 1])
    parts = [
        _of_holder(kind, holder, before if shared else ())
        for kind, holder in zip(_KINDS, ref.ticket_holders, strict=True)
        if holder is not None and holder.entitlement.override_tickets
    ]
    if request.override_tickets:
        parts.append(given("-ot", request.override_tickets, f"job {ref.run_job.id}"))
    return total("otckt", parts) if parts else given("otckt", 0.0, "none were given")


def _of_holder(kind: str, holder: TicketHolder, counting: Sequence[TaskRef]) -> Derivation:
    """Return one holder's override tickets, divided by the number of its tasks that count."""
    tickets, name = holder.entitlement.override_tickets, f"{kind} {holder.entitlement.name}"
    own = given("oticket", tickets, name)
    tasks = [other for other in counting if any(holder is account for account in other.ticket_holders)]
    if not tasks:
        return Derivation(name, tickets, number_text(tickets), "", (own,))
    count = given("tasks that count", len(tasks), names_of(tasks))
    return Derivation(name, tickets / len(tasks), f"{number_text(tickets)} / {len(tasks)}", "", (own, count))
