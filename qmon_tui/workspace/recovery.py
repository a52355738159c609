"""Unsaved edits as JSON, which a later start of the program can repeat on a folder that may have changed since."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final

from qmon_tui.formats.state import with_entries
from qmon_tui.model import ConfigObject, Kind, Origin, StateEntry, StateKind, config_object
from qmon_tui.workspace.difference import ChangeKind, ObjectChange, document_changes
from qmon_tui.workspace.document import AnyKind, Document, ObjectOrEntry
from qmon_tui.workspace.merge import Conflict, document_conflicts, overlay_document

_FORMAT: Final = 1

Versions = tuple[ObjectOrEntry | None, ObjectOrEntry | None]
"""An object as read and as edited; None if it did not exist."""


@dataclass(frozen=True, slots=True)
class Recovered:
    """The edits of an earlier run."""

    folder: str
    things: tuple[Versions, ...]


@dataclass(frozen=True, slots=True)
class Replayed:
    """Result of applying recovered edits."""

    changes: tuple[ObjectChange, ...]
    """The edits that the folder does not have yet."""
    document: Document
    """The document with the edits; they win over changes made since."""
    conflicts: tuple[Conflict, ...]
    """Conflicts of the edits with changes made since."""


def edits_text(folder: str, base: Document, document: Document) -> str:
    """Return the edits from `base` to `document` as JSON; empty if there are none."""
    changes = document_changes(base, document)
    if not changes:
        return ""
    versions = [[_written(change.before), _written(change.after)] for change in changes]
    return json.dumps({"format": _FORMAT, "folder": folder, "things": versions}, ensure_ascii=False, indent=1)


def read_edits(text: str) -> Recovered | None:
    """Parse the text of `edits_text`; None if it has another format."""
    try:
        read: Any = json.loads(text)
        if read["format"] != _FORMAT:
            return None
        return Recovered(str(read["folder"]), tuple((_read(old), _read(new)) for old, new in read["things"]))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def replayed(recovered: Recovered, onto: Document) -> Replayed:
    """Make the edits again in `onto`. Raises ValueError if an item of the state is no longer valid."""
    before = _with(onto, ((new, old) for old, new in recovered.things))
    after = _with(before, recovered.things)
    made = document_changes(before, after)
    document = overlay_document(made, onto)
    return Replayed(_still_to_make(made, onto, document), document, document_conflicts(before, after, onto))


def _still_to_make(made: Iterable[ObjectChange], onto: Document, document: Document) -> tuple[ObjectChange, ...]:
    """Return the part of the changes `made` that `onto` lacks; a save or another program may have made the rest."""
    missing = {
        (change.kind, change.name): {field for field, *_ in change.fields}
        for change in document_changes(onto, document)
    }
    return tuple(
        replace(change, fields=tuple(field for field in change.fields if field[0] in missing[change.kind, change.name]))
        if change.what is ChangeKind.CHANGED
        else change
        for change in made
        if (change.kind, change.name) in missing
    )


def _with(document: Document, versions: Iterable[Versions]) -> Document:
    """Return the document with the second version of each pair; None removes the object or item."""
    entries: list[StateEntry] = []
    gone: list[tuple[StateKind, str]] = []
    cluster = document.cluster
    for old, new in versions:
        if isinstance(new, ConfigObject):
            cluster = cluster.with_object(new)
        elif isinstance(new, StateEntry):
            entries.append(new)
        elif isinstance(old, ConfigObject):
            cluster = cluster.without(old.kind, old.name)
        elif isinstance(old, StateEntry):
            gone.append((old.kind, old.name))
    state = with_entries(document.state, entries, gone) if entries or gone else document.state
    return document.with_cluster(cluster).with_state(state)


def _written(thing: ObjectOrEntry | None) -> Mapping[str, object] | None:
    if thing is None:
        return None
    origin = thing.origin
    place = [origin.file, origin.line, dict(origin.lines)] if origin else None
    return {"kind": thing.kind.value, "name": thing.name, "values": dict(thing.values), "origin": place}


def _read(written: Any) -> ObjectOrEntry | None:
    if written is None:
        return None
    kind, name = _kind(written["kind"]), str(written["name"])
    values = {str(field): str(text) for field, text in written["values"].items()}
    origin = Origin(*written["origin"]) if written["origin"] else None
    if isinstance(kind, Kind):
        return config_object(kind, name, values, origin)
    return StateEntry(kind, name, MappingProxyType(values), origin)


def _kind(word: str) -> AnyKind:
    return Kind(word) if word in set(Kind) else StateKind(word)
