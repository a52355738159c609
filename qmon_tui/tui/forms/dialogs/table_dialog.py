"""Names and values in a table: attributes with their amounts, subordinated queues with their thresholds."""

from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Input

from qmon_tui.report import Cell, Column, GridRow, TextRole
from qmon_tui.tui.base import Grid, LineTable, QInput, key_hints, key_of, local_bindings
from qmon_tui.tui.forms.dialogs.pick_dialogs import Pick, PickOne
from qmon_tui.tui.forms.dialogs.value_dialog import Check, ValueDialog
from qmon_tui.tui.forms.name_value_tables import Table, TableRow


class ValueInput(QInput):
    """The value of the row under the cursor; the arrows go to other rows."""

    BINDINGS: ClassVar[list[BindingType]] = local_bindings({
        "typing.up": "screen.step(-1)",
        "typing.down": "screen.step(1)",
        "typing.next": "screen.step(1)",
    })  # fmt: skip


class TableDialog(ValueDialog):
    """Table of names and values; the input edits the value of the row under the cursor."""

    DEFAULT_CSS = """
    TableDialog Grid { height: auto; }
    TableDialog ValueInput { margin-top: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = local_bindings(
        {"dialog.add": "add", "dialog.remove": "remove", "dialog.switch": "switch"}
    )
    FIRST_FOCUS = "QInput"

    def __init__(self, title: str, table: Table, check: Check) -> None:
        self._table = table
        super().__init__(title, check)
        self._grid = Grid(empty=f"Empty: {key_of(self, 'dialog.add')} adds a row.")
        self._grid.lit, self._grid.can_focus = True, False
        self._input = ValueInput(placeholder="value")

    @property
    def text(self) -> str:
        return self._table.text

    def content(self) -> ComposeResult:
        yield self._grid
        yield self._input

    def on_mount(self) -> None:
        """Show the rows; ask for the first name if there are none."""
        self._fill(0)
        super().on_mount()
        if not self._table.rows:
            self.action_add()

    def on_resize(self, event: events.Resize) -> None:
        self._grid.styles.max_height = max(3, event.size.height - 14)

    def problem(self) -> str:
        """Return which row has no value; empty if all have one."""
        missing = next((row.name for row in self._table.rows if row.problem == "a value is missing"), "")
        return f"{missing} needs a value, or {key_of(self, 'dialog.remove')} removes it" if missing else ""

    def keys(self) -> tuple[str, ...]:
        other = key_hints(self, ("dialog.switch", self._table.other)) if self._table.other else ()
        change = key_hints(self, ("dialog.add", "add"), ("dialog.remove", "remove"))
        arrows = f"{key_of(self, 'typing.up')}{key_of(self, 'typing.down')}"
        return ("type the value", f"{arrows} row", *change, *other, *super().keys())

    def _fill(self, at: int) -> None:
        rows = self._table.rows
        name, value = self._table.heads
        columns = (Column("name", name, minimum=10), Column("value", value, minimum=8), Column("note", "", minimum=8))
        self._grid.show_rows([_grid_row(number, row) for number, row in enumerate(rows)], columns=columns)
        if rows:
            self._grid.move_to(str(max(0, min(at, len(rows) - 1))))
        self._show_value()
        if self.is_mounted:
            self.preview()

    def _show_value(self) -> None:
        row = self._row
        self._input.disabled = row is None
        with self._input.prevent(Input.Changed):
            self._input.value = row.value if row else ""
        self._input.select_all()  # the first key replaces the value, an arrow keeps it
        if row is not None:
            self._input.focus()

    @property
    def _at(self) -> int:
        return int(self._grid.chosen or 0)

    @property
    def _row(self) -> TableRow | None:
        rows = self._table.rows
        return rows[self._at] if rows else None

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        if self._row is not None and event.value != self._row.value:
            at, cursor = self._at, self._input.cursor_position
            self._table = self._table.with_value(at, event.value)
            rows = self._table.rows
            self._grid.show_rows([_grid_row(number, row) for number, row in enumerate(rows)])
            self._input.cursor_position = cursor
            self.preview()

    @on(LineTable.Moved)
    def _moved(self, event: Grid.Moved) -> None:
        event.stop()
        self._show_value()

    def action_step(self, by: int) -> None:
        self._grid.action_move(by)

    def action_add(self) -> None:
        picks = [Pick(name, note) for name, note in self._table.picks()]
        PickOne(f"Add to {self._title}", picks, free=True).ask(self.app, self._added)

    def _added(self, name: str) -> None:
        self._table = self._table.with_added(name)
        self._fill(len(self._table.rows) - 1)

    def action_remove(self) -> None:
        if self._row is not None and not self._row.fixed:
            at = self._at
            self._table = self._table.without(at)
            self._fill(at)

    def action_switch(self) -> None:
        if self._table.other:
            self._table = self._table.switched()
            self._fill(0)


def _grid_row(number: int, row: TableRow) -> GridRow:
    note = Cell(row.problem, TextRole.ERROR) if row.problem else Cell(row.note, TextRole.DIM)
    sign = Cell("✗", TextRole.ERROR) if row.problem else Cell(" ")
    return GridRow(str(number), (Cell(row.name), Cell(row.value, TextRole.STRONG), note), (sign,))
