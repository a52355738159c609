"""The outcome of a run in qstat's terms."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import repeat
from typing import TYPE_CHECKING, NamedTuple
from weakref import ref

from qmon_tui.checks import meant_hosts
from qmon_tui.model import (
    DeferredSequence,
    Job,
    JobOutcome,
    LazySequence,
    Outcome,
    ScheduleEntry,
    Task,
    TaskOutcome,
    messages,
)
from qmon_tui.qmaster.instance_outcome import instance_outcome
from qmon_tui.qmaster.share_tree_outcome import share_outcomes
from qmon_tui.scheduler.jobs import RunJob, TaskList, Tickets, Urgency, task_list_of, unsupported
from qmon_tui.scheduler.matching import StartOrder
from qmon_tui.scheduler.quotas import QuotaUses, filters_by_rule
from qmon_tui.scheduler.reservation import ScheduleLine, TaskAllocation
from qmon_tui.scheduler.suspension import with_hold

if TYPE_CHECKING:
    from qmon_tui.qmaster.run import Run

_NOTHING: Mapping[str, int] = {}
_NO_TICKETS = Tickets()
_NO_URGENCY = Urgency()
_TICKET_COLUMNS = {"tckts": "total", "otckt": "override", "ftckt": "functional", "stckt": "share_tree"}

_Started = dict[int, Mapping[str, int]]
"""Task -> queue instance -> slots, the master queue first; empty if the qmaster denied the start."""


def build_outcome(run: "Run") -> Outcome:
    """Return the outcome of a run; its jobs and queue instances are formatted on access."""
    outcome = run.known_outcome() if run.known_outcome is not None else None
    if outcome is None:
        outcome = _new_outcome(run)
        run.known_outcome = ref(outcome)
    return outcome


def _new_outcome(run: "Run") -> Outcome:
    jobs = run.known_job_outcomes() if run.known_job_outcomes is not None else None
    if jobs is None:
        jobs = _job_outcomes(run)
        run.known_job_outcomes = ref(jobs)
    return Outcome(
        at=run.now,
        jobs=jobs,
        queue_instances=LazySequence(range(len(run.resources.instances)), partial(instance_outcome, run)),
        messages=tuple(_global_messages(run)),
        sharetree=DeferredSequence(partial(share_outcomes, run)) if run.run_share_tree is not None else (),
        usage=run.usage,
        pe_alg=run.dispatch.parallel.ranges.scores,
        not_simulated=unsupported.of_configuration(run.compiled),
        timeline=LazySequence(run.dispatch.schedule_lines, _schedule_entry),
        not_grid_engine=None if run.formula.formulas.is_grid_engine else run.formula.formulas.name,
        quotas=QuotaUses(run.quota_usage.qmaster_usage) if run.quota_usage is not None else None,
        quota_filters=filters_by_rule(run.compiled.quotas),
        ranges=DeferredSequence(partial(run.formula.ranges, run.jobs)),
    )


def _job_outcomes(run: "Run") -> "LazySequence[RunJob | _Refused, JobOutcome]":
    """Return the pending jobs in order, then all other unfinished jobs by number."""
    known = {*(run_job.id for run_job in run.pending), *(job.id for job, _ in run.rejected)}
    others: list[RunJob | _Refused] = [
        run_job for run_job in run.jobs if run_job.id not in known and _is_there(run_job)
    ]
    others += [_Refused(job, text) for job, text in run.rejected if text]
    others.sort(key=lambda other: other.job.id)

    def outcome_of(source: RunJob | _Refused) -> JobOutcome:
        if isinstance(source, _Refused):
            return _rejected_outcome(source.job, source.text, run)
        # The qmaster takes no numbers from orders it did not read.
        own = [start for start in run.starts_of(source.id) if not start.unread]
        return _job_outcome(
            run, source, {order.task: _NOTHING if order.refused else _named(run, order) for order in own}
        )

    return LazySequence([*run.pending, *others], outcome_of, _number)


def _number(source: "RunJob | _Refused") -> int:
    return source.job.id


class _Refused(NamedTuple):
    """A job that was refused, or removed because it could not start immediately."""

    job: Job
    text: str


def _named(run: "Run", start: StartOrder | TaskAllocation) -> Mapping[str, int]:
    """Return queue instance -> slots, the master queue first."""
    instances = run.resources.instances
    return {instances[number].name: slots for number, slots in start.grants}


def _is_there(run_job: RunJob) -> bool:
    return bool(run_job.split.running) or any(True for _ in _unfinished(run_job.job))


def _unfinished(job: Job) -> Iterable[tuple[int, Task | None]]:
    """Return the unfinished tasks; None for those without an entry of their own."""
    tasks = job.tasks
    if not tasks:
        return zip(job.task_ids, repeat(None), strict=False)
    all_tasks = ((number, tasks.get(number)) for number in job.task_ids)
    return (
        (number, task)
        for number, task in all_tasks
        if task is None or task_list_of(task.state) is not TaskList.FINISHED
    )


def _schedule_entry(booking: ScheduleLine) -> ScheduleEntry:
    return ScheduleEntry(
        booking.job, booking.task, booking.kind.value, booking.start, booking.end, booking.layer, booking.name,
        booking.resource, booking.amount,
    )  # fmt: skip


def _global_messages(run: "Run") -> list[str]:
    policy = run.compiled.policy
    if not policy.job_info:
        return [messages.message(messages.TURNED_OFF)]
    texts = list(run.availability.messages)
    if policy.job_info_ids is not None:
        texts.append(messages.message(messages.JOB_LIST))
    elif not texts and not any(run.dispatch.scheduling_info.of(run_job) for run_job in run.jobs):
        texts.append(messages.message(messages.NO_MESSAGES))
    return texts


def _job_outcome(run: "Run", run_job: RunJob, started: _Started) -> JobOutcome:
    job = run_job.job
    request = job.request
    first = _first_tickets(run, run_job)
    counts = _job_counts(run, run_job, started)
    urgency = run_job.urgency if counts else _NO_URGENCY
    tasks = tuple(_task_outcomes(run, run_job, started))
    reasons = run.dispatch.scheduling_info.of(run_job)
    if run_job.not_simulated and run_job.remaining:
        reasons = (*(messages.not_simulated(what) for what in run_job.not_simulated), *reasons)
    npprior = run.formula.formulas.posix(request.priority) if counts else 0.0
    # Positional, as a screen may read ten thousand jobs, and keywords take longer than everything else.
    return JobOutcome(
        job.id, job.name, job.owner, run_job.project, run_job.department, _slots(tasks) or run_job.slots,
        first.prior, urgency.normalised, npprior, first.ntckts, request.priority,
        urgency.total, urgency.requirements, urgency.waiting, urgency.deadline,
        first.total, float(request.override_tickets), first.override, first.functional, first.share_tree, first.share,
        tasks, None, reasons, run_job.not_simulated, stays_rejected(run_job, is_sent=bool(started)),
    )  # fmt: skip


def stays_rejected(run_job: RunJob, *, is_sent: bool) -> bool:
    """True if the scheduler remembers that the job's category gets no reservation.

    The qmaster sends a job again when one of its tasks starts; if it is the category's only job, the category is
    created again.
    """
    category = run_job.category
    return category.reservation_rejected and not (is_sent and category.jobs == 1)


def _slots(tasks: Sequence[TaskOutcome]) -> int:
    """Return the least slots that a task holds; 0 if some hold none yet."""
    if len(tasks) == 1:
        return sum(tasks[0].granted.values())
    return min((sum(task.granted.values()) for task in tasks), default=0)


def _job_counts(run: "Run", run_job: RunJob, started: _Started) -> bool:
    """True if qstat shows the job's own numbers: any task that takes no part clears them.

    Jobs still pending at the end of a run get theirs afterwards (priority.md#numbers-that-qstat-shows).
    """
    if _is_reported_pending(run, run_job):
        return True
    if run_job.excluded_at is not None or run_job.split.others:
        return False
    if run_job.split.running or run_job.split.halted:
        return True
    return bool(started) and all(started.values()) and not run_job.remaining


def _is_reported_pending(run: "Run", run_job: RunJob) -> bool:
    return bool(run_job.remaining) and run_job.excluded_at is None and run.compiled.policy.report_pending


def _pending_tickets(run: "Run", run_job: RunJob) -> Tickets:
    """Return the tickets that qstat shows for all plain pending tasks of a job.

    If the template still belongs to a started task, that task gets it and the pending ones show none, unless the
    qmaster has not read the order.
    """
    template = run_job.template
    if template is None or not _is_reported_pending(run, run_job):
        return _NO_TICKETS
    plain = run_job.queue[max(run_job.next_task, len(run_job.split.enrolled)) :]
    if not plain:
        return _NO_TICKETS
    unread = (start.task for start in run.starts_of(run_job.id) if start.unread)
    is_waiting = any(run_job.tickets.get(number) is template for number in (plain[0], *run_job.passed, *unread))
    if not is_waiting:
        return _NO_TICKETS
    if run_job.next_task < len(run_job.split.enrolled):
        # While a task that ran before is pending, its priority counts, and the others get none.
        return replace(template, prior=0.0, ntckts=0.0)
    return template


def _kept(run: "Run", run_job: RunJob, number: int, tickets: Tickets) -> Tickets:
    """Return the tickets shown for a task, given those of this run.

    A started one in a PE with control_slaves keeps the tickets of its start if known: the qmaster accepts no others for
    it, suspended or not.
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


def _left_out(run: "Run", run_job: RunJob, number: int, task: Task) -> Tickets | None:
    """Return the known numbers of a task that ran before but takes no part; None without. No order clears them."""
    known = run.state.numbers_of(run_job.id, number, task) if "q" in task.state else None
    if not known:
        return None
    return replace(_NO_TICKETS, prior=known.get("prior", 0.0), ntckts=known.get("ntckts", 0.0))


def _first_tickets(run: "Run", run_job: RunJob) -> Tickets:
    """Return the tickets of the first task that was pending before the run, else of a running one."""
    if run_job.queue:
        first = run_job.queue[0]
        enrolled_or_started = run_job.next_task or run_job.split.enrolled
        return run_job.tickets.get(first, _NO_TICKETS) if enrolled_or_started else _pending_tickets(run, run_job)
    running = run_job.split.running or run_job.split.halted
    return tickets_shown(run, run_job, running[0]) if running else _NO_TICKETS


def tickets_shown(run: "Run", run_job: RunJob, number: int) -> Tickets:
    """Return the tickets that qstat shows for a task that was started or takes part individually."""
    last = run.suspended_numbers.of(run_job, number)
    return last if last is not None else _kept(run, run_job, number, run_job.tickets.get(number, _NO_TICKETS))


def _as_ordered(run: "Run", run_job: RunJob, number: int, tickets: Tickets) -> Tickets:
    """Return the tickets of a denied start order: of each policy the fraction of the master queue.

    The total is complete; orders contain no share.
    """
    slots = next([slots for _, slots in start.grants] for start in run.starts_of(run_job.id) if start.task == number)
    part = slots[0] / sum(slots)
    parts = (tickets.override * part, tickets.functional * part, tickets.share_tree * part)
    return replace(tickets, override=parts[0], functional=parts[1], share_tree=parts[2], share=0.0)


def _task_outcomes(run: "Run", run_job: RunJob, started: _Started) -> Iterator[TaskOutcome]:
    split = run_job.split
    own = {*split.running, *split.halted, *split.suspended, *split.enrolled} if run_job.job.tasks else ()
    template = _pending_tickets(run, run_job)
    held = _waiting_states(run_job) if split.others else {}
    plans = run.plans_of(run_job.id)
    for number, task in _unfinished(run_job.job):
        new = started.get(number)
        if new is not None or number in own:
            tickets = tickets_shown(run, run_job, number)
        else:
            last = _left_out(run, run_job, number, task) if task is not None else None
            tickets = template if task is None else last or _kept(run, run_job, number, template)
        if new is not None:
            granted = new
            if not new:
                tickets = _as_ordered(run, run_job, number, tickets)
        else:
            granted = task.granted if task is not None and "q" not in task.state else _NOTHING
        state = _state_after(task, bool(new), held.get(number, "qw"))
        if run_job.waits and task is not None:
            state = with_hold(state)
        allocation = plans.get(number) if plans else None
        state = run.states_after_run.task_state(run_job.id, number, granted, state)
        reserved = _named(run, allocation) if allocation is not None else _NOTHING
        begin, end = (allocation.start, allocation.end) if allocation is not None else (None, None)
        yield TaskOutcome(
            number, state, granted, reserved, tickets.prior, tickets.ntckts,
            tickets.total, tickets.override, tickets.functional, tickets.share_tree, tickets.share,
            begin, end, number in split.suspended,
        )  # fmt: skip


def _waiting_states(run_job: RunJob) -> dict[int, str]:
    others = run_job.split.others
    return {number: "hqw" for place in (TaskList.HOLD, TaskList.WAITING_FOR_JOBS) for number in others.get(place, ())}


def _state_after(task: Task | None, is_started: bool, waiting: str) -> str:
    if is_started:
        return "Rt" if task is not None and "R" in task.state else "t"
    if task is None or task.state in ("qw", "hqw"):
        return waiting
    return task.state


def _rejected_outcome(job: Job, text: str, run: "Run") -> JobOutcome:
    request = job.request
    shares = run.compiled.shares
    return JobOutcome(
        id=job.id,
        name=job.name,
        owner=job.owner,
        project=shares.project_of(job),
        department=shares.department_of(job),
        slots=1,
        prior=0.0, nurg=0.0, npprior=0.0, ntckts=0.0, ppri=request.priority,
        urg=0.0, rrcontr=0.0, wtcontr=0.0, dlcontr=0.0,
        tckts=0.0, ovrts=float(request.override_tickets), otckt=0.0, ftckt=0.0, stckt=0.0, share=0.0,
        tasks=(),
        rejected=text,
        reasons=(),
        meant=meant_hosts(run.compiled.cluster, request),
    )  # fmt: skip
