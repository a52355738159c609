"""Base class of pages that simulate several days with different seeds: their number and length."""

from typing import ClassVar, Final

from textual import on

from qmon_tui.tui.base import LineTable, SelectionMoved, TablePage
from qmon_tui.tui.dialogs import NameDialog
from qmon_tui.values import parse_moment
from qmon_tui.workspace import Workspace

LOOK: Final = 0.25
"""Seconds between two updates of the shown progress."""
_LONGEST: Final = 366 * 86400
_END: Final = "end"
_WORDS: Final = (
    "From the time of the cluster on: 8h, 90m, 2d; or end: until all jobs have ended, or the end in the folder."
)


class OutdatedError(Exception):
    """Raised in a simulation whose request is outdated."""


class DaysPage(TablePage):
    """A page whose table is about several days that differ only in their seed."""

    SEEDS: ClassVar[tuple[int, ...]]
    """Numbers of days that the user can choose."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._seconds: int | None = None
        """Length of each day in seconds; None for the default of the command line, with equal results."""
        self._seeds = self.SEEDS[0]

    def change_seeds(self, by: int) -> None:
        self._seeds = self.SEEDS[max(0, min(len(self.SEEDS) - 1, self.SEEDS.index(self._seeds) + by))]
        self.refresh_from()

    def change_length(self, seconds: int | None) -> None:
        """Set the length of days in seconds; None: until the end in the folder, or until all jobs have ended."""
        self._seconds = seconds
        self.refresh_from()

    def ask_length(self) -> None:
        dialog = NameDialog("How long each day lasts", _WORDS, _problem)
        dialog.ask(self.app, lambda text: self.change_length(_day_seconds(text)))

    @on(LineTable.Moved)
    def _moved(self, event: LineTable.Moved) -> None:
        event.stop()
        self.post_message(SelectionMoved())


def _day_seconds(text: str) -> int | None:
    """Parse a typed length to seconds; None for the whole day. Raises ValueError."""
    if text.strip() == _END:
        return None
    return parse_moment(f"+{text.strip().removeprefix('+')}", 0)


def _problem(text: str) -> str | None:
    try:
        seconds = _day_seconds(text)
    except ValueError as error:
        return f"{error}."
    return None if seconds is None or 0 < seconds <= _LONGEST else "Write a length from a second to a year."
