"""Going back: to what was read, to what a save has kept, or to a named snapshot, always as an edit."""

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path

from qmon_tui.formats import Layout, folder_texts, read_texts
from qmon_tui.formats.state import entry, names as entry_names
from qmon_tui.model import Kind, StateKind
from qmon_tui.sources import Reading, SourceError
from qmon_tui.sources.versions import Version, VersionKind, files_of, keep_version
from qmon_tui.workspace.difference import ObjectChange, document_changes, renamed_from
from qmon_tui.workspace.document import AnyKind, Document, WorkspaceError
from qmon_tui.workspace.edits import Batch, Edit, RemoveObject, ReplaceDocument, RevertObject, SetField, object_words
from qmon_tui.workspace.merge import overlay_document
from qmon_tui.workspace.state_edits import RemoveEntry, RevertEntry
from qmon_tui.workspace.workspace import Workspace


def keep_saved(before: Reading, after: Reading, made: Sequence[ObjectChange]) -> None:
    """Keep what a save has written, and what was there before where that is new to us. Raises SourceError."""
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
            # A document that cannot be saved now is kept as newly written files.
            layout, files = Layout.YAML, folder_texts(Layout.YAML, workspace.cluster, workspace.document.state)
    keep_version(Path(reading.source.location), VersionKind.SNAPSHOT, layout, files, name=name)


class RestoredPart(StrEnum):
    """Part of a version that is restored."""

    ALL = "all"
    OBJECTS = "objects"
    """The configuration; jobs and what else is the state stay as they are."""
    STATE = "state"
    """Jobs, load values, queue states, usage and advance reservations; the configuration stays as it is."""


def document_of(version: Version, name: str) -> Document:
    """Configuration and state of a version. Raises SourceError where it can no longer be read."""
    contents = read_texts(version.layout, name, files_of(version))
    return Document(contents.cluster, contents.state)


def changes_of(part: RestoredPart, made: Sequence[ObjectChange]) -> tuple[ObjectChange, ...]:
    """Return the changes that restoring a part makes."""
    return tuple(
        change
        for change in made
        if part is RestoredPart.ALL or isinstance(change.kind, StateKind) is (part is RestoredPart.STATE)
    )


def restore_edit(workspace: Workspace, version: Document, label: str, part: RestoredPart = RestoredPart.ALL) -> Edit:
    """The edit that brings a version back, or a part of it; what else is unsaved stays only outside of that part."""
    now = workspace.document
    # Made as changes of what was read, so that every object stays at its place in the files.
    made = changes_of(part, document_changes(workspace.base_document, version))
    restored = overlay_document(made, workspace.base_document)
    if part is not RestoredPart.STATE:
        now = now.with_cluster(restored.cluster)
    return ReplaceDocument(label, now if part is RestoredPart.OBJECTS else now.with_state(restored.state))


def revert_edit(read: Document, now: Document, kind: AnyKind, name: str, field: str | None) -> Edit | None:
    """The edit; None for a field of what was not read at all. What was added goes, without a field."""
    if isinstance(kind, StateKind):
        item = entry(read.state, kind, name)
        if item is None:
            return RemoveEntry(kind, name) if field is None else None
        return RevertEntry(item, entry_names(read.state, kind), field)
    obj = read.cluster.get(kind, name)
    if obj is None:
        return _new(read, now, kind, name, field)
    return RevertObject(obj, tuple(read.cluster.objects(kind)), field)


def revert_edits(read: Document, now: Document, kind: AnyKind, names: Sequence[str], field: str | None) -> Edit | None:
    """The edit for several objects of a kind."""
    edits = [edit for name in names if (edit := revert_edit(read, now, kind, name, field)) is not None]
    if len(edits) < 2:
        return edits[0] if edits else None
    return Batch(f"{edits[0].label} and {len(edits) - 1} more", tuple(edits))


def _new(read: Document, now: Document, kind: Kind, name: str, field: str | None) -> Edit | None:
    """Return the edit that restores the old name of a renamed object, or the old text of one field."""
    old = renamed_from(read.cluster, now.cluster, kind, name)
    if field is not None:
        return SetField(kind, name, field, old.given(field)) if old is not None else None
    if old is None:
        return RemoveObject(kind, name)
    back = (RemoveObject(kind, name), RevertObject(old, tuple(read.cluster.objects(kind))))
    return Batch(f"revert {object_words(kind, old.name)}", back)
