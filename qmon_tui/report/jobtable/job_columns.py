"""The columns of the job table: all columns of qstat, and every option of qsub."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any, Final

from qmon_tui.model import Request
from qmon_tui.report.grid_rows import Column, table_lines
from qmon_tui.report.jobtable.job_rows import JobTableRow
from qmon_tui.report.live_jobs import REFUSED_WORDS, reserved_words
from qmon_tui.report.spans import Line, TextRole
from qmon_tui.report.words import first_and_more, shown_figure, without_domains
from qmon_tui.values import slots_text, tickets_text, urgency_text
from qmon_tui.workspace import Figures

Text = Callable[[JobTableRow], str]


@dataclass(frozen=True, slots=True)
class JobColumn:
    """One column. `least` and `most` limit its width; `order` returns the sort key of a row, None sorts by text."""

    key: str
    """Its name in filters."""
    title: str
    help: str
    text: Text
    least: int
    most: int
    right: bool = False
    order: Callable[[JobTableRow], Any] | None = None
    role: TextRole = TextRole.PLAIN
    descending: bool = False
    """True if the first click sorts from high to low."""


_NO_REQUEST: Final = Request()


def request_of(row: JobTableRow) -> Request:
    """Return the request of the job of a row; an empty one if the job is gone."""
    return row.known.request if row.known else _NO_REQUEST


def time_words(seconds: float | None) -> str:
    """Return a time as qstat writes it; empty for None."""
    return "" if seconds is None else datetime.fromtimestamp(seconds).strftime("%m/%d/%Y %H:%M:%S")


def _option(key: str, title: str, help_: str, read: Callable[[Request], str], most: int = 14) -> JobColumn:
    return JobColumn(key, title, help_, lambda row: read(request_of(row)), min(len(title), most), most)


def _unscheduled_option(key: str, option: str, help_: str, most: int = 20) -> JobColumn:
    """Return the column of an option that scheduling ignores: its argument, or `y` if it has none."""

    def read(request: Request) -> str:
        return ",".join(argument or "y" for kept_option, argument in request.kept if kept_option == option)

    return _option(key, key, f"{help_} ({option})", read, most)


def _number_option(key: str, title: str, help_: str, read: Callable[[Request], int]) -> JobColumn:
    return JobColumn(key, title, help_, lambda row: str(read(request_of(row)) or ""), len(title), 10, True,
                     lambda row: read(request_of(row)), descending=True)  # fmt: skip


OPTION_COLUMNS: Final[tuple[JobColumn, ...]] = (
    _number_option("js", "jobshare", "job share (-js)", lambda request: request.job_share),
    _number_option("tc", "at once", "tasks that may run at the same time (-tc)",
                   lambda request: request.max_running_tasks),
    _option("reserve", "reserve", "a reservation is wanted (-R y)", lambda request: "y" if request.reserve else ""),
    _option("rerun", "rerun", "may be run again (-r)", lambda request: request.rerun),
    _option("now", "now", "immediately or not at all (-now y)", lambda request: "y" if request.immediate else ""),
    _option("ckpt", "ckpt", "checkpointing environment (-ckpt)", lambda request: request.checkpoint or ""),
    _option("ar", "ar", "advance reservation (-ar)", lambda request: request.advance_reservation or ""),
    JobColumn("before", "not before", "not before that time (-a)",
              lambda row: time_words(request_of(row).start_time), 10, 19,
              order=lambda row: request_of(row).start_time or 0),
    _option("hardq", "queues", "queues that it may use (-q)", lambda request: ",".join(request.hard_queues), 20),
    _option("softq", "soft queues", "queues that it prefers (-soft -q)",
          lambda request: ",".join(request.soft_queues), 20),
    _option("masterq", "masterq", "queues of the master task (-masterq)",
          lambda request: ",".join(request.master_queues), 20),
    _option("command", "command", "the command with its arguments", lambda request: " ".join(request.command), 30),
    _unscheduled_option("cwd", "-cwd", "in the folder of its submission", 4),
    _unscheduled_option("wd", "-wd", "working directory"),
    _unscheduled_option("stdout", "-o", "where the output goes"),
    _unscheduled_option("stderr", "-e", "where errors go"),
    _unscheduled_option("merge", "-j", "errors go to the output", 5),
    _unscheduled_option("mail", "-m", "when mail is sent", 6),
    _unscheduled_option("mailto", "-M", "who gets the mail"),
    _unscheduled_option("notify", "-notify", "a signal before it is suspended or killed", 6),
    _unscheduled_option("context", "-ac", "context"),
    _unscheduled_option("shell", "-S", "shell"),
    _unscheduled_option("env", "-v", "variables"),
)  # fmt: skip


def _five_decimals(read: Callable[[JobTableRow], float]) -> Text:
    return lambda row: f"{read(row):.5f}"


def requested(request: Request) -> str:
    """Return the resources of -l: `gpu=1 soft:arch=lx-amd64`."""
    hard = ",".join(name if text is None else f"{name}={text}" for name, text in request.hard)
    soft = ",".join(name if text is None else f"{name}={text}" for name, text in request.soft)
    return " ".join(filter(None, (hard, f"soft:{soft}" if soft else "")))


def environment(request: Request) -> str:
    """Return the parallel environment with its slots: `mpi 4-8`; empty without one."""
    return "" if request.pe is None else f"{request.pe.name} {slots_text(request.pe.ranges)}"


def _used(kind: str) -> Text:
    def text(row: JobTableRow) -> str:
        if not row.granted or row.whole:
            return ""
        used = row.before.used if row.before else None
        return "NA" if used is None or kind not in used else f"{used[kind]:.5g}"

    return text


def _queue(row: JobTableRow) -> str:
    """Return where the job runs, or start and place of its reservation."""
    if row.job.rejected:
        return REFUSED_WORDS
    now, after = row.instances, row.instances_after
    if not now and not (after and row.figures is Figures.CHANGES) and row.reserved is not None:
        return reserved_words(row.reserved, row.at)
    texts = (first_and_more(without_domains(places).values()) for places in (now, after))
    return shown_figure(row.figures, *texts)


def _slots(row: JobTableRow) -> str:
    now, after = (str(row.job.slots_of(row.task, after=after)) for after in (False, True))
    return shown_figure(row.figures, now, after)


def _reserved_from(row: JobTableRow) -> float | None:
    return row.reserved.reserved_from if row.reserved is not None else None


def _holds(row: JobTableRow) -> str:
    """Return the hold letters of the first task, else those of the job's request if the task is held."""
    own = row.before
    return (own.hold if own else "") or (request_of(row).hold if own is None or "h" in own.state else "")


