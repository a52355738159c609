"""How long a simulated day lasts: the same question wherever days are simulated."""

from typing import Final

from qmon_tui.tui.dialogs.question_dialogs import NameDialog
from qmon_tui.values import parse_moment

_LONGEST: Final = 366 * 86400
_WORDS: Final = "From the time of the cluster on: 8h, 90m, 2d."


class DayLengthDialog(NameDialog):
    """Answers a length such as 8h, or None."""

    def __init__(self) -> None:
        super().__init__("How long each day lasts", _WORDS, _problem)


def day_seconds(text: str) -> int:
    """The seconds of such an answer. Raises ValueError."""
    return parse_moment(f"+{text.strip().removeprefix('+')}", 0)


def _problem(text: str) -> str | None:
    try:
        seconds = day_seconds(text)
    except ValueError as error:
        return f"{error}."
    return None if 0 < seconds <= _LONGEST else "Write a length from a second to a year."
