"""Users that the qmaster adds by itself, and removes again with all that the share tree knows of them.

Source: sge_conf(5) enforce_user, auto_user_delete_time.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from qmon_tui.model import GLOBAL, Cluster, Kind, configuration_of
from qmon_tui.qmaster.transition import UserExpired
from qmon_tui.simulation.happening import Happening
from qmon_tui.values import parse_number

if TYPE_CHECKING:
    from qmon_tui.simulation.simulator import Simulator

_CHECK_INTERVAL: Final = 60
"""Seconds between two looks of the qmaster for users whose time is over."""


@dataclass(frozen=True, slots=True)
class UsersCleanedUp(Happening):
    """The qmaster looks for users whose time is over."""

    def happen(self, simulator: "Simulator") -> None:
        """Who has jobs is kept for the whole time once more."""
        simulator.users.clean_up(simulator)


class AutomaticUsers:
    """When each of them is to be removed, in seconds since the epoch."""

    def __init__(self) -> None:
        self._delete_times: dict[str, int] = {}

    def note_beginning(self, simulator: "Simulator") -> None:
        """Everybody who is known from before is kept from now on as if he had just submitted a job."""
        owners = {job.owner: None for job in simulator.state.jobs} | dict.fromkeys(simulator.state.usage.users)
        for owner in owners:
            self.note_submission(simulator, owner)

    def note_submission(self, simulator: "Simulator", owner: str) -> None:
        """Somebody has submitted a job: he is added where he is no user yet, and kept for some time from now on."""
        lifetime = _lifetime(simulator.cluster)
        if lifetime and simulator.cluster.get(Kind.USER, owner) is None:
            if not self._delete_times:
                simulator.queue.plan(simulator.now + _CHECK_INTERVAL, UsersCleanedUp())
            self._delete_times[owner] = simulator.now + lifetime

    def clean_up(self, simulator: "Simulator") -> None:
        """Remove those without jobs whose time is over, and look again while there are others."""
        now, lifetime = simulator.now, _lifetime(simulator.cluster)
        busy = {job.owner for job in simulator.state.jobs}
        for owner, time in tuple(self._delete_times.items()):
            if owner in busy:
                self._delete_times[owner] = now + lifetime
            elif time <= now:
                del self._delete_times[owner]
                simulator.let_happen(UserExpired(owner))
        is_over = simulator.settings.until is None and not (simulator.state.jobs or simulator.coming)
        if self._delete_times and not is_over:
            simulator.queue.plan(now + _CHECK_INTERVAL, UsersCleanedUp())


def _lifetime(cluster: Cluster) -> int:
    """Seconds for which an automatic user is kept after his last job; 0 where there are none, or for ever."""
    configuration = configuration_of(cluster, GLOBAL)
    if configuration is None or configuration.text("enforce_user").strip().lower() != "auto":
        return 0
    try:
        return int(max(0.0, min(parse_number(configuration.text("auto_user_delete_time")), 2.0**32)))
    except ValueError:
        return 0
