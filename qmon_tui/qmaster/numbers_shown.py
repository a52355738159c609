"""The numbers that qstat shows of jobs and tasks after a run (priority.md#numbers-that-qstat-shows)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from qmon_tui.model import Amounts, Task
from qmon_tui.qmaster.suspended_numbers import tickets_of
from qmon_tui.scheduler.jobs import RunJob, TaskList, Tickets, task_list_of
from qmon_tui.scheduler.matching import StartOrder

if TYPE_CHECKING:
    from qmon_tui.qmaster.run import Run

_CLEARED: Amounts = {}
NO_TICKETS = Tickets()
_TICKET_COLUMNS = {"tckts": "total", "otckt": "override", "ftckt": "functional", "stckt": "share_tree"}


def columns_shown(run: "Run", run_job: RunJob) -> Amounts:
    """Return the columns that qstat shows of a job after a run (see `State.columns_of`).

    Any task that takes no part clears them. They stay unchanged without a new order: if the qmaster refuses the starts
    of all tasks, or the scheduler treats them as suspended. Jobs still pending at the end of a run get theirs
    afterwards (priority.md#numbers-that-qstat-shows).
    """
    split = run_job.split
    share = 0.0
    if _is_reported_pending(run, run_job):
        share = pending_tickets(run, run_job).share
    else:
        if run_job.excluded_at is not None or split.others:
            return _CLEARED
        starts = run.starts_of(run_job.id).values()
        is_carried_out = bool(starts) and not run_job.remaining and not any(start.refused for start in starts)
        if not (split.running or split.halted or is_carried_out):
            return _CLEARED if run_job.remaining else run.state.columns_of(run_job.job)
    urgency = run_job.urgency
    columns = {
        "nurg": urgency.normalised,
        "npprior": run.formula.formulas.posix(run_job.job.request.priority),
        "urg": urgency.total,
        "rrcontr": urgency.requirements,
        "wtcontr": urgency.waiting,
        "dlcontr": urgency.deadline,
        "share": share,
    }
    return {name: number for name, number in columns.items() if number}


def _is_reported_pending(run: "Run", run_job: RunJob) -> bool:
    return bool(run_job.remaining) and run_job.excluded_at is None and run.compiled.policy.report_pending


def _plain_pending(run: "Run", run_job: RunJob) -> Sequence[int]:
    """Return the plain tasks of a job that are left pending; none if the scheduler sends no numbers of them."""
    if not _is_reported_pending(run, run_job):
        return ()
    return run_job.queue[max(run_job.next_task, len(run_job.split.enrolled)) :]


def pending_tickets(run: "Run", run_job: RunJob) -> Tickets:
    """Return the tickets that qstat shows for all plain pending tasks of a job.

    If the template still belongs to a started task, that task gets it and the pending ones show none, unless the
    qmaster has not read the order.
    """
    template = run_job.template
    plain = _plain_pending(run, run_job)
    if template is None or not plain:
        return NO_TICKETS
    unread = (start.task for start in run.starts_of(run_job.id).values() if start.unread)
    is_waiting = any(run_job.tickets.get(number) is template for number in (plain[0], *run_job.passed, *unread))
    if not is_waiting:
        return NO_TICKETS
    if run_job.next_task < len(run_job.split.enrolled):
        # While a task that ran before is pending, its priority counts, and the others get none.
        return replace(template, prior=0.0, ntckts=0.0)
    return template


def kept_from_start(run: "Run", run_job: RunJob, number: int, tickets: Tickets) -> Tickets:
    """Return the tickets shown for a task, given those of this run.

    A started task in a PE with control_slaves keeps the tickets of its start if known, suspended or not: the qmaster
    accepts no others for it.
    """
    task = run_job.job.tasks.get(number)
    known = task.tickets if task is not None else None
    if task is None or known is None or task_list_of(task.state) not in (TaskList.RUNNING, TaskList.SUSPENDED):
        return tickets
    name = run.resources.environment_of(run_job.job, number)
    environment = run.compiled.environments.get(name) if name is not None else None
    if environment is None or not environment.controls_slaves:
        return tickets
    parts = {part: known[column] for column, part in _TICKET_COLUMNS.items() if column in known}
    return replace(tickets, **parts)


def left_out(run: "Run", run_job: RunJob, number: int, task: Task) -> Tickets | None:
    """Return the known numbers of an enrolled task that takes no part; None without. No order clears them."""
    known = run.state.numbers_of(run_job.id, number, task) if "q" in task.state else None
    return tickets_of(known) if known else None


def first_tickets(run: "Run", run_job: RunJob) -> Tickets:
    """Return the tickets of the first task that was pending before the run, else of a running one."""
    if run_job.queue:
        first = run_job.queue[0]
        enrolled_or_started = run_job.next_task or run_job.split.enrolled
        return run_job.tickets.get(first, NO_TICKETS) if enrolled_or_started else pending_tickets(run, run_job)
    running = run_job.split.running or run_job.split.halted
    return tickets_shown(run, run_job, running[0]) if running else NO_TICKETS


def tickets_shown(run: "Run", run_job: RunJob, number: int) -> Tickets:
    """Return the tickets that qstat shows for a task that was started or takes part individually."""
    last = run.suspended_numbers.of(run_job, number)
    if last is not None:
        return last
    tickets = run_job.tickets.get(number, NO_TICKETS)
    start = run.starts_of(run_job.id).get(number)
    if start is not None and start.unread:
        start = None
    if start is None and number in run_job.split.enrolled and not _is_reported_pending(run, run_job):
        return left_out(run, run_job, number, run_job.job.tasks[number]) or NO_TICKETS
    if start is None or not start.refused:
        return kept_from_start(run, run_job, number, tickets)
    if tickets is run_job.template and _plain_pending(run, run_job) and pending_tickets(run, run_job) is NO_TICKETS:
        # The numbers meant for the plain tasks reach this one, and replace those of its start order.
        return tickets
    return _as_ordered(run, start, tickets)


def parts_of_master(start: StartOrder, tickets: Tickets) -> Amounts:
    """Return the tickets that a task in a PE with control_slaves keeps from its start: the part of its master queue."""
    return {column: getattr(tickets, part) * start.master_part for column, part in _TICKET_COLUMNS.items()}


def _as_ordered(run: "Run", start: StartOrder, tickets: Tickets) -> Tickets:
    """Return the tickets of a refused start order: of each policy the fraction of the master queue.

    The total is complete; orders contain no share, which stays as it was.
    """
    part = start.master_part
    parts = (tickets.override * part, tickets.functional * part, tickets.share_tree * part)
    job = start.run_job.job
    task = job.tasks.get(start.task)
    known = run.state.numbers_of(job.id, start.task, task) if task is not None and task.start_failed else None
    share = (known if known is not None else run.state.columns_of(job)).get("share", 0.0)
    return replace(tickets, override=parts[0], functional=parts[1], share_tree=parts[2], share=share)
