"""Differences between two clusters or documents: of text (as saving writes), or of values (as `diff` shows)."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from qmon_tui import checks, formats
from qmon_tui.formats import state as state_format
from qmon_tui.model import Cluster, ConfigObject, Kind, State, StateEntry, memoized
from qmon_tui.model.catalogue import spec
from qmon_tui.workspace.document import AnyKind, Document, ObjectOrEntry

FieldChange = tuple[str, str | None, str | None]
"""Field, text before, text after; None if the field is not given."""


class ChangeKind(StrEnum):
    """Kind of a change of an object."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    RENAMED = "renamed"
    """A removed and an added object shown as one change (`with_renames`)."""


@dataclass(frozen=True, slots=True)
class ObjectChange:
    """One object that differs, with both versions and the fields concerned in the catalogue's order."""

    kind: AnyKind
    name: str
    what: ChangeKind
    fields: tuple[FieldChange, ...]
    before: ObjectOrEntry | None
    after: ObjectOrEntry | None

    def concerns(self, kind: AnyKind | None = None, name: str | None = None, field: str | None = None) -> bool:
        """True if it is a change of this kind, this object and this field; None stands for any."""
        return (
            kind in (None, self.kind)
            and name in (None, self.name)
            and (field is None or any(field == changed for changed, _, _ in self.fields))
        )


SourceLine = tuple[str, int]
"""File and line."""


def source_line(thing: ObjectOrEntry | None) -> SourceLine | None:
    """Return the file and line where a version was read; None if it was not read from a file."""
    return (thing.origin.file, thing.origin.line) if thing and thing.origin else None


def document_changes(before: Document, after: Document) -> tuple[ObjectChange, ...]:
    """Return the differences of the configuration, to the letter, then those of the state."""
    return (*changes(before.cluster, after.cluster), *state_changes(before.state, after.state))


def with_renames(object_changes: Iterable[ObjectChange]) -> tuple[ObjectChange, ...]:
    """Return the changes with each rename joined into one: under the new name, with the other fields that differ.

    A renamed object keeps the file and line where it was read; an added object has none.
    """
    listed = tuple(object_changes)
    gone: dict[tuple[AnyKind, SourceLine], list[ObjectChange]] = {}
    for change in listed:
        if change.what is ChangeKind.REMOVED and (place := source_line(change.before)) is not None:
            gone.setdefault((change.kind, place), []).append(change)
    renamed: dict[str, ObjectChange] = {}
    joined: list[ObjectChange] = []
    for change in listed:
        place = source_line(change.after) if change.what is ChangeKind.ADDED else None
        old = gone.get((change.kind, place)) if place is not None else None
        if old:
            before = old.pop(0)
            renamed[f"{before.kind} {before.name}"] = before
            joined.append(_renamed(before, change))
        else:
            joined.append(change)
    return tuple(
        change
        for change in joined
        if change.what is not ChangeKind.REMOVED or f"{change.kind} {change.name}" not in renamed
    )


def renamed_from(base: Cluster, now: Cluster, kind: Kind, name: str) -> ConfigObject | None:
    """Return the object of `base` that was renamed to this name; None if there is none."""
    obj = now.get(kind, name)
    place = source_line(obj)
    if place is None or base.get(kind, name) is not None:
        return None
    objects = base.objects(kind).values()
    return next((obj for obj in objects if source_line(obj) == place and now.get(kind, obj.name) is None), None)


def _renamed(before: ObjectChange, after: ObjectChange) -> ObjectChange:
    fields: tuple[FieldChange, ...] = ()
    old, new = before.before, after.after
    if isinstance(old, ConfigObject) and isinstance(new, ConfigObject):
        name_field = spec(new.kind).name_field
        fields = tuple(
            (name, old.given(name), new.given(name))
            for name in field_names(old, new)
            if name != name_field and not same_letters(old, new, name)
        )
    return ObjectChange(after.kind, after.name, ChangeKind.RENAMED, fields, old, new)


@memoized(size=4)
def unsaved_changes(read: Document, document: Document) -> tuple[ObjectChange, ...]:
    """Return `document_changes`, memoized for the last few documents: needed at each repaint, undo and redo."""
    return document_changes(read, document)


def state_changes(before: State, after: State) -> tuple[ObjectChange, ...]:
    """Return the items of the state that differ, field by field."""
    if before is after:
        return ()
    return tuple(_described_entry(*pair) for pair in state_format.changed_entries(before, after))


