"""Past usage over a sequence of runs; the decay of a user or project is computed when it is read.

The rule is `collected`. What fades in several steps is multiplied step by step here, too, as the rule does it.
"""

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from qmon_tui.model import PastUsage, Usage, read_only
from qmon_tui.scheduler.configuration import UsagePolicy
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.priority import Booking, LeftOver, bookings_of, faded, with_booking

_MOST_ASKED: Final = 16


class UsageOfRuns:
    """Past usage, updated per run; rebuilt if `before` is not the object last returned."""

    def __init__(self, policy: UsagePolicy) -> None:
        self._policy = policy
        self._latest: PastUsage | None = None
        self._users = self._projects = _Log({}, policy)

    def after(self, before: PastUsage, jobs: Iterable[RunJob], now: int) -> PastUsage:
        """That after a run, given the one before it and the jobs of which something is to be booked."""
        if before is not self._latest:
            self._users, self._projects = (_Log(known, self._policy) for known in (before.users, before.projects))
        users, projects = self._users, self._projects
        for booking in bookings_of(jobs):
            (projects if booking.is_of_project else users).book(booking)
        self._latest = PastUsage(users.after_run(now), projects.after_run(now))
        return self._latest


class _Log:
    """The usage of some, when runs were since then, and what these booked."""

    def __init__(self, known: Mapping[str, Usage], policy: UsagePolicy) -> None:
        self.known = known
        self._policy = policy
        self._times: list[int] = []
        self._booked: dict[str, list[tuple[int, Booking]]] = {}
        """Name -> in which run it was, and what."""
        self._parts: dict[int, LeftOver] = {}
        self._asked: dict[str, dict[int, Usage]] = {}
        """Name -> number of runs -> usage after them, for the values that were read."""

    def book(self, booking: Booking) -> None:
        """The next run books something."""
        self._booked.setdefault(booking.name, []).append((len(self._times), booking))

    def after_run(self, now: int) -> Mapping[str, Usage]:
        """The usage after the next run, which is now."""
        self._times.append(now)
        return _UsageAfterRuns(self, len(self._times)) if self.known or self._booked else MappingProxyType({})

    def names(self, runs: int) -> Iterator[str]:
        """Yield the names that have usage after the first `runs` runs."""
        yield from self.known
        for name, booked in tuple(self._booked.items()):
            if name not in self.known and booked[0][0] < runs:
                yield name

    def usage(self, name: str, runs: int) -> Usage:
        """Return the usage of a name after the first `runs` runs. Raises KeyError if it has none."""
        booked = self._booked.get(name, ())
        asked = self._asked.get(name) or {}
        first = max((run for run in asked if run <= runs), default=0)
        usage = asked[first] if first else self.known.get(name)
        if usage is None:
            first = booked[0][0] if booked else runs
        if usage is None and first >= runs:
            raise KeyError(name)
        by_run: dict[int, list[Booking]] = {}
        for run, booking in reversed(booked):
            if run < first:
                break
            by_run.setdefault(run, []).insert(0, booking)
        for run in range(first, runs):
            now = self._times[run]
            if usage is not None:
                usage = faded(usage, now, self._policy, self._parts)
            for booking in by_run.get(run, ()):
                usage = with_booking(usage, booking, now)
        assert usage is not None
        if len(asked) >= _MOST_ASKED:
            del asked[next(iter(asked))]
        asked[runs] = usage
        self._asked[name] = asked
        return usage


class _UsageAfterRuns(Mapping[str, Usage]):
    """The usage after the first `runs` runs of a log."""

    __slots__ = ("_log", "_runs")

    def __init__(self, log: _Log, runs: int) -> None:
        self._log = log
        self._runs = runs

    def __getitem__(self, name: str) -> Usage:
        return self._log.usage(name, self._runs)

    def __iter__(self) -> Iterator[str]:
        return self._log.names(self._runs)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        return f"{dict(self)!r}"

    def __reduce__(self) -> tuple[Any, ...]:
        # A pickle holds the computed values.
        return read_only, (dict(self),)
