"""Three-way merging per object, field and element: edits that do not overlap merge, others are conflicts."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from qmon_tui.formats import merged_lines
from qmon_tui.formats.state import built, entry, with_entries
from qmon_tui.model import Cluster, ConfigObject, Field, Kind, State, StateEntry, StateKind, Texts, element
from qmon_tui.model.catalogue import spec
from qmon_tui.model.catalogue.state import CHANGED
from qmon_tui.workspace.difference import ChangeKind, ObjectChange, document_changes, source_line, with_renames
from qmon_tui.workspace.document import AnyKind, Document, ObjectOrEntry
from qmon_tui.workspace.edits import ClusterEdit, Edit, RemoveObject, RevertObject, SetField, existing, object_words
from qmon_tui.workspace.element_merge import Key, merged
from qmon_tui.workspace.state_edits import RemoveEntry, RevertEntry, SetEntry

ON_DISK: Final = "on disk"
ON_QMASTER: Final = "on the qmaster"
ConflictVersion = str | ObjectOrEntry | None


class Side(StrEnum):
    """The side whose version of a conflict is taken."""

    MINE = "mine"
    THEIRS = "theirs"


@dataclass(frozen=True, slots=True)
class EditedText:
    """A third version: the user's own text for the whole field."""

    text: str


Decision = Side | EditedText


@dataclass(frozen=True, slots=True)
class Conflict:
    """One place that both sides changed differently.

    With a field, the three versions are texts of the field (None: not given) or of one element in it (None: missing).
    Without, one side removed the object that the other changed; the versions are whole objects (None: removed).
    """

    kind: AnyKind
    name: str
    field: str | None
    base: ConflictVersion
    mine: ConflictVersion
    theirs: ConflictVersion
    key: Key = ()
    """Key of the element of the field; empty for the whole field."""
    texts: Texts | None = None
    """Base, mine and theirs of the whole field, if the conflict is about one element; else None."""
    renamed: str = ""
    """New name of the object in mine; empty if it was not renamed."""
    there: str = ON_DISK
    """Where the other side is: ON_DISK or ON_QMASTER."""
    is_kept: bool = False
    """True after a pull: the other side is not read again, so `theirs` stays its version."""

    def __hash__(self) -> int:
        """Hash the place only: versions may be objects, which cannot be hashed."""
        return hash(self.place)

    @property
    def label(self) -> str:
        """The place in words: `slots of queue all.q`, `slots [node1] of queue all.q`."""
        words = object_words(self.kind, self.name)
        if self.field is None:
            return f"{words}, renamed {self.renamed}" if self.renamed else words
        return f"{' '.join((self.field, *self.key))} of {words}"

    @property
    def place(self) -> tuple[AnyKind, str, str | None, Key]:
        """Kind, object, field and element."""
        return (self.kind, self.name, self.field, self.key)

    def version_in(self, document: Document) -> ConflictVersion:
        """Return the version of a document at this place."""
        item = document.get(self.kind, self.name_in(document))
        if item is None or self.field is None:
            return item
        if self.texts is None or not isinstance(item, ConfigObject):
            return item.given(self.field)
        return element(_field(item.kind, self.field), self.texts[0], item.text(self.field), self.key)

    def name_in(self, document: Document) -> str:
        """Return the object's name in a document: undo may have restored the old name."""
        return self.renamed if self.renamed and document.get(self.kind, self.renamed) else self.name

    def is_open(self, mine: Document, theirs: Document) -> bool:
        """Return True while undecided: mine differs from theirs and has not been edited since the merge."""
        now = self.version_in(mine)
        taken = self.theirs if self.is_kept else self.version_in(theirs)
        return now != taken and (self.field is None or now == self.mine)

    def edited(self, text: str) -> Edit:
        """Return the edit that sets the whole field to a third text."""
        assert self.field is not None
        return self._setting(self.field, text)

    def _setting(self, field: str, text: str | None) -> Edit:
        if isinstance(self.kind, StateKind):
            return SetEntry(self.kind, self.name, ((field, text),))
        return SetField(self.kind, self.name, field, text)

    def text_in(self, document: Document) -> str:
        """Return the text of the whole field in a document; empty if it is not given."""
        item = document.get(self.kind, self.name)
        if item is None or self.field is None:
            return ""
        return item.text(self.field) if isinstance(item, ConfigObject) else item.given(self.field) or ""

    def taking(self, side: Side, document: Document) -> Edit:
        """Return the edit that puts this side's version into a document."""
        version = self.mine if side is Side.MINE else self.theirs
        if self.field is not None and self.texts is not None and isinstance(self.kind, Kind):
            return TakeElement(self.kind, self.name, self.field, self.key, self.texts, side, self.there)
        if self.field is not None:
            return self._setting(self.field, version if isinstance(version, str) else None)
        if isinstance(self.kind, StateKind):
            return RevertEntry(version) if isinstance(version, StateEntry) else RemoveEntry(self.kind, self.name)
        if isinstance(version, ConfigObject):
            return RevertObject(version, ())
        return RemoveObject(self.kind, self.name_in(document))


