"""The options of qsub: how many words each takes, and its effect on a job's request (qsub(1))."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Final

from qmon_tui.model import PeRequest, Request, TaskRange, sorted_holds
from qmon_tui.values import parse_number, parse_qsub_date, parse_ranges

_WORD: Final = 2**32
_OUT_OF_RANGE: Final = 2.0**63
_INTEGER: Final = re.compile(r"[ \t]*([+-]?[0-9]{1,20})")
_CHECKPOINT_LETTERS: Final = frozenset("nsmxr")
_SOCKET_AND_CORE: Final = r"(?::+[0-9]+,[0-9]+(?::.*)?)?"
_LINEAR: Final = re.compile(rf"[^:]*linear[^:]*(?::+(?:slots|[0-9]+){_SOCKET_AND_CORE})?:*")
_STRIDING: Final = re.compile(rf"[^:]*striding[^:]*:+[0-9]+:+[0-9]+{_SOCKET_AND_CORE}:*")
_EXPLICIT: Final = re.compile(r"[^:]*explicit:+(?P<pairs>[0-9]+,[0-9]+(?::[0-9]+,[0-9]+)*):*")
_BINDING: Final = "write linear:AMOUNT, striding:AMOUNT:STEP or explicit:SOCKET,CORE:SOCKET,CORE"
_VERIFIER: Final = re.compile(r"(?:script)?:?[^:@]+")


def c_integer(text: str) -> int:
    """Read a whole number as C does in 32 bits (for -p and -tc): `4294967297` is 1."""
    match = _INTEGER.fullmatch(text)
    if not match:
        raise ValueError("not a whole number")
    value = int(match[1]) % _WORD
    return value - _WORD if value >= _WORD // 2 else value


def unsigned(text: str) -> int:
    """Read a number of any type, cut to 32 bits (for -js and -ar): `1.5` is 1, `1k` is 1000, `010` is 8."""
    value = parse_number(text)
    if value < 0:
        raise ValueError("not a number from 0 on")
    return word_of(value)


def word_of(value: float) -> int:
    """Return the number as clients cut it to 32 bits; infinity, NaN and numbers beyond 64 bits give 0 (tried)."""
    return int(value) % _WORD if -_OUT_OF_RANGE < value < _OUT_OF_RANGE else 0


def check_checkpoint(text: str) -> None:
    """Raise ValueError if the argument of -c is neither letters nor an interval."""
    if text[:1].isdigit() or text.startswith(":"):
        if parse_number(text) > 0:
            return
    elif text and not set(text) - _CHECKPOINT_LETTERS:
        return
    raise ValueError("write some of n, s, m, x and r, or a time")


def check_binding(text: str) -> None:
    """Raise ValueError if the argument of -binding, without env, pe or set, is malformed."""
    match = _EXPLICIT.fullmatch(text)
    pairs = match["pairs"].split(":") if match and not ("linear" in text or "striding" in text) else []
    if any(pair == other for pair, other in combinations(pairs, 2)):
        raise ValueError("a pair of socket and core is there twice")
    if not pairs and not (_LINEAR.fullmatch(text) or ("linear" not in text and _STRIDING.fullmatch(text))):
        raise ValueError(_BINDING)


def check_verifier(text: str) -> None:
    """Raise ValueError if the argument of -jsv is no path; the script is neither looked for nor run."""
    if not _VERIFIER.fullmatch(text):
        raise ValueError("write the path of a script")


def check_paths(text: str) -> None:
    """Raise ValueError if the argument of -o, -e, -i or -S is no list of `[host:]path`."""
    entries = [entry for entry in text.split(",") if entry]
    if not entries:
        raise ValueError("the list is empty")
    if any(colon and not path for _, colon, path in (entry.partition(":") for entry in entries)):
        raise ValueError("paths may not be empty strings")


ONLY_QRSUB: Final = "this is an option of qrsub"

PRIORITIES: Final = range(-1023, 1025)


@dataclass(slots=True)
class JobOptions:
    """Options of a line read so far; `lists`, `single` and `kept` become fields of Request, `now` is epoch seconds."""

    now: int
    name: str = ""
    soft_now: bool = False
    has_list: bool = False
    """True if there was a hard -l, even an empty one."""
    hard: dict[str, str | None] = field(default_factory=dict)
    soft: dict[str, str | None] = field(default_factory=dict)
    lists: dict[str, tuple[str, ...]] = field(default_factory=dict)
    single: dict[str, object] = field(default_factory=dict)
    kept: list[tuple[str, str]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def request(self, command: tuple[str, ...]) -> Request:
        return Request(
            hard=tuple(self.hard.items()),
            has_empty_list=self.has_list and not self.hard,
            soft=tuple(self.soft.items()),
            command=command,
            kept=tuple(self.kept),
            **self.lists,  # type: ignore[arg-type]
            **self.single,  # type: ignore[arg-type]
        )

    def resources(self, arguments: list[str]) -> None:
        """Read -l name[=value],...: it replaces what an earlier -l requested under the same name."""
        wanted: dict[str, str | None] = {}
        for part in re.split("[, ]", arguments[0]):
            name, equals, value = part.partition("=")
            if name:
                wanted[name] = value if equals else None
            elif part:
                raise ValueError(f'"{part}" has no name before the =')
        known = self.soft if self.soft_now else self.hard
        self.has_list |= not self.soft_now
        for name in wanted:
            known.pop(name, None)
        known.update(wanted)

    def hardness(self, soft: bool) -> None:
        """Read -hard or -soft, which applies to the following -l and -q."""
        self.soft_now = soft

    def queues(self, arguments: list[str]) -> None:
        """Read -q, which adds to the hard or the soft queue list."""
        self.add("soft_queues" if self.soft_now else "hard_queues", arguments[0])

    def add(self, key: str, text: str) -> None:
        """Add the elements of a comma-separated list; an element named twice counts twice."""
        names = tuple(name for name in text.split(",") if name)
        if not names:
            raise ValueError("the list is empty")
        self.lists[key] = (*self.lists.get(key, ()), *names)

    def clear(self) -> None:
        """Read -clear: forget all earlier options, but not their problems."""
        self.name, self.soft_now, self.has_list = "", False, False
        for read in (self.hard, self.soft, self.lists, self.single, self.kept):
            read.clear()


_Read = Callable[[JobOptions, list[str]], None]


SWITCH: Final = re.compile(r"(?i:y|yes|n|no)")
"""The words of options that are on or off."""


@dataclass(frozen=True, slots=True)
class Option:
    """Number of `arguments` (one more if it matches `optional`), and the function that reads them; None keeps them."""

    arguments: int
    read: _Read | None = None
    optional: re.Pattern[str] | None = None
    needs: str = "an argument"
    allowed: re.Pattern[str] | None = None
    """Arguments that qsub accepts for an option without effect on scheduling; None if it accepts all."""


def _number(key: str, allowed: range, value_of: Callable[[str], int] = c_integer) -> Option:
    def read(draft: JobOptions, arguments: list[str]) -> None:
        try:
            value = value_of(arguments[0])
        except ValueError:
            value = allowed.stop
        if value not in allowed:
            raise ValueError(f"not a whole number between {allowed.start} and {allowed.stop - 1}")
        draft.single[key] = value

    return Option(1, read, needs="a number")


def _text(key: str, *, empty: str | None = "") -> Option:
    def read(draft: JobOptions, arguments: list[str]) -> None:
        draft.single[key] = arguments[0] or empty

    return Option(1, read)


def _checked(option: str, check: Callable[[str], None], needs: str, optional: re.Pattern[str] | None = None) -> Option:
    """Return an option without meaning to the scheduler: its words are kept, and its last one is checked."""

    def read(draft: JobOptions, arguments: list[str]) -> None:
        draft.kept.append((option, " ".join(arguments)))
        check(arguments[-1])

    return Option(1, read, optional, needs)


def _checkpoint_when(draft: JobOptions, arguments: list[str]) -> None:
    check_checkpoint(arguments[0])
    draft.single["checkpoint_when"] = arguments[0]


def _reservation(draft: JobOptions, arguments: list[str]) -> None:
    draft.single["advance_reservation"] = str(unsigned(arguments[0]) or "") or None


def _yes_no(key: str) -> Option:
    def read(draft: JobOptions, arguments: list[str]) -> None:
        draft.single[key] = _is_yes(arguments[0])

    return Option(1, read, needs="y or n")


def _is_yes(text: str) -> bool:
    if not SWITCH.fullmatch(text):
        raise ValueError("write y or n")
    return text.lower().startswith("y")


def _rerun(draft: JobOptions, arguments: list[str]) -> None:
    draft.single["rerun"] = "y" if _is_yes(arguments[0]) else "n"


def _date(key: str) -> Option:
    def read(draft: JobOptions, arguments: list[str]) -> None:
        draft.single[key] = parse_qsub_date(arguments[0], now=draft.now)

    return Option(1, read, needs="a date [[CC]YY]MMDDhhmm[.SS]")


def _parallel(draft: JobOptions, arguments: list[str]) -> None:
    ranges = _ranges(arguments[1], steps=False)
    draft.single["pe"] = PeRequest(arguments[0], ranges) if arguments[0] else None


def _ranges(text: str, *, steps: bool) -> tuple[tuple[int, int, int], ...]:
    ranges = parse_ranges(text, steps=steps, open_end=not steps)
    if not ranges:
        raise ValueError("write a range of numbers such as 4-8")
    return ranges


def _array(draft: JobOptions, arguments: list[str]) -> None:
    whole, *others = _ranges(arguments[0], steps=True)
    first, last, step = whole
    if others or not 1 <= first <= last <= _LAST_TASK or (last - first) // step >= _MOST_TASKS:
        raise ValueError(f"write first-last:step, tasks from 1 to {_MOST_TASKS}")
    draft.single["array"] = TaskRange(*whole)


def _hold(draft: JobOptions, arguments: list[str]) -> None:
    # In qsub, a second -h removes the hold of the first.
    default_letters = "n" if "hold" in draft.single else "u"
    letters = set(arguments[0].lower() if arguments else default_letters)
    draft.single["hold"] = "" if "n" in letters else sorted_holds(letters)


def _of_qrsub(option: str, needs: str) -> Option:
    def read(draft: JobOptions, arguments: list[str]) -> None:
        draft.kept.append((option, arguments[0]))
        raise ValueError(ONLY_QRSUB)

    return Option(1, read, needs=needs)


def _name(draft: JobOptions, arguments: list[str]) -> None:
    draft.name = arguments[0]
    if not draft.name or "/" in draft.name:
        raise ValueError("the name is empty" if not draft.name else "the name must not contain /")


_MOST_TASKS: Final = 9_999_999
_LAST_TASK: Final = 2**32 - 2
"""The real qmaster crashes on the next number."""
AMOUNTS: Final = range(0, 2**32)
"""Numbers of tickets and shares."""
_TASKS_AT_A_TIME: Final = range(0, 2**31)
_WHERE_BOUND: Final = re.compile(r"env|pe|set")
_YES_NO: Final = Option(1, needs="y or n", allowed=SWITCH)
_SOME: Final = re.compile(r",*[^,](?s:.*)")
_PATHS: Final = ("-e", "-i", "-o", "-S")
_NAMED: Final = re.compile(r",*[^=,][^,]*(,+[^=,][^,]*)*,*")
"""Elements between commas; each has a name."""

OPTIONS: Final[Mapping[str, Option]] = {
    "-l": Option(1, JobOptions.resources, needs="name=value"),
    "-hard": Option(0, lambda draft, _: draft.hardness(False)),
    "-soft": Option(0, lambda draft, _: draft.hardness(True)),
    "-q": Option(1, JobOptions.queues, needs="a queue"),
    "-masterq": Option(1, lambda draft, words: draft.add("master_queues", words[0]), needs="a queue"),
    "-pe": Option(2, _parallel, needs="a parallel environment and its slots, such as mpi 4-8"),
    "-p": _number("priority", PRIORITIES),
    "-P": _text("project"),
    "-A": _text("account"),
    "-N": Option(1, _name, needs="a name"),
    "-t": Option(1, _array, needs="a range such as 1-10"),
    "-tc": _number("max_running_tasks", _TASKS_AT_A_TIME),
    "-a": _date("start_time"),
    "-dl": _date("deadline"),
    "-h": Option(0, _hold, re.compile(r"[usonUSON]{1,4}")),
    "-hold_jid": Option(1, lambda draft, words: draft.add("hold_jid", words[0]), needs="jobs"),
    "-hold_jid_ad": Option(1, lambda draft, words: draft.add("hold_jid_ad", words[0]), needs="jobs"),
    "-js": _number("job_share", AMOUNTS, unsigned),
    "-ot": _number("override_tickets", AMOUNTS, unsigned),
    "-R": _yes_no("reserve"),
    "-r": Option(1, _rerun, needs="y or n"),
    "-now": _yes_no("immediate"),
    "-ckpt": _text("checkpoint", empty=None),
    "-c": Option(1, _checkpoint_when, needs="some of n, s, m, x and r, or a time"),
    "-ar": Option(1, _reservation, needs="an advance reservation"),
    "-w": replace(_text("verify"), needs="one of e, w, n, v, p", allowed=re.compile(r"[ewnvp]")),
    "-m": Option(1, needs="some of b, e, a, s, or n", allowed=re.compile(r"[beasn]+")),
    **dict.fromkeys(("-b", "-j", "-pty", "-shell", "-sync"), _YES_NO),
    "-M": Option(1, needs="a list that is not empty", allowed=_SOME),
    **{option: _checked(option, check_paths, "a path") for option in _PATHS},
    **dict.fromkeys(("-ac", "-dc", "-sc", "-v"), Option(1, needs="name=value", allowed=_NAMED)),
    "-d": _of_qrsub("-d", "a duration"),
    "-he": _of_qrsub("-he", "y or n"),
    "-binding": _checked("-binding", check_binding, "a binding such as linear:2", _WHERE_BOUND),
    "-jsv": _checked("-jsv", check_verifier, "a script"),
    **dict.fromkeys(("-C", "-u", "-wd"), Option(1)),
    "-clear": Option(0, lambda draft, _: draft.clear()),
    **dict.fromkeys(("-cwd", "-notify", "-terse", "-V", "-verify"), Option(0)),
}
