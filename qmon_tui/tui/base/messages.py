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
    """A handler of a dialog, or the callback that got its answer, raised an error, which is to be reported."""

    error: Exception


@dataclass
class FieldEdited(Message):
    """One field of an object has a new text; None means that it is left out again (template default).

    `typing` is set while the value is still being typed: such edits are one step of undo together.
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
    """An object of the list is to be edited: its form should take the focus."""

    kind: Kind
    name: str


@dataclass
class JumpRequested(Message):
    """The place of a finding or of a reference is to be shown."""

    kind: Kind
    name: str
    field: str | None = None


@dataclass
class PageRequested(Message):
    """A page is to be shown with a row chosen in it."""

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
    """The cursor of a page stopped on a job: the live pane should explain it; `explain` opens the dialog about it."""

    job: int
    task: int
    explain: bool = False


@dataclass
class DayBranched(Message):
    """The simulated day continues differently after an edit of the shown moment, or that edit was undone."""

    ways: "tuple[Simulator, Simulator] | None"
    """The day from there without the edit, and with it; None if the edit was undone."""


@dataclass
class ClusterRequested(Message):
    """Another cluster is to be opened in place of this one."""

    location: str
    """A folder, `qmaster:` or `qmaster:NAME`."""
    drops: bool = False
    """Unsaved edits here are dropped; they were asked about."""


@dataclass
class LessonRequested(Message):
    """A lesson is to be opened in place of this cluster; None for the cluster that was open before the lessons."""

    path: "Path | None"
