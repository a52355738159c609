"""accounting(5): one line per job or task that has ended, 45 fields separated by colons (clients.md#accounting).

6.0 to 6.2 write two fields less, Univa's forks more, and times in milliseconds. A name with a colon, which old
versions accept, shifts the fields after it: such a line is reported and left out. Open Cluster Scheduler writes
accounting.jsonl instead, a JSON object per line (dialects.md#times-and-versions).
"""

import json
import re
import shlex
from collections.abc import Iterable, Iterator
from sys import intern
from typing import Final

from qmon_tui.formats.format_findings import problem
from qmon_tui.formats.qsub import parse_qsub
from qmon_tui.formats.qsub_options import PRIORITIES
from qmon_tui.formats.records import record
from qmon_tui.formats.records.details_text import accounting_records
from qmon_tui.formats.records.job_builders import MOST_TASKS, JobBuilder, JobBuilders, instance_name
from qmon_tui.formats.records.record import FinishedTask, Hole, Recorded, epoch
from qmon_tui.model import HIGHEST_NUMBER, Finding, PeRequest, Request, Severity
from qmon_tui.values import LATEST, decimal_number, format_ranges, need_whole_number, whole_number

FIELDS: Final = (
    "qname", "hostname", "group", "owner", "job_name", "job_number", "account", "priority", "submission_time",
    "start_time", "end_time", "failed", "exit_status", "ru_wallclock", "ru_utime", "ru_stime", "ru_maxrss",
    "ru_ixrss", "ru_ismrss", "ru_idrss", "ru_isrss", "ru_minflt", "ru_majflt", "ru_nswap", "ru_inblock",
    "ru_oublock", "ru_msgsnd", "ru_msgrcv", "ru_nsignals", "ru_nvcsw", "ru_nivcsw", "project", "department",
    "granted_pe", "slots", "task_number", "cpu", "mem", "io", "category", "iow", "pe_taskid", "maxvmem",
    "arid", "ar_submission_time",
)  # fmt: skip
FEWEST: Final = FIELDS.index("maxvmem") + 1
IS_JSON_RECORD: Final = re.compile(rb'\{\s*"job_number"\s*:')
"""The beginning of a line of accounting.jsonl."""
_WORDS: Final = (
    "group", "owner", "job_name", "account", "project", "department", "granted_pe", "category", "pe_taskid"
)  # fmt: skip
"""Fields that are no numbers."""
_NONE: Final = ("", "NONE", "none")
_OF_CATEGORY: Final = {"-U": 1, "-u": 1, "-I": 1}
"""Options of a category besides those of qsub -> number of arguments: usersets, owner, immediate."""
MOVED: Final = ": is there a colon in a name?"
"""Hint at a field that is no number."""
_LONGEST: Final = 100_000
_LATEST: Final = LATEST * 1_000_000
"""Latest time in microseconds, the smallest unit of the forks."""

_LIMITS: Final = {
    "job_number": (1, HIGHEST_NUMBER), "submission_time": (0, _LATEST), "start_time": (0, _LATEST),
    "end_time": (0, _LATEST), "slots": (0, HIGHEST_NUMBER), "task_number": (0, MOST_TASKS),
}  # fmt: skip

_Record = dict[str, str]


def read_accounting(lines: Iterable[str], file: str) -> Recorded:
    """Return the jobs as submitted, all pending, with their run times, and the ended tasks."""
    book = _Book(file)
    for number, line in enumerate(lines, 1):
        text = line.rstrip("\n")
        if not text.strip() or text.startswith("#"):
            continue
        try:
            known = _record(text)
        except ValueError as error:
            book.say(number, str(error))
        else:
            if not book.take(known, number):
                break
    return book.recorded()


def read_accounts(lines: Iterable[str], file: str) -> Recorded:
    """Read the output of `qacct -j` like accounting records (clients.md#qacct)."""
    book = _Book(file)
    for line, known in accounting_records(lines, FIELDS, book.say):
        try:
            need_numbers(known, _LIMITS)
        except ValueError as error:
            book.say(line, str(error))
        else:
            if not book.take(known, line):
                break
    return book.recorded()


