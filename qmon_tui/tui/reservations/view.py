"""The Reservations page: qrstat's list, the chosen advance reservation in full, the form of qrsub, and qrdel."""

from collections.abc import Sequence

from textual import events, on
from textual.app import ComposeResult
from textual.content import Content

from qmon_tui.model import AdvanceReservation, Cluster, State
from qmon_tui.qmaster import Command, Qrdel, Qrsub, reserve
from qmon_tui.report import Line, TextRole, groups_of, parse_filter, reservations, visible, wrap
from qmon_tui.report.jobtable import NewReservation
from qmon_tui.tui.base import FilteredView, KeptRows, Lines, LineTable, TablePage
from qmon_tui.tui.dialogs import Answer, ChoiceDialog, TextDialog, paragraphs
from qmon_tui.tui.jobs import OwnedForm
from qmon_tui.values import whole_number
from qmon_tui.workspace import CommandEdit, ReservationTrial, Workspace, try_reservation

_EMPTY = "No advance reservations yet: a makes one."


ReservationRequest = tuple[str, str, str]
"""Owner, group, options."""


class ReservationForm(OwnedForm[ReservationRequest, ReservationTrial]):
    """Dialog of qrsub; answers a ReservationRequest, or None."""

    def __init__(self, cluster: Cluster, state: State, owner: str, line: str, *, is_live: bool = False) -> None:
        super().__init__("Make an advance reservation", "reserve", reservations.reservation_fields(cluster),
                         NewReservation(line, line, state.now), owner, is_given=is_live)  # fmt: skip
        self._cluster, self._state = cluster, state

    def result(self) -> ReservationRequest:
        return (*self.owner_and_group("root"), self.line)

    def objection(self) -> str | None:
        """Return qrsub's refusal; None if it accepts the request."""
        owner, group, line = self.result()
        reply = reserve(self._cluster, self._state, owner, line, group=group)
        return reply.messages[-1] if reply.state is self._state else None

    def trial(self) -> ReservationTrial:
        owner, group, line = self.result()
        return try_reservation(self._cluster, self._state, owner, group, line)

    def trial_lines(self, trial: ReservationTrial, cells: int) -> tuple[Line, ...]:
        return reservations.reservation_trial_lines(trial, cells)


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
        """Reservations that existed before one was requested: the cursor goes to the new one; None if it stays."""
        self._table = LineTable(reservations.ReservationRows(), empty=_EMPTY, id="reservations-table")
        self._detail = Lines(self._detail_lines, id="reservations-detail")

    def compose(self) -> ComposeResult:
        yield self._typing
        yield self._table
        yield self._detail

    def on_mount(self) -> None:
        self._detail.can_focus = False
        super().on_mount()

    def refresh_from(self) -> None:
        every = self.workspace.state.reservations
        known = {reservation.id for reservation in every}
        self.marked &= known
        row_filter = parse_filter(
            self.filter, reservations.RESERVATION_FILTER_FIELDS, groups_of(self.workspace.cluster)
        )
        kept = self._kept_rows.of(self.filter, self.workspace.state.now)
        shown = [each for each in every if each.id in kept or row_filter.accepts(each)]
        if row_filter and not self.has_class("-filtering"):
            self._kept_rows.keep(each.id for each in shown)
        empty = f"Nothing matches {self.filter}: Esc shows all." if row_filter else _EMPTY
        self._table.show(reservations.ReservationRows(shown, self.marked), empty=empty)
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
        """Go to the next new reservation once it exists."""
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
        return reservations.detail_lines(reservation, self.workspace.state, cells)

    def mark(self, keys: frozenset[int]) -> None:
        self.marked = keys
        self.refresh_from()

    def open_chosen(self) -> None:
        reservation = self.chosen
        if reservation is not None:
            state = self.workspace.state
            self.app.push_screen(
                TextDialog(
                    f"Advance reservation {reservation.id}",
                    lambda cells: reservations.detail_lines(reservation, state, cells),
                )
            )

    # Questions --------------------------------------------------------------------------------------------------

    def ask_reservation(self, pattern: AdvanceReservation | None) -> None:
        """Open the form of qrsub; with `pattern`, begin with its options."""
        line = reservations.options_of(pattern) if pattern is not None else "-d 3600"
        workspace = self.workspace

        def wanted(answer: ReservationRequest) -> None:
            owner, group, options = answer
            self.choose_made()
            self.edit(CommandEdit(Qrsub(owner, options, group)))

        live = workspace.reading.live
        owner = live.user if live is not None else self.chosen.owner if self.chosen else "root"
        form = ReservationForm(workspace.cluster, workspace.state, owner, line, is_live=live is not None)
        form.ask(self.app, wanted)

    def ask_delete(self, named: Sequence[int] = ()) -> None:
        """Ask whether to delete the named reservations, else the marked ones, else that under the cursor."""
        numbers = list(named) or sorted(self.marked) or ([self.chosen.id] if self.chosen else [])
        if not numbers:
            return
        wanted = set(map(str, numbers))
        inside = [job.id for job in self.workspace.state.jobs if job.request.advance_reservation in wanted]
        words = f"advance reservation {numbers[0]}" if len(numbers) == 1 else f"{len(numbers)} advance reservations"
        texts = ["Its slots become free for all jobs."]
        if hidden := () if named else self.hidden_marks:
            texts.append(f"{len(hidden)} hidden by the filter: {', '.join(map(str, hidden))}.")
        if inside:
            texts.append(
                f"Its jobs are deleted with it: {', '.join(map(str, inside[:8]))}. Running jobs are ended, and it "
                "stays in state d until then; forced (qrdel -f) all is removed immediately."
            )
        answers = [Answer("n", "no", "", safe=True), Answer("y", "delete", "delete")]
        answers += [Answer("f", "delete by force", "force")] if inside else []
        ChoiceDialog(f"Delete {words}?", paragraphs(*texts), answers).ask(
            self.app, lambda answer: self.edit(CommandEdit(Qrdel(tuple(numbers), answer == "force")))
        )
