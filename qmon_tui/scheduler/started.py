"""What the tasks that are there use before anything is decided."""

from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.resources import Resources


def debit_started(run_job: RunJob, resources: Resources) -> None:
    """Book what running and suspended tasks use; queue instances that are gone use nothing."""
    for number in (*run_job.split.running, *run_job.split.suspended):
        task = run_job.job.tasks[number]
        resources.debit(run_job.demand, resources.grants_of(task))
        environment = resources.environment_of(run_job.job, number)
        if environment is not None:
            resources.debit_environment(environment, sum(task.granted.values()), task.started or 0)
