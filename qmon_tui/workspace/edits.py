"""Edits as values: each says what it does (`label`) and makes a new document of an old one (`made`)."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from qmon_tui import checks
from qmon_tui.model import LAST_NUMBERS, Cluster, ConfigObject, Kind, StateKind, config_object
from qmon_tui.model.catalogue import single_name, spec
from qmon_tui.workspace.document import BUILT_IN_OBJECTS, AnyKind, Document, EditError


class Edit(ABC):
    """A change of a document that the workspace applies."""

    __slots__ = ()

    @property
    @abstractmethod
    def label(self) -> str:
        """Description of the edit, to follow the words undo and redo."""

    @abstractmethod
    def made(self, document: Document) -> Document:
        """Return the document after the edit; raises EditError if the edit cannot be made."""

    def joined(self, earlier: "Edit") -> "Edit | None":
        """Return one edit equal to `earlier` and this one if both are steps of typing one value; else None."""
        return None


class ClusterEdit(Edit):
    """An edit of the configuration alone."""

    __slots__ = ()

    @abstractmethod
    def apply(self, cluster: Cluster) -> Cluster:
        """Return the cluster after the edit; raises EditError if the edit cannot be made."""

    def made(self, document: Document) -> Document:
        return document.with_cluster(self.apply(document.cluster))


def object_words(kind: AnyKind, name: str) -> str:
    """Name an object in a sentence: `queue all.q`, `load values of sim1`; `scheduler` for a kind with one object."""
    if kind is StateKind.NUMBER:
        return _NUMBER_WORDS[name]
    if isinstance(kind, StateKind):
        return _STATE_WORDS.get(kind, f"{kind.value} {{}}").format(name)
    return kind.value if spec(kind).single else f"{kind.value} {name}"


_STATE_WORDS = {StateKind.TIME: "the time", StateKind.LOADS: "load values of {}", StateKind.INSTANCE: "state of {}",
                StateKind.DRAIN: "drain of {}", StateKind.EXCEPTION: "end of {}",
                StateKind.USAGE: "usage of {}"}  # fmt: skip
_NUMBER_WORDS = dict(zip(LAST_NUMBERS, ("the last job number", "the last reservation number"), strict=True))


def existing(cluster: Cluster, kind: Kind, name: str) -> ConfigObject:
    """Return the object to edit; built-in objects are made when they are first edited. Raises EditError if missing."""
    obj = cluster.get(kind, name)
    if obj is not None:
        return obj
    if (spec(kind).single and name == single_name(kind)) or (kind, name) in BUILT_IN_OBJECTS:
        return config_object(kind, name, {})
    raise EditError(f"There is no {object_words(kind, name)} any more.")


def with_order(cluster: Cluster, kind: Kind, objects: Sequence[ConfigObject]) -> Cluster:
    """Return the cluster with exactly these objects of a kind, in this order."""
    kinds = dict(cluster.kinds)
    kinds[kind] = MappingProxyType({obj.name: obj for obj in objects})
    return replace(cluster, kinds=MappingProxyType(kinds))


@dataclass(frozen=True, slots=True)
class SetFields(ClusterEdit):
    """Set several fields of one object; None removes a field, so that the template's default holds."""

    kind: Kind
    name: str
    values: Mapping[str, str | None]

    @property
    def label(self) -> str:
        return f"set {', '.join(self.values)} of {object_words(self.kind, self.name)}"

    def apply(self, cluster: Cluster) -> Cluster:
        name_field = spec(self.kind).name_field
        obj = existing(cluster, self.kind, self.name)
        for name, text in self.values.items():
            if name != name_field:
                obj = obj.with_value(name, text)
        if obj is not cluster.get(self.kind, self.name):
            cluster = cluster.with_object(obj)
        if name_field is not None and name_field in self.values:
            return RenameObject(self.kind, self.name, self.values[name_field] or "").apply(cluster)
        return cluster

    def joined(self, earlier: Edit) -> Edit | None:
        if not isinstance(earlier, SetFields) or set(earlier.values) != set(self.values):
            return None
        return self if (earlier.kind, earlier.name) == (self.kind, self.name) else None


@dataclass(frozen=True, slots=True)
class SetField(ClusterEdit):
    """Set one field of one object; None leaves it out. Setting the field that holds the name renames the object."""

    kind: Kind
    name: str
    field: str
    text: str | None

    @property
    def label(self) -> str:
        return f"set {self.field} of {object_words(self.kind, self.name)}"

    def apply(self, cluster: Cluster) -> Cluster:
        return SetFields(self.kind, self.name, {self.field: self.text}).apply(cluster)

    def joined(self, earlier: Edit) -> Edit | None:
        if not isinstance(earlier, SetField) or (earlier.kind, earlier.field) != (self.kind, self.field):
            return None
        if self.field == spec(self.kind).name_field:
            return replace(self, name=earlier.name) if earlier.text == self.name else None
        return self if earlier.name == self.name else None


@dataclass(frozen=True, slots=True)
class AddObject(ClusterEdit):
    """Add an object whose name is still free. It has no origin (file and line), even as a copy of `original`."""

    obj: ConfigObject
    original: ConfigObject | None = None

    @property
    def label(self) -> str:
        return f"add {object_words(self.obj.kind, self.obj.name)}"

    def apply(self, cluster: Cluster) -> Cluster:
        _refuse_taken(cluster, self.obj)
        return cluster.with_object(replace(self.obj, origin=None))


