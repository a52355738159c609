"""Declarations of the pages of the left pane, and of the panels among the tabs of a form."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from qmon_tui.model import Kind, StateKind
from qmon_tui.tui.keys.action import ActionSet

if TYPE_CHECKING:
    from qmon_tui.tui.base import PageView, PanelView
    from qmon_tui.workspace import Workspace


NO_ACTION_SET: ActionSet[Any] = ActionSet()


@dataclass(frozen=True, slots=True)
class Page:
    """A full view that the left pane offers besides the kinds of object."""

    id: str
    """One lower-case word, different from all kinds, other pages and panels."""
    title: str
    help: str
    """The page's purpose, as a sentence."""
    keys: tuple[str, ...]
    """The keys that open it, as Textual names them."""
    build: "Callable[[Workspace], PageView]"
    """Makes the view without its actions."""
    count: "Callable[[Workspace], int] | None" = None
    """Returns the number shown at its row, quickly; None for a page without a number."""
    action_set: ActionSet[Any] = NO_ACTION_SET
    """Actions of this page, besides the general ones."""
    holds: StateKind | None = None
    """Kind of the items of the state that are edited on it; None without any."""
    wide: bool = False
    """True if the page covers the live schedule, too, until the user moves there."""
    for_running_clusters: bool = False
    """True if its row is in the left pane only for a running cluster; its key works in folders, too."""

    def view(self, workspace: "Workspace") -> "PageView":
        """Build the view, with its actions bound to it, when the page is first visited."""
        view = self.build(workspace)
        view.actions = self.action_set.of(view)
        return view


@dataclass(frozen=True, slots=True)
class Panel:
    """One more tab of the form of a kind."""

    kind: Kind
    id: str
    """One lower-case word, different from all kinds, pages and other panels."""
    title: str
    """The name of the tab, different from the other tabs of the kind."""
    help: str
    """The panel's content as a sentence, for the line below."""
    build: "Callable[[Workspace], PanelView]"
    """Makes the view without its actions."""
    action_set: ActionSet[Any] = NO_ACTION_SET
    """Actions of this panel, besides the general ones."""
    first: bool = False
    """True if its tab is before the tabs of fields, as it is the main view of the object."""

    def view(self, workspace: "Workspace") -> "PanelView":
        """Build the view, with its actions bound to it, when the panel is first visited."""
        view = self.build(workspace)
        view.actions = self.action_set.of(view)
        return view


class PanelTable:
    """The panels of all kinds, each kind's in their order."""

    def __init__(self, panels: Sequence[Panel] = ()) -> None:
        self._panels = tuple(panels)

    def of(self, kind: Kind) -> tuple[Panel, ...]:
        return tuple(panel for panel in self._panels if panel.kind is kind)

    def titled(self, kind: Kind, title: str) -> Panel | None:
        """Return the panel of a tab; None for a tab of fields."""
        return next((panel for panel in self.of(kind) if panel.title == title), None)
