"""Times of jobs: absolute ones, and offsets from the first job's submission."""

from collections.abc import Sequence

from qmon_tui.formats.state.node_reader import NodeReader
from qmon_tui.formats.state.state_contents import DEFAULT_START
from qmon_tui.formats.yaml import Node
from qmon_tui.values import is_offset, parse_moment, parse_offset, parse_time, second_fraction


class JobTimes:
    """Knows the time (`base`, seconds since the epoch) from which the offsets of a folder count."""

    def __init__(self, now: str | None, submissions: Sequence[str | None]) -> None:
        self.base = _base(now, submissions)

    def read(self, notes: NodeReader, text: str | None, node: Node | None, job: int | None, otherwise: int) -> int:
        """The time of a text; `otherwise` where there is none, or none that can be read."""
        if text is None:
            return otherwise
        try:
            return parse_moment(text, self.base)
        except ValueError as error:
            notes.say("format.time", str(error), node, job)
            return otherwise

    def read_start(
        self, notes: NodeReader, text: str | None, node: Node | None, job: int | None, otherwise: int
    ) -> float:
        """Read a time with fractions of a second, which order starts in the same second."""
        fraction = second_fraction(text) if text is not None else 0
        return self.read(notes, text, node, job, otherwise) + fraction


def _base(now: str | None, submissions: Sequence[str | None]) -> int:
    """The first job's time; without one the latest at which no job comes after `now`; else a fixed one."""
    if submissions and submissions[0] and (first := _absolute(submissions[0])) is not None:
        return first
    moment = _absolute(now) if now else None
    if moment is None:
        return parse_time(DEFAULT_START)
    return moment - max((_offset(text) for text in submissions if text), default=0)


def _absolute(text: str) -> int | None:
    try:
        return None if is_offset(text) else parse_time(text)
    except ValueError:
        return None


def _offset(text: str) -> int:
    try:
        return parse_offset(text) if is_offset(text) else 0
    except ValueError:
        return 0
