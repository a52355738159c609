"""Dialogs of text to read and scroll."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widget import Widget

from qmon_tui.tui.base.bindings import local_bindings
from qmon_tui.tui.dialogs.base import Dialog, Result, as_high_as_said
from qmon_tui.tui.panes.lines import Lines, Paragraphs


class ReadingDialog(Dialog[Result]):
    """Text that fills the dialog; Esc, Enter or q close it."""

    WIDE: ClassVar[bool] = True
    TALL: ClassVar[bool] = True
    """As high as the screen allows, whatever there is to say; else as high as that."""
    BINDINGS: ClassVar[list[BindingType]] = local_bindings({
        "dialog.done": "cancel",
        "dialog.close": "cancel",
    })  # fmt: skip

    def __init__(self, title: str, content: Paragraphs) -> None:
        super().__init__(title)
        self._content = content
        self.set_class(self.TALL, "-tall")

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
        self._measure()

    def on_resize(self) -> None:
        """The text is made for another width."""
        self._measure()

    def _measure(self) -> None:
        if not self.TALL:
            as_high_as_said(self, self.query_one("#text", Lines), self._content, self.app.size)


class TextDialog(ReadingDialog[None]):
    """A dialog that only says something, as high as that is."""

    TALL: ClassVar[bool] = False
