"""What qstat shows where that is not the priority with which a task was sorted, and why (priority.md section 2.1)."""

from qmon_tui.qmaster.run import Run
from qmon_tui.scheduler.explanation import Shown
from qmon_tui.scheduler.jobs import RunJob, Tickets
from qmon_tui.scheduler.outcome import TaskOutcome

_LEFT_OUT = "maxujobs leaves it out of this run"
_NOT_REPORTED = "pending jobs are not reported (report_pjob_tickets)"
_RAN_BEFORE = "it shows that of a task of the job that ran before and waits again, and none for the others"
_STARTED = "all pending tasks of a job share one number there, and that goes to the task that starts in this run"
_NEXT = "all pending tasks of a job share one number there, that of the next one to be tried"


def shown_of(run: Run, run_job: RunJob, task: TaskOutcome, tickets: Tickets) -> Shown | None:
    """What qstat shows of a task that takes part; None where it is its priority."""
    if f"{task.prior:.5f}" == f"{tickets.prior:.5f}":
        return None
    return Shown(task.prior, _because(run, run_job, task))


def _because(run: Run, run_job: RunJob, task: TaskOutcome) -> str:
    if run_job.excluded_at is not None:
        return _LEFT_OUT
    if not run.compiled.policy.report_pending:
        return _NOT_REPORTED
    if run_job.next_task < len(run_job.split.enrolled):
        return _RAN_BEFORE
    return _NEXT if task.prior else _STARTED
