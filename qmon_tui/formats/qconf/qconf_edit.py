"""Edit a qconf folder: find the files that an edit changes, and their new texts; all other text stays unchanged."""

from collections.abc import Iterable, Mapping
from typing import Final

from qmon_tui.formats.layout import LISTS, file_of, kind_of_file
from qmon_tui.formats.object_differences import ObjectEdit, object_edits
from qmon_tui.formats.qconf.attribute_lines import Attribute, attributes, is_single_line, is_wrapped, wrap_line
from qmon_tui.formats.qconf.complex_table import columns_of, entry_text, table_rows, write_complexes
from qmon_tui.formats.qconf.objects import attribute_order, shape_in, write_attribute, write_list, write_object
from qmon_tui.formats.qconf.quotas import edit_block, quota_blocks, write_quotas
from qmon_tui.formats.qconf.sharetree import write_sharetree
from qmon_tui.formats.text_changes import TextChange, apply_changes, line_end, line_start
from qmon_tui.model import Cluster, ConfigObject, Kind
from qmon_tui.model.catalogue import spec

NO_TEXT: Final = ""


def edit_object(text: str, before: ConfigObject, after: ConfigObject, *, single_line: bool) -> str:
    """Return the file of an object with the lines of changed attributes replaced; other lines stay byte for byte."""
    where: dict[str, Attribute] = {}
    for attribute in attributes(text, shape_in(after.kind)):
        where.setdefault(attribute.name, attribute)
    changes: list[TextChange] = []
    added: list[tuple[str, str]] = []
    for name in dict.fromkeys((*before.values, *after.values)):
        new = after.values.get(name)
        if new is None and name in where and after.kind is not Kind.CONFIGURATION and name in spec(after.kind).by_name:
            new = after.text(name)
        if new == before.values.get(name):
            continue
        if new is None:
            if name in where:
                changes.append(TextChange(where[name].start, where[name].end, NO_TEXT))
        elif name in where:
            changes.append(_replacement(text, where[name], after, new, single_line))
        else:
            added.append((name, new))
    for name, value in added:
        line = write_attribute(spec(after.kind), name, value, single_line)
        changes.append(_insertion(text, where, attribute_order(after), name, line))
    return apply_changes(text, changes)


def _replacement(text: str, at: Attribute, obj: ConfigObject, value: str, single_line: bool) -> TextChange:
    """Return the change that gives an attribute new lines, after the same name and blanks."""
    prefix = text[at.start : at.value_start]
    known = spec(obj.kind)
    if "\n" in prefix or text.startswith("\\", at.value_start):
        new = write_attribute(known, at.name, value, single_line)
    else:
        new = (prefix + value if single_line else wrap_line(prefix + value, len(prefix))) + "\n"
    return TextChange(at.start, at.end, new if text[at.start : at.end].endswith("\n") else new.removesuffix("\n"))


def _insertion(text: str, where: Mapping[str, Attribute], order: tuple[str, ...], name: str, line: str) -> TextChange:
    """Return the change that inserts lines for a new attribute after the nearest one that is printed before it."""
    earlier = [where[other].end for other in order[: order.index(name)] if other in where]
    position = earlier[-1] if earlier else (min((a.start for a in where.values()), default=len(text)))
    lead = "" if position == 0 or text[position - 1] == "\n" else "\n"
    return TextChange(position, position, lead + line)


def edit_complexes(text: str, before: Iterable[ConfigObject], after: Iterable[ConfigObject]) -> str:
    """Return the changed complex table: printed again if it was as qconf prints it, else edited in place."""
    old = {obj.name: obj for obj in before}
    new = {obj.name: obj for obj in after}
    if not text or text == write_complexes(old.values()):
        return write_complexes(new.values())
    columns = columns_of(text)
    rows = {row[0][0]: row for row in reversed(table_rows(text)[0]) if len(row) == len(columns)}
    changes = []
    for name, row in rows.items():
        start, end = line_start(text, row[0][1]), line_end(text, row[-1][1])
        if name not in new:
            changes.append(TextChange(start, end, NO_TEXT))
        elif name in old:
            changes += [
                TextChange(at, at + len(token), entry_text(new[name], column))
                for column, (token, at) in zip(columns, row, strict=True)
                if token != entry_text(new[name], column)
            ]
    added = [obj for name, obj in new.items() if name not in rows]
    lines = [" ".join(entry_text(obj, column) for column in columns) + "\n" for obj in added]
    end = max((line_end(text, row[-1][1]) for row in rows.values()), default=len(text))
    lead = "\n" if lines and end and text[end - 1] != "\n" else ""
    return apply_changes(text, [*changes, TextChange(end, end, lead + "".join(lines))])


