"""A question with a few answers: confirm, quit, and what to do with a change on disk."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from textual import events
from textual.app import ComposeResult

from qmon_tui.tui.dialogs.base import Answer, Dialog, as_high_as_said, paragraphs
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
        as_high_as_said(self, self.query_one("#said", Lines), self._content, event.size)


def confirm(title: str, yes: str, *texts: str, letter: str = "y") -> Choose[bool]:
    """A question whose safe answer is no."""
    answers = (Answer("n", "no", False, safe=True), Answer(letter, yes, True))
    return Choose(title, paragraphs(*texts), answers)
