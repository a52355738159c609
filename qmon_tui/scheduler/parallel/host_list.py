"""The scheduler's list of hosts; it decides the order of messages about hosts.

At first it is sorted by load. Each attempt to place a parallel job moves the hosts with eligible queue instances to the
front, in the order of the instances. Each start takes out the hosts it uses, one by one, and inserts each before the
first host with at least its load; if a load has changed, the list is then sorted stably.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from qmon_tui.scheduler.parallel.available_slots import AvailableSlots
from qmon_tui.scheduler.parallel.pe_attempt import SearchContext

Key = tuple[int, str]
"""(id of the category, PE)."""

_MOST_ATTEMPTS: Final = 8
"""The maximum number of attempts kept for replay; beyond it the oldest is dropped."""

_GLOBAL: Final = -1
"""The number of the global host; it is sorted with load 0."""


@dataclass(slots=True)
class _Attempt:
    """A recorded attempt, and the starts until the next attempt."""

    available_slots: AvailableSlots | None = None
    """None for the starts before the first attempt."""
    starts: dict[int, float] = field(default_factory=dict)
    """Host -> its load after the start; the host used last comes last."""
    must_sort: bool = False
    """True if some load has changed."""

    def note(self, starts: Mapping[int, float]) -> None:
        for host, load in starts.items():
            self.starts.pop(host, None)
            self.starts[host] = load


class HostList:
    """The list of hosts in one run; attempts and starts are recorded, and replayed only when the list is read."""

    def __init__(self, context: SearchContext, loads: Sequence[float]) -> None:
        self._context = context
        self._loads = [*loads, 0.0]
        """The loads after the replayed events; the last is the global host's."""
        self._latest = list(loads)
        self._hosts: list[int] = []
        self._attempt = _Attempt()
        """The latest attempt."""
        self._attempts: dict[Key | None, _Attempt] = {None: self._attempt}

    def take_over(self, before: "HostList") -> None:
        """Take the state of `before`, which must not be used again."""
        self._loads, self._latest, self._hosts = before._loads, before._latest, before._hosts
        self._attempt, self._attempts = before._attempt, before._attempts

    def __iter__(self) -> Iterator[int]:
        return (host for host in self._hosts if host != _GLOBAL)

    @property
    def ranks(self) -> list[int]:
        """The rank of each host by load, as 8.1.9 calculates it from the list, even if that is not sorted.

        A host with a higher load than all hosts before it gets the next rank; any other has the rank of the one before.
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
        """Record that an attempt moved hosts to the front; it replaces an earlier one with the same key."""
        if key in self._attempts:
            self._forget(key)
        self._attempt = self._attempts[key] = _Attempt(available_slots)
        if len(self._attempts) > _MOST_ATTEMPTS:
            self._forget(list(self._attempts)[1])

    def note_start(self, host: int, load: float | None = None) -> None:
        """Record a start on a host and its new load; None if the load is unchanged."""
        attempt = self._attempt
        starts = attempt.starts
        starts.pop(host, None)
        if load is None:
            starts[host] = self._latest[host]
            return
        starts[host] = load
        if self._latest[host] != load:
            attempt.must_sort = True
            self._latest[host] = load

    def arrange(self, first: Iterable[int]) -> None:
        front = dict.fromkeys(first)
        self._hosts = [*front, *(host for host in self._hosts if host not in front)]

    def catch_up(self) -> None:
        """Replay the recorded events."""
        if not self._hosts:
            hosts = self._context.resources.hosts_in_order
            self._hosts = sorted([_GLOBAL, *hosts], key=self._loads.__getitem__)
        for attempt in self._attempts.values():
            if attempt.available_slots is not None:
                self.arrange(eligible_hosts(self._context, attempt.available_slots))
            self._start(attempt)
        self._attempt = _Attempt()
        self._attempts = {None: self._attempt}

    def _start(self, attempt: _Attempt) -> None:
        if not attempt.must_sort:
            for host in attempt.starts:
                self._hosts.remove(host)
                at_least_its_load = (
                    position for position, other in enumerate(self._hosts) if self._loads[other] >= self._loads[host]
                )
                self._hosts.insert(next(at_least_its_load, len(self._hosts)), host)
            return
        for host, load in attempt.starts.items():
            self._loads[host] = load
        # After sorting, the host used last comes first among hosts with equal load.
        used = [*reversed(attempt.starts), *(host for host in self._hosts if host not in attempt.starts)]
        self._hosts = sorted(used, key=self._loads.__getitem__)

    def _forget(self, key: Key | None) -> None:
        """Drop an attempt; the attempt before it takes over its starts."""
        keys = list(self._attempts)
        gone, before = self._attempts.pop(key), self._attempts[keys[keys.index(key) - 1]]
        before.note(gone.starts)
        before.must_sort |= gone.must_sort


def eligible_hosts(context: SearchContext, available_slots: AvailableSlots) -> Iterator[int]:
    """Yield the host of each queue instance whose cluster queue the attempt does not rule out, in the list's order."""
    instances, host_of = context.resources.instances, context.resources.host_of
    fits: dict[str, bool] = {}
    for number in context.order:
        queue = instances[number].queue
        if queue not in fits:
            fits[queue] = available_slots.queue_fits(queue)
        if fits[queue]:
            yield host_of[number]
