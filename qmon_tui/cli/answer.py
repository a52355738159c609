"""The answer of a command, and its printing: data on stdout, notes on stderr."""

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple, TextIO

from qmon_tui.cli.text import width

if TYPE_CHECKING:  # the version prints no report
    from qmon_tui.report import Span

_PLAINER: Final = str.maketrans({
    "×": "x", "→": "->", "–": "-", "…": "...", "“": '"', "”": '"', "·": "-", "≤": "<=", "✗": "x", "‖": "=", "◷": "@",
    "§": "#", "◐": "o", "◌": "o", "●": "*", "━": "=", "╍": "~", "─": "-", "┄": ".",
})  # fmt: skip


class InputError(Exception):
    """Unusable input: the text is a sentence for the user, the exit code 2."""


class Answer(NamedTuple):
    """One answer as JSON and as lines of text, its exit code, and the notes for stderr before and after it."""

    data: Mapping[str, object]
    table: Callable[[int], "Iterable[str | Iterable[Span]]"]
    code: int = 0
    notes: tuple[str, ...] = ()
    closing: str = ""


def print_answer(answer: Answer, output_format: str) -> int:
    """Print an answer and return its exit code, also where the reader of a pipe has left."""
    for line in answer.notes:
        print_note(line)
    write_text(_rendered(answer, output_format))
    if answer.closing:
        print_note(answer.closing)
    return answer.code


def _rendered(answer: Answer, output_format: str) -> str:
    if output_format == "json":
        import json  # late: a table needs none

        return json.dumps(answer.data, indent=2, allow_nan=False) + "\n"
    lines = (line if isinstance(line, str) else "".join(span.text for span in line) for line in answer.table(width()))
    return "".join(f"{plain(line).rstrip()}\n" for line in lines)


def write_text(text: str) -> None:
    """Write to stdout; ignore a closed stdout and a pipe without a reader. Raises InputError."""
    if sys.stdout is None:
        return
    try:
        sys.stdout.write(_printable(text, sys.stdout))
        sys.stdout.flush()
    except BrokenPipeError:
        _forget_output()
    except OSError as error:
        _forget_output()
        raise InputError(f"the answer cannot be written: {error.strerror}.") from error


def _forget_output() -> None:
    """Point stdout to nowhere, since Python flushes its buffer at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def print_note(line: str) -> None:
    """Print one line to stderr; ignore a closed stderr."""
    if sys.stderr is not None:
        with suppress(OSError):
            print(_printable(plain(line), sys.stderr), file=sys.stderr)


def plain(text: str) -> str:
    """Return a line without control characters, which would steer the terminal."""
    return "".join(char if char.isprintable() else "?" for char in text)


def _printable(text: str, stream: TextIO) -> str:
    """The text, with plainer signs of ours and question marks for the rest where the stream's encoding lacks some."""
    encoding = stream.encoding or "ascii"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.translate(_PLAINER).encode(encoding, "replace").decode(encoding)
    return text
