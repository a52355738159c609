"""Change, add and remove objects in the texts of a YAML folder; all other lines stay unchanged."""

from collections.abc import Iterable, Mapping

from qmon_tui.formats.layout import is_yaml
from qmon_tui.formats.object_differences import ObjectEdit, object_edits
from qmon_tui.formats.text_changes import TextChange, apply_changes
from qmon_tui.formats.yaml import yaml_writer
from qmon_tui.formats.yaml.field_texts import free_field
from qmon_tui.formats.yaml.mapping_edit import MappingEdit, column, rewritten
from qmon_tui.formats.yaml.nodes import Mapping as MappingNode, resolve
from qmon_tui.formats.yaml.reader import Entry, Section, read_file
from qmon_tui.formats.yaml.shared_keys import SharedKey, regroup
from qmon_tui.formats.yaml.value_edit import ValueEdit
from qmon_tui.model import Cluster, ConfigObject, Kind, config_object, default_complexes, default_objects
from qmon_tui.model.catalogue import spec

FieldTexts = tuple[tuple[str, str], ...]
"""Sorted (field, text) pairs of an entry; with the name field only if the entry gives it."""


def edit_yaml(text: str, edits: Iterable[ObjectEdit], built_in: frozenset[tuple[Kind, str]]) -> str:
    """Write edits into a text and return it; added objects are put at the end of their kind's section.

    `built_in` are the default objects, which a cluster has even if no file lists them; removing one is written as
    `name: NONE`. Raises ValueError if the text has no place for an edit.
    """
    return _FileEdit(text, built_in).apply(list(edits))


def new_section(kind: Kind, objects: Iterable[ConfigObject]) -> str:
    """Return a section for some objects of a kind, with its line end."""
    known = spec(kind)
    lines = [f"{known.yaml_key}:"]
    for obj in objects:
        if known.single:
            lines[0] += single_body(obj, yaml_writer.INDENT)
        else:
            lines.append(
                yaml_writer.INDENT + yaml_writer.scalar(obj.name) + ":" + yaml_writer.body(obj, yaml_writer.INDENT * 2)
            )
    return "\n".join(lines) + "\n"


def single_body(obj: ConfigObject, indent: str) -> str:
    """Return the text after the key of a kind with one object; only the value if the object has only one field."""
    known = spec(obj.kind)
    if len(known.fields) == 1 and set(obj.values) == {known.fields[0].name}:
        field = known.fields[0]
        return yaml_writer.value(field, obj.values[field.name], indent[: -len(yaml_writer.INDENT)])
    return yaml_writer.body(obj, indent)


def removed_lines(names: Iterable[str]) -> str:
    """Return the lines of a section that remove built-in objects."""
    return "".join(f"{yaml_writer.INDENT}{removed_entry(name)}\n" for name in names)


def removed_entry(name: str) -> str:
    """Return the entry that removes a built-in object."""
    return f"{yaml_writer.scalar(name)}: NONE"


