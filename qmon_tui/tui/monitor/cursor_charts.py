"""The charts of the monitor that have a cursor: Gantt chart and alarms."""

from collections.abc import Hashable, Sequence

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical

from qmon_tui.report import Span, fit
from qmon_tui.report.day import LEGEND, Alarm, AlarmRows, GanttContent, GanttRows, GanttWindow, following
from qmon_tui.simulation import Moment
from qmon_tui.tui.base import JobRequested, LineTable, OneLine, SelectionMoved
from qmon_tui.workspace import JobKey


class GanttPane(Vertical):
    """The chart with its legend. Its window follows the time until the user moves it."""

    DEFAULT_CSS = """
    GanttPane #monitor-gantt { height: 1fr; }
    GanttPane #monitor-legend { height: 1; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.table = LineTable(GanttRows(), empty="No hosts.", id="monitor-gantt")
        self._legend = OneLine(lambda cells: fit((Span(" "), *LEGEND), cells), id="monitor-legend")
        self._content = GanttContent()
        self._moment: Moment | None = None
        self._fixed: GanttWindow | None = None
        """The window chosen by the user; None while it follows the time."""
        self._step: int | None = None
        """Seconds per cell chosen by the user while the window follows the time; None for the default."""
        self._clicked: tuple[Hashable, JobKey] | None = None
        """Key of the row and the task whose bar was clicked; None before the first click."""

    def compose(self) -> ComposeResult:
        yield self.table
        yield self._legend

    def show(self, content: GanttContent, moment: Moment) -> None:
        self._content, self._moment = content, moment
        self.table.show(self.rows)

    @property
    def rows(self) -> GanttRows:
        return self.rows_of(self.table.inner_width - 1)

    def rows_of(self, cells: int) -> GanttRows:
        return GanttRows(self._content, self._window(cells), cells)

    @property
    def window(self) -> GanttWindow:
        return self._window(self.table.inner_width - 1)

    def _room(self, cells: int) -> int:
        return cells - GanttRows(self._content).side

    def _window(self, cells: int) -> GanttWindow:
        moment = self._moment
        if moment is None:
            return GanttWindow(0, 60)
        if self._fixed is not None:
            return self._fixed
        return following(moment.time, moment.beginning, self._room(cells), self._step)

    # Looking closer ---------------------------------------------------------------------------------------------

    def zoom(self, by: int) -> None:
        """Show a longer time (`by` > 0) or a shorter one (`by` < 0)."""
        if self._moment is None:
            return
        window = self.window.zoomed(by, self._room(self.table.inner_width - 1), self._moment.time)
        if self._fixed is None:
            self._step = window.step
        else:
            self._fixed = window
        self.table.show(self.rows)

    def scroll_time(self, by: int) -> None:
        """Show a later time (`by` > 0) or an earlier one (`by` < 0), moved by a third of the window."""
        if self._moment is None:
            return
        window, room = self.window, self._room(self.table.inner_width - 1)
        self._fixed = GanttWindow(window.start + by * room // 3 * window.step, window.step)
        self.table.show(self.rows)

    def follow(self) -> None:
        self._fixed = self._step = None
        self.table.show(self.rows)

    # Choosing ---------------------------------------------------------------------------------------------------

    @property
    def chosen(self) -> JobKey | None:
        """The task clicked in the cursor's row; else the task that runs there at the shown moment, or nearest to it."""
        key = self.table.cursor_key
        if key is None or self._moment is None:
            return None
        if self._clicked is not None and self._clicked[0] == key:
            return self._clicked[1]
        return self.rows.job_at(key)

    def on_click(self, event: events.Click) -> None:
        """Choose the job of the clicked bar."""
        place, key, rows = event.get_content_offset(self.table), self.table.cursor_key, self.rows
        if place is None or place.y == 0 or key is None or self._moment is None:
            return
        job_and_task = rows.job_at(key, rows.time_at(place.x - 1))
        if job_and_task is not None:
            self._clicked = key, job_and_task
            self.post_message(JobRequested(*job_and_task))
            self.post_message(SelectionMoved())

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Zoom with Ctrl, show an earlier time with Shift."""
        self._wheel(event, -1)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Zoom with Ctrl, show a later time with Shift."""
        self._wheel(event, 1)

    def _wheel(self, event: events.MouseEvent, by: int) -> None:
        if event.ctrl or event.shift:
            event.stop()
            (self.zoom if event.ctrl else self.scroll_time)(by)


class AlarmTable(LineTable):
    """Table of the alarms, which are wrapped again for each new width."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(AlarmRows(), empty="✓ No alarms.", id=id)
        self._alarms: Sequence[Alarm] = ()
        self._wrapped_to = 0

    @property
    def job(self) -> int | None:
        """The job of the alarm under the cursor, on any of its lines; None if it names no job."""
        return AlarmRows(self._alarms, self._wrapped_to - 1).job(self.cursor_key)

    def show_alarms(self, alarms: Sequence[Alarm]) -> None:
        self._alarms, self._wrapped_to = alarms, self.inner_width
        self.show(AlarmRows(alarms, self.inner_width - 1))

    def on_resize(self) -> None:
        """Wrap the alarms if the width has changed, perhaps while the table was hidden."""
        if self.inner_width != self._wrapped_to:
            self.show_alarms(self._alarms)
