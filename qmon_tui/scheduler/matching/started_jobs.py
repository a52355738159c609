"""Bookings of the tasks that run or are suspended at the start of a run."""

from collections.abc import Iterator

from qmon_tui.model import State
from qmon_tui.scheduler.configuration import CompiledCluster
from qmon_tui.scheduler.jobs import Category, RunJob, job_profiles_of, split_job
from qmon_tui.scheduler.matching.resources import Resources


def started_jobs(compiled: CompiledCluster, state: State) -> Iterator[RunJob]:
    """Yield the jobs with running or suspended tasks in the order of their numbers, with only those tasks."""
    job_profiles = job_profiles_of(compiled)
    for job in sorted(state.jobs, key=lambda job: job.id):
        if not any(task.granted for task in job.tasks.values()):
            continue
        split = split_job(job, False, frozenset(), state.now, compiled.max_aj_instances)
        if split.running or split.suspended:
            job_profile = job_profiles.of(job)
            yield RunJob(
                job,
                split,
                job_profile.demand,
                Category(job_profile.demand),
                job_profile.project,
                job_profile.department,
                (),
            )


def debit_started(run_job: RunJob, resources: Resources) -> None:
    """Book a job's running and suspended tasks; ignore queue instances that were removed."""
    for number in (*run_job.split.running, *run_job.split.suspended):
        task = run_job.job.tasks[number]
        resources.debit(run_job.demand, resources.grants_of(task))
        environment = resources.environment_of(run_job.job, number)
        if environment is not None:
            resources.debit_environment(environment, sum(task.granted.values()), task.started or 0)
