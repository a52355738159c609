"""The share tree in the text of `qconf -sstree` (formats.md#share-tree)."""

import re
from dataclasses import dataclass
from typing import Final

from qmon_tui.formats.format_findings import problem
from qmon_tui.model import ConfigObject, Finding, Kind, Origin, config_object
from qmon_tui.model.catalogue import single_name

_NAMES: Final = ("id", "name", "type", "shares", "childnodes")
_LAST: Final = "childnodes"
_IGNORED: Final = re.compile(r"[ \t]*(#.*)?")


def read_sharetree(text: str, file: str) -> tuple[ConfigObject | None, tuple[Finding, ...]]:
    """The share tree of a file, kept as it is written, and what is wrong with its layout; None for an empty file.

    The field's text has one `name=value` a line, without blank lines, comments and blanks around.
    """
    name = single_name(Kind.SHARETREE)
    lines = [(number, line.strip(" \t\r")) for number, line in enumerate(text.split("\n"), 1)]
    lines = [(number, line) for number, line in lines if not _IGNORED.fullmatch(line)]
    findings = [
        problem(rule, message, file=file, line=line, column=1, kind=Kind.SHARETREE, name=name, field="tree")
        for line, rule, message in _faults(lines)
    ]
    if not lines:
        return None, tuple(findings)
    tree = "\n".join(line for _, line in lines)
    where = {"tree": lines[0][0]}
    return config_object(Kind.SHARETREE, name, {"tree": tree}, Origin(file, lines[0][0], where)), tuple(findings)


def write_sharetree(obj: ConfigObject) -> str:
    """The tree with a line end after each line; empty for an empty tree."""
    tree = obj.text("tree").strip("\n")
    return tree + "\n" if tree.strip() else ""


@dataclass(slots=True)
class _Group:
    """One node's lines while they are read."""

    line: int
    names: list[str]
    children: int = 0


def _faults(lines: list[tuple[int, str]]) -> list[tuple[int, str, str]]:
    """Line, rule and message of everything in the layout that the qmaster refuses."""
    faults: list[tuple[int, str, str]] = []
    groups: list[_Group] = []
    open_group: _Group | None = None
    for number, line in lines:
        name, equals, value = (part.strip() for part in line.partition("="))
        if not equals:
            message = (
                f'error: "=" is the only character allowed between the attribute name and the value in line {number}'
            )
            return [*faults, (number, "format.sharetree", message)]
        if open_group is None:
            open_group = _Group(number, [])
            groups.append(open_group)
        if name not in _NAMES:
            faults.append((number, "format.unknown", f'error: unknown attribute name "{name}"'))
        elif name in open_group.names:
            faults.append((number, "format.duplicate", f'error: attribute "{name}" appears more than once'))
        open_group.names.append(name)
        if name == _LAST:
            missing = [needed for needed in _NAMES if needed not in open_group.names]
            faults += [
                (number, "format.missing", f'error: required attribute "{needed}" is missing') for needed in missing
            ]
            open_group.children = len(child_ids(value))
            open_group = None
    if open_group is not None:
        missing = [needed for needed in _NAMES if needed not in open_group.names]
        faults += [
            (open_group.line, "format.missing", f'error: required attribute "{needed}" is missing')
            for needed in missing
        ]
    return faults


def child_ids(text: str) -> tuple[str, ...]:
    """The identifiers in the text of `childnodes`."""
    words = tuple(word for word in re.split(r"[ \t,]+", text) if word)
    return () if not words or words[0].upper() == "NONE" else words
