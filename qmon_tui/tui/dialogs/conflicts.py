"""Deciding field by field what counts where both sides changed the same."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widget import Widget

from qmon_tui.tui.dialogs.base import Dialog
from qmon_tui.tui.panes.lines import Lines
from qmon_tui.tui.panes.table import LineTable
from qmon_tui.tui.present.conflicts import ConflictRows, conflict_lines
from qmon_tui.workspace.merge import Conflict, Side

Decisions = Mapping[Conflict, Side]


class ConflictsDialog(Dialog[Decisions]):
    """Answers what was decided, some conflicts perhaps not at all; Esc decides nothing."""

    WIDE: ClassVar[bool] = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("m,left", "take('mine')", "Yours counts", show=False),
        Binding("t,right", "take('theirs')", "The disk counts", show=False),
        Binding("M", "take_all('mine')", "Yours counts everywhere", show=False),
        Binding("T", "take_all('theirs')", "The disk counts everywhere", show=False),
        Binding("escape", "cancel", "Decide later", show=False),
    ]

    def __init__(self, conflicts: Sequence[Conflict]) -> None:
        super().__init__("Changed on both sides: m yours, t on disk, M T all, Enter done")
        self._conflicts = tuple(conflicts)
        self._decided: dict[Conflict, Side] = {}
        self.add_class("-tall")

    def body(self) -> ComposeResult:
        """The conflicts, and the one under the cursor in full."""
        yield LineTable(ConflictRows(self._conflicts, {}), id="conflicts-table")
        yield Lines(id="conflicts-detail")

    def first_focus(self) -> Widget:
        """The table."""
        self._show()
        return self.query_one(LineTable)

    def action_take(self, side: str) -> None:
        """Decide the conflict under the cursor and go to the next."""
        table = self.query_one(LineTable)
        self._decided[self._conflicts[table.cursor]] = Side(side)
        self._show()
        table.action_move(1)

    def action_take_all(self, side: str) -> None:
        """Decide all of them."""
        self._decided = dict.fromkeys(self._conflicts, Side(side))
        self._show()

    @on(LineTable.Moved)
    def _moved(self) -> None:
        self._show()

    @on(LineTable.Opened)
    def _done(self) -> None:
        missing = len(self._conflicts) - len(self._decided)
        if missing:
            self.notify(f"{missing} not decided yet: m takes yours, t what is on disk.", markup=False)
        else:
            self.dismiss(self._decided)

    def _show(self) -> None:
        table = self.query_one(LineTable)
        table.show(ConflictRows(self._conflicts, self._decided))
        conflict = self._conflicts[table.cursor]
        self.query_one("#conflicts-detail", Lines).show(lambda cells: conflict_lines(conflict, cells))
