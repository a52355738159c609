"""The whole story of a job; a digit makes one of the changes that would let it run."""

from collections.abc import Callable
from typing import ClassVar

from textual import events
from textual.binding import BindingType

from qmon_tui.tui.base.bindings import local_bindings
from qmon_tui.tui.dialogs.text import ReadingDialog
from qmon_tui.tui.panes.lines import Paragraphs


class WhyDialog(ReadingDialog[int]):
    """Answers the number of the change to make, from 1; None where only something was read."""

    BINDINGS: ClassVar[list[BindingType]] = local_bindings({"why": "cancel"})

    def __init__(self, title: str, content: Paragraphs, changes: Callable[[], int]) -> None:
        super().__init__(title, content)
        self._changes = changes

    def on_key(self, event: events.Key) -> None:
        """A digit makes the change at which it stands."""
        if event.key.isdecimal():
            event.stop()
            if 1 <= int(event.key) <= self._changes():
                self.dismiss(int(event.key))
