"""Work that a simulation makes up, or takes from a trace: how jobs come, and what they are like."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from qmon_tui.model.cluster import Origin
from qmon_tui.values import RandomValue, constant

ONE, FIVE, FIVE_MINUTES, TEN_MINUTES = map(constant, (1, 5, 300, 600))

Weights = Mapping[str, float]
"""Name -> how often it is taken, compared with the others."""


class Arrivals(StrEnum):
    """How jobs come."""

    POISSON = "poisson"
    EVEN = "even"
    SESSIONS = "sessions"
    LUBLIN = "lublin"


def _none() -> Mapping[str, float]:
    return MappingProxyType({})


def _no_names() -> Mapping[str, str]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class JobKind:
    """Jobs that are alike: each draws its own size, run time and requests."""

    name: str = "work"
    weight: float = 1.0
    """How often it comes, compared with the other kinds."""
    users: Weights = field(default_factory=_none)
    """Who submits them; the users of the cluster where nobody is named."""
    projects: Weights = field(default_factory=_none)
    queues: Weights = field(default_factory=_none)
    """Queues that are asked for; without any, none is."""
    pes: Weights = field(default_factory=_none)
    """Parallel environments of the jobs with more than one slot."""
    slots: RandomValue = ONE
    tasks: RandomValue = ONE
    """Tasks of an array; 1 for a job that is none."""
    runtime: RandomValue = TEN_MINUTES
    """Seconds."""
    over_time: RandomValue | None = None
    """How many times its run time a job asks for as h_rt; None where it asks for none."""
    memory: RandomValue | None = None
    """Bytes that each slot needs; None where none are asked for."""
    over_memory: RandomValue = ONE
    """How many times that it asks for."""
    memory_attribute: str = "h_vmem"
    qsub: str = ""
    """More options of qsub."""
    origin: Origin | None = field(default=None, compare=False)


WORK: Final = JobKind()


@dataclass(frozen=True, slots=True)
class Workload:
    """The key `workload` of a cluster folder (docs/cluster-folder.md)."""

    arrivals: Arrivals = Arrivals.POISSON
    jobs: int | None = None
    """The most that come; None for as many as come in `length`."""
    start: int | None = None
    """When the first may come, in seconds since the epoch; None for the beginning of the simulation."""
    length: int | None = None
    """Seconds in which jobs come; None for a day, or until there are `jobs`."""
    rate: float | None = None
    """Jobs by the hour, over the week."""
    load: float | None = None
    """Instead of `rate`: the part of all slots that the jobs would keep busy."""
    day: tuple[float, ...] = ()
    """How many jobs come in each hour of the day, compared with the others; all alike where there are none."""
    week: tuple[float, ...] = ()
    """The same of the days of the week, Monday first."""
    burst: RandomValue = ONE
    """Jobs that come at once."""
    session: RandomValue = FIVE
    """Submissions of a session."""
    think: RandomValue = FIVE_MINUTES
    """Seconds from one submission of a session to the next."""
    kinds: tuple[JobKind, ...] = (WORK,)
    trace: str = ""
    """A file with an SWF trace or accounting records, from which the jobs are taken; what is above does not count."""
    resample: bool = False
    """The users of a trace are drawn again, each with all that he submits (user resampling)."""
    scale: float = 1.0
    """The load of a trace is changed to so many times what it is."""
    map_users: Mapping[str, str] = field(default_factory=_no_names)
    """Name in the trace -> name here."""
    map_queues: Mapping[str, str] = field(default_factory=_no_names)
    """The same of queues; one that is not named is not asked for."""
    map_pes: Mapping[str, str] = field(default_factory=_no_names)
    map_projects: Mapping[str, str] = field(default_factory=_no_names)
    origin: Origin | None = field(default=None, compare=False)
