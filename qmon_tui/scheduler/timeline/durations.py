"""How long tasks are taken to run, in seconds (dispatch.md sections 5.2 and 9.1)."""

from collections.abc import Iterable
from typing import Final

from qmon_tui.scheduler.compiled.queues import Profile
from qmon_tui.scheduler.requests import Demand
from qmon_tui.scheduler.timeline.steps import INFINITE, lengthened

_LIMITS: Final = ("h_rt", "s_rt")


def requested(demand: Demand) -> int | None:
    """The smaller one of the run times that a job asks for; None where it asks for none."""
    limits = [_whole(one.amount) for one in demand.hard if one.attribute.name in _LIMITS]
    return min(limits, default=None)


def of_pending(demand: Demand, default: int, offset: int) -> int:
    """How long a pending job would run; the limits of queues are not looked at."""
    limit = requested(demand)
    return lengthened(default if limit is None else limit, offset)


def of_started(demand: Demand, granted: Iterable[Profile], default: int, offset: int) -> int:
    """How long a running task was to run from its start: what it asked for, else what its queue instances allow."""
    limit = requested(demand)
    if limit is None:
        limits = (_whole(profile.fields[name].number) for profile in granted for name in _LIMITS)
        limit = min(limits, default=INFINITE)
    return lengthened(default if limit == INFINITE else limit, offset)


def _whole(seconds: float) -> int:
    return int(min(seconds, INFINITE))
