"""qmod -sj, -usj, -cj and -rj: tasks suspended, resumed, cleared of errors and rescheduled."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from qmon_tui.model import Cluster, Job, Kind, State, Task, effective_value, rescheduling_of
from qmon_tui.qmaster.commands.command import OPERATOR, OPERATOR_AT_HOST, Reply, Target, without_jobs
from qmon_tui.qmaster.commands.subordinate_suspension import suspended_after_end, with_suspensions
from qmon_tui.qmaster.commands.tasks import called, ended, enrolled, exists, left, letters, resumed, with_tasks
from qmon_tui.qmaster.scheduler_events import (
    find_job,
    latest_moment,
    moments,
    resent_task,
    with_changed_instances,
    with_job,
)
from qmon_tui.qmaster.task_end import changed_by_end
from qmon_tui.scheduler.configuration import compile_cluster, likely_environment
from qmon_tui.values import BLANK_OR_COMMA, split_names


class JobCommand(StrEnum):
    """An option of qmod for jobs."""

    SUSPEND = "-sj"
    UNSUSPEND = "-usj"
    CLEAR_ERROR = "-cj"
    RESCHEDULE = "-rj"
    FORCE_RESCHEDULE = "-f -rj"
    """Rescheduling even if the task is not rerunnable."""


_DELETED: Final = "d"
SUSPENDING: Final = (JobCommand.SUSPEND, JobCommand.UNSUSPEND)
RESCHEDULING: Final = (JobCommand.RESCHEDULE, JobCommand.FORCE_RESCHEDULE)


@dataclass(frozen=True, slots=True)
class _Case:
    """A task to which a command is given."""

    cluster: Cluster
    job: Job
    number: int

    @property
    def task(self) -> Task:
        return self.job.tasks[self.number]

    @property
    def words(self) -> str:
        """The qmaster's name for the task, such as `job-array task 17.2`."""
        return called(self.job, self.number)


Outcome = tuple[Task | None, str | None]
"""(changed task, or None if unchanged; message, or None without)."""


def modify(cluster: Cluster, state: State, command: JobCommand, target: Target) -> Reply:
    """Apply a command to the enrolled tasks of a job, or to the named tasks."""
    job = find_job(state, target.job)
    named = (
        None
        if job is None or target.tasks is None
        else [task_number for task_number in target.tasks if exists(job, task_number)]
    )
    if job is None or named == []:
        return Reply(state, (f'invalid queue or job "{target.job}"',))
    numbers = enrolled(job) if named is None else named
    if not numbers:
        return Reply(
            state, (_NOT_BEGUN.format(f"job {job.id}" if job.request.array else f"job-array task {job.id}.1"),)
        )
    printed: list[str] = []
    changed: dict[int, Task] = {}
    begun = set(enrolled(job))
    for number in numbers:
        if number not in begun:
            printed.append(_NOT_BEGUN.format(f"job-array task {job.id}.{number}"))
            continue
        after, words = _COMMANDS[command](_Case(cluster, job, number))
        if words is not None:
            printed.append(words)
        if after is not None:
            changed[number] = after
    if not changed:
        return Reply(state, tuple(printed))
    if command in SUSPENDING:
        changed = {number: resent_task(task) for number, task in changed.items()}
        if job.request.array is not None:
            changed = _sent_again(job, changed, state.now)
    if command not in RESCHEDULING:
        modified = with_tasks(job, changed)
        if not modified.tasks and modified.changed is None:
            # The entries show that the job is admitted, whatever qsub would check now.
            modified = replace(job, tasks=MappingProxyType({**job.tasks, **changed}))
        return Reply(with_suspensions(cluster, state, with_job(state, modified)), tuple(printed))
    places, still = changed_by_end(cluster, state, job.id, changed), suspended_after_end(cluster, state, job, changed)
    job = with_tasks(job, changed)
    sent = with_changed_instances(state, places, still)
    job = _resubmitted(cluster, sent, job, changed.values())
    is_left = any(True for _ in left(job))
    sent = with_job(sent, job) if is_left else without_jobs(sent, [job.id])
    return Reply(with_suspensions(cluster, state, sent), tuple(printed))


def _sent_again(job: Job, changed: Mapping[int, Task], now: int) -> dict[int, Task]:
    """Return the tasks sent to the scheduler again, so that they come last among those of their array."""
    when = moments(latest_moment(job.tasks.values(), now))
    return {number: replace(task, changed=next(when)) for number, task in changed.items()}


def _resubmitted(cluster: Cluster, state: State, job: Job, changed: Iterable[Task]) -> Job:
    """Return the job with a new submission time if tasks were rescheduled (lifecycle.md#rescheduling)."""
    rules = rescheduling_of(cluster)
    keeps = rules.keeps_submission_of_arrays if job.request.array else rules.keeps_submission
    waits = any("q" in task.state for task in changed)
    return replace(job, submitted=state.now) if waits and not keeps else job


