"""Base of the dialogs that edit a field's text: they show the text and its findings below their content."""

from collections.abc import Callable
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Input, TextArea

from qmon_tui.model import Finding, Severity
from qmon_tui.report import Line, Span, TextRole, field_finding_lines, line, wrap
from qmon_tui.tui.base import QLines, key_hints, local_bindings
from qmon_tui.tui.dialogs import Dialog
from qmon_tui.tui.forms.field_view import key_lines

Check = Callable[[str], tuple[Finding, ...]]
"""Returns the findings of the field with this text."""


class ValueDialog(Dialog[str]):
    """Enter answers `text`; Esc answers None, as Enter does if the text has not changed.

    Subclasses yield the content, and call `preview` after each change.
    """

    WIDE: ClassVar[bool] = True
    is_new: bool = False
    """True if Enter answers the initial text too, because no field has it yet."""
    SAYS_TEXT: ClassVar[bool] = True
    """True if the preview shows the text, because the content does not."""
    DEFAULT_CSS = """
    ValueDialog #preview { margin-top: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = local_bindings({"dialog.done": "accept"})

    def __init__(self, title: str, check: Check) -> None:
        super().__init__(title)
        self._check = check
        self._initial_text: str | None = None
        """The initial text, perhaps in another spelling than the field's; None if `is_new`."""
        self._preview = QLines(id="preview")

    @property
    def text(self) -> str:
        """The field's text in its present state."""
        return ""

    def content(self) -> ComposeResult:
        """Yield the widgets between title and preview."""
        yield from ()

    def body(self) -> ComposeResult:
        yield from self.content()
        yield self._preview

    def keys(self) -> tuple[str, ...]:
        """Return key hints, shown at the bottom."""
        return key_hints(self, ("dialog.done", self.done()), ("dialog.leave", "cancel"))

    def done(self) -> str:
        """Return the label of Enter."""
        return "keep"

    def hint(self) -> str:
        """Return a readable form of the text, such as `2 h 05 min`; empty for none."""
        return ""

    def problem(self) -> str:
        """Return why the text cannot be kept; empty if it can."""
        return ""

    def on_mount(self) -> None:
        super().on_mount()
        self._initial_text = None if self.is_new else self.text
        self.preview()

    def on_resize(self, event: events.Resize) -> None:
        """Draw the preview after the layout, which determines its width."""
        self.call_after_refresh(self.preview)

    def preview(self) -> None:
        """Show the text and its findings."""
        cells = max(self.size.width - 10, 30) if not self._preview.size.width else self._preview.size.width
        text = self.text
        lines: list[Line] = []
        if self.SAYS_TEXT:
            lines += wrap(text or "-", cells, TextRole.STRONG, first="= ", rest="  ")[:3]
            if hint := self.hint():
                lines[-1] = (*lines[-1], Span(f"   {hint}", TextRole.DIM))
        if problem := self.problem():
            lines.append(line(Span("✗ ", TextRole.ERROR), Span(problem, TextRole.ERROR)))
        else:
            findings = [f for f in self._check(text) if f.severity is not Severity.INFO]
            lines += [row for finding in findings[:2] for row in field_finding_lines(finding, cells, 0)]
        lines += [(), *key_lines(self.keys(), cells)]
        self._preview.show(lines)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_accept()

    def action_accept(self) -> None:
        """Answer the text; ring the bell if it cannot be kept."""
        if self.problem():
            self.app.bell()
        else:
            self.dismiss(self.text if self.text != self._initial_text else None)


class LinesDialog(ValueDialog):
    """Text area; Enter begins a new line, so another key keeps the text."""

    SAYS_TEXT: ClassVar[bool] = False
    DEFAULT_CSS = """
    LinesDialog TextArea { height: 12; border: none; padding: 0; background: $panel; }
    """
    BINDINGS: ClassVar[list[BindingType]] = local_bindings({"dialog.accept": "accept"}, priority=True)
    FIRST_FOCUS = "TextArea"

    def __init__(self, title: str, text: str, check: Check) -> None:
        super().__init__(title, check)
        self._area = TextArea(text, soft_wrap=False, compact=True)

    def keys(self) -> tuple[str, ...]:
        return key_hints(self, ("dialog.accept", "keep"), ("dialog.leave", "cancel"))

    @property
    def text(self) -> str:
        """All lines, without trailing white space."""
        return self._area.text.rstrip()

    def content(self) -> ComposeResult:
        yield self._area

    @on(TextArea.Changed)
    def _typed(self, event: TextArea.Changed) -> None:
        event.stop()
        if self.is_mounted:
            self.preview()
