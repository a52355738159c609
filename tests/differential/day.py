"""What happened in a stretch of time, on the real system or in the simulator."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

TaskKey = tuple[int, int]
"""Job and task."""


@dataclass(slots=True)
class Day:
    """When tasks were submitted, started and ended, in seconds since the epoch, and their slots at their places."""

    begin: int = 0
    jobs: dict[int, tuple[int, str, str]] = field(default_factory=dict)
    """Number -> submission, owner and qsub with dates."""
    commands: list[tuple[int, str]] = field(default_factory=list)
    """When which command was given."""
    started: dict[TaskKey, int] = field(default_factory=dict)
    """The last start of each."""
    ended: dict[TaskKey, float] = field(default_factory=dict)
    places: dict[TaskKey, Mapping[str, int]] = field(default_factory=dict)
    """Queue instance -> slots."""
    seen: set[int] = field(default_factory=set)
    """Jobs that qstat has shown; not kept."""

    @property
    def first(self) -> int:
        """When the first job came."""
        return min(at for at, _, _ in self.jobs.values())

    def data(self) -> dict[str, Any]:
        """As JSON values: times are those since the beginning."""
        return {
            "begin": self.begin,
            "jobs": [(number, at - self.begin, owner, qsub) for number, (at, owner, qsub) in self.jobs.items()],
            "commands": [(at - self.begin, line) for at, line in self.commands],
            "tasks": [
                (*key, at - self.begin, round(self.ended[key] - self.begin, 1), dict(self.places[key]))
                for key, at in self.started.items()
            ],
        }

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> "Day":
        """From JSON values."""
        begin = data["begin"]
        day = cls(begin)
        day.jobs = {number: (begin + at, owner, qsub) for number, at, owner, qsub in data["jobs"]}
        day.commands = [(begin + at, line) for at, line in data["commands"]]
        for job, task, started, ended, places in data["tasks"]:
            day.started[job, task], day.ended[job, task] = begin + started, begin + ended
            day.places[job, task] = places
        return day
