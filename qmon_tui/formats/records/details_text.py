"""Read the text output of `qstat -j` and `qacct -j`: blocks of `name: value` after a line of `=`.

Source: clients.md#qstat--j and clients.md#qacct.
"""

import re
import shlex
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Final

from qmon_tui.formats.qsub import parse_qsub
from qmon_tui.formats.records.job_builders import (
    MOST_SLOTS,
    MOST_TASKS,
    UNKNOWN,
    JobBuilder,
    instance_name,
    one_line,
    read_task_state,
    too_many_tasks,
)
from qmon_tui.formats.records.record import moment
from qmon_tui.model import HIGHEST_NUMBER, Request
from qmon_tui.model.messages import ERROR_STATE, HOLD_STATE, NO_MESSAGES, message
from qmon_tui.values import canonical, decimal_number, format_qsub_date, need_whole_number

RULE: Final = re.compile(r"={20,}\s*")
_RULE_BEHIND: Final = "=" * 40
"""Appended after the last block of `qacct -j`, which has none."""
DETAILS: Final = re.compile(r"job_number:.*")
ACCOUNTS: Final = re.compile(r"qname\s+\S")

_LINE: Final = re.compile(
    r"(?P<name>[A-Za-z][\w.\-]*(?: [A-Za-z][\w\-]*)*(?: \(req\))?)(?: +(?P<task>\d+))?: *(?P<text>.*)"
)
_CONTINUED: Final = re.compile(r"\s{20,}(?P<text>\S.*)")
_PE: Final = re.compile(r"(?P<name>\S+)\s+range:\s+(?P<ranges>\S+)")
_RUNS: Final = frozenset({"usage", "exec host list", "exec queue list"})
_HELD, _IN_ERROR = message(HOLD_STATE), message(ERROR_STATE)
_SILENT: Final = ("(", message(NO_MESSAGES))
"""Beginnings of scheduling info that contains no message about the job."""
_OPEN_END: Final = "9999999"
_ASCTIME: Final = ("%a %b %d %H:%M:%S %Y", "%m/%d/%Y %H:%M:%S.%f", "%m/%d/%Y %H:%M:%S")


def read_moment(text: str) -> int | None:
    """Parse a time as qstat -j and qacct print it (seconds since the epoch); None if undefined. Raises ValueError."""
    words = " ".join(text.split())
    if words in ("", "-/-", "undefined"):
        return None
    for form in _ASCTIME:
        try:
            return int(datetime.strptime(words, form).timestamp()) or None
        except ValueError:
            continue
    return moment(words)


def _places(text: str) -> dict[str, int]:
    """Return name -> slots of `node01:2, node02:1`. Raises ValueError."""
    places: dict[str, int] = {}
    for word in text.replace(",", " ").split():
        place, _, count = word.partition(":")
        name = instance_name(place) if "@" in place else canonical(place)
        slots = need_whole_number(f"the number of slots on {name}", count or "1", 0, MOST_SLOTS)
        places[name] = places.get(name, 0) + slots
    return {name: slots for name, slots in places.items() if slots}


