"""The list of all findings: Enter jumps to the field."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widget import Widget
from textual.widgets import Input

from qmon_tui.model import Finding
from qmon_tui.report import FindingRows, count, finding_lines, header
from qmon_tui.tui.base import Lines, LineTable, QInput, key_of, local_bindings
from qmon_tui.tui.dialogs.dialog import Dialog


class FindingsDialog(Dialog[Finding]):
    """Answers the finding to go to, or None."""

    WIDE: ClassVar[bool] = True
    BINDINGS: ClassVar[list[BindingType]] = local_bindings({
        "filter": "filter", "findings": "cancel", "reference.open": "explain", "finding.file": "open_file",
    })  # fmt: skip

    def __init__(
        self,
        findings: Sequence[Finding],
        explain: Callable[[Finding], None] = lambda finding: None,
        open_file: Callable[[Finding], None] = lambda finding: None,
    ) -> None:
        """`explain` opens the reference on a finding, `open_file` its file in the user's editor."""
        errors, warnings = header.count_severities(findings)
        super().__init__(f"Findings: {count(errors, 'error')}, {count(warnings, 'warning')}")
        self._all = FindingRows(findings)
        self._explain = explain
        self._open_file = open_file
        self._rows = self._all

    def body(self) -> ComposeResult:
        yield LineTable(self._all, empty="No findings match.", id="findings-table")
        yield QInput(placeholder="/ filter", id="findings-filter")
        detail = Lines(id="findings-detail")
        detail.border_title = f"Enter goes to the field, F1 explains it, {key_of(self, 'finding.file')} opens the file"
        yield detail

    def first_focus(self) -> Widget:
        self._show_detail()
        return self.query_one(LineTable)

    def action_explain(self) -> None:
        key = self.query_one(LineTable).cursor_key
        if isinstance(key, Finding):
            self._explain(key)

    def action_open_file(self) -> None:
        key = self.query_one(LineTable).cursor_key
        if isinstance(key, Finding):
            self._open_file(key)

    def action_filter(self) -> None:
        self.query_one(QInput).focus()

    def action_cancel(self) -> None:
        """Clear the filter if it is used, else close the dialog."""
        field = self.query_one(QInput)
        if field.has_focus or field.value:
            field.value = ""
            self.query_one(LineTable).focus()
        else:
            self.dismiss(None)

    @on(Input.Changed)
    def _filtered(self, event: Input.Changed) -> None:
        self._rows = self._all.containing(event.value)
        self.query_one(LineTable).show(self._rows)
        self._show_detail()

    @on(Input.Submitted)
    def _filter_kept(self) -> None:
        self.query_one(LineTable).focus()

    @on(LineTable.Moved)
    def _moved(self) -> None:
        self._show_detail()

    @on(LineTable.Opened)
    def _opened(self, event: LineTable.Opened) -> None:
        if isinstance(event.key, Finding):
            self.dismiss(event.key)

    def _show_detail(self) -> None:
        key = self.query_one(LineTable).cursor_key
        detail = self.query_one("#findings-detail", Lines)
        detail.show(lambda cells: finding_lines(key, cells) if isinstance(key, Finding) else ())
