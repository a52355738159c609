"""What a real qmaster says after a run, taken from qstat, as plain data that can be kept in a file."""

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import Any, Final
from xml.etree.ElementTree import Element

from qmon_tui.values.number_ranges import parse_ranges
from tests.differential.qmaster import Qmaster

_QRSTAT_HEADER: Final = 2
_QSTAT_HEADER: Final = 2
_WITHOUT_TASK: Final = 8
"""Columns of a line of qstat for a pending job that is no array."""
_LETTERS, _TASK = 4, 9
_LETTERS_OF_INSTANCE: Final = 5
"""Where in a line of qstat -f those of a queue instance stand, if there are any."""
"""Where in a line of qstat for what has a place its letters stand, and the task of an array."""
WAITING: Final = {"-hold_jid": "JB_jid_predecessor_list", "-hold_jid_ad": "JB_ja_ad_predecessor_list"}
"""Option -> where the jobs are listed for which somebody waits by it."""
_QQUOTA_HEADER: Final = 2
_TRIES: Final = 2
_BLANKS: Final = re.compile("</?(?:job ids|master hard queue_list)>")
_JOB_COLUMNS: Final = {
    "nurg": "JB_nurg",
    "npprior": "JB_nppri",
    "rrcontr": "JB_rrcontr",
    "wtcontr": "JB_wtcontr",
    "dlcontr": "JB_dlcontr",
    "ppri": "JB_priority",
    "ovrts": "JB_override_tickets",
}
_ROW_COLUMNS: Final = {
    "prior": "JAT_prio",
    "ntckts": "JAT_ntix",
    "tckts": "tickets",
    "otckt": "otickets",
    "ftckt": "ftickets",
    "stckt": "stickets",
    "share": "JAT_share",
}

Slots = Mapping[tuple[str, int, str], int]
"""(queue instance, job, task) -> slots."""


@dataclass(slots=True)
class Row:
    """One line of qstat: a running task, or all pending tasks of a job that look the same."""

    tasks: list[int]
    state: str
    granted: dict[str, int]
    """Queue instance -> slots, the master queue first, the others in no particular order."""
    columns: dict[str, str]
    started: int | None = None
    environment: str | None = None


@dataclass(slots=True)
class SeenJob:
    """One job as qstat shows it; numbers are the texts that it prints."""

    id: int
    name: str
    owner: str
    project: str
    department: str
    slots: int
    submitted: int
    columns: dict[str, str]
    rows: list[Row]
    messages: list[str] = field(default_factory=list)


@dataclass(slots=True)
class SeenInstance:
    """One queue instance as `qstat -f -F` shows it."""

    name: str
    state: str
    used: int
    total: int
    values: dict[str, str]
    reserved: int = 0


@dataclass(slots=True)
class SeenReservation:
    """One advance reservation as `qrstat -xml -ar` shows it; times are seconds since the epoch."""

    id: int
    owner: str
    state: str
    start: int
    end: int
    granted: dict[str, int]
    requests: list[tuple[str, str]]
    users: list[str]
    environment: str | None
    submitted: int
    strict: bool


@dataclass(slots=True)
class Seen:
    """All that qstat says at one moment."""

    jobs: list[SeenJob]
    instances: list[SeenInstance]
    messages: list[str]
    quotas: list[str] = field(default_factory=list)
    """The lines of qquota, one blank between rule, limit and filter."""
    reservations: list[SeenReservation] = field(default_factory=list)

    @property
    def placed(self) -> frozenset[tuple[int, int]]:
        """(job, task) of all that have a place."""
        return frozenset((job.id, task) for job in self.jobs for row in job.rows if row.granted for task in row.tasks)

    def data(self) -> dict[str, Any]:
        """As JSON values."""
        return asdict(self)

    @classmethod
    def of(cls, data: dict[str, Any]) -> "Seen":
        """From JSON values."""
        jobs = [SeenJob(**{**job, "rows": [Row(**row) for row in job["rows"]]}) for job in data["jobs"]]
        instances = [SeenInstance(**instance) for instance in data["instances"]]
        return cls(
            jobs,
            instances,
            data["messages"],
            data.get("quotas", []),
            [SeenReservation(**one) for one in data.get("reservations", [])],
        )


def observe(qmaster: Qmaster) -> Seen:
    """Ask qstat for everything that a scheduling run decides; anew where a task has ended between two questions."""
    for _ in range(_TRIES):
        with suppress(KeyError):
            return _observed(qmaster)
    return _observed(qmaster)


