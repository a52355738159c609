"""Notes what happens in a simulation: it looks at the simulator before and after each happening."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Final

from qmon_tui.model import Job, State, Task
from qmon_tui.qmaster import Run
from qmon_tui.qmaster.transition import (
    CalendarSwitched,
    Event,
    LoadReported,
    ReservationBegan,
    ReservationEnded,
    TaskArrived,
    TaskEnded,
    UsageReported,
)
from qmon_tui.simulation.day_log import LIMIT, DayLog, FeedEntry, FeedKind, Plan, Sample, Stretch, StretchEnd
from qmon_tui.simulation.execution import TaskKey, is_placed
from qmon_tui.simulation.happening import Happening
from qmon_tui.simulation.host_failures import HostFailed, HostReturned
from qmon_tui.simulation.simulator import Simulator
from qmon_tui.simulation.submissions import CommandGiven, JobSubmitted
from qmon_tui.values import INFINITE

_STANDS_STILL: Final = frozenset("sST")
_UNTOLD: Final = (TaskArrived, UsageReported, LoadReported)
"""They change nothing that the feed tells."""

Happened = Run | Event | Happening


def plans_of(run: Run) -> tuple[Plan, ...]:
    """The reservations that a run has made, in its order."""
    if not run.dispatch.reserved:
        return ()
    names = {run_job.id: run_job.job.name for run_job in run.pending}
    instances = run.resources.instances
    return tuple(
        Plan(
            plan.job, plan.task, names.get(plan.job, ""), plan.start, plan.end,
            tuple((instances[number].name, slots) for number, slots in plan.grants),
        )
        for plan in run.dispatch.reserved
    )  # fmt: skip


def log_of(simulator: Simulator) -> DayLog:
    """The log of a day that is about to begin: what runs already has its stretch."""
    log = DayLog()
    for job in simulator.state.jobs:
        for number, task in job.tasks.items():
            if is_placed(task):
                log.begin(_stretch(0, job, number, task, int(task.started or job.submitted)))
    return log


def note(log: DayLog, before: State, plans: Sequence[Plan], simulator: Simulator, happened: Happened) -> None:
    """Note what has just happened; `before` and `plans` are the state and the reservations before it."""
    position, now = simulator.events + simulator.runs, simulator.now
    if isinstance(happened, _UNTOLD):
        return
    entries = list(_told(position, now, before, simulator, happened, plans))
    told = {(entry.job, entry.task) for entry in entries if entry.kind in (FeedKind.STARTED, FeedKind.BACKFILLED)}
    entries += [
        entry for entry in _changes(position, now, before, simulator.state, log, happened) if entry.key not in told
    ]
    for entry in entries:
        _note_stretch(log, entry, simulator.state)
    log.entries += entries
    if isinstance(happened, Run):
        log.samples.append(_sample(position, simulator, happened))


def _note_stretch(log: DayLog, entry: FeedEntry, state: State) -> None:
    if entry.key is None:
        return
    if entry.kind in (FeedKind.STARTED, FeedKind.BACKFILLED):
        job = _job(state, entry.key[0])
        if job is not None:
            stretch = _stretch(entry.position, job, entry.key[1], job.tasks[entry.key[1]], entry.time)
            log.begin(replace(stretch, backfilled=entry.kind is FeedKind.BACKFILLED))
    elif entry.kind in (FeedKind.ENDED, FeedKind.DELETED, FeedKind.SENT_BACK):
        log.end(entry.key, StretchEnd(entry.position, entry.time, entry.kind))


def _stretch(position: int, job: Job, number: int, task: Task, start: int) -> Stretch:
    return Stretch(
        position, job.id, number, job.name, job.owner, job.request.project or job.project, job.department,
        start, _limit(task), tuple(task.granted.items()),
    )  # fmt: skip


def _limit(task: Task) -> int | None:
    limit = task.wallclock_limit
    return None if limit is None or limit >= INFINITE else int(limit)


def _job(state: State, number: int) -> Job | None:
    return next((job for job in state.jobs if job.id == number), None)


# What the happening itself says -------------------------------------------------------------------------------------


def _told(
    position: int, now: int, before: State, simulator: Simulator, happened: Happened, plans: Sequence[Plan]
) -> Iterator[FeedEntry]:
    match happened:
        case Run():
            yield from _told_by_run(position, now, simulator, happened, plans)
        case JobSubmitted(job):
            if job.id in simulator.refused:
                said = simulator.refused[job.id]
                yield _of_job(position, now, FeedKind.REJECTED, job, text=said[-1] if said else "")
            else:
                yield _of_job(position, now, FeedKind.SUBMITTED, job)
        case CommandGiven():
            _, line, said = simulator.replies[-1]
            yield FeedEntry(position, now, FeedKind.COMMAND, name=line, text=said[-1] if said else "")
        case CalendarSwitched(calendar):
            yield FeedEntry(position, now, FeedKind.CALENDAR, name=calendar)
        case ReservationBegan(number):
            yield FeedEntry(position, now, FeedKind.RESERVATION_BEGAN, name=str(number))
        case ReservationEnded(number):
            if any(reservation.id == number for reservation in before.reservations):
                yield FeedEntry(position, now, FeedKind.RESERVATION_ENDED, name=str(number))
        case HostFailed(host):
            yield FeedEntry(position, now, FeedKind.HOST_FAILED, name=host)
        case HostReturned(host):
            yield FeedEntry(position, now, FeedKind.HOST_RETURNED, name=host)


def _of_job(position: int, now: int, kind: FeedKind, job: Job, text: str = "") -> FeedEntry:
    return FeedEntry(position, now, kind, job.id, None, job.name, job.owner, text=text)


def _told_by_run(position: int, now: int, simulator: Simulator, run: Run, plans: Sequence[Plan]) -> Iterator[FeedEntry]:
    for refused, text in run.rejected:
        yield _of_job(position, now, FeedKind.REJECTED, refused, text)
    jobs = {job.id: job for job in simulator.state.jobs}
    made = plans_of(run)
    rank = {run_job.id: number for number, run_job in enumerate(run.pending)} if made else {}
    for start in run.dispatch.starts:
        job = jobs.get(start.run_job.id)
        task = job.tasks.get(start.task) if job is not None else None
        if start.refused or job is None or task is None or not is_placed(task):
            continue
        limit = _limit(task)
        passed = _passed(made, rank, job.id, tuple(task.granted), now, limit)
        yield FeedEntry(
            position, now, FeedKind.BACKFILLED if passed else FeedKind.STARTED, job.id, start.task, job.name, job.owner,
            tuple(task.granted.items()), now - job.submitted, limit,
            passed[0] if passed else None, passed[1] if passed else None,
        )  # fmt: skip
    known = {(plan.job, plan.task): plan for plan in plans}
    for plan in made:
        earlier = known.get((plan.job, plan.task))
        owner = jobs[plan.job].owner if plan.job in jobs else ""
        if earlier is None or earlier.start != plan.start:
            yield FeedEntry(
                position, now, FeedKind.RESERVED, plan.job, plan.task, plan.name, owner, plan.places, plan.start,
                before=None if earlier is None else earlier.start,
            )  # fmt: skip


def _passed(
    plans: Sequence[Plan], rank: Mapping[int, int], job: int, granted: Sequence[str], now: int, limit: int | None
) -> tuple[int, int | None] | None:
    """The job that goes before another one and has a reservation on the same hosts, and the seconds left then."""
    hosts = {name.rpartition("@")[2] for name in granted}
    passed = [
        plan
        for plan in plans
        if rank.get(plan.job, job) < rank.get(job, -1) and plan.start > now
        and any(name.rpartition("@")[2] in hosts for name, _ in plan.places)
    ]  # fmt: skip
    if not passed:
        return None
    first = min(passed, key=lambda plan: plan.start)
    spare = first.start - now - limit if limit is not None else None
    return first.job, spare if spare is not None and spare >= 0 else None


# What has changed in the state --------------------------------------------------------------------------------------


def _changes(
    position: int, now: int, before: State, after: State, log: DayLog, happened: Happened
) -> Iterator[FeedEntry]:
    """What has become of the tasks that had a place, and which came to have one."""
    known = {job.id: job for job in before.jobs}
    for job in after.jobs:
        earlier = known.pop(job.id, None)
        if earlier is job:
            continue
        for number in dict.fromkeys(chain(earlier.tasks if earlier is not None else (), job.tasks)):
            was = earlier.tasks.get(number) if earlier is not None else None
            kind = _change(was, job.tasks.get(number), (job.id, number), log, happened)
            if kind is not None:
                yield _of_task(position, now, kind, job, number, job.tasks.get(number), log)
    for job in known.values():
        for number, task in job.tasks.items():
            if (job.id, number) in log.open:
                kind = FeedKind.ENDED if _is_end_of(happened, (job.id, number)) else FeedKind.DELETED
                yield _of_task(position, now, kind, job, number, task, log)


def _is_end_of(happened: Happened, key: TaskKey) -> bool:
    return isinstance(happened, TaskEnded) and (happened.job, happened.task) == key


def _change(was: Task | None, task: Task | None, key: TaskKey, log: DayLog, happened: Happened) -> FeedKind | None:
    if not is_placed(task) or task is None:
        if key in log.open:
            if task is not None and "q" in task.state:
                return FeedKind.FAILED if "E" in task.state else FeedKind.SENT_BACK
            return FeedKind.ENDED if _is_end_of(happened, key) else FeedKind.DELETED
        return (
            FeedKind.FAILED
            if task is not None and "E" in task.state and "E" not in (was.state if was else "")
            else None
        )
    if task.state == "z" and key in log.open:
        return FeedKind.ENDED
    if key not in log.open:
        return FeedKind.STARTED
    if was is None or not is_placed(was):
        return None
    stood, stands = (not _STANDS_STILL.isdisjoint(before_or_after.state) for before_or_after in (was, task))
    return None if stood == stands else FeedKind.SUSPENDED if stands else FeedKind.RESUMED


def _of_task(
    position: int, now: int, kind: FeedKind, job: Job, number: int, task: Task | None, log: DayLog
) -> FeedEntry:
    index = log.open.get((job.id, number))
    stretch = log.stretches[index] if index is not None else None
    places = stretch.places if stretch is not None else tuple(task.granted.items()) if task is not None else ()
    return FeedEntry(
        position, now, kind, job.id, number, job.name, job.owner, places,
        now - stretch.start if stretch is not None else now - job.submitted,
        stretch.limit if stretch is not None else None,
        text=_end_words(job, stretch) if kind is FeedKind.ENDED else task.state if task is not None else "",
    )  # fmt: skip


def _end_words(job: Job, stretch: Stretch | None) -> str:
    """`limit` where it was stopped before it had done its work."""
    is_stopped = stretch is not None and stretch.limit is not None and (job.runtime or 0) > stretch.limit
    return LIMIT if is_stopped else ""


# Samples ------------------------------------------------------------------------------------------------------------


def _sample(position: int, simulator: Simulator, run: Run) -> Sample:
    started: dict[int, int] = {}
    for start in run.dispatch.starts:
        if not start.refused:
            started[start.run_job.id] = started.get(start.run_job.id, 0) + 1
    waiting = running = 0
    oldest: Job | None = None
    for run_job in run.pending:
        left = len(run_job.queue) + len(run_job.passed) - started.get(run_job.id, 0)
        if left > 0:
            waiting += left
            if oldest is None or (run_job.job.submitted, run_job.id) < (oldest.submitted, oldest.id):
                oldest = run_job.job
    used = 0
    for job in simulator.state.jobs:
        for task in job.tasks.values():
            if is_placed(task) and task.state != "z":
                running += 1
                used += sum(task.granted.values())
    resources = {"slots": (float(used), float(sum(run.resources.totals)))}
    return Sample(
        position, simulator.now, {**resources, **_consumables(run)}, running, waiting,
        simulator.now - oldest.submitted if oldest is not None else 0, oldest.id if oldest is not None else None,
    )  # fmt: skip


def _consumables(run: Run) -> Mapping[str, tuple[float, float]]:
    """What hosts, the global host and queue instances count, besides slots: used and configured, over all of them."""
    sums: dict[str, tuple[float, float]] = {}
    for level in (run.resources.global_level, *run.resources.hosts, *run.resources.queues):
        for name, used in level.used.items():
            if name == "slots" or name not in level.configured:
                continue
            before = sums.get(name, (0.0, 0.0))
            sums[name] = before[0] + used, before[1] + level.configured[name].number
    return sums