def changes(before: Cluster, after: Cluster) -> tuple[ObjectChange, ...]:
    """Return the differences to the letter that saving writes; writing out a default is none."""
    if before is after:
        return ()
    return _described(before, after, same_letters)


def differences(before: Cluster, after: Cluster) -> tuple[ObjectChange, ...]:
    """Return the differences by value. Ignored: other spellings, defaults that one side writes out, shortcuts

    that the qmaster stores as names, and values that change without an edit (`is_same_field`).
    """

    def same(old: ConfigObject, new: ConfigObject, name: str) -> bool:
        if checks.NAMING_ATTRIBUTES.get(old.kind) == name:
            old, new = checks.with_names(before, old), checks.with_names(after, new)
        return same_letters(old, new, name) or checks.is_same_field(old, new, name)

    return tuple(
        change for change in _described(before, after, same) if change.what is not ChangeKind.CHANGED or change.fields
    )


def changes_by_value(before: Cluster, after: Cluster) -> tuple[ObjectChange, ...]:
    """Return `differences` as changes to make elsewhere: fields that differ to the letter alone stay as before."""
    return tuple(map(without_spellings, differences(before, after)))


def without_spellings(change: ObjectChange) -> ObjectChange:
    """Return the change with only its listed fields changed: others that differ to the letter stay as before."""
    if change.what is not ChangeKind.CHANGED or not isinstance(change.before, ConfigObject):
        return change
    after = change.before
    for field, _, text in change.fields:
        after = after.with_value(field, text)
    return replace(change, after=after)


def drift(before: Cluster, after: Cluster) -> tuple[ObjectChange, ...]:
    """Return `differences` without automatic users, which the qmaster adds and removes."""
    return tuple(change for change in differences(before, after) if not _is_automatic(change))


def _is_automatic(change: ObjectChange) -> bool:
    user = change.before or change.after
    is_single = change.what in (ChangeKind.ADDED, ChangeKind.REMOVED)
    return is_single and isinstance(user, ConfigObject) and user.kind is Kind.USER and user.text("delete_time") != "0"


def field_names(before: ConfigObject | None, after: ConfigObject | None) -> tuple[str, ...]:
    """Return the fields that either version gives: those of the catalogue in its order, then unknown ones."""
    given = {**(before.values if before else {}), **(after.values if after else {})}
    some = before or after
    known = spec(some.kind).by_name if some else {}
    return (*(name for name in known if name in given), *(name for name in given if name not in known))


FieldComparison = Callable[[ConfigObject, ConfigObject, str], bool]
"""Whether two versions of an object agree in a field."""


def same_letters(before: ConfigObject, after: ConfigObject, name: str) -> bool:
    """Return True if saving would not write the field."""
    # A configuration's fields have no template: a field that is given differs from one that is not.
    if before.kind is Kind.CONFIGURATION:
        return before.given(name) == after.given(name)
    return formats.same_text(before, after, name)


def _described(before: Cluster, after: Cluster, same: FieldComparison) -> tuple[ObjectChange, ...]:
    differing_objects = sorted(formats.differing(before, after), key=lambda place: _ORDER[place[0]])
    return tuple(
        _described_object(kind, name, before.get(kind, name), after.get(kind, name), same)
        for kind, name in differing_objects
    )


_ORDER = {kind: number for number, kind in enumerate(Kind)}


def _described_entry(before: StateEntry | None, after: StateEntry | None) -> ObjectChange:
    some = before or after
    assert some is not None
    old, new = (entry.values if entry else {} for entry in (before, after))
    fields = tuple((name, old.get(name), new.get(name)) for name in {**old, **new} if old.get(name) != new.get(name))
    return ObjectChange(some.kind, some.name, _what(before, after), fields, before, after)


def _what(before: ObjectOrEntry | None, after: ObjectOrEntry | None) -> ChangeKind:
    return ChangeKind.CHANGED if before and after else ChangeKind.REMOVED if before else ChangeKind.ADDED


def _described_object(
    kind: Kind, name: str, before: ConfigObject | None, after: ConfigObject | None, same: FieldComparison
) -> ObjectChange:
    fields = tuple(
        (field, before.given(field) if before else None, after.given(field) if after else None)
        for field in field_names(before, after)
        if not (before and after and same(before, after, field))
    )
    return ObjectChange(kind, name, _what(before, after), fields, before, after)
