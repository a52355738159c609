"""In which parallel environment an advance reservation was granted for which a pattern was asked.

qrstat tells the pattern only: what had room then is worked out from what was there then and still is.
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
"""Before the name of a user who may not use it."""
_QMASTER_GROUP: Final = "root"


def ar_requester(owner: str, users: Iterable[str]) -> tuple[str, str]:
    """User and group: all users of -u at once, else the owner, for whose group the qmaster takes its own."""
    names_somebody = any(not name.startswith(EXCLUDED) for name in users)
    return (ANYBODY, ANYBODY) if names_somebody else (owner, _QMASTER_GROUP)


@dataclass(frozen=True, slots=True)
class PeOccupancy:
    """Slots of an environment that are taken for a time, and since when that was so."""

    environment: str | None
    slots: int
    start: float
    end: float
    known_since: float


def ar_occupancy(reservation: AdvanceReservation, environment: str | None) -> PeOccupancy:
    """What an advance reservation takes."""
    return PeOccupancy(
        environment, sum(reservation.granted.values()), reservation.start, reservation.end, reservation.granted_at
    )


def job_occupancies(jobs: Iterable[RunJob], resources: Resources) -> list[PeOccupancy]:
    """What started tasks take of their environments; those within a reservation take what is its own."""
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
    """The first environment that was meant, that gives slots so to who asked, and that had room then."""
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
    beside = [
        occupancy
        for occupancy in occupancies
        if occupancy.known_since <= reservation.granted_at
        and occupancy.start < reservation.end
        and reservation.start < occupancy.end
    ]
    slots = sum(reservation.granted.values())
    for environment in fitting:
        if (
            slots + sum(occupancy.slots for occupancy in beside if occupancy.environment == environment.name)
            <= environment.slots
        ):
            return environment.name
    return fitting[0].name if fitting else reservation.environment


def _can_divide(environment: ParallelEnvironment, granted: Mapping[str, int]) -> bool:
    """True if an environment gives so many slots of each queue instance, by what it gives of each host."""
    each = environment.per_host(sum(granted.values()))
    if each in (FILL_UP, ROUND_ROBIN):
        return True
    of_hosts: Counter[str] = Counter()
    for name, slots in granted.items():
        of_hosts[name.partition("@")[2]] += slots
    return all(slots == each for slots in of_hosts.values())
