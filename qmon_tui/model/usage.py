"""What users and projects have used in the past: what the share tree goes by."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

Amounts = Mapping[str, float]
"""Kind of usage (cpu, mem, io, finished_jobs ...) -> amount; cpu in seconds, mem in gigabyte seconds."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What a user or a project has used in the past, faded up to some time."""

    amounts: Amounts = field(default_factory=lambda: MappingProxyType({}))
    by_project: Mapping[str, Amounts] = field(default_factory=lambda: MappingProxyType({}))
    """Of a user: what his jobs in each project used, which is not in `amounts`."""
    time: int | None = None
    """Up to when it has faded, seconds since the epoch; None for the time of the run."""


@dataclass(frozen=True, slots=True)
class PastUsage:
    """The past usage of everybody, from which the share tree works out who may go first."""

    users: Mapping[str, Usage] = field(default_factory=lambda: MappingProxyType({}))
    projects: Mapping[str, Usage] = field(default_factory=lambda: MappingProxyType({}))

    def __bool__(self) -> bool:
        return bool(self.users or self.projects)
