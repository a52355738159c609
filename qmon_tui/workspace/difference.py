"""What differs between two clusters, or documents: to the letter (as saving writes), or by value (as `diff` shows)."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from qmon_tui.model.catalogue import spec
from qmon_tui.model.cluster import Cluster, ConfigObject
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import State
from qmon_tui.model.state_entry import StateEntry
from qmon_tui.workspace.document import AnyKind, Document, Thing

FieldChange = tuple[str, str | None, str | None]
"""Field, text before, text after; None where the field is not given."""


class What(StrEnum):
    """What happened to an object."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class ObjectChange:
    """One object that differs, with both versions and the fields concerned in the catalogue's order."""

    kind: AnyKind
    name: str
    what: What
    fields: tuple[FieldChange, ...]
    before: Thing | None
    after: Thing | None


def document_changes(before: Document, after: Document) -> tuple[ObjectChange, ...]:
    """Differences to the letter of the configuration, then those of the state."""
    return (*changes(before.cluster, after.cluster), *state_changes(before.state, after.state))


def state_changes(before: State, after: State) -> tuple[ObjectChange, ...]:
    """The items of the state that differ, field by field."""
    if before is after:
        return ()
    from qmon_tui.formats.state.entries import changed_entries  # late: the first frame shows no differences

    return tuple(_described_entry(*pair) for pair in changed_entries(before, after))


def changes(before: Cluster, after: Cluster) -> tuple[ObjectChange, ...]:
    """Differences to the letter, exactly those that saving writes: none where a default is written out."""
    if before is after:
        return ()
    return _described(before, after, _same_letters)


def differences(before: Cluster, after: Cluster) -> tuple[ObjectChange, ...]:
    """Differences by value: two spellings of one value are none, nor is a default that one side writes out."""
    return tuple(
        change for change in _described(before, after, _same_value) if change.what is not What.CHANGED or change.fields
    )


def field_names(before: ConfigObject | None, after: ConfigObject | None) -> tuple[str, ...]:
    """The fields that either version gives: those of the catalogue in its order, then unknown ones."""
    given = {**(before.values if before else {}), **(after.values if after else {})}
    some = before or after
    known = spec(some.kind).by_name if some else {}
    return (*(name for name in known if name in given), *(name for name in given if name not in known))


Same = Callable[[ConfigObject, ConfigObject, str], bool]
"""Whether two versions of an object agree in a field."""


def _same_letters(before: ConfigObject, after: ConfigObject, name: str) -> bool:
    # A configuration's fields have no template: whether they are given is part of what they say.
    if before.kind is Kind.CONFIGURATION:
        return before.given(name) == after.given(name)
    from qmon_tui.formats.compare import same_text

    return same_text(before, after, name)


def _same_value(before: ConfigObject, after: ConfigObject, name: str) -> bool:
    from qmon_tui.checks.stored import same_value

    if _same_letters(before, after, name):
        return True
    declared = spec(before.kind).by_name.get(name)
    return declared is not None and same_value(declared, before.text(name), after.text(name))


def _described(before: Cluster, after: Cluster, same: Same) -> tuple[ObjectChange, ...]:
    from qmon_tui.formats.compare import differing

    found = sorted(differing(before, after), key=lambda place: _ORDER[place[0]])
    return tuple(
        _described_object(kind, name, before.get(kind, name), after.get(kind, name), same) for kind, name in found
    )


_ORDER = {kind: number for number, kind in enumerate(Kind)}


def _described_entry(before: StateEntry | None, after: StateEntry | None) -> ObjectChange:
    some = before or after
    assert some is not None
    old, new = (one.values if one else {} for one in (before, after))
    fields = tuple((name, old.get(name), new.get(name)) for name in {**old, **new} if old.get(name) != new.get(name))
    return ObjectChange(some.kind, some.name, _what(before, after), fields, before, after)


def _what(before: Thing | None, after: Thing | None) -> What:
    return What.CHANGED if before and after else What.REMOVED if before else What.ADDED


def _described_object(
    kind: Kind, name: str, before: ConfigObject | None, after: ConfigObject | None, same: Same
) -> ObjectChange:
    fields = tuple(
        (field, before.given(field) if before else None, after.given(field) if after else None)
        for field in field_names(before, after)
        if not (before and after and same(before, after, field))
    )
    return ObjectChange(kind, name, _what(before, after), fields, before, after)
