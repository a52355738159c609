"""Pulling: what has changed on the qmaster since the folder's snapshot, merged three-way into the open document."""

from dataclasses import replace
from typing import NamedTuple

from qmon_tui.model import Cluster
from qmon_tui.sources import SavePlan
from qmon_tui.workspace.difference import ObjectChange, differences, drift, without_spellings
from qmon_tui.workspace.document import Document
from qmon_tui.workspace.edits import Edit, ReplaceDocument
from qmon_tui.workspace.events import Pulled
from qmon_tui.workspace.merge import ON_QMASTER, Conflict, Side, overlapping, overlay
from qmon_tui.workspace.workspace import Workspace


class Pull(NamedTuple):
    """Changes on the qmaster since a snapshot, and the edit that merges them into a document."""

    made: tuple[ObjectChange, ...]
    conflicts: tuple[Conflict, ...]
    """Places that both sides changed; the edit keeps the document's version there."""
    edit: Edit


def merge_pull(workspace: Workspace, pull: Pull, snapshot: SavePlan) -> None:
    """Merge a pull; the next save writes its snapshot. Raises WorkspaceError when read-only."""
    workspace.pulled = Pulled(pull.edit if workspace.apply(pull.edit, conflicts=pull.conflicts) else None, snapshot)


def keep_base(workspace: Workspace) -> None:
    """Write the snapshot of a pull that left nothing to decide or save. Raises SourceError."""
    if workspace.pulled is not None and not workspace.changes() and not workspace.unresolved:
        workspace.source.write(workspace.reading, workspace.pulled.snapshot)
        workspace.pulled = None


def pull_of(document: Document, base: Cluster, now: Cluster) -> Pull:
    """Return the changes between two readings of the qmaster, `base` and `now`, and their merge into a document.

    Values that change without an edit, and automatic users, are left out, as in `diff`.
    """
    made = tuple(map(without_spellings, drift(base, now)))
    mine = differences(base, document.cluster)
    conflicts = tuple(replace(conflict, there=ON_QMASTER, is_kept=True) for conflict in overlapping(mine, made))
    merged = document.with_cluster(overlay(made, document.cluster))
    for conflict in conflicts:
        merged = conflict.taking(Side.MINE, merged).made(merged)
    return Pull(made, conflicts, ReplaceDocument("merge what has changed on the qmaster", merged))
