"""A cluster's configuration: immutable objects whose fields are text exactly as Grid Engine prints and reads it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from qmon_tui.model.kinds import Kind

_EMPTY: Mapping[str, "ConfigObject"] = MappingProxyType({})
_NO_LINES: Mapping[str, int] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Origin:
    """The source of an object: file relative to the cluster folder, 1-based lines of the object and its fields."""

    file: str
    line: int = 1
    lines: Mapping[str, int] = field(default_factory=lambda: _NO_LINES, compare=False)

    def line_of(self, field_name: str | None) -> int:
        """Return the 1-based line of a field; the object's line if the field is not written."""
        return self.lines.get(field_name or "", self.line)


@dataclass(frozen=True, slots=True)
class ConfigObject:
    """One configuration object. `values` holds only the fields that were given; the catalogue knows the defaults."""

    kind: Kind
    name: str
    values: Mapping[str, str]
    origin: Origin | None = field(default=None, compare=False)

    def given(self, field_name: str) -> str | None:
        """Return the text that was given for a field; None if the field was left out."""
        return self.values.get(field_name)

    def text(self, field_name: str) -> str:
        """Return the text of a field: what was given, else the template's default (empty for an unknown field)."""
        value = self.values.get(field_name)
        if value is not None:
            return value
        from qmon_tui.model.catalogue import spec  # the catalogue builds its default objects from this class

        declared = spec(self.kind).by_name.get(field_name)
        return declared.default if declared else ""

    def with_value(self, field_name: str, text: str | None) -> "ConfigObject":
        """Return a copy of the object with one field changed, or removed if `text` is None."""
        values = dict(self.values)
        if text is None:
            values.pop(field_name, None)
        else:
            values[field_name] = text
        return replace(self, values=MappingProxyType(values))

    def with_values(self, changes: Mapping[str, str]) -> "ConfigObject":
        """Return a copy of the object with several fields changed."""
        return replace(self, values=MappingProxyType({**self.values, **changes}))

    def renamed(self, name: str) -> "ConfigObject":
        """Return a copy of the object under another name, its name field included."""
        from qmon_tui.model.catalogue import spec  # as above

        name_field = spec(self.kind).name_field
        values = dict(self.values)
        if name_field:
            values[name_field] = name
        return replace(self, name=name, values=MappingProxyType(values))


def config_object(kind: Kind, name: str, values: Mapping[str, str], origin: Origin | None = None) -> ConfigObject:
    """Return a new object with a read-only copy of the values."""
    return ConfigObject(kind, name, MappingProxyType(dict(values)), origin)


@dataclass(frozen=True, slots=True)
class Cluster:
    """All configuration objects by kind and name. Immutable: an edit makes a new cluster."""

    name: str = "cluster"
    dialect: str = "sge-8.1.9"
    kinds: Mapping[Kind, Mapping[str, ConfigObject]] = field(default_factory=dict)

    def objects(self, kind: Kind) -> Mapping[str, ConfigObject]:
        """Return name -> object for one kind, in the order in which they were read."""
        return self.kinds.get(kind, _EMPTY)

    def get(self, kind: Kind, name: str) -> ConfigObject | None:
        """Return one object; None if the cluster has none of that name."""
        return self.objects(kind).get(name)

    def single(self, kind: Kind) -> ConfigObject:
        """Return the only object of a kind such as the scheduler configuration; all defaults if none was read."""
        from qmon_tui.model.catalogue import single_name  # as above

        name = single_name(kind)
        return self.objects(kind).get(name) or config_object(kind, name, {})

    def __iter__(self) -> Iterator[ConfigObject]:
        for objects in self.kinds.values():
            yield from objects.values()

    def with_objects(self, changed: Iterable[ConfigObject]) -> "Cluster":
        """Return the cluster with objects added; an object whose name exists is replaced in its place."""
        kinds: dict[Kind, Mapping[str, ConfigObject]] = dict(self.kinds)
        fresh: dict[Kind, dict[str, ConfigObject]] = {}
        for obj in changed:
            if obj.kind not in fresh:
                fresh[obj.kind] = dict(kinds.get(obj.kind, _EMPTY))
                kinds[obj.kind] = MappingProxyType(fresh[obj.kind])
            fresh[obj.kind][obj.name] = obj
        return replace(self, kinds=MappingProxyType(kinds))

    def with_object(self, obj: ConfigObject) -> "Cluster":
        """Return the cluster with one object added, or replaced in its place if the name exists."""
        return self.with_objects((obj,))

    def without(self, kind: Kind, name: str) -> "Cluster":
        """Return the cluster without one object; the same cluster if it has none of that name."""
        objects = self.objects(kind)
        if name not in objects:
            return self
        kinds = dict(self.kinds)
        kinds[kind] = MappingProxyType({n: o for n, o in objects.items() if n != name})
        return replace(self, kinds=MappingProxyType(kinds))