def _waits_for(row: JobTableRow) -> str:
    return ",".join((*request_of(row).hold_jid, *request_of(row).hold_jid_ad))


def _number(
    key: str, title: str, help_: str, read: Callable[[JobTableRow], float], role: TextRole = TextRole.PLAIN
) -> JobColumn:
    return JobColumn(key, title, help_, _five_decimals(read), 7, 7, True, read, role, descending=True)


def _amount(
    key: str, title: str, help_: str, read: Callable[[JobTableRow], float], role: TextRole = TextRole.PLAIN
) -> JobColumn:
    shown = tickets_text if role is TextRole.TICKETS else urgency_text
    least = max(5, len(title))
    return JobColumn(key, title, help_, lambda row: shown(read(row)), least, 8, True, read, role, descending=True)


_U, _T, _P = TextRole.URGENCY, TextRole.TICKETS, TextRole.POSIX

COLUMNS: Final[tuple[JobColumn, ...]] = (
    JobColumn("job", "job-ID", "the number of the job", lambda row: str(row.job.id), 6, 7, True,
              lambda row: row.job.id),
    _number("prior", "prior", "the priority by which jobs are sorted", lambda row: row.task.prior),
    JobColumn("made", "made of", "urgency, tickets and POSIX priority as parts of the priority", lambda _: "", 10, 10),
    _number("nurg", "nurg", "urgency, normalised to 0 … 1", lambda row: row.job.nurg, _U),
    _number("npprior", "npprior", "POSIX priority, normalised to 0 … 1", lambda row: row.job.npprior, _P),
    _number("ntckts", "ntckts", "tickets, normalised to 0 … 1", lambda row: row.task.ntckts, _T),
    _amount("ppri", "ppri", "the POSIX priority of -p", lambda row: row.job.ppri, _P),
    _amount("urg", "urg", "urgency: rrcontr, wtcontr and dlcontr together", lambda row: row.job.urg, _U),
    _amount("rrcontr", "rrcontr", "urgency of the requested resources", lambda row: row.job.rrcontr, _U),
    _amount("wtcontr", "wtcontr", "urgency of the waiting time", lambda row: row.job.wtcontr, _U),
    _amount("dlcontr", "dlcontr", "urgency of the deadline", lambda row: row.job.dlcontr, _U),
    JobColumn("name", "name", "the name of the job (-N)", lambda row: row.job.name, 10, 16),
    JobColumn("owner", "user", "who submitted it", lambda row: row.job.owner, 6, 12, role=TextRole.DIM),
    JobColumn("group", "group", "the primary group of its owner", lambda row: row.known.group if row.known else "",
              5, 12, role=TextRole.DIM),
    JobColumn("project", "project", "the project (-P)", lambda row: row.job.project or "NA", 7, 16, role=TextRole.DIM),
    JobColumn("department", "department", "the department of its owner", lambda row: row.job.department, 10, 17,
              role=TextRole.DIM),
    JobColumn("state", "state", "qstat's letters; the number of tasks in each where they differ",
              lambda row: row.state, 8, 20),
    JobColumn("at", "submit/start at", "when it was started, or submitted while it waits",
              lambda row: time_words(row.since), 19, 19, order=lambda row: row.since),
    JobColumn("submitted", "submitted", "when it was submitted",
              lambda row: time_words(row.known.submitted if row.known else None), 19, 19,
              order=lambda row: row.known.submitted if row.known else 0),
    JobColumn("deadline", "deadline", "the deadline (-dl)", lambda row: time_words(request_of(row).deadline), 8, 19,
              order=lambda row: request_of(row).deadline or 0),
    JobColumn("cpu", "cpu", "processor time used, seconds", _used("cpu"), 4, 10, True),
    JobColumn("mem", "mem", "memory used over time, gigabyte seconds", _used("mem"), 4, 9, True),
    JobColumn("io", "io", "data moved, gigabytes", _used("io"), 4, 9, True),
    _amount("tckts", "tckts", "all tickets", lambda row: row.task.tckts, _T),
    _amount("ovrts", "ovrts", "override tickets of -ot", lambda row: row.job.ovrts, _T),
    _amount("otckt", "otckt", "override tickets", lambda row: row.task.otckt, _T),
    _amount("ftckt", "ftckt", "functional tickets", lambda row: row.task.ftckt, _T),
    _amount("stckt", "stckt", "share tree tickets", lambda row: row.task.stckt, _T),
    JobColumn("share", "share", "its share of all tickets", lambda row: f"{row.task.share:.2f}", 5, 5, True,
              lambda row: row.task.share, _T, descending=True),
    JobColumn("queue", "queue", "its queue instance, +n for others; or the start of its reservation", _queue, 16, 30),
    JobColumn("reserved", "reserved from", "start of its reservation (-R y)",
              lambda row: time_words(_reserved_from(row)), 13, 19, order=lambda row: _reserved_from(row) or 0),
    JobColumn("slots", "slots", "the slots of each task", _slots, 5, 9, True,
              lambda row: row.job.slots_of(row.task, after=row.figures is Figures.NEXT), descending=True),
    JobColumn("tasks", "ja-task-ID", "the tasks of an array", lambda row: row.task_ids, 10, 16),
    JobColumn("pe", "pe", "the parallel environment and its slots (-pe)",
              lambda row: environment(request_of(row)), 6, 16),
    JobColumn("request", "requests", "the resources that it asks for (-l)",
              lambda row: requested(request_of(row)), 10, 40),
    JobColumn("account", "account", "the account (-A)", lambda row: request_of(row).account or "", 7, 14),
    JobColumn("hold", "hold", "its holds: u user, o operator, s system", _holds, 4, 4),
    JobColumn("after", "waits for", "the jobs that it waits for (-hold_jid)", _waits_for, 9, 16),
    JobColumn("started", "started", "when its first task was started",
              lambda row: time_words(row.since if row.granted and not row.whole else None), 19, 19,
              order=lambda row: row.since if row.granted and not row.whole else 0),
    *OPTION_COLUMNS,
)  # fmt: skip
BY_KEY: Final[Mapping[str, JobColumn]] = MappingProxyType({column.key: column for column in COLUMNS})

