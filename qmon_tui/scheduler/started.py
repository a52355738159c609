"""What the tasks that run or are suspended use, before anything is decided."""

from collections.abc import Iterator

from qmon_tui.model.state import State
from qmon_tui.scheduler.categories import Category
from qmon_tui.scheduler.compiled.cluster import Compiled
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.resources import Resources
from qmon_tui.scheduler.sorts import sorts_of
from qmon_tui.scheduler.split import split_job


def started_jobs(compiled: Compiled, state: State) -> Iterator[RunJob]:
    """The jobs of which something runs, in the order of their numbers, with nothing but what that uses."""
    sorts = sorts_of(compiled)
    for job in sorted(state.jobs, key=lambda one: one.id):
        if not any(task.granted for task in job.tasks.values()):
            continue
        split = split_job(job, False, frozenset(), state.now, compiled.max_aj_instances)
        if split.running or split.suspended:
            sort = sorts.of(job)
            yield RunJob(job, split, sort.demand, Category(sort.demand), sort.project, sort.department, ())


def debit_started(run_job: RunJob, resources: Resources) -> None:
    """Book what running and suspended tasks use; queue instances that are gone use nothing."""
    for number in (*run_job.split.running, *run_job.split.suspended):
        task = run_job.job.tasks[number]
        resources.debit(run_job.demand, resources.grants_of(task))
        environment = resources.environment_of(run_job.job, number)
        if environment is not None:
            resources.debit_environment(environment, sum(task.granted.values()), task.started or 0)
