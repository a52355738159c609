"""Notifications of a workspace to its subscribers, and the origin of the last change."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from qmon_tui.sources import Reading, SavePlan
    from qmon_tui.workspace.broken_files import FolderContent
    from qmon_tui.workspace.difference import ObjectChange
    from qmon_tui.workspace.edits import Edit
    from qmon_tui.workspace.merge import Conflict


class Event(StrEnum):
    """Kind of a notification."""

    CHANGED = "changed"
    """The cluster or the state changed: there is a new revision to evaluate."""
    RESULT = "result"
    """A result was accepted."""
    DISK = "disk"
    """A change on disk awaits a decision, or was decided."""
    SAVED = "saved"
    """The edits are on disk now."""
    MOMENT = "moment"
    """Another moment of a simulated day is shown, or the document again; neither changed."""
    BASELINE = "baseline"
    """The baseline of the schedule changed; nothing else did."""
    FIGURES = "figures"
    """Other figures are shown (`Workspace.figures`); nothing else changed."""


@dataclass(frozen=True, slots=True)
class DiskChange:
    """Changes on disk since the last reading, and their conflicts with unsaved edits."""

    reading: "Reading"
    content: "FolderContent"
    objects: "tuple[ObjectChange, ...]"
    """The objects of the configuration and the items of the state that changed."""
    conflicts: "tuple[Conflict, ...]"
    pending: bool
    """True if it awaits merge, take_theirs or keep_mine because of unsaved edits; False if it is already adopted."""


Subscriber = Callable[[Event], None]


class Notifier:
    """Base class of objects that call their subscribers at each event."""

    def __init__(self) -> None:
        self._subscribers: list[Subscriber] = []

    def subscribe(self, callback: Subscriber) -> Callable[[], None]:
        """Call `callback` at each event; return a function that ends this."""
        self._subscribers.append(callback)
        return lambda: self._subscribers.remove(callback)

    def _tell(self, event: Event) -> None:
        for subscriber in tuple(self._subscribers):
            subscriber(event)


GRID_ENGINE = "grid-engine"
"""The formulas that a qmaster computes by; all others are for comparison."""


class ChangeOrigin(StrEnum):
    """Where the last change came from."""

    FORM = "form"
    FILE = "file"
    QMASTER = "qmaster"


@dataclass(frozen=True, slots=True)
class Pulled:
    """A merged pull that is not saved yet: the next save writes its snapshot as well."""

    edit: "Edit | None"
    """The merge; None if the document had all changes before."""
    snapshot: "SavePlan"

    def with_snapshot(self, plan: "SavePlan", done: "Iterable[Edit | None]") -> "SavePlan":
        """Add the files of the snapshot to what a save writes, unless the merge was undone."""
        if self.edit is not None and all(edit is not self.edit for edit in done):
            return plan
        return plan._replace(files=(*plan.files, *self.snapshot.files))
