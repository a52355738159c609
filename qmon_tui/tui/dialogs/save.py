"""Save dialog: the difference by field and by line, and the findings of the new state."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import ClassVar, Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.geometry import Size

from qmon_tui.model import Finding, Severity
from qmon_tui.report import Line, Span, TextRole, change_lines, count, file_lines, finding_lines, header, summary, wrap
from qmon_tui.tui.base import Lines, run_in_thread
from qmon_tui.tui.dialogs.dialog import Answer, AnswerButton, Dialog, label_of
from qmon_tui.tui.dialogs.reading_dialogs import ScriptDialog
from qmon_tui.workspace import ObjectChange

FileTexts = Sequence[tuple[str, str | None, str | None]]
"""File, its text before and after; None if it does not exist then."""

FindingsSource = Callable[[], Sequence[Finding]]
"""Computes the findings; called in a thread."""

_SAVE: Final[Answer[bool | None]] = Answer("F2", "save", True)
"""A key other than letters and the one that opens the dialog, so that no text typed by mistake saves."""
_COMMANDS: Final[Answer[bool | None]] = Answer("c", "commands", None)
"""Shows the commands, and leaves the dialog open."""
_KEEP: Final[Answer[bool | None]] = Answer("n", "keep editing", False, safe=True)


class SaveDialog(Dialog[bool | None]):
    """Answers True if the user confirms writing the difference.

    The default answer is no. The dialog opens before the findings are computed. A confirmation given before they are
    known takes effect if they contain no errors.
    """

    WIDE: ClassVar[bool] = True

    def __init__(
        self,
        changes: Sequence[ObjectChange],
        files: FileTexts,
        findings: Sequence[Finding] | FindingsSource,
        losses: Sequence[str] = (),
        script: Callable[[], ScriptDialog] | None = None,
    ) -> None:
        """`script` makes the dialog with the commands that make the same changes on a running cluster."""
        answers = (_KEEP, _SAVE) if script is None else (_KEEP, _SAVE, _COMMANDS)
        super().__init__(f"Save: {summary(changes, [name for name, _, _ in files])}", answers)
        self._script = script
        self._changes = changes
        self._files = files
        self._source = findings
        self._losses = losses
        self._findings: list[Finding] | None = None
        self._is_confirmed_early = self._has_errors = False

    def on_mount(self) -> None:
        """Show the findings, or compute them."""
        if callable(self._source):
            self.run_worker(self._compute_findings(self._source), group="looking")
        else:
            self._show_findings(self._source)

    async def _compute_findings(self, look: FindingsSource) -> None:
        self._show_findings(await run_in_thread(lambda: look()))
        self.first_focus().focus()
        if self._is_confirmed_early and not self._has_errors:
            self.dismiss(True)

    def _show_findings(self, findings: Sequence[Finding]) -> None:
        self._findings = [finding for finding in findings if finding.severity is not Severity.INFO]
        errors, _ = header.count_severities(findings)
        self._has_errors = bool(errors)
        if errors:
            self._answers = (_KEEP, replace(_SAVE, words="save despite the errors"), *self._answers[2:])
            button = self.query_one("#answer-1", AnswerButton)
            button.label = label_of(self._answers[1])
            button.refresh(layout=True)
        self.query_one("#save-findings", Lines).show(self._finding_lines)
        self._arrange(self.size)

    def answer(self, result: bool | None) -> None:
        """Handle an answer; a confirmation before the findings are known waits for them."""
        if result is None and self._script is not None:
            self.app.push_screen(self._script())
        elif result and self._findings is None:
            self._is_confirmed_early = True
            self.query_one("#save-findings", Lines).show(self._finding_lines)
        else:
            self.dismiss(result)

    def body(self) -> ComposeResult:
        """Yield objects and findings side by side, and the lines of the files below."""
        with Horizontal(id="save-top"):
            objects = Lines(lambda cells: change_lines(self._changes, cells), id="save-objects")
            objects.border_title = "What changes"
            yield objects
            findings = Lines(self._finding_lines, id="save-findings")
            findings.border_title = "Findings after saving"
            yield findings
        files = Lines(lambda cells: file_lines(self._files, cells), id="save-files")
        files.border_title = "Lines of the files"
        yield files

    def on_resize(self, event: events.Resize) -> None:
        """Give objects and findings what they need, up to half of the height; the lines of the files get the rest."""
        self._arrange(event.size)

    def _arrange(self, size: Size) -> None:
        inner = min(110, size.width) - 6
        room = max(8, size.height - 8)
        wanted = max(len(change_lines(self._changes, inner * 3 // 5)), len(self._finding_lines(inner * 2 // 5)))
        lines = len(file_lines(self._files, inner))
        top = min(wanted, max(room // 2, room - lines))
        for name in ("#save-objects", "#save-findings"):
            self.query_one(name).styles.height = top + 1
        self.query_one("#save-files").styles.height = min(lines, room - top) + 1

    def _finding_lines(self, cells: int) -> tuple[Line, ...]:
        """Return what saving changes besides the texts of the files, then the findings."""
        lost = [line for loss in self._losses for line in wrap(loss, cells, TextRole.WARNING, first="! ", rest="  ")]
        return (*lost, (), *self._lines_of_findings(cells)) if lost else self._lines_of_findings(cells)

    def _lines_of_findings(self, cells: int) -> tuple[Line, ...]:
        if self._findings is None:
            then = "; saved then if there are no errors" if self._is_confirmed_early else ""
            return tuple(wrap(f"looking for them …{then}", cells, TextRole.DIM))
        if not self._findings:
            return ((Span("✓ ", TextRole.ADDED), Span("no errors, no warnings")),)
        touched = {(change.kind.value, change.name) for change in self._changes}
        mine = [finding for finding in self._findings if (finding.kind, finding.name) in touched]
        others = [finding for finding in self._findings if (finding.kind, finding.name) not in touched]
        lines: list[Line] = []
        for finding in sorted(mine, key=lambda finding: finding.severity is not Severity.ERROR):
            lines.extend((*finding_lines(finding, cells), ()))
        if others:
            errors, warnings = header.count_severities(others)
            counts = [count(number, noun) for number, noun in ((errors, "error"), (warnings, "warning")) if number]
            lines.extend(wrap(f"elsewhere: {', '.join(counts)}", cells, TextRole.DIM))
        return tuple(lines)
