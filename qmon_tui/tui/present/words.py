"""Numbers, times and job states as words that people read."""

from datetime import datetime

from qmon_tui.tui.present.spans import Idea


def count(number: int, singular: str, plural: str = "") -> str:
    """A number with its noun: `1 edit`, `2 edits`."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}".replace(",", " ")


def milliseconds(seconds: float) -> str:
    """The time that a run took: `12 ms`, `1.4 s`."""
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


def clock(epoch: float) -> str:
    """Local time of day."""
    return datetime.fromtimestamp(epoch).strftime("%H:%M:%S")


def time_of_day(epoch: float) -> str:
    """Local hours and minutes."""
    return datetime.fromtimestamp(epoch).strftime("%H:%M")


def moment(epoch: float) -> str:
    """Local date and time."""
    return datetime.fromtimestamp(epoch).strftime("%Y-%m-%d %H:%M:%S")


_STATES: tuple[tuple[str, Idea, str], ...] = (
    # The first letter that occurs decides: an error outweighs a hold, a hold outweighs waiting.
    ("E", Idea.FAILED, "error"),
    ("d", Idea.FAILED, "being deleted"),
    ("h", Idea.HELD, "held"),
    ("s", Idea.SUSPENDED, "suspended"),
    ("S", Idea.SUSPENDED, "suspended by its queue"),
    ("T", Idea.SUSPENDED, "suspended by a threshold"),
    ("r", Idea.RUNNING, "running"),
    ("t", Idea.RUNNING, "starts now"),
    ("q", Idea.WAITING, "waiting"),
)


def state_idea(letters: str) -> Idea:
    """The idea of qstat's state letters."""
    return next((idea for letter, idea, _ in _STATES if letter in letters), Idea.PLAIN)


def state_words(letters: str) -> str:
    """qstat's state letters in words."""
    return next((words for letter, _, words in _STATES if letter in letters), letters)
