"""Three-way merging per object and per field: edits that do not overlap merge, the others are conflicts to decide."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from qmon_tui.model.cluster import Cluster, ConfigObject
from qmon_tui.model.kinds import Kind
from qmon_tui.workspace.difference import ObjectChange, What, changes
from qmon_tui.workspace.edits import Edit, PutBack, RemoveObject, SetField, object_words

Key = tuple[Kind, str]


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

    kind: Kind
    name: str
    field: str | None
    base: str | ConfigObject | None
    mine: str | ConfigObject | None
    theirs: str | ConfigObject | None

    @property
    def label(self) -> str:
        """The place in words: `slots of queue all.q`."""
        words = object_words(self.kind, self.name)
        return f"{self.field} of {words}" if self.field else words

    @property
    def place(self) -> tuple[Kind, str, str | None]:
        """Kind, object and field."""
        return (self.kind, self.name, self.field)

    def version_in(self, cluster: Cluster) -> str | ConfigObject | None:
        """What a cluster holds at this place."""
        obj = cluster.get(self.kind, self.name)
        return obj if obj is None or self.field is None else obj.given(self.field)

    def taking(self, side: Side) -> Edit:
        """The edit that makes this side's version hold."""
        version = self.mine if side is Side.MINE else self.theirs
        if self.field is not None:
            return SetField(self.kind, self.name, self.field, version if isinstance(version, str) else None)
        return PutBack(version, ()) if isinstance(version, ConfigObject) else RemoveObject(self.kind, self.name)


def overlay(made: Iterable[ObjectChange], onto: Cluster) -> Cluster:
    """Make the same changes in another cluster; where it differs too, these changes win.

    What was read keeps the place where the other cluster has it, a renamed object that of its old name.
    """
    made = tuple(made)
    old_names = {(c.kind, _place(c.before)): c.name for c in made if c.after is None and _place(c.before)}
    changed: list[ConfigObject] = []
    for change in made:
        if change.after is None:
            continue
        old = old_names.get((change.kind, _place(change.after)), change.name)
        read, present = onto.get(change.kind, old), onto.get(change.kind, change.name)
        merged = change.after
        if present is not None and present != change.before:
            merged = present
            for field, _, text in change.fields:
                merged = merged.with_value(field, text)
        changed.append(replace(merged, origin=read.origin if read else None))
    for change in made:
        if change.after is None:
            onto = onto.without(change.kind, change.name)
    return onto.with_objects(changed) if changed else onto


def _place(obj: ConfigObject | None) -> tuple[str, int] | None:
    return (obj.origin.file, obj.origin.line) if obj and obj.origin else None


def conflicts(base: Cluster, mine: Cluster, theirs: Cluster) -> tuple[Conflict, ...]:
    """Where both sides changed the same field, or one removed what the other one changed."""
    other: Mapping[Key, ObjectChange] = {(c.kind, c.name): c for c in changes(base, theirs)}
    found: list[Conflict] = []
    for change in changes(base, mine):
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
