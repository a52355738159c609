"""The answer of a command, and its printing: data on stdout, notes on stderr."""

import os
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple, TextIO

if TYPE_CHECKING:
    from qmon_tui.report import Span

USUAL_WIDTH: Final = 80
UNLIMITED: Final = 1_000_000
"""Width at which nothing is cut or wrapped."""
_NARROWEST: Final = 40
_WIDEST: Final = 100_000
_SHORTEST: Final = 8
"""Least width of a table's column on a narrow terminal."""


def width() -> int:
    """Return the width of the output: COLUMNS if set, else that of the terminal; UNLIMITED for a file or a pipe."""
    if "COLUMNS" in os.environ:
        from qmon_tui.values import whole_number  # imported here, as --version does not need it

        columns = whole_number(os.environ["COLUMNS"], 1, _WIDEST)
        if columns is not None:
            return max(_NARROWEST, columns)
    if sys.stdout is None or not sys.stdout.isatty():
        return UNLIMITED
    try:
        return max(_NARROWEST, os.get_terminal_size(sys.stdout.fileno()).columns)
    except OSError:
        return USUAL_WIDTH


def help_width() -> int:
    """Return the width of help texts; argparse would import more modules to find it, for each argument."""
    columns = width()
    return (USUAL_WIDTH if columns == UNLIMITED else columns) - 2


def table(
    headers: Sequence[str],
    rows: Iterable[Sequence[str]],
    width: int,
    *,
    right: Collection[str] = (),
    droppable: Sequence[str] = (),
) -> list[str]:
    """Return the lines of a table; columns in `right` are right-aligned, columns without text left out.

    On a narrow terminal the columns named in `droppable` are hidden, in this order.
    """
    from qmon_tui.report import Column, plain, table_lines  # imported here, as the version prints no table

    columns = [
        Column(
            head, head, "right" if head in right else "left",
            len(droppable) - droppable.index(head) if head in droppable else 0, _SHORTEST,
        )
        for head in headers
    ]  # fmt: skip
    return [plain(line) for line in table_lines(columns, rows, width)]


def paragraph(text: str, width: int, *, first: str = "", rest: str = "") -> list[str]:
    """Return the text wrapped at blanks, with `first` before its first line and `rest` before the others."""
    from qmon_tui.report import plain, wrap  # imported here, as the version prints no paragraph

    return [plain(line).rstrip() for line in wrap(text, width, first=first, rest=rest)]


_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def csv_line(cells: Iterable[object]) -> str:
    """Return one line without its line end; a `'` is put before text that a spreadsheet would read as a formula."""
    import csv  # imported here, as most answers are tables
    import io

    from qmon_tui.values import decimal_number

    def is_formula(cell: object) -> bool:
        return isinstance(cell, str) and cell.startswith(_FORMULA) and decimal_number(cell) is None

    line = io.StringIO()
    # With a line end, the writer quotes line breaks within cells.
    csv.writer(line, lineterminator="\r\n").writerow([f"'{cell}" if is_formula(cell) else cell for cell in cells])
    return line.getvalue().removesuffix("\r\n")


_PLAINER: Final = str.maketrans({
    "×": "x", "→": "->", "–": "-", "…": "...", "“": '"', "”": '"', "·": "-", "≤": "<=", "✗": "x", "‖": "=", "◷": "@",
    "§": "#", "◐": "o", "◌": "o", "●": "*", "━": "=", "╍": "~", "─": "-", "┄": ".",
})  # fmt: skip


class InputError(Exception):
    """Unusable input: the text is a sentence for the user, the exit code 2."""


class Answer(NamedTuple):
    """One answer: JSON data, a function width -> lines, exit code, and notes for stderr before and after it."""

    data: Mapping[str, object]
    table: Callable[[int], "Iterable[str | Iterable[Span]]"]
    code: int = 0
    notes: tuple[str, ...] = ()
    closing: str = ""


def print_answer(answer: Answer, output_format: str) -> int:
    """Print an answer and return its exit code, even if the reader of a pipe has closed it."""
    for line in answer.notes:
        print_note(line)
    write_text(_rendered(answer, output_format))
    if answer.closing:
        print_note(answer.closing)
    return answer.code


def _rendered(answer: Answer, output_format: str) -> str:
    if output_format == "json":
        import json  # imported here, as a table needs none

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
    """Redirect stdout to /dev/null, as Python flushes its buffer at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def print_note(line: str) -> None:
    """Print one line to stderr; ignore a closed stderr."""
    if sys.stderr is not None:
        with suppress(OSError):
            print(_printable(plain(line), sys.stderr), file=sys.stderr)


def plain(text: str) -> str:
    """Return a line with `?` for control characters, so that it cannot control the terminal."""
    return "".join(char if char.isprintable() else "?" for char in text)


def _printable(text: str, stream: TextIO) -> str:
    """Return a text that the stream can encode: signs of `_PLAINER` and other characters as `?` are replaced."""
    encoding = stream.encoding or "ascii"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.translate(_PLAINER).encode(encoding, "replace").decode(encoding)
    return text