def overlay_document(made: Iterable[ObjectChange], onto: Document) -> Document:
    """Make the same changes in another document; where both changed the same, these changes win."""
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
        result = change.after
        if present is not None and present != change.before:
            result = present
            for field, before, text in change.fields:
                both = _both_lines(change.kind, field, (before, text, present.given(field)))
                result = result.with_value(field, text if both is None else both)
        changed.append(_sensible(result, change.after, onto))
    gone = [(change.kind, change.name) for change in made if change.after is None]
    removed = [(kind, name) for kind, name in gone if isinstance(kind, StateKind)]
    return with_entries(onto, changed, removed) if made else onto


def _both_lines(kind: AnyKind, field: str, given: tuple[str | None, str | None, str | None]) -> str | None:
    """Return a job's options with the changes of both sides; None if they overlap, or for any other field.

    If both changed a time of change, the later one wins; for a last number, the higher one.
    """
    base, mine, theirs = given
    if kind in (StateKind.JOB, StateKind.INSTANCE) and field == CHANGED:
        return max(mine or "", theirs or "") or None
    if kind is StateKind.NUMBER:
        return max(mine or "0", theirs or "0", key=int)
    if kind is not StateKind.JOB or field != "qsub" or base is None:
        return None
    return merged_lines(base, mine or "", theirs or "")


def _sensible(both: StateEntry, mine: StateEntry, state: State) -> StateEntry:
    """Return the merged item; mine if the merged texts contradict each other (a task that the array no longer has)."""
    try:
        return both if both.item is not None else replace(both, item=built(both, state))
    except ValueError:
        return mine


@dataclass(frozen=True, slots=True)
class TakeElement(ClusterEdit):
    """Set one element of a field to one side's version; keep the rest of the field."""

    kind: Kind
    name: str
    field: str
    key: Key
    texts: Texts
    side: Side
    there: str = ON_DISK

    @property
    def label(self) -> str:
        """Description with the place and the side."""
        words = f"{' '.join((self.field, *self.key))} of {object_words(self.kind, self.name)}"
        return f"take {words} as it is {'here' if self.side is Side.MINE else self.there}"

    def apply(self, cluster: Cluster) -> Cluster:
        """Return the cluster with that version."""
        field, here = _field(self.kind, self.field), existing(cluster, self.kind, self.name)
        mine = merged(field, *self.texts).text
        theirs = merged(field, *self.texts, lambda key: key == self.key).text
        before, after = (mine, theirs) if self.side is Side.THEIRS else (theirs, mine)
        text = merged(field, before, here.text(self.field), after, lambda key: True).text
        return SetField(self.kind, self.name, self.field, text).apply(cluster)


def overlay(made: Iterable[ObjectChange], onto: Cluster) -> Cluster:
    """Make the same changes in another cluster; where both changed the same, these changes win.

    Objects keep their file and line in `onto`; a renamed object takes those of its old name.
    """
    made = tuple(made)
    old_names = {
        (change.kind, source_line(change.before)): change.name
        for change in made
        if change.after is None and source_line(change.before)
    }
    changed: list[ConfigObject] = []
    for change in made:
        if not isinstance(change.after, ConfigObject):
            continue
        kind = change.after.kind
        old = old_names.get((kind, source_line(change.after)), change.name)
        read, present = onto.get(kind, old), onto.get(kind, change.name)
        result = change.after
        if present is not None and present != change.before:
            result = present
            for field, before, text in change.fields:
                both = change.what is ChangeKind.CHANGED
                given = _merged_text(present, field, before, text, present.given(field)) if both else text
                result = result.with_value(field, given)
        changed.append(replace(result, origin=read.origin if read else None))
    for change in made:
        if change.after is None and isinstance(change.before, ConfigObject):
            onto = onto.without(change.before.kind, change.name)
    return onto.with_objects(changed) if changed else onto