@dataclass(slots=True)
class JobDetails:
    """One block of qstat -j: name (blanks for underscores) -> value, and task -> state, start, places and reason."""

    line: int
    say: Callable[[int, str], None]
    values: dict[str, str] = field(default_factory=dict)
    running: set[int] = field(default_factory=set)
    states: dict[int, str] = field(default_factory=dict)
    started: dict[int, int | None] = field(default_factory=dict)
    places: dict[int, dict[str, int]] = field(default_factory=dict)
    """Task -> queue instance -> slots; only forks print it."""
    reasons: dict[int, str] = field(default_factory=dict)
    messages: list[str] = field(default_factory=list)
    _name: str = ""

    def take(self, line: str) -> None:
        if match := _LINE.fullmatch(line):
            self._name = match["name"].replace("_", " ")
            if match["task"] is not None:
                self._of_task(match["task"], match["text"])
            elif self._name == "scheduling info":
                self.messages.append(match["text"])
            else:
                self.values.setdefault(self._name, match["text"].strip())
        elif self._name == "scheduling info" and (match := _CONTINUED.fullmatch(line)):
            self.messages.append(match["text"])

    def _of_task(self, number: str, text: str) -> None:
        try:
            task = need_whole_number(f"the task of {self._name}", number, 1, MOST_TASKS)
            if self._name in _RUNS:
                self.running.add(task)
            if self._name == "job state":
                self.states[task] = read_task_state(text.strip())
            elif self._name == "error reason":
                self.reasons.setdefault(task, one_line(text))
            elif self._name == "start time":
                self.started[task] = read_moment(text)
            elif self._name == "exec queue list":
                self.places[task] = _places(text)
            elif self._name == "exec host list":
                self.places.setdefault(task, {f"{UNKNOWN}@{host}": slots for host, slots in _places(text).items()})
        except ValueError as error:
            self.say(self.line, str(error))

    @property
    def number(self) -> int:
        """The number of the job. Raises ValueError."""
        return need_whole_number("job_number", self.values.get("job number", ""), 1, HIGHEST_NUMBER)

    def take_into(self, draft: JobBuilder) -> None:
        """Add the job's request to a draft and, unless a listing has its tasks, the states of its tasks."""
        values = self.values
        draft.owner = values.get("owner", draft.owner)
        draft.group = values.get("group", draft.group)
        draft.name = values.get("job name", draft.name)
        try:
            submitted = read_moment(values.get("submission time", ""))
            asked = parse_qsub(shlex.join(self._words()))
            array = asked.request.array
            if array is not None and len(array.ids) > MOST_TASKS:
                raise too_many_tasks(values["job-array tasks"])
        except ValueError as error:
            self.say(self.line, str(error))
            return
        draft.submitted = draft.submitted if submitted is None else submitted
        for problem in asked.problems:
            self.say(self.line, f"job {draft.id}: {problem}")
        draft.request = {
            part.name: value
            for part in fields(Request)
            if part.name not in ("array", "hold") and (value := getattr(asked.request, part.name)) != part.default
        }
        draft.is_detailed = True
        draft.array = array
        if not draft.tasks and not draft.pending:
            self._guess(draft)
        for number, task in draft.tasks.items():
            task.reason = task.reason or (self.reasons.get(number, "") if "E" in task.state else "")
            if task.started is None:
                task.started = self.started.get(number)
            if task.runs_nowhere:
                task.whole = self.places.get(number, {})

    def _guess(self, draft: JobBuilder) -> None:
        """Guess the tasks' states: running ones have usage, and scheduling info reports holds and errors."""
        numbers = draft.array.ids if draft.array is not None else (1,)
        usual_state = "hqw" if draft.array is None and _HELD in self.messages else "qw"
        # A task that failed because of its queue instance keeps the reason while it waits again.
        has_info = any(not text.startswith(_SILENT) for text in self.messages)
        failed = self.reasons.keys() - self.running - self.states.keys()
        in_error = failed if _IN_ERROR in self.messages or not has_info else frozenset[int]()
        draft.is_error_guessed = bool(in_error) and not has_info
        for number in numbers:
            waiting_state = "Eqw" if number in in_error else usual_state
            state = self.states.get(number, "r" if number in self.running else waiting_state)
            if state == "qw":
                draft.waits((number,))
            else:
                draft.task(number, state)

    def _words(self) -> Iterator[str]:
        """Yield the job's request as words of qsub."""
        values = self.values
        for name, options in _LISTS.items():
            if listed := values.get(name):
                yield from (*options, listed)
        if match := _PE.match(values.get("parallel environment", "")):
            ranges = [part.removesuffix(_OPEN_END) for part in match["ranges"].split(",")]
            yield from ("-pe", match["name"], ",".join(ranges))
        for name, option in _OPTIONS.items():
            text = values.get(name, "")
            if text and text not in ("NONE", "0") and (name, text) != ("account", "sge"):
                yield from (option, text)
        for name, option in (("execution time", "-a"), ("deadline", "-dl")):
            if (when := read_moment(values.get(name, ""))) is not None:
                yield from (option, format_qsub_date(when))
        predecessors = values.get("jid predecessor list") or values.get("jid predecessor list (req)")
        if predecessors:
            yield from ("-hold_jid", "".join(predecessors.split()))
        if arrays := values.get("ja ad predecessor list") or values.get("ja ad predecessor list (req)"):
            yield from ("-hold_jid_ad", "".join(arrays.split()))
        if tasks := values.get("job-array tasks"):
            yield from ("-t", tasks)
        if script := values.get("script file"):
            yield script
            arguments = values.get("job args", "")
            yield from arguments.split(",") if arguments else ()


_LISTS: Final = {
    "hard resource list": ("-hard", "-l"),
    "hard queue list": ("-hard", "-q"),
    "soft resource list": ("-soft", "-l"),
    "soft queue list": ("-soft", "-q"),
    "master hard queue list": ("-masterq",),
}
_OPTIONS: Final = {
    "priority": "-p",
    "project": "-P",
    "account": "-A",
    "jobshare": "-js",
    "oticket": "-ot",
    "maximum concurrency": "-tc",
    "checkpoint object": "-ckpt",
    "checkpoint attr": "-c",
    "reserve": "-R",
    "restart": "-r",
    "ar id": "-ar",
}


_UNITS: Final = {"K": 1 / 1024**2, "M": 1 / 1024, "G": 1.0, "T": 1024.0, "P": 1024.0**2}
_AMOUNT: Final = re.compile(r"(?P<number>-?\d+(?:\.\d+)?)(?P<unit>[KMGTP]?)(?P<bytes>B?)s?")
_TIMES: Final = {"submission_time": "qsub_time", "start_time": "start_time", "end_time": "end_time"}
_NO_TASK: Final = ("", "undefined", "NONE")
_RENAMED: Final = {"job_name": "jobname", "job_number": "jobnumber", "task_number": "taskid"}


def accounting_records(
    lines: Iterable[str], names: tuple[str, ...], say: Callable[[int, str], None]
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield each block of `qacct -j` as (line, record of accounting(5) by field name)."""
    block: dict[str, str] = {}
    begun = 0
    for number, line in enumerate((*lines, _RULE_BEHIND), 1):
        name, _, text = line.rstrip().partition(" ")
        if RULE.fullmatch(line):
            if "jobnumber" in block:
                try:
                    yield begun, _record(block, names)
                except ValueError as error:
                    say(begun, str(error))
            block, begun = {}, number + 1
        elif name and text and begun:
            block.setdefault(name, text.strip())


def _record(block: dict[str, str], names: tuple[str, ...]) -> dict[str, str]:
    record = {name: block.get(_RENAMED.get(name, name), "") for name in names}
    for name, printed in _TIMES.items():
        record[name] = str(read_moment(block.get(printed, "")) or 0)
    if record["task_number"] in _NO_TASK:
        record["task_number"] = "0"
    for name in ("ru_wallclock", "cpu", "mem", "io"):
        record[name] = _amount(record[name])
    return record


def _amount(text: str) -> str:
    """Return an amount as a plain number of seconds, gigabyte seconds or gigabytes; other texts unchanged."""
    match = _AMOUNT.fullmatch(text)
    number = decimal_number(match["number"]) if match is not None else None
    if match is None or number is None:
        return text
    if match["bytes"] and not match["unit"]:
        number /= 1024**3
    return str(number * _UNITS.get(match["unit"], 1.0))
