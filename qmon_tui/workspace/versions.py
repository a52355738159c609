"""Earlier versions of the open document: what a save keeps, named snapshots, and restoring one as an edit."""

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path

from qmon_tui.formats import Layout, folder_texts, read_texts
from qmon_tui.model import StateKind
from qmon_tui.sources import Reading, SourceError
from qmon_tui.sources.versions import Version, VersionKind, files_of, keep_version
from qmon_tui.workspace.difference import ObjectChange, document_changes
from qmon_tui.workspace.document import Document, WorkspaceError
from qmon_tui.workspace.edits import Edit, ReplaceDocument, object_words
from qmon_tui.workspace.merge import overlay_document
from qmon_tui.workspace.workspace import Workspace


def keep_saved(before: Reading, after: Reading, made: Sequence[ObjectChange]) -> None:
    """Keep the files that a save has written, and before them the old files if they are new. Raises SourceError."""
    keep_version(Path(before.source.location), VersionKind.FOUND, before.layout, before.files)
    words = [f"{change.what} {object_words(change.kind, change.name)}" for change in made]
    keep_version(Path(after.source.location), VersionKind.SAVED, after.layout, after.files, changed=words)


def keep_snapshot(workspace: Workspace, name: str) -> None:
    """Keep the document as the forms show it, saved or not, under a name. Raises SourceError."""
    reading = workspace.reading
    layout, files = reading.layout, dict(reading.files)
    if workspace.changes():
        try:
            for file in workspace.save_plan().files:
                if file.after is None:
                    files.pop(file.file, None)
                else:
                    files[file.file] = file.after
        except (WorkspaceError, SourceError):
            # A document that cannot be saved now is kept as YAML files.
            layout, files = Layout.YAML, folder_texts(Layout.YAML, workspace.cluster, workspace.document.state)
    keep_version(Path(reading.source.location), VersionKind.SNAPSHOT, layout, files, name=name)


class RestoredPart(StrEnum):
    """Part of a version that is restored."""

    ALL = "all"
    OBJECTS = "objects"
    """The configuration; the state stays as it is."""
    STATE = "state"
    """Jobs, load values, queue states, usage and advance reservations; the configuration stays as it is."""


def document_of(version: Version, name: str) -> Document:
    """Return configuration and state of a version. Raises SourceError if it can no longer be read."""
    contents = read_texts(version.layout, name, files_of(version))
    return Document(contents.cluster, contents.state)


def changes_of(part: RestoredPart, made: Sequence[ObjectChange]) -> tuple[ObjectChange, ...]:
    """Return those of the changes `made` that concern the part."""
    return tuple(
        change
        for change in made
        if part is RestoredPart.ALL or isinstance(change.kind, StateKind) is (part is RestoredPart.STATE)
    )


def restore_edit(workspace: Workspace, version: Document, label: str, part: RestoredPart = RestoredPart.ALL) -> Edit:
    """Return the edit that restores a version or a part of it; unsaved edits outside of that part stay."""
    now = workspace.document
    # Computed as changes of the document as read, so that every object keeps its file and line.
    made = changes_of(part, document_changes(workspace.base_document, version))
    restored = overlay_document(made, workspace.base_document)
    if part is not RestoredPart.STATE:
        now = now.with_cluster(restored.cluster)
    return ReplaceDocument(label, now if part is RestoredPart.OBJECTS else now.with_state(restored.state))
