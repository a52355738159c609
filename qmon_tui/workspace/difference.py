"""What differs between two clusters: to the letter (what saving would write), or by value (what `diff` shows)."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from qmon_tui.model.catalogue import spec
from qmon_tui.model.cluster import Cluster, ConfigObject
from qmon_tui.model.kinds import Kind

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

    kind: Kind
    name: str
    what: What
    fields: tuple[FieldChange, ...]
    before: ConfigObject | None
    after: ConfigObject | None


def changes(before: Cluster, after: Cluster) -> tuple[ObjectChange, ...]:
    """Differences to the letter of what is given; empty exactly if both hold equal objects."""
    return _compare(before, after, _given_fields)


def differences(before: Cluster, after: Cluster) -> tuple[ObjectChange, ...]:
    """Differences by value: two spellings of one value are none, nor is a default that one side writes out."""
    return _compare(before, after, _fields_by_value)


def field_names(before: ConfigObject | None, after: ConfigObject | None) -> tuple[str, ...]:
    """The fields that either version gives: those of the catalogue in its order, then unknown ones."""
    given = {**(before.values if before else {}), **(after.values if after else {})}
    some = before or after
    known = spec(some.kind).by_name if some else {}
    return (*(name for name in known if name in given), *(name for name in given if name not in known))


def _given_fields(before: ConfigObject | None, after: ConfigObject | None) -> tuple[FieldChange, ...]:
    texts = (
        (name, before.given(name) if before else None, after.given(name) if after else None)
        for name in field_names(before, after)
    )
    return tuple(change for change in texts if change[1] != change[2])


def _fields_by_value(before: ConfigObject | None, after: ConfigObject | None) -> tuple[FieldChange, ...]:
    from qmon_tui.checks.stored import same_value

    if before is None or after is None:
        return _given_fields(before, after)
    known = spec(before.kind).by_name
    changed = []
    for name in field_names(before, after):
        old, new, declared = before.text(name), after.text(name), known.get(name)
        if old != new and not (declared is not None and same_value(declared, old, new)):
            changed.append((name, old, new))
    return tuple(changed)


Fields = Callable[[ConfigObject | None, ConfigObject | None], tuple[FieldChange, ...]]


def _compare(before: Cluster, after: Cluster, fields: Fields) -> tuple[ObjectChange, ...]:
    if before is after:
        return ()
    return tuple(change for kind in Kind for change in _compare_kind(before, after, kind, fields))


def _compare_kind(before: Cluster, after: Cluster, kind: Kind, fields: Fields) -> Iterable[ObjectChange]:
    old, new = before.objects(kind), after.objects(kind)
    if old is new:
        return
    for name, mine in old.items():
        theirs = new.get(name)
        # Most objects of two revisions are the same object: no need to look inside.
        if theirs is mine:
            continue
        changed = fields(mine, theirs)
        if theirs is None:
            yield ObjectChange(kind, name, What.REMOVED, changed, mine, None)
        elif changed:
            yield ObjectChange(kind, name, What.CHANGED, changed, mine, theirs)
    for name, theirs in new.items():
        if name not in old:
            yield ObjectChange(kind, name, What.ADDED, fields(None, theirs), None, theirs)
