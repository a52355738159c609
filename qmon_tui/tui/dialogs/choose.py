"""A question with a few answers: confirm, quit, and what to do with a change on disk."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from textual import events
from textual.app import ComposeResult

from qmon_tui.tui.dialogs.base import Answer, Dialog, paragraphs
from qmon_tui.tui.panes.lines import Lines
from qmon_tui.tui.present.spans import Line

T = TypeVar("T")


class Choose(Dialog[T]):
    """Says what is the case and offers the answers."""

    def __init__(
        self,
        title: str,
        content: Callable[[int], tuple[Line, ...]],
        answers: Sequence[Answer[T]],
        *,
        wide: bool = False,
    ) -> None:
        super().__init__(title, answers)
        self._content = content
        self.set_class(wide, "-wide")

    def body(self) -> ComposeResult:
        """What is the case."""
        yield Lines(self._content, id="said")

    def on_resize(self, event: events.Resize) -> None:
        """The text is as high as it needs to be, as far as the screen allows."""
        said = self.query_one("#said", Lines)
        said.styles.height = max(1, min(len(self._content(_inner_width(self, event))), event.size.height - 8))


def _inner_width(dialog: Choose[T], event: events.Resize) -> int:
    widest = 110 if dialog.has_class("-wide") else 76
    return min(widest, event.size.width - 2) - 6


def confirm(title: str, yes: str, *texts: str, letter: str = "y") -> Choose[bool]:
    """A question whose safe answer is no."""
    answers = (Answer("n", "no", False, safe=True), Answer(letter, yes, True))
    return Choose(title, paragraphs(*texts), answers)
