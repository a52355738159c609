"""The outcome of a run in qstat's terms."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from qmon_tui.model.state import Job, Task
from qmon_tui.scheduler import messages, unsupported
from qmon_tui.scheduler.compiled.policy import Policy
from qmon_tui.scheduler.jobs import RunJob, Tickets, Urgency
from qmon_tui.scheduler.matching.level import Adjustments, Level
from qmon_tui.scheduler.matching.merged import Merged, merged
from qmon_tui.scheduler.outcome import InstanceOutcome, JobOutcome, Outcome, TaskOutcome
from qmon_tui.scheduler.priority import normalised_priority
from qmon_tui.scheduler.split import Place, place_of
from qmon_tui.values.printing import format_qstat

if TYPE_CHECKING:
    from qmon_tui.scheduler.run import Run

_NOTHING: Mapping[str, int] = {}
_NO_TICKETS = Tickets()
_NO_URGENCY = Urgency()

_LIST_MESSAGES = (
    (Place.ERROR, messages.ERROR_STATE),
    (Place.HOLD, messages.HOLD_STATE),
    (Place.WAITING_FOR_TIME, messages.START_TIME),
    (Place.WAITING_FOR_JOBS, messages.DEPENDENCIES),
    (Place.OVER_TASK_LIMIT, messages.TASK_LIMIT),
)
"""What is said at the end of a run about tasks that took no part, in this order."""

_CLEARED = frozenset(place for place, _ in _LIST_MESSAGES)
_STATE_ORDER = "aACDduESsco"


def build_outcome(run: "Run") -> Outcome:
    """Everything that a run decided."""
    pending_ids = {run_job.id for run_job in run.pending}
    others = [run_job for run_job in run.jobs if run_job.id not in pending_ids]
    started: dict[int, dict[int, str]] = {}
    for start in run.dispatch.starts:
        started.setdefault(start.run_job.id, {})[start.task] = run.resources.instances[start.instance].name
    in_order = [_job_outcome(run, run_job, started.get(run_job.id, {})) for run_job in run.pending]
    rest = [_job_outcome(run, run_job, {}) for run_job in others]
    rest += [_rejected_outcome(job, text, run) for job, text in run.rejected]
    rest.sort(key=lambda job: job.id)
    return Outcome(
        at=run.now,
        jobs=(*in_order, *(job for job in rest if job.tasks or job.rejected)),
        queue_instances=tuple(_instance_outcomes(run)),
        messages=tuple(_global_messages(run)),
        not_simulated=unsupported.of_configuration(run.compiled),
    )


def _global_messages(run: "Run") -> list[str]:
    policy = run.compiled.policy
    if not policy.job_info:
        return [messages.message(messages.TURNED_OFF)]
    found = list(run.availability.messages)
    if policy.job_info_ids is not None:
        found.append(messages.message(messages.JOB_LIST))
    elif not found and not any(own_reasons(run, run_job) for run_job in run.jobs):
        found.append(messages.message(messages.NO_MESSAGES))
    return found


def own_reasons(run: "Run", run_job: RunJob) -> tuple[str, ...]:
    """A job's own scheduling-info lines: those of its category, then those of the lists that its tasks are in."""
    policy = run.compiled.policy
    if not policy.job_info or not _is_reported(policy, run_job.id):
        return ()
    category = run_job.category
    blocked_at = run.dispatch.blocked_at.get(run_job.job.owner)
    found: list[str] = []
    if run_job.remaining and category.rejected and (blocked_at is None or category.rejected_at < blocked_at):
        found.extend(category.reasons)
    found.extend(messages.message(number) for place, number in _LIST_MESSAGES if run_job.split.others.get(place))
    if run_job.remaining and blocked_at is not None:
        found.append(messages.message(messages.USER_LIMIT))
    return tuple(found)


def _is_reported(policy: Policy, job_id: int) -> bool:
    ids = policy.job_info_ids
    return ids is None or any(first <= job_id <= last and (job_id - first) % step == 0 for first, last, step in ids)


def _job_outcome(run: "Run", run_job: RunJob, started: Mapping[int, str]) -> JobOutcome:
    job = run_job.job
    request = job.request
    shown = _is_shown(run, run_job, started)
    first = _first_tickets(run_job) if shown else _NO_TICKETS
    urgency = run_job.urgency if shown else _NO_URGENCY
    reasons = own_reasons(run, run_job)
    if run_job.not_simulated and run_job.remaining:
        reasons = (*(messages.not_simulated(what) for what in run_job.not_simulated), *reasons)
    return JobOutcome(
        id=job.id,
        name=job.name,
        owner=job.owner,
        project=run_job.project,
        department=run_job.department,
        slots=run_job.slots,
        prior=first.prior,
        nurg=urgency.normalised,
        npprior=normalised_priority(request.priority) if shown else 0.0,
        ntckts=first.ntckts,
        ppri=request.priority,
        urg=urgency.total,
        rrcontr=urgency.requirements,
        wtcontr=urgency.waiting,
        dlcontr=urgency.deadline,
        tckts=first.total,
        ovrts=float(request.override_tickets),
        otckt=first.override,
        ftckt=first.functional,
        stckt=first.share_tree,
        share=first.share,
        tasks=tuple(_task_outcomes(run_job, started, shown)),
        rejected=None,
        reasons=reasons,
        not_simulated=run_job.not_simulated,
    )


