"""accounting(5): one line per job or task that has ended, 45 fields separated by colons (clients.md#accounting).

6.0 to 6.2 write two fields less, Univa's forks more, and times in milliseconds. A name with a colon, which old
versions let pass, moves the fields behind it: such a line is said and left out.
"""

import shlex
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from qmon_tui.formats.format_findings import problem
from qmon_tui.formats.qsub import parse_qsub
from qmon_tui.formats.records.details_text import accounting_records
from qmon_tui.formats.records.job_builders import JobBuilder, JobBuilders, instance_name
from qmon_tui.formats.records.record import FinishedTask, Hole, Recorded
from qmon_tui.formats.records.timestamps import epoch
from qmon_tui.model import Finding, PeRequest, TaskRange

FIELDS: Final = (
    "qname", "hostname", "group", "owner", "job_name", "job_number", "account", "priority", "submission_time",
    "start_time", "end_time", "failed", "exit_status", "ru_wallclock", "ru_utime", "ru_stime", "ru_maxrss",
    "ru_ixrss", "ru_ismrss", "ru_idrss", "ru_isrss", "ru_minflt", "ru_majflt", "ru_nswap", "ru_inblock",
    "ru_oublock", "ru_msgsnd", "ru_msgrcv", "ru_nsignals", "ru_nvcsw", "ru_nivcsw", "project", "department",
    "granted_pe", "slots", "task_number", "cpu", "mem", "io", "category", "iow", "pe_taskid", "maxvmem",
    "arid", "ar_submission_time",
)  # fmt: skip
FEWEST: Final = FIELDS.index("maxvmem") + 1
_NONE: Final = ("", "NONE", "none")
_OF_CATEGORY: Final = {"-U": 1, "-u": 1, "-I": 1}
"""What a category says of the job besides qsub's own options: usersets, owner, immediate."""
PRIORITIES: Final = range(-1023, 1025)
_LONGEST: Final = 100_000

_Record = dict[str, str]


def read_accounting(lines: Iterable[str], file: str) -> Recorded:
    """The jobs as they were submitted, waiting, with their run times, and how each ended."""
    findings: list[Finding] = []
    records: list[_Record] = []
    places: dict[int, int] = {}
    for number, line in enumerate(lines, 1):
        text = line.rstrip("\n")
        if not text.strip() or text.startswith("#"):
            continue
        try:
            records.append(_record(text))
            places.setdefault(int(records[-1]["job_number"]), number)
        except ValueError as error:
            findings.append(problem("format.record", str(error), file=file, line=number))
    return _recorded(records, findings, places)


def read_accounts(lines: Iterable[str], file: str) -> Recorded:
    """The same of what `qacct -j` prints (clients.md#qacct)."""
    findings: list[Finding] = []

    def say(line: int, message: str) -> None:
        findings.append(problem("format.record", message, file=file, line=line))

    found = list(accounting_records(lines, FIELDS, say))
    first = {int(record["job_number"]): line for line, record in reversed(found)}
    return _recorded([record for _, record in found], findings, first)


def _recorded(all_records: Iterable[_Record], findings: list[Finding], lines: Mapping[int, int]) -> Recorded:
    finished: list[FinishedTask] = []
    records: dict[int, list[_Record]] = defaultdict(list)
    for record in all_records:
        finished.append(_finished(record))
        records[int(record["job_number"])].append(record)
    drafts = JobBuilders()
    for job, own in records.items():
        _take(drafts.of(job), own)
    ran = {task.job for task in finished if task.started is not None and task.ended is not None}
    holes = tuple(Hole(job, lines.get(job, 1), "when it ran") for job in records if job not in ran)
    return Recorded(state=drafts.state(), finished=tuple(finished), holes=holes, findings=tuple(findings))


def _record(text: str) -> _Record:
    if len(text) > _LONGEST:
        raise ValueError(f"this line is longer than {_LONGEST} characters")
    fields = text.split(":")
    if len(fields) < FEWEST:
        raise ValueError(f"this line has {len(fields)} fields, an accounting record has {FEWEST} or more")
    record = dict(zip(FIELDS, fields, strict=False))
    for name in ("job_number", "submission_time", "start_time", "end_time", "slots", "task_number"):
        if not (record[name].isascii() and record[name].isdigit() and len(record[name]) <= 20):
            raise ValueError(f'{name} is "{record[name]}", not a number: is there a colon in a name?')
    return record


def _finished(record: _Record) -> FinishedTask:
    return FinishedTask(
        job=int(record["job_number"]),
        task=int(record["task_number"]) or 1,
        granted=instance_name(f"{record['qname']}@{record['hostname']}"),
        slots=int(record["slots"]),
        started=epoch(int(record["start_time"])),
        ended=epoch(int(record["end_time"])),
        failed=_leading(record["failed"]),
        exit_status=_leading(record["exit_status"]),
        cpu=_amount(record["cpu"]),
        memory=_amount(record["mem"]),
        io=_amount(record["io"]),
    )


def _leading(text: str) -> int:
    """A code, behind which qacct and some forks write what it means."""
    word = text.split()[0] if text.split() else ""
    return int(word) if word.lstrip("-").isdigit() else 0


def _amount(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


def _take(draft: JobBuilder, records: list[_Record]) -> None:
    """One job of all its tasks' records. A slave's record of a parallel job belongs to the master's."""
    first = records[0]
    draft.owner, draft.name, draft.group = first["owner"], first["job_name"], first["group"]
    draft.submitted = epoch(int(first["submission_time"]))
    draft.runtime = round(max(map(_seconds, records)))
    draft.request = _request(first)
    numbers = sorted({int(record["task_number"]) for record in records} - {0})
    if numbers:
        draft.is_array = True
        draft.pending.update(numbers)
        draft.array = TaskRange(numbers[0], numbers[0]) if len(numbers) == 1 else None


def _seconds(record: _Record) -> float:
    started, ended = epoch(int(record["start_time"])), epoch(int(record["end_time"]))
    if started is not None and ended is not None and ended >= started:
        return float(ended - started)
    return _amount(record["ru_wallclock"])


def _request(record: _Record) -> dict[str, object]:
    asked = parse_qsub(shlex.join(_options(record["category"]))).request
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
    if record["priority"].lstrip("-").isdigit():
        # Univa's forks and some old versions write it without the sign shifted; what is no priority is left out.
        priority = int(record["priority"])
        request["priority"] = priority if priority in PRIORITIES else 0
    return request


def _options(category: str) -> Iterator[str]:
    """The words of a category that are options of qsub."""
    if category in _NONE:
        return
    words = iter(category.split())
    for word in words:
        if word in _OF_CATEGORY:
            next(words, "")
        else:
            yield word
