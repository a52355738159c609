"""The Sweep page: all combinations of some values are simulated on the same days, and listed from the best one."""

from dataclasses import dataclass
from functools import partial
from typing import Final

from textual.app import ComposeResult

from qmon_tui.report import Line
from qmon_tui.report.sweeping import PointRows, SweepHead, heat_map_lines, sweep_head_lines
from qmon_tui.simulation import (
    Axis,
    EditError,
    Measured,
    Scenario,
    Setting,
    computed,
    grid,
    measured,
    planned_length,
    point_of,
    read_axis,
    with_run_times,
)
from qmon_tui.tui.base import LatestWorker, Lines, LineTable
from qmon_tui.tui.compare.days_page import LOOK, DaysPage, OutdatedError
from qmon_tui.tui.dialogs import NameDialog
from qmon_tui.workspace import Document, Workspace

MEASURES: Final = ("wait.mean", "wait.p95", "bounded_slowdown.mean", "utilisation", "jain.owner")
"""Measures in the columns of the table."""
_AXIS: Final = (
    "A field and its values, with commas between them: scheduler.weight_urgency=0,0.1,1, queues.all.q.slots=4,8, "
    "workload.load=1,1.2 for more jobs, hosts=+0,+10 for more hosts. All combinations are tried."
)
_NOTHING: Final = "Nothing is varied yet: a takes a field and its values, such as scheduler.weight_urgency=0,0.1,1."


@dataclass(frozen=True, slots=True)
class _Wanted:
    document: Document
    axes: tuple[Axis, ...]
    seconds: int | None
    seeds: int


class SweepView(DaysPage):
    """A row for each point (combination of values), and a heat map of the measure by which they are sorted."""

    SEEDS = (1, 3, 5, 10, 20)
    DEFAULT_CSS = """
    SweepView #sweep-head { height: auto; max-height: 7; border-bottom: solid $line; }
    SweepView #sweep-table { height: 1fr; }
    SweepView #sweep-map { height: auto; max-height: 40%; border-top: solid $line; }
    """

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.axes: tuple[Axis, ...] = ()
        self.tried: dict[Setting, Measured | str] = {}
        """Simulated points with their measures, or a sentence why one cannot be simulated."""
        self._chosen = 0
        self._drawn = -1
        self._problem = ""
        self._wanted: _Wanted | None = None
        self._worker: LatestWorker[_Wanted, str] = LatestWorker(self._try, self._done, pause=0.3)
        self._head = Lines(self._head_words, id="sweep-head")
        self._table = LineTable(PointRows(), empty=_NOTHING, id="sweep-table")
        self._map = Lines(self._map_lines, id="sweep-map")

    def compose(self) -> ComposeResult:
        yield self._head
        yield self._table
        yield self._map

    def on_mount(self) -> None:
        self._head.can_focus = self._map.can_focus = False
        self.border_title = "Sweep"
        self.run_worker(self._worker.run(), group="sweep")
        self.set_interval(LOOK, self._look)
        super().on_mount()

    def refresh_from(self) -> None:
        """Simulate the points again if cluster, axes or days have changed."""
        wanted = _Wanted(self.workspace.edited_document, self.axes, self._seconds, self._seeds)
        if wanted == self._wanted:
            return
        self._wanted = wanted
        self.tried, self._problem = {}, ""
        if self.axes:
            self._worker.ask(wanted)
        self._draw()

    @property
    def busy(self) -> bool:
        return self._worker.busy

    # Beside the screen ------------------------------------------------------------------------------------------

    def _try(self, wanted: _Wanted) -> str:
        """Simulate all points, in a thread; return the problem as a sentence, empty without one."""

        def look() -> None:
            if wanted is not self._wanted:
                raise OutdatedError

        document = wanted.document
        state, _ = with_run_times(document.state)
        scenario = Scenario(document.cluster, state, length=wanted.seconds)
        try:
            settings = list(grid(wanted.axes))
            points = [point_of(scenario, setting, range(wanted.seeds), MEASURES) for setting in settings]
            tried = self.tried
            for number, result in computed(partial(measured, look=look), points):
                tried[settings[number]] = result
        except EditError as error:
            return f"{error}."
        except OutdatedError:
            pass
        return ""

    def _done(self, wanted: _Wanted, problem: str) -> None:
        if wanted is self._wanted:
            self._problem = problem
            self._draw()

    def _look(self) -> None:
        if self._worker.busy and len(self.tried) != self._drawn:
            self._draw()

    # Drawing ----------------------------------------------------------------------------------------------------

    def _draw(self) -> None:
        self._drawn = len(self.tried)
        self._table.show(PointRows(self._points, MEASURES, self._chosen), empty="" if self.axes else _NOTHING)
        self._head.show(self._head_words)
        self._map.show(self._map_lines)

    @property
    def _points(self) -> tuple[tuple[Setting, Measured | str], ...]:
        return tuple(self.tried.items())

    def _head_words(self, cells: int) -> tuple[Line, ...]:
        points = 1
        for axis in self.axes:
            points *= len(axis.values)
        tried = len(self.tried)
        seconds = planned_length(self.workspace.edited_document.state, self._seconds)
        head = SweepHead(self.axes, points, tried, seconds, self._seeds, self._worker.busy, self._problem)
        return sweep_head_lines(head, cells)

    def _map_lines(self, cells: int) -> tuple[Line, ...]:
        return heat_map_lines(self.axes, self._points, MEASURES[self._chosen], cells)

    # Actions ----------------------------------------------------------------------------------------------------

    def ask_axis(self) -> None:
        """Ask for a field and its values, and vary it."""
        cluster = self.workspace.edited_document.cluster

        def check(text: str) -> str | None:
            try:
                axis = read_axis(cluster, text)
                if any(known.place == axis.place for known in self.axes):
                    return f"{axis.place} is varied already: d removes it."
                if axis.span is not None:
                    return f"{axis.place}: write its values with commas, such as {axis.place}=0,0.5,1."
                list(grid((*self.axes, axis)))
            except EditError as error:
                return f"{error}."
            return None

        NameDialog("Vary a field", _AXIS, check).ask(self.app, lambda text: self.add(read_axis(cluster, text)))

    def add(self, axis: Axis) -> None:
        self.axes = (*self.axes, axis)
        self.refresh_from()

    def remove_last(self) -> None:
        self.axes = self.axes[:-1]
        self.refresh_from()

    def next_measure(self) -> None:
        self._chosen = (self._chosen + 1) % len(MEASURES)
        self._draw()

    # Choosing ---------------------------------------------------------------------------------------------------

    @property
    def selected(self) -> str | None:
        """The settings of the chosen point."""
        key = self._table.cursor_key
        return " ".join(f"{place}={value}" for place, value in key) if isinstance(key, tuple) else None

    @property
    def copied(self) -> str:
        """The edits of the chosen point, as `compare` takes them."""
        return self.selected or ""
