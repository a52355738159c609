"""Edits of objects between two clusters, and equality of objects as written in a file."""

from collections.abc import Iterator
from dataclasses import dataclass

from qmon_tui.formats.yaml import expand_hosts
from qmon_tui.model import Cluster, ConfigObject, Kind, Origin, ValueType
from qmon_tui.model.catalogue import spec


def same_object(obj: ConfigObject, other: ConfigObject) -> bool:
    """True if every field has the same text in both; in a configuration a missing field differs from its default."""
    if obj.values == other.values:
        return True
    if obj.kind is Kind.CONFIGURATION:
        return dict(obj.values) == dict(other.values)
    return all(same_text(obj, other, name) for name in {*obj.values, *other.values})


def same_text(obj: ConfigObject, other: ConfigObject, name: str) -> bool:
    """True if a field has the same text in both; host lists are compared with their node sets expanded."""
    first, second = obj.text(name), other.text(name)
    if first == second:
        return True
    field = spec(obj.kind).by_name.get(name)
    if field is None or field.type is not ValueType.HOSTS:
        return False
    try:
        return expand_hosts(first, field.separator) == expand_hosts(second, field.separator)
    except ValueError:
        return False


def differing(cluster: Cluster, wanted: Cluster) -> Iterator[tuple[Kind, str]]:
    """Yield kind and name of each object that differs between the clusters."""
    for kind in dict.fromkeys((*cluster.kinds, *wanted.kinds)):
        first, second = cluster.objects(kind), wanted.objects(kind)
        if first is second:
            continue
        for name in dict.fromkeys((*first, *second)):
            obj, other = first.get(name), second.get(name)
            if obj is None or other is None:
                if not (spec(kind).single and not _differs_from_defaults(obj or other)):
                    yield kind, name
            elif obj is not other and not same_object(obj, other):
                yield kind, name


def _differs_from_defaults(obj: ConfigObject | None) -> bool:
    """True if the only object of its kind has a field that differs from its default; False for None."""
    if obj is None:
        return False
    known = spec(obj.kind).by_name
    return any(name not in known or obj.text(name) != known[name].default for name in obj.values)


@dataclass(frozen=True, slots=True)
class ObjectEdit:
    """One object before (None if added) and after (None if removed); the names differ if it was renamed."""

    kind: Kind
    before: ConfigObject | None
    after: ConfigObject | None

    @property
    def renamed(self) -> bool:
        """True if the object got another name."""
        return self.before is not None and self.after is not None and self.before.name != self.after.name


def object_edits(before: Cluster, after: Cluster) -> list[ObjectEdit]:
    """Return an edit for each object that differs between the clusters as a file describes it."""
    edits: list[ObjectEdit] = []
    for kind in dict.fromkeys((*before.kinds, *after.kinds)):
        old, new = before.objects(kind), after.objects(kind)
        if old is new:
            continue
        removed = {name: obj for name, obj in old.items() if name not in new}
        by_origin = {_place(obj.origin): obj for obj in removed.values() if obj.origin}
        for name, obj in new.items():
            known = old.get(name)
            if known is None:
                known = by_origin.pop(_place(obj.origin), None) if obj.origin else None
                if known is not None:
                    del removed[known.name]
                edits.append(ObjectEdit(kind, known, obj))
            elif known is not obj and not same_object(known, obj):
                edits.append(ObjectEdit(kind, known, obj))
        edits += [ObjectEdit(kind, obj, None) for obj in removed.values()]
    return edits


def _place(origin: Origin | None) -> tuple[str, int] | None:
    return (origin.file, origin.line) if origin else None
