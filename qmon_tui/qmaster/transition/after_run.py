"""The state after the qmaster has carried out the orders of a run (lifecycle.md#start-of-a-task).

Starts are carried out in the order of the run. Jobs that had ended before the run are booked and removed, and their
successors are sent to the scheduler again.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain
from types import MappingProxyType
from typing import Final

from qmon_tui.model import GONE, Amounts, Job, LaterNumbers, State, Task
from qmon_tui.qmaster.commands.command import without_jobs
from qmon_tui.qmaster.numbers_shown import columns_shown, parts_of_master, tickets_shown
from qmon_tui.qmaster.outcome_builder import stays_rejected
from qmon_tui.qmaster.run import Run, TaskKey
from qmon_tui.qmaster.scheduler_events import moments, next_moment, resent_task, with_released_jobs
from qmon_tui.qmaster.states_after_run import kept_letters, seen_after_starts
from qmon_tui.qmaster.wallclock_limits import wallclock_limit
from qmon_tui.scheduler.jobs import RunJob, TaskList, has_just_finished, task_list_of
from qmon_tui.scheduler.matching import StartOrder
from qmon_tui.scheduler.suspension import used_slots

_BOOKED: Final = frozenset((TaskList.RUNNING, TaskList.PENDING))


def after_run(run: Run) -> State:
    """Return the state after a run, at the run's time, without the refused jobs."""
    refused = {job.id for job, _ in run.rejected}
    before = replace(run.state, now=run.now)
    started_at = dict(zip(map(_key, _carried_out(run)), moments(_first_moment(before)), strict=False))
    threshold_changes = _threshold_changes(run)
    run_jobs = {run_job.id: run_job for run_job in run.jobs}
    jobs = {
        number: _job_after(run, run_job, started_at, threshold_changes)
        for number, run_job in run_jobs.items()
        if number not in refused
    }
    removed = {number for number, job in jobs.items() if _is_over(job)}
    after = replace(
        # The numbers of refused jobs are used up, too.
        without_jobs(before, refused | removed),
        jobs=tuple(jobs[job.id] for job in before.jobs if job.id in jobs and job.id not in removed),
        queue_states=MappingProxyType(kept_letters(run.compiled, run.states_after_run.states, run.state.queue_states)),
        usage=run.usage,
        changed=MappingProxyType(dict(before.changed) | dict(_changed_by_thresholds(run, threshold_changes))),
        seen_suspended=_seen_suspended_after(run),
        pe_alg=run.dispatch.parallel.ranges.scores,
        numbers=MappingProxyType(
            {(number, 0): columns_shown(run, run_jobs[number]) for number in jobs if number not in removed}
        ),
    )
    admitted = replace(before, jobs=tuple(job for job in before.jobs if job.id in jobs))
    return with_released_jobs(run.compiled.cluster, admitted, after)


def _carried_out(run: Run) -> Iterator[StartOrder]:
    return (start for start in run.dispatch.starts if not start.refused)


def _key(start: StartOrder) -> TaskKey:
    return start.run_job.id, start.task


def _first_moment(state: State) -> float:
    """Return the time of the first start: now, or right after earlier starts in the same second."""
    tasks = chain.from_iterable(job.tasks.values() for job in state.jobs)
    started = [task.started for task in tasks if task.started is not None and task.started >= state.now]
    return next_moment(max(started)) if started else float(state.now)


def _job_after(
    run: Run, run_job: RunJob, started_at: Mapping[TaskKey, float], threshold_changes: Mapping[TaskKey, float]
) -> Job:
    """Return a job after the run: with its tasks suspended, resumed or started, and the columns that qstat shows."""
    job = run_job.job
    starts = run.starts_of(job.id).values()
    rejected = stays_rejected(run_job, is_sent=any(not start.unread for start in starts))
    carried_out = [start for start in starts if not start.refused]
    refused = [start.task for start in starts if start.refused and not start.unread]
    if not (job.tasks or carried_out or refused):
        return job if rejected is job.reservation_rejected else replace(job, reservation_rejected=rejected)
    tasks = {number: _task_after(run, run_job, number, task, threshold_changes) for number, task in job.tasks.items()}
    for start in carried_out:
        tasks[start.task] = _started_task(run, start, job.tasks.get(start.task), started_at[_key(start)])
    for number in refused:
        tasks[number] = replace(tasks.get(number) or Task("qw"), start_failed=True)
    split = run_job.split
    started = [start.task for start in carried_out]
    for number in (*split.running, *split.booked_suspended, *split.enrolled, *started, *refused):
        tasks[number] = replace(tasks[number], tickets=_numbers_shown(run, run_job, number))
    for start in carried_out:
        tasks[start.task] = _with_numbers_of_start(run, start, tasks[start.task])
    for number, task in tasks.items():
        if isinstance(task.tickets, LaterNumbers):
            # `State.numbers`, from which they would be read, is replaced by that of this run.
            tasks[number] = replace(task, tickets=run.state.numbers_of(job.id, number, task))
    return replace(
        job,
        tasks=MappingProxyType(dict(sorted(tasks.items()))),
        reservation_rejected=rejected,
        # A start sends the job to the scheduler, which finds its category again.
        category_ar=None if carried_out else job.category_ar,
    )


