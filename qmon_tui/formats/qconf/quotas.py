"""Resource quota sets: `{ ... }` blocks of `name value` lines (formats.md#resource-quota-sets)."""

import re
from collections.abc import Iterable, Set
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Final

from qmon_tui.formats.format_findings import problem
from qmon_tui.formats.qconf.attribute_lines import Attribute, Shape, attributes, unwrap, without_comments, wrap_line
from qmon_tui.formats.text_changes import LineIndex, TextChange
from qmon_tui.model import ConfigObject, Finding, Kind, Origin, config_object
from qmon_tui.model.catalogue import spec

_LIMIT: Final = "limit"
_INDENT: Final = 3
_LAYOUT: Final = "in braces stand name, description, enabled and limits, in this order, each on lines of its own"
_ORDER: Final = ("name", "description", "enabled", _LIMIT)
_COMMENT: Final = re.compile(r"[ \t]#")


@dataclass(slots=True)
class Block:
    """One set in a file: text[start:end] from its opening brace to the line end after the closing one."""

    start: int
    end: int
    attributes: list[Attribute] = field(default_factory=list)


def read_quotas(text: str, file: str) -> tuple[tuple[ConfigObject, ...], tuple[Finding, ...]]:
    """Return the quota sets of a file (possibly none) in order, and the findings about the file."""
    lines = LineIndex(text)
    objects: dict[str, ConfigObject] = {}
    findings: list[Finding] = []

    def say(rule: str, message: str, position: int, name: str = "", attribute: str | None = None) -> None:
        line, column = lines.line(position), lines.column(position)
        finding = problem(rule, message, file=file, line=line, column=column, kind=Kind.QUOTA, name=name)
        hint = _LAYOUT if rule in ("format.quota", "format.unknown") else ""
        findings.append(finding._replace(field=attribute, hint=hint))

    if "\r" in text:
        say("format.crlf", "the lines of this file end in CR LF, which the qmaster refuses", 0)
        text = text.replace("\r\n", " \n")
    blocks, faults = quota_blocks(text)
    for position, message in faults:
        say("format.quota", message, position)
    for block in blocks:
        values, where = _values(text, block, lines)
        name = values.get("name", "")
        earlier: set[str] = set()
        for attribute in block.attributes:
            fault = _fault(attribute, text, earlier, lines)
            earlier.add(attribute.name)
            if fault:
                say(fault[0], fault[1], attribute.start, name, attribute.name)
        if not name:
            say("format.missing", "resource quota set has no name", block.start)
        elif name in objects:
            message = f'Resource quota replacement request contains rqs name "{name}" multiple times'
            say("format.duplicate", message, block.start, name)
        else:
            objects[name] = config_object(Kind.QUOTA, name, values, Origin(file, lines.line(block.start), where))
    return tuple(objects.values()), tuple(findings)


def write_quotas(objects: Iterable[ConfigObject], *, single_line: bool = False) -> str:
    """Return the sets as `qconf -srqs` prints them."""
    return "".join(_block(obj, single_line) for obj in objects)


def rules(text: str) -> tuple[str, ...]:
    """Return the limit rules in the text of the field `limit`, which has one per line."""
    return tuple(line.strip() for line in text.split("\n") if line.strip())


def _block(obj: ConfigObject, single_line: bool) -> str:
    known = spec(Kind.QUOTA)
    extra = [name for name in obj.values if name not in known.by_name]
    body = [(name, obj.text(name)) for name in (*_ORDER[:-1], *extra)]
    body += [(_LIMIT, rule) for rule in rules(obj.text(_LIMIT))]
    return "{\n" + "".join(quota_line(name, value, single_line) for name, value in body) + "}\n"


def quota_line(name: str, value: str, single_line: bool) -> str:
    """Return the lines of one attribute of a set, with their line ends."""
    line = " " * _INDENT + name.ljust(spec(Kind.QUOTA).name_width) + " " + value
    return (line if single_line else wrap_line(line, _INDENT)) + "\n"


