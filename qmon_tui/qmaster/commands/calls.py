"""The calls of clients that carry out a command: words without a shell, and the file that qconf reads."""

import re
import shlex
from collections.abc import Iterator
from typing import Final, NamedTuple

from qmon_tui.model import Kind, ObjectKey
from qmon_tui.qmaster.commands.command import Command
from qmon_tui.qmaster.commands.leading_commands import QconfComplexes, object_of
from qmon_tui.qmaster.commands.qconf import QconfAccess, QconfAdd, QconfDelete, QconfListName, QconfModify
from qmon_tui.qmaster.commands.qconf_attribute import PARTS, QconfAttribute
from qmon_tui.qmaster.commands.queue_commands import QmodQueues, QmodReschedule

FILE: Final = 2
"""Index of the file name among the words of a call."""
_FILE_NAME: Final = re.compile(r"[A-Za-z0-9_@+=:][A-Za-z0-9_@+=:.\-]*")


class Call(NamedTuple):
    """One call of a client; `text` is the content of the file that word `FILE` names, None if it reads no file."""

    words: tuple[str, ...]
    text: str | None = None

    @property
    def shell_lines(self) -> tuple[str, ...]:
        """The call for a shell; a here document writes the file into the current folder."""
        line = shlex.join(self.words)
        if self.text is None:
            return (line,)
        end = next(word for word in _ends() if word not in self.text)
        return (
            f"cat > {shlex.quote(self.words[FILE])} <<'{end}'", *self.text.rstrip("\n").split("\n"), end, line
        )  # fmt: skip


def calls_of(command: Command) -> tuple[Call, ...]:
    """Return the calls that carry out a command; none if Grid Engine has no such command.

    Also none if a word has control characters, a name could be taken for an option, or a file name is unsafe.
    """
    try:
        words = shlex.split(command.line)
    except ValueError:
        return ()
    text = command.text if isinstance(command, QconfAdd | QconfModify | QconfComplexes) else None
    if not all(word.isprintable() for word in words) or any(name.startswith("-") for name in _names(command)):
        return ()
    if not words or (text is not None and not _FILE_NAME.fullmatch(words[FILE])):
        return ()
    if text is not None:
        return (Call(tuple(words), text),)
    calls: list[list[str]] = [[]]
    for word in words:
        if word == "&&":
            calls.append([])
        else:
            calls[-1].append(word)
    return tuple(Call(tuple(part)) for part in calls)


def keys_of(command: Command) -> tuple[ObjectKey, ...]:
    """Return the objects that a command changes, as `object_of`; none for jobs and the states of queues."""
    match command:
        case QconfAttribute(kind, name, _, _, _, others) if others:
            names = (word.partition(PARTS[kind])[0] if kind in PARTS else word for word in (name, *others))
            return tuple((kind, word) for word in dict.fromkeys(names))
        case QconfAccess(_, lists):
            return tuple((Kind.USERSET, name) for name in lists)
    key = object_of(command)
    return () if key is None else (key,)


def _names(command: Command) -> tuple[str, ...]:
    """Return the names of objects that a command takes after its options."""
    match command:
        case QmodQueues(_, names) | QmodReschedule(names):
            return names
        case QconfDelete(_, name) | QconfListName(_, name):
            return (name,)
        case QconfAccess(users, lists):
            return (*users, *lists)
        case QconfAttribute():
            return (command.name, *command.others)
    return ()


def _ends() -> Iterator[str]:
    """Yield words that may end a here document."""
    yield "END"
    yield from (f"END{number}" for number in range(1, 1_000_000))
