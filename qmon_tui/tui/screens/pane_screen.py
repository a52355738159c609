"""The panes of the main screen, and the facts that its helpers read."""

from abc import abstractmethod
from collections.abc import Callable
from functools import cached_property

from qmon_tui.model import Finding, Kind
from qmon_tui.model.catalogue import single_name, spec
from qmon_tui.tui import forms, panes
from qmon_tui.tui.keys import Pane
from qmon_tui.tui.lists import ObjectList
from qmon_tui.tui.panels import PANEL_TABLE
from qmon_tui.tui.panes import KindsPane, PagePane
from qmon_tui.tui.screens.editing_screen import EditingScreen


class PaneScreen(EditingScreen):
    """A screen with a pane for kinds, one for objects and form or a page, and one for the live schedule."""

    kinds: KindsPane
    list: ObjectList
    pages: PagePane
    on_explained: Callable[[], None] | None = None
    """Called when the chosen job is explained again; set while a dialog about it is open."""
    pane = Pane.LIST
    """The pane that has the focus."""

    @cached_property
    def form(self) -> "forms.ObjectForm":
        return forms.ObjectForm(self.workspace, panels=PANEL_TABLE, id="form")

    @cached_property
    def live(self) -> "panes.LivePane":
        return panes.LivePane(self.workspace, id="live")

    @property
    @abstractmethod
    def is_fully_mounted(self) -> bool:
        """True if form and live pane are mounted; the first frame does not wait for them."""

    @abstractmethod
    def refresh_edges(self) -> None:
        """Draw the lines at top and bottom."""

    @abstractmethod
    async def begin_day_ahead(self) -> None:
        """Start to simulate the day ahead."""

    @property
    def kind(self) -> Kind:
        return self.kinds.kind

    @property
    def chosen(self) -> str | None:
        return single_name(self.kind) if spec(self.kind).single else self.list.selected

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Findings of the last run; before the first, of reading the folder."""
        result = self.workspace.result
        return result.findings if result else tuple(self.workspace.reading.findings)

    @property
    def tells_of_chosen_job(self) -> bool:
        """True if the line below the page explains the chosen job in place of the hidden live pane."""
        return (self.pages.page == "jobs" or self._is_of_monitor) and not self.live.display

    @property
    def _is_of_monitor(self) -> bool:
        """True if the monitor's chosen job is that of the live pane: it may have ended at that moment."""
        view, chosen = self.pages.view, self.live.chosen
        if self.pages.page != "monitor" or chosen is None or view is None:
            return False
        return view.selected == str(chosen.key[0])
