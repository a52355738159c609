"""What has actions of its own: the pages of the left pane, and the panels among the tabs of a form."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from qmon_tui.model import Kind, StateKind
from qmon_tui.tui.keys.action import Action

if TYPE_CHECKING:
    from qmon_tui.tui.base import PageView, PanelView
    from qmon_tui.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Page:
    """One thing that the left pane offers besides the kinds of object."""

    id: str
    """One lower-case word, different from all kinds, other pages and panels."""
    title: str
    help: str
    """What it is for, as a sentence."""
    keys: tuple[str, ...]
    """The keys that go there, as Textual names them."""
    build: "Callable[[Workspace], PageView]"
    """Makes the view when it is first visited."""
    count: "Callable[[Workspace], int] | None" = None
    """The number that stands at its row; it must be quick."""
    actions: tuple[Action, ...] = ()
    """What can be done there besides what can be done everywhere."""
    holds: StateKind | None = None
    """The items of the state that are edited there."""
    wide: bool = False
    """It has the room of the live schedule as well, as long as nobody goes to that."""


@dataclass(frozen=True, slots=True)
class Panel:
    """One more tab of the form of a kind."""

    kind: Kind
    id: str
    """One lower-case word, different from all kinds, places and other panels."""
    title: str
    """The name of the tab, different from those of the kind's fields."""
    help: str
    """What it shows, for the line below."""
    build: "Callable[[Workspace], PanelView]"
    """Makes the view when it is first visited."""
    actions: tuple[Action, ...] = ()
    """What can be done there besides what can be done everywhere."""
    first: bool = False
    """It stands before the tabs of the fields: what it shows is what one comes for."""


class PanelTable:
    """The panels of all kinds, each kind's in their order."""

    def __init__(self, panels: Sequence[Panel] = ()) -> None:
        self._panels = tuple(panels)

    def of(self, kind: Kind) -> tuple[Panel, ...]:
        """The panels of a kind."""
        return tuple(panel for panel in self._panels if panel.kind is kind)

    def titled(self, kind: Kind, title: str) -> Panel | None:
        """The panel of a tab; None for a tab of fields."""
        return next((panel for panel in self.of(kind) if panel.title == title), None)
