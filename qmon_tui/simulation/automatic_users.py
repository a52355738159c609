"""Users that the qmaster adds automatically, and removes again together with their usage in the share tree.

Source: sge_conf(5) enforce_user, auto_user_delete_time.
"""

from collections.abc import Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from qmon_tui.model import GLOBAL, Cluster, Kind, configuration_of
from qmon_tui.qmaster.transition import UserExpired
from qmon_tui.simulation.event_queue import SimulationEvent
from qmon_tui.values import parse_number

if TYPE_CHECKING:
    from qmon_tui.simulation.simulator import Simulator

_CHECK_INTERVAL: Final = 60
"""Seconds between two checks of the qmaster for expired users."""


@dataclass(frozen=True, slots=True)
class UsersCleanedUp(SimulationEvent):
    """The qmaster's check for expired users."""

    def apply(self, simulator: "Simulator") -> None:
        """Remove expired users; the lifetime of users with jobs begins again."""
        simulator.users.clean_up(simulator)


class AutomaticUsers:
    """The automatic users and the time at which each is to be removed."""

    def __init__(self) -> None:
        self._delete_times: dict[str, int] = {}
        """User -> time of removal in seconds since the epoch."""
        self._last_check = 0
        """Time of the last minutely check, or of the beginning of these checks."""

    def note_beginning(self, simulator: "Simulator") -> None:
        """Begin the lifetime of all known users now, as if each had just submitted a job."""
        owners = {job.owner: None for job in simulator.state.jobs} | dict.fromkeys(simulator.state.usage.users)
        for owner in owners:
            self.note_submission(simulator, owner)

    def note_submission(self, simulator: "Simulator", owner: str) -> None:
        """Note a submission: add the owner if there is no such user; the lifetime of the user begins again."""
        lifetime = _lifetime(simulator.cluster)
        if lifetime and simulator.cluster.get(Kind.USER, owner) is None:
            if not self._delete_times:
                self._last_check = simulator.now
            self._delete_times[owner] = simulator.now + lifetime
            if UsersCleanedUp() not in simulator.queue:
                passed = simulator.now - self._last_check
                simulator.queue.plan(simulator.now + _CHECK_INTERVAL - passed % _CHECK_INTERVAL, UsersCleanedUp())

    def clean_up(self, simulator: "Simulator") -> None:
        """Remove expired users without jobs, and plan the next check."""
        now, lifetime = simulator.now, _lifetime(simulator.cluster)
        self._last_check = now
        busy = {job.owner for job in simulator.state.jobs}
        for owner, time in tuple(self._delete_times.items()):
            if owner in busy:
                self._delete_times[owner] = now + lifetime
            elif time <= now:
                del self._delete_times[owner]
                simulator.let_happen(UserExpired(owner))
        is_left = bool(simulator.state.jobs or simulator.coming) and simulator.next_time is not None
        next_check = self._next_check(simulator, busy) if is_left or simulator.settings.until is not None else None
        if next_check is not None:
            simulator.queue.plan(next_check, UsersCleanedUp())

    def _next_check(self, simulator: "Simulator", busy: Set[str]) -> int | None:
        """Return the time of the next minutely check that may remove a user, in seconds since the epoch, or None.

        No jobs change until the next event, so only the last check before it matters.
        """
        times = [time for owner, time in self._delete_times.items() if owner not in busy]
        if busy & self._delete_times.keys() and simulator.next_time is not None:
            times.append(simulator.next_time - _CHECK_INTERVAL)
        if not times:
            return None
        checks = max(1, -(-(min(times) - simulator.now) // _CHECK_INTERVAL))
        return simulator.now + checks * _CHECK_INTERVAL


def _lifetime(cluster: Cluster) -> int:
    """Return the seconds that an automatic user is kept after the last job; 0 if for ever, or without such users."""
    configuration = configuration_of(cluster, GLOBAL)
    if configuration is None or configuration.text("enforce_user").strip().lower() != "auto":
        return 0
    try:
        return int(max(0.0, min(parse_number(configuration.text("auto_user_delete_time")), 2.0**32)))
    except ValueError:
        return 0
