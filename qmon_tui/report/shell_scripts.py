"""Commands as a shell script: each object's difference as a comment, then the commands that make it.

Texts of the cluster reach the shell quoted, in here documents or in comments of one line. A command whose names a
shell or qconf could take for something else is left out, with a remark.
"""

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from qmon_tui.model import Kind, ObjectKey
from qmon_tui.qmaster import Command, QconfAdd, QconfComplexes, QconfModify, Qrsub, Qsub, object_of
from qmon_tui.report.spans import Line, Span, TextRole, plain, visible
from qmon_tui.report.unsaved_changes import change_lines, change_title, summary_of
from qmon_tui.report.words import count
from qmon_tui.workspace import ChangeKind, ObjectChange, Remark

_CELLS: Final = 100
"""Width of comments."""
_FILE_NAME: Final = re.compile(r"[A-Za-z0-9_@+=:][A-Za-z0-9_@+=:.\-]*")
_FOLDER: Final = 'cd "$(mktemp -d)"'
"""Files that qconf reads are written into a new folder."""
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
    """Return the lines for a shell; files that a command reads are written by here documents into a new folder."""
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
    """Return a script that stops at the first refusal: heading, summary, then each object's difference and commands."""
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
    """Yield the difference of an object; of an added one only that it is added, as its file follows."""
    for change in changes:
        if change.what is ChangeKind.ADDED and change.kind is not Kind.COMPLEX:
            yield plain(change_title(change))
        else:
            yield from map(plain, change_lines((change,), _CELLS, is_edited=False))


def script_spans(script: Iterable[str]) -> tuple[Line, ...]:
    """Return a script for the screen, with comments in another role."""
    return tuple((Span(visible(text), TextRole.DIM if text.startswith("#") else TextRole.PLAIN),) for text in script)


def _summary(changes: Sequence[ObjectChange], commands: Sequence[Command | Remark]) -> str:
    number = sum(isinstance(command, Command) for command in commands)
    return f"{summary_of(changes) or 'no object changes'}; {count(number, 'command')}"


def _by_object(changes: Iterable[ObjectChange]) -> Mapping[ObjectKey, list[ObjectChange]]:
    """Return the changes by object; those of all complexes are one, as one command makes them."""
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
    line = _quoted(command.line)
    if not line:
        yield _comment(f"no command does this: {command.words}")
        return
    if isinstance(command, QconfAdd | QconfModify | QconfComplexes):
        file, text = shlex.split(line)[2], command.text
        end = next(word for word in _ends() if word not in text)
        yield f"cat > {shlex.quote(file)} <<'{end}'"
        yield from text.rstrip("\n").split("\n")
        yield end
    if isinstance(command, Qsub | Qrsub):
        yield _comment(f"by {command.job.owner if isinstance(command, Qsub) else command.owner}:")
    yield line


def _quoted(line: str) -> str:
    """Return a command line in which a shell sees the words only; empty if it cannot be read or has control characters.

    A file that qconf reads is called like the object: other names than plain ones have no file.
    """
    try:
        words = shlex.split(line)
    except ValueError:
        return ""
    is_file = len(words) > 2 and words[0] == "qconf" and words[1][1:2].isupper()
    if not all(word.isprintable() for word in words) or (is_file and not _FILE_NAME.fullmatch(words[2])):
        return ""
    return " ".join(word if word == "&&" else shlex.quote(word) for word in words)


def _reads_file(command: Command | Remark) -> bool:
    return isinstance(command, QconfAdd | QconfModify | QconfComplexes) and bool(_quoted(command.line))


def _ends() -> Iterator[str]:
    """Yield words that may end a here document."""
    yield "END"
    yield from (f"END{number}" for number in range(1, 1_000_000))


def _comment(text: str) -> str:
    return f"# {visible(text)}".rstrip()
