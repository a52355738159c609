"""The Monitor page: clock of the simulated day, charts of its jobs and use, and the feed of its events."""

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Input

from qmon_tui.report import Line, Span, count, tab_at, tab_line
from qmon_tui.report.day import (
    LEGEND,
    Chart,
    Clock,
    FeedRows,
    alarm_lines,
    chart_lines,
    chosen_line,
    clock_line,
    feed_words,
    heat_lines,
    landscape,
    share_lines,
)
from qmon_tui.simulation import FeedKind, Moment
from qmon_tui.tui import dialogs
from qmon_tui.tui.base import (
    Ahead,
    AheadLine,
    DayBranched,
    JobRequested,
    LatestWorker,
    Lines,
    LineTable,
    OneLine,
    PageView,
    QInput,
    SelectionMoved,
    key_of,
)
from qmon_tui.tui.monitor.cursor_charts import AlarmTable, GanttPane
from qmon_tui.tui.monitor.day_view_model import DayInput, DayModel, build_day_model
from qmon_tui.tui.monitor.player import Player, Ways
from qmon_tui.workspace import Event, JobKey, Workspace

_NO_MATCH = "No event matches — {} shows all."
_NOTHING = "Nothing has happened yet: {} plays the day."


_EXPORTED, _EXPORTED_ROWS = 100, 45
"""Width in cells of each of the two columns of an export, and the minimum number of rows of its Gantt chart."""


