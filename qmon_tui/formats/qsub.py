"""Parse and format an option line of qsub, such as `-N blast -l h_vmem=2G -pe mpi 4-8 run.sh 600` (qsub(1))."""

import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from qmon_tui.formats.qsub_options import OPTIONS, JobOptions, Option
from qmon_tui.model import Request, TaskRange
from qmon_tui.values import format_qsub_date, nearest_word, slots_text

NO_COMMAND: Final = "STDIN"
"""Name of a job whose script comes from the standard input."""

RUNTIME_WITHOUT_ARGUMENT: Final = 3
"""Seconds that a simulated job runs when its command has no argument (lifecycle.md#run-time-of-a-simulated-job)."""

NO_OPTION: Final = "qsub has no option"


_WITH_DATES = ("-a", "-dl")
"""Options that depend on the current time; without them a line always means the same."""


@dataclass(frozen=True, slots=True)
class ParsedQsub:
    """A job's parsed options, its name, run time (seconds; None if unknown), and messages about bad options."""

    request: Request
    name: str
    runtime: int | None
    problems: tuple[str, ...] = ()


def is_option(word: str) -> bool:
    """True if qsub has such an option."""
    return word in OPTIONS


def parse_qsub(text: str, *, now: int = 0) -> ParsedQsub:
    """Parse the options and the command of a job; never raises: errors are in `problems`.

    `now` (seconds since the epoch) gives the year to dates without one. A later -l for a name replaces an earlier one.
    """
    return _parsed(text, now if any(option in text for option in _WITH_DATES) else 0)


@lru_cache(maxsize=4096)
def _parsed(text: str, now: int) -> ParsedQsub:
    try:
        words = shlex.split(text)
    except ValueError as error:
        return ParsedQsub(Request(), NO_COMMAND, RUNTIME_WITHOUT_ARGUMENT, (f"{error} in: {text}",))
    if words and words[0].rpartition("/")[2] == "qsub":
        words = words[1:]
    draft = JobOptions(now)
    command = _read(draft, words)
    request = draft.request(tuple(command))
    name = draft.name or (command[0].rpartition("/")[2] if command and command[0] != "-" else NO_COMMAND)
    if not name:
        draft.problems.append(f'"{command[0]}" gives the job no name')
    return ParsedQsub(request, name or NO_COMMAND, sleep_runtime(command), tuple(draft.problems))


def words_of_option(words: Sequence[str], position: int) -> int:
    """Return how many words the option at a position takes, itself included; 1 if qsub has no such option."""
    option = OPTIONS.get(words[position], Option(0))
    behind = position + 1
    optional = option.optional and behind < len(words) and option.optional.fullmatch(words[behind])
    return 1 + min(option.arguments + bool(optional), len(words) - behind)


def sleep_runtime(command: Sequence[str]) -> int | None:
    """Return the seconds of `sleep 600`; None for any other command, whose run time is unknown."""
    is_sleep = len(command) == 2 and command[0].rpartition("/")[2] == "sleep"
    return simulated_runtime(tuple(command)) if is_sleep else None


def simulated_runtime(command: list[str] | tuple[str, ...]) -> int:
    """Return the seconds that a simulated job runs: the leading number of its first argument.

    Source: lifecycle.md#run-time-of-a-simulated-job.
    """
    if len(command) < 2:
        return RUNTIME_WITHOUT_ARGUMENT
    number = re.match(r"[ \t]*([+-]?[0-9]{1,9})", command[1])
    return max(0, int(number.group(1))) if number else 0


def _read(draft: JobOptions, words: list[str]) -> list[str]:
    """Read the options at the front into `draft`; return the remaining words, the command."""
    position = 0
    while position < len(words):
        word = words[position]
        if not word.startswith("-") or word == "-":
            break
        position += 1
        option = OPTIONS.get(word)
        if option is None:
            option = OPTIONS.get(_unknown(draft, word), Option(0))
            position += min(option.arguments, len(words) - position)
            continue
        count = words_of_option(words, position - 1) - 1
        arguments = words[position : position + count]
        if len(arguments) < option.arguments:
            draft.problems.append(f"{word} needs {option.needs}")
            break
        position += count
        _take(draft, word, option, arguments)
    return words[position:]


