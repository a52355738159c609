"""A table of cells that fits its width, and a panel that is one, with what is unseen of the chosen row below it."""

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events, on
from textual.app import ComposeResult
from textual.events import Resize
from textual.message import Message

from qmon_tui.report import Column, GridRow, GridRows, Line, TextRole, wrap
from qmon_tui.tui.base.line_table import LineTable
from qmon_tui.tui.base.span_widgets import QLines
from qmon_tui.tui.base.views import PanelView
from qmon_tui.workspace import Workspace


class Grid(LineTable):
    """Rows under headings. Posts `Moved` and `Opened` as any table, and `HeadPressed`."""

    @dataclass
    class HeadPressed(Message):
        """A click on a column's heading."""

        grid: "Grid"
        column: str

        @property
        def control(self) -> "Grid":
            """The grid that posted this."""
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
        """The key of the row under the cursor."""
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
        """Replace the rows; the cursor stays on its key, or near where it was if that key is gone."""
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


class TablePanel(PanelView):
    """Subclasses fill `grid` in `refresh_from` and end it with `draw_about`; `opened` says what Enter does."""

    DEFAULT_CSS = """
    TablePanel Grid { height: 1fr; min-height: 3; }
    TablePanel #about { max-height: 8; padding: 0 1; display: none; }
    """

    def __init__(
        self, workspace: Workspace, columns: Sequence[Column] = (), *, empty: str = "", show_head: bool = True
    ) -> None:
        super().__init__(workspace)
        self.grid = Grid(columns, empty=empty, show_head=show_head)
        self._about = QLines(id="about")

    def compose(self) -> ComposeResult:
        """The table, and what is unseen about its row."""
        yield self.grid
        yield self._about

    def about(self, cells: int) -> Sequence[Line]:
        """Return lines about the chosen row, at most `cells` wide."""
        return ()

    def _unseen(self, cells: int) -> Sequence[Line]:
        """Return the cells of the chosen row that the table has no room for."""
        rows, at = self.grid.grid_rows, self.grid.cursor
        unseen = rows.unseen(at, max(self.grid.inner_width - 1, 1)) if at < len(rows) else ()
        return wrap(" · ".join(unseen), cells, TextRole.DIM, rest="  ") if unseen else ()

    def opened(self, key: str) -> None:
        """Enter or a double click on a row."""

    def draw_about(self) -> None:
        """Say it again."""
        cells = max(self.size.width - 4, 30)
        lines = (*self._unseen(cells), *self.about(cells))
        self._about.show(lines)
        self._about.display = bool(lines)

    def focus(self, scroll_visible: bool = True, from_app_focus: bool = False) -> "TablePanel":
        """Give the focus to the table."""
        self.grid.focus(scroll_visible)
        return self

    @property
    def copied(self) -> str:
        """The row under the cursor."""
        return self.grid.cursor_text

    def on_resize(self, event: Resize) -> None:
        """Wrap the lines to the new width."""
        self.draw_about()

    @on(LineTable.Moved)
    def _row_moved(self) -> None:
        self.draw_about()

    @on(LineTable.Opened)
    def _row_opened(self, event: LineTable.Opened) -> None:
        event.stop()
        self.opened(str(event.key))
