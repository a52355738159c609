"""How long a simulated day lasts: the same question wherever days are simulated."""

from collections.abc import Callable
from typing import Final

from textual.app import App

from qmon_tui.tui.dialogs.question_dialogs import NameDialog
from qmon_tui.values import parse_moment

_LONGEST: Final = 366 * 86400
_END: Final = "end"
_WORDS: Final = (
    "From the time of the cluster on: 8h, 90m, 2d; or end: until all jobs have ended, or the end in the folder."
)


class DayLengthDialog(NameDialog):
    """Answers a length such as 8h, end for none, or None."""

    def __init__(self) -> None:
        super().__init__("How long each day lasts", _WORDS, _problem)


def ask_day_length(app: App[None], chosen: Callable[[int | None], None]) -> None:
    """Ask for a length, and pass its seconds to `chosen`; None for the whole day."""

    DayLengthDialog().ask(app, lambda text: chosen(day_seconds(text)))


def day_seconds(text: str) -> int | None:
    """Parse an answer to seconds; None for the whole day. Raises ValueError."""
    if text.strip() == _END:
        return None
    return parse_moment(f"+{text.strip().removeprefix('+')}", 0)


def _problem(text: str) -> str | None:
    try:
        seconds = day_seconds(text)
    except ValueError as error:
        return f"{error}."
    return None if seconds is None or 0 < seconds <= _LONGEST else "Write a length from a second to a year."
