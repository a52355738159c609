"""A table of cells that fits its width, and a panel with such a table and hidden cells of the chosen row below it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.events import Resize
from textual.message import Message

from qmon_tui.report import (
    BLANK,
    Cell,
    Column,
    FilterField,
    FilterFields,
    GridRow,
    GridRows,
    Line,
    TextRole,
    groups_of,
    host_test,
    parse_filter,
    visible,
    wrap,
)
from qmon_tui.tui.base.bindings import local_bindings
from qmon_tui.tui.base.filtered_view import FilteredView, KeptRows
from qmon_tui.tui.base.line_table import LineTable
from qmon_tui.tui.base.span_widgets import QLines
from qmon_tui.tui.base.views import PanelView
from qmon_tui.values import is_number, parse_number
from qmon_tui.workspace import Workspace


class Grid(LineTable):
    """Table with headings. Posts `HeadPressed` besides `Moved` and `Opened`."""

    @dataclass
    class HeadPressed(Message):
        """A click on a column's heading."""

        grid: "Grid"
        column: str

        @property
        def control(self) -> "Grid":
            return self.grid

    def __init__(
        self,
        columns: Sequence[Column] = (),
        *,
        empty: str = "",
        show_head: bool = True,
        id: str | None = None,  # noqa: A002
    ) -> None:
        self.grid_rows = GridRows(columns, (), show_head=show_head)
        super().__init__(self.grid_rows, empty=empty, id=id)
        self._show_head = show_head

    @property
    def chosen(self) -> str | None:
        key = self.cursor_key
        return key if isinstance(key, str) else None

    def show_rows(
        self,
        rows: Sequence[GridRow],
        *,
        columns: Sequence[Column] | None = None,
        sort: tuple[str, bool] | None = None,
        empty: str | None = None,
    ) -> None:
        """Replace the rows; the cursor follows its key, or keeps its row number if that key is gone."""
        columns = self.grid_rows.columns if columns is None else columns
        self.grid_rows = GridRows(columns, rows, sort, show_head=self._show_head)
        self.show(self.grid_rows, empty=empty)

    async def _on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if self._show_head and offset is not None and offset.y == 0:
            column = self.grid_rows.column_at(offset.x - 1, self.inner_width - 1)
            if column is not None:
                self.post_message(self.HeadPressed(self, column.key))
        else:
            await super()._on_click(event)


