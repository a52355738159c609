"""Result of reading a record: a state and further facts about the cluster; also parses times of the forks.

Such times are ISO 8601 without a zone, or seconds, milliseconds or microseconds since the epoch.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from qmon_tui.model import Finding, State
from qmon_tui.values import LATEST, parse_time, whole_number

_MILLISECONDS_FROM: Final = 100_000_000_000
_MICROSECONDS_FROM: Final = 100_000_000_000_000


@lru_cache(maxsize=4096)  # arrays are submitted, and many jobs start, in one second
def moment(text: str) -> int | None:
    """Return seconds since the epoch; None for an empty text or 0, which mean no time. Raises ValueError."""
    word = text.strip()
    if not word:
        return None
    if (number := whole_number(word)) is not None:
        return epoch(number)
    return parse_time(word)


def epoch(number: int) -> int | None:
    """Convert seconds, milliseconds or microseconds since the epoch to seconds; None for 0. Raises ValueError."""
    if number >= _MICROSECONDS_FROM:
        number //= 1_000_000
    elif number >= _MILLISECONDS_FROM:
        number //= 1000
    if number > LATEST:
        raise ValueError(f'"{number}" is too far away: a time is before the year 9000')
    return number or None


MOST_RECORDS: Final = 500_000
"""Maximum lines of one log: they need two gigabytes of memory."""
TOO_MANY: Final = "only the {} jobs and tasks above are taken: give a part of this file"


@dataclass(frozen=True, slots=True)
class QuotaUse:
    """One limit of a rule as qquota shows it; missing filters are left out."""

    rule: str
    """SET/RULE; a rule without a name has its position."""
    filters: Mapping[str, str]
    resource: str
    limit: str
    value: str
    """Amount used; empty for a limit on an attribute that is not consumed."""


@dataclass(frozen=True, slots=True)
class FinishedTask:
    """One job, or task of an array, that has ended; times are seconds since the epoch, None if unknown."""

    job: int
    task: int
    granted: str
    """The (master) queue instance."""
    slots: int
    started: int | None
    ended: int | None
    failed: int
    exit_status: int
    cpu: float
    memory: float
    """Gigabyte seconds."""
    io: float


@dataclass(frozen=True, slots=True)
class Hole:
    """A job that cannot be simulated because the trace lacks a fact about it."""

    job: int
    line: int
    missing: str
    """The missing fact."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """Contents of a record."""

    state: State = field(default_factory=State)
    slots: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    """Queue instance -> total slots."""
    values: Mapping[str, Mapping[str, str]] = field(default_factory=lambda: MappingProxyType({}))
    """Queue instance or host -> layer and kind with the attribute (`hc:gpu`) -> text."""
    finished: tuple[FinishedTask, ...] = ()
    quotas: tuple[QuotaUse, ...] = ()
    messages: Mapping[int, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """Job -> scheduling info; 0 -> messages about all jobs."""
    holes: tuple[Hole, ...] = ()
    """Jobs of a trace that cannot be simulated."""
    places: Mapping[int, tuple[str, int]] = field(default_factory=lambda: MappingProxyType({}))
    """Job -> file and line of its first record."""
    is_trace: bool = False
    """True for an SWF trace, whose queues and groups may come from a different system."""
    findings: tuple[Finding, ...] = ()
