"""Base classes of pages, and of panels among the tabs of a form.

A view draws the workspace and posts messages (`messages`); only the screen changes the workspace. Computations of more
than a few milliseconds run in a worker. Its texts are spans (`report/`), never markup.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from textual.containers import Vertical

from qmon_tui.model import Kind
from qmon_tui.report import Line
from qmon_tui.tui.base.line_table import LineTable
from qmon_tui.tui.base.messages import EditRequested, FieldEdited, JumpRequested
from qmon_tui.tui.base.span_widgets import OneLine
from qmon_tui.tui.keys import NO_ACTIONS
from qmon_tui.workspace import Workspace, clipboard

if TYPE_CHECKING:
    from qmon_tui.qmaster import Command
    from qmon_tui.workspace import Edit


@dataclass(frozen=True, slots=True)
class Ahead:
    """Summary of the simulated day ahead."""

    line: Callable[[int], Line] = lambda _: ()
    """The text, fitted to a width in cells."""
    is_known: bool = False
    is_changed: bool = False
    """True if the summary compares the day with and without an edit."""
    until: int | None = None
    """End of the period that was simulated, in seconds since the epoch; None for the whole day."""


class AheadLine(OneLine):
    """Line about the day ahead, hidden until it is known; with `only_changes`, until it shows an edit's effect."""

    DEFAULT_CSS = """
    AheadLine { display: none; }
    AheadLine.-known { display: block; }
    """

    def __init__(self, *, only_changes: bool = False, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._only_changes = only_changes
        self._ahead = Ahead()
        self._now = 0

    def tell(self, ahead: Ahead) -> None:
        """Show another summary, or none."""
        self._ahead = ahead
        self.pass_time(self._now)
        self.show(ahead.line)

    def pass_time(self, now: int) -> None:
        """Take the shown time, in seconds since the epoch; a summary of a period that is over is hidden."""
        self._now, ahead = now, self._ahead
        is_over = ahead.until is not None and now > ahead.until
        self.set_class(ahead.is_changed if self._only_changes else ahead.is_known and not is_over, "-known")


class View(Vertical):
    """A page or panel. It is mounted when it is first shown, kept afterwards, and refreshed only while visible."""

    DEFAULT_CSS = """
    View { height: 1fr; width: 1fr; }
    View .filter-line { display: none; height: 1; }
    View.-filtering .filter-line { display: block; }
    """

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self.workspace = workspace
        self.actions = NO_ACTIONS
        """Actions of this view, bound by its `Page` or `Panel`."""

    def on_mount(self) -> None:
        self.refresh_from()

    def refresh_from(self) -> None:
        """Draw the state of the workspace. Called when the view is mounted or shown, and after each edit and run."""

    def edit(self, edit: "Edit") -> None:
        self.post_message(EditRequested(edit))

    def edit_field(self, kind: Kind, name: str, field: str, text: str | None, *, typing: bool = False) -> None:
        """Request another text of a field; see `FieldEdited`."""
        self.post_message(FieldEdited(kind, name, field, text, typing))

    def jump(self, kind: Kind, name: str, field: str | None = None) -> None:
        self.post_message(JumpRequested(kind, name, field))

    def leave(self) -> bool:
        """Take one step back on Esc, such as clearing a filter; False if there is nothing to leave."""
        return False

    def copies(self) -> "tuple[clipboard.Copy, ...]":
        """Return the texts that `y` offers to copy (`workspace.copying`); by default that of the chosen row."""
        return (clipboard.Copy("t", "the row", self.copied),) if self.copied else ()

    @property
    def busy(self) -> bool:
        """True while its content is being computed."""
        return False

    @property
    def copied(self) -> str:
        """The text of the chosen row; empty if none is chosen."""
        return ""


class PageView(View):
    """Widget of a page, shown instead of list and form. `focus()` should give the focus to its main table."""

    @property
    def selected(self) -> str | None:
        """Name of the chosen row, for the top line; None if none is chosen."""
        return None

    @property
    def usual_command(self) -> "Command | None":
        """An example of the commands of the page, by which the user's rights are judged; None without any."""
        return None

    @property
    def awaits_first_run(self) -> bool:
        """True if its rows need the first run, which is not over yet."""
        return False

    def show_ahead(self, ahead: Ahead) -> None:
        """Draw the summary of the day ahead. Called before the page is mounted, when it is shown, and on changes."""

    @property
    def hides_schedule(self) -> bool:
        """True if the live schedule would give away the answer to a question of the page."""
        return False

    @property
    def wants_width(self) -> bool:
        """True if the page takes the width of the live schedule, which is useless or hidden beside it."""
        return self.hides_schedule

    def put_away(self) -> None:
        """React to another page, or list and form, being shown instead."""

    def choose(self, key: str) -> bool:
        """Choose the row with this name, as `go to` does; False if there is none."""
        return False


class TablePage(PageView):
    """Page whose main widget is the table `_table`."""

    _table: LineTable

    def focus(self, scroll_visible: bool = True, from_app_focus: bool = False) -> Self:
        self._table.focus(scroll_visible)
        return self

    @property
    def copied(self) -> str:
        return self._table.cursor_text

    def next_row(self) -> None:
        self._table.action_move(1)


class PanelView(View):
    """Widget of a panel, shown below the tabs of the form; its main widget is `grid`."""

    grid: LineTable

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.kind: Kind | None = None
        self.object_name: str | None = None

    def focus(self, scroll_visible: bool = True, from_app_focus: bool = False) -> Self:
        self.grid.focus(scroll_visible)
        return self

    def show(self, kind: Kind, name: str) -> None:
        """Show the panel for an object. Called again for the same object when the workspace has changed."""
        self.kind, self.object_name = kind, name
        self.refresh_from()
