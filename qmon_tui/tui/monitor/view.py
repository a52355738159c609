"""The page of the monitor: the simulated time, who runs where, and what happens."""

from dataclasses import dataclass

from textual import events, on
from textual.app import ComposeResult

from qmon_tui.simulation import Moment
from qmon_tui.tui.base import JobRequested, LatestWorker, LineTable, OneLine, PageView, SelectionMoved, key_of
from qmon_tui.tui.monitor.actions import MONITOR_ACTIONS
from qmon_tui.tui.monitor.day_view_model import DayInput, DayModel, build_day_model
from qmon_tui.tui.monitor.player import Player
from qmon_tui.tui.present import Line
from qmon_tui.tui.present.day import Clock, FeedRows, GanttRows, GanttWindow, clock_line, following
from qmon_tui.workspace import Event, JobKey, Workspace

_NOTHING = "Nothing has happened yet: {} lets the time go on."


@dataclass(frozen=True, slots=True)
class _Zoom:
    """What the user has chosen to look at; None follows the time."""

    window: GanttWindow | None = None
    step: int | None = None


class MonitorView(PageView):
    """A simulated day of the cluster. The job under the cursor is the one that the live pane explains."""

    DEFAULT_CSS = """
    MonitorView #monitor-clock { height: 1; }
    MonitorView #monitor-gantt { height: 3fr; }
    MonitorView #monitor-feed { height: 2fr; border-top: solid $line; }
    """

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.actions = MONITOR_ACTIONS.of(self)
        self.player = Player(workspace, self._moment_shown, self._said)
        self._model = DayModel()
        self._zoom = _Zoom()
        self._models: LatestWorker[DayInput, DayModel] = LatestWorker(
            build_day_model, self._built, pause=0.0, patience=0.0
        )
        self._clock = OneLine(self._clock_words, id="monitor-clock")
        self._gantt = LineTable(GanttRows(), empty="No hosts.", id="monitor-gantt")
        self._feed = LineTable(FeedRows(), id="monitor-feed")

    def compose(self) -> ComposeResult:
        """Time, Gantt chart, feed."""
        yield self._clock
        yield self._gantt
        yield self._feed

    def on_mount(self) -> None:
        """Begin the day."""
        self.border_title = "Monitor"
        self._feed.border_title = "Events"
        self.workspace.subscribe(self._told)
        self.run_worker(self.player.run(), group="player")
        self.run_worker(self._models.run(), group="monitor")
        self.player.begin()

    def refresh_from(self) -> None:
        """Draw the moment once more; begin anew where the document was edited before the day has begun."""
        self.player.begin()
        self._clock.refresh()

    @property
    def busy(self) -> bool:
        """The day is being simulated, or its charts made."""
        return self.player.busy or self._models.busy

    # The moment -------------------------------------------------------------------------------------------------

    def _told(self, event: Event) -> None:
        self.player.told(event)

    def _said(self, sentence: str) -> None:
        self.notify(sentence, severity="warning", markup=False)

    def _moment_shown(self, moment: Moment) -> None:
        self._clock.refresh()
        self._models.ask(DayInput(moment))

    def _built(self, _: DayInput, model: DayModel) -> None:
        self._model = model
        self._draw()

    def _draw(self) -> None:
        model = self._model
        if model.moment is None:
            return
        cells = self._gantt.inner_width - 1
        self._gantt.show(GanttRows(model.gantt, self._window(cells), cells))
        follows = self._feed.cursor == 0
        self._feed.show(model.feed, empty=_NOTHING.format(key_of(self, "monitor.play")))
        if follows:
            self._feed.action_edge(-1)
        self._clock.refresh()

    def _window(self, cells: int) -> GanttWindow:
        moment, room = self._model.moment, cells - GanttRows(self._model.gantt).side
        assert moment is not None
        if self._zoom.window is not None:
            return self._zoom.window
        return following(moment.time, moment.beginning, room, self._zoom.step)

    def _clock_words(self, cells: int) -> Line:
        player, moment = self.player, self.player.moment
        if moment is None:
            return ()
        assumed = f"run time of {player.assumed} jobs assumed" if player.assumed else ""
        clock = Clock(
            moment.time, moment.beginning, player.speed, player.playing, player.busy, moment.runs, 0,
            moment.is_over, player.courses, assumed,
        )  # fmt: skip
        return clock_line(clock, cells)

    def on_resize(self, event: events.Resize) -> None:
        """The charts are made for their width."""
        self.call_after_refresh(self._draw)

    # Looking closer ---------------------------------------------------------------------------------------------

    def zoom(self, by: int) -> None:
        """A shorter or a longer time in the Gantt chart."""
        moment = self._model.moment
        if moment is None:
            return
        cells = self._gantt.inner_width - 1
        room = cells - GanttRows(self._model.gantt).side
        window = self._window(cells).zoomed(by, room, moment.time)
        self._zoom = _Zoom(window, None) if self._zoom.window is not None else _Zoom(None, window.step)
        self._draw()

    def scroll_time(self, by: int) -> None:
        """Look at an earlier or a later time, by a third of what is in sight."""
        if self._model.moment is None:
            return
        cells = self._gantt.inner_width - 1
        window = self._window(cells)
        room = cells - GanttRows(self._model.gantt).side
        self._zoom = _Zoom(GanttWindow(window.start + by * room // 3 * window.step, window.step), window.step)
        self._draw()

    def follow(self) -> None:
        """Go along with the time again."""
        self._zoom = _Zoom()
        self._draw()

    # Choosing ---------------------------------------------------------------------------------------------------

    def focus(self, scroll_visible: bool = True, from_app_focus: bool = False) -> "MonitorView":
        """Give the focus to the feed."""
        self._feed.focus(scroll_visible)
        return self

    @property
    def chosen(self) -> JobKey | None:
        """The task under the cursor of the feed or of the Gantt chart."""
        if self._gantt.has_focus:
            key, moment = self._gantt.cursor_key, self._model.moment
            if key is None or moment is None:
                return None
            cells = self._gantt.inner_width - 1
            return GanttRows(self._model.gantt, self._window(cells), cells).job_at(key)
        entry = self._model.feed.entry(self._feed.cursor_key)
        return entry.key if entry is not None else None

    @property
    def selected(self) -> str | None:
        """The number of the chosen job."""
        chosen = self.chosen
        return str(chosen[0]) if chosen is not None else None

    @property
    def copied(self) -> str:
        """The row under the cursor."""
        return (self._gantt if self._gantt.has_focus else self._feed).cursor_text

    @on(LineTable.Moved)
    def _moved(self, event: LineTable.Moved) -> None:
        event.stop()
        if self.player.playing:
            return
        if (chosen := self.chosen) is not None and event.table.has_focus:
            self.post_message(JobRequested(*chosen))
        self.post_message(SelectionMoved())

    @on(LineTable.Opened)
    def _opened(self, event: LineTable.Opened) -> None:
        event.stop()
        if event.table is self._feed:
            entry = self._model.feed.entry(event.key)
            moment = self.player.moment
            if entry is not None and moment is not None:
                self.player.go_to(moment.place._replace(position=entry.position, time=entry.time))
        else:
            self.explain()

    def explain(self) -> None:
        """All about the chosen job at this moment."""
        chosen = self.chosen
        self.player.stop()
        if chosen is None:
            self.notify("No job is chosen here.", severity="warning", markup=False)
        else:
            self.post_message(JobRequested(*chosen, explain=True))
