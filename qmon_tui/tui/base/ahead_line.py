"""The line of a page that says what the day ahead brings; it is only there while something is known."""

from collections.abc import Callable
from dataclasses import dataclass

from qmon_tui.report import Line
from qmon_tui.tui.base.span_widgets import OneLine


@dataclass(frozen=True, slots=True)
class Ahead:
    """Summary of the simulated day ahead."""

    line: Callable[[int], Line] = lambda _: ()
    """The text, fitted to a width in cells."""
    is_known: bool = False
    is_changed: bool = False
    """The summary compares the day with and without an edit."""
    until: int | None = None
    """End of the period that was simulated, in seconds since the epoch; None for the whole day."""


class AheadLine(OneLine):
    """A line that is displayed only while a day ahead is known, or only while it shows an edit's effect."""

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
        """Show another summary, or none."""
        self._ahead = ahead
        self.pass_time(self._now)
        self.show(ahead.line)

    def pass_time(self, now: int) -> None:
        """Show another time: an expectation up to an earlier one is dropped."""
        self._now, ahead = now, self._ahead
        is_over = ahead.until is not None and now > ahead.until
        self.set_class(ahead.is_changed if self._only_changes else ahead.is_known and not is_over, "-known")