class _Book:
    """Collects records one by one: a file may have more records than fit into memory as text."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._findings: list[Finding] = []
        self._drafts = JobBuilders()
        self._finished: list[FinishedTask] = []
        self._lines: dict[int, int] = {}
        """Job -> line of its first record."""
        self._ran: set[int] = set()
        self._started_only: list[int] = []
        """Jobs whose record has no submission time."""
        self._timeless: list[int] = []
        """Jobs whose record has neither a submission time nor a start time."""
        self._parts: dict[int, tuple[_Record, int]] = {}
        """Job -> first record, and its line, of a task within a parallel job (pe_taskid)."""

    def _note(self, jobs: list[int], message: str) -> None:
        """Report an assumption about some jobs, with the line of the first."""
        if jobs:
            text = f"job {jobs[0]} {message}" if len(jobs) == 1 else f"jobs {format_ranges(jobs)}: each {message}"
            self._findings.append(problem("format.record", text, file=self._file, line=self._lines[jobs[0]],
                                          severity=Severity.WARNING))  # fmt: skip

    def say(self, line: int, message: str) -> None:
        """Report that a line cannot be read."""
        self._findings.append(problem("format.record", message, file=self._file, line=line))

    def take(self, known: _Record, line: int) -> bool:
        """Add a record; False if no more can be added.

        Under tight integration each task within a job (pe_taskid) may have a record, but only the job's own counts.
        """
        if len(self._finished) >= record.MOST_RECORDS:
            self.say(line, record.TOO_MANY.format(len(self._finished)))
            return False
        if known["pe_taskid"] in _NONE:
            self._take(known, line)
        else:
            self._parts.setdefault(int(known["job_number"]), (known, line))
        return True

    def _take(self, record: _Record, line: int) -> None:
        try:
            job, submitted = int(record["job_number"]), epoch(int(record["submission_time"]))
            task = self._task_of(record, line)
        except ValueError as error:
            self.say(line, str(error))
            return
        if submitted is None:
            submitted = task.started
            if job not in self._lines:
                (self._timeless if submitted is None else self._started_only).append(job)
        draft = self._drafts.of(job, self._file, line)
        if job not in self._lines:
            self._lines[job] = line
            asked = parse_qsub(shlex.join(_options(record["category"])))
            for message in asked.problems:
                self.say(line, f"what job {job} asks for: {message}")
            _begin(draft, record, submitted, asked.request)
        elif draft.submitted != submitted:
            self.say(line, f"there is another job {job} before it, in line {self._lines[job]}, submitted at another "
                     "time: it is left out")  # fmt: skip
            return
        self._finished.append(task)
        if task.started is not None and task.ended is not None and task.started > task.ended:
            self.say(line, f"job {job} ended before it started: its run time is ru_wallclock")
        if task.started is not None and task.ended is not None:
            self._ran.add(job)
        number = int(record["task_number"])
        seconds = round(_seconds(task, record))
        draft.runtimes[task.task] = max(seconds, draft.runtimes.get(task.task, 0))
        draft.runtime = max(seconds, draft.runtime or 0)
        if number:
            draft.is_array = True
            draft.waits((number,))

    def _task_of(self, record: _Record, line: int) -> FinishedTask:
        """Return when and where the record's task ran, and what it used."""
        return FinishedTask(
            job=int(record["job_number"]),
            task=int(record["task_number"]) or 1,
            granted=intern(instance_name(f"{record['qname']}@{record['hostname']}")),
            slots=int(record["slots"]),
            started=epoch(int(record["start_time"])),
            ended=epoch(int(record["end_time"])),
            failed=self._code(record, "failed", line),
            exit_status=self._code(record, "exit_status", line),
            cpu=self._amount(record, "cpu", line),
            memory=self._amount(record, "mem", line),
            io=self._amount(record, "io", line),
        )

    def _code(self, record: _Record, name: str, line: int) -> int:
        """Return the number at the beginning of the field; qacct and some forks write its meaning after it."""
        word = record[name].strip().partition(" ")[0]
        code = whole_number(word, -_LATEST)
        if code is None and word:
            self.say(line, f"{name} of job {record['job_number']} is left out, it is not a whole number")
        return code or 0

    def _amount(self, record: _Record, name: str, line: int) -> float:
        """Return an amount of usage; 0, with a finding, if it is no number."""
        amount = decimal_number(record[name])
        if amount is None and record[name] not in _NONE:
            self.say(line, f"{name} of job {record['job_number']} is left out, it is not a number")
        return amount or 0.0

    def recorded(self) -> Recorded:
        for job, (part, line) in self._parts.items():
            if job not in self._lines:
                self._take(part, line)
                self._note([job], "has only records of tasks within it (pe_taskid): the first of them is taken for it")
        self._note(self._started_only, "has no submission time: that of the start is taken")
        self._note(self._timeless, "has no time of submission or start: the newest time of all is taken")
        holes = tuple(Hole(job, line, "when it ran") for job, line in self._lines.items() if job not in self._ran)
        return Recorded(
            state=self._drafts.state_of_work(),
            finished=tuple(self._finished),
            holes=holes,
            places=self._drafts.places,
            findings=tuple(self._findings),
        )


