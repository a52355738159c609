"""One command for several jobs, hardly slower than for one: each job is processed with only the jobs it depends on."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from qmon_tui.model import Cluster, Job, State
from qmon_tui.qmaster.commands.command import Reply, Target
from qmon_tui.qmaster.commands.job_numbers import remembered
from qmon_tui.qmaster.commands.subordinate_suspension import has_subordinates
from qmon_tui.qmaster.scheduler_events import latest_moment, moments, with_released_jobs

ForOne = Callable[[Cluster, State, Target], Reply]
"""The command for one job or some of its tasks."""


def for_each(
    cluster: Cluster,
    state: State,
    targets: Sequence[Target],
    command: ForOne,
    among_others: Callable[[Job], bool] = lambda _: False,
    *,
    with_neighbours: bool = False,
) -> Reply:
    """Apply the command to each target; its job is processed alone unless it depends on others (`among_others`).

    A job with `reservation_rejected` always does: its category loses that when its last job is sent again.
    `with_neighbours` adds the jobs on the same hosts if there is subordination.
    """
    known = {job.id: job for job in state.jobs}
    others = state
    neighbours = _Neighbours(state.jobs if with_neighbours and has_subordinates(cluster) else ())
    when = moments(latest_moment(state.jobs, state.now))
    changed = False
    printed: list[str] = []
    for target in targets:
        job = known.get(target.job)
        is_dependent = job is not None and (job.reservation_rejected or among_others(job))
        numbers = known if is_dependent else [number for number in neighbours.of(target.job) if number in known]
        given = tuple(known[number] for number in numbers)
        seen = replace(others, jobs=given)
        reply = command(cluster, seen, target)
        printed += reply.reasons
        if reply.state is seen:
            continue
        changed, others = True, reply.state
        left = {job.id: job for job in reply.state.jobs}
        for known_job in given:
            job_after = left.get(known_job.id)
            if job_after is None:
                del known[known_job.id]
            elif known_job is job and job_after.changed != known_job.changed:
                # The command did not see the jobs changed by earlier targets, so their order is set here.
                known[known_job.id] = replace(job_after, changed=next(when))
            else:
                known[known_job.id] = job_after
    if not changed:
        return Reply(state, tuple(printed))
    after = replace(others, jobs=tuple(known.values()))
    return Reply(with_released_jobs(cluster, state, remembered(state, after)), tuple(printed))


class _Neighbours:
    """The jobs on the same hosts: subordination is within a host."""

    def __init__(self, jobs: Iterable[Job]) -> None:
        self._hosts: dict[int, frozenset[str]] = {}
        self._jobs: dict[str, set[int]] = {}
        for job in jobs:
            instances = (name for task in job.tasks.values() for name in task.granted)
            hosts = self._hosts[job.id] = frozenset(name.rpartition("@")[2] for name in instances)
            for host in hosts:
                self._jobs.setdefault(host, set()).add(job.id)

    def of(self, number: int) -> list[int]:
        """Return the numbers of the job and its neighbours."""
        return sorted({number}.union(*(self._jobs[host] for host in self._hosts.get(number, ()))))
