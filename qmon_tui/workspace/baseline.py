"""The baseline of the marks ▲ ▼: the schedule before the last change, that of the saved document, or a pinned one."""

from dataclasses import dataclass, field
from enum import StrEnum
from time import time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:  # a screen without a schedule yet needs none
    from qmon_tui.model import Outcome
    from qmon_tui.workspace.evaluation import Result


class Since(StrEnum):
    """The schedule with which moves compare."""

    CHANGE = "change"
    """Before the last change."""
    OPENED = "opened"
    SAVED = "saved"
    PINNED = "pinned"


class BaselineTime(NamedTuple):
    """The baseline's kind and its time in seconds since the epoch; 0 for CHANGE."""

    since: Since
    time: float = 0.0


@dataclass(slots=True)
class Baseline:
    """The schedules with which moves can compare; a pinned one takes precedence."""

    of_saved: bool = False
    """Without a pin: True compares with the opened or saved document, False with that before the last change."""
    before_change: "Outcome | None" = None
    saved: "Outcome | None" = None
    saved_moment: BaselineTime = field(default_factory=lambda: BaselineTime(Since.OPENED, time()))
    pinned: "Outcome | None" = None
    pinned_at: float = 0.0

    @property
    def outcome(self) -> "Outcome | None":
        """The schedule to compare with; None if no run of it has ended yet."""
        if self.pinned is not None:
            return self.pinned
        return self.saved if self.of_saved else self.before_change

    @property
    def moment(self) -> BaselineTime:
        """Kind and time of the schedule in use."""
        if self.pinned is not None:
            return BaselineTime(Since.PINNED, self.pinned_at)
        return self.saved_moment if self.of_saved else BaselineTime(Since.CHANGE)

    def pin(self, outcome: "Outcome | None") -> None:
        """Pin this schedule; None removes the pin."""
        self.pinned, self.pinned_at = outcome, time()

    def take(self, result: "Result", *, is_saved: bool) -> None:
        """Keep the schedule of a finished run if its document has no unsaved edits (`is_saved`)."""
        if is_saved and not result.stale:
            self.saved = result.outcome

    def save(self, result: "Result | None", revision: int) -> None:
        """Note that the document of this revision was saved; if its run is not over, `take` sets the schedule."""
        self.saved = result.outcome if result is not None and result.revision == revision else None
        self.saved_moment = BaselineTime(Since.SAVED, time())
