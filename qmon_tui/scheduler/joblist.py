"""The order of the scheduler's list of jobs.

A new job comes last, and so does a job each time that one of its tasks is started. The order decides between equals
when tickets are handed out, and who is named first.
"""

from collections.abc import Iterable

from qmon_tui.scheduler.compiled.policy import Policy
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.priority import without_tickets

_SUBMITTED, _STARTED = 0, 1


def in_list_order(jobs: Iterable[RunJob], policy: Policy) -> list[RunJob]:
    """Jobs by what happened to them last.

    Within a second submissions are taken to come before starts, and starts in the order of the jobs' priorities. What
    changed a job otherwise, nobody can tell from its state.
    """

    def last_event(run_job: RunJob) -> tuple[float, int, float, int]:
        job = run_job.job
        started = max((task.started or 0 for task in job.tasks.values()), default=0) if job.tasks else 0
        if not started:
            return (job.submitted, _SUBMITTED, 0.0, job.id)
        return (started, _STARTED, -without_tickets(run_job, policy), run_job.id)

    return sorted(jobs, key=last_event)
