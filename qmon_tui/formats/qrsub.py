"""The options of qrsub: `-a 202601011200 -d 3600 -pe mpi 4 -l lic=1 -u anna,@staff` (qrsub(1))."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from qmon_tui.formats.qalter_application import split_options
from qmon_tui.formats.qsub import NO_OPTION, is_option, parse_qsub
from qmon_tui.formats.qsub_options import ONLY_QRSUB, SWITCH, word_of
from qmon_tui.model import Request
from qmon_tui.values import INFINITE, parse_number, parse_qsub_date


@dataclass(frozen=True, slots=True)
class ParsedQrsub:
    """A parsed reservation: `start` and `end` (seconds since the epoch), its request, and what is wrong with it."""

    start: int
    end: int
    request: Request
    users: tuple[str, ...] = ()
    strict: bool = False
    name: str = ""
    problems: tuple[str, ...] = ()
    only_verifies: bool = False
    """True with -w v: the qmaster only verifies and grants nothing."""

    @property
    def duration(self) -> int:
        """Duration in seconds."""
        return self.end - self.start


_NAMES = "-N"
_CHOICES: Mapping[str, re.Pattern[str]] = {"-w": re.compile("[ev]"), "-he": SWITCH, "-now": SWITCH}
"""Option -> pattern of the words that it accepts."""
_OWN = ("-a", "-l", "-q", "-masterq", "-pe", "-ckpt", "-A", _NAMES, "-d", "-e", "-u", "-m", "-M", *_CHOICES)
"""Options of qrsub; most mean the same as for qsub."""


def parse_qrsub(text: str, *, now: int) -> ParsedQrsub:
    """Parse the options; never raises: errors are in `problems`, in the words of 8.1.9 if it has any."""
    parsed = parse_qsub(text, now=now)
    problems = [problem for problem in parsed.problems if not _only_of_qsub(problem)]
    refused = _refused(text)
    kept = dict(parsed.request.kept)
    end, duration = _date(kept.get("-e"), now, problems), _seconds(kept.get("-d"), problems)
    start, has_start = parsed.request.start_time, parsed.request.start_time is not None
    if start is None:
        has_start = end is not None and duration > 0
        start = end - duration if end is not None and has_start else now
    if has_start and start < now:
        problems.append("start time is in the past")
    if end is None and not duration:
        problems.append('missing value for "end time or duration" in advance reservation request')
    elif end is not None and duration and end - start != duration:
        problems.append("difference between end and start time does not correspond to duration")
    elif end is not None and end <= start:
        problems.append("start time is later than end time")
    if len(parsed.request.command) > 1:
        problems.append("error: invalid option argument")
    users = tuple(name for name in kept.get("-u", "").split(",") if name)
    strict = kept.get("-he", "n").lower().startswith("y")
    name = parsed.name if _NAMES in text.split() else ""
    end = min(start + duration, INFINITE) if end is None else end
    return ParsedQrsub(start, end, parsed.request, users, strict, name,
                       (refused,) if refused else tuple(problems), parsed.request.verify == "v")  # fmt: skip


def _only_of_qsub(problem: str) -> bool:
    """True if qrsub has no such problem, or reports it with its own message."""
    option = problem.partition(" ")[0]
    is_reported_here = option in (*_CHOICES, _NAMES) or (is_option(option) and option not in _OWN)
    return is_reported_here or problem.startswith(NO_OPTION) or ONLY_QRSUB in problem


def _refused(line: str) -> str | None:
    """Return the message about the first unreadable option, else about the first that only qsub has; None if fine."""
    foreign: str | None = None
    for option, *arguments in (piece.words for piece in split_options(line) if piece.option):
        if option not in _OWN:
            if not is_option(option):
                return f'qrsub: invalid option argument "{option}"'
            foreign = foreign or f'error: invalid option argument "{option}"'
        elif option in _CHOICES and not arguments:
            return f"qrsub: {option} option must have argument"
        elif option in _CHOICES and not _CHOICES[option].fullmatch(arguments[0]):
            return f'qrsub: invalid option argument "{option} {arguments[0]}"'
        elif option == _NAMES and any("/" in name for name in arguments):
            return f"qrsub: argument to {_NAMES} option must not contain /"
    return foreign


def _date(text: str | None, now: int, problems: list[str]) -> int | None:
    if text is None:
        return None
    try:
        return parse_qsub_date(text, now=now)
    except ValueError as error:
        problems.append(f"-e {text}: {error}")
        return None


def _seconds(text: str | None, problems: list[str]) -> int:
    if text is None:
        return 0
    try:
        return word_of(parse_number(text, infinity=False))
    except ValueError:
        problems.append(f"-d {text}: write seconds, or hours:minutes:seconds")
        return 0
