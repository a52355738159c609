"""The tickets of a task as arithmetic: shares, sums of shares, numbers of tasks.

Source: tickets.md#functional-tickets, tickets.md#override-tickets and tickets.md#share-tree-tickets.
"""

from collections.abc import Sequence

from qmon_tui.explain.derived import Derivation, given, number_text, total
from qmon_tui.explain.functional_derivation import functional_derivation, names_of
from qmon_tui.explain.share_tree_derivation import share_tree_derivation
from qmon_tui.qmaster import Run
from qmon_tui.scheduler.jobs import RunJob, TicketHolder
from qmon_tui.scheduler.priority import TaskRef

_KINDS = ("user", "project", "department")


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
