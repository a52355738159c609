"""One of many names, found by typing a few of its letters."""

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events, on
from textual.app import ComposeResult
from textual.widget import Widget
from textual.widgets import Input

from qmon_tui.tui.base.columns import Cell, Column, GridRow
from qmon_tui.tui.base.grid import Grid
from qmon_tui.tui.base.inputs import FilterInput
from qmon_tui.tui.dialogs.base import Dialog
from qmon_tui.tui.forms.matching import best_matches
from qmon_tui.tui.panes.table import LineTable
from qmon_tui.tui.present.spans import TextRole


@dataclass(frozen=True, slots=True)
class Pick:
    """A name to pick and what one should know about it."""

    name: str
    note: str = ""


class PickOne(Dialog[str]):
    """Answers a name, or None. With `free` a text that matches none is an answer too."""

    DEFAULT_CSS = """
    PickOne Grid { height: auto; margin-top: 1; }
    """

    def __init__(self, title: str, picks: Sequence[Pick], value: str = "", *, free: bool = False) -> None:
        super().__init__(title)
        self._picks = {pick.name: pick for pick in picks}
        self._value = value
        self._free = free
        self._grid = Grid((Column("name", ""), Column("note", "", minimum=10)), show_head=False)
        self._grid.lit, self._grid.can_focus = True, False

    def body(self) -> ComposeResult:
        """What is typed, and the names that fit."""
        yield FilterInput(placeholder="type a few letters" + (", or another name" if self._free else ""))
        yield self._grid

    def on_mount(self) -> None:
        """Show all names, the cursor on the present one."""
        super().on_mount()
        self._fill("")
        self._grid.move_to(self._value)

    def on_resize(self, event: events.Resize) -> None:
        """The names get the lines that the rest leaves."""
        self._grid.styles.max_height = max(3, min(16, event.size.height - 8))

    def first_focus(self) -> Widget:
        """What is typed."""
        return self.query_one(FilterInput)

    def _fill(self, typed: str) -> None:
        names = best_matches(self._picks, typed)
        rows = [
            GridRow(name, (Cell(name), Cell(self._picks[name].note, TextRole.DIM)), (self._sign(name),))
            for name in names
        ]
        if self._free and typed and typed not in self._picks:
            rows.append(GridRow(typed, (Cell(typed), Cell("as typed", TextRole.DIM)), (Cell("+", TextRole.ACCENT),)))
        self._grid.show_rows(rows, empty="Nothing fits: delete a letter.")
        if typed and rows:
            self._grid.move_to(rows[0].key)

    def _sign(self, name: str) -> Cell:
        return Cell("•" if name == self._value else " ", TextRole.ACCENT)

    def action_step(self, by: int) -> None:
        """Move the cursor."""
        self._grid.action_move(by)

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._fill(event.value.strip())

    @on(Input.Submitted)
    @on(LineTable.Opened)
    def _accept(self) -> None:
        if self._grid.chosen is not None:
            self.dismiss(self._grid.chosen)
