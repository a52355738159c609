"""The whole story of a job; a digit makes one of the changes that would let it run."""

from collections.abc import Callable
from typing import ClassVar

from textual.binding import Binding, BindingType

from qmon_tui.tui.dialogs.text import ReadingDialog
from qmon_tui.tui.panes.lines import Paragraphs

_MOST = 9


class WhyDialog(ReadingDialog[int]):
    """Answers the number of the change to make, from 1; None where only something was read."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(str(digit), f"screen.choose({digit})", "Make this change", show=False) for digit in range(1, _MOST + 1)
    ]

    def __init__(self, title: str, content: Paragraphs, changes: Callable[[], int]) -> None:
        super().__init__(title, content)
        self._changes = changes

    def action_choose(self, number: int) -> None:
        """Make a change, if there are so many."""
        if 1 <= number <= self._changes():
            self.dismiss(number)
