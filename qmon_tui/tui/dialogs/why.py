"""The whole story of a job; a digit makes one of the changes that would let it run."""

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widget import Widget

from qmon_tui.tui.dialogs.base import Dialog
from qmon_tui.tui.panes.lines import Lines, Paragraphs

_MOST = 9


class WhyDialog(Dialog[int]):
    """Answers the number of the change to make, from 1; None where only something was read."""

    WIDE: ClassVar[bool] = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,q,w", "cancel", "Close", show=False),
        *(
            Binding(str(digit), f"screen.choose({digit})", "Make this change", show=False)
            for digit in range(1, _MOST + 1)
        ),
    ]

    def __init__(self, title: str, content: Paragraphs, changes: Callable[[], int]) -> None:
        super().__init__(title)
        self._content = content
        self._changes = changes
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

    def action_choose(self, number: int) -> None:
        """Make a change, if there are so many."""
        if 1 <= number <= self._changes():
            self.dismiss(number)