def _observed(qmaster: Qmaster) -> Seen:
    listing = _xml(qmaster.must("qstat", "-xml", "-u", "*", "-ext", "-urg", "-pri", "-r", "-g", "t"))
    urgencies = _urgencies(qmaster.must("qstat", "-u", "*", "-urg"))
    queues = _xml(qmaster.must("qstat", "-f", "-xml", "-F", "-u", "*"))
    details = _xml(qmaster.must("qstat", "-xml", "-j", "*"))
    jobs = {job.id: job for job in _jobs(listing, details, urgencies, _slots(queues))}
    for element in details.iterfind("messages/element/SME_message_list/element"):
        text = _text(element, "MES_message")
        for number in element.iterfind("MES_job_number_list/*/ULNG_value"):
            job = jobs.get(int(number.text or 0))
            if job:
                job.messages.append(text)
    quotas = qmaster.must("qquota", "-u", "*").splitlines()[_QQUOTA_HEADER:]
    lines = [" ".join(line.split(maxsplit=2)) for line in quotas]
    return Seen(list(jobs.values()), list(_instances(queues)), _global_messages(details), lines, reservations(qmaster))


def predecessors(qmaster: Qmaster, options: Iterable[str] = WAITING) -> dict[int, frozenset[int]]:
    """Job -> the jobs for which it still waits by some options, for all jobs."""
    return {
        int(_text(job, "JB_job_number")): frozenset(
            int(_text(one, "JRE_job_number")) for option in options for one in job.iterfind(f"{WAITING[option]}/*")
        )
        for job in _xml(qmaster.must("qstat", "-xml", "-j", "*")).iterfind("djob_info/element")
    }


def held_by_tasks(qmaster: Qmaster) -> frozenset[tuple[int, int]]:
    """(job, task) of what waits for the task of its number in another job."""
    return frozenset(_numbered(qmaster.must("qstat", "-u", "*", "-g", "d", "-s", "hd")))


def standing_tasks(qmaster: Qmaster) -> frozenset[tuple[int, int]]:
    """(job, task) of all that stands still with its queue instance."""
    lines = qmaster.must("qstat", "-u", "*", "-g", "d").splitlines()[_QSTAT_HEADER:]
    placed = (words for words in map(str.split, lines) if len(words) > _WITHOUT_TASK and "S" in words[_LETTERS])
    return frozenset((int(words[0]), int(words[_TASK]) if len(words) > _TASK else 1) for words in placed)


def standing_instances(qmaster: Qmaster) -> frozenset[str]:
    """The queue instances that stand still because of others."""
    lines = (line.split() for line in qmaster.must("qstat", "-f").splitlines() if "@" in line.split(" ")[0])
    return frozenset(words[0] for words in lines if "S" in "".join(words[_LETTERS_OF_INSTANCE:]))


def are_being_deleted(qmaster: Qmaster) -> bool:
    """Tell whether something that has a place has been told to end, and has not."""
    lines = qmaster.must("qstat", "-u", "*", "-g", "d").splitlines()[_QSTAT_HEADER:]
    return any(len(words) > _WITHOUT_TASK and "d" in words[_LETTERS] for words in map(str.split, lines))


def pending_tasks(qmaster: Qmaster) -> frozenset[tuple[int, int]]:
    """(job, task) of all tasks of arrays that wait."""
    return frozenset(_numbered(qmaster.must("qstat", "-u", "*", "-g", "d", "-s", "p")))


def _numbered(listing: str) -> Iterator[tuple[int, int]]:
    for words in (line.split() for line in listing.splitlines()[_QSTAT_HEADER:]):
        if len(words) > _WITHOUT_TASK:
            yield int(words[0]), int(words[-1])


def reservations(qmaster: Qmaster) -> list[SeenReservation]:
    """All advance reservations, in the order of their numbers."""
    lines = qmaster.run("qrstat", "-u", "*").out.splitlines()[_QRSTAT_HEADER:]
    numbers = [line.split()[0] for line in lines]
    return [_reservation(_xml(qmaster.must("qrstat", "-xml", "-ar", number))[0]) for number in numbers]


def _reservation(element: Element) -> SeenReservation:
    return SeenReservation(
        id=int(_text(element, "id")),
        owner=_text(element, "owner"),
        state=_text(element, "state"),
        start=_moment(_text(element, "start_time")),
        end=_moment(_text(element, "end_time")),
        granted={
            one.get("queue_instance", ""): int(one.get("slots", "0"))
            for one in element.iterfind("granted_slots_list/granted_slots")
        },
        requests=[(one.get("name", ""), one.get("type", "")) for one in element.iterfind("resource_list/resource")],
        users=[one.get("user", "") for one in element.iterfind("acl_list/acl")],
        environment=_text(element, "granted_parallel_environment/parallel_environment") or None,
        submitted=_moment(_text(element, "submission_time")),
        strict=_text(element, "error_handling") == "true",
    )


