"""When the job that is being tried would run."""

from dataclasses import dataclass

from qmon_tui.scheduler.timeline.steps import until


@dataclass(slots=True)
class Window:
    """The time from `start` on that all checks of one attempt look at."""

    now: int
    start: int = 0
    duration: int = 0

    @property
    def end(self) -> int:
        """The first moment after it."""
        return until(self.start, self.duration)

    def open(self, duration: int) -> None:
        """A job is to start now."""
        self.start, self.duration = self.now, duration

    def reserve(self, start: int) -> None:
        """The same job is to start at another time."""
        self.start = start
