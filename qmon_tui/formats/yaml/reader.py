"""Read a YAML file to objects, with their places in the file and findings about it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from qmon_tui.formats.format_findings import problem
from qmon_tui.formats.yaml.field_texts import (
    LISTS,
    MERGE,
    SizeLimit,
    field_text,
    free_field,
    merge_sources,
    scalar_pairs,
)
from qmon_tui.formats.yaml.nodes import Mapping, Node, Scalar, YamlError, documents, resolve
from qmon_tui.model import (
    ConfigObject,
    Field,
    Finding,
    Kind,
    KindSpec,
    Origin,
    ValueType,
    config_object,
    foreign_field,
)
from qmon_tui.model.catalogue import single_name, spec, specs
from qmon_tui.values import meant

DIALECT: Final = "dialect"
STATE_KEYS: Final = (
    *("now", "loads", "states", "usage", "arseqnum", "reservations", "changed", "jobseqnum", "jobs", "simulation"),
    "pe_alg",
    "reasons",
    "seen",
    "workload",
    "drains",
    "exceptions",
    DIALECT,
)
"""Top-level keys of state, not configuration."""

NODE_SET_KINDS: Final = frozenset({Kind.HOST, Kind.CONFIGURATION})
"""Kinds whose names are hosts, so that a key may be a node set."""

REMOVABLE_DEFAULTS: Final = frozenset({Kind.COMPLEX, Kind.USERSET})
"""Kinds with default objects in a new cluster; the value NONE removes one."""

_NOT_READ: Final = "nothing in this file is read; values with a colon and a blank, or signs in front, stand in quotes"


@dataclass(slots=True)
class Entry:
    """One object, or the objects of one node set, in a file; the key of a single object is that of its kind."""

    kind: Kind
    names: tuple[str, ...]
    key: Scalar
    value: Node
    fields: dict[str, tuple[Scalar | None, Node]] = field(default_factory=dict)
    """Field -> its key and value; the key is None if the value is a shorthand for the whole object."""
    inherited: dict[str, Node] = field(default_factory=dict)
    """Fields that come from a merged mapping."""
    values: dict[str, str] = field(default_factory=dict)
    removed: bool = False
    """True if the entry removes a default object."""


@dataclass(slots=True)
class Section:
    """All objects of one kind in one document; `value` maps names to objects, or has a single object's fields."""

    kind: Kind
    key: Scalar
    value: Node
    owner: Mapping
    entries: list[Entry] = field(default_factory=list)


@dataclass(slots=True)
class YamlFile:
    """Contents of a file."""

    file: str
    sections: list[Section] = field(default_factory=list)
    state: list[tuple[str, Scalar, Node]] = field(default_factory=list)
    """(Key, node of the key, node of the value) of each top-level key of state."""
    findings: list[Finding] = field(default_factory=list)
    roots: tuple[Node, ...] = ()

    @property
    def entries(self) -> Iterator[Entry]:
        """All entries in the order of the file."""
        for section in self.sections:
            yield from section.entries

    def objects(self) -> Iterator[ConfigObject]:
        """Yield the objects; a node set gives one for each of its names."""
        for entry in self.entries:
            if not entry.removed:
                yield from entry_objects(entry, self.file)


def read_file(text: str, file: str) -> YamlFile:
    """Read a YAML file; parts that cannot be read are reported and left out."""
    return _FileReader(text, file).read()


def entry_objects(entry: Entry, file: str) -> Iterator[ConfigObject]:
    """Yield the objects of an entry, one for each of its names."""
    known = spec(entry.kind)
    lines = {name: (key or value).line for name, (key, value) in entry.fields.items()}
    origin = Origin(file, entry.key.line, lines)
    for name in entry.names:
        values = {known.name_field: name, **entry.values} if known.name_field else entry.values
        yield config_object(entry.kind, name, values, origin)


