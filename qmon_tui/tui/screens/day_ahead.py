"""Background simulation of the day ahead, after opening and after each edit, to show the edit's effect over the day.

Runs have priority: a day is simulated only while no run is being computed, and cancelled by the next request.
"""

from collections.abc import Callable
from time import sleep
from typing import TYPE_CHECKING, Final, NamedTuple

from qmon_tui.report import Line
from qmon_tui.report.day import BRANCHED, UNSAVED, day_ahead_line
from qmon_tui.simulation import DayAhead, DayAheadSummary, Simulator, look_ahead, summary_of_days
from qmon_tui.sources import Reading, SourceError
from qmon_tui.tui.base import Ahead, DayBranched, LatestWorker
from qmon_tui.workspace import Document, Event, day_simulator

if TYPE_CHECKING:
    from qmon_tui.tui.screens.action_screen import ActionScreen

SECONDS: float = 4.0
"""Seconds of work for one day; 0 turns the simulation off."""
_LONGEST_RUN: Final = 2.0
"""Longest run, in seconds, with which a day is simulated: longer runs leave too few of them for a result."""
_CHECK_INTERVAL: Final = 0.02
"""Seconds between two checks whether a run is still being computed."""


class _OutdatedError(Exception):
    """Another day was requested."""


class _Wanted(NamedTuple):
    """Days to simulate: of the saved and the edited document, or `ways`: a branch without and with its edit."""

    reading: Reading | None = None
    saved: Document | None = None
    document: Document | None = None
    ways: tuple[Simulator, Simulator] | None = None


class DayAheadWorker:
    """Worker that simulates the day ahead for a screen, and shows the summary on its page."""

    def __init__(self, screen: "ActionScreen") -> None:
        self._screen = screen
        self._wanted: _Wanted | None = None
        self._days: LatestWorker[_Wanted, DayAheadSummary | None] = LatestWorker(self._simulate, self._show, pause=0.2)
        self._saved: tuple[Document, DayAhead] | None = None
        """The saved document and its day, which stays the same after every edit."""
        self._branch: DayBranched | None = None

    @property
    def busy(self) -> bool:
        """True if a day is due or being simulated."""
        return self._days.busy

    def start(self) -> None:
        if SECONDS:
            self._screen.workspace.subscribe(self._workspace_changed)
            self._screen.run_worker(self._days.run(), group="ahead")
            self._ask()

    def branched(self, event: DayBranched) -> None:
        """Simulate the two ways of an edit at a moment of the day; without `event.ways`, the documents again."""
        self._branch = event if event.ways is not None else None
        self._ask()

    def _workspace_changed(self, event: Event) -> None:
        if event is Event.RESULT:
            self._ask()

    def _ask(self) -> None:
        workspace = self._screen.workspace
        result = workspace.result
        if not SECONDS or result is None or result.outcome is None or result.seconds > _LONGEST_RUN:
            return
        if self._branch is not None and workspace.moment is not None:
            wanted = _Wanted(ways=self._branch.ways)
        elif workspace.moment is None or self._wanted is None or self._wanted.ways is not None:
            self._branch = None
            saved = workspace.base_document
            wanted = _Wanted(workspace.reading, saved, workspace.edited_document if workspace.is_dirty() else saved)
        else:
            return
        known = self._wanted
        if known is None or any(
            value_before is not value_now for value_before, value_now in zip(known[1:], wanted[1:], strict=True)
        ):
            self._wanted = wanted
            self._days.ask(wanted)

    # In a thread ------------------------------------------------------------------------------------------------

    def _simulate(self, wanted: _Wanted) -> DayAheadSummary | None:
        def wait_for_runs() -> None:
            while self._screen.running.busy and wanted is self._wanted:
                sleep(_CHECK_INTERVAL)
            if wanted is not self._wanted or not self._screen.is_running:
                raise _OutdatedError

        try:
            if wanted.ways is not None:
                before, after = (look_ahead(way.copy(), SECONDS, wait_for_runs) for way in wanted.ways)
                return summary_of_days(after, before)
            return self._of_documents(wanted, wait_for_runs)
        except (_OutdatedError, SourceError):
            return None

    def _of_documents(self, wanted: _Wanted, wait_for_runs: Callable[[], None]) -> DayAheadSummary:
        reading, saved, document = wanted.reading, wanted.saved, wanted.document
        assert reading is not None
        assert saved is not None
        assert document is not None
        if self._saved is None or self._saved[0] is not saved:
            self._saved = saved, look_ahead(day_simulator(reading, saved), SECONDS, wait_for_runs)
        before = self._saved[1]
        if document is saved:
            return summary_of_days(before)
        return summary_of_days(look_ahead(day_simulator(reading, document), SECONDS, wait_for_runs), before)

    def _show(self, wanted: _Wanted, result: DayAheadSummary | None) -> None:
        if wanted is not self._wanted:
            return
        edited = BRANCHED if wanted.ways is not None else UNSAVED

        def ahead(cells: int) -> Line:
            return day_ahead_line(result, cells, edited) if result is not None else ()

        is_changed = result is not None and result.wait_before is not None
        until = result.reached if result is not None and not result.is_whole and not is_changed else None
        self._screen.pages.show_ahead(Ahead(ahead, result is not None, is_changed, until))
