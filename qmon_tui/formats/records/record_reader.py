"""Recognise a record by its first lines: output of clients, a trace, accounting or reporting."""

from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Final

from qmon_tui.formats.format_findings import problem
from qmon_tui.formats.records.accounting import FEWEST, IS_JSON_RECORD, read_accounting, read_accounts
from qmon_tui.formats.records.client_text import is_table
from qmon_tui.formats.records.client_xml import is_xml, read_clients
from qmon_tui.formats.records.details_text import ACCOUNTS, DETAILS
from qmon_tui.formats.records.record import Recorded
from qmon_tui.formats.records.reporting import IS_REPORTING, read_reporting
from qmon_tui.formats.records.swf import COLUMNS, read_swf

_LOOKED_AT: Final = 20
_BYTES_LOOKED_AT: Final = 200_000
_BEGINNING: Final = 60
_HEAD: Final = 200
"""Characters of a line that are enough to recognise a table's columns."""


class Record(StrEnum):
    """Kind of record; the value is its description."""

    XML = "XML of qstat, qhost, qrstat or qquota"
    TEXT = "output of qstat, qstat -f, qstat -j or qhost"
    QACCT = "output of qacct -j"
    ACCOUNTING = "accounting"
    REPORTING = "reporting"
    SWF = "SWF trace"


_CLIENTS: Final = frozenset({Record.XML, Record.TEXT})
"""Records that can be read together, because they complete each other."""


def kind_of(data: bytes) -> Record | None:
    """Return the kind of record that the first lines indicate; None if they show no record."""
    data = data.removeprefix(BOM_UTF8)
    if is_xml(data):
        return Record.XML
    lines = data[:_BYTES_LOOKED_AT].split(b"\n")[:_LOOKED_AT]
    if any(IS_REPORTING.match(line.strip()[:_BEGINNING].decode("latin-1")) for line in lines):
        return Record.REPORTING  # its lines of kind acct look like accounting
    for line in lines:
        text = line.strip()
        words = text[:_HEAD].decode("latin-1")
        if DETAILS.fullmatch(words) or is_table([words]):
            return Record.TEXT
        if ACCOUNTS.match(words):
            return Record.QACCT
        if text.startswith(b";") or text.count(b";") >= COLUMNS - 1:
            return Record.SWF
        if text.count(b":") >= FEWEST - 1 or IS_JSON_RECORD.match(text):
            return Record.ACCOUNTING
        if len(text.split()) >= COLUMNS and text[:1].isdigit():
            return Record.SWF
    return None


def record_words(data: bytes) -> str | None:
    """Return the kind of a record in words; None if the file is no record."""
    kind = kind_of(data)
    return kind.value if kind is not None else None


def read_records(texts: Mapping[str, bytes]) -> Recorded:
    """Read one record, or several of clients that complete each other; never raises but reports findings."""
    kinds = {file: kind_of(data) for file, data in texts.items()}
    if texts and set(kinds.values()) <= _CLIENTS:
        return read_clients(texts)
    if len(texts) == 1:
        ((file, data),) = texts.items()
        if kinds[file] is Record.ACCOUNTING:
            return read_accounting(_lines(data), file)
        if kinds[file] is Record.QACCT:
            return read_accounts(_lines(data), file)
        if kinds[file] is Record.REPORTING:
            return read_reporting(_lines(data), file)
        if kinds[file] is Record.SWF:
            return read_swf(_lines(data), file)
    unreadable = next(file for file, kind in kinds.items() if kind not in _CLIENTS)
    if kinds[unreadable] is None:
        return _nothing(f"this is none of: {', '.join(Record)}", unreadable)
    return _nothing("a log is read by itself, not together with other files", unreadable)


def _nothing(message: str, file: str) -> Recorded:
    return Recorded(findings=(problem("format.record", message, file=file, line=1),))


def _lines(data: bytes) -> Iterator[str]:
    """Yield the lines; a line that is not UTF-8 is decoded as Latin-1, since old logs have any encoding."""
    for line in data.removeprefix(BOM_UTF8).split(b"\n"):
        try:
            yield line.decode("utf-8")
        except UnicodeDecodeError:
            yield line.decode("latin-1")
