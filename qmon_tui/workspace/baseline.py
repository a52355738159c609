"""With which schedule the marks of what moved compare: that before the last change, that of what is saved, or a pin."""

from dataclasses import dataclass, field
from enum import StrEnum
from time import time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:  # a screen without a schedule yet needs none
    from qmon_tui.model import Outcome
    from qmon_tui.workspace.evaluation import Result


class Since(StrEnum):
    """From when on moves are counted."""

    CHANGE = "change"
    """Before the last change."""
    OPENED = "opened"
    SAVED = "saved"
    PINNED = "pinned"


class BaselineTime(NamedTuple):
    """The beginning of a comparison, with its time in seconds since the epoch; 0 for a change."""

    since: Since
    time: float = 0.0


@dataclass(slots=True)
class Baseline:
    """The schedules that can be compared with, of which a pinned one goes before the others."""

    of_saved: bool = False
    """Without a pin the marks compare with what was opened or saved, not with what was before the last change."""
    before_change: "Outcome | None" = None
    saved: "Outcome | None" = None
    saved_moment: BaselineTime = field(default_factory=lambda: BaselineTime(Since.OPENED, time()))
    pinned: "Outcome | None" = None
    pinned_at: float = 0.0

    @property
    def outcome(self) -> "Outcome | None":
        """The schedule to compare with; None before there is one."""
        if self.pinned is not None:
            return self.pinned
        return self.saved if self.of_saved else self.before_change

    @property
    def moment(self) -> BaselineTime:
        """From when on that counts moves."""
        if self.pinned is not None:
            return BaselineTime(Since.PINNED, self.pinned_at)
        return self.saved_moment if self.of_saved else BaselineTime(Since.CHANGE)

    def pin(self, outcome: "Outcome | None") -> None:
        """Compare with this schedule, or with none that is pinned."""
        self.pinned, self.pinned_at = outcome, time()

    def take(self, result: "Result", *, is_saved: bool) -> None:
        """A run is over, of a document with or without unsaved edits."""
        if is_saved and not result.stale:
            self.saved = result.outcome

    def save(self, result: "Result | None", revision: int) -> None:
        """The document of this revision is saved; where its run is not over, that will tell the schedule."""
        self.saved = result.outcome if result is not None and result.revision == revision else None
        self.saved_moment = BaselineTime(Since.SAVED, time())
