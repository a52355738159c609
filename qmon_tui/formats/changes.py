"""What an edit of a cluster does to its objects, renamed ones recognised by where they were read."""

from dataclasses import dataclass

from qmon_tui.formats.compare import same_object
from qmon_tui.model.cluster import Cluster, ConfigObject, Origin
from qmon_tui.model.kinds import Kind


@dataclass(frozen=True, slots=True)
class ObjectEdit:
    """One object before and after; None where it was added or removed. The names differ where it was renamed."""

    kind: Kind
    before: ConfigObject | None
    after: ConfigObject | None

    @property
    def renamed(self) -> bool:
        """Whether the object got another name."""
        return self.before is not None and self.after is not None and self.before.name != self.after.name


def object_edits(before: Cluster, after: Cluster) -> list[ObjectEdit]:
    """All objects that differ in what a file says of them."""
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
