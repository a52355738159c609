"""Predecessors of a job as resolved by qsub and qalter."""

from dataclasses import replace

from qmon_tui.model import Job, State
from qmon_tui.qmaster.commands.tasks import with_options
from qmon_tui.scheduler.jobs import Dependencies, dependencies_of


def with_resolved_hold_jid(state: State, job: Job) -> Job:
    """Return the job with -hold_jid and -hold_jid_ad limited to existing jobs.

    Later numbers are dropped, as the qmaster does; names that match jobs with later numbers, as only qalter's can,
    become numbers.
    """
    if not any(named for _, named in _waits(job)):
        return job
    dependencies = dependencies_of(state)
    for option, named in _waits(job):
        settled = tuple(dependencies.settled(job, named))
        if settled != named:
            job = with_options(job, f"{option} {','.join(settled) or '0'}")
    return job


def without_absent_predecessors(state: State, job: Job) -> Job:
    """Return the job with -hold_jid and -hold_jid_ad without numbers of missing jobs.

    Jobs of a workload may come in any order. A qmaster counts up, so a lower number that is missing has ended.
    """
    if not any(named for _, named in _waits(job)):
        return job
    dependencies = dependencies_of(state)
    for option, named in _waits(job):
        there = tuple(name for name in named if not name[:1].isdigit() or dependencies.is_there(job, name))
        if there != named:
            job = with_options(job, f"{option} {','.join(there) or '0'}")
    return job


def with_resolved_successors(state: State, job: Job) -> State:
    """Return the state in which the owner's jobs name predecessors by number instead of pattern, before a rename."""
    dependencies = dependencies_of(state)
    return replace(state, jobs=tuple(_in_numbers(other, job, dependencies) for other in state.jobs))


def _in_numbers(job: Job, renamed: Job, dependencies: Dependencies) -> Job:
    if job.owner == renamed.owner and job.id != renamed.id:
        for option, named in _waits(job):
            if not all(name[:1].isdigit() for name in named):
                numbers = sorted(other.id for other in dependencies.predecessors(job, named))
                job = with_options(job, f"{option} {','.join(map(str, numbers)) or '0'}")
    return job


def cycle(state: State, job: Job) -> str | None:
    """Return the qmaster's message if a job would indirectly depend on itself; else None."""
    if not any(named for _, named in _waits(job)):
        return None
    others = (job if other.id == job.id else other for other in state.jobs)
    return dependencies_of(State(jobs=tuple(others))).cycle(job)


def _waits(job: Job) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return (option, names and numbers) for both dependency options."""
    return ("-hold_jid", job.request.hold_jid), ("-hold_jid_ad", job.request.hold_jid_ad)
