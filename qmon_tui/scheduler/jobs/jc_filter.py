"""params JC_FILTER=true: only as many similar jobs take part in a run as there are free slots.

Similar jobs are those of one category with the same owner, project, deadline, priority, job share and override tickets.
The first of them take part until they request as many slots as are free, but at least 5 and at most 300. The others get
no tickets, no priority and no messages (8.1.9 loses the message it has for them), and are left out of the minimum and
maximum of each normalisation (sched_conf(5); verified on the real system).
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from qmon_tui.scheduler.configuration import QueueInstance
from qmon_tui.scheduler.jobs.run_job import RunJob
from qmon_tui.scheduler.jobs.split import is_enrolled

_FEWEST, _MOST = 5, 300
_NOT_LISTED = frozenset("sSEuCc")
"""States in which a queue instance is not in the scheduler's list."""
_NOT_COUNTED = ("o", "d", "D")
"""Whole states of a queue instance in the list in which its slots do not count as free."""


def apply_jc_filter(jobs: Iterable[RunJob], instances: Sequence[QueueInstance], states: Sequence[str]) -> None:
    """Remove all but the first of similar jobs from the run; jobs with an enrolled task, or -R y, always take part."""
    jobs = list(jobs)
    room = max(_FEWEST, min(_free_slots(jobs, instances, states), _MOST))
    wanted: dict[tuple[object, ...], int] = {}
    for run_job in jobs:
        if any(is_enrolled(task) for task in run_job.job.tasks.values()):
            continue
        group = _group_of_similar(run_job)
        before = wanted.get(group, 0)
        if before < room or run_job.job.request.reserve:
            wanted[group] = before + _slots(run_job)
        else:
            run_job.filtered = True
            run_job.queue = ()
            run_job.split = replace(run_job.split, pending=())


def _free_slots(jobs: Iterable[RunJob], instances: Sequence[QueueInstance], states: Sequence[str]) -> int:
    used: dict[str, int] = {}
    for run_job in jobs:
        for number in (*run_job.split.running, *run_job.split.suspended):
            for name, slots in run_job.job.tasks[number].granted.items():
                used[name] = used.get(name, 0) + slots
    return sum(
        instance.profile.slots - used.get(instance.name, 0)
        for instance, letters in zip(instances, states, strict=True)
        if letters not in _NOT_COUNTED and not _NOT_LISTED & set(letters)
    )


def _group_of_similar(run_job: RunJob) -> tuple[object, ...]:
    request = run_job.job.request
    own = (request.deadline, request.priority, request.override_tickets, request.job_share)
    return (id(run_job.category), run_job.job.owner, run_job.project, *own)


def _slots(run_job: RunJob) -> int:
    """Return the slots that a job requests for all its tasks; of a slot range the minimum."""
    environment = run_job.job.request.pe
    return len(run_job.job.task_ids) * (environment.ranges[0][0] if environment is not None else 1)
