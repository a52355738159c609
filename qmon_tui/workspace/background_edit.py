"""An edit that is made beside the screen: a command for thousands of jobs takes longer than a key may wait."""

from dataclasses import dataclass

from qmon_tui.workspace.difference import unsaved_changes
from qmon_tui.workspace.document import Document
from qmon_tui.workspace.edits import Edit


@dataclass(frozen=True, slots=True)
class PreparedEdit(Edit):
    """An edit with its result for one document, made in advance; any other document is edited as usual."""

    edit: Edit
    before: Document
    after: Document

    @property
    def label(self) -> str:
        return self.edit.label

    def made(self, document: Document) -> Document:
        return self.after if document is self.before else self.edit.made(document)


def prepared_edit(edit: Edit, read: Document, document: Document) -> PreparedEdit:
    """Make an edit of a document, and work out what is unsaved then. Raises EditError where it cannot be made."""
    after = edit.made(document)
    unsaved_changes(read, after)
    return PreparedEdit(edit, document, after)
