"""The line of a page that says what the day ahead brings; it is only there while something is known."""

from collections.abc import Callable
from dataclasses import dataclass

from qmon_tui.tui.base.span_widgets import OneLine
from qmon_tui.tui.present import Line


@dataclass(frozen=True, slots=True)
class Ahead:
    """What is said about the day ahead."""

    line: Callable[[int], Line] = lambda _: ()
    """For a width in cells."""
    is_known: bool = False
    is_changed: bool = False
    """It tells what an edit changes."""


class AheadLine(OneLine):
    """A line that is only there while something is known, or while that is what an edit changes."""

    DEFAULT_CSS = """
    AheadLine { display: none; }
    AheadLine.-known { display: block; }
    """

    def __init__(self, *, only_changes: bool = False, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._only_changes = only_changes

    def tell(self, ahead: Ahead) -> None:
        """Say something else, or nothing any more."""
        self.set_class(ahead.is_changed if self._only_changes else ahead.is_known, "-known")
        self.show(ahead.line)
