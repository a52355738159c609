"""The edit that brings one object or item, or one field of it, back to what was read."""

from collections.abc import Sequence

from qmon_tui.formats.state import entry, names as entry_names
from qmon_tui.model import Kind, StateKind
from qmon_tui.workspace.difference import renamed_from
from qmon_tui.workspace.document import AnyKind, Document
from qmon_tui.workspace.edits import Batch, Edit, RemoveObject, RevertObject, SetField, object_words
from qmon_tui.workspace.state_edits import RemoveEntry, RevertEntry


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
