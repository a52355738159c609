"""Text of several lines: the rules of a quota set, a share tree."""

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widget import Widget
from textual.widgets import TextArea

from qmon_tui.tui.base.bindings import local_bindings, said_keys
from qmon_tui.tui.forms.dialogs.valued import Check, ValueDialog


class LinesDialog(ValueDialog):
    """A text area; Enter begins a line there, so another key keeps the text."""

    SAYS_TEXT: ClassVar[bool] = False
    DEFAULT_CSS = """
    LinesDialog TextArea { height: 12; border: none; padding: 0; background: $panel; }
    """
    BINDINGS: ClassVar[list[BindingType]] = local_bindings({"dialog.accept": "accept"}, priority=True)

    def __init__(self, title: str, text: str, check: Check) -> None:
        super().__init__(title, check)
        self._area = TextArea(text, soft_wrap=False, compact=True)

    def keys(self) -> tuple[str, ...]:
        """What can be done here."""
        return said_keys(self, ("dialog.accept", "keep"), ("dialog.leave", "cancel"))

    @property
    def text(self) -> str:
        """All lines, without empty ones at the end."""
        return self._area.text.rstrip()

    def content(self) -> ComposeResult:
        """The text area."""
        yield self._area

    def first_focus(self) -> Widget:
        """The text area."""
        return self._area

    @on(TextArea.Changed)
    def _typed(self, event: TextArea.Changed) -> None:
        event.stop()
        if self.is_mounted:
            self.preview()
