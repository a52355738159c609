"""The PE that an advance reservation was granted if it requested a pattern.

qrstat shows only the pattern; the PE is inferred from bookings that existed then and still exist.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from qmon_tui.model import AdvanceReservation
from qmon_tui.scheduler.configuration import (
    ANYBODY,
    FILL_UP,
    ROUND_ROBIN,
    ParallelEnvironment,
    as_qmaster,
    matching_environments,
)
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.matching import Resources
from qmon_tui.scheduler.reservation.durations import started_duration
from qmon_tui.scheduler.reservation.step_function import until

EXCLUDED: Final = "!"
"""Precedes the name of a user who may not use the reservation."""
_QMASTER_GROUP: Final = "root"


def ar_requester(owner: str, users: Iterable[str]) -> tuple[str, str]:
    """Return the (user, group) that access is checked for: `ANYBODY` if -u lists users, else owner and `root`."""
    has_user_list = any(not name.startswith(EXCLUDED) for name in users)
    return (ANYBODY, ANYBODY) if has_user_list else (owner, _QMASTER_GROUP)


@dataclass(frozen=True, slots=True)
class PeOccupancy:
    """Slots of a PE that are in use during an interval; times are seconds since the epoch."""

    environment: str | None
    slots: int
    start: float
    end: float
    known_since: float
    """When the slots were booked."""


def ar_occupancy(reservation: AdvanceReservation, environment: str | None) -> PeOccupancy:
    """Return the use of a PE by an advance reservation."""
    return PeOccupancy(
        environment, sum(reservation.granted.values()), reservation.start, reservation.end, reservation.granted_at
    )


def job_occupancies(jobs: Iterable[RunJob], resources: Resources) -> list[PeOccupancy]:
    """Return the use of PEs by started tasks, without jobs in advance reservations, which use the reservation's."""
    occupancies: list[PeOccupancy] = []
    for run_job in jobs:
        request = run_job.job.request
        if request.pe is None or request.advance_reservation is not None:
            continue
        for number in (*run_job.split.running, *run_job.split.suspended):
            task = run_job.job.tasks[number]
            start = int(task.started or 0)
            duration = started_duration(run_job, number, resources)
            environment = resources.environment_of(run_job.job, number)
            occupancies.append(
                PeOccupancy(environment, sum(task.granted.values()), start, until(start, duration), start + 1)
            )
    return occupancies


def granted_pe(
    reservation: AdvanceReservation, resources: Resources, numbers: Iterable[int], occupancies: Iterable[PeOccupancy]
) -> str | None:
    """Return the PE that the reservation most likely got; the requested pattern if no PE matches.

    This is the first that matches, can divide the slots, admits the requester and had enough slots at that time.
    """
    compiled = as_qmaster(resources.compiled)
    known = compiled.environments
    if reservation.environment is None or reservation.environment in known:
        return reservation.environment
    offers = [resources.instances[number].profile.pe_list for number in numbers]
    meant = matching_environments(reservation.environment, known)
    requester = ar_requester(reservation.owner, reservation.users)
    fitting = [
        parallel_environment
        for parallel_environment in meant
        if all(parallel_environment.name in names for names in offers)
        and parallel_environment.access.permits(*requester, compiled.usersets)
        and _can_divide(parallel_environment, reservation.granted)
    ]
    concurrent = [
        occupancy
        for occupancy in occupancies
        if occupancy.known_since <= reservation.granted_at
        and occupancy.start < reservation.end
        and reservation.start < occupancy.end
    ]
    slots = sum(reservation.granted.values())
    for environment in fitting:
        if (
            slots + sum(occupancy.slots for occupancy in concurrent if occupancy.environment == environment.name)
            <= environment.slots
        ):
            return environment.name
    return fitting[0].name if fitting else reservation.environment


def _can_divide(environment: ParallelEnvironment, granted: Mapping[str, int]) -> bool:
    """True if the PE's allocation rule allows these slots per host; `granted`: queue instance -> slots."""
    rule = environment.per_host(sum(granted.values()))
    if rule in (FILL_UP, ROUND_ROBIN):
        return True
    of_hosts: Counter[str] = Counter()
    for name, slots in granted.items():
        of_hosts[name.partition("@")[2]] += slots
    return all(slots == rule for slots in of_hosts.values())
