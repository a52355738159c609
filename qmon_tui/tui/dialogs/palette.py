"""The palette: go to anything by a few letters of its name. Enter waits for the search of the typed text."""

from typing import ClassVar, Protocol

from textual import on
from textual.app import ComposeResult
from textual.widgets import Input

from qmon_tui.report import Line, SearchHit, SearchRows, SearchTarget, TextRole, wrap
from qmon_tui.tui.base import FilterInput, LatestWorker, Lines, LineTable, run_in_thread
from qmon_tui.tui.dialogs.dialog import Dialog


class Targets(Protocol):
    """Search over all objects, pages and actions."""

    def hits(self, query: str) -> list[SearchHit]:
        """Return the targets that match, best first; for an empty query the initial ones."""


class PaletteDialog(Dialog[SearchTarget]):
    """Answers the chosen target, or None."""

    WIDE: ClassVar[bool] = True
    FIRST_FOCUS = "FilterInput"

    def __init__(self, everything: Targets) -> None:
        super().__init__("Go to anything or do anything: type a few letters of its name")
        self._everything = everything
        self._rows = SearchRows(everything.hits(""))
        self._searching: LatestWorker[str, list[SearchHit]] = LatestWorker(
            everything.hits, self._show_hits, pause=0.03, patience=0.1
        )

    def body(self) -> ComposeResult:
        yield FilterInput(
            placeholder="all.q   h_rt   node01   4711   undo   disable node05   qconf -mq long.q   qstat -u bela …",
            id="palette-query",
        )
        yield LineTable(self._rows, empty="No match", id="palette-table")
        yield Lines(self._about, id="palette-about")

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(Lines).can_focus = self._table.can_focus = False
        self._table.lit = True
        self.run_worker(self._searching.run(), group="searching")

    def action_step(self, by: int) -> None:
        self._table.action_move(by)

    @property
    def _table(self) -> LineTable:
        return self.query_one(LineTable)

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        self._searching.ask(event.value)

    @on(Input.Submitted)
    async def _submitted(self, event: Input.Submitted) -> None:
        """Take the chosen row; if the rows are for another text, search first. Keys wait until then."""
        if self._rows.query != event.value:
            hits = await run_in_thread(lambda: self._everything.hits(event.value))
            self._show_hits(event.value, hits)
        self._take()

    @on(LineTable.Opened)
    def _opened(self) -> None:
        self._take()

    @on(LineTable.Moved)
    def _moved(self) -> None:
        self.query_one(Lines).show(self._about)

    def _take(self) -> None:
        target = self._rows.target(self._table.cursor)
        if target is not None and self.is_current:
            self.dismiss(target)

    def _show_hits(self, query: str, hits: list[SearchHit]) -> None:
        """Show the hits, unless the typed text has changed since."""
        if self.is_attached and query == self.query_one(FilterInput).value:
            self._rows = SearchRows(hits, query)
            self._table.show(self._rows)
            self.query_one(Lines).show(self._about)

    def _about(self, cells: int) -> tuple[Line, ...]:
        target = self._rows.target(self._table.cursor)
        if target is None:
            return ()
        reason = wrap(target.reason, cells, TextRole.WARNING, first="Not now: ") if target.reason else ()
        return (*reason, *wrap(f"{target.text}  {target.about}", cells, TextRole.DIM))