def edit_quotas(
    text: str, before: Mapping[str, ConfigObject], after: Mapping[str, ConfigObject], *, single_line: bool
) -> str:
    """Return the file with its sets changed (name in the file -> set); an unchanged set stays byte for byte."""
    changes = []
    seen = set()
    for block in quota_blocks(text)[0]:
        name = next((text[a.value_start : a.value_end].strip() for a in block.attributes if a.name == "name"), "")
        if name in seen or name not in before:
            continue
        seen.add(name)
        if name not in after:
            changes.append(TextChange(block.start, block.end, NO_TEXT))
        elif dict(after[name].values) != dict(before[name].values):
            changes += edit_block(text, block, before[name], after[name], single_line)
    new = write_quotas([obj for name, obj in after.items() if name not in seen], single_line=single_line)
    lead = "\n" if new and text and not text.endswith("\n") else ""
    return apply_changes(text, [*changes, TextChange(len(text), len(text), lead + new)])


def new_file(obj: ConfigObject, *, single_line: bool, dialect_name: str) -> str:
    """Return the text of a new file for one object of a kind with one file per object."""
    if obj.kind is Kind.QUOTA:
        return write_quotas([obj], single_line=single_line)
    return write_object(obj, single_line=single_line, dialect_name=dialect_name)


Texts = dict[str, str | None]


def edited_qconf(texts: Mapping[str, str], before: Cluster, after: Cluster) -> Texts:
    """Return file -> new text of the files that an edit changes; None for a file to delete."""
    edits = object_edits(before, after)
    changed: Texts = {}
    single_line = _printed_single_line(texts)
    for kind in dict.fromkeys(edit.kind for edit in edits):
        of_kind = [edit for edit in edits if edit.kind is kind]
        if kind is Kind.COMPLEX:
            table = edit_complexes(
                texts.get(file_of(kind, ""), ""), before.objects(kind).values(), after.objects(kind).values()
            )
            changed[file_of(kind, "")] = table
        elif kind is Kind.QUOTA:
            changed |= _quotas(texts, of_kind, single_line)
        elif kind in LISTS or kind is Kind.SHARETREE:
            changed[file_of(kind, "")] = _plain(after.single(kind))
        elif not any(kind_of_file(file) is kind for file in texts):
            # With the first object of a kind in the folder, the default objects of this kind must be written too.
            objects = after.objects(kind).values()
            changed |= {
                file_of(kind, obj.name): new_file(obj, single_line=single_line, dialect_name=after.dialect)
                for obj in objects
            }
        else:
            for edit in of_kind:
                changed |= _object(texts, edit, single_line, after.dialect)
    return changed


def _plain(obj: ConfigObject) -> str | None:
    if obj.kind is Kind.SHARETREE:
        return write_sharetree(obj) or None
    return write_list(obj)


def _object(texts: Mapping[str, str], edit: ObjectEdit, single_line: bool, dialect_name: str) -> Texts:
    """Return file -> text for one object that has its own file."""
    old_file = edit.before.origin.file if edit.before and edit.before.origin else None
    if edit.after is None:
        return {old_file: None} if old_file else {}
    file = old_file if old_file and not edit.renamed else file_of(edit.kind, edit.after.name)
    if edit.before is None or old_file is None or old_file not in texts:
        return {file: new_file(edit.after, single_line=single_line, dialect_name=dialect_name)}
    text = texts[old_file]
    own = single_line or is_single_line(text)
    # If the file keeps its name, the second entry replaces the first.
    return {old_file: None, file: edit_object(text, edit.before, edit.after, single_line=own)}


def _quotas(texts: Mapping[str, str], edits: list[ObjectEdit], single_line: bool) -> Texts:
    """Return file -> text for quota sets; a file may contain several, of which unchanged ones stay."""
    changed: Texts = {}
    for edit in edits:
        origin = edit.before.origin if edit.before else None
        if edit.before is None or origin is None:
            assert edit.after is not None
            file = file_of(edit.kind, edit.after.name)
            before, after = {}, {edit.after.name: edit.after}
        else:
            file = origin.file
            before = {edit.before.name: edit.before}
            after = {edit.before.name: edit.after} if edit.after else {}
        text = changed.get(file, texts.get(file)) or ""
        new = edit_quotas(text, before, after, single_line=single_line)
        if edit.renamed and edit.before and edit.after and _is_own_file(text, file, edit.before):
            changed[file] = None
            file = file_of(edit.kind, edit.after.name)
        changed[file] = new if new.strip() else None
    return changed


def _is_own_file(text: str, file: str, quota: ConfigObject) -> bool:
    """True if a file has the name of a quota set and contains no other."""
    return file == file_of(quota.kind, quota.name) and len(quota_blocks(text)[0]) == 1


def _printed_single_line(texts: Mapping[str, str]) -> bool:
    """True if the files show that they were printed with SGE_SINGLE_LINE set: long lines, none wrapped."""
    kinds = {file: kind_of_file(file) for file in texts}
    wrappable = [texts[file] for file, kind in kinds.items() if kind not in (None, Kind.COMPLEX, Kind.SHARETREE)]
    return not any(map(is_wrapped, wrappable)) and any(map(is_single_line, wrappable))
