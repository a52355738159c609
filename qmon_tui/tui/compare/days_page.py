"""The base of pages that simulate like days: how many of them, and how long each lasts."""

from typing import ClassVar, Final

from textual import on

from qmon_tui.tui.base import LineTable, SelectionMoved, TablePage
from qmon_tui.tui.dialogs import NameDialog
from qmon_tui.values import parse_moment
from qmon_tui.workspace import Workspace

LOOK: Final = 0.25
"""Seconds between two looks at how far the simulation is."""
_LONGEST: Final = 366 * 86400
_END: Final = "end"
_WORDS: Final = (
    "From the time of the cluster on: 8h, 90m, 2d; or end: until all jobs have ended, or the end in the folder."
)


class OutdatedError(Exception):
    """The request changed while days were simulated."""


class DaysPage(TablePage):
    """A page whose table is about some like days."""

    SEEDS: ClassVar[tuple[int, ...]]
    """The numbers of days that can be chosen."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._seconds: int | None = None
        """How long each day lasts; None for as long as the command takes it, which says the same numbers then."""
        self._seeds = self.SEEDS[0]

    def change_seeds(self, by: int) -> None:
        self._seeds = self.SEEDS[max(0, min(len(self.SEEDS) - 1, self.SEEDS.index(self._seeds) + by))]
        self.refresh_from()

    def change_length(self, seconds: int | None) -> None:
        """Longer or shorter days; None for days that end when the folder says, or nothing happens any more."""
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
