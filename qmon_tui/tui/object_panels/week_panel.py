"""The panel "Week" of a calendar: its two lists, the coming days as a picture, and the next changes."""

from textual import events, on
from textual.app import ComposeResult
from textual.widgets import Input

from qmon_tui.checks import check_object
from qmon_tui.model import ConfigObject, Finding, Kind
from qmon_tui.report import Cell, Column, GridRow, Line, TextRole, switch_lines, unusual_entry_lines, week_lines
from qmon_tui.scheduler.configuration import compile_calendar
from qmon_tui.tui.base import Grid, Lines, LineTable, PanelView, QInput, QLines
from qmon_tui.tui.forms.dialogs import Check, ValueDialog
from qmon_tui.workspace import Workspace

_LISTS = ("year", "week")
_COLUMNS = (Column("list", ""), Column("text", "", minimum=20))
_WEEK = 7 * 86_400


class WeekView(PanelView):
    """The two lists of a calendar and a picture of a week; Enter edits a list in a dialog with the same picture."""

    grid: Grid
    DEFAULT_CSS = """
    WeekView Grid { height: 2; }
    WeekView Lines { height: 1fr; margin-top: 1; padding: 0 1; }
    """

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.weeks = 0
        """Number of weeks from today to the beginning of the picture."""
        self.grid = Grid(_COLUMNS, show_head=False)
        self._picture = Lines()

    def compose(self) -> ComposeResult:
        yield self.grid
        yield self._picture

    @property
    def calendar(self) -> ConfigObject | None:
        return self.workspace.cluster.get(Kind.CALENDAR, self.object_name or "")

    def show(self, kind: Kind, name: str) -> None:
        """Show a calendar; if it is not the one shown before, its picture begins today."""
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

    @property
    def copied(self) -> str:
        obj = self.calendar
        return obj.text(self.grid.chosen or "week") if obj is not None else ""

    def look(self, weeks: int) -> None:
        """Move the picture by some weeks, but not before today."""
        self.weeks = max(0, self.weeks + weeks)
        self.refresh_from()

    @on(LineTable.Opened)
    def _opened(self, event: LineTable.Opened) -> None:
        event.stop()
        if not self.workspace.read_only:
            self.actions.run("week.edit")


def _row(name: str, text: str) -> GridRow:
    return GridRow(name, (Cell(name), Cell(text, TextRole.DIM if text.upper() == "NONE" else TextRole.STRONG)))


_EXAMPLES = {
    "week": "mon-fri=6-20=off   sat,sun=suspended   mon=0-24=on: weekdays, daytimes, state; blanks between entries",
    "year": "24.12.2026-1.1.2027=off   1.5.2026=6-22=suspended: days win over the week; blanks between entries",
}


class CalendarDialog(ValueDialog):
    """Dialog for one list of a calendar; answers its text."""

    SAYS_TEXT = False
    DEFAULT_CSS = """
    CalendarDialog #week { margin-top: 1; }
    """
    FIRST_FOCUS = "QInput"

    def __init__(self, obj: ConfigObject, field: str, now: int, check: Check) -> None:
        super().__init__(f"{field} of {obj.name}", check)
        self._obj, self._field, self._now = obj, field, now
        self._input = QInput(obj.text(field), placeholder="NONE")
        self._week = QLines(id="week")

    @property
    def text(self) -> str:
        """The typed calendar; NONE if nothing is typed."""
        return self._input.value.strip() or "NONE"

    def keys(self) -> tuple[str, ...]:
        return (_EXAMPLES[self._field], *super().keys())

    def content(self) -> ComposeResult:
        yield self._input
        yield self._week

    def preview(self) -> None:
        super().preview()
        cells = self._week.size.width or max(self.size.width - 10, 30)
        calendar = compile_calendar(self._obj.with_value(self._field, self.text))
        self._week.show(
            [*week_lines(calendar, self._now, self._now, cells), *unusual_entry_lines(calendar, self._now, cells)]
        )

    def on_resize(self, event: events.Resize) -> None:
        """Draw the picture after the layout, when its width is known."""
        self.call_after_refresh(self.preview)

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        if self.is_mounted:
            self.preview()


def ask_list(view: WeekView) -> None:
    """Edit the list under the cursor."""
    obj, field, cluster = view.calendar, view.grid.chosen, view.workspace.cluster
    if obj is None or field is None:
        return

    def check(text: str) -> tuple[Finding, ...]:
        findings = check_object(cluster, obj.with_value(field, text))
        return tuple(finding for finding in findings if finding.field == field)

    CalendarDialog(obj, field, view.workspace.state.now, check).ask(
        view.app, lambda text: view.edit_field(Kind.CALENDAR, obj.name, field, text or None)
    )