def _record(text: str) -> _Record:
    if len(text) > _LONGEST:
        raise ValueError(f"this line is longer than {_LONGEST} characters")
    if text.startswith("{"):
        record = _json_record(text)
        need_numbers(record, _LIMITS)
        return record
    fields = text.split(":")
    if len(fields) < FEWEST:
        raise ValueError(f"this line has {len(fields)} fields, an accounting record has {FEWEST} or more")
    record = dict(zip(FIELDS, fields, strict=False))
    need_numbers(record, _LIMITS, MOVED)
    return record


def _json_record(text: str) -> _Record:
    """Return the fields of a line of accounting.jsonl, in which usage is nested. Raises ValueError."""
    record = dict.fromkeys(FIELDS, "0") | dict.fromkeys(_WORDS, "")
    nested = _json_object(text)
    while nested:
        name, value = nested.popitem()
        if isinstance(value, dict):
            nested |= value
        elif isinstance(value, str):
            record[name] = value
    for name in ("qname", "hostname", "job_number", "end_time"):
        if record[name] in ("", "0"):
            raise ValueError(f"{name} is missing in this line")
    if record["task_number"] == "1" and "-t" not in record.get("submit_cmd_line", "").split():
        record["task_number"] = "0"  # only accounting.jsonl gives task 1 to a job that is no array
    return record


def _json_object(text: str) -> dict[str, object]:
    """Return the object in a line of JSON, with numbers as text. Raises ValueError if it is no object."""
    try:
        value = json.loads(text, parse_int=str, parse_float=str, parse_constant=str)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise ValueError("this line is no object of JSON")
    return value


def whose_record(line: str) -> tuple[int, str, int | None, int | None] | None:
    """Return job, owner, and times of submission and end in seconds of a line; None if it is no record."""
    try:
        record = _json_object(line) if line.startswith("{") else dict(zip(FIELDS, line.split(":"), strict=False))
        number, submitted, ended = (int(str(record[name])) for name in ("job_number", "submission_time", "end_time"))
        return number, str(record["owner"]), epoch(submitted), epoch(ended)
    except (KeyError, ValueError):
        return None


def need_numbers(record: _Record, names: Iterable[str], hint: str = "") -> None:
    """Normalise fields to plain numbers. Raises ValueError, with a hint, if one is no whole number in its limits."""
    for name in names:
        try:
            record[name] = str(need_whole_number(name, record[name], *_LIMITS[name]))
        except ValueError as error:
            raise ValueError(f"{error}{hint}") from None


def _begin(draft: JobBuilder, record: _Record, submitted: int | None, asked: Request) -> None:
    """Set the fields that all records of a job have in common."""
    draft.owner, draft.name, draft.group = intern(record["owner"]), intern(record["job_name"]), intern(record["group"])
    draft.submitted = submitted
    draft.request = _request(record, asked)


def _seconds(task: FinishedTask, record: _Record) -> float:
    if task.started is not None and task.ended is not None and task.ended >= task.started:
        return float(task.ended - task.started)
    return max(0.0, decimal_number(record["ru_wallclock"]) or 0.0)


def _request(record: _Record, asked: Request) -> dict[str, object]:
    request: dict[str, object] = {
        "hard": asked.hard,
        "soft": asked.soft,
        "hard_queues": asked.hard_queues,
        "master_queues": asked.master_queues,
        "pe": asked.pe,
        "checkpoint": asked.checkpoint,
    }
    environment, slots = record["granted_pe"], int(record["slots"])
    if asked.pe is None and environment not in _NONE:
        request["pe"] = PeRequest(environment, ((slots, slots, 1),))
    if record["project"] not in _NONE:
        request["project"] = record["project"]
    if record["account"] not in (*_NONE, "sge"):
        request["account"] = record["account"]
    # Univa's forks and some old versions write another encoding; a number that is no priority is left out.
    request["priority"] = whole_number(record["priority"], PRIORITIES[0], PRIORITIES[-1]) or 0
    return request


def _options(category: str) -> Iterator[str]:
    """Yield the words of a category that are options of qsub."""
    if category in _NONE:
        return
    words = iter(category.split())
    for word in words:
        if word in _OF_CATEGORY:
            next(words, "")
        else:
            yield word