def _is_shown(run: "Run", run_job: RunJob, started: Mapping[int, str]) -> bool:
    """Tell whether qstat shows the job's numbers: jobs that take no part are cleared (priority.md section 2.1)."""
    if not run_job.split.takes_part:
        return False
    if started or run_job.split.running:
        return True
    if run_job.job.owner in run.dispatch.blocked_at:
        return False
    return run.compiled.policy.report_pending


def _first_tickets(run_job: RunJob) -> Tickets:
    tasks = run_job.queue or run_job.split.running
    return run_job.tickets.get(tasks[0], _NO_TICKETS) if tasks else _NO_TICKETS


def _task_outcomes(run_job: RunJob, started: Mapping[int, str], shown: bool) -> Iterator[TaskOutcome]:
    job = run_job.job
    participating = {*run_job.split.running, *run_job.split.enrolled, *started}
    template = (
        run_job.tickets.get(run_job.queue[min(run_job.next_task, len(run_job.queue) - 1)]) if run_job.queue else None
    )
    waiting = set(run_job.queue) if run_job.queue else set()
    held = _waiting_states(run_job)
    for number in job.task_ids:
        task = job.tasks.get(number)
        if task is not None and place_of(task.state) is Place.FINISHED:
            continue
        if number in participating:
            tickets = run_job.tickets.get(number)
        elif number in waiting:
            tickets = template
        else:
            tickets = None
        tickets = tickets if shown and tickets is not None else _NO_TICKETS
        instance = started.get(number)
        yield TaskOutcome(
            task=number,
            state=_state_after(task, instance is not None, held.get(number, "qw")),
            granted={instance: 1} if instance is not None else (task.granted if task is not None else _NOTHING),
            reserved=_NOTHING,
            prior=tickets.prior,
            ntckts=tickets.ntckts,
            tckts=tickets.total,
            otckt=tickets.override,
            ftckt=tickets.functional,
            stckt=tickets.share_tree,
            share=tickets.share,
        )


def _waiting_states(run_job: RunJob) -> dict[int, str]:
    others = run_job.split.others
    return {number: "hqw" for place in (Place.HOLD, Place.WAITING_FOR_JOBS) for number in others.get(place, ())}


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
        project=request.project or shares.default_project(job.owner),
        department=shares.department(job.owner, job.group),
        slots=1,
        prior=0.0, nurg=0.0, npprior=0.0, ntckts=0.0, ppri=request.priority,
        urg=0.0, rrcontr=0.0, wtcontr=0.0, dlcontr=0.0,
        tckts=0.0, ovrts=float(request.override_tickets), otckt=0.0, ftckt=0.0, stckt=0.0, share=0.0,
        tasks=(),
        rejected=text,
        reasons=(),
    )  # fmt: skip


def _instance_outcomes(run: "Run") -> Iterator[InstanceOutcome]:
    resources = run.resources
    for number, instance in enumerate(resources.instances):
        levels = (resources.global_level, resources.hosts[resources.host_of[number]], resources.queues[number])
        alarm = run.thresholds.alarm(instance.profile.load_thresholds, *levels, adjusted=False)
        letters = {*run.availability.states[number], *("a" if alarm is not None else "")}
        yield InstanceOutcome(
            name=instance.name,
            state="".join(letter for letter in _STATE_ORDER if letter in letters),
            used=resources.slots_used(number),
            reserved=0,
            total=instance.profile.slots,
            values=InstanceValues(levels, run),
        )


@dataclass(eq=False, repr=False, slots=True)
class InstanceValues(Mapping[str, str]):
    """What `qstat -F` prints for a queue instance, worked out when somebody reads it."""

    levels: tuple[Level, ...]
    run: "Run"
    _values: dict[str, str] | None = field(default=None)

    def __getitem__(self, key: str) -> str:
        return self._all()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def __repr__(self) -> str:
        return repr(self._all())

    def _all(self) -> dict[str, str]:
        if self._values is None:
            self._values = dict(_values(self.run, self.levels))
        return self._values


def _values(run: "Run", levels: tuple[Level, ...]) -> Iterator[tuple[str, str]]:
    names: dict[str, None] = {}
    for level in levels:
        names.update(dict.fromkeys((*level.loads, *level.fields, *level.configured)))
    attributes = run.compiled.attributes.by_name
    for name in names:
        attribute = attributes.get(name)
        found = merged(attribute, Adjustments(), *levels) if attribute is not None else None
        if attribute is not None and found is not None:
            yield f"{found.kind}:{name}", _shown(found, attribute.type, attribute.numeric)


def _shown(found: Merged, type_name: str, numeric: bool) -> str:
    return format_qstat(found.amount, type_name) if numeric else found.offer.text
