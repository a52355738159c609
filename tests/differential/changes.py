"""When jobs were changed last, by which they came to the end of the scheduler's list: no command shows it."""

import re
import time
from dataclasses import dataclass, field
from typing import Final

MODIFIED: Final = re.compile("modified |sets override tickets")
"""What a command says of a job that is sent anew to the scheduler."""


@dataclass(slots=True)
class Changes:
    """Those of one session."""

    _times: dict[int, float] = field(default_factory=dict)

    @property
    def times(self) -> tuple[tuple[int, float], ...]:
        """(job, time) of all jobs of which it has to be known; the fraction tells the order within a second."""
        return tuple(self._times.items())

    def note(self, job: int) -> None:
        """A job is changed now."""
        now = int(time.time())
        others = sum(1 for known in self._times.values() if int(known) == now)
        self._times[job] = now + (others + 1) / 1_000_000

    def note_submission(self, job: int) -> None:
        """A job comes now, which has to be known where another one was changed in the same second."""
        if any(int(known) == int(time.time()) for known in self._times.values()):
            self.note(job)
