"""What the place of the cluster shows, made in a worker."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from qmon_tui.model.cluster import Cluster
from qmon_tui.model.state import State
from qmon_tui.scheduler.outcome import InstanceOutcome, Outcome
from qmon_tui.tui.present.cluster.cluster_map import ClusterMap
from qmon_tui.tui.present.cluster.listing_tables import (
    HOST_FIELDS,
    INSTANCE_FIELDS,
    QUEUE_FIELDS,
    AnyLine,
    ListingField,
    ListingTable,
    SortOrder,
)
from qmon_tui.tui.present.cluster.qstat_listings import (
    HostLine,
    InstanceLine,
    QueueLine,
    host_lines,
    host_names,
    instance_lines,
    queue_lines,
)

_NONE: Final[frozenset[str]] = frozenset()


class Kind(StrEnum):
    """What is listed; the value is the title."""

    MAP = "Map"
    QUEUES = "Cluster queues (qstat -g c)"
    INSTANCES = "Queue instances (qstat -f)"
    HOSTS = "Hosts (qhost)"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What it is made of."""

    cluster: Cluster
    state: State
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Made:
    """All four listings of one run."""

    instances: list[InstanceLine]
    queues: list[QueueLine]
    hosts: list[HostLine]
    names: list[str]
    """All execution hosts."""
    by_name: dict[str, InstanceLine]
    outcomes: dict[str, InstanceOutcome]

    def rows(
        self,
        kind: Kind,
        words: str = "",
        column: int = 0,
        marked: frozenset[str] = _NONE,
        order: SortOrder | None = None,
    ) -> ClusterMap | ListingTable:
        """The table of a listing, only what contains all of the words; `order` is that of listings."""
        if kind is Kind.MAP:
            queues = [line.name for line in self.queues]
            whole = ClusterMap(self.names, queues, self.by_name, column, marked)
            hosts = [self.names[index] for index in range(len(whole)) if _contains(whole.text(index), words)]
            return ClusterMap(hosts, queues, self.by_name, column, marked) if words else whole
        if kind is Kind.QUEUES:
            return _listing("CLUSTER QUEUE", self.queues, QUEUE_FIELDS, words, marked, order)
        if kind is Kind.INSTANCES:
            return _listing("queuename", self.instances, INSTANCE_FIELDS, words, marked, order)
        return _listing("HOSTNAME", self.hosts, HOST_FIELDS, words, marked, order)

    def of_queue(self, queue: str) -> list[str]:
        """The queue instances of a cluster queue."""
        return [line.name for line in self.instances if line.queue == queue]

    def of_host(self, host: str) -> list[str]:
        """The queue instances on a host."""
        return [line.name for line in self.instances if line.host == host]


def _listing(
    title: str,
    lines: Sequence[AnyLine],
    fields: Sequence[ListingField],
    words: str,
    marked: frozenset[str],
    order: SortOrder | None,
) -> ListingTable:
    listing = ListingTable(title, lines, fields, marked, order)
    if not words:
        return listing
    kept = [line for index, line in enumerate(lines) if _contains(listing.text(index), words)]
    return ListingTable(title, kept, fields, marked, order)


def _contains(text: str, words: str) -> bool:
    text = text.casefold()
    return all(word in text for word in words.casefold().split())


def make(wanted: Wanted) -> Made:
    """All listings of a run."""
    instances = instance_lines(wanted.cluster, wanted.outcome)
    return Made(
        instances,
        queue_lines(wanted.cluster, instances),
        host_lines(wanted.cluster, wanted.state),
        host_names(wanted.cluster),
        {line.name: line for line in instances},
        {one.name: one for one in wanted.outcome.queue_instances},
    )
