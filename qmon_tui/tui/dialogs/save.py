"""Saving: first the difference, field by field and line by line, with the findings of the new state beside it."""

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal

from qmon_tui.model.findings import Finding, Severity
from qmon_tui.tui.dialogs.base import Answer, Dialog
from qmon_tui.tui.panes.lines import Lines
from qmon_tui.tui.present.difference import change_lines, file_lines, summary
from qmon_tui.tui.present.findings import finding_lines
from qmon_tui.tui.present.header import count_severities
from qmon_tui.tui.present.spans import Idea, Line, Span, wrap
from qmon_tui.tui.present.words import count
from qmon_tui.workspace.difference import ObjectChange

FileTexts = Sequence[tuple[str, str | None, str | None]]


class SaveDialog(Dialog[bool]):
    """Answers True where the difference is to be written. With errors in the new state the safe answer is not to."""

    WIDE: ClassVar[bool] = True

    def __init__(self, changes: Sequence[ObjectChange], files: FileTexts, findings: Sequence[Finding]) -> None:
        self._changes = changes
        self._files = files
        self._findings = [finding for finding in findings if finding.severity is not Severity.INFO]
        errors, _ = count_severities(findings)
        save = Answer("s", "save although there are errors" if errors else "save", True, safe=not errors)
        keep = Answer("n", "go on editing", False, safe=bool(errors))
        super().__init__(
            f"Save: {summary(changes, [name for name, _, _ in files])}", (keep, save) if errors else (save, keep)
        )

    def body(self) -> ComposeResult:
        """Objects and findings side by side, the lines of the files below."""
        with Horizontal(id="save-top"):
            objects = Lines(lambda cells: change_lines(self._changes, cells), id="save-objects")
            objects.border_title = "What changes"
            yield objects
            findings = Lines(self._finding_lines, id="save-findings")
            findings.border_title = "Findings afterwards"
            yield findings
        files = Lines(lambda cells: file_lines(self._files, cells), id="save-files")
        files.border_title = "Lines of the files"
        yield files

    def on_resize(self, event: events.Resize) -> None:
        """Objects and findings get what they need up to half of the room, the lines of the files the rest."""
        inner = min(110, event.size.width) - 6
        room = max(8, event.size.height - 8)
        wanted = max(len(change_lines(self._changes, inner * 3 // 5)), len(self._finding_lines(inner * 2 // 5)))
        lines = len(file_lines(self._files, inner))
        top = min(wanted, max(room // 2, room - lines))
        for name in ("#save-objects", "#save-findings"):
            self.query_one(name).styles.height = top + 1
        self.query_one("#save-files").styles.height = min(lines, room - top) + 1

    def _finding_lines(self, cells: int) -> tuple[Line, ...]:
        if not self._findings:
            return ((Span("✓ ", Idea.ADDED), Span("no errors, no warnings")),)
        touched = {(change.kind.value, change.name) for change in self._changes}
        mine = [finding for finding in self._findings if (finding.kind, finding.name) in touched]
        others = [finding for finding in self._findings if (finding.kind, finding.name) not in touched]
        lines: list[Line] = []
        for finding in sorted(mine, key=lambda found: found.severity is not Severity.ERROR):
            lines.extend((*finding_lines(finding, cells), ()))
        if others:
            errors, warnings = count_severities(others)
            told = [count(number, noun) for number, noun in ((errors, "error"), (warnings, "warning")) if number]
            lines.extend(wrap(f"elsewhere: {', '.join(told)}", cells, Idea.DIM))
        return tuple(lines)
