"""The Standard Workload Format: traces of parallel machines, 18 columns, comments behind semicolons.

Columns: 1 job, 2 submitted, 4 run time, 5 processors, 8 processors asked for, 9 time asked for, 10 memory asked for in
kilobytes per processor, 11 status, 12 user, 13 group, 14 application, 15 queue, 17 the job before it. -1 is unknown.
Some simulators put semicolons between the columns, names of users and groups into them, and nothing for unknown.
"""

from collections.abc import Iterable
from typing import Final

from qmon_tui.formats.format_findings import problem
from qmon_tui.formats.records.job_builders import JobBuilders
from qmon_tui.formats.records.record import Recorded
from qmon_tui.model import HIGHEST_NUMBER, Finding, PeRequest

COLUMNS: Final = 18
ENVIRONMENT: Final = "swf"
"""The parallel environment that jobs with more than one processor ask for: a trace names none."""
_START: Final = "UnixStartTime"

_NAMED: Final = {11: "user", 12: "group", 13: "app", 14: "queue", 15: "partition"}
"""Columns that may be names where semicolons separate, and what numbers in them number."""
_LONGEST: Final = 10_000

_Row = tuple[float, ...]
_Names = dict[int, str]


def read_swf(lines: Iterable[str], file: str) -> Recorded:
    """The jobs as they were submitted, waiting, with their run times."""
    findings: list[Finding] = []
    drafts = JobBuilders()
    start = 0
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if text.startswith(";"):
            start = _start(text) or start
        elif text:
            try:
                _take(drafts, *_row(text), start)
            except ValueError as error:
                findings.append(problem("format.record", str(error), file=file, line=number))
    return Recorded(state=drafts.state(), findings=tuple(findings))


def _start(comment: str) -> int:
    name, _, value = comment.lstrip("; ").partition(":")
    word = value.strip().split()[0] if value.strip() else ""
    return int(word) if name.strip() == _START and word.isascii() and word.isdigit() and len(word) < 12 else 0


def _row(text: str) -> tuple[_Row, _Names]:
    """The columns as numbers, and those that are names."""
    apart = ";" in text
    words = [word.strip() for word in (text[:_LONGEST].split(";") if apart else text[:_LONGEST].split())]
    if len(words) < COLUMNS:
        raise ValueError(f"this line has {len(words)} columns, a trace has {COLUMNS}")
    words = [word or "-1" for word in words[:COLUMNS]]
    names = {place: words[place] for place in _NAMED if apart and not _is_number(words[place])}
    try:
        row = tuple(-1.0 if place in names else float(word) for place, word in enumerate(words))
    except ValueError:
        raise ValueError("a column of this line is not a number") from None
    if not all(abs(value) < 1e15 for value in row):
        raise ValueError("a column of this line is too large")
    return row, names


def _is_number(word: str) -> bool:
    return word.removeprefix("-").replace(".", "", 1).isdigit()


def _take(drafts: JobBuilders, row: _Row, names: _Names, start: int) -> None:
    job = int(row[0])
    if not 1 <= job <= HIGHEST_NUMBER:
        raise ValueError(f"{job} is not a job number")
    if job in drafts.by_id:
        raise ValueError(f"job {job} is in the trace twice")
    draft = drafts.of(job)
    draft.owner, draft.group, draft.name = (
        names.get(place) or _named(_NAMED[place], row[place]) for place in (11, 12, 13)
    )
    draft.submitted = start + max(0, int(row[1]))
    draft.runtime = max(0, round(row[3]))
    draft.request = _request(row)


def _named(word: str, number: float) -> str:
    return f"{word}{int(number)}" if number >= 0 else word


def _request(row: _Row) -> dict[str, object]:
    asked: list[tuple[str, str | None]] = []
    if row[8] > 0:
        asked.append(("h_rt", str(int(row[8]))))
    if row[9] > 0:
        asked.append(("h_vmem", f"{int(row[9])}K"))
    request: dict[str, object] = {"hard": tuple(asked)}
    slots = int(row[7] if row[7] > 0 else row[4])
    if slots > 1:
        request["pe"] = PeRequest(ENVIRONMENT, ((slots, slots, 1),))
    if row[16] > 0:
        request["hold_jid"] = (str(int(row[16])),)
    return request