class _FileEdit:
    def __init__(self, text: str, built_in: frozenset[tuple[Kind, str]]) -> None:
        self._text = text
        self._built_in = built_in
        self._newline = "\r\n" if "\r\n" in text else "\n"
        self._file = read_file(text, "")
        self._values = ValueEdit(text, self._newline)
        self._changes: list[TextChange] = []

    def apply(self, edits: list[ObjectEdit]) -> str:
        by_kind: dict[Kind, list[ObjectEdit]] = {}
        for edit in edits:
            by_kind.setdefault(edit.kind, []).append(edit)
        tail = ""
        for kind, of_kind in by_kind.items():
            sections = [section for section in self._file.sections if section.kind is kind]
            added = [edit for edit in of_kind if not self._is_here(sections, edit)]
            for section in sections:
                last = section is sections[-1]
                self._section(section, of_kind, added if last else [])
            if not sections and added:
                tail += self._new_section(kind, added)
        result = apply_changes(self._text, self._changes)
        return self._with_tail(result, tail) if tail else result

    def _is_here(self, sections: list[Section], edit: ObjectEdit) -> bool:
        name = edit.before.name if edit.before else None
        return any(name in entry.names and not entry.removed for section in sections for entry in section.entries)

    def _with_tail(self, text: str, tail: str) -> str:
        lead = "" if not text or text.endswith("\n") else self._newline
        gap = self._newline if text.strip() else ""
        return text + lead + gap + tail.replace("\n", self._newline)

    def _new_section(self, kind: Kind, added: list[ObjectEdit]) -> str:
        written = new_section(kind, [edit.after for edit in added if edit.after])
        removed_names = [edit.before.name for edit in added if edit.after is None and edit.before]
        return written + removed_lines(removed_names)

    # -- one section

    def _section(self, section: Section, edits: list[ObjectEdit], added: list[ObjectEdit]) -> None:
        if spec(section.kind).single:
            self._single(section, edits)
            return
        body = resolve(section.value)
        if not isinstance(body, MappingNode):
            self._fill(section, added)
            return
        by_name = {edit.before.name: edit for edit in edits if edit.before}
        entries = [entry for entry in section.entries if entry.names]
        pairs = [SharedKey(entry.names, entry.key, entry.value) for entry in entries]
        by_key = {id(entry.key): entry for entry in entries}
        outcomes: dict[str, tuple[str, FieldTexts]] = {}
        for entry in entries:
            for name in entry.names:
                edit = by_name.get(name)
                if edit is None or entry.removed:
                    outcomes[name] = (name, _texts_of(entry, entry.values, name))
                elif edit.after is not None:
                    new_name = edit.after.name
                    outcomes[name] = (new_name, _texts_of(entry, self._target(entry, edit), new_name))

        def change(pair: SharedKey, name: str, wanted: FieldTexts) -> list[TextChange]:
            return self._fields(by_key[id(pair.key)], dict(wanted))

        container = MappingEdit(self._text, body, section.key)
        tokens = [_texts_of(entry, entry.values, entry.names[0]) for entry in entries]
        regrouped = regroup(container, pairs, tokens, outcomes, change)
        removed_names = [entry.key.text for entry in entries if self._is_gone(section.kind, entry, by_name)]
        lines = [(None, line) for line in self._object_lines(section, container, added, removed_names)]
        self._changes += regrouped.inner
        self._changes += container.update(regrouped.removed, [*regrouped.added, *lines], self._newline)

    def _is_gone(self, kind: Kind, entry: Entry, edits: Mapping[str, ObjectEdit]) -> bool:
        """True if a built-in object is removed: it needs `NONE`, as without an entry it would exist again."""
        edit = edits.get(entry.key.text)
        left = edit is not None and (edit.after is None or edit.renamed)
        return left and not entry.removed and (kind, entry.key.text) in self._built_in

    def _target(self, entry: Entry, edit: ObjectEdit) -> dict[str, str]:
        """Return field -> text that the entry must give: its present fields with the changes of the object."""
        assert edit.before is not None
        assert edit.after is not None
        wanted = dict(entry.values)
        for name in dict.fromkeys((*edit.before.values, *edit.after.values)):
            new = edit.after.given(name)
            if new == edit.before.given(name):
                continue
            if new is None and (name in entry.inherited or (edit.kind, edit.before.name) in self._built_in):
                new = edit.after.text(name)
            if new is None:
                wanted.pop(name, None)
            else:
                wanted[name] = new
        return wanted

    def _object_lines(
        self, section: Section, container: MappingEdit, added: list[ObjectEdit], removed_names: list[str]
    ) -> list[str]:
        indent = container.indent(column(self._text, section.key.start) + yaml_writer.INDENT)
        flow = container.node.flow
        lines = []
        for edit in added:
            if edit.after is None:
                removed_names = [*removed_names, edit.before.name] if edit.before else removed_names
                continue
            inline = flow or _flow_bodies(section)
            unit = indent + _unit(self._text, section, indent)
            written = yaml_writer.body(edit.after, unit, flow=inline).replace("\n", self._newline)
            lines.append(("" if flow else indent) + yaml_writer.scalar(edit.after.name, flow=flow) + ":" + written)
        return lines + [("" if flow else indent) + removed_entry(name) for name in removed_names]

    def _fill(self, section: Section, added: list[ObjectEdit]) -> None:
        """Write added objects into an empty section."""
        if not added:
            return
        _, lines = self._new_section(section.kind, added).split("\n", 1)
        lead = column(self._text, section.key.start)
        text = "".join("\n" + lead + line for line in lines.rstrip("\n").split("\n"))
        new = text.replace("\n", self._newline)
        self._changes.append(rewritten(self._text, section.key, section.value, new))

    # -- one object

    def _single(self, section: Section, edits: list[ObjectEdit]) -> None:
        (edit,) = edits
        if edit.after is None:
            index = next(i for i, (_, value) in enumerate(section.owner.pairs) if value is section.value)
            self._changes += MappingEdit(self._text, section.owner, None).update({index}, [], self._newline)
        elif edit.before is not None:
            entry = section.entries[0]
            self._changes += self._fields(entry, self._target(entry, edit))

    def _fields(self, entry: Entry, wanted: Mapping[str, str]) -> list[TextChange]:
        """Return the changes that make an entry give exactly these fields; unreadable fields not in `wanted` stay."""
        known = spec(entry.kind)
        if any(key is None for key, _ in entry.fields.values()):
            return self._shorthand(entry, wanted)
        body = resolve(entry.value)
        if not isinstance(body, MappingNode) or body is not entry.value:
            return [self._whole(entry, wanted)]
        changes: list[TextChange] = []
        removed: set[int] = set()
        places = {id(value): index for index, (_, value) in enumerate(body.pairs)}
        for name, (key, node) in entry.fields.items():
            new, old = wanted.get(name), entry.values.get(name)
            if new is None and old is not None:
                removed.add(places[id(node)])
            elif new is not None and new != old and key is not None:
                field = known.by_name.get(name) or free_field(name)
                changes += self._values.replace(field, key, node, new, flow=body.flow)
        fresh = [name for name in wanted if name not in entry.fields and wanted[name] != entry.values.get(name)]
        if fresh and not body.pairs:
            return [self._whole(entry, wanted)]
        container = MappingEdit(self._text, body, entry.key)
        order = [field.name for field in known.fields]
        added = [
            (_place(entry, order, name, places), self._pair(container, entry, name, wanted[name]))
            for name in sorted(fresh, key=lambda name: order.index(name) if name in order else len(order))
        ]
        return [*changes, *container.update(removed, added, self._newline)]

    def _pair(self, container: MappingEdit, entry: Entry, name: str, text: str) -> str:
        field = spec(entry.kind).by_name.get(name) or free_field(name)
        flow = container.node.flow
        indent = "" if flow else container.indent("")
        written = yaml_writer.value(field, text, indent, flow=flow).replace("\n", self._newline)
        return indent + yaml_writer.scalar(name, flow=flow) + ":" + written

    def _whole(self, entry: Entry, wanted: Mapping[str, str]) -> TextChange:
        """Return the change that writes all fields of an entry which has none, or is an alias."""
        obj = config_object(entry.kind, entry.key.text, wanted)
        flow = self._in_flow(entry)
        indent = column(self._text, entry.key.start) + yaml_writer.INDENT
        new = yaml_writer.body(obj, indent, flow=flow).replace("\n", self._newline)
        return rewritten(self._text, entry.key, entry.value, new)

    def _in_flow(self, entry: Entry) -> bool:
        """True if an entry is in curly braces."""
        for section in self._file.sections:
            body = resolve(section.value)
            if entry in section.entries and isinstance(body, MappingNode) and not spec(entry.kind).single:
                return body.flow
        return False

    def _shorthand(self, entry: Entry, wanted: Mapping[str, str]) -> list[TextChange]:
        name, (_, node) = next(iter(entry.fields.items()))
        field = spec(entry.kind).by_name[name]
        if set(wanted) - {name, spec(entry.kind).name_field}:
            return [self._whole(entry, wanted)]
        new = wanted.get(name, field.default)
        if new == entry.values.get(name):
            return []
        return self._values.replace(field, entry.key, node, new, flow=self._in_flow(entry))


