"""The panel "Week" of a calendar: its two lists, the coming days as a picture, and the next changes."""

from textual import on
from textual.app import ComposeResult

from qmon_tui.model import ConfigObject, Kind
from qmon_tui.report import Cell, Column, GridRow, Line, TextRole, switch_lines, unusual_entry_lines, week_lines
from qmon_tui.scheduler.configuration import compile_calendar
from qmon_tui.tui.base import Grid, Lines, LineTable, PanelView
from qmon_tui.workspace import Workspace

_LISTS = ("year", "week")
_COLUMNS = (Column("list", ""), Column("text", "", minimum=20))
_WEEK = 7 * 86_400


class WeekView(PanelView):
    """Enter edits a list in a dialog whose picture follows what is typed."""

    DEFAULT_CSS = """
    WeekView Grid { height: 2; }
    WeekView Lines { height: 1fr; margin-top: 1; padding: 0 1; }
    """

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.weeks = 0
        """How far ahead of today the picture begins."""
        self.grid = Grid(_COLUMNS, show_head=False)
        self._picture = Lines()

    def compose(self) -> ComposeResult:
        yield self.grid
        yield self._picture

    @property
    def calendar(self) -> ConfigObject | None:
        return self.workspace.cluster.get(Kind.CALENDAR, self.object_name or "")

    def show(self, kind: Kind, name: str) -> None:
        """Show another calendar from today on."""
        if name != self.object_name:
            self.weeks = 0
        super().show(kind, name)

    def refresh_from(self) -> None:
        obj = self.calendar
        if obj is None:
            return
        self.grid.show_rows([_row(name, obj.text(name)) for name in _LISTS])
        calendar, now = compile_calendar(obj), self.workspace.state.now
        start = now + self.weeks * _WEEK

        def lines(cells: int) -> tuple[Line, ...]:
            return (
                *week_lines(calendar, start, now, cells),
                *unusual_entry_lines(calendar, start, cells),
                (),
                *switch_lines(calendar, now),
            )

        self._picture.show(lines, keep_place=True)

    def focus(self, scroll_visible: bool = True, from_app_focus: bool = False) -> "WeekView":
        self.grid.focus(scroll_visible)
        return self

    @property
    def copied(self) -> str:
        obj = self.calendar
        return obj.text(self.grid.chosen or "week") if obj is not None else ""

    def look(self, weeks: int) -> None:
        """Begin the picture some weeks later, or earlier, but not before today."""
        self.weeks = max(0, self.weeks + weeks)
        self.refresh_from()

    @on(LineTable.Opened)
    def _opened(self, event: LineTable.Opened) -> None:
        event.stop()
        if not self.workspace.read_only:
            self.actions.run("week.edit")


def _row(name: str, text: str) -> GridRow:
    return GridRow(name, (Cell(name), Cell(text, TextRole.DIM if text.upper() == "NONE" else TextRole.STRONG)))
