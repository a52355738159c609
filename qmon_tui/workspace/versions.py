"""Earlier versions of the open document: what a save keeps, named snapshots, and restoring one as an edit."""

from collections.abc import Sequence

from qmon_tui.formats.folder import read_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.formats.whole import written
from qmon_tui.model.cluster import Cluster
from qmon_tui.sources.errors import SourceError
from qmon_tui.sources.folder import Reading
from qmon_tui.sources.versions import Version, VersionKind, files_of, keep_version
from qmon_tui.workspace.difference import ObjectChange, changes
from qmon_tui.workspace.document import Document
from qmon_tui.workspace.edits import Become, Edit, object_words
from qmon_tui.workspace.events import WorkspaceError
from qmon_tui.workspace.merge import overlay
from qmon_tui.workspace.workspace import Workspace


def keep_saved(before: Reading, after: Reading, made: Sequence[ObjectChange]) -> None:
    """Keep what a save has written, and what was there before where that is new to us. Raises SourceError."""
    keep_version(before.path, VersionKind.FOUND, before.layout, before.files)
    words = [f"{change.what} {object_words(change.kind, change.name)}" for change in made]
    keep_version(after.path, VersionKind.SAVED, after.layout, after.files, changed=words)


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
            # What cannot be saved now can be kept all the same, written anew.
            layout, files = Layout.YAML, written(Layout.YAML, workspace.cluster, workspace.state)
    keep_version(reading.path, VersionKind.SNAPSHOT, layout, files, name=name)


def configuration_of(version: Version, name: str) -> Cluster:
    """The configuration of a version. Raises SourceError where it can no longer be read."""
    return read_texts(version.layout, name, files_of(version)).cluster


def restoring(workspace: Workspace, version: Cluster, label: str) -> Edit:
    """The edit that brings the configuration of a version back; jobs and what else is the state stay as they are."""
    now = Document(workspace.cluster, workspace.state)
    # Made as changes of what was read, so that every object stays at its place in the files.
    restored = overlay(changes(workspace.base, version), workspace.base)
    return Become(label, now.with_cluster(restored))
