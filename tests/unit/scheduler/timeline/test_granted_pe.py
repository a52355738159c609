"""Which parallel environment an advance reservation with a pattern was granted (reservation.md)."""

from typing import Any

import pytest

from qmon_tui.model import ConfigObject
from qmon_tui.model.jobs import AdvanceReservation, Task
from qmon_tui.model.state import State
from qmon_tui.qmaster.scheduling import simulate
from qmon_tui.scheduler.configuration import ANYBODY, compile_cluster
from qmon_tui.scheduler.matching import NO_ADJUSTMENTS, Resources
from qmon_tui.scheduler.reservation.ar_granted_pe import PeOccupancy, ar_requester, granted_pe, job_occupancies
from tests.unit.scheduler.building import NOW, cluster, environment, job, queue, userset

FIRST, LAST = NOW + 100, NOW + 200


def granted(
    *occupancies: PeOccupancy,
    pattern: str = "mp*",
    more: tuple[ConfigObject, ...] = (),
    owner: str = "anna",
    **fields: Any,
) -> str | None:
    """For 3 slots from FIRST to LAST, granted NOW."""
    environments = (environment("mpa", slots=4), environment("mpb", slots=8), environment("other"))
    on = cluster(*environments, queue("all.q", "h1 h2", 20, pe_list="mpa mpb other"), *more)
    resources = Resources(compile_cluster(on), State(now=NOW), NO_ADJUSTMENTS)
    reservation = AdvanceReservation(
        1, owner, FIRST, LAST, **{"granted": {"all.q@h1": 3}, "environment": pattern, "submitted": NOW, **fields}
    )
    numbers = [resources.instance_numbers[name] for name in reservation.granted]
    return granted_pe(reservation, resources, numbers, occupancies)


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


@pytest.mark.parametrize(
    ("users", "requester"),
    [
        ((), ("anna", "root")),
        (("!bob",), ("anna", "root")),
        (("bob",), (ANYBODY, ANYBODY)),
        (("!bob", "carl"), (ANYBODY, ANYBODY)),
    ],
)
def test_who_asks_for_an_environment(users: tuple[str, ...], requester: tuple[str, str]) -> None:
    assert ar_requester("anna", users) == requester


FULL = (PeOccupancy("mpa", 4, FIRST, LAST, NOW), PeOccupancy("mpb", 8, FIRST, LAST, NOW))
ONLY = (userset("some", "bob"), environment("mpa", slots=4, user_lists="some"))


@pytest.mark.parametrize(
    ("occupancies", "more", "fields", "expected"),
    [
        ((), (), {}, "mpa"),
        # Where none has room by what is known, the first that gives slots so.
        (FULL, (), {}, "mpa"),
        (FULL, ONLY, {}, "mpb"),
        (FULL, (), {"environment": "x*"}, "x*"),
        ((), (), {"environment": None}, None),
        # Who may not use it does not get it; those of -u come as somebody who is in each list.
        ((), ONLY, {}, "mpb"),
        ((), ONLY, {"owner": "bob"}, "mpa"),
        ((), ONLY, {"users": ("carl",)}, "mpa"),
        ((), ONLY, {"users": ("!carl",)}, "mpb"),
        ((), (*ONLY[:1], environment("mpa", xuser_lists="some")), {"users": ("carl",)}, "mpb"),
        # It stands in the lists of all queue instances.
        ((), (queue("b.q", "h2", 9, pe_list="mpb"),), {"granted": {"all.q@h1": 1, "b.q@h2": 1}}, "mpb"),
        # A fixed number of slots on each host, whatever queue instances they are in.
        ((), (environment("mpa", "2"),), {}, "mpb"),
        ((), (environment("mpa", "2"),), {"granted": {"all.q@h1": 2, "all.q@h2": 2}}, "mpa"),
        ((), (environment("mpa", "2"),), {"granted": {"all.q@h1": 3, "all.q@h2": 1}}, "mpb"),
        (
            (),
            (environment("mpa", "2"), queue("b.q", "h1", 9, pe_list="mpa mpb")),
            {"granted": {"all.q@h1": 1, "b.q@h1": 1}},
            "mpa",
        ),
        ((), (environment("mpa", "$pe_slots"),), {"granted": {"all.q@h1": 1, "all.q@h2": 1}}, "mpb"),
        ((), (environment("mpa", "$pe_slots"),), {}, "mpa"),
        ((), (environment("mpa", "$round_robin"),), {}, "mpa"),
    ],
)
def test_the_first_environment_that_was_meant_and_gives_slots_so(
    occupancies: tuple[PeOccupancy, ...],
    more: tuple[ConfigObject, ...],
    fields: dict[str, Any],
    expected: str | None,
) -> None:
    assert granted(*occupancies, more=more, **fields) == expected


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


def test_a_task_of_which_no_start_is_known_began_at_the_beginning_of_time() -> None:
    on = cluster(environment("mpa"), queue("all.q", "h1", 20, pe_list="mpa"))
    started = {1: Task("r", {"all.q@h1": 2}, environment="mpa")}
    run = simulate(on, State(now=NOW, jobs=(job(3, "-pe mpa 2 -l h_rt=100", tasks=started),)))
    assert job_occupancies(run.jobs, run.resources) == [PeOccupancy("mpa", 2, 0, 160, 1)]
