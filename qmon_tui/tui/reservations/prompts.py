"""The questions of the page of the advance reservations: a new one by the form of qrsub, and qrdel."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from qmon_tui.model import AdvanceReservation, Cluster, State
from qmon_tui.qmaster import Qrdel, Qrsub, reserve
from qmon_tui.report import (
    Line,
    options_of,
    reservation_fields,
    reservation_trial_lines,
)
from qmon_tui.report.jobtable import NewReservation
from qmon_tui.tui.dialogs import Answer, ChoiceDialog, paragraphs
from qmon_tui.tui.jobs import OwnedForm
from qmon_tui.workspace import CommandEdit, ReservationTrial, try_reservation

if TYPE_CHECKING:
    from qmon_tui.tui.reservations.view import ReservationsView

ReservationRequest = tuple[str, str, str]
"""Owner, group, options."""


class ReservationForm(OwnedForm[ReservationRequest, ReservationTrial]):
    """Answers who wants what, or None."""

    def __init__(self, cluster: Cluster, state: State, owner: str, line: str, *, is_live: bool = False) -> None:
        super().__init__("Make an advance reservation", "reserve", reservation_fields(cluster),
                         NewReservation(line, line, state.now), owner, is_given=is_live)  # fmt: skip
        self._cluster, self._state = cluster, state

    def result(self) -> ReservationRequest:
        return (*self.owner_and_group("root"), self.line)

    def objection(self) -> str | None:
        """qrsub's words."""
        owner, group, line = self.result()
        reply = reserve(self._cluster, self._state, owner, line, group=group)
        return reply.messages[-1] if reply.state is self._state else None

    def trial(self) -> ReservationTrial:
        owner, group, line = self.result()
        return try_reservation(self._cluster, self._state, owner, group, line)

    def trial_lines(self, trial: ReservationTrial, cells: int) -> tuple[Line, ...]:
        return reservation_trial_lines(trial, cells)


def ask_reservation(view: "ReservationsView", pattern: AdvanceReservation | None) -> None:
    """Open the form of qrsub; with `pattern`, begin with its options."""
    line = options_of(pattern) if pattern is not None else "-d 3600"
    workspace = view.workspace

    def wanted(answer: ReservationRequest) -> None:
        owner, group, options = answer
        view.choose_made()
        view.edit(CommandEdit(Qrsub(owner, options, group)))

    live = workspace.reading.live
    owner = live.user if live is not None else view.chosen.owner if view.chosen else "root"
    form = ReservationForm(workspace.cluster, workspace.state, owner, line, is_live=live is not None)
    form.ask(view.app, wanted)


def ask_delete(view: "ReservationsView", named: Sequence[int] = ()) -> None:
    """Say which jobs go with the named reservations, the marked ones, or that under the cursor, and delete them."""
    numbers = list(named) or sorted(view.marked) or ([view.chosen.id] if view.chosen else [])
    if not numbers:
        return
    wanted = set(map(str, numbers))
    inside = [job.id for job in view.workspace.state.jobs if job.request.advance_reservation in wanted]
    words = f"advance reservation {numbers[0]}" if len(numbers) == 1 else f"{len(numbers)} advance reservations"
    texts = ["Its slots become free for all jobs."]
    if hidden := () if named else view.hidden_marks:
        texts.append(f"{len(hidden)} hidden by the filter: {', '.join(map(str, hidden))}.")
    if inside:
        texts.append(f"Its jobs are deleted with it: {', '.join(map(str, inside[:8]))}. Running jobs are ended, "
                     "and it stays in state d until then; forced (qrdel -f) all is removed immediately.")  # fmt: skip
    answers = [Answer("n", "no", "", safe=True), Answer("y", "delete", "delete")]
    answers += [Answer("f", "delete by force", "force")] if inside else []

    ChoiceDialog(f"Delete {words}?", paragraphs(*texts), answers).ask(
        view.app, lambda answer: view.edit(CommandEdit(Qrdel(tuple(numbers), answer == "force")))
    )
