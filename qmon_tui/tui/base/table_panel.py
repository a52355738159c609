"""A panel that is a table, with what is to be said about the chosen row below it."""

from collections.abc import Sequence

from textual import on
from textual.app import ComposeResult
from textual.events import Resize

from qmon_tui.tui.base.grid import Grid
from qmon_tui.tui.base.line_table import LineTable
from qmon_tui.tui.base.static_lines import QLines
from qmon_tui.tui.base.views import PanelView
from qmon_tui.tui.present import Column, Line, TextRole, wrap
from qmon_tui.workspace import Workspace


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
        """The table, and what is said about its row."""
        yield self.grid
        yield self._about

    def about(self, cells: int) -> Sequence[Line]:
        """What is said about the chosen row, as lines of at most so many cells."""
        return ()

    def _unseen(self, cells: int) -> Sequence[Line]:
        """What the table has no room for in the chosen row."""
        rows, at = self.grid.grid_rows, self.grid.cursor
        said = rows.unseen(at, max(self.grid.inner_width - 1, 1)) if at < len(rows) else ()
        return wrap(" · ".join(said), cells, TextRole.DIM, rest="  ") if said else ()

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
        """What is said wraps to the width."""
        self.draw_about()

    @on(LineTable.Moved)
    def _row_moved(self) -> None:
        self.draw_about()

    @on(LineTable.Opened)
    def _row_opened(self, event: LineTable.Opened) -> None:
        event.stop()
        self.opened(str(event.key))