def original_in(edits: Sequence[Edit | None], kind: Kind, name: str) -> ConfigObject | None:
    """Return the object that this one was copied from, even if this one was renamed since; None if it is no copy."""
    parts = [part for step in edits for part in (step.edits if isinstance(step, Batch) else (step,))]
    for edit in reversed(parts):
        if isinstance(edit, AddObject) and (edit.obj.kind, edit.obj.name) == (kind, name):
            return edit.original
        named = isinstance(edit, SetField) and edit.field == spec(kind).name_field and edit.text == name
        renamed = isinstance(edit, RenameObject) and edit.new == name
        if isinstance(edit, (SetField, RenameObject)) and edit.kind is kind and (named or renamed):
            name = edit.name
    return None


@dataclass(frozen=True, slots=True)
class RemoveObject(ClusterEdit):
    """Remove an object."""

    kind: Kind
    name: str

    @property
    def label(self) -> str:
        return f"delete {object_words(self.kind, self.name)}"

    def apply(self, cluster: Cluster) -> Cluster:
        return cluster.without(self.kind, self.name)


@dataclass(frozen=True, slots=True)
class RenameObject(ClusterEdit):
    """Give an object another name; it keeps its place in the list. References to it are not followed."""

    kind: Kind
    name: str
    new: str

    @property
    def label(self) -> str:
        return f"rename {object_words(self.kind, self.name)} to {self.new}"

    def apply(self, cluster: Cluster) -> Cluster:
        if self.new == self.name:
            return cluster
        renamed = existing(cluster, self.kind, self.name).renamed(self.new)
        _refuse_taken(cluster, renamed)
        objects = cluster.objects(self.kind).values()
        return with_order(cluster, self.kind, [renamed if obj.name == self.name else obj for obj in objects])

    def joined(self, earlier: Edit) -> Edit | None:
        if not isinstance(earlier, RenameObject) or (earlier.kind, earlier.new) != (self.kind, self.name):
            return None
        return replace(self, name=earlier.name)


@dataclass(frozen=True, slots=True)
class ReplaceKind(ClusterEdit):
    """Replace all objects of a kind, for instance by the complex list of a file."""

    kind: Kind
    objects: tuple[ConfigObject, ...]

    @property
    def label(self) -> str:
        return f"replace all {spec(self.kind).title.lower()}"

    def apply(self, cluster: Cluster) -> Cluster:
        before = cluster.objects(self.kind)
        # The objects come from elsewhere: they take the origin of the present object of the same name.
        places = {name: obj.origin for name, obj in before.items()}
        placed = [replace(obj, origin=places.get(obj.name)) for obj in self.objects]
        return with_order(
            cluster, self.kind, [before[obj.name] if obj == before.get(obj.name) else obj for obj in placed]
        )


@dataclass(frozen=True, slots=True)
class RevertObject(ClusterEdit):
    """Restore an object as read, at its place in the list; `names`: all objects of the kind in the order read."""

    obj: ConfigObject
    names: tuple[str, ...]
    field: str | None = None
    """Field to restore; None for the whole object."""

    @property
    def label(self) -> str:
        words = object_words(self.obj.kind, self.obj.name)
        return f"revert {self.field} of {words}" if self.field else f"revert {words}"

    def apply(self, cluster: Cluster) -> Cluster:
        kind, name = self.obj.kind, self.obj.name
        present = cluster.get(kind, name)
        if self.field is not None:
            now = existing(cluster, kind, name).with_value(self.field, self.obj.given(self.field))
            return cluster.with_object(self.obj if now == self.obj else now)
        if present is not None:
            return cluster.with_object(self.obj)
        earlier = set(self.names[: self.names.index(name)]) if name in self.names else set(self.names)
        objects = list(cluster.objects(kind).values())
        place = max((number for number, obj in enumerate(objects, start=1) if obj.name in earlier), default=0)
        return with_order(cluster, kind, [*objects[:place], self.obj, *objects[place:]])


@dataclass(frozen=True, slots=True)
class ReplaceDocument(Edit):
    """Replace the whole document, for instance by that on disk."""

    label: str = field()  # declared as a field, else the property of Edit would be its default
    document: Document

    def made(self, document: Document) -> Document:
        return self.document


@dataclass(frozen=True, slots=True)
class Batch(Edit):
    """Several edits that are one step for the user."""

    label: str = field()
    edits: tuple[Edit, ...]

    def made(self, document: Document) -> Document:
        for edit in self.edits:
            document = edit.made(document)
        return document


def parts_of(edit: Edit) -> Iterator[Edit]:
    """Yield the edits in a batch, at any depth; any other edit is its own only part."""
    if isinstance(edit, Batch):
        for part in edit.edits:
            yield from parts_of(part)
    else:
        yield edit


def _refuse_taken(cluster: Cluster, obj: ConfigObject) -> None:
    """Raise EditError, in the qmaster's words, if the name of an object is taken."""
    if taken := checks.exists(cluster, obj):
        raise EditError(f"{taken.message}: choose another name.")
    if cluster.get(obj.kind, obj.name) is not None:
        raise EditError(f"There is already a {object_words(obj.kind, obj.name)}.")
