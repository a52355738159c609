"""Which parallel environment an advance reservation with a pattern was granted (reservation.md)."""

import pytest

from qmon_tui.model.state import AdvanceReservation, State, Task
from qmon_tui.qmaster.scheduling import simulate
from qmon_tui.scheduler.configuration import compile_cluster
from qmon_tui.scheduler.matching import NO_ADJUSTMENTS, Resources
from qmon_tui.scheduler.reservation.ar_granted_pe import PeOccupancy, granted_pe, job_occupancies
from tests.unit.scheduler.building import NOW, cluster, environment, job, queue

FIRST, LAST = NOW + 100, NOW + 200


def granted(*occupancies: PeOccupancy, pattern: str = "mp*") -> str | None:
    """For 3 slots from FIRST to LAST, granted NOW."""
    environments = (environment("mpa", slots=4), environment("mpb", slots=8), environment("other"))
    on = cluster(*environments, queue("all.q", "h1", 20, pe_list="mpa mpb other"))
    resources = Resources(compile_cluster(on), State(now=NOW), NO_ADJUSTMENTS)
    reservation = AdvanceReservation(1, "anna", FIRST, LAST, {"all.q@h1": 3}, "w", environment=pattern, submitted=NOW)
    return granted_pe(reservation, resources, [0], occupancies)


@pytest.mark.parametrize(
    ("name", "slots", "start", "end", "known_since", "expected"),
    [
        ("mpa", 1, FIRST, LAST, NOW, "mpa"),
        ("mpa", 2, FIRST, LAST, NOW, "mpb"),
        ("mpb", 6, FIRST, LAST, NOW, "mpa"),
        (None, 2, FIRST, LAST, NOW, "mpa"),
        ("mpa", 2, FIRST, LAST, NOW + 1, "mpa"),
        ("mpa", 2, LAST, LAST + 9, NOW, "mpa"),
        ("mpa", 2, LAST - 1, LAST + 9, NOW, "mpb"),
        ("mpa", 2, NOW, FIRST, NOW, "mpa"),
        ("mpa", 2, NOW, FIRST + 1, NOW, "mpb"),
    ],
)
def test_what_others_had_of_it_then_counts(
    name: str | None, slots: int, start: int, end: int, known_since: int, expected: str
) -> None:
    assert granted(PeOccupancy(name, slots, start, end, known_since)) == expected


def test_an_environment_that_is_named_is_the_one() -> None:
    assert granted(PeOccupancy("mpa", 4, FIRST, LAST, NOW), pattern="mpa") == "mpa"


def test_started_tasks_take_slots_of_their_environments_those_of_reservations_do_not() -> None:
    on = cluster(environment("mpa", slots=4), queue("all.q", "h1", 20, pe_list="mpa"))
    placed = {1: Task("r", {"all.q@h1": 2}, NOW - 50, environment="mpa")}
    jobs = (
        job(1, tasks={1: Task("r", {"all.q@h1": 1}, NOW - 50)}),
        job(2, "-pe mpa 2 -ar 7", tasks=placed),
        job(3, "-pe mpa 2 -l h_rt=100", tasks=placed),
    )
    reservations = (AdvanceReservation(7, "anna", NOW - 60, LAST, {"all.q@h1": 2}, "r", environment="mpa"),)
    run = simulate(on, State(now=NOW, jobs=jobs, reservations=reservations))
    (occupancy,) = job_occupancies(run.jobs, run.resources)
    assert (occupancy.environment, occupancy.slots, occupancy.start) == ("mpa", 2, NOW - 50)
    assert occupancy.end == NOW + 50 + 60
    # What starts in the second of a grant comes after it.
    assert occupancy.known_since == NOW - 49
