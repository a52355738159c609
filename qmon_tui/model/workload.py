"""Jobs that a simulation generates or takes from a trace: their arrivals and their properties."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final

from qmon_tui.model.cluster import Origin
from qmon_tui.values import RandomValue, constant

ONE, FIVE, FIVE_MINUTES, TEN_MINUTES = map(constant, (1, 5, 300, 600))

Weights = Mapping[str, float]
"""Name -> weight with which it is drawn."""


class Arrivals(StrEnum):
    """Distribution of the submission times."""

    POISSON = "poisson"
    EVEN = "even"
    SESSIONS = "sessions"
    LUBLIN = "lublin"


def _none() -> Mapping[str, Any]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class JobKind:
    """A group of jobs that draw size, run time and requests from the same distributions."""

    name: str = "work"
    weight: float = 1.0
    """Weight with which this kind is drawn."""
    users: Weights = field(default_factory=_none)
    """Owners of the jobs; empty for the cluster's users."""
    projects: Weights = field(default_factory=_none)
    queues: Weights = field(default_factory=_none)
    """Requested queues; empty for no request."""
    pes: Weights = field(default_factory=_none)
    """Parallel environments of the jobs with more than one slot."""
    slots: RandomValue = ONE
    tasks: RandomValue = ONE
    """Tasks of an array job; 1 for a plain job."""
    runtime: RandomValue = TEN_MINUTES
    """Seconds."""
    over_time: RandomValue | None = None
    """Factor of the run time that is requested as h_rt; None for no request."""
    memory: RandomValue | None = None
    """Bytes of memory that each slot uses; None for no memory request."""
    over_memory: RandomValue = ONE
    """Factor of the memory that is requested."""
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
    """Maximum number of jobs; None for as many as are submitted in `length`."""
    start: int | None = None
    """Earliest submission, seconds since the epoch; None for the beginning of the simulation."""
    length: int | None = None
    """Seconds during which jobs are submitted; None for a day, or until there are `jobs`."""
    rate: float | None = None
    """Mean number of jobs per hour, over the week."""
    load: float | None = None
    """Instead of `rate`: the fraction of all slots that the jobs would keep busy."""
    day: tuple[float, ...] = ()
    """Weight of each hour of the day; empty for equal weights."""
    week: tuple[float, ...] = ()
    """Weight of each day of the week, Monday first; empty for equal weights."""
    burst: RandomValue = ONE
    """Jobs submitted together."""
    session: RandomValue = FIVE
    """Number of submissions in a session."""
    think: RandomValue = FIVE_MINUTES
    """Seconds from one submission of a session to the next."""
    kinds: tuple[JobKind, ...] = (WORK,)
    trace: str = ""
    """File with an SWF trace or accounting records from which jobs are taken; the settings above are then ignored."""
    resample: bool = False
    """True if users of the trace are drawn at random, each with all jobs (user resampling)."""
    scale: float = 1.0
    """Factor by which the load of a trace is multiplied."""
    map_users: Mapping[str, str] = field(default_factory=_none)
    """User in the trace -> user of the cluster."""
    map_queues: Mapping[str, str] = field(default_factory=_none)
    """Queue in the trace -> queue of the cluster; a queue that is not listed is not requested."""
    map_pes: Mapping[str, str] = field(default_factory=_none)
    map_projects: Mapping[str, str] = field(default_factory=_none)
    origin: Origin | None = field(default=None, compare=False)