_PLACE: Final = ("queue", "slots", "tasks")
PRESETS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "qstat": ("job", "prior", "made", "name", "owner", "state", "at", *_PLACE),
        "qstat -pri": ("job", "prior", "nurg", "npprior", "ntckts", "ppri", "name", "owner", "state", "at", *_PLACE),
        "qstat -urg": (
            *("job", "prior", "nurg", "urg", "rrcontr", "wtcontr", "dlcontr", "name", "owner", "state", "at"),
            *("deadline", *_PLACE),
        ),
        "qstat -ext": (
            *("job", "prior", "ntckts", "name", "owner", "project", "department", "state", "cpu", "mem", "io"),
            *("tckts", "ovrts", "otckt", "ftckt", "stckt", "share", *_PLACE),
        ),
        "requests": ("job", "prior", "name", "owner", "state", "slots", "pe", "request", "after", "queue", "tasks"),
    }
)
"""Name -> keys of columns; the first set is the default."""

_WORDS: Final[Mapping[str, Callable[[JobTableRow], Iterable[str]]]] = MappingProxyType(
    {
        "queue": lambda row: (name for place in _places(row) for name in (place, place.partition("@")[0])),
        "state": lambda row: row.states,
        "pe": lambda row: filter(None, (request_of(row).pe.name if request_of(row).pe else "",)),  # type: ignore[union-attr]
        "host": lambda row: (place.partition("@")[2] for place in _places(row)),
        "hold": _holds,
        "job": lambda row: (str(row.job.id),),
        "after": lambda row: (*request_of(row).hold_jid, *request_of(row).hold_jid_ad),
        "request": lambda row: _resource_words(request_of(row)),
    }
)


