"""What fills the middle besides the generic list and form: pages, and panels among the tabs of a form.

A view draws what it is given and posts facts (`messages`); only the screen changes the workspace. What takes more than
a few milliseconds is computed in a worker. Its texts are spans (`present/`), never markup.
"""

from typing import TYPE_CHECKING

from textual.containers import Vertical

from qmon_tui.late import late_module
from qmon_tui.model import Kind
from qmon_tui.tui.base.ahead_line import Ahead
from qmon_tui.tui.base.messages import EditRequested, FieldEdited, JumpRequested
from qmon_tui.tui.keys import NO_ACTIONS
from qmon_tui.workspace import Workspace

if TYPE_CHECKING:
    from qmon_tui.workspace import Edit, clipboard
else:
    clipboard = late_module("qmon_tui.workspace.clipboard")


class View(Vertical):
    """A place or a panel. It is mounted when it is first seen, kept afterwards, and refreshed only while in sight."""

    DEFAULT_CSS = """
    View { height: 1fr; width: 1fr; }
    """

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self.workspace = workspace
        self.actions = NO_ACTIONS
        """What can be done here: set by every view that declares actions (`ActionSet.of`)."""

    def on_mount(self) -> None:
        """Draw for the first time."""
        self.refresh_from()

    def refresh_from(self) -> None:
        """Draw what the workspace holds now. Called when it is mounted or shown, after every edit and every run."""

    def edit(self, edit: "Edit") -> None:
        """Ask for an edit of the workspace."""
        self.post_message(EditRequested(edit))

    def edit_field(self, kind: Kind, name: str, field: str, text: str | None, *, typing: bool = False) -> None:
        """Ask for another text of a field; see `FieldEdited`."""
        self.post_message(FieldEdited(kind, name, field, text, typing))

    def jump(self, kind: Kind, name: str, field: str | None = None) -> None:
        """Ask for an object, or a field of it, to be shown."""
        self.post_message(JumpRequested(kind, name, field))

    def leave(self) -> bool:
        """Esc: take one step back inside the view, such as clearing a filter. False where there is none to take."""
        return False

    def copies(self) -> "tuple[clipboard.Copy, ...]":
        """What `y` offers to copy (`workspace.copying`); by default the text of what is chosen."""
        return (clipboard.Copy("t", "the row", self.copied),) if self.copied else ()

    @property
    def busy(self) -> bool:
        """Something that it shows is still being computed."""
        return False

    @property
    def copied(self) -> str:
        """The text of what is chosen; empty where nothing is."""
        return ""


class PageView(View):
    """What a place shows in the room of list and form. `focus()` should give the focus to its main table."""

    @property
    def selected(self) -> str | None:
        """What is chosen in it, for the top line; None for nothing."""
        return None

    @property
    def awaits_first_run(self) -> bool:
        """Its rows are made from the first run, which is not over yet."""
        return False

    def show_ahead(self, ahead: Ahead) -> None:
        """Draw what the day ahead brings. Called before it is mounted, when it is shown, and when that changes."""

    @property
    def hides_schedule(self) -> bool:
        """The live schedule would give away what is asked here."""
        return False

    @property
    def wants_width(self) -> bool:
        """The schedule beside it says nothing about what is shown here, or too much."""
        return self.hides_schedule

    def choose(self, key: str) -> bool:
        """Choose what has this name, as `go to` does; False where there is no such thing."""
        return False


class PanelView(View):
    """What a panel shows below the tabs of the form. `focus()` should give the focus to its main widget."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.kind: Kind | None = None
        self.object_name: str | None = None

    def show(self, kind: Kind, name: str) -> None:
        """Show the panel for an object. Called again for the same one when the workspace has changed."""
        self.kind, self.object_name = kind, name
        self.refresh_from()
