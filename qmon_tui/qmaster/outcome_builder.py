"""The outcome of a run in qstat's terms."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import repeat
from typing import TYPE_CHECKING, NamedTuple
from weakref import ref

from qmon_tui.checks import meant_hosts
from qmon_tui.model import (
    Cluster,
    DeferredSequence,
    DeferredSet,
    Job,
    JobOutcome,
    Kind,
    LazySequence,
    Outcome,
    PendingKind,
    ScheduleEntry,
    Task,
    TaskOutcome,
    foreign_decisions,
    messages,
)
from qmon_tui.qmaster.before_run import BeforeRun, impossible_jobs
from qmon_tui.qmaster.instance_outcome import instance_outcome
from qmon_tui.qmaster.numbers_shown import (
    columns_shown,
    first_tickets,
    kept_from_start,
    left_out,
    pending_tickets,
    tickets_shown,
)
from qmon_tui.qmaster.share_tree_outcome import share_outcomes
from qmon_tui.scheduler.jobs import RunJob, TaskList, task_list_of
from qmon_tui.scheduler.matching import StartOrder
from qmon_tui.scheduler.quotas import QuotaUses, filters_by_rule
from qmon_tui.scheduler.reservation import ScheduleLine, TaskAllocation
from qmon_tui.scheduler.suspension import with_hold

if TYPE_CHECKING:
    from qmon_tui.qmaster.run import Run

_NOTHING: Mapping[str, int] = {}

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
    before = BeforeRun(run)
    return Outcome(
        at=run.now,
        jobs=jobs,
        queue_instances=LazySequence(range(len(run.resources.instances)), partial(instance_outcome, run)),
        messages=tuple(_global_messages(run)),
        sharetree=DeferredSequence(partial(share_outcomes, run)) if run.run_share_tree is not None else (),
        usage=run.usage,
        pe_alg=run.dispatch.parallel.ranges.scores,
        not_simulated=tuple(_features_not_simulated(run.compiled.cluster)),
        timeline=LazySequence(run.dispatch.schedule_lines, _schedule_entry),
        not_grid_engine=None if run.formula.formulas.is_grid_engine else run.formula.formulas.name,
        quotas=QuotaUses(run.quota_usage.qmaster_usage) if run.quota_usage is not None else None,
        quota_filters=filters_by_rule(run.compiled.quotas),
        ranges=DeferredSequence(partial(run.formula.ranges, run.jobs)),
        instances_before=DeferredSequence(before.instances),
        quotas_before=DeferredSequence(before.quotas) if run.quota_usage is not None else None,
        impossible=DeferredSet(partial(impossible_jobs, run)),
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
        own = [start for start in run.starts_of(source.id).values() if not start.unread]
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
    first = first_tickets(run, run_job)
    columns = columns_shown(run, run_job)
    tasks = tuple(_task_outcomes(run, run_job, started))
    reasons = run.dispatch.scheduling_info.of(run_job)
    if run_job.not_simulated and run_job.remaining:
        reasons = (*(messages.not_simulated(what) for what in run_job.not_simulated), *reasons)
    # Positional, as a screen may read ten thousand jobs, and keywords take longer than everything else.
    return JobOutcome(
        job.id, job.name, job.owner, run_job.project, run_job.department, _slots(tasks) or run_job.slots,
        first.prior, columns.get("nurg", 0.0), columns.get("npprior", 0.0), first.ntckts, request.priority,
        columns.get("urg", 0.0), columns.get("rrcontr", 0.0), columns.get("wtcontr", 0.0), columns.get("dlcontr", 0.0),
        first.total, float(request.override_tickets), first.override, first.functional, first.share_tree, first.share,
        tasks, None, reasons, run_job.not_simulated, stays_rejected(run_job, is_sent=bool(started)),
        wanted=run_job.slots,
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


def _task_outcomes(run: "Run", run_job: RunJob, started: _Started) -> Iterator[TaskOutcome]:
    split = run_job.split
    own = {*split.running, *split.halted, *split.suspended, *split.enrolled} if run_job.job.tasks else ()
    template = pending_tickets(run, run_job)
    held = _waiting_states(run_job) if split.others else {}
    kinds = _pending_kinds(run_job) if split.others else {}
    states = run.states_after_run
    before = states.without_run(run.states) if states.newly_stopped or states.added or states.removed else states
    plans = run.plans_of(run_job.id)
    for number, task in _unfinished(run_job.job):
        new = started.get(number)
        if new is not None or number in own:
            tickets = tickets_shown(run, run_job, number)
        else:
            last = left_out(run, run_job, number, task) if task is not None else None
            tickets = template if task is None else last or kept_from_start(run, run_job, number, template)
        is_placed = task is not None and "q" not in task.state
        granted_before = task.granted if task is not None and is_placed else _NOTHING
        granted = new if new is not None else granted_before
        waiting = held.get(number, "qw")
        state, state_before = _state_after(task, bool(new), waiting), _state_after(task, False, waiting)
        if run_job.waits and task is not None:
            state, state_before = with_hold(state), with_hold(state_before)
        allocation = plans.get(number) if plans else None
        state = states.task_state(run_job.id, number, granted, state)
        kind = kinds.get(number, PendingKind.WAITING) if "q" in state_before else None
        if kind is None:
            state_before = before.task_state(run_job.id, number, granted, state_before)
        reserved = _named(run, allocation) if allocation is not None else _NOTHING
        begin, end = (allocation.start, allocation.end) if allocation is not None else (None, None)
        yield TaskOutcome(
            number, state, granted, reserved, tickets.prior, tickets.ntckts,
            tickets.total, tickets.override, tickets.functional, tickets.share_tree, tickets.share,
            begin, end, number in split.suspended, state_before, kind,
        )  # fmt: skip


def _waiting_states(run_job: RunJob) -> dict[int, str]:
    others = run_job.split.others
    return {number: "hqw" for place in (TaskList.HOLD, TaskList.WAITING_FOR_JOBS) for number in others.get(place, ())}


_KINDS: Mapping[TaskList, PendingKind] = {
    TaskList.ERROR: PendingKind.ERROR,
    TaskList.WAITING_FOR_TIME: PendingKind.FUTURE,
    TaskList.WAITING_FOR_JOBS: PendingKind.DEPENDENT,
}


def _pending_kinds(run_job: RunJob) -> dict[int, PendingKind]:
    """Return task -> why it takes no part in the run; tasks held back by -tc are left out."""
    others, job = run_job.split.others, run_job.job
    kinds = {number: kind for place, kind in _KINDS.items() for number in others.get(place, ())}
    for number in others.get(TaskList.HOLD, ()):  # tasks of other arrays (-hold_jid_ad) hold some as well
        kinds[number] = PendingKind.HELD if job.own_holds(number) else PendingKind.DEPENDENT
    return kinds


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


def _features_not_simulated(cluster: Cluster) -> Iterator[str]:
    """Yield the features that only forks of Grid Engine have, their decisions first."""
    if words := foreign_decisions(cluster.dialect):
        yield words
    for name, entry in cluster.objects(Kind.COMPLEX).items():
        if entry.text("type").upper() == "RSMAP" or entry.text("consumable").upper() == "HOST":
            yield f"attribute {name} of type {entry.text('type')} with consumable {entry.text('consumable')}"
