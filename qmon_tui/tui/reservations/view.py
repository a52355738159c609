"""The page of the advance reservations: qrstat's list, the chosen one in full, the form of qrsub, and qrdel."""

from textual import events, on
from textual.app import ComposeResult

from qmon_tui.model.cluster import Cluster
from qmon_tui.model.state import AdvanceReservation, State
from qmon_tui.model.state_entry import StateKind
from qmon_tui.qmaster import reserve
from qmon_tui.tui.base.line_table import LineTable
from qmon_tui.tui.base.messages import EditRequested
from qmon_tui.tui.base.span_widgets import Lines
from qmon_tui.tui.base.views import PageView
from qmon_tui.tui.dialogs.dialog import Answer, paragraphs
from qmon_tui.tui.dialogs.question_dialogs import ChoiceDialog
from qmon_tui.tui.dialogs.reading_dialogs import TextDialog
from qmon_tui.tui.jobs.job_form import OwnedForm
from qmon_tui.tui.present.jobtable.job_drafts import NewReservation
from qmon_tui.tui.present.reservations import (
    ReservationRows,
    detail_lines,
    options_of,
    reservation_fields,
    reservation_trial_lines,
)
from qmon_tui.tui.present.spans import Line, TextRole, wrap
from qmon_tui.workspace import commands
from qmon_tui.workspace.job_trial import ReservationTrial, try_reservation
from qmon_tui.workspace.workspace import Workspace

ReservationRequest = tuple[str, str, str]
"""Owner, group, options."""


class ReservationForm(OwnedForm[ReservationRequest, ReservationTrial]):
    """Answers who wants what, or None."""

    def __init__(self, cluster: Cluster, state: State, owner: str, line: str) -> None:
        super().__init__("Make an advance reservation", "reserve", reservation_fields(cluster),
                         NewReservation(line, line, state.now), owner)  # fmt: skip
        self._cluster, self._state = cluster, state

    def result(self) -> ReservationRequest:
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


_EMPTY = "No advance reservations yet: a makes one."


class ReservationsView(PageView):
    """One row per reservation."""

    DEFAULT_CSS = """
    ReservationsView #reservations-table { height: 1fr; }
    ReservationsView #reservations-detail { height: auto; max-height: 60%; border-top: solid $line; padding: 0 1; }
    """

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.handlers = {
            "reservations.add": lambda: self._make("-d 3600"),
            "reservations.clone": self._clone,
            "reservations.delete": self._delete,
            "reservations.revert": self._revert,
            "reservations.mark": self._mark,
            "reservations.open": self._open,
        }
        self.marked: frozenset[int] = frozenset()
        self._table = LineTable(ReservationRows(), empty=_EMPTY, id="reservations-table")
        self._detail = Lines(self._detail_lines, id="reservations-detail")

    def compose(self) -> ComposeResult:
        """The list and the chosen one."""
        yield self._table
        yield self._detail

    def on_mount(self) -> None:
        """Draw for the first time."""
        self._detail.can_focus = False
        self.border_title = "Advance reservations"
        super().on_mount()

    def refresh_from(self) -> None:
        """Draw what there is."""
        reservations = self.workspace.state.reservations
        self.marked &= {reservation.id for reservation in reservations}
        self._table.show(ReservationRows(reservations, self.marked))
        self._detail.show(self._detail_lines)

    def on_resize(self, event: events.Resize) -> None:
        """What is told of one is as high as it needs to be."""
        self.call_after_refresh(lambda: self._detail.show(self._detail_lines))

    # Choosing ---------------------------------------------------------------------------------------------------

    def focus(self, scroll_visible: bool = True, from_app_focus: bool = False) -> "ReservationsView":
        """Give the focus to the table."""
        self._table.focus(scroll_visible)
        return self

    @property
    def chosen(self) -> AdvanceReservation | None:
        """The reservation under the cursor."""
        key = self._table.cursor_key
        return next((reservation for reservation in self.workspace.state.reservations if reservation.id == key), None)

    @property
    def selected(self) -> str | None:
        """Its number."""
        return str(self.chosen.id) if self.chosen else None

    @property
    def copied(self) -> str:
        """The row under the cursor."""
        return self._table.cursor_text

    def choose(self, key: str) -> bool:
        """Go to a reservation by its number."""
        return key.isdigit() and self._table.move_to(int(key))

    def leave(self) -> bool:
        """Esc: unmark."""
        if not self.marked:
            return False
        self.marked = frozenset()
        self.refresh_from()
        return True

    @on(LineTable.Moved)
    def _moved(self, event: LineTable.Moved) -> None:
        event.stop()
        self._detail.show(self._detail_lines)

    @on(LineTable.Opened)
    def _opened(self, event: LineTable.Opened) -> None:
        event.stop()
        self._open()

    def _detail_lines(self, cells: int) -> tuple[Line, ...]:
        reservation = self.chosen
        if reservation is None:
            words = "A reservation keeps slots free for certain jobs (qsub -ar) from a beginning to an end."
            return wrap(words, cells, TextRole.DIM)
        return detail_lines(reservation, self.workspace.state, cells)

    # What is done -----------------------------------------------------------------------------------------------

    def _make(self, line: str) -> None:
        workspace = self.workspace

        def wanted(answer: ReservationRequest | None) -> None:
            if answer is not None:
                owner, group, options = answer
                self.post_message(EditRequested(commands.make_reservation(owner, options, group)))

        owner = self.chosen.owner if self.chosen else "root"
        self.app.push_screen(ReservationForm(workspace.cluster, workspace.state, owner, line), wanted)

    def _clone(self) -> None:
        self._make(options_of(self.chosen) if self.chosen else "-d 3600")

    def _delete(self) -> None:
        numbers = sorted(self.marked) or ([self.chosen.id] if self.chosen else [])
        if not numbers:
            return
        wanted = set(map(str, numbers))
        inside = [job.id for job in self.workspace.state.jobs if job.request.advance_reservation in wanted]
        words = f"advance reservation {numbers[0]}" if len(numbers) == 1 else f"{len(numbers)} advance reservations"
        texts = ["What was kept free is free for all jobs again."]
        if inside:
            texts.append(f"Its jobs are deleted with it: {', '.join(map(str, inside[:8]))}. What runs is told to end, "
                         "and it stays in state d until then; forgotten (qrdel -f) all is gone at once.")  # fmt: skip
        answers = [Answer("n", "no", "", safe=True), Answer("d", "delete", "delete")]
        answers += [Answer("f", "delete and forget", "force")] if inside else []

        def chosen(answer: str | None) -> None:
            if answer:
                self.post_message(EditRequested(commands.delete_reservations(numbers, force=answer == "force")))

        self.app.push_screen(ChoiceDialog(f"Delete {words}?", paragraphs(*texts), answers), chosen)

    def _revert(self) -> None:
        reservation = self.chosen
        if reservation is not None and self.workspace.is_dirty(StateKind.RESERVATION, str(reservation.id)):
            self.workspace.revert(StateKind.RESERVATION, str(reservation.id))
        else:
            self.notify("This reservation is as it was saved.", severity="warning", markup=False)

    def _mark(self) -> None:
        if self.chosen is not None:
            self.marked ^= {self.chosen.id}
            self.refresh_from()
            self._table.action_move(1)

    def _open(self) -> None:
        reservation = self.chosen
        if reservation is not None:
            state = self.workspace.state
            self.app.push_screen(
                TextDialog(
                    f"Advance reservation {reservation.id}", lambda cells: detail_lines(reservation, state, cells)
                )
            )