def quota_blocks(text: str) -> tuple[list[Block], list[tuple[int, str]]]:
    """Return the sets of a file, and (position, message) for text outside of sets."""
    blocks: list[Block] = []
    faults: list[tuple[int, str]] = []
    current: Block | None = None
    # The qmaster refuses a comment in a limit; elsewhere the comment includes the line end.
    for attribute in attributes(text, lambda name: Shape(raw=name == _LIMIT)):
        has_no_value = attribute.value_start == attribute.value_end
        if current is None:
            if attribute.name == "{":
                current = Block(attribute.start, attribute.end)
                if not has_no_value:
                    value = text[attribute.value_start : attribute.value_end]
                    name = (value.split() or [value])[-1]
                    faults.append((attribute.start, _unknown_name(name)))
            else:
                line = LineIndex(text).line(attribute.start)
                message = f'each value in the attribute value list in line {line} should begin with "{{"'
                faults.append((attribute.start, message))
                break
        elif attribute.name == "}" and has_no_value:
            current.end = attribute.end
            blocks.append(current)
            current = None
        else:
            current.attributes.append(attribute)
    if current is not None:
        current.end = len(text)
        blocks.append(current)
        last = len(text.rstrip()) - 1
        line = LineIndex(text).line(last) + 1
        faults.append((last, f'each value in the attribute value list in line {line} should end with "}}"'))
    return blocks, faults


def edit_block(
    text: str, block: Block, before: ConfigObject, after: ConfigObject, single_line: bool
) -> list[TextChange]:
    """Return the changes to the lines of one set; unchanged attributes and rules, and comments between them, stay.

    A set that lacks an attribute, or has lines that are no rules, is printed again.
    """
    placed = {attribute.name: attribute for attribute in reversed(block.attributes)}
    limits = [attribute for attribute in block.attributes if attribute.name == _LIMIT]
    old, new = rules(before.text(_LIMIT)), rules(after.text(_LIMIT))
    if set(_ORDER) != placed.keys() or len(old) != len(limits) or not new or set(after.values) - set(_ORDER):
        return [TextChange(block.start, block.end, write_quotas([after], single_line=single_line))]
    changes = [
        TextChange(at.start, at.end, quota_line(name, after.text(name), single_line))
        for name in _ORDER[:-1]
        if after.text(name) != before.text(name)
        for at in [placed[name]]
    ]
    starts = [*(attribute.start for attribute in limits), limits[-1].end]
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        lines = [quota_line(_LIMIT, rule, single_line) for rule in new[j1:j2]]
        if tag == "insert":
            changes.append(TextChange(starts[i1], starts[i1], "".join(lines)))
        elif tag != "equal":
            # A comment between two rules stays where it is.
            for number, at in enumerate(limits[i1:i2]):
                last = number == i2 - i1 - 1
                replacement = lines[number:] if last else lines[number : number + 1]
                changes.append(TextChange(at.start, at.end, "".join(replacement)))
    return changes


def _unknown_name(name: str) -> str:
    return f'unknown attribute name "{name}"'


def _values(text: str, block: Block, lines: LineIndex) -> tuple[dict[str, str], dict[str, int]]:
    """Return name -> value (rules joined with line ends; the first of repeated attributes) and name -> line."""
    values: dict[str, str] = {}
    where: dict[str, int] = {}
    for attribute in block.attributes:
        value = unwrap(without_comments(text[attribute.value_start : attribute.value_end]))
        where.setdefault(attribute.name, lines.line(attribute.start))
        if attribute.name == _LIMIT and _LIMIT in values:
            values[_LIMIT] += "\n" + value
        else:
            values.setdefault(attribute.name, value)
    return values, where


def _fault(attribute: Attribute, text: str, earlier: Set[str], lines: LineIndex) -> tuple[str, str] | None:
    """Return rule and message if the qmaster refuses the attribute after the `earlier` ones, else None."""
    name = attribute.name
    if name not in _ORDER or (name != _LIMIT and name in earlier):
        rule = "format.unknown" if name not in _ORDER else "format.duplicate"
        return rule, _unknown_name(name)
    if any(_ORDER.index(other) > _ORDER.index(name) for other in earlier if other in _ORDER):
        return "format.quota", _unknown_name(name)
    if name == _LIMIT and _COMMENT.search(text, attribute.value_start, attribute.value_end):
        return "format.quota", f"line {lines.line(attribute.end)} should begin with an attribute name"
    return None
