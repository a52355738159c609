"""Making an advance reservation: who, and the form with the line of qrsub."""

from qmon_tui.model.cluster import Cluster
from qmon_tui.model.state import State
from qmon_tui.simulation.commands import reserve
from qmon_tui.tui.jobs.owned_form import OwnedForm
from qmon_tui.tui.present.jobtable.job_drafts import NewReservation
from qmon_tui.tui.present.reservations import reservation_fields, reservation_trial_lines
from qmon_tui.tui.present.spans import Line
from qmon_tui.workspace.verify import ReservationTrial, try_reservation

Wanted = tuple[str, str, str]
"""Owner, group, options."""


class ReservationForm(OwnedForm[Wanted, ReservationTrial]):
    """Answers who wants what, or None."""

    def __init__(self, cluster: Cluster, state: State, owner: str, line: str) -> None:
        super().__init__("Make an advance reservation", "reserve", reservation_fields(cluster),
                         NewReservation(line, line, state.now), owner)  # fmt: skip
        self._cluster, self._state = cluster, state

    def result(self) -> Wanted:
        """Owner, group, options."""
        return (*self.owner_and_group("root"), self.line)

    def objection(self) -> str | None:
        """qrsub's words."""
        owner, group, line = self.result()
        reply = reserve(self._cluster, self._state, owner, line, group=group)
        return reply.said[-1] if reply.state is self._state else None

    def trial(self) -> ReservationTrial:
        """What would be granted."""
        owner, group, line = self.result()
        return try_reservation(self._cluster, self._state, owner, group, line)

    def trial_lines(self, trial: ReservationTrial, cells: int) -> tuple[Line, ...]:
        """In words."""
        return reservation_trial_lines(trial, cells)
