"""What a column of the job table is."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from qmon_tui.model.state import Request
from qmon_tui.tui.present.jobtable.rows import TableRow
from qmon_tui.tui.present.spans import Idea

Text = Callable[[TableRow], str]


@dataclass(frozen=True, slots=True)
class JobColumn:
    """One column. `order` gives what rows are ordered by, where that is not the text."""

    key: str
    """What a filter calls it."""
    title: str
    help: str
    text: Text
    least: int
    most: int
    right: bool = False
    order: Callable[[TableRow], Any] | None = None
    idea: Idea = Idea.PLAIN
    falling: bool = False
    """The first order is from high to low."""


_NO_REQUEST: Final = Request()


def request_of(row: TableRow) -> Request:
    """What the job of a row asks for; nothing where it is no longer there."""
    return row.known.request if row.known else _NO_REQUEST


def time_words(seconds: float | None) -> str:
    """A moment as qstat writes it; empty for none."""
    return "" if seconds is None else datetime.fromtimestamp(seconds).strftime("%m/%d/%Y %H:%M:%S")
