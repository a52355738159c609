"""Changes to the files of a qconf folder that leave everything else in them as it is."""

from collections.abc import Iterable, Mapping
from typing import Final

from qmon_tui.formats.qconf.objects import attribute_order, tokens_in, write_attribute, write_object
from qmon_tui.formats.qconf.quotas import edit_block, quota_blocks, write_quotas
from qmon_tui.formats.qconf.scan import Attribute, attributes
from qmon_tui.formats.qconf.table import columns_of, entry_text, table_rows, write_complexes
from qmon_tui.formats.qconf.wrap import wrap_line
from qmon_tui.formats.text import Change, apply_changes, line_end, line_start
from qmon_tui.model.catalogue import spec
from qmon_tui.model.cluster import ConfigObject
from qmon_tui.model.kinds import Kind

NO_TEXT: Final = ""


def edit_object(text: str, before: ConfigObject, after: ConfigObject, *, single_line: bool) -> str:
    """The file of an object with the lines of the changed attributes replaced; other lines stay byte for byte."""
    where: dict[str, Attribute] = {}
    for attribute in attributes(text, tokens_in(after.kind)):
        where.setdefault(attribute.name, attribute)
    changes: list[Change] = []
    added: list[tuple[str, str]] = []
    for name in dict.fromkeys((*before.values, *after.values)):
        new = after.values.get(name)
        if new is None and name in where and after.kind is not Kind.CONFIGURATION and name in spec(after.kind).by_name:
            new = after.text(name)
        if new == before.values.get(name):
            continue
        if new is None:
            if name in where:
                changes.append(Change(where[name].start, where[name].end, NO_TEXT))
        elif name in where:
            changes.append(_replacement(text, where[name], after, new, single_line))
        else:
            added.append((name, new))
    for name, value in added:
        line = write_attribute(spec(after.kind), name, value, single_line)
        changes.append(_insertion(text, where, attribute_order(after), name, line))
    return apply_changes(text, changes)


def _replacement(text: str, at: Attribute, obj: ConfigObject, value: str, single_line: bool) -> Change:
    """New lines for an attribute, behind the same name and blanks."""
    prefix = text[at.start : at.value_start]
    known = spec(obj.kind)
    if "\n" in prefix or "\\" in text[at.value_start : at.value_start + 1]:
        new = write_attribute(known, at.name, value, single_line)
    else:
        new = (prefix + value if single_line else wrap_line(prefix + value, len(prefix))) + "\n"
    return Change(at.start, at.end, new if text[at.start : at.end].endswith("\n") else new.removesuffix("\n"))


def _insertion(text: str, where: Mapping[str, Attribute], order: tuple[str, ...], name: str, line: str) -> Change:
    """Lines for an attribute that the file did not have, behind the nearest one that stands before it in print."""
    earlier = [where[other].end for other in order[: order.index(name)] if other in where]
    position = earlier[-1] if earlier else (min((a.start for a in where.values()), default=len(text)))
    lead = "" if position == 0 or text[position - 1] == "\n" else "\n"
    return Change(position, position, lead + line)


def edit_complexes(text: str, before: Iterable[ConfigObject], after: Iterable[ConfigObject]) -> str:
    """The complex table changed: printed anew if it was as qconf prints it, else only the lines concerned."""
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
            changes.append(Change(start, end, NO_TEXT))
        elif name in old and any(entry_text(old[name], c) != entry_text(new[name], c) for c in columns):
            changes += [
                Change(at, at + len(token), entry_text(new[name], column))
                for column, (token, at) in zip(columns, row, strict=True)
                if token != entry_text(new[name], column)
            ]
    added = [obj for name, obj in new.items() if name not in rows]
    lines = [" ".join(entry_text(obj, column) for column in columns) + "\n" for obj in added]
    end = max((line_end(text, row[-1][1]) for row in rows.values()), default=len(text))
    lead = "\n" if lines and end and text[end - 1] != "\n" else ""
    return apply_changes(text, [*changes, Change(end, end, lead + "".join(lines))])


def edit_quotas(
    text: str, before: Mapping[str, ConfigObject], after: Mapping[str, ConfigObject], *, single_line: bool
) -> str:
    """The sets of a file changed; a set that did not change stays byte for byte. Names are those of the file."""
    changes = []
    seen = set()
    for block in quota_blocks(text)[0]:
        name = next((text[a.value_start : a.value_end].strip() for a in block.attributes if a.name == "name"), "")
        if name in seen or name not in before:
            continue
        seen.add(name)
        if name not in after:
            changes.append(Change(block.start, block.end, NO_TEXT))
        elif dict(after[name].values) != dict(before[name].values):
            changes += edit_block(text, block, before[name], after[name], single_line)
    new = write_quotas([obj for name, obj in after.items() if name not in seen], single_line=single_line)
    lead = "\n" if new and text and not text.endswith("\n") else ""
    return apply_changes(text, [*changes, Change(len(text), len(text), lead + new)])


def new_file(obj: ConfigObject, *, single_line: bool, dialect_name: str) -> str:
    """The text of a file for one object of a kind with a file for each."""
    if obj.kind is Kind.QUOTA:
        return write_quotas([obj], single_line=single_line)
    return write_object(obj, single_line=single_line, dialect_name=dialect_name)
