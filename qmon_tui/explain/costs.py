"""The costs of a change for other jobs: starts lost, suspensions, later reservations."""

from collections import Counter
from collections.abc import Iterator

from qmon_tui.explain.edits import EditedCluster
from qmon_tui.explain.suspension_reasons import started_tasks
from qmon_tui.gc_pause import gc_paused
from qmon_tui.qmaster import Run
from qmon_tui.values import format_time

_MOST = 5
"""Maximum number of jobs named."""
_SUSPENDED = frozenset("sST")


@gc_paused()
def costs_of(run: Run, edited: EditedCluster, job: int) -> tuple[str, ...]:
    """Return what a change for `job` costs other jobs in this run, in short sentences."""
    return tuple(_losses(run, run.again(edited.cluster, edited.state), job))


def _losses(run: Run, other: Run, job: int) -> Iterator[str]:
    before, after = ({(job_id, task): state.state for job_id, task, state in started_tasks(of)} for of in (run, other))
    ended = {change_job.id for change_job in run.state.jobs} - {change_job.id for change_job in other.state.jobs}
    missing = Counter(number for number, task in before if (number, task) not in after and number not in {job, *ended})
    if missing:
        yield f"{_names(missing)} would not start in this run"
    suspended = Counter(
        number
        for (number, task), state in after.items()
        if number != job and _SUSPENDED & {*state} and not _SUSPENDED & {*before.get((number, task), "s")}
    )
    if suspended:
        yield f"{_names(suspended)} would be suspended"
    plans = {(plan.job, plan.task): plan.start for plan in other.dispatch.reserved}
    for plan in run.dispatch.reserved:
        start = plans.get((plan.job, plan.task))
        is_started = (plan.job, plan.task) in after
        if plan.job == job or is_started or plan.job in ended or (start is not None and start <= plan.start):
            continue
        effect = "would be gone" if start is None else f"would begin at {format_time(start)}"
        yield f"the reservation of job {plan.job} for {format_time(plan.start)} {effect}"


def _names(jobs: Counter[int]) -> str:
    """Return job numbers, limited to the first ones; arrays with the number of tasks."""
    named = [
        f"{number} ({count} tasks)" if count > 1 else str(number) for number, count in sorted(jobs.items())[:_MOST]
    ]
    more = f" and {len(jobs) - _MOST} more" if len(jobs) > _MOST else ""
    return f"job{'s' if len(jobs) > 1 else ''} {', '.join(named)}{more}"
