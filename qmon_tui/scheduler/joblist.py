"""The order of the scheduler's list of jobs.

A new job comes last, and so does a job each time that one of its tasks is started or that it is changed: qalter, qhold
and qrls send it to the scheduler anew, and so does a job for which it has waited (-hold_jid), twice: when that ends,
and when that is removed, which is after the next run. The order decides between equals when tickets are handed out,
and who is named first.
"""

from collections.abc import Iterable

from qmon_tui.scheduler.compiled.policy import Policy
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.priority import Standing

_COMMAND, _START = 0, 1


def in_list_order(jobs: Iterable[RunJob], policy: Policy) -> list[RunJob]:
    """Jobs by what happened to them last.

    Within a second changes are taken to come before starts, and starts in the order of the jobs' priorities. What has
    changed a job is known as far as its `changed` says it.
    """

    standing = Standing(policy)

    def last_event(run_job: RunJob) -> tuple[int, int, float, float, int]:
        job = run_job.job
        started = max([task.started or 0 for task in job.tasks.values()]) if job.tasks else 0
        command = max(job.changed or 0, job.submitted)
        if not started or int(started) < int(command):
            return (int(command), _COMMAND, command % 1, 0.0, job.id)
        return (int(started), _START, started % 1, -standing.without_tickets(run_job), run_job.id)

    return sorted(jobs, key=last_event)