class _FileReader:
    def __init__(self, text: str, file: str) -> None:
        self._text = text
        self._file = YamlFile(file)
        self._budget = SizeLimit(len(text))
        self._kinds = {known.yaml_key: kind for kind, known in specs().items()}

    def read(self) -> YamlFile:
        try:
            self._file.roots = documents(self._text)
        except YamlError as error:
            finding = problem("format.yaml", error.message, file=self._file.file, hint=_NOT_READ)
            self._file.findings.append(finding._replace(line=error.line, column=error.column))
            return self._file
        for root in self._file.roots:
            self._document(root)
        if self._budget.left < 0:
            message = "the aliases of this file stand for too many values"
            hint = "write the values out, or use fewer aliases"
            self._file.findings.append(problem("format.yaml.alias", message, file=self._file.file, line=1, hint=hint))
        return self._file

    def _document(self, root: Node) -> None:
        if isinstance(root, Scalar) and not root.text:
            return
        if not isinstance(root, Mapping):
            self._say("format.yaml.type", "a file holds keys such as queues: and hosts:", root)
            return
        for key, value in root.pairs:
            name = resolve(key)
            if not isinstance(name, Scalar):
                self._say("format.yaml.key", "a top-level key is one word, such as queues", key)
            elif name.text in STATE_KEYS:
                self._file.state.append((name.text, name, value))
            elif name.text in self._kinds:
                self._section(self._kinds[name.text], name, value, root)
            else:
                known = ", ".join([*self._kinds, *STATE_KEYS])
                hint = meant(name.text, (*self._kinds, *STATE_KEYS)) or f"known are: {known}"
                self._say("format.yaml.key", f'"{name.text}" is not a kind of object', name, hint=hint)

    def _section(self, kind: Kind, key: Scalar, value: Node, owner: Mapping) -> None:
        section = Section(kind, key, value, owner)
        known = spec(kind)
        body = resolve(value)
        if any(kind is other.kind and owner is other.owner for other in self._file.sections):
            self._say("format.duplicate", f'"{key.text}" is written twice in this file', key, kind)
        self._file.sections.append(section)
        if known.single:
            self._entry(section, known, key, value, (single_name(kind),))
        elif isinstance(body, Mapping):
            for child, content in body.pairs:
                name = resolve(child)
                if isinstance(name, Scalar) and name.text:
                    self._entry(section, known, name, content, self._names(kind, name))
                else:
                    self._say("format.yaml.type", f"the name of an object of {known.yaml_key} is one word", child, kind)
        elif not (isinstance(body, Scalar) and body.text in ("", "NONE", "{}")):
            self._say("format.yaml.type", f"{known.yaml_key} holds objects by name, such as name: {{...}}", value, kind)

    def _names(self, kind: Kind, key: Scalar) -> tuple[str, ...]:
        if kind not in NODE_SET_KINDS:
            return (key.text,)
        try:
            return self._budget.node_sets.expand(key.text)
        except ValueError as error:
            self._say("format.nodeset", str(error), key, kind, key.text)
            return ()

    def _entry(self, section: Section, known: KindSpec, key: Scalar, value: Node, names: tuple[str, ...]) -> None:
        entry = Entry(section.kind, names, key, value)
        section.entries.append(entry)
        body = resolve(value)
        if isinstance(body, Mapping):
            self._fields(entry, known, body)
        elif isinstance(body, Scalar) and not body.text:
            pass
        elif section.kind in REMOVABLE_DEFAULTS and isinstance(body, Scalar) and body.text.upper() == "NONE":
            entry.removed = True
        else:
            self._shorthand(entry, known, value)

    def _shorthand(self, entry: Entry, known: KindSpec, value: Node) -> None:
        """Read a list or a word as the only field (besides the name) of an object; report it if there are several."""
        others = [declared for declared in known.fields if declared.name != known.name_field]
        body = resolve(value)
        if len(others) == 1 and (isinstance(body, Scalar) or others[0].type in LISTS):
            self._field(entry, others[0], None, value)
        else:
            name = entry.key.text
            self._say("format.yaml.type", f"{name} holds fields and their values", value, entry.kind, name)

    def _fields(self, entry: Entry, known: KindSpec, body: Mapping) -> None:
        merged: list[Node] = []
        for key, value in body.pairs:
            name = resolve(key)
            if not isinstance(name, Scalar):
                self._say("format.yaml.type", "the name of a field is one word", key, entry.kind, entry.key.text)
            elif name.text == MERGE and not name.style:
                merged.append(value)
            elif name.text in entry.fields:
                message = f'error: attribute "{name.text}" appears more than once'
                self._say("format.duplicate", message, name, entry.kind, entry.key.text, name.text)
            else:
                declared = known.by_name.get(name.text) or self._unknown(entry, known, name)
                self._field(entry, declared, name, value)
        for node in merged:
            self._merge(entry, known, node)

    def _unknown(self, entry: Entry, known: KindSpec, name: Scalar) -> Field:
        """Return the field for an unknown attribute: that of another dialect, else free text."""
        foreign = foreign_field(entry.kind, name.text)
        if foreign is not None:
            return foreign
        if entry.kind is not Kind.CONFIGURATION:
            message = f'error: unknown attribute name "{name.text}"'
            hint = meant(name.text, known.by_name)
            self._say("format.unknown", message, name, entry.kind, entry.key.text, name.text, hint=hint)
        return free_field(name.text)

    def _field(self, entry: Entry, declared: Field, key: Scalar | None, value: Node) -> None:
        def say(rule: str, message: str, node: Node) -> None:
            self._say(rule, message, node, entry.kind, entry.key.text, declared.name)

        entry.fields[declared.name] = (key, value)
        text = field_text(declared, value, say, self._budget)
        if text is None:
            return
        if declared.type is ValueType.NAME and entry.names != (text,):
            say("format.name", f'"{text}" is not the name under which the object stands here', value)
            return
        entry.values[declared.name] = text

    def _merge(self, entry: Entry, known: KindSpec, node: Node) -> None:
        for source in merge_sources(node):
            if not isinstance(source, Mapping):
                self._say("format.yaml.type", "<<: takes over a mapping", node, entry.kind, entry.key.text)
                continue
            for name, value in scalar_pairs(source):
                if name.text in entry.fields or name.text in entry.inherited or name.text == MERGE:
                    continue
                declared = known.by_name.get(name.text) or free_field(name.text)
                self._field(entry, declared, name, value)
                entry.inherited[name.text] = entry.fields.pop(name.text)[1]

    def _say(
        self,
        rule: str,
        message: str,
        node: Node,
        kind: Kind | str = "",
        name: str = "",
        field_name: str | None = None,
        hint: str = "",
    ) -> None:
        place = problem(rule, message, file=self._file.file, line=node.line, column=node.column, kind=kind)
        self._file.findings.append(place._replace(name=name, field=field_name, hint=hint))