def _texts_of(entry: Entry, values: Mapping[str, str], name: str) -> FieldTexts:
    """Return the (field, text) pairs of an entry with these values and this name, sorted."""
    name_field = spec(entry.kind).name_field
    texts = {field: text for field, text in values.items() if field != name_field}
    if name_field in entry.values and name_field is not None:
        texts[name_field] = name
    return tuple(sorted(texts.items()))


def _place(entry: Entry, order: list[str], name: str, places: Mapping[int, int]) -> int | None:
    """Return the index of the pair after which a new field belongs in the catalogue's order; None for the end."""
    if name not in order:
        return None
    before = order[: order.index(name)]
    return max((places[id(node)] for other, (_, node) in entry.fields.items() if other in before), default=None)


def _flow_bodies(section: Section) -> bool:
    """True if the section's last object with fields is written in curly braces."""
    bodies = [resolve(entry.value) for entry in section.entries]
    filled = [body for body in bodies if isinstance(body, MappingNode) and body.pairs]
    return bool(filled) and filled[-1].flow


def _unit(text: str, section: Section, indent: str) -> str:
    """Return the indentation of an object's fields relative to its name."""
    for entry in section.entries:
        body = resolve(entry.value)
        if isinstance(body, MappingNode) and body is entry.value and body.pairs and not body.flow:
            deeper = len(column(text, body.pairs[0][0].start)) - len(indent)
            if deeper > 0:
                return " " * deeper
    return yaml_writer.INDENT


Texts = dict[str, str | None]

_BUILT_IN = frozenset((obj.kind, obj.name) for obj in (*default_complexes(), *default_objects()))


def edited_yaml(texts: Mapping[str, str], before: Cluster, after: Cluster) -> Texts:
    """Return file -> new text of the edited files. Raises ValueError if a file has no place for an edit."""
    by_file: dict[str, list[ObjectEdit]] = {}
    sections: dict[str, frozenset[Kind]] = {}
    for edit in object_edits(before, after):
        origin = edit.before.origin if edit.before else None
        if origin is None or origin.file not in texts:
            sections = sections or _sections(texts)
            file = file_for(edit.kind, sections)
        else:
            file = origin.file
        by_file.setdefault(file, []).append(edit)
    return {file: edit_yaml(texts.get(file, ""), edits, _BUILT_IN) for file, edits in by_file.items()}


def file_for(kind: Kind, sections: Mapping[str, frozenset[Kind]]) -> str:
    """Return the file for a new object: the last with its kind, else the only one with objects, else the kind's own."""
    files_with_kind = [file for file, kinds in sections.items() if kind in kinds]
    if files_with_kind:
        return files_with_kind[-1]
    own = spec(kind).yaml_key + ".yaml"
    configured = [file for file, kinds in sections.items() if kinds]
    return configured[0] if len(configured) == 1 and own not in sections else own


def _sections(texts: Mapping[str, str]) -> dict[str, frozenset[Kind]]:
    """Return file -> the kinds that have a section in it."""
    return {
        file: frozenset(section.kind for section in read_file(text, file).sections)
        for file, text in sorted(texts.items())
        if is_yaml(file)
    }
