"""The line of a page that says what the day ahead brings; it is only there while something is known."""

from collections.abc import Callable
from dataclasses import dataclass

from qmon_tui.report import Line
from qmon_tui.tui.base.span_widgets import OneLine


@dataclass(frozen=True, slots=True)
class Ahead:
    """What is said about the day ahead."""

    line: Callable[[int], Line] = lambda _: ()
    """For a width in cells."""
    is_known: bool = False
    is_changed: bool = False
    """It tells what an edit changes."""
    until: int | None = None
    """Where it tells only what is expected up to a time, in seconds since the epoch: that."""


class AheadLine(OneLine):
    """A line that is only there while something is known, or while that is what an edit changes."""

    DEFAULT_CSS = """
    AheadLine { display: none; }
    AheadLine.-known { display: block; }
    """

    def __init__(self, *, only_changes: bool = False, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._only_changes = only_changes
        self._ahead = Ahead()
        self._now = 0

    def tell(self, ahead: Ahead) -> None:
        """Say something else, or nothing any more."""
        self._ahead = ahead
        self.pass_time(self._now)
        self.show(ahead.line)

    def pass_time(self, now: int) -> None:
        """Another time is shown: what was expected up to an earlier one is not said any more."""
        self._now, ahead = now, self._ahead
        is_over = ahead.until is not None and now > ahead.until
        self.set_class(ahead.is_changed if self._only_changes else ahead.is_known and not is_over, "-known")
