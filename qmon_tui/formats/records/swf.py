"""The Standard Workload Format: traces of parallel machines, 18 columns, comments after semicolons.

Columns: 1 job, 2 submitted, 3 wait, 4 run time, 5 processors, 8 requested processors, 9 requested time, 10 requested
memory in kilobytes per processor, 11 status, 12 user, 13 group, 14 application, 15 queue, 17 the predecessor job, 18
the think time after it; 6 (CPU time per processor), 7 and 16 are not used. -1 is unknown. Some simulators separate
columns by semicolons, use names of users and groups in them, and leave unknown columns empty.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import ceil
from typing import Final, NamedTuple

from qmon_tui.formats.format_findings import problem
from qmon_tui.formats.records import record
from qmon_tui.formats.records.job_builders import JobBuilders
from qmon_tui.formats.records.record import FinishedTask, Hole, Recorded
from qmon_tui.model import HIGHEST_NUMBER, Finding, PeRequest
from qmon_tui.values import LATEST, decimal_number, whole_number

COLUMNS: Final = 18
ENVIRONMENT: Final = "swf"
"""Parallel environment that jobs with several processors request, as a trace names none."""
_START: Final = "UnixStartTime"

_NAMED: Final = {11: "user", 12: "group", 13: "app", 14: "queue", 15: "partition"}
"""0-based column that may be a name in a line with semicolons -> word put before a number in it."""
_LONGEST: Final = 10_000
_SECONDS: Final = {1: "the time of submission", 2: "the wait", 3: "the run time"}
_MOST_SECONDS: Final = 100 * 366 * 86400
UNKNOWN: Final = -1.0


class SwfRow(NamedTuple):
    """One job of a trace: its columns in order, -1 if unknown; times in seconds."""

    job: float
    submitted: float
    wait: float = UNKNOWN
    run_time: float = UNKNOWN
    processors: float = UNKNOWN
    cpu: float = UNKNOWN
    memory: float = UNKNOWN
    """Kilobytes per processor."""
    asked_processors: float = UNKNOWN
    asked_time: float = UNKNOWN
    asked_memory: float = UNKNOWN
    status: float = UNKNOWN
    """1 completed, 0 failed, 5 cancelled."""
    user: float = UNKNOWN
    group: float = UNKNOWN
    application: float = UNKNOWN
    queue: float = UNKNOWN
    partition: float = UNKNOWN
    before: float = UNKNOWN
    think: float = UNKNOWN
    """Seconds from the end of the predecessor to the submission."""


@dataclass(slots=True)
class SwfTrace:
    """The lines of a trace."""

    comments: list[str] = field(default_factory=list)
    """Comment lines without their semicolons."""
    rows: list[SwfRow] = field(default_factory=list)
    names: list[dict[int, str]] = field(default_factory=list)
    """Per row: 0-based column -> name, for columns that are names."""
    lines: list[int] = field(default_factory=list)
    """Line of each row."""
    findings: list[Finding] = field(default_factory=list)

    @property
    def start(self) -> int:
        """Time 0 of the trace, seconds since the epoch; 0 if its header does not give it."""
        starts = [start for comment in self.comments if (start := _start(comment))]
        return starts[-1] if starts else 0


def parse_swf(lines: Iterable[str], file: str) -> SwfTrace:
    """Read the columns; a line that cannot be read is reported and left out."""
    trace = SwfTrace()
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if text.startswith(";"):
            trace.comments.append(text[1:].strip())
        elif text:
            if len(trace.rows) >= record.MOST_RECORDS:
                message = record.TOO_MANY.format(len(trace.rows))
                trace.findings.append(problem("format.record", message, file=file, line=number))
                break
            try:
                row, names = _row(text)
            except ValueError as error:
                trace.findings.append(problem("format.record", str(error), file=file, line=number))
            else:
                trace.rows.append(row)
                trace.names.append(names)
                trace.lines.append(number)
    return trace


def swf_lines(comments: Iterable[str], rows: Iterable[SwfRow]) -> Iterator[str]:
    """Yield the lines of a trace, without line ends."""
    yield from (f"; {comment}".rstrip() for comment in comments)
    yield from (" ".join(map(_number_text, row)) for row in rows)


def read_swf(lines: Iterable[str], file: str) -> Recorded:
    """Return the jobs as submitted, all pending, with their run times, and when they ran if known."""
    trace = parse_swf(lines, file)
    start = trace.start
    findings = trace.findings
    drafts = JobBuilders()
    finished: list[FinishedTask] = []
    holes: list[Hole] = []
    for row, names, line in zip(trace.rows, trace.names, trace.lines, strict=True):
        try:
            _take(drafts, row, names, start)
            drafts.of(int(row.job)).file, drafts.of(int(row.job)).line = file, line
        except ValueError as error:
            findings.append(problem("format.record", str(error), file=file, line=line))
            continue
        finished.append(_finished(row, names, start))
        missing = [what for what, known in _needed(row) if not known]
        if missing:
            holes.append(Hole(int(row.job), line, " and ".join(missing)))
    return Recorded(
        state=drafts.state_of_work(),
        finished=tuple(finished),
        holes=tuple(holes),
        places=drafts.places,
        is_trace=True,
        findings=tuple(sorted(findings, key=lambda finding: finding.line or 0)),
    )


def _needed(row: SwfRow) -> Iterator[tuple[str, bool]]:
    yield "when it was submitted", row.submitted >= 0
    yield "how long it ran", row.run_time >= 0
    yield "how many processors it had", row.processors > 0 or row.asked_processors > 0


def _finished(row: SwfRow, names: dict[int, str], start: int) -> FinishedTask:
    """Return when the job ran, and in which queue; a trace does not name hosts."""
    began = start + row.submitted + row.wait if row.submitted >= 0 and row.wait >= 0 else None
    ended = began + row.run_time if began is not None and row.run_time >= 0 else None
    queue = names.get(14) or (_named("queue", row.queue) if row.queue >= 0 else "")
    slots = int(max(1.0, row.processors if row.processors > 0 else row.asked_processors))
    return FinishedTask(
        job=int(row.job),
        task=1,
        granted=queue,
        slots=slots,
        started=None if began is None else int(began),
        ended=None if ended is None else int(ended),
        failed=0,
        exit_status=0,
        cpu=max(0.0, row.cpu) * slots,
        memory=0.0,
        io=0.0,
    )


def _start(comment: str) -> int:
    name, _, value = comment.partition(":")
    word = value.strip().split()[0] if value.strip() else ""
    return (whole_number(word, most=LATEST) or 0) if name.strip() == _START else 0


def _row(text: str) -> tuple[SwfRow, dict[int, str]]:
    """Return the columns as numbers, and 0-based column -> name. Raises ValueError."""
    has_semicolons = ";" in text
    words = [word.strip() for word in (text[:_LONGEST].split(";") if has_semicolons else text[:_LONGEST].split())]
    if len(words) < COLUMNS:
        raise ValueError(f"this line has {len(words)} columns, a trace has {COLUMNS}")
    words = [word or "-1" for word in words[:COLUMNS]]
    numbers = [decimal_number(word) for word in words]
    names = {place: words[place] for place in _NAMED if has_semicolons and numbers[place] is None}
    if any(number is None and place not in names for place, number in enumerate(numbers)):
        raise ValueError("a column of this line is not a number")
    row = tuple(UNKNOWN if number is None else number for number in numbers)
    if not all(abs(value) < 1e15 for value in row):
        raise ValueError("a column of this line is too large")
    for place, what in _SECONDS.items():
        if row[place] > _MOST_SECONDS:
            raise ValueError(f"{what} of this line is {row[place]:.4g} s, more than a hundred years")
    return SwfRow(*row), names


def _number_text(number: float) -> str:
    return str(int(number)) if number == int(number) else repr(number)


def _take(drafts: JobBuilders, row: SwfRow, names: dict[int, str], start: int) -> None:
    job = int(row.job)
    if not 1 <= job <= HIGHEST_NUMBER or job != row.job:
        raise ValueError(f"{_number_text(row.job)} is not a job number")
    if job in drafts.by_id:
        raise ValueError(f"job {job} is in the trace twice")
    draft = drafts.of(job)
    draft.owner, draft.group, draft.name = (
        names.get(place) or _named(_NAMED[place], row[place]) for place in (11, 12, 13)
    )
    draft.submitted = start + max(0, int(row.submitted))
    draft.runtime = max(0, round(row.run_time))
    draft.request = _request(row)


def _named(word: str, number: float) -> str:
    return f"{word}{int(number)}" if number >= 0 else word


def _request(row: SwfRow) -> dict[str, object]:
    asked: list[tuple[str, str | None]] = []
    # Rounded up, since no job could run with a limit of 0.
    if row.asked_time > 0:
        asked.append(("h_rt", str(ceil(row.asked_time))))
    if row.asked_memory > 0:
        asked.append(("h_vmem", f"{ceil(row.asked_memory)}K"))
    request: dict[str, object] = {"hard": tuple(asked)}
    slots = int(row.asked_processors if row.asked_processors > 0 else row.processors)
    if slots > 1:
        request["pe"] = PeRequest(ENVIRONMENT, ((slots, slots, 1),))
    if row.before > 0:
        request["hold_jid"] = (str(int(row.before)),)
    return request
