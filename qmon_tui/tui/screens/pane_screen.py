"""The panes of the main screen, the facts that its helpers read, and the edits that its widgets post."""

from abc import abstractmethod
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from textual import on
from textual.screen import Screen

from qmon_tui.model import Finding, Kind
from qmon_tui.model.catalogue import single_name, spec
from qmon_tui.tui import forms, panes
from qmon_tui.tui.base import EditRequested, FieldEdited, run_in_thread
from qmon_tui.tui.keys import Pane
from qmon_tui.tui.lists import ObjectList
from qmon_tui.tui.panels import PANEL_TABLE
from qmon_tui.tui.panes import KindsPane, PagePane
from qmon_tui.workspace import EditError, Workspace, WorkspaceError, commands, edits, state_edits

if TYPE_CHECKING:
    from qmon_tui.workspace import Edit

_MANY = 50
"""Largest number of jobs that an edit may change on the event loop; a larger edit is prepared in a thread."""


class PaneScreen(Screen[None]):
    """A screen over a workspace, with a pane for kinds, one for objects and form or a page, one for the schedule."""

    workspace: Workspace
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
        """True if the monitor and the live pane have chosen the same job, even one ended at the monitor's time."""
        view, chosen = self.pages.view, self.live.chosen
        if self.pages.page != "monitor" or chosen is None or view is None:
            return False
        return view.selected == str(chosen.key[0])

    # Edits ------------------------------------------------------------------------------------------------------

    @abstractmethod
    def refresh_all(self) -> None:
        """Draw everything that shows the workspace."""

    @abstractmethod
    def run_immediately(self, edit: "Edit") -> bool:
        """Offer the commands of an edit of jobs, states or reasons on a running cluster; False for other edits."""

    def apply(self, edit: "Edit", *, typing: bool = False) -> bool:
        """Make an edit and return True if it changed anything. If it cannot be made, show why."""
        if self.run_immediately(edit):
            return False
        try:
            return self.workspace.apply(edit, typing=typing)
        except (EditError, WorkspaceError) as error:
            self.notify(str(error), severity="warning", markup=False)
            self.refresh_all()
            return False

    @abstractmethod
    def rename(self, kind: Kind, name: str, new: str) -> None:
        """Rename an object, after asking whether references to it follow."""

    @on(FieldEdited)
    def _field_edited(self, event: FieldEdited) -> None:
        if event.field == spec(event.kind).name_field and event.text and not event.typing:
            self.rename(event.kind, event.name, event.text)
            return
        self.apply(edits.SetField(event.kind, event.name, event.field, event.text), typing=event.typing)
        if not event.typing:
            self.workspace.end_typing()

    @on(EditRequested)
    def _edit_requested(self, event: EditRequested) -> None:
        is_long = isinstance(event.edit, state_edits.CommandEdit) and event.edit.jobs > _MANY
        if is_long and self.workspace.reading.live is None:
            self.run_worker(self._apply_prepared(event.edit), group="orders")
        else:
            self.apply(event.edit)
            self.workspace.end_typing()

    async def _apply_prepared(self, edit: "Edit") -> None:
        """Prepare an edit in a thread, again if the document changes meanwhile, and apply it."""
        workspace, prepared = self.workspace, None
        while prepared is None or prepared.before is not workspace.document:
            read, document = workspace.base_document, workspace.document
            try:
                prepared = await run_in_thread(lambda: commands.prepared_edit(edit, read, document))  # noqa: B023 - awaited in its round
            except EditError as error:
                self.notify(str(error), severity="warning", markup=False)
                return
        self.apply(prepared)
        workspace.end_typing()
