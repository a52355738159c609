"""The panel "Week" of a calendar: its two lists, the coming days as a picture, and the next changes."""

from collections.abc import Mapping

from textual import on
from textual.app import ComposeResult

from qmon_tui.checks import check_object
from qmon_tui.model.cluster import ConfigObject
from qmon_tui.model.kinds import Kind
from qmon_tui.scheduler.configuration import compile_calendar
from qmon_tui.tui.base.grid import Grid
from qmon_tui.tui.base.line_table import LineTable
from qmon_tui.tui.base.messages import FieldEdited
from qmon_tui.tui.base.span_widgets import Lines
from qmon_tui.tui.base.views import PanelView
from qmon_tui.tui.present.calendars import change_lines, unusual_entry_lines, week_lines
from qmon_tui.tui.present.grid_rows import Cell, Column, GridRow
from qmon_tui.tui.present.spans import Line, TextRole
from qmon_tui.workspace.workspace import Workspace

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
        self.handlers = {
            "week.edit": self._edit,
            "week.later": lambda: self._look(1),
            "week.earlier": lambda: self._look(-1),
        }
        self._weeks = 0
        self._grid = Grid(_COLUMNS, show_head=False)
        self._picture = Lines()

    def compose(self) -> ComposeResult:
        """The lists and what they mean."""
        yield self._grid
        yield self._picture

    @property
    def _calendar(self) -> ConfigObject | None:
        return self.workspace.cluster.get(Kind.CALENDAR, self.object_name or "")

    def show(self, kind: Kind, name: str) -> None:
        """Show another calendar from today on."""
        if name != self.object_name:
            self._weeks = 0
        super().show(kind, name)

    def refresh_from(self) -> None:
        """Draw the lists and the picture anew."""
        obj = self._calendar
        if obj is None:
            return
        self._grid.show_rows([_row(name, obj.text(name)) for name in _LISTS])
        calendar, now = compile_calendar(obj), self.workspace.state.now
        start = now + self._weeks * _WEEK

        def lines(cells: int) -> tuple[Line, ...]:
            return (
                *week_lines(calendar, start, now, cells),
                *unusual_entry_lines(calendar, start, cells),
                (),
                *change_lines(calendar, now),
            )

        self._picture.show(lines, keep_place=True)

    def refusals(self) -> Mapping[str, str]:
        """One looks ahead, not back."""
        return {} if self._weeks else {"week.earlier": "The picture begins with today."}

    def focus(self, scroll_visible: bool = True, from_app_focus: bool = False) -> "WeekView":
        """Give the focus to the lists."""
        self._grid.focus(scroll_visible)
        return self

    @property
    def copied(self) -> str:
        """The chosen list."""
        obj = self._calendar
        return obj.text(self._grid.chosen or "week") if obj is not None else ""

    def _look(self, weeks: int) -> None:
        self._weeks = max(0, self._weeks + weeks)
        self.refresh_from()

    @on(LineTable.Opened)
    def _opened(self, event: LineTable.Opened) -> None:
        event.stop()
        if not self.workspace.read_only:
            self._edit()

    def _edit(self) -> None:
        from qmon_tui.tui.calendars.calendar_dialog import CalendarDialog

        obj, field, cluster = self._calendar, self._grid.chosen, self.workspace.cluster
        if obj is None or field is None:
            return

        def keep(text: str | None) -> None:
            if text is not None:
                self.post_message(FieldEdited(Kind.CALENDAR, obj.name, field, text or None))

        self.app.push_screen(
            CalendarDialog(
                obj,
                field,
                self.workspace.state.now,
                lambda text: tuple(
                    finding for finding in check_object(cluster, obj.with_value(field, text)) if finding.field == field
                ),
            ),
            keep,
        )


def _row(name: str, text: str) -> GridRow:
    return GridRow(name, (Cell(name), Cell(text, TextRole.DIM if text.upper() == "NONE" else TextRole.STRONG)))
