"""The options of qsub, as in `-N blast -l h_vmem=2G -pe mpi 4-8 run.sh 600` (qsub(1))."""

import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import lru_cache
from typing import Final

from qmon_tui.formats.qsub_values import (
    c_integer,
    check_binding,
    check_checkpoint,
    check_paths,
    check_verifier,
    unsigned,
)
from qmon_tui.model.state import PeRequest, Request, TaskRange
from qmon_tui.values.ranges import parse_ranges
from qmon_tui.values.times import parse_qsub_date

NO_COMMAND: Final = "STDIN"
"""Name of a job whose script comes from the standard input."""

RUNTIME_WITHOUT_ARGUMENT: Final = 3
"""Seconds that a simulated job runs when its command has no argument (semantics/lifecycle.md section 8.2)."""

ONLY_QRSUB: Final = "this is an option of qrsub"
NO_OPTION: Final = "qsub has no option"

PRIORITIES: Final = range(-1023, 1025)


@dataclass(frozen=True, slots=True)
class ParsedQsub:
    """A job's options understood, its default name and run time (seconds), and what could not be understood."""

    request: Request
    name: str
    runtime: int
    problems: tuple[str, ...] = ()


def is_option(word: str) -> bool:
    """Whether qsub has such an option."""
    return word in _OPTIONS


@lru_cache(maxsize=4096)
def parse_qsub(text: str, *, now: int = 0) -> ParsedQsub:
    """Read the options and the command of a job; never raises, what is wrong is in `problems`.

    `now` (seconds since the epoch) gives the year to dates without one. A later -l for a name replaces an earlier one.
    """
    try:
        words = shlex.split(text)
    except ValueError as error:
        return ParsedQsub(Request(), NO_COMMAND, RUNTIME_WITHOUT_ARGUMENT, (f"{error} in: {text}",))
    if words and words[0].rpartition("/")[2] == "qsub":
        words = words[1:]
    draft = _Draft(now)
    command = draft.read(words)
    request = draft.request(tuple(command))
    name = draft.name or _default_name(command)
    if not name:
        draft.problems.append(f'"{command[0]}" gives the job no name')
    return ParsedQsub(request, name or NO_COMMAND, simulated_runtime(command), tuple(draft.problems))


def words_of_option(words: Sequence[str], position: int) -> int:
    """How many words the option at a position takes, itself included; 1 for what is no option of qsub."""
    option = _OPTIONS.get(words[position], _Option(0))
    behind = position + 1
    optional = option.optional and behind < len(words) and option.optional.fullmatch(words[behind])
    return 1 + min(option.arguments + bool(optional), len(words) - behind)


def simulated_runtime(command: list[str] | tuple[str, ...]) -> int:
    """Seconds that a simulated job runs: the leading number of its first argument (lifecycle.md section 8.2)."""
    if len(command) < 2:
        return RUNTIME_WITHOUT_ARGUMENT
    number = re.match(r"[ \t]*([+-]?[0-9]{1,9})", command[1])
    return max(0, int(number.group(1))) if number else 0


def _default_name(command: list[str]) -> str:
    return command[0].rpartition("/")[2] if command and command[0] != "-" else NO_COMMAND


