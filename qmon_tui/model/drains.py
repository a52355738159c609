"""Reasons with an end, of drained hosts and of exceptions, and who gives them. Grid Engine keeps none of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Drain:
    """One reason for which a host or a queue instance was disabled, or an exception was made."""

    reason: str
    who: str = ""
    """The administrator; empty if a file names none."""
    since: int | None = None
    """When it was disabled, or the exception was made, seconds since the epoch."""
    until: int | None = None
    """When it is expected to be ready again, or the exception ends, seconds since the epoch; None for an open end."""

    @property
    def key(self) -> str:
        """The administrator and the reason, by which a place has it once."""
        return f"{self.who}: {self.reason}" if self.who else self.reason


Drains = Mapping[str, tuple[Drain, ...]]
"""Host, queue instance, or place of an exception -> its reasons in the order in which they were given."""

NO_DRAINS: Drains = MappingProxyType({})


def drains_at(drains: Drains, instance: str) -> tuple[Drain, ...]:
    """Return the reasons for a queue instance: those of its host, then its own."""
    return (*drains.get(instance.rpartition("@")[2], ()), *drains.get(instance, ())) if drains else ()
