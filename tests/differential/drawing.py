"""Drawing clusters and sessions from a random generator: the words that all families share."""

import json
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final, TypeVar

from tests.differential.scenarios import CLUSTER, STATES, USAGE, Scenario

T = TypeVar("T")
Draw = Callable[[], str]

USERS: Final = ("anna", "bela", "chen", "dora")
GROUPS: Final = ("staff", "staff", "lab", "guests")
HOSTGROUPS: Final = ("@left", "@right")
BASIC_QUEUE: Final = {"load_thresholds": "NONE", "pe_list": "NONE"}
"""Simulated hosts report no load, and the template's PEs do not exist."""
FORGETFUL: Final = {"params": "PE_RANGE_ALG=bin"}
"""By default the scheduler remembers from run to run how it has found numbers of slots, which nothing else can tell."""


@dataclass(frozen=True, slots=True)
class Site:
    """The names in a drawn cluster."""

    hosts: tuple[str, ...]
    queues: tuple[str, ...]
    hostgroups: Mapping[str, Sequence[str]]
    """Name -> its hosts."""

    @classmethod
    def drawn(cls, random: Random, *, hosts: tuple[int, int] = (1, 5), queues: tuple[int, int] = (1, 4)) -> "Site":
        """Between so many hosts and queues, and two host groups."""
        names = tuple(f"n{number + 1}" for number in range(random.randint(*hosts)))
        return cls(
            names,
            tuple(f"{letter}.q" for letter in "abcdefgh"[: random.randint(*queues)]),
            {name: some(random, names) for name in HOSTGROUPS},
        )

    @property
    def places(self) -> tuple[str, ...]:
        """What a host list and a queue's per-host settings may name."""
        return (*self.hosts, *self.hostgroups)

    def hostgroup_objects(self) -> dict[str, dict[str, str]]:
        """The `hostgroups` section."""
        return {name: {"hostlist": " ".join(hosts)} for name, hosts in self.hostgroups.items()}

    def queue(self, random: Random, slots: Sequence[int] = (1, 2, 3)) -> dict[str, str]:
        """A queue on some of the hosts, with slots that may differ per host."""
        return {
            **BASIC_QUEUE,
            "hostlist": " ".join(some(random, self.places)),
            "slots": per_key(random, self.places, lambda: str(random.choice(slots))),
        }

    def queue_list(self, random: Random) -> str:
        """What -q takes: queues, queue instances and patterns of both, in one or two entries."""
        queues = (*self.queues, "*", "[ab].q")
        hosts = ("", "", *(f"@{place}" for place in self.places), "@n*")
        return ",".join(random.choice(queues) + random.choice(hosts) for _ in range(random.choice((1, 1, 2))))


def some(random: Random, things: Iterable[T], chance: float = 0.6) -> list[T]:
    """At least one of them, in their order."""
    everything = list(things)
    chosen = [thing for thing in everything if random.random() < chance]
    return chosen or [random.choice(everything)]


def per_key(random: Random, keys: Iterable[str], draw: Draw, chance: float = 0.12) -> str:
    """A queue's value with other values for some hosts and host groups: `1,[n1=2]`."""
    chosen = [key for key in keys if random.random() < chance]
    return ",".join((draw(), *(f"[{key}={draw()}]" for key in chosen)))


def odd_ones(random: Random, draws: Mapping[str, Draw], chance: float) -> dict[str, str]:
    """Each of the draws with that chance: fields of an object, or options of qsub."""
    return {name: draw() for name, draw in draws.items() if random.random() < chance}


def options(drawn: Mapping[str, str]) -> list[str]:
    """The words of qsub for options with their arguments, quoted for a shell."""
    return [word for option, argument in drawn.items() for word in (option, shlex.quote(argument))]


def submission(random: Random, job: str, *, times: tuple[int, int] = (1, 1)) -> str:
    """A session line in which somebody submits a job, perhaps several times."""
    count = random.randint(*times)
    repeated = f"{count}x " if count > 1 else ""
    return f"{repeated}{random.choice(USERS)}:{random.choice(GROUPS)}$ qsub {job}".rstrip()


def session(
    random: Random,
    job: Draw,
    *,
    runs: tuple[int, int] = (2, 4),
    jobs: tuple[int, int] = (2, 9),
    order: Draw | None = None,
) -> Iterator[str]:
    """Between so many runs, and so many submissions before each; `order` draws what an administrator does now and then.

    `job` draws the options of one qsub; an order is a whole line such as `root# qmod -sj 3`.
    """
    for _ in range(random.randint(*runs)):
        for _ in range(random.randint(*jobs)):
            yield submission(random, job(), times=(2, 4) if random.random() < 0.3 else (1, 1))
        if order and random.random() < 0.4:
            yield order()
        yield "run"


def suspend_a_job(random: Random) -> str:
    """An order that changes no list of the scheduler (qmod of queues does, see the family `history`)."""
    return f"root# qmod -sj {random.randint(1, 9)}"


def scenario(sections: Mapping[str, Any], lines: Iterable[str]) -> Scenario:
    """A scenario out of the sections of a cluster (DESIGN section 4) and the lines of a session."""
    files = {CLUSTER: "".join(_section(*item) for item in sections.items() if item[0] not in ("usage", "states"))}
    if "usage" in sections:
        files[USAGE] = _section("usage", sections["usage"])
    if "states" in sections:
        files[STATES] = _section("states", sections["states"])
    return Scenario("", files, "\n".join(lines) + "\n")


def _section(key: str, content: Any) -> str:
    """One object or field a line, so that the shrinker and people can take lines away."""
    if not isinstance(content, dict):
        return f"{key}: {json.dumps(content)}\n"
    return f"{key}:\n" + "".join(f"  {json.dumps(name)}: {json.dumps(value)}\n" for name, value in content.items())
