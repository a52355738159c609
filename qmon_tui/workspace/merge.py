"""Three-way merging per object and per field: edits that do not overlap merge, the others are conflicts to decide."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from qmon_tui.formats.state.entries import built, entry, with_entries
from qmon_tui.model.cluster import Cluster, ConfigObject
from qmon_tui.model.state import State
from qmon_tui.model.state_entry import StateEntry, StateKind
from qmon_tui.workspace.difference import ObjectChange, What, changes, document_changes
from qmon_tui.workspace.document import AnyKind, Document, Thing
from qmon_tui.workspace.edits import Edit, PutBack, RemoveObject, SetField, object_words
from qmon_tui.workspace.stateedits import PutEntryBack, RemoveEntry, SetEntry

Key = tuple[AnyKind, str]
Version = str | Thing | None


class Side(StrEnum):
    """Whose version of a conflict counts."""

    MINE = "mine"
    THEIRS = "theirs"


@dataclass(frozen=True, slots=True)
class Conflict:
    """One place that both sides changed, differently.

    With a field, the three versions are its text (None: not given). Without, one side removed the object that the
    other one changed, and the versions are the whole objects (None: removed).
    """

    kind: AnyKind
    name: str
    field: str | None
    base: Version
    mine: Version
    theirs: Version

    @property
    def label(self) -> str:
        """The place in words: `slots of queue all.q`."""
        words = object_words(self.kind, self.name)
        return f"{self.field} of {words}" if self.field else words

    @property
    def place(self) -> tuple[AnyKind, str, str | None]:
        """Kind, object and field."""
        return (self.kind, self.name, self.field)

    def version_in(self, document: Document) -> Version:
        """What a document holds at this place."""
        thing = document.get(self.kind, self.name)
        return thing if thing is None or self.field is None else thing.given(self.field)

    def taking(self, side: Side) -> Edit:
        """The edit that makes this side's version hold."""
        version = self.mine if side is Side.MINE else self.theirs
        if self.field is not None:
            text = version if isinstance(version, str) else None
            if isinstance(self.kind, StateKind):
                return SetEntry(self.kind, self.name, ((self.field, text),))
            return SetField(self.kind, self.name, self.field, text)
        if isinstance(self.kind, StateKind):
            return PutEntryBack(version) if isinstance(version, StateEntry) else RemoveEntry(self.kind, self.name)
        return PutBack(version, ()) if isinstance(version, ConfigObject) else RemoveObject(self.kind, self.name)


def overlay_document(made: Iterable[ObjectChange], onto: Document) -> Document:
    """Make the same changes in another document; where it differs too, these changes win."""
    made = tuple(made)
    of_state = [change for change in made if isinstance(change.kind, StateKind)]
    of_cluster = [change for change in made if not isinstance(change.kind, StateKind)]
    cluster = overlay(of_cluster, onto.cluster) if of_cluster else onto.cluster
    return onto.with_cluster(cluster).with_state(_overlay_state(of_state, onto.state))


def _overlay_state(made: list[ObjectChange], onto: State) -> State:
    changed: list[StateEntry] = []
    for change in made:
        if not isinstance(change.after, StateEntry):
            continue
        present = entry(onto, change.after.kind, change.name)
        merged = change.after
        if present is not None and present != change.before:
            merged = present
            for field, _, text in change.fields:
                merged = merged.with_value(field, text)
        changed.append(_sensible(merged, change.after, onto))
    gone = [(change.kind, change.name) for change in made if change.after is None]
    removed = [(kind, name) for kind, name in gone if isinstance(kind, StateKind)]
    return with_entries(onto, changed, removed) if made else onto


def _sensible(merged: StateEntry, mine: StateEntry, state: State) -> StateEntry:
    """The merged item; where its texts contradict each other (a task that the array no longer has), mine as it is."""
    try:
        return merged if merged.item is not None else replace(merged, item=built(merged, state))
    except ValueError:
        return mine


def overlay(made: Iterable[ObjectChange], onto: Cluster) -> Cluster:
    """Make the same changes in another cluster; where it differs too, these changes win.

    What was read keeps the place where the other cluster has it, a renamed object that of its old name.
    """
    made = tuple(made)
    old_names = {(c.kind, _place(c.before)): c.name for c in made if c.after is None and _place(c.before)}
    changed: list[ConfigObject] = []
    for change in made:
        if not isinstance(change.after, ConfigObject):
            continue
        kind = change.after.kind
        old = old_names.get((kind, _place(change.after)), change.name)
        read, present = onto.get(kind, old), onto.get(kind, change.name)
        merged = change.after
        if present is not None and present != change.before:
            merged = present
            for field, _, text in change.fields:
                merged = merged.with_value(field, text)
        changed.append(replace(merged, origin=read.origin if read else None))
    for change in made:
        if change.after is None and isinstance(change.before, ConfigObject):
            onto = onto.without(change.before.kind, change.name)
    return onto.with_objects(changed) if changed else onto


def _place(obj: Thing | None) -> tuple[str, int] | None:
    return (obj.origin.file, obj.origin.line) if obj and obj.origin else None


def conflicts(base: Cluster, mine: Cluster, theirs: Cluster) -> tuple[Conflict, ...]:
    """Where both sides changed the same field, or one removed what the other one changed."""
    return _overlapping(changes(base, mine), changes(base, theirs))


def document_conflicts(base: Document, mine: Document, theirs: Document) -> tuple[Conflict, ...]:
    """The same for documents."""
    return _overlapping(document_changes(base, mine), document_changes(base, theirs))


def _overlapping(mine: Iterable[ObjectChange], theirs: Iterable[ObjectChange]) -> tuple[Conflict, ...]:
    other: Mapping[Key, ObjectChange] = {(change.kind, change.name): change for change in theirs}
    found: list[Conflict] = []
    for change in mine:
        against = other.get((change.kind, change.name))
        if against is not None:
            found.extend(_overlaps(change, against))
    return tuple(found)


def _overlaps(mine: ObjectChange, theirs: ObjectChange) -> Iterable[Conflict]:
    if (mine.what is What.REMOVED) != (theirs.what is What.REMOVED):
        yield Conflict(mine.kind, mine.name, None, mine.before, mine.after, theirs.after)
        return
    texts = {field: after for field, _, after in theirs.fields}
    for field, before, after in mine.fields:
        if field in texts and texts[field] != after:
            yield Conflict(mine.kind, mine.name, field, before, after, texts[field])