def reschedule_instances(cluster: Cluster, state: State, names: Iterable[str], *, force: bool = False) -> Reply:
    """Reschedule all tasks whose master queue is one of these instances (qmod -rq, with `force` qmod -f -rq)."""
    wanted = set(names)
    examined = None if rescheduling_of(cluster).minds_slaves else 1
    command = JobCommand.FORCE_RESCHEDULE if force else JobCommand.RESCHEDULE
    reply = Reply(state)
    for job in state.jobs:
        tasks = tuple(number for number, task in job.tasks.items()
                      if "q" not in task.state and not wanted.isdisjoint(list(task.granted)[:examined]))  # fmt: skip
        if tasks:
            reply = reply.then(modify(cluster, reply.state, command, Target(job.id, tasks)))
    # A task that ends because it is not rerunnable has no message.
    is_idle = reply.state is state and not reply.messages
    return Reply(state, ("Nothing in it can be rescheduled.",)) if is_idle else reply


_NOT_BEGUN: Final = "Modify operation can not be applied on {} in pending/hold state"


def _suspend(case: _Case) -> Outcome:
    if "q" in case.task.state:
        return None, None
    if "s" in case.task.state:
        return None, f"{OPERATOR} - {case.words} is already suspended"
    state = letters(case.task.state, plus="s", minus="r")
    return replace(case.task, state=state), f"{OPERATOR} - suspended {case.words}"


def _unsuspend(case: _Case) -> Outcome:
    if "q" in case.task.state:
        return None, None
    if "s" not in case.task.state:
        return None, f"{OPERATOR} - {case.words} is already unsuspended"
    return resumed(case.task, "s"), f"{OPERATOR} - unsuspended {case.words}"


def _clear_error(case: _Case) -> Outcome:
    if "E" not in case.task.state:
        words = case.words[0].upper() + case.words[1:]
        return None, f"{words} is not in error state"
    cleared = replace(case.task, state=letters(case.task.state, minus="E"), reason="")
    return cleared, f"{OPERATOR_AT_HOST} cleared error state of {case.words}"


def _reschedule(case: _Case, *, forced: bool = False) -> Outcome:
    if "q" in case.task.state:
        return None, None
    is_deleted = _DELETED in case.task.state
    objection = None if forced else _not_rerunnable(case, is_deleted=is_deleted)
    if objection is not None:
        if objection == _not_checkpointed(case):
            return None, objection
        return (ended(case.task), None) if rescheduling_of(case.cluster).ends_others else (None, objection)
    state = "h" * ("h" in case.task.state) + "Rq"
    hosts = [name.rpartition("@")[2] for name in case.task.granted] or [""]
    host = hosts[0]
    left_behind = hosts if _controls_slaves(case) else hosts[:1]
    unclean = tuple(dict.fromkeys((*case.task.unclean, *left_behind)))
    fresh = Task(state, used=case.task.used, hold=case.task.hold, unclean=unclean)
    printed = f"{'Forced' if forced else 'Pushed'} rescheduling of {case.words} on host {host}"
    return ended(case.task) if is_deleted else fresh, printed


def _controls_slaves(case: _Case) -> bool:
    """True if a task uses all of its hosts (control_slaves), so that all must be cleaned up before it may return."""
    request, name = case.job.request.pe, case.task.environment
    if request is None:
        return False
    known = compile_cluster(case.cluster).environments
    meant = known.get(name or "")
    if meant is None:
        offers = [_offered(case.cluster, instance) for instance in case.task.granted]
        meant = likely_environment(request, sum(case.task.granted.values()), offers, known)
    return meant is not None and meant.controls_slaves


def _offered(cluster: Cluster, instance: str) -> tuple[str, ...]:
    queue, _, host = instance.rpartition("@")
    obj = cluster.get(Kind.QUEUE, queue)
    return () if obj is None else split_names(effective_value(cluster, obj, "pe_list", host).text, BLANK_OR_COMMA)


def _not_rerunnable(case: _Case, *, is_deleted: bool) -> str | None:
    """Return why a task may not be rerun: by -r, else by the attribute rerun of the master queue; None if it may."""
    rerun = case.job.request.rerun
    if rerun == "n":
        return f"The {case.words} is not restartable"
    if (text := _not_checkpointed(case)) is not None:
        return text
    if is_deleted:
        return f"The {case.words} is already in deleted state. No rescheduling!"
    if rerun or all(_reruns(case.cluster, name) for name in list(case.task.granted)[:1]):
        return None
    return f"The {case.words} is running in queue none where jobs are not rerunable."


def _not_checkpointed(case: _Case) -> str | None:
    """Return why a checkpointing job may not be rescheduled: `when` of its environment has no r; None if it may."""
    name = case.job.request.checkpoint
    environment = case.cluster.get(Kind.CKPT, name) if name is not None else None
    if name is None or (environment is not None and "r" in environment.text("when")):
        return None
    noun, number = case.words.rsplit(" ", 1)
    return f"{number} requests ckpt object {name}. Therefore this {noun} is not restartable."


def _reruns(cluster: Cluster, instance: str) -> bool:
    queue, _, host = instance.rpartition("@")
    obj = cluster.get(Kind.QUEUE, queue)
    return obj is not None and effective_value(cluster, obj, "rerun", host).text.strip().lower() in ("true", "1")


_COMMANDS: Final[dict[JobCommand, Callable[[_Case], Outcome]]] = {
    JobCommand.SUSPEND: _suspend,
    JobCommand.UNSUSPEND: _unsuspend,
    JobCommand.CLEAR_ERROR: _clear_error,
    JobCommand.RESCHEDULE: _reschedule,
    JobCommand.FORCE_RESCHEDULE: lambda case: _reschedule(case, forced=True),
}
