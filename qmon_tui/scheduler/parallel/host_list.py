"""The scheduler's list of hosts, whose order decides in which order something is said about hosts.

At first it is sorted by load. Every attempt to place a parallel job puts the hosts with eligible queue instances first,
in the order of these, and leaves the list so. Every start takes out the hosts that it uses, one after the other, and
puts each in front of the first host that is loaded no less; if the load of one has changed by that, the list is sorted
again, which does not change the order of equals.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from qmon_tui.scheduler.parallel.available_slots import AvailableSlots
from qmon_tui.scheduler.parallel.pe_attempt import SearchContext

Key = tuple[int, str]
"""Category and parallel environment."""

_FOLLOWED: Final = 8
"""How many kinds of silent attempts back the order is followed."""

_GLOBAL: Final = -1
"""The global host, which is sorted with the others as if its load were 0."""


@dataclass(slots=True)
class _Stretch:
    """An attempt that was noted, and what was started before the next one."""

    available_slots: AvailableSlots | None = None
    starts: dict[int, float] = field(default_factory=dict)
    """Host -> its load then; who was used last comes last."""
    must_sort: bool = False
    """Some load has changed."""

    def note(self, starts: Mapping[int, float]) -> None:
        for host, load in starts.items():
            self.starts.pop(host, None)
            self.starts[host] = load


class HostList:
    """The list of one run, given the loads of all hosts before it.

    What has happened is noted only, and made up for when the list is wanted.
    """

    def __init__(self, context: SearchContext, loads: Sequence[float]) -> None:
        self._context = context
        self._loads = [*loads, 0.0]
        """As of what was made up for; the last one is that of the global host."""
        self._latest = list(loads)
        self._hosts: list[int] = []
        self._stretch = _Stretch()
        """The last of all."""
        self._stretches: dict[Key | None, _Stretch] = {None: self._stretch}

    def take_over(self, before: "HostList") -> None:
        """Be the list that another one has become."""
        self._loads, self._latest, self._hosts = before._loads, before._latest, before._hosts
        self._stretch, self._stretches = before._stretch, before._stretches

    def __iter__(self) -> Iterator[int]:
        return (host for host in self._hosts if host != _GLOBAL)

    @property
    def ranks(self) -> list[int]:
        """The ranks of all hosts by load, as 8.1.9 works them out: in the order of the list, sorted or not.

        A host comes after those before it only if it is loaded more than all of them; else it ranks with the last one.
        """
        ranks = [0] * len(self._latest)
        rank, highest = 0, self._loads[self._hosts[0]]
        for host in self._hosts:
            if self._loads[host] > highest:
                rank, highest = rank + 1, self._loads[host]
            if host != _GLOBAL:
                ranks[host] = rank
        return ranks

    def note_attempt(self, key: Key, available_slots: AvailableSlots) -> None:
        """Note that an attempt has put the hosts into its order; what one like it did before is of no matter now."""
        if key in self._stretches:
            self._forget(key)
        self._stretch = self._stretches[key] = _Stretch(available_slots)
        if len(self._stretches) > _FOLLOWED:
            self._forget(list(self._stretches)[1])

    def note_start(self, host: int, load: float | None = None) -> None:
        """Note that something was started on a host, and the load that it has since; None where that is as before."""
        stretch = self._stretch
        starts = stretch.starts
        starts.pop(host, None)
        if load is None:
            starts[host] = self._latest[host]
            return
        starts[host] = load
        if self._latest[host] != load:
            stretch.must_sort = True
            self._latest[host] = load

    def arrange(self, first: Iterable[int]) -> None:
        """Put some hosts first."""
        front = dict.fromkeys(first)
        self._hosts = [*front, *(host for host in self._hosts if host not in front)]

    def catch_up(self) -> None:
        """Let the list be what the next attempt finds."""
        if not self._hosts:
            hosts = self._context.resources.hosts_in_order
            self._hosts = sorted([_GLOBAL, *hosts], key=self._loads.__getitem__)
        for stretch in self._stretches.values():
            if stretch.available_slots is not None:
                self.arrange(eligible_hosts(self._context, stretch.available_slots))
            self._start(stretch)
        self._stretch = _Stretch()
        self._stretches = {None: self._stretch}

    def _start(self, stretch: _Stretch) -> None:
        if not stretch.must_sort:
            for host in stretch.starts:
                self._hosts.remove(host)
                no_less = (
                    position for position, other in enumerate(self._hosts) if self._loads[other] >= self._loads[host]
                )
                self._hosts.insert(next(no_less, len(self._hosts)), host)
            return
        for host, load in stretch.starts.items():
            self._loads[host] = load
        # Among equals, who was put in front of the others last is the first of them after sorting.
        used = [*reversed(stretch.starts), *(host for host in self._hosts if host not in stretch.starts)]
        self._hosts = sorted(used, key=self._loads.__getitem__)

    def _forget(self, key: Key | None) -> None:
        """Take what was started after an attempt for started before it."""
        keys = list(self._stretches)
        gone, before = self._stretches.pop(key), self._stretches[keys[keys.index(key) - 1]]
        before.note(gone.starts)
        before.must_sort |= gone.must_sort


def eligible_hosts(context: SearchContext, available_slots: AvailableSlots) -> Iterator[int]:
    """The hosts of the queue instances of which an attempt does not rule out the cluster queue, in the list's order."""
    instances, host_of = context.resources.instances, context.resources.host_of
    fits: dict[str, bool] = {}
    for number in context.order:
        queue = instances[number].queue
        if queue not in fits:
            fits[queue] = available_slots.queue_fits(queue)
        if fits[queue]:
            yield host_of[number]
