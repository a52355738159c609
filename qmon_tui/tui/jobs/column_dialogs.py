"""Dialogs to choose the columns and the order of the job table."""

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, ClassVar, TypeVar

from textual.app import ComposeResult
from textual.binding import BindingType

from qmon_tui.report import Line, ListRows, Span, TextRole, fit, left
from qmon_tui.report.jobtable import COLUMNS, PRESETS, JobTableSettings, columns_named
from qmon_tui.tui.base import LineTable, OneLine, local_bindings
from qmon_tui.tui.dialogs import Dialog

if TYPE_CHECKING:
    from qmon_tui.tui.jobs.view import JobsView

T = TypeVar("T")


class ColumnRows(ListRows[tuple[str, str, str]]):
    """The sets of columns, then all columns; shown columns have a tick and their position."""

    def __init__(self, chosen: Sequence[str], *, presets: bool = True) -> None:
        self._chosen = list(chosen)
        sets = [
            (f"={name}", name, " ".join(column.title for column in columns_named(keys)))
            for name, keys in PRESETS.items()
        ]
        columns = [(column.key, column.title, column.help) for column in COLUMNS]
        super().__init__([*(sets if presets else ()), *columns])

    def key(self, index: int) -> Hashable:
        """Return the key of a column, or = and the name of a set."""
        return self.items[index][0]

    def line(self, index: int, cells: int) -> Line:
        key, title, help_ = self.items[index]
        place = self._chosen.index(key) + 1 if key in self._chosen else 0
        tick = f"{place:>2} ✓ " if place else "     "
        is_set = key.startswith("=")
        return fit(
            (
                Span("  = " if is_set else tick, TextRole.ACCENT),
                Span(left(title, 16), TextRole.STRONG if is_set or place else TextRole.PLAIN),
                Span(f" {help_}", TextRole.DIM),
            ),
            cells,
        )


class _ColumnList(Dialog[T]):
    """Dialog with a list of columns, as high as the screen permits, and a line about the keys."""

    WIDE: ClassVar[bool] = True
    HINT: ClassVar[str] = ""
    FIRST_FOCUS = "LineTable"

    def __init__(self, title: str, rows: ColumnRows) -> None:
        super().__init__(title)
        self._table = LineTable(rows, id="columns")
        self.add_class("-tall")

    def body(self) -> ComposeResult:
        yield self._table
        yield OneLine(lambda cells: fit((Span(self.HINT, TextRole.DIM),), cells), id="columns-hint")


class ColumnsDialog(_ColumnList[tuple[str, ...]]):
    """Dialog for the columns: Space adds or removes one, Enter on a set takes that set, Esc changes nothing.

    Answers the keys of the columns, or None.
    """

    HINT: ClassVar[str] = "Space shows or hides · < > move · Enter applies · Esc cancels"
    BINDINGS: ClassVar[list[BindingType]] = local_bindings({
        "dialog.tick": "in_or_out",
        "dialog.earlier": "shift(-1)",
        "dialog.left": "shift(-1)",
        "dialog.later": "shift(1)",
        "dialog.right": "shift(1)",
    })  # fmt: skip

    def __init__(self, chosen: Sequence[str]) -> None:
        self._chosen = [column.key for column in columns_named(chosen)]
        super().__init__("Columns", ColumnRows(self._chosen))

    def on_mount(self) -> None:
        super().on_mount()
        self._table.move_to(self._chosen[0])

    def action_in_or_out(self) -> None:
        key = str(self._table.cursor_key)
        if key.startswith("="):
            self._chosen = [column.key for column in columns_named(PRESETS[key[1:]])]
        elif key in self._chosen:
            self._chosen.remove(key)
        else:
            self._chosen.append(key)
        self._table.show(ColumnRows(self._chosen))

    def action_shift(self, by: int) -> None:
        key = str(self._table.cursor_key)
        if key in self._chosen:
            place = self._chosen.index(key)
            self._chosen.remove(key)
            self._chosen.insert(max(0, place + by), key)
            self._table.show(ColumnRows(self._chosen))

    def on_line_table_opened(self, event: LineTable.Opened) -> None:
        """Answer the set under the cursor, else the ticked columns."""
        event.stop()
        key = str(event.key)
        self.dismiss(PRESETS[key[1:]] if key.startswith("=") else tuple(self._chosen) or None)


class OrderDialog(_ColumnList[str]):
    """Dialog for the column to sort by; answers its key, or None."""

    HINT: ClassVar[str] = "Enter sorts by it; again reverses the order, then as scheduled"

    def __init__(self, order: str) -> None:
        super().__init__("Order by", ColumnRows([order], presets=False))
        self._order = order

    def on_mount(self) -> None:
        super().on_mount()
        self._table.move_to(self._order or "prior")

    def on_line_table_opened(self, event: LineTable.Opened) -> None:
        event.stop()
        self.dismiss(str(event.key))


def ask_columns(view: "JobsView") -> None:
    """Ask for the columns and show them."""

    ColumnsDialog(view.settings.columns).ask(
        view.app,
        lambda keys: view.apply_settings(
            JobTableSettings(tuple(keys), view.settings.order, view.settings.descending, view.settings.filter)
        ),
    )


def ask_order(view: "JobsView") -> None:
    """Ask for the column to sort by, and sort."""

    OrderDialog(view.settings.order).ask(view.app, view.order_by)
