"""The facts that widgets post, applied to the workspace as edits."""

from abc import abstractmethod
from typing import TYPE_CHECKING

from textual import on
from textual.screen import Screen

from qmon_tui.model import Kind
from qmon_tui.model.catalogue import spec
from qmon_tui.tui.base import EditRequested, FieldEdited, FieldsEdited, KindReplaced, run_in_thread
from qmon_tui.workspace import EditError, Workspace, WorkspaceError, commands, edits, state_edits

if TYPE_CHECKING:
    from qmon_tui.workspace import Edit


_MANY = 50
"""Jobs whose commands together take longer than a key may wait."""


class EditingScreen(Screen[None]):
    """A screen that owns a workspace and makes the edits that its widgets ask for."""

    workspace: Workspace

    @abstractmethod
    def refresh_all(self) -> None:
        """Draw everything that shows the workspace."""

    @abstractmethod
    def run_immediately(self, edit: "Edit") -> bool:
        """Ask to carry out an edit of jobs, states or reasons on a running cluster; False if it is none."""

    def apply(self, edit: "Edit", *, typing: bool = False) -> bool:
        """Make an edit; where it cannot be made, say why."""
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
        """Give an object another name, after asking where others name it."""

    @on(FieldEdited)
    def _field_edited(self, event: FieldEdited) -> None:
        if event.field == spec(event.kind).name_field and event.text and not event.typing:
            self.rename(event.kind, event.name, event.text)
            return
        self.apply(edits.SetField(event.kind, event.name, event.field, event.text), typing=event.typing)
        if not event.typing:
            self.workspace.end_typing()

    @on(FieldsEdited)
    def _fields_edited(self, event: FieldsEdited) -> None:
        self.apply(edits.SetFields(event.kind, event.name, dict(event.values)))

    @on(EditRequested)
    def _edit_requested(self, event: EditRequested) -> None:
        is_long = isinstance(event.edit, state_edits.CommandEdit) and event.edit.jobs > _MANY
        if is_long and self.workspace.reading.live is None:
            self.run_worker(self._apply_beside(event.edit), group="orders")
        else:
            self.apply(event.edit)
            self.workspace.end_typing()

    async def _apply_beside(self, edit: "Edit") -> None:
        """Make an edit off the event loop and then apply it, to what the document is by then."""
        workspace, made = self.workspace, None
        while made is None or made.before is not workspace.document:
            read, document = workspace.base_document, workspace.document
            try:
                made = await run_in_thread(lambda: commands.prepared_edit(edit, read, document))  # noqa: B023 - awaited in its round
            except EditError as error:
                self.notify(str(error), severity="warning", markup=False)
                return
        self.apply(made)
        workspace.end_typing()

    @on(KindReplaced)
    def _kind_replaced(self, event: KindReplaced) -> None:
        self.apply(edits.ReplaceKind(event.kind, event.objects))
