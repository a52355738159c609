"""`?`: everything that can be done here, searchable; Enter does it."""

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.widget import Widget
from textual.widgets import Input

from qmon_tui.report import Line
from qmon_tui.tui.base import FilterInput, Lines, LineTable, OneLine
from qmon_tui.tui.dialogs.dialog import Dialog
from qmon_tui.tui.dialogs.help_rows import HelpEntry, HelpRows, entry_notes


class HelpDialog(Dialog[HelpEntry]):
    """Answers what is to be done, or None."""

    WIDE: ClassVar[bool] = True

    def __init__(self, entries: Sequence[HelpEntry], legend: Sequence[Line], topics: Sequence[HelpEntry] = ()) -> None:
        super().__init__("Help: type to search, Enter does it, Esc leaves")
        self._all = HelpRows(entries, topics)
        self._rows = self._all
        self._legend = tuple(legend)

    def body(self) -> ComposeResult:
        yield FilterInput(placeholder="search: delete, filter, theme, ticket, h_vmem …", id="help-search")
        yield LineTable(self._all, empty="No match", id="help-table")
        yield OneLine(id="help-reason")
        legend = Lines(lambda _: self._legend, id="help-legend")
        legend.border_title = "Signs"
        legend.can_focus = False
        legend.styles.height = len(self._legend) + 1
        yield legend

    def first_focus(self) -> Widget:
        self.query_one(LineTable).action_move(1)
        return self.query_one(FilterInput)

    def action_step(self, by: int) -> None:
        self.query_one(LineTable).action_move(by)

    @on(Input.Changed)
    def _searched(self, event: Input.Changed) -> None:
        self._rows = self._all.containing(event.value)
        table = self.query_one(LineTable)
        table.show(self._rows)
        # The first row is a heading: Enter should do the first thing found.
        table.action_edge(-1)
        table.action_move(1)

    @on(LineTable.Moved)
    def _moved(self) -> None:
        entry = self._rows.entry(self.query_one(LineTable).cursor)
        self.query_one("#help-reason", OneLine).show(lambda cells: entry_notes(entry, cells))

    @on(Input.Submitted)
    def _submitted(self) -> None:
        self._run(self._rows.entry(self.query_one(LineTable).cursor))

    @on(LineTable.Opened)
    def _opened(self) -> None:
        self._run(self._rows.entry(self.query_one(LineTable).cursor))

    def _run(self, entry: HelpEntry | None) -> None:
        if entry is not None and (entry.id or entry.go):
            self.dismiss(entry)
