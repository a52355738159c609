"""The share tree in the text of `qconf -sstree` (formats.md#share-tree)."""

import re
from typing import Final

from qmon_tui.formats.format_findings import problem
from qmon_tui.model import ConfigObject, Finding, Kind, Origin, config_object
from qmon_tui.model.catalogue import single_name

_NAMES: Final = ("id", "name", "type", "shares", "childnodes")
_LAST: Final = "childnodes"
_IGNORED: Final = re.compile(r"[ \t]*(#.*)?")


def read_sharetree(text: str, file: str) -> tuple[ConfigObject | None, tuple[Finding, ...]]:
    """Return the share tree of a file, as written (None if the file is empty), and findings about its layout.

    The field's text has one `name=value` per line, without blank lines, comments and surrounding blanks.
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
    """Return the tree with a line end after each line; empty for an empty tree."""
    tree = obj.text("tree").strip("\n")
    return tree + "\n" if tree.strip() else ""


def _faults(lines: list[tuple[int, str]]) -> list[tuple[int, str, str]]:
    """Return (line, rule, message) of each part of the layout that the qmaster refuses."""
    faults: list[tuple[int, str, str]] = []
    first, names = 0, list[str]()
    for number, line in lines:
        name, equals, _ = (part.strip() for part in line.partition("="))
        if not equals:
            message = (
                f'error: "=" is the only character allowed between the attribute name and the value in line {number}'
            )
            return [*faults, (number, "format.sharetree", message)]
        first = first if names else number
        if name not in _NAMES:
            faults.append((number, "format.unknown", f'error: unknown attribute name "{name}"'))
        elif name in names:
            faults.append((number, "format.duplicate", f'error: attribute "{name}" appears more than once'))
        names.append(name)
        if name == _LAST:
            faults += _missing(names, number)
            names = []
    return faults + _missing(names, first) if names else faults


def _missing(names: list[str], line: int) -> list[tuple[int, str, str]]:
    missing = [name for name in _NAMES if name not in names]
    return [(line, "format.missing", f'error: required attribute "{name}" is missing') for name in missing]
