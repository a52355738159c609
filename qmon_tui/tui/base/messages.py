"""Messages of widgets to the main screen, which alone changes the workspace."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

from qmon_tui.model import Kind

if TYPE_CHECKING:
    from pathlib import Path

    from qmon_tui.simulation import Simulator
    from qmon_tui.workspace import Edit


@dataclass
class DialogFailed(Message):
    """A handler of a dialog, or the callback for its answer, raised an error that is to be reported."""

    error: Exception


@dataclass
class FieldEdited(Message):
    """A field of an object has a new text; None removes the field (template default).

    `typing` is True while the value is being typed: such edits are joined to one undo step.
    """

    kind: Kind
    name: str
    field: str
    text: str | None
    typing: bool = False


@dataclass
class ObjectChosen(Message):
    """The cursor of the list stopped on an object; `name` is None if the list is empty."""

    kind: Kind
    name: str | None


@dataclass
class OpenRequested(Message):
    """An object of the list is to be edited: its form takes the focus."""

    kind: Kind
    name: str


@dataclass
class JumpRequested(Message):
    """The object or field of a finding or reference is to be shown."""

    kind: Kind
    name: str
    field: str | None = None


@dataclass
class PageRequested(Message):
    """A page is to be shown, with the row named `chosen` under the cursor; None leaves the cursor."""

    page: str
    chosen: str | None = None


@dataclass
class EditRequested(Message):
    """Any other edit of the workspace is to be made; the main screen shows a refusal."""

    edit: "Edit"


@dataclass
class JobChosen(Message):
    """The cursor of the live pane is on another job, or on the same job in another outcome."""


@dataclass
class SelectionMoved(Message):
    """The cursor of a page or form stopped on another row: the top line names it."""


@dataclass
class JobRequested(Message):
    """The cursor of a page stopped on a job: the live pane explains it; `explain` opens the dialog about it."""

    job: int
    task: int
    explain: bool = False


@dataclass
class DayBranched(Message):
    """An edit at the shown moment made a branch of the simulated day, or that edit was undone."""

    ways: "tuple[Simulator, Simulator] | None"
    """The day from that moment without the edit, and with it; None if the edit was undone."""


@dataclass
class ClusterRequested(Message):
    """Another cluster is to be opened instead of this one."""

    location: str
    """A folder, `qmaster:` or `qmaster:NAME`."""
    drops: bool = False
    """True if the user has agreed to drop unsaved edits here."""


@dataclass
class LessonRequested(Message):
    """A lesson is to be opened instead of this cluster; None for the cluster that was open before the lessons."""

    path: "Path | None"