class MonitorView(PageView):
    """A simulated day of the cluster. The live pane explains the job under the cursor."""

    DEFAULT_CSS = """
    MonitorView #monitor-clock, MonitorView #monitor-tabs, MonitorView #monitor-detail { height: 1; }
    MonitorView #monitor-top { height: auto; }
    MonitorView #monitor-charts { width: 3fr; height: 8; padding: 0 1; }
    MonitorView #monitor-shares { width: 2fr; height: 8; border-left: solid $line; padding: 0 1; }
    MonitorView #monitor-middle { height: 3fr; border-top: solid $line; }
    MonitorView #monitor-bottom { height: 2fr; border-top: solid $line; }
    MonitorView #monitor-events { width: 3fr; height: 1fr; }
    MonitorView #monitor-typing { display: none; height: 1; }
    MonitorView.-filtering #monitor-typing { display: block; }
    MonitorView #monitor-feed { height: 1fr; }
    MonitorView #monitor-alarms { width: 2fr; height: 1fr; border-left: solid $line; padding: 0 1; }
    MonitorView.-tall #monitor-charts, MonitorView.-tall #monitor-shares { height: 12; }
    MonitorView #monitor-tabs { display: none; }
    MonitorView.-small #monitor-tabs { display: block; }
    MonitorView.-small #monitor-top, MonitorView.-small #monitor-middle, MonitorView.-small #monitor-bottom {
        height: 1fr; border: none;
    }
    MonitorView.-small #monitor-charts, MonitorView.-small #monitor-shares, MonitorView.-small #monitor-alarms {
        height: 1fr; border: none;
    }
    MonitorView .-away { display: none; }
    """

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.player = Player(
            workspace, self._moment_shown, self._warn, self._branched, lambda: dialogs.is_asking(self.app)
        )
        self._model = DayModel()
        self.filter = ""
        """Words that must occur in the lines of the feed."""
        self.chart = Chart.GANTT
        """The shown chart if there is room for only one."""
        self._models: LatestWorker[DayInput, DayModel] = LatestWorker(
            build_day_model, self._built, pause=0.0, patience=0.0
        )
        self._ahead = AheadLine(id="monitor-ahead")
        self._clock = OneLine(self._clock_words, id="monitor-clock")
        self._tabs = OneLine(lambda cells: tab_line(self.chart, cells), id="monitor-tabs")
        self._charts = Lines(self._chart_lines, id="monitor-charts")
        self._shares = Lines(self._share_lines, id="monitor-shares")
        self.gantt = GanttPane(id="monitor-middle")
        self._feed = LineTable(FeedRows(), id="monitor-feed")
        self._typing = QInput(placeholder="words that must occur: 507 node05 backfilled …", id="monitor-typing")
        self._alarms = AlarmTable(id="monitor-alarms")
        self._explained_later: JobKey | None = None
        """The job to explain once a moment is shown at which it is in the cluster; None without one."""
        self._detail = OneLine(self._detail_words, id="monitor-detail")
        self._top = Horizontal(self._charts, self._shares, id="monitor-top")
        self._events = Vertical(self._typing, self._feed, id="monitor-events")
        self._bottom = Horizontal(self._events, self._alarms, id="monitor-bottom")

    def compose(self) -> ComposeResult:
        yield from (self._clock, self._ahead, self._tabs, self._top, self.gantt, self._bottom, self._detail)

    def on_mount(self) -> None:
        self.border_title = "Monitor"
        for lines in (self._charts, self._shares):
            lines.can_focus = False
        self.workspace.subscribe(self._workspace_changed)
        self.run_worker(self.player.run(), group="player")
        self.run_worker(self._models.run(), group="monitor")
        self.player.begin()

    def refresh_from(self) -> None:
        """Draw the clock; prepare the day again if the document was edited before the day began."""
        self.player.begin()
        self._clock.refresh()

    @property
    def busy(self) -> bool:
        return self.player.busy or self._models.busy

    # The moment -------------------------------------------------------------------------------------------------

    def _workspace_changed(self, event: Event) -> None:
        self.player.workspace_changed(event)
        if event is Event.RESULT and self.player.moment is not None:
            self._ask(self.player.moment)
            if (key := self._explained_later) is not None and not self.player.busy:
                self._explained_later = None
                self.post_message(JobRequested(*key, explain=True))

    def _warn(self, sentence: str) -> None:
        self.notify(sentence, severity="warning", markup=False)

    def _branched(self, ways: Ways | None) -> None:
        self.post_message(DayBranched(ways))

    def show_ahead(self, ahead: Ahead) -> None:
        """Show the summary of the day ahead, or of an edit's effect on it."""
        self._ahead.tell(ahead)

    def _moment_shown(self, moment: Moment) -> None:
        self._clock.refresh()
        self._ahead.pass_time(moment.time)
        self._ask(moment)

    def _ask(self, moment: Moment) -> None:
        result = self.workspace.result
        self._models.ask(DayInput(moment, result.outcome if result is not None else None, self.filter))

    def _built(self, _: DayInput, model: DayModel) -> None:
        self._model = model
        self._draw()
        if self.has_focus_within:  # the schedule with the chosen job may be newer than the choice
            self._job_chosen()

    def _draw(self) -> None:
        model = self._model
        if model.moment is None:
            return
        self.gantt.show(model.gantt, model.moment)
        follows = self._feed.cursor == 0
        nothing = _NOTHING.format(key_of(self, "monitor.play"))
        self._alarms.show_alarms(model.alarms)
        self._feed.show(model.feed, empty=_NO_MATCH.format(key_of(self, "back")) if self.filter else nothing)
        if follows:
            self._feed.action_edge(-1)
        for lines, content in ((self._charts, self._chart_lines), (self._shares, self._share_lines)):
            lines.show(content, keep_place=True)
        self._clock.refresh()
        self._detail.refresh()

    def _detail_words(self, cells: int) -> Line:
        moment, chosen = self._model.moment, self.chosen
        return chosen_line(moment, chosen, cells) if moment is not None and chosen is not None else ()

    def _chart_lines(self, cells: int) -> tuple[Line, ...]:
        moment = self._model.moment
        if moment is None:
            return ()
        heat = heat_lines(self._model.gantt.used, moment.slots, self._model.bad, cells)
        charts = chart_lines(self._model.samples, moment.beginning, moment.time, cells, self._model.waiting)
        return (*charts[:3], *heat, *charts[3:])

    def _share_lines(self, cells: int) -> tuple[Line, ...]:
        return share_lines(self._model.shares, cells)

    def _clock_words(self, cells: int) -> Line:
        player, moment = self.player, self.player.passed or self.player.moment
        if moment is None:
            return ()
        ended_by = key_of(self, "monitor.play") if player.passed else ""
        assumed = f"run time of {player.assumed} jobs assumed" if player.assumed else ""
        clock = Clock(
            moment.time, moment.beginning, player.speed, player.playing, player.busy, moment.runs, 0,
            moment.is_over, player.branches, assumed, self.filter, ended_by,
        )  # fmt: skip
        return clock_line(clock, cells)

    def on_resize(self, event: events.Resize) -> None:
        """Draw the charts for the new width; in a small pane show only one of them."""
        is_small = event.size.width < 90 or event.size.height < 26
        self.update_classes({"-small": is_small, "-tall": event.size.height >= 44})
        had_focus = self.has_focus_within
        self._arrange()
        self.call_after_refresh(self._draw)
        if had_focus and self.has_class("-small"):  # the focused chart may be hidden now
            self.call_after_refresh(self.focus)

    # One chart at a time ----------------------------------------------------------------------------------------

    def next_chart(self) -> None:
        """Show the next chart; if there is room for all, focus the next one with a cursor."""
        if not self.has_class("-small"):
            tables = (self.gantt.table, self._feed, self._alarms)
            at = next((number for number, table in enumerate(tables) if table.has_focus), 0)
            tables[(at + 1) % len(tables)].focus()
            return
        order = tuple(Chart)
        self.show_chart(order[(order.index(self.chart) + 1) % len(order)])

    def show_chart(self, chart: Chart) -> None:
        self.chart = chart
        self._arrange()
        self.call_after_refresh(self._draw)  # the width of the rows is known once they are visible
        self.call_after_refresh(self.focus)

    def _arrange(self) -> None:
        small = self.has_class("-small")
        parts = {Chart.USE: self._charts, Chart.SHARES: self._shares, Chart.GANTT: self.gantt,
                 Chart.EVENTS: self._events, Chart.ALARMS: self._alarms}  # fmt: skip
        for chart, part in parts.items():
            part.set_class(small and chart is not self.chart, "-away")
        self._top.set_class(small and self.chart not in (Chart.USE, Chart.SHARES), "-away")
        self._bottom.set_class(small and self.chart not in (Chart.EVENTS, Chart.ALARMS), "-away")
        self.gantt.set_class(small and self.chart is not Chart.GANTT, "-away")
        for lines in (self._charts, self._shares):
            lines.can_focus = small
        self._tabs.refresh()

    def on_click(self, event: events.Click) -> None:
        """Show the chart whose title was clicked."""
        if (place := event.get_content_offset(self._tabs)) is not None:
            chart = tab_at(Chart, place.x)
            if chart is not None:
                self.show_chart(chart)

    def picture(self, title: str) -> tuple[list[Line], int]:
        """Return the lines of an export and their width in cells: charts, alarms, events beside the Gantt chart."""
        cells = _EXPORTED
        rows, feed = self.gantt.rows_of(cells), self._model.feed
        events = [feed.line(number, cells) for number in range(min(len(feed), 20))]
        alarms = alarm_lines(self._model.alarms, cells)
        parts = [[self._clock_words(cells)], self._chart_lines(cells), self._share_lines(cells), alarms, events]
        left = [line for part in parts for line in (*part, ())]
        shown = min(len(rows), max(len(left), _EXPORTED_ROWS))
        more = count(len(rows) - shown, "more row") if shown < len(rows) else ""
        right = [rows.head(cells) or (), *(rows.line(number, cells) for number in range(shown)), LEGEND, (Span(more),)]
        return landscape(title, left, right, cells)

    # The filter -------------------------------------------------------------------------------------------------

    def start_filter(self) -> None:
        if self.has_class("-small"):
            self.show_chart(Chart.EVENTS)
        self.add_class("-filtering")
        self._typing.value = self.filter
        self.call_after_refresh(self._typing.focus)

    def leave(self) -> bool:
        """Leave the filter's line on Esc and show all events again; False without a filter."""
        if not self.has_class("-filtering") and not self.filter:
            return False
        self.remove_class("-filtering")
        self._filter_by("")
        self.focus()
        return True

    @on(Input.Changed, "#monitor-typing")
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        if self.has_class("-filtering"):
            self._filter_by(event.value)

    @on(Input.Submitted, "#monitor-typing")
    def _kept(self, event: Input.Submitted) -> None:
        event.stop()
        self.remove_class("-filtering")
        self.focus()

    def _filter_by(self, words: str) -> None:
        self.filter = words
        if self.player.moment is not None:
            self._ask(self.player.moment)
        self._clock.refresh()

    # Choosing ---------------------------------------------------------------------------------------------------

    def focus(self, scroll_visible: bool = True, from_app_focus: bool = False) -> "MonitorView":
        """Give the focus to the feed, or to the only chart in sight."""
        only = {Chart.USE: self._charts, Chart.SHARES: self._shares, Chart.GANTT: self.gantt.table,
                Chart.ALARMS: self._alarms}.get(self.chart) if self.has_class("-small") else None  # fmt: skip
        (only or self._feed).focus(scroll_visible)
        return self

    @property
    def chosen(self) -> JobKey | None:
        """The task under the cursor of the Gantt chart, of the alarms, else of the feed."""
        if self.gantt.table.has_focus:
            return self.gantt.chosen
        if self._alarms.has_focus:
            job = self._alarms.job
            return (job, 1) if job is not None else None
        entry = self._model.feed.entry(self._feed.cursor_key)
        return entry.key if entry is not None else None

    @property
    def selected(self) -> str | None:
        chosen = self.chosen
        return str(chosen[0]) if chosen is not None else None

    @property
    def copied(self) -> str:
        tables = (self.gantt.table, self._alarms, self._feed)
        return next((table for table in tables if table.has_focus), self._feed).cursor_text

    @on(LineTable.Moved)
    def _moved(self, event: LineTable.Moved) -> None:
        event.stop()
        if event.table.has_focus:
            self._job_chosen()

    def on_descendant_focus(self) -> None:
        """Choose the job under the focused chart's own cursor."""
        self._job_chosen()

    def _job_chosen(self) -> None:
        self._detail.refresh()
        if self.player.playing:
            return
        if (chosen := self.chosen) is not None:
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
        """Open the dialog about the chosen job at this moment."""
        chosen, moment = self.chosen, self.player.moment
        self.player.stop()
        if chosen is None or moment is None:
            self.notify("No job is chosen here.", severity="warning", markup=False)
        elif not any(job.id == chosen[0] for job in moment.state.jobs):
            self._explain_then(chosen, moment)
        else:
            self.post_message(JobRequested(*chosen, explain=True))

    def _explain_then(self, key: JobKey, moment: Moment) -> None:
        """Go to a moment at which the job of the feed's entry was in the cluster, and explain it there."""
        entry = self._model.feed.entry(self._feed.cursor_key)
        if entry is None or entry.job != key[0] or entry.kind is FeedKind.REJECTED:
            words = feed_words(entry) if entry is not None and entry.job == key[0] else f"Job {key[0]} is not there now"
            self.notify(f"{words}.", severity="warning", markup=False)
            return
        self._explained_later = key
        has_gone = entry.kind in (FeedKind.ENDED, FeedKind.DELETED)
        self.player.go_to(moment.place._replace(position=entry.position - has_gone, time=entry.time))
