"""The effect of disabling queue instances: tasks running there with their ends, jobs that fit only there."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from qmon_tui.explain.alone import starts_alone
from qmon_tui.explain.not_yet import expected_end
from qmon_tui.model import Cluster, State
from qmon_tui.qmaster import InstanceCommand, QmodQueues, Run
from qmon_tui.scheduler.jobs import RunJob

_LEAST_TRIALS, _MOST_TRIALS, _WORK = 20, 400, 60_000
"""Fewest and most categories tried; between these, as many as `_WORK` divided by the number of queue instances."""


@dataclass(frozen=True, slots=True)
class RunningThere:
    """A started task in one of the queue instances."""

    job: int
    task: int | None
    """None for a job that is no array."""
    name: str
    owner: str
    instances: tuple[str, ...]
    end: int | None
    """Its latest end, seconds since the epoch; None without a limit."""
    by: str = ""
    """The limit that ends it: h_rt, or its run time."""


@dataclass(frozen=True, slots=True)
class DrainEffect:
    """The effect of disabling queue instances."""

    running: tuple[RunningThere, ...] = ()
    """By descending end; tasks without a limit come first."""
    stranded: tuple[int, ...] = ()
    """Pending jobs that would start alone on the cluster as it is, and not without these queue instances."""
    untried: int = 0
    """Pending jobs of categories that were not tried."""


def drain_effect(run: Run, names: Collection[str]) -> DrainEffect:
    """Return the effect of disabling queue instances; of each category one pending job is tried."""
    disabled_names = frozenset(names)
    running = sorted(_running(run, disabled_names), key=lambda task: (task.end is not None, -(task.end or 0), task.job))
    cluster = run.compiled.cluster
    after = run.again(cluster, disabled(cluster, run.state, names)).full()
    waiting: dict[int, list[RunJob]] = {}
    for run_job in run.jobs:
        if _waits(run_job) and not after.starts_of(run_job.id):
            waiting.setdefault(id(run_job.category), []).append(run_job)
    most = max(_LEAST_TRIALS, min(_MOST_TRIALS, _WORK // (len(run.resources.instances) + 1)))
    stranded: list[int] = []
    untried = 0
    for place, jobs in enumerate(waiting.values()):
        if place >= most:
            untried += len(jobs)
        elif not starts_alone(after, jobs[0].job, is_open=False) and starts_alone(run, jobs[0].job, is_open=False):
            stranded += [run_job.id for run_job in jobs]
    return DrainEffect(tuple(running), tuple(sorted(stranded)), untried)


def disabled(cluster: Cluster, state: State, names: Collection[str]) -> State:
    """Return the state with queue instances disabled."""
    return QmodQueues(InstanceCommand.DISABLE, tuple(names)).apply(cluster, state).state


def _running(run: Run, names: frozenset[str]) -> Iterator[RunningThere]:
    for run_job in run.jobs:
        job = run_job.job
        for number, task in job.tasks.items():
            instances = tuple(name for name in task.granted if name in names)
            if instances and "q" not in task.state:
                end, by = expected_end(run, run_job, number) or (None, "")
                shown = None if job.request.array is None else number
                yield RunningThere(job.id, shown, job.name, job.owner, instances, end, by)


def _waits(run_job: RunJob) -> bool:
    job = run_job.job
    if len(job.task_ids) > len(job.tasks):
        return True
    return any("q" in task.state for task in job.tasks.values())