class TablePanel(PanelView, FilteredView):
    """Panel with a table. Subclasses fill `grid` in `refresh_from`, then call `draw_about`; Enter calls `opened`.

    Subclasses that use `fill` have a filter, and marks if they set MARKS.
    """

    grid: Grid
    MARKS: ClassVar[bool] = False
    DEFAULT_CSS = """
    TablePanel Grid { height: 1fr; min-height: 3; }
    TablePanel Grid.-titled { border-top: solid $line; }
    TablePanel #about { max-height: 8; padding: 0 1; display: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = local_bindings({
        "mark": "mark_row", "mark-all": "mark_all", "filter": "filter",
    })  # fmt: skip

    def __init__(
        self, workspace: Workspace, columns: Sequence[Column] = (), *, empty: str = "", show_head: bool = True
    ) -> None:
        super().__init__(workspace)
        self.grid = Grid(columns, empty=empty, show_head=show_head)
        self._about = QLines(id="about")
        self._typing = self.filter_input("place=@rack value>2 words !words")
        self._rows: Sequence[GridRow] | None = None
        """All rows; None for a panel without a filter."""
        self._kept_rows = KeptRows()
        self._marked: dict[str | None, frozenset[str]] = {}
        """Object of the panel -> keys of its marked rows."""
        self.filter = ""

    def compose(self) -> ComposeResult:
        yield self.grid
        yield self._typing
        yield self._about

    # Filter and marks -------------------------------------------------------------------------------------------

    def fill(
        self, rows: Sequence[GridRow], *, columns: Sequence[Column] | None = None, empty: str | None = None
    ) -> None:
        """Show the rows that the filter accepts, with marks."""
        self._rows = rows
        columns = self.grid.grid_rows.columns if columns is None else columns
        shown = list(rows)
        row_filter = parse_filter(self.filter, _fields(columns), groups_of(self.workspace.cluster))
        if row_filter:
            kept = self._kept_rows.of(self.object_name, self.filter, self.workspace.state.now)
            shown = [row for row in rows if row.key in kept or row_filter.accepts(row)]
            if not self.has_class("-filtering"):
                self._kept_rows.keep(row.key for row in shown)
        if marked := self.marked:
            signs = {key: Cell("✓", TextRole.ACCENT) for key in marked}
            shown = [row._replace(signs=(signs.get(row.key, BLANK), *row.signs)) for row in shown]
        nothing = f"Nothing matches {self.filter}: Esc shows all." if row_filter else empty
        self.grid.show_rows(shown, columns=columns, empty=nothing)
        hidden = f", {len(self.hidden_marks)} hidden" if self.hidden_marks else ""
        marks = f"✓ {len(marked)} marked{hidden}  " if marked else ""
        problem = f"  ✗ {row_filter.problem}" if row_filter.problem else ""
        self.grid.border_title = Content(visible(f"{marks}/{self.filter}{problem}" if self.filter else marks))
        self.grid.set_class(bool(marks or self.filter), "-titled")

    @property
    def marked(self) -> tuple[str, ...]:  # type: ignore[override]
        """The keys of the marked rows, in the order of the rows."""
        marks = self._marked.get(self.object_name, frozenset())
        return tuple(row.key for row in self._rows or () if row.key in marks)

    @property
    def hidden_marks(self) -> tuple[str, ...]:
        """The keys of the marked rows that the filter hides."""
        shown = {row.key for row in self.grid.grid_rows.rows}
        return tuple(key for key in self.marked if key not in shown)

    def mark(self, keys: Iterable[str]) -> None:
        self._marked[self.object_name] = frozenset(keys)
        self._refill()

    def action_mark_row(self) -> None:
        """Mark or unmark the row under the cursor, and move to the next one."""
        if not self.MARKS or self._rows is None:
            self.app.notify("Rows of this panel are not marked.", severity="warning", markup=False)
        elif self.grid.chosen is not None:
            self.mark({*self.marked} ^ {self.grid.chosen})
            self.grid.action_move(1)

    def action_mark_all(self) -> None:
        """Mark all shown rows; unmark them if all are marked."""
        if self.MARKS and self._rows is not None:
            shown = {row.key for row in self.grid.grid_rows.rows}
            self.mark({*self.marked} - shown if shown <= {*self.marked} else {*self.marked} | shown)

    def action_filter(self) -> None:
        if self._rows is not None:
            self.start_filter()

    def filter_by(self, text: str) -> None:
        self.filter = text
        self._refill()

    def filter_given(self) -> None:
        """Keep the rows that are shown now."""
        self._refill()

    def _refill(self) -> None:
        if self._rows is not None:
            self.fill(self._rows)
            self.draw_about()

    # The row under the cursor -----------------------------------------------------------------------------------

    def about(self, cells: int) -> Sequence[Line]:
        """Return lines about the chosen row, at most `cells` wide."""
        return ()

    def _unseen(self, cells: int) -> Sequence[Line]:
        """Return lines with the cells of the chosen row that do not fit into the table."""
        rows, at = self.grid.grid_rows, self.grid.cursor
        unseen = rows.unseen(at, max(self.grid.inner_width - 1, 1)) if at < len(rows) else ()
        return wrap(" · ".join(unseen), cells, TextRole.DIM, rest="  ") if unseen else ()

    def opened(self, key: str) -> None:
        """Handle Enter or a double click on a row."""

    def draw_about(self) -> None:
        cells = max(self.size.width - 4, 30)
        lines = (*self._unseen(cells), *self.about(cells))
        self._about.show(lines)
        self._about.display = bool(lines)

    @property
    def copied(self) -> str:
        return self.grid.cursor_text

    def on_resize(self, event: Resize) -> None:
        self.draw_about()

    @on(LineTable.Moved)
    def _row_moved(self) -> None:
        self.draw_about()

    @on(LineTable.Opened)
    def _row_opened(self, event: LineTable.Opened) -> None:
        event.stop()
        self.opened(str(event.key))


def _fields(columns: Sequence[Column]) -> FilterFields[GridRow]:
    """Return the fields of a panel's filter: its columns."""

    def field(place: int, key: str) -> FilterField[GridRow]:
        def number(row: GridRow) -> float | None:
            text = row.cells[place].text
            return parse_number(text) if is_number(text) else None

        special = host_test if key == "place" else None
        return FilterField(lambda row: (row.cells[place].text,), number=number, is_numeric=True, special=special)

    fields = {column.key: field(place, column.key) for place, column in enumerate(columns)}
    hosts = "place" if "place" in fields else ""
    aliases = {"host": "place"} if hosts else {}
    return FilterFields(fields, lambda row: "\n".join(cell.text for cell in row.cells), aliases, hosts=hosts,
                        is_strict=False)  # fmt: skip