def _moment(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp())


def _xml(text: str) -> Element:
    # qstat writes a < inside a text as %lt; (clients.md#qstat--xml); it and qrstat have tags with blanks in them.
    return ElementTree.fromstring(_BLANKS.sub(lambda tag: tag[0].replace(" ", "_"), text.replace("%lt;", "&lt;")))


def _slots(queues: Element) -> Slots:
    """What each task holds of each queue instance: for parallel jobs only the list of queues tells it reliably."""
    return {
        (_text(queue, "name"), int(_text(job, "JB_job_number")), _text(job, "tasks") or "1"): int(_text(job, "slots"))
        for queue in queues.iterfind("queue_info/Queue-List")
        for job in queue.iterfind("job_list")
    }


def _jobs(listing: Element, details: Element, urgencies: dict[int, str], slots: Slots) -> Iterator[SeenJob]:
    submitted = {
        int(_text(job, "JB_job_number")): int(_text(job, "JB_submission_time"))
        for job in details.iterfind("djob_info/element")
    }
    started = {
        (int(_text(job, "JB_job_number")), int(_text(task, "JAT_task_number"))): int(_text(task, "JAT_start_time"))
        for job in details.iterfind("djob_info/element")
        for task in job.iterfind("JB_ja_tasks/ulong_sublist")
    }
    by_job: dict[int, list[Element]] = {}
    for line in listing.iter("job_list"):
        by_job.setdefault(int(_text(line, "JB_job_number")), []).append(line)
    for number, lines in sorted(by_job.items()):
        first = lines[0]
        columns = {name: _text(first, tag) for name, tag in _JOB_COLUMNS.items()}
        rows = list(_rows(number, lines, slots))
        for row in rows:
            row.started = started.get((number, row.tasks[0])) if row.granted else None
        yield SeenJob(
            id=number,
            name=_text(first, "full_job_name"),
            owner=_text(first, "JB_owner"),
            project=_text(first, "JB_project"),
            department=_text(first, "JB_department"),
            slots=min(sum(row.granted.values()) for row in rows) or int(_text(lines[-1], "slots")),
            submitted=submitted[number],
            columns=columns | {"urg": urgencies[number]},
            rows=rows,
        )


def _rows(job: int, lines: list[Element], slots: Slots) -> Iterator[Row]:
    """One row for each group of pending tasks and for each running task.

    The lines of a parallel task are in the order of the list of queues and not in that of its grants; but one of them
    names the master queue.
    """
    running: dict[str, Row] = {}
    for line in sorted(lines, key=lambda one: _text(one, "master") != "MASTER"):
        tasks = _text(line, "tasks") or "1"
        columns = {name: _text(line, tag) for name, tag in _ROW_COLUMNS.items()}
        ids = [number for first, last, step in parse_ranges(tasks) for number in range(first, last + 1, step)]
        row = Row(ids, _text(line, "state"), {}, columns)
        instance = _text(line, "queue_name")
        if not instance:
            yield row
        else:
            granted = line.find("granted_pe")
            row.environment = granted.get("name") if granted is not None else None
            running.setdefault(tasks, row).granted[instance] = slots[instance, job, tasks]
    yield from running.values()


def _urgencies(text: str) -> dict[int, str]:
    """Job -> urg, which the XML leaves out: the fourth word of a line of `qstat -urg`."""
    found = re.finditer(r"(?m)^ *(\d+) +\S+ +\S+ +(\S+)", text)
    return {int(match[1]): match[2] for match in found}


def _instances(queues: Element) -> Iterator[SeenInstance]:
    for queue in queues.iterfind("queue_info/Queue-List"):
        values = {
            f"{element.get('type')}:{element.get('name')}": element.text or "" for element in queue.iterfind("resource")
        }
        yield SeenInstance(
            name=_text(queue, "name"),
            state=_text(queue, "state"),
            used=int(_text(queue, "slots_used")),
            total=int(_text(queue, "slots_total")),
            values=values,
            reserved=int(_text(queue, "slots_resv") or 0),
        )


def _global_messages(details: Element) -> list[str]:
    elements = details.iterfind("messages/element/SME_global_message_list/element")
    return [_text(element, "MES_message") for element in elements]


def _text(element: Element, tag: str) -> str:
    return (element.findtext(tag) or "").strip()