def _places(row: JobTableRow) -> Iterable[str]:
    """Return the queue instances that the row shows."""
    return (*row.instances, *(row.instances_after if row.figures is Figures.CHANGES else ()))


def _resource_words(request: Request) -> Iterable[str]:
    for name, text in (*request.hard, *request.soft):
        yield name
        if text is not None:
            yield f"{name}={text}"


def words_of(key: str, row: JobTableRow) -> Iterable[str]:
    """Return the words that a filter on a column compares with."""
    special = _WORDS.get(key)
    return special(row) if special else (BY_KEY[key].text(row),)


def value_of(column: JobColumn, row: JobTableRow) -> Any:
    """Return the sort key of a row in a column."""
    return column.order(row) if column.order else column.text(row)


def columns_named(keys: Sequence[str]) -> tuple[JobColumn, ...]:
    """Return the columns of some keys without unknown ones (of older versions); the default set if none is left."""
    columns = tuple(BY_KEY[key] for key in keys if key in BY_KEY)
    return columns or columns_named(next(iter(PRESETS.values())))


def printed_jobs(rows: Iterable[JobTableRow], names: Sequence[str], width: int) -> Iterator[Line]:
    """Yield the lines of a table of jobs with these columns as commands print it."""
    columns = columns_named(names)
    heads = [Column(column.key, column.title, "right" if column.right else "left") for column in columns]
    return table_lines(heads, ([column.text(row) for column in columns] for row in rows), width)
