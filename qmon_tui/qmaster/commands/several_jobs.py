"""One command for several jobs, which takes hardly longer than for one: each is given what it has to look at only."""

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
    """The command for each target. Each is given its own job alone, unless it has to look at the others.

    So it has where something is remembered of the job's category, which goes with the last job that is sent again. With
    `with_neighbours` it is also given those on the same hosts, where queue instances stand still because of others.
    """
    known = {job.id: job for job in state.jobs}
    others = state
    neighbours = _Neighbours(state.jobs if with_neighbours and has_subordinates(cluster) else ())
    when = moments(latest_moment(state.jobs, state.now))
    changed = False
    said: list[str] = []
    for target in targets:
        job = known.get(target.job)
        looks = job is not None and (job.reservation_rejected or among_others(job))
        numbers = known if looks else [number for number in neighbours.of(target.job) if number in known]
        given = tuple(known[number] for number in numbers)
        seen = replace(others, jobs=given)
        reply = command(cluster, seen, target)
        said += reply.reasons
        if reply.state is seen:
            continue
        changed, others = True, reply.state
        left = {job.id: job for job in reply.state.jobs}
        for known_job in given:
            job_after = left.get(known_job.id)
            if job_after is None:
                del known[known_job.id]
            elif known_job is job and job_after.changed != known_job.changed:
                # It has come after those before it, of which it was not told.
                known[known_job.id] = replace(job_after, changed=next(when))
            else:
                known[known_job.id] = job_after
    if not changed:
        return Reply(state, tuple(said))
    after = replace(others, jobs=tuple(known.values()))
    return Reply(with_released_jobs(cluster, state, remembered(state, after)), tuple(said))


class _Neighbours:
    """Which jobs run on the same hosts: subordination and its trees are a matter of one host."""

    def __init__(self, jobs: Iterable[Job]) -> None:
        self._hosts: dict[int, frozenset[str]] = {}
        self._jobs: dict[str, set[int]] = {}
        for job in jobs:
            instances = (name for task in job.tasks.values() for name in task.granted)
            hosts = self._hosts[job.id] = frozenset(name.rpartition("@")[2] for name in instances)
            for host in hosts:
                self._jobs.setdefault(host, set()).add(job.id)

    def of(self, number: int) -> list[int]:
        """The job itself and its neighbours, by their numbers."""
        return sorted({number}.union(*(self._jobs[host] for host in self._hosts.get(number, ()))))
