"""Commands as a shell script: the changes of each object as a comment, then its commands.

Texts of the cluster are quoted, in here documents, or in one-line comments. A command with names that a shell
or qconf could misread is left out, with a remark.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from qmon_tui.model import Kind, ObjectKey
from qmon_tui.qmaster import Command, Qrsub, Qsub, calls_of, object_of
from qmon_tui.report.spans import Line, Span, TextRole, plain, visible
from qmon_tui.report.unsaved_changes import change_lines, change_title, summary_of
from qmon_tui.report.words import count
from qmon_tui.workspace import ChangeKind, ObjectChange, Remark

_CELLS: Final = 100
"""Width of comments."""
_FOLDER: Final = 'cd "$(mktemp -d)"'
"""Command before the first file: files for qconf are written into a new folder."""
_QCONF: Final = """\
# What qconf prints decides: it may exit with 1 after it has added a queue, and with 0 after a refusal.
qconf() {
    said=$(command qconf "$@" 2>&1) && code=0 || code=$?
    printf '%s\\n' "$said"
    case $said in
        *denied:*|*"error: "*|*"Unable to locate"*|*"No modification because"*|*"no modifications"*) return 1 ;;
        *' added "'*'" to cluster queue list'*) return 0 ;;
    esac
    return "$code"
}"""


def command_lines(commands: Iterable[Command | Remark]) -> tuple[str, ...]:
    """Return the lines for a shell; here documents write the files that commands read, into a new folder."""
    lines: list[str] = []
    for command in commands:
        written = _lines(command)
        if _reads_file(command) and not any(line == _FOLDER for line in lines):
            lines.insert(0, _FOLDER)
        lines += written
    return tuple(lines)


def command_script(
    heading: Sequence[str], commands: Sequence[Command | Remark], changes: Iterable[ObjectChange]
) -> tuple[str, ...]:
    """Return a script that stops at the first refusal: heading, summary, then changes and commands of each object."""
    changes = tuple(changes)
    by_object = _by_object(changes)
    configured = [command for command in commands if isinstance(command, Command) and object_of(command) is not None]
    lines = ["#!/bin/sh", *map(_comment, heading), _comment(_summary(changes, commands)), "set -e"]
    if any(map(_reads_file, commands)):
        lines.append(_FOLDER)
    if configured:
        lines += ["", *_QCONF.split("\n")]
    shown: set[ObjectKey] = set()
    last: ObjectKey | None = None
    for command in commands:
        place = object_of(command) if isinstance(command, Command) else None
        if place is None or place != last:
            lines.append("")
        if place is not None and place not in shown:
            shown.add(place)
            lines += map(_comment, _difference(by_object.get(place, ())))
        last = place
        lines += _lines(command)
    return tuple(lines)


def _difference(changes: Sequence[ObjectChange]) -> Iterator[str]:
    """Yield the changes of an object; only the title of an added object, as its file follows."""
    for change in changes:
        if change.what is ChangeKind.ADDED and change.kind is not Kind.COMPLEX:
            yield plain(change_title(change))
        else:
            yield from map(plain, change_lines((change,), _CELLS, is_edited=False))


def script_spans(script: Iterable[str]) -> tuple[Line, ...]:
    """Return a script for the screen, with comments dimmed."""
    return tuple((Span(visible(text), TextRole.DIM if text.startswith("#") else TextRole.PLAIN),) for text in script)


def _summary(changes: Sequence[ObjectChange], commands: Sequence[Command | Remark]) -> str:
    number = sum(isinstance(command, Command) for command in commands)
    return f"{summary_of(changes) or 'no object changes'}; {count(number, 'command')}"


def _by_object(changes: Iterable[ObjectChange]) -> Mapping[ObjectKey, list[ObjectChange]]:
    """Return the changes by object; all complexes count as one object, as one command changes them."""
    grouped: dict[ObjectKey, list[ObjectChange]] = {}
    for change in changes:
        if isinstance(change.kind, Kind):
            name = "" if change.kind is Kind.COMPLEX else change.name
            grouped.setdefault((change.kind, name), []).append(change)
    return grouped


def _lines(command: Command | Remark) -> Iterator[str]:
    if isinstance(command, Remark):
        yield _comment(command.text)
        return
    calls = calls_of(command)
    if not calls:
        yield _comment(f"no command does this: {command.words}")
        return
    if isinstance(command, Qsub | Qrsub):
        yield _comment(f"by {command.job.owner if isinstance(command, Qsub) else command.owner}:")
    lines = [line for call in calls for line in call.shell_lines]
    yield from lines if _reads_file(command) else (" && ".join(lines),)


def _reads_file(command: Command | Remark) -> bool:
    return isinstance(command, Command) and any(call.text is not None for call in calls_of(command))


def _comment(text: str) -> str:
    return f"# {visible(text)}".rstrip()
