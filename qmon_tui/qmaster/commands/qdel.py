"""qdel: pending tasks are removed, running ones are asked to end."""

from collections.abc import Iterable
from dataclasses import replace

from qmon_tui.model import GONE, Cluster, Job, State, Task
from qmon_tui.qmaster.commands.command import OPERATOR, Reply, Target, without_jobs
from qmon_tui.qmaster.commands.subordinate_suspension import suspended_after_end, with_suspensions
from qmon_tui.qmaster.commands.tasks import called, ended, enrolled, exists, left, letters, with_tasks
from qmon_tui.qmaster.scheduler_events import find_job, with_changed_instances, with_job, with_released_jobs
from qmon_tui.qmaster.task_end import changed_by_end
from qmon_tui.scheduler.jobs import has_just_finished


def delete(cluster: Cluster, state: State, target: Target, *, force: bool = False) -> Reply:
    """Delete tasks like qdel: running tasks get state d, or end immediately with `force` (qdel -f).

    The next run accounts for those that ended (lifecycle.md#deletion-of-a-job).
    """
    job = find_job(state, target.job)
    if job is None:
        return Reply(state, (f'denied: job "{target.job}" does not exist',))
    everything = [*left(job)]
    numbers = everything if target.tasks is None else [number for number in target.tasks if exists(job, number)]
    if not numbers:
        tasks = target.tasks or ()
        return Reply(state, tuple(f'job "{job.id}" task "{number}" does not exist' for number in tasks))
    begun = {number for number in enrolled(job) if _is_placed(job.tasks[number])}
    running = [number for number in numbers if number in begun]
    pending = [number for number in numbers if number not in begun]
    registered = "forced the deletion of {}" if force else "has registered the {} for deletion"
    of_running = tuple(f"{OPERATOR} {registered.format(called(job, number))}" for number in running)
    rest = set(everything) - set(pending)
    is_whole = target.tasks is None or not rest - (set(running) if force else set())
    of_pending = (f"{OPERATOR} has deleted {_deleted(job, pending, is_whole)}",) if pending else ()
    printed = (*of_running, *of_pending)
    before = state
    if force:
        still = suspended_after_end(cluster, state, job, {number: ended(job.tasks[number]) for number in running})
        state = with_changed_instances(state, changed_by_end(cluster, state, job.id, running), still)
    if not rest and not any(has_just_finished(task.state) for task in job.tasks.values()):
        return Reply(
            with_suspensions(cluster, before, with_released_jobs(cluster, before, without_jobs(state, [job.id]))),
            printed,
        )
    changed = {number: Task(GONE) for number in pending}
    if force:
        changed |= {number: ended(job.tasks[number]) for number in running}
    if not force:
        changed |= {
            number: replace(job.tasks[number], state=letters(job.tasks[number].state, plus="d")) for number in running
        }
    after = with_released_jobs(cluster, before, with_job(state, with_tasks(job, changed)))
    return Reply(with_suspensions(cluster, before, after) if force else after, printed)


def _is_placed(task: Task) -> bool:
    return bool(task.granted) and "q" not in task.state


def _deleted(job: Job, numbers: list[int], whole: bool) -> str:
    if whole or job.request.array is None:
        return f"job {job.id}"
    if len(numbers) == 1:
        return f"job-array task {job.id}.{numbers[0]}"
    return f"job-array tasks {id_list(numbers)} of job {job.id}"


def id_list(numbers: Iterable[int]) -> str:
    """Format numbers as the qmaster does: `4,5`; three or more with equal distance as `1-7:2`."""
    ordered = sorted(numbers)
    parts: list[str] = []
    start = 0
    while start < len(ordered):
        first = ordered[start]
        step = ordered[min(start + 1, len(ordered) - 1)] - first
        stop = start + 1
        while stop < len(ordered) and ordered[stop] == first + (stop - start) * step:
            stop += 1
        if stop - start < 3:
            stop = start + 1
        parts.append(f"{first}-{ordered[stop - 1]}:{step}" if stop - start > 1 else str(first))
        start = stop
    return ",".join(parts)