def _task_after(run: Run, run_job: RunJob, number: int, task: Task, threshold_changes: Mapping[TaskKey, float]) -> Task:
    """Return a task that the run has not started, with usage booked and suspended or resumed by the run."""
    if has_just_finished(task.state):
        return Task(GONE, started=task.started)
    if task.used is not None and task_list_of(task.state) in _BOOKED:
        task = replace(task, used=None)
    key = run_job.id, number
    state = run.states_after_run.task_state(*key, task.granted if "q" not in task.state else {}, task.state)
    if state != task.state:
        task = replace(task, state=state)
    if key in threshold_changes:
        # The qmaster sends the task with its new state, so that the scheduler knows it.
        task = replace(resent_task(task), changed=threshold_changes[key])
    return task


def _started_task(run: Run, start: StartOrder, before: Task | None, when: float) -> Task:
    names = [(run.resources.instances[number].name, slots) for number, slots in start.grants]
    granted = MappingProxyType(dict(names))
    state = "Rt" if before is not None and "R" in before.state else "t"
    return Task(
        run.states_after_run.task_state(start.run_job.id, start.task, granted, state),
        granted,
        when,
        environment=start.environment,
        unclean=before.unclean_hosts if before is not None else (),
        wallclock_limit=wallclock_limit(start, run.resources),
    )


def _with_numbers_of_start(run: Run, start: StartOrder, task: Task) -> Task:
    """Return a started task with the tickets that it keeps if its parallel environment controls slaves."""
    environment = run.compiled.environments.get(start.environment or "")
    if environment is None or not environment.controls_slaves or task.tickets is None:
        return task
    kept = parts_of_master(start, start.run_job.tickets[start.task])
    return replace(task, tickets=MappingProxyType({**task.tickets, **kept}))


def _numbers_shown(run: Run, run_job: RunJob, number: int) -> Amounts:
    """Return the columns that qstat shows for a task until a run calculates them again."""
    tickets = tickets_shown(run, run_job, number)
    return MappingProxyType(
        {
            "prior": tickets.prior,
            "ntckts": tickets.ntckts,
            "tckts": tickets.total,
            "otckt": tickets.override,
            "ftckt": tickets.functional,
            "stckt": tickets.share_tree,
            "share": tickets.share,
        }
    )


def _threshold_changes(run: Run) -> dict[TaskKey, float]:
    """Return (job, task) -> time of suspension or resumption by thresholds; resumptions come first."""
    suspensions = run.threshold_suspensions
    keys = [(run_job.id, task) for run_job, task in (*suspensions.resumed, *suspensions.halted)]
    known = [when for when in run.state.changed.values() if when >= run.now]
    return dict(zip(keys, moments(next_moment(max([float(run.now), *known]))), strict=False))


def _changed_by_thresholds(run: Run, threshold_changes: Mapping[TaskKey, float]) -> Iterator[tuple[str, float]]:
    """Yield master queue and time for each of these tasks: the qmaster sends the queue with the task."""
    jobs = {run_job.id: run_job.job for run_job in run.jobs}
    for (number, task), when in threshold_changes.items():
        for name in list(jobs[number].tasks[task].granted)[:1]:
            yield name, when


def _seen_suspended_after(run: Run) -> frozenset[str]:
    """Return the queue instances that the scheduler treats as suspended by others after a run."""
    subordination, seen = run.compiled.subordination, run.state.seen_suspended
    if subordination is None:
        return seen
    numbers = {instance.name: number for number, instance in enumerate(run.compiled.instances)}
    used = {numbers[name]: slots for name, slots in used_slots(run.state.jobs).items() if name in numbers}
    states, starts = run.availability.states, run.dispatch.starts
    return seen_after_starts(run.compiled, subordination, seen, states, used, starts, run.now)


def _is_over(job: Job) -> bool:
    """True if the qmaster has removed all tasks."""
    tasks = job.tasks
    return len(tasks) >= len(job.task_ids) and all(
        number in tasks and tasks[number].state == GONE for number in job.task_ids
    )
