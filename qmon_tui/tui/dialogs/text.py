"""Dialogs of text to read and scroll."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widget import Widget

from qmon_tui.tui.dialogs.base import Dialog, Result
from qmon_tui.tui.panes.lines import Lines, Paragraphs


class ReadingDialog(Dialog[Result]):
    """Text that fills the dialog; Esc, Enter, q or w close it."""

    WIDE: ClassVar[bool] = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,q,w", "cancel", "Close", show=False),
    ]

    def __init__(self, title: str, content: Paragraphs) -> None:
        super().__init__(title)
        self._content = content
        self.add_class("-tall")

    def body(self) -> ComposeResult:
        """The text."""
        yield Lines(self._content, id="text")

    def first_focus(self) -> Widget:
        """The text, so that the keys scroll it."""
        return self.query_one("#text")

    def show(self, content: Paragraphs) -> None:
        """Show a new state of the same thing."""
        self._content = content
        self.query_one("#text", Lines).show(content, keep_place=True)


class TextDialog(ReadingDialog[None]):
    """A dialog that only says something."""
