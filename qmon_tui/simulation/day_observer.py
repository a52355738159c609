"""Writes the log of a simulated day: compares the simulator's state before and after each event."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Final

from qmon_tui.incremental import difference
from qmon_tui.model import FINISHED, Job, State, Task
from qmon_tui.qmaster import RunFacts, find_job
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
from qmon_tui.scheduler import session_of
from qmon_tui.simulation.day_log import LIMIT, DayLog, FeedEntry, FeedKind, Plan, Sample, SlotInterval, SlotIntervalEnd
from qmon_tui.simulation.event_queue import SimulationEvent
from qmon_tui.simulation.execution import TaskKey, is_placed
from qmon_tui.simulation.host_failures import HostFailed, HostReturned
from qmon_tui.simulation.measures_shares import names_of
from qmon_tui.simulation.simulator import Simulator
from qmon_tui.simulation.submissions import CommandGiven, JobSubmitted
from qmon_tui.values import INFINITE

_SUSPENDED: Final = frozenset("sST")
_SILENT: Final = (TaskArrived, UsageReported, LoadReported)
"""Events without an entry in the feed."""

Happened = RunFacts | Event | SimulationEvent


def plans_of(run: RunFacts) -> tuple[Plan, ...]:
    """Return the reservations that a run has made, in its order."""
    if not run.reservations:
        return ()
    instances = run.instance_names
    jobs = {number: find_job(run.state, number) for number, _ in run.reserved}
    return tuple(
        Plan(
            plan.job, plan.task, job.name if (job := jobs[plan.job]) is not None else "", plan.start, plan.end,
            tuple((instances[number], slots) for number, slots in plan.grants),
        )
        for plan in run.reservations
    )  # fmt: skip


def log_of(simulator: Simulator) -> DayLog:
    """Return the log of a day that is about to begin, with a slot interval for each running task."""
    log = DayLog()
    for job in simulator.state.jobs:
        for number, task in job.tasks.items():
            if is_placed(task) and task.state != FINISHED:
                log.begin(_stretch(0, simulator, job, number, int(task.started or job.submitted)))
    return log


def note(log: DayLog, before: State, plans: Sequence[Plan], simulator: Simulator, happened: Happened) -> None:
    """Note an event or a run; `before` and `plans` are the state and the reservations before it."""
    position, now = simulator.events + simulator.runs, simulator.now
    if isinstance(happened, _SILENT):
        return
    entries = list(_of_event(position, now, before, simulator, happened, plans))
    started = {(entry.job, entry.task) for entry in entries if entry.kind in (FeedKind.STARTED, FeedKind.BACKFILLED)}
    entries += [
        entry for entry in _changes(position, now, before, simulator.state, log, happened) if entry.key not in started
    ]
    _add(log, entries, simulator)
    if isinstance(happened, RunFacts):
        log.samples.append(_sample(position, log, simulator, happened))


def note_edit(log: DayLog, before: State, simulator: Simulator, label: str) -> None:
    """Note an edit of the configuration or the state, and the tasks that it moved, ended or suspended."""
    position, now = simulator.events + simulator.runs, simulator.now
    log.entries.append(FeedEntry(position, now, FeedKind.EDIT, name=label))
    _add(log, list(_changes(position, now, before, simulator.state, log, None)), simulator)


def _add(log: DayLog, entries: Sequence[FeedEntry], simulator: Simulator) -> None:
    for entry in entries:
        _note_stretch(log, entry, simulator)
    log.entries += entries


def _note_stretch(log: DayLog, entry: FeedEntry, simulator: Simulator) -> None:
    if entry.key is None:
        return
    if entry.kind in (FeedKind.STARTED, FeedKind.BACKFILLED):
        job = find_job(simulator.state, entry.key[0])
        if job is not None:
            stretch = _stretch(entry.position, simulator, job, entry.key[1], entry.time)
            log.begin(replace(stretch, backfilled=entry.kind is FeedKind.BACKFILLED))
    elif entry.kind in (FeedKind.ENDED, FeedKind.DELETED, FeedKind.SENT_BACK):
        log.end(entry.key, SlotIntervalEnd(entry.position, entry.time, entry.kind))


def _stretch(position: int, simulator: Simulator, job: Job, number: int, start: int) -> SlotInterval:
    names, task = names_of(session_of(simulator.cluster).configured, job), job.tasks[number]
    return SlotInterval(position, job.id, number, job.name, *names, start, _limit(task), tuple(task.granted.items()))


def _limit(task: Task) -> int | None:
    limit = task.wallclock_limit
    return None if limit is None or limit >= INFINITE else int(limit)


# Entries about the event itself -------------------------------------------------------------------------------------


def _of_event(
    position: int, now: int, before: State, simulator: Simulator, happened: Happened, plans: Sequence[Plan]
) -> Iterator[FeedEntry]:
    match happened:
        case RunFacts():
            yield from _of_run(position, now, simulator, happened, plans)
        case JobSubmitted(job):
            if job.id in simulator.refused:
                lines = simulator.refused[job.id]
                yield _of_job(position, now, FeedKind.REJECTED, job, text=lines[-1] if lines else "")
            else:
                yield _of_job(position, now, FeedKind.SUBMITTED, job)
        case CommandGiven():
            _, line, lines = simulator.replies[-1]
            yield FeedEntry(position, now, FeedKind.COMMAND, name=line, text=lines[-1] if lines else "")
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


def _of_run(position: int, now: int, simulator: Simulator, run: RunFacts, plans: Sequence[Plan]) -> Iterator[FeedEntry]:
    for refused, text in run.rejected:
        yield _of_job(position, now, FeedKind.REJECTED, refused, text)
    state = simulator.state
    made = plans_of(run)
    rank = {job: number for number, job in enumerate(run.order)} if made else {}
    for number, of_job in run.started:
        job = find_job(state, number)
        task = job.tasks.get(of_job) if job is not None else None
        if job is None or task is None or not is_placed(task):
            continue
        limit = _limit(task)
        passed = _passed(made, rank, job.id, tuple(task.granted), now, limit)
        yield FeedEntry(
            position, now, FeedKind.BACKFILLED if passed else FeedKind.STARTED, job.id, of_job, job.name, job.owner,
            tuple(task.granted.items()), now - job.submitted, limit,
            passed[0] if passed else None, passed[1] if passed else None,
        )  # fmt: skip
    known = {(plan.job, plan.task): plan for plan in plans}
    for plan in made:
        earlier = known.get((plan.job, plan.task))
        if earlier is None or earlier.start != plan.start:
            job = find_job(state, plan.job)
            yield FeedEntry(
                position, now, FeedKind.RESERVED, plan.job, plan.task, plan.name, job.owner if job is not None else "",
                plan.places, plan.start,
                before=None if earlier is None else earlier.start,
            )  # fmt: skip


def _passed(
    plans: Sequence[Plan], rank: Mapping[int, int], job: int, granted: Sequence[str], now: int, limit: int | None
) -> tuple[int, int | None] | None:
    """Return the job ahead of whose reservation on these hosts `job` starts, and the seconds between limit and start.

    The seconds are None if `job` may run into the reservation; the result is None if there is no such job.
    """
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


# Entries about changes of the state ----------------------------------------------------------------------------------


def _changes(
    position: int, now: int, before: State, after: State, log: DayLog, happened: Happened | None
) -> Iterator[FeedEntry]:
    """Yield entries for tasks that were started, suspended, resumed, rescheduled, ended or deleted."""
    gone, come = difference(before.jobs, after.jobs)
    known = {job.id: job for job in gone}
    for job in come:
        earlier = known.pop(job.id, None)
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


def _is_end_of(happened: Happened | None, key: TaskKey) -> bool:
    return isinstance(happened, TaskEnded) and (happened.job, happened.task) == key


def _change(
    was: Task | None, task: Task | None, key: TaskKey, log: DayLog, happened: Happened | None
) -> FeedKind | None:
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
    if task.state == FINISHED and key in log.open:
        return FeedKind.ENDED
    if key not in log.open:
        return FeedKind.STARTED
    if was is None or not is_placed(was):
        return None
    was_suspended, is_suspended = (not _SUSPENDED.isdisjoint(either.state) for either in (was, task))
    if was_suspended == is_suspended:
        return None
    return FeedKind.SUSPENDED if is_suspended else FeedKind.RESUMED


def _of_task(
    position: int, now: int, kind: FeedKind, job: Job, number: int, task: Task | None, log: DayLog
) -> FeedEntry:
    index = log.open.get((job.id, number))
    stretch = log.stretches[index] if index is not None else None
    granted = tuple(task.granted.items()) if task is not None else ()
    state = task.state if task is not None else ""
    return FeedEntry(
        position, now, kind, job.id, number, job.name, job.owner, stretch.places if stretch is not None else granted,
        now - stretch.start if stretch is not None else now - job.submitted,
        stretch.limit if stretch is not None else None,
        text=_end_words(job, stretch) if kind is FeedKind.ENDED else state,
    )  # fmt: skip


def _end_words(job: Job, stretch: SlotInterval | None) -> str:
    """Return LIMIT if a task was stopped before it had run for its whole run time; else an empty text."""
    is_stopped = stretch is not None and stretch.limit is not None and (job.runtime or 0) > stretch.limit
    return LIMIT if is_stopped else ""


# Samples ------------------------------------------------------------------------------------------------------------


def _sample(position: int, log: DayLog, simulator: Simulator, run: RunFacts) -> Sample:
    waiting, oldest = run.waiting
    return Sample(
        position, simulator.now, {"slots": (float(log.slots), float(run.total_slots)), **run.consumables},
        len(log.open), waiting,
        simulator.now - oldest.submitted if oldest is not None else 0, oldest.id if oldest is not None else None,
    )  # fmt: skip
