"""The page of the advance reservations: qrstat's list, and the chosen one in full."""

from textual import events, on
from textual.app import ComposeResult
from textual.content import Content

from qmon_tui.model import AdvanceReservation
from qmon_tui.qmaster import Command, Qrdel
from qmon_tui.report import (
    RESERVATION_FILTER_FIELDS,
    Line,
    ReservationRows,
    TextRole,
    detail_lines,
    groups_of,
    parse_filter,
    visible,
    wrap,
)
from qmon_tui.tui.base import FilteredView, KeptRows, Lines, LineTable, TablePage
from qmon_tui.tui.dialogs import TextDialog
from qmon_tui.values import whole_number
from qmon_tui.workspace import Workspace

_EMPTY = "No advance reservations yet: a makes one."


class ReservationsView(TablePage, FilteredView):
    """One row per reservation."""

    DEFAULT_CSS = """
    ReservationsView #reservations-table { height: 1fr; }
    ReservationsView #reservations-detail { height: auto; max-height: 60%; border-top: solid $line; padding: 0 1; }
    """

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.marked: frozenset[int] = frozenset()
        self.filter = ""
        self._kept_rows = KeptRows()
        self._typing = self.filter_input("state=r -u anna queue=all.q host=@rack slots>4")
        self._made_beside: set[int] | None = None
        """The reservations beside which one was made, to which the cursor goes as soon as it is there."""
        self._table = LineTable(ReservationRows(), empty=_EMPTY, id="reservations-table")
        self._detail = Lines(self._detail_lines, id="reservations-detail")

    def compose(self) -> ComposeResult:
        yield self._typing
        yield self._table
        yield self._detail

    def on_mount(self) -> None:
        self._detail.can_focus = False
        super().on_mount()

    def refresh_from(self) -> None:
        reservations = self.workspace.state.reservations
        known = {reservation.id for reservation in reservations}
        self.marked &= known
        row_filter = parse_filter(self.filter, RESERVATION_FILTER_FIELDS, groups_of(self.workspace.cluster))
        kept = self._kept_rows.of(self.filter, self.workspace.state.now)
        shown = [each for each in reservations if each.id in kept or row_filter.accepts(each)]
        if row_filter and not self.has_class("-filtering"):
            self._kept_rows.keep(each.id for each in shown)
        empty = f"Nothing matches {self.filter}: Esc shows all." if row_filter else _EMPTY
        self._table.show(ReservationRows(shown, self.marked), empty=empty)
        hidden = f", {len(self.hidden_marks)} hidden" if self.hidden_marks else ""
        marks = f"  ✓ {len(self.marked)} marked{hidden}" if self.marked else ""
        problem = f"  ✗ {row_filter.problem}" if row_filter.problem else ""
        filtered = f"  /{self.filter}{problem}" if self.filter else ""
        self.border_title = Content(visible(f"Advance reservations{marks}{filtered}"))
        if self._made_beside is not None and (new := known - self._made_beside):
            self._table.move_to(max(new))
            self._made_beside = None
        self._detail.show(self._detail_lines)

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(lambda: self._detail.show(self._detail_lines))

    # Choosing ---------------------------------------------------------------------------------------------------

    @property
    def usual_command(self) -> Command | None:
        return Qrdel((self.chosen.id,)) if self.chosen is not None else None

    @property
    def chosen(self) -> AdvanceReservation | None:
        key = self._table.cursor_key
        return next((reservation for reservation in self.workspace.state.reservations if reservation.id == key), None)

    @property
    def selected(self) -> str | None:
        return str(self.chosen.id) if self.chosen else None

    def choose_made(self) -> None:
        """Go to the reservation that is about to be there."""
        self._made_beside = {reservation.id for reservation in self.workspace.state.reservations}

    def choose(self, key: str) -> bool:
        number = whole_number(key)
        return number is not None and self._table.move_to(number)

    @property
    def hidden_marks(self) -> tuple[int, ...]:
        """The marked reservations that the filter hides."""
        return tuple(number for number in sorted(self.marked) if self._table.rows.find(number) is None)

    def mark_all(self) -> None:
        rows = self._table.rows
        shown = frozenset(key for index in range(len(rows)) if isinstance(key := rows.key(index), int))
        self.mark(self.marked - shown if shown <= self.marked else self.marked | shown)

    def filter_by(self, text: str) -> None:
        self.filter = text
        self.refresh_from()

    def filter_given(self) -> None:
        self.refresh_from()

    @on(LineTable.Moved)
    def _moved(self, event: LineTable.Moved) -> None:
        event.stop()
        self._detail.show(self._detail_lines)

    @on(LineTable.Opened)
    def _opened(self, event: LineTable.Opened) -> None:
        event.stop()
        self.open_chosen()

    def _detail_lines(self, cells: int) -> tuple[Line, ...]:
        reservation = self.chosen
        if reservation is None:
            words = (
                "An advance reservation keeps slots free from its start to its end for jobs submitted with qsub -ar."
            )
            return wrap(words, cells, TextRole.DIM)
        return detail_lines(reservation, self.workspace.state, cells)

    def mark(self, keys: frozenset[int]) -> None:
        self.marked = keys
        self.refresh_from()

    def open_chosen(self) -> None:
        reservation = self.chosen
        if reservation is not None:
            state = self.workspace.state
            self.app.push_screen(
                TextDialog(
                    f"Advance reservation {reservation.id}", lambda cells: detail_lines(reservation, state, cells)
                )
            )
