"""A shell session as text: what users submit and administrators do, with `run` where the scheduler runs once.

usera$ qsub -N first -l gpu=1 -dl NOW+600 sleep 600
3x userb:staff$ qsub sleep 60
anna$ qrsub -a NOW+600 -d 3600 -pe mpi 4
run
root# load sim1 np_load_avg=0.5 arch=lx-amd64
root# qmod -d all.q@sim1
root# edit queue all.q hostlist=sim1
root# edit queues all.q slots=4,[sim1=2]
root# put quotas few {"enabled": "TRUE", "limit": ["users {*} to slots=2"]}
root# remove quotas many
run
"""

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

DEFAULT_GROUP: Final = "staff"
DEFAULT_COMMAND: Final = ("sleep", "99999")
_LINE: Final = re.compile(r"(?:(?P<times>\d+)x )?(?P<user>[\w-]+)(?::(?P<group>[\w-]+))?[$#] (?P<command>.+)")
_LOAD: Final = re.compile(r"root# load (?P<host>\S+) (?P<values>.+)")
_EDIT: Final = re.compile(r"root# edit (?P<kind>\S+) (?P<name>\S+) (?P<field>\w+)=(?P<text>.*)")
_PUT: Final = re.compile(r"root# (?:put|remove) (?P<kind>\S+) (?P<name>\S+)(?P<field>) ?(?P<text>.*)")
_COMMAND_WORD: Final = re.compile(r"(?:^|\s)(?:sleep|true)(?:\s|$)")
_FROM_NOW: Final = re.compile(r"NOW\+(?P<seconds>\d+)")


def _date(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y%m%d%H%M.%S")


@dataclass(frozen=True, slots=True)
class Submission:
    """One qsub: who, and the options with the command as they are in a cluster folder's `qsub:`."""

    owner: str
    group: str
    qsub: str

    @property
    def options(self) -> tuple[str, ...]:
        """The words that the owner gives to qsub."""
        return self._split()[0]

    @property
    def override_tickets(self) -> str | None:
        """The number of -ot, which only qalter takes, and only from a manager."""
        return self._split()[1]

    def dated(self, now: int) -> "Submission":
        """With dates instead of `NOW+60`, so many seconds after now."""
        return replace(self, qsub=_FROM_NOW.sub(lambda found: _date(now + int(found["seconds"])), self.qsub))

    def _split(self) -> tuple[tuple[str, ...], str | None]:
        words = shlex.split(self.qsub)
        if "-ot" not in words:
            return tuple(words), None
        at = words.index("-ot")
        return (*words[:at], *words[at + 2 :]), words[at + 1]


@dataclass(frozen=True, slots=True)
class Order:
    """A command of an administrator, such as `qmod -d all.q@sim1`."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Edit:
    """A new value for a field of an object, whose kind is called as in `qconf -rattr`, or as a section of a folder.

    Without a field the text is the whole object, as JSON, and nothing where the object is removed.
    """

    kind: str
    name: str
    field: str
    text: str


@dataclass(frozen=True, slots=True)
class Load:
    """Load values that a host (or global) reports; they are there before anything else happens in a step."""

    host: str
    values: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Reserve:
    """One qrsub: who, and the options, in which `NOW+60` is a date so many seconds after now."""

    owner: str
    group: str
    words: tuple[str, ...]

    def dated(self, now: int) -> tuple[str, ...]:
        """The options with dates."""
        return tuple(_FROM_NOW.sub(lambda found: _date(now + int(found["seconds"])), word) for word in self.words)

    @property
    def users(self) -> tuple[str, ...]:
        """The users that -u names; qrsub wants to know them."""
        at = self.words.index("-u") + 1 if "-u" in self.words else 0
        return tuple(name for name in self.words[at].split(",") if not name.startswith("@")) if at else ()


Action = Submission | Order | Reserve | Edit


@dataclass(frozen=True, slots=True)
class Step:
    """What happens before one run of the scheduler."""

    actions: tuple[Action, ...]
    loads: tuple[Load, ...] = ()


def parse_session(text: str) -> tuple[Step, ...]:
    """The steps of a session; raises ValueError for a line that is none of the above."""
    steps: list[Step] = []
    actions: list[Action] = []
    loads: list[Load] = []
    for line in (line.strip() for line in text.splitlines()):
        if not line or line.startswith("#"):
            continue
        if line == "run":
            steps.append(Step(tuple(actions), tuple(loads)))
            actions, loads = [], []
        elif found := _EDIT.fullmatch(line) or _PUT.fullmatch(line):
            actions.append(Edit(**found.groupdict()))
        elif found := _LOAD.fullmatch(line):
            values = (word.partition("=") for word in shlex.split(found["values"]))
            loads.append(Load(found["host"], {name: text for name, _, text in values}))
        else:
            actions += _actions(line)
    if actions or loads:
        raise ValueError("the session does not end with a run")
    return tuple(steps)


def _actions(line: str) -> list[Action]:
    found = _LINE.fullmatch(line)
    if not found:
        raise ValueError(f"no line of a session: {line}")
    program, _, arguments = found["command"].partition(" ")
    if program == "qrsub":
        return [Reserve(found["user"], found["group"] or DEFAULT_GROUP, tuple(shlex.split(arguments)))]
    if program != "qsub":
        return [Order(tuple(shlex.split(found["command"])))]
    if not _COMMAND_WORD.search(arguments):
        arguments = " ".join((arguments, *DEFAULT_COMMAND)).strip()
    submission = Submission(found["user"], found["group"] or DEFAULT_GROUP, arguments)
    return [submission] * int(found["times"] or 1)