@dataclass(slots=True)
class _Draft:
    """What was read so far."""

    now: int
    name: str = ""
    soft_now: bool = False
    hard: dict[str, str | None] = field(default_factory=dict)
    soft: dict[str, str | None] = field(default_factory=dict)
    lists: dict[str, tuple[str, ...]] = field(default_factory=dict)
    single: dict[str, object] = field(default_factory=dict)
    kept: list[tuple[str, str]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def read(self, words: list[str]) -> list[str]:
        """Take the options from the front; what is left is the command."""
        position = 0
        while position < len(words):
            word = words[position]
            if not word.startswith("-") or word == "-":
                break
            position += 1
            option = _OPTIONS.get(word)
            if option is None:
                option = _OPTIONS.get(self._unknown(word), _Option(0))
                position += min(option.arguments, len(words) - position)
                continue
            count = words_of_option(words, position - 1) - 1
            arguments = words[position : position + count]
            if len(arguments) < option.arguments:
                self.problems.append(f"{word} needs {option.needs}")
                break
            position += count
            self._take(word, option, arguments)
        return words[position:]

    def request(self, command: tuple[str, ...]) -> Request:
        """The finished request."""
        return Request(
            hard=tuple(self.hard.items()),
            soft=tuple(self.soft.items()),
            command=command,
            kept=tuple(self.kept),
            **self.lists,  # type: ignore[arg-type]
            **self.single,  # type: ignore[arg-type]
        )

    def _unknown(self, word: str) -> str:
        nearest = get_close_matches(word, _OPTIONS, 1, 0.5)
        hint = f", did you mean {nearest[0]}?" if nearest else ""
        self.problems.append(f"{NO_OPTION} {word}{hint}")
        return nearest[0] if nearest else ""

    def _take(self, word: str, option: "_Option", arguments: list[str]) -> None:
        if option.allowed and not option.allowed.fullmatch(arguments[0]):
            self.problems.append(f"{word} {arguments[0]}: write {option.needs}")
        if option.read is None:
            self.kept.append((word, " ".join(arguments)))
            return
        try:
            option.read(self, arguments)
        except ValueError as error:
            reason = " ".join(str(error).split("\n"))
            self.problems.append(f"{word} {' '.join(arguments)}: {reason}")

    def resources(self, arguments: list[str]) -> None:
        """-l name[=value],...: what an earlier -l has asked for of the same name is forgotten."""
        wanted: dict[str, str | None] = {}
        for part in re.split("[, ]", arguments[0]):
            name, equals, value = part.partition("=")
            if name:
                wanted[name] = value if equals else None
            elif part:
                raise ValueError(f'"{part}" has no name before the =')
        known = self.soft if self.soft_now else self.hard
        for name in wanted:
            known.pop(name, None)
        known.update(wanted)

    def hardness(self, soft: bool) -> None:
        """-hard and -soft say what the following -l and -q are."""
        self.soft_now = soft

    def queues(self, arguments: list[str]) -> None:
        """-q adds to the hard or the soft queue list."""
        self.add("soft_queues" if self.soft_now else "hard_queues", arguments[0])

    def add(self, key: str, text: str) -> None:
        """Add the elements of a comma-separated list; what is named twice counts twice."""
        names = tuple(name for name in text.split(",") if name)
        if not names:
            raise ValueError("the list is empty")
        self.lists[key] = (*self.lists.get(key, ()), *names)

    def clear(self) -> None:
        """-clear: nothing before it counts, but for what is wrong with it."""
        self.name, self.soft_now = "", False
        for read in (self.hard, self.soft, self.lists, self.single, self.kept):
            read.clear()


_Read = Callable[[_Draft, list[str]], None]


@dataclass(frozen=True, slots=True)
class _Option:
    """How many words an option takes, and what to do with them; None keeps them without a meaning."""

    arguments: int
    read: _Read | None = None
    optional: re.Pattern[str] | None = None
    needs: str = "an argument"
    allowed: re.Pattern[str] | None = None
    """What qsub takes as the argument of an option that means nothing to the scheduler; None where it takes all."""


def _number(key: str, allowed: range, value_of: Callable[[str], int] = c_integer) -> _Option:
    def read(draft: _Draft, arguments: list[str]) -> None:
        try:
            value = value_of(arguments[0])
        except ValueError:
            value = allowed.stop
        if value not in allowed:
            raise ValueError(f"not a whole number between {allowed.start} and {allowed.stop - 1}")
        draft.single[key] = value

    return _Option(1, read, needs="a number")


def _text(key: str, *, empty: str | None = "") -> _Option:
    def read(draft: _Draft, arguments: list[str]) -> None:
        draft.single[key] = arguments[0] or empty

    return _Option(1, read)


def _checked(option: str, check: Callable[[str], None], needs: str, optional: re.Pattern[str] | None = None) -> _Option:
    """An option that is kept although it means nothing to the scheduler, if its last word is what qsub takes."""

    def read(draft: _Draft, arguments: list[str]) -> None:
        draft.kept.append((option, " ".join(arguments)))
        check(arguments[-1])

    return _Option(1, read, optional, needs)


def _checkpoint_when(draft: _Draft, arguments: list[str]) -> None:
    check_checkpoint(arguments[0])
    draft.single["checkpoint_when"] = arguments[0]


def _reservation(draft: _Draft, arguments: list[str]) -> None:
    draft.single["advance_reservation"] = str(unsigned(arguments[0]) or "") or None


def _yes_no(key: str) -> _Option:
    def read(draft: _Draft, arguments: list[str]) -> None:
        draft.single[key] = _is_yes(arguments[0])

    return _Option(1, read, needs="y or n")


def _is_yes(text: str) -> bool:
    if text.lower() not in ("y", "yes", "n", "no"):
        raise ValueError("write y or n")
    return text.lower().startswith("y")


def _rerun(draft: _Draft, arguments: list[str]) -> None:
    draft.single["rerun"] = "y" if _is_yes(arguments[0]) else "n"


def _date(key: str) -> _Option:
    def read(draft: _Draft, arguments: list[str]) -> None:
        draft.single[key] = parse_qsub_date(arguments[0], now=draft.now)

    return _Option(1, read, needs="a date [[CC]YY]MMDDhhmm[.SS]")


def _parallel(draft: _Draft, arguments: list[str]) -> None:
    ranges = _ranges(arguments[1], steps=False)
    draft.single["pe"] = PeRequest(arguments[0], ranges) if arguments[0] else None


def _ranges(text: str, *, steps: bool) -> tuple[tuple[int, int, int], ...]:
    ranges = parse_ranges(text, steps=steps, open_end=not steps)
    if not ranges:
        raise ValueError("write a range of numbers such as 4-8")
    return ranges


def _array(draft: _Draft, arguments: list[str]) -> None:
    whole, *others = _ranges(arguments[0], steps=True)
    first, last, step = whole
    if others or not 1 <= first <= last <= _LAST_TASK or (last - first) // step >= _MOST_TASKS:
        raise ValueError(f"write first-last:step, tasks from 1 to {_MOST_TASKS}")
    draft.single["array"] = TaskRange(*whole)


def _hold(draft: _Draft, arguments: list[str]) -> None:
    letters = set((arguments or ["u"])[0].lower())
    draft.single["hold"] = "" if "n" in letters else "".join(letter for letter in "uos" if letter in letters)


def _of_qrsub(option: str, needs: str) -> _Option:
    def read(draft: _Draft, arguments: list[str]) -> None:
        draft.kept.append((option, arguments[0]))
        raise ValueError(ONLY_QRSUB)

    return _Option(1, read, needs=needs)


def _name(draft: _Draft, arguments: list[str]) -> None:
    draft.name = arguments[0]
    if not draft.name or "/" in draft.name:
        raise ValueError("the name is empty" if not draft.name else "the name must not contain /")


_MOST_TASKS: Final = 9_999_999
_LAST_TASK: Final = 2**32 - 2
"""The real qmaster does not survive the one after it."""
AMOUNTS: Final = range(0, 2**32)
"""Numbers of tickets and shares."""
_AT_ONCE: Final = range(0, 2**31)
_WHERE_BOUND: Final = re.compile(r"env|pe|set")
_YES_NO: Final = _Option(1, needs="y or n", allowed=re.compile(r"(?i:y|yes|n|no)"))
_SOME: Final = re.compile(r",*[^,](?s:.*)")
_PATHS: Final = ("-e", "-i", "-o", "-S")
_NAMED: Final = re.compile(r",*[^=,][^,]*(,+[^=,][^,]*)*,*")
"""Elements between commas, none of which is a value without a name."""

_OPTIONS: Final[Mapping[str, _Option]] = {
    "-l": _Option(1, _Draft.resources, needs="name=value"),
    "-hard": _Option(0, lambda draft, _: draft.hardness(False)),
    "-soft": _Option(0, lambda draft, _: draft.hardness(True)),
    "-q": _Option(1, _Draft.queues, needs="a queue"),
    "-masterq": _Option(1, lambda draft, words: draft.add("master_queues", words[0]), needs="a queue"),
    "-pe": _Option(2, _parallel, needs="a parallel environment and its slots, such as mpi 4-8"),
    "-p": _number("priority", PRIORITIES),
    "-P": _text("project"),
    "-A": _text("account"),
    "-N": _Option(1, _name, needs="a name"),
    "-t": _Option(1, _array, needs="a range such as 1-10"),
    "-tc": _number("max_running_tasks", _AT_ONCE),
    "-a": _date("start_time"),
    "-dl": _date("deadline"),
    "-h": _Option(0, _hold, re.compile(r"[usonUSON]{1,4}")),
    "-hold_jid": _Option(1, lambda draft, words: draft.add("hold_jid", words[0]), needs="jobs"),
    "-hold_jid_ad": _Option(1, lambda draft, words: draft.add("hold_jid_ad", words[0]), needs="jobs"),
    "-js": _number("job_share", AMOUNTS, unsigned),
    "-ot": _number("override_tickets", AMOUNTS, unsigned),
    "-R": _yes_no("reserve"),
    "-r": _Option(1, _rerun, needs="y or n"),
    "-now": _yes_no("immediate"),
    "-ckpt": _text("checkpoint", empty=None),
    "-c": _Option(1, _checkpoint_when, needs="some of n, s, m, x and r, or a time"),
    "-ar": _Option(1, _reservation, needs="an advance reservation"),
    "-w": replace(_text("verify"), needs="one of e, w, n, v, p", allowed=re.compile(r"[ewnvp]")),
    "-m": _Option(1, needs="some of b, e, a, s, or n", allowed=re.compile(r"[beasn]+")),
    **dict.fromkeys(("-b", "-j", "-pty", "-shell", "-sync"), _YES_NO),
    "-M": _Option(1, needs="a list that is not empty", allowed=_SOME),
    **{option: _checked(option, check_paths, "a path") for option in _PATHS},
    **dict.fromkeys(("-ac", "-dc", "-sc", "-v"), _Option(1, needs="name=value", allowed=_NAMED)),
    "-d": _of_qrsub("-d", "a duration"),
    "-he": _of_qrsub("-he", "y or n"),
    "-binding": _checked("-binding", check_binding, "a binding such as linear:2", _WHERE_BOUND),
    "-jsv": _checked("-jsv", check_verifier, "a script"),
    **dict.fromkeys(("-C", "-u", "-wd"), _Option(1)),
    "-clear": _Option(0, lambda draft, _: draft.clear()),
    **dict.fromkeys(("-cwd", "-notify", "-terse", "-V", "-verify"), _Option(0)),
}
