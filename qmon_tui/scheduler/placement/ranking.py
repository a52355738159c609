"""The ranks of hosts by load at one moment: what tells the scheduler whether to sort (dispatch.md 7.1).

A job that asks for several slots and fails before any host is looked at has the hosts ranked, but nothing sorted. From
then on the list of queue instances stays as it was, whatever the loads, until some host changes its rank.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

_GLOBAL_LOAD = 0.0
"""The global host is ranked with the others."""


class Ranking:
    """The loads of all hosts when they were ranked, and what has changed since."""

    def __init__(self, host_of: Sequence[int], loads: Sequence[float]) -> None:
        self._host_of = host_of
        self._loads = loads
        self._sorted = sorted([_GLOBAL_LOAD, *loads])
        self._changed: dict[int, float] = {}
        self._is_forgotten = False
        self._is_other: bool | None = False
        self.has_news = False
        """The load of some host has changed since; as long as none has, the hosts are not ranked again."""

    def note(self, number: int, load: float) -> None:
        """The load of a queue instance's host is another one from now on, or the same."""
        host = self._host_of[number]
        if load != self._changed.get(host, self._loads[host]):
            self._changed[host] = load
            self._is_other = None
            self.has_news = True

    def forget(self) -> None:
        """The hosts were given numbers of another kind: as soon as some load changes, all seem to have another rank."""
        self._is_forgotten = True
        self._is_other = False
        self.has_news = False

    @property
    def is_other(self) -> bool:
        """Tell whether some host has another rank now."""
        if self._is_other is None:
            self._is_other = self._is_forgotten or self._differs()
        return self._is_other

    def _differs(self) -> bool:
        changed = {host: load for host, load in self._changed.items() if load != self._loads[host]}
        if len(changed) == 1:
            ((host, load),) = changed.items()
            return self._passes(self._loads[host], load)
        now = [changed.get(host, load) for host, load in enumerate(self._loads)]
        return _ranks(now) != _ranks(self._loads)

    def _passes(self, before: float, now: float) -> bool:
        """Tell whether one host that leaves its load for another one leaves, meets or passes any other host."""
        low, high = min(before, now), max(before, now)
        return bisect_right(self._sorted, high) - bisect_left(self._sorted, low) > 1


def _ranks(loads: Sequence[float]) -> list[int]:
    ranks = {load: rank for rank, load in enumerate(sorted({_GLOBAL_LOAD, *loads}))}
    return [ranks[load] for load in loads]