def _unknown(draft: JobOptions, word: str) -> str:
    nearest = nearest_word(word, OPTIONS, 0.5)
    hint = f", did you mean {nearest}?" if nearest else ""
    draft.problems.append(f"{NO_OPTION} {word}{hint}")
    return nearest or ""


def _take(draft: JobOptions, word: str, option: Option, arguments: list[str]) -> None:
    if option.allowed and not option.allowed.fullmatch(arguments[0]):
        draft.problems.append(f"{word} {arguments[0]}: write {option.needs}")
    if option.read is None:
        draft.kept.append((word, " ".join(arguments)))
        return
    try:
        option.read(draft, arguments)
    except ValueError as error:
        reason = " ".join(str(error).split("\n"))
        draft.problems.append(f"{word} {' '.join(arguments)}: {reason}")


_Read = Callable[[Request], str]


def qsub_line(request: Request, name: str = "") -> str:
    """Return the options, in fixed order, and the command; `parse_qsub` reads the same request from it."""
    words = [*_kept(request), *(["-N", name] if name else []), *_lists(request), *_single(request)]
    return shlex.join([*words, *request.command])


def _kept(request: Request) -> Iterator[str]:
    for option, argument in request.kept:
        yield option
        if argument:
            yield argument


def _lists(request: Request) -> Iterator[str]:
    if request.hard or request.has_empty_list:
        yield from ("-l", _resources(request.hard))
    if request.hard_queues:
        yield from ("-q", ",".join(request.hard_queues))
    if request.soft or request.soft_queues:
        yield "-soft"
        if request.soft:
            yield from ("-l", _resources(request.soft))
        if request.soft_queues:
            yield from ("-q", ",".join(request.soft_queues))
        yield "-hard"
    for option, names in (
        ("-masterq", request.master_queues),
        ("-hold_jid", request.hold_jid),
        ("-hold_jid_ad", request.hold_jid_ad),
    ):
        if names:
            yield from (option, ",".join(names))


def _resources(requests: tuple[tuple[str, str | None], ...]) -> str:
    return ",".join(name if value is None else f"{name}={value}" for name, value in requests)


def _single(request: Request) -> Iterator[str]:
    if request.pe is not None:
        yield from ("-pe", request.pe.name, slots_text(request.pe.ranges))
    for option, read in _OPTIONS.items():
        text = read(request)
        if text:
            yield from (option, text)


def _tasks(array: TaskRange | None) -> str:
    return f"{array.first}-{array.last}:{array.step}" if array is not None else ""


def _date(seconds: int | None) -> str:
    return format_qsub_date(seconds) if seconds is not None else ""


def _number(value: int) -> str:
    return str(value) if value else ""


_OPTIONS: Final[dict[str, _Read]] = {
    "-t": lambda request: _tasks(request.array),
    "-tc": lambda request: _number(request.max_running_tasks),
    "-p": lambda request: _number(request.priority),
    "-P": lambda request: request.project or "",
    "-A": lambda request: request.account or "",
    "-a": lambda request: _date(request.start_time),
    "-dl": lambda request: _date(request.deadline),
    "-h": lambda request: request.hold,
    "-js": lambda request: _number(request.job_share),
    "-ot": lambda request: _number(request.override_tickets),
    "-R": lambda request: "y" if request.reserve else "",
    "-r": lambda request: request.rerun,
    "-now": lambda request: "y" if request.immediate else "",
    "-ckpt": lambda request: request.checkpoint or "",
    "-c": lambda request: request.checkpoint_when,
    "-ar": lambda request: request.advance_reservation or "",
    "-w": lambda request: request.verify,
}
"""Option -> its argument; empty if the option is not needed."""
