"""Orphans: queue instances removed from the configuration while jobs or advance reservations are in them.

While it is in use, the qmaster keeps such an instance (state o, lifecycle.md#states-of-queue-instances) with the values
of its cluster queue for its host, including later changes. 8.1.9 may keep it even longer, as the recorded state shows.
It takes no other jobs.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain

from qmon_tui.model import AdvanceReservation, Cluster, Job, Kind, memoized
from qmon_tui.scheduler.configuration import CompiledCluster, compile_cluster
from qmon_tui.scheduler.jobs import TaskList, task_list_of
from qmon_tui.scheduler.suspension.queue_states import ORPHANED
from qmon_tui.values import BLANK_OR_COMMA, split_names

Orphans = frozenset[tuple[str, str]]
"""(cluster queue, host)."""


@memoized(size=16)
def orphans_of(
    compiled: CompiledCluster,
    jobs: Iterable[Job],
    reservations: Iterable[AdvanceReservation],
    queue_states: Mapping[str, str],
) -> Orphans:
    """Return the orphans of a state, for a configuration compiled without orphans."""
    queues, instances = compiled.cluster.objects(Kind.QUEUE), _instance_names(compiled)
    kept = _kept(jobs, reservations, queue_states)
    pairs = (name.partition("@")[::2] for name in kept if name not in instances)
    return frozenset((queue, host) for queue, host in pairs if queue in queues and host in compiled.hosts)


@memoized(size=4)
def _instance_names(compiled: CompiledCluster) -> frozenset[str]:
    return frozenset([instance.name for instance in compiled.instances])


def compile_with_orphans(cluster: Cluster, orphans: Orphans) -> CompiledCluster:
    """Return the compiled form of a cluster with these orphans."""
    if not orphans:
        return compile_cluster(cluster)
    names = frozenset(f"{queue}@{host}" for queue, host in orphans)
    return replace(compile_cluster(_extended_by(cluster, orphans)), cluster=cluster, orphans=names)


def _kept(
    jobs: Iterable[Job], reservations: Iterable[AdvanceReservation], queue_states: Mapping[str, str]
) -> Iterator[str]:
    started = (
        task.granted
        for job in jobs
        for task in job.tasks.values()
        if task.granted and task_list_of(task.state) in (TaskList.RUNNING, TaskList.SUSPENDED)
    )
    yield from chain.from_iterable(chain(started, (reservation.granted for reservation in reservations)))
    yield from (name for name, letters in queue_states.items() if ORPHANED in letters)


def _extended_by(cluster: Cluster, orphans: Orphans) -> Cluster:
    """Return the cluster with the orphans' hosts in the host lists of their queues, so that they get values."""
    for queue, host in sorted(orphans):
        obj = cluster.objects(Kind.QUEUE)[queue]
        hosts = obj.text("hostlist")
        # A list that begins with NONE is empty, whatever follows.
        extended = f"{hosts} {host}" if split_names(hosts, BLANK_OR_COMMA) else host
        cluster = cluster.with_object(obj.with_value("hostlist", extended))
    return cluster