def _merged_text(obj: ConfigObject, field: str, before: str | None, mine: str | None, theirs: str | None) -> str | None:
    """Return a field's text with both changes; mine if they cannot be merged."""
    if theirs == before:
        return mine
    texts = _texts(obj.kind, field, (before, mine, theirs))
    return mine if texts is None else merged(_field(obj.kind, field), *texts).text


def _texts(kind: Kind, field: str, given: tuple[str | None, str | None, str | None]) -> Texts | None:
    """Return three versions as texts, with the template's default if not given; None if they cannot be merged."""
    declared = spec(kind).by_name.get(field)
    # A configuration's fields have no template: a field that is not given has no text.
    if declared is None or (kind is Kind.CONFIGURATION and None in given):
        return None
    base, mine, theirs = (declared.default if text is None else text for text in given)
    return base, mine, theirs


def _field(kind: Kind, name: str) -> Field:
    return spec(kind).by_name[name]


def document_conflicts(base: Document, mine: Document, theirs: Document, there: str = ON_DISK) -> tuple[Conflict, ...]:
    """Return the conflicts between two documents with a common base; `there` says where the other one is."""
    conflicts = overlapping(document_changes(base, mine), document_changes(base, theirs))
    return tuple(replace(conflict, there=there) for conflict in conflicts)


def overlapping(mine: Iterable[ObjectChange], theirs: Iterable[ObjectChange]) -> tuple[Conflict, ...]:
    """Return the conflicts between two lists of changes to the same document."""
    mine = tuple(mine)
    other: Mapping[tuple[AnyKind, str], ObjectChange] = {(change.kind, change.name): change for change in theirs}
    conflicts: list[Conflict] = []
    for change in mine:
        against = other.get((change.kind, change.name))
        if against is not None:
            conflicts.extend(_overlaps(change, against))
    return (*conflicts, *_removed_under_new_names(mine, other))


def _removed_under_new_names(
    mine: tuple[ObjectChange, ...], theirs: Mapping[tuple[AnyKind, str], ObjectChange]
) -> Iterable[Conflict]:
    """Yield conflicts for objects renamed here and removed there: by name alone, both sides removed them."""
    for change in with_renames(mine):
        old, new = change.before, change.after
        if change.what is not ChangeKind.RENAMED or old is None or new is None or (new.kind, new.name) in theirs:
            continue
        against = theirs.get((old.kind, old.name))
        if against is not None and against.what is ChangeKind.REMOVED:
            yield Conflict(old.kind, old.name, None, old, new, None, renamed=new.name)


def _overlaps(mine: ObjectChange, theirs: ObjectChange) -> Iterable[Conflict]:
    if (mine.what is ChangeKind.REMOVED) != (theirs.what is ChangeKind.REMOVED):
        yield Conflict(mine.kind, mine.name, None, mine.before, mine.after, theirs.after)
        return
    other = {field: after for field, _, after in theirs.fields}
    for field, before, after in mine.fields:
        if field not in other or other[field] == after:
            continue
        if _both_lines(mine.kind, field, (before, after, other[field])) is None:
            yield from _clashes(mine, field, before, after, other[field])


def _clashes(
    change: ObjectChange, field: str, before: str | None, mine: str | None, theirs: str | None
) -> Iterable[Conflict]:
    """Yield conflicts per element; per whole field if it has no elements or both sides added the object."""
    kind, changed = change.kind, change.what is ChangeKind.CHANGED
    texts = _texts(kind, field, (before, mine, theirs)) if isinstance(kind, Kind) and changed else None
    if texts is None or not isinstance(kind, Kind):
        yield Conflict(change.kind, change.name, field, before, mine, theirs)
        return
    for clash in merged(_field(kind, field), *texts).clashes:
        if (clash.base, clash.mine, clash.theirs) == texts:
            yield Conflict(change.kind, change.name, field, before, mine, theirs)
        else:
            yield Conflict(change.kind, change.name, field, clash.base, clash.mine, clash.theirs, clash.key, texts)
