"""The complex table of `qconf -sc` (formats.md#complex-table)."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from qmon_tui.formats.format_findings import problem
from qmon_tui.formats.text_changes import LineIndex
from qmon_tui.model import COLUMN_WORDS, ConfigObject, Finding, Kind, Origin, config_object, foreign_field
from qmon_tui.model.catalogue.complexes import RELOPS, TYPES

COLUMNS: Final = ("name", "shortcut", "type", "relop", "requestable", "consumable", "default", "urgency")
_FOOTER: Final = "# >#< starts a comment but comments are not saved across edits --------"
_WORDS: Final = {"type": TYPES, "relop": RELOPS, **COLUMN_WORDS}
_HEADER: Final = re.compile(r"^#[ \t]*(name[ \t][^\n]*)", re.MULTILINE)
_TOKEN: Final = re.compile(r"\\[ \t]*\n|#[^\n]*\n|\n|[^ \t\n]+")

Row = list[tuple[str, int]]


def read_complexes(text: str, file: str) -> tuple[tuple[ConfigObject, ...], tuple[Finding, ...]]:
    """Return the entries of a complex table in order, and a finding for each line that is no entry."""
    lines = LineIndex(text)
    objects: dict[str, ConfigObject] = {}
    findings: list[Finding] = []

    def say(rule: str, message: str, row: Row, hint: str = "") -> None:
        name, position = row[0] if row else ("", 0)
        finding = problem(rule, message, file=file, kind=Kind.COMPLEX, name=name, hint=hint)
        findings.append(finding._replace(line=lines.line(position), column=lines.column(position)))

    if "\r" in text:
        message = "the lines of this file end in CR LF, which the qmaster refuses"
        say("format.crlf", message, [], "save the file with LF line ends (dos2unix)")
    columns = columns_of(text)
    rows, ended = table_rows(text.replace("\r\n", " \n") if "\r" in text else text)
    if not rows:
        say("format.empty", f'Complex attribute file "{file}" is not correct', [], "a complex has eight columns")
    for row in rows:
        name = row[0][0]
        if row is rows[-1] and not ended:
            say("format.table", _unfinished(lines.line(len(text))), row, "end it with a line end, without a comment")
        elif fault := _fault(row, lines, len(columns)):
            say("format.table", fault, row, "write " + " ".join(columns))
        if len(row) != len(columns):
            continue
        if name in objects:
            taken = f"complex with name {name} or shortcut {row[1][0]} already exists"
            say("format.duplicate", _word_fault(row, lines) or taken, row)
        else:
            values = dict(zip(columns, (token for token, _ in row), strict=True))
            where = {column: lines.line(position) for column, (_, position) in zip(columns, row, strict=True)}
            objects[name] = config_object(Kind.COMPLEX, name, values, Origin(file, where["name"], where))
    return tuple(objects.values()), tuple(findings)


def columns_of(text: str) -> tuple[str, ...]:
    """Return the columns of a table: the usual ones, then columns of another dialect that its header names."""
    header = _HEADER.search(text)
    names = tuple(header.group(1).split()) if header else ()
    foreign = names[len(COLUMNS) :]
    known = names[: len(COLUMNS)] == COLUMNS and all(foreign_field(Kind.COMPLEX, name) for name in foreign)
    return names if known else COLUMNS


def write_complexes(objects: Iterable[ConfigObject]) -> str:
    """Format the table as `qconf -sc` does: sorted by name, columns as wide as needed, both counted in bytes."""
    entries = sorted(objects, key=lambda obj: obj.name.encode())
    foreign = dict.fromkeys(name for obj in entries for name in obj.values if name not in COLUMNS)
    columns = (*COLUMNS, *(name for name in foreign if foreign_field(Kind.COMPLEX, name)))
    rows = [[entry_text(obj, column) for column in columns] for obj in entries]
    widths = [max(len(column), *(len(row[i].encode()) + 3 for row in rows), 0) for i, column in enumerate(columns)]
    header = "#" + columns[0].ljust(widths[0])
    header += "".join(name.ljust(width + 1) for name, width in zip(columns[1:], widths[1:], strict=True))
    lines = [header, "#" + "-" * (len(header) - 1), *(table_row(row, widths) for row in rows), _FOOTER]
    return "\n".join(lines) + "\n"


def entry_text(obj: ConfigObject, column: str) -> str:
    """Return the text in a column of an entry's line."""
    foreign = None if column in COLUMNS else foreign_field(Kind.COMPLEX, column)
    return obj.values.get(column, foreign.default) if foreign else obj.text(column)


def table_row(row: Sequence[str], widths: Sequence[int]) -> str:
    """Return one line of the table without its line end; widths are in bytes, the last column is not padded."""
    padded = [token + " " * (width + 1 - len(token.encode())) for token, width in zip(row, widths, strict=True)]
    return "".join(padded[:-1]) + row[-1]


def table_rows(text: str) -> tuple[list[Row], bool]:
    """Return the lines of the table as tokens with their positions, and whether the last line ends.

    A comment includes its line end, so that the next line that is not blank belongs to the entry before it. Without a
    line end it is no comment.
    """
    rows: list[Row] = []
    row: Row = []
    for match in _TOKEN.finditer(text):
        token = match.group()
        if token.startswith("#") and token.endswith("\n"):
            continue
        if token == "\n":
            if not text[text.rfind("\n", 0, match.start()) + 1 : match.start()].strip():
                continue
            rows += [row] if row else []
            row = []
        elif not token.startswith("\\") or "\n" not in token:
            row.append((token, match.start()))
    return ([*rows, row], False) if row else (rows, True)


def _fault(row: Row, lines: LineIndex, columns: int) -> str:
    """Return qconf's message for a line with a wrong number of columns; empty if the number is right."""
    if len(row) > columns:
        return _unfinished(lines.line(row[columns][1]))
    if len(row) == columns:
        return ""
    if fault := _word_fault(row, lines):
        return fault
    if len(row) == 1:
        return f'Complex attribute "{row[0][0]}" has no shortcut defined'
    return "Complex urgency definition is missing"


def _word_fault(row: Row, lines: LineIndex) -> str:
    """Return qconf's message for the first word that its column does not allow; it names only a bad type."""
    for (word, position), column in zip(row, COLUMNS, strict=False):
        if column in _WORDS and word.upper() not in _WORDS[column]:
            bad_type = f'error: unknown complex attribute type "{word}"'
            return bad_type if column == "type" else _unfinished(lines.line(position))
    return ""


def _unfinished(line: int) -> str:
    return f'error: each value in the attribute value list in line {line} should end with "<NEWLINE>"'
