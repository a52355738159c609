"""What an advance reservation has, what its jobs use of it, and who they are (reservation.md#advance-reservations)."""

from typing import Any

import pytest

from qmon_tui.model import AdvanceReservation, Job, State, Task
from qmon_tui.qmaster.run_jobs import collect_run_jobs
from qmon_tui.scheduler import session_of
from qmon_tui.scheduler.configuration import compile_cluster
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.matching import NO_ADJUSTMENTS, Resources
from qmon_tui.scheduler.reservation.ar_resources import (
    ArResources,
    compile_reservations,
    holding,
    lasting,
    slots_reserved,
)
from tests.unit.scheduler.building import NOW, attribute, cluster, environment, host, job, queue, userset

LIC, DISK = attribute("lic lic INT <= YES YES 0"), attribute("disk disk INT <= YES JOB 0")
USED = attribute("used used INT <= YES YES 1")
ON = cluster(
    LIC, DISK, USED, queue("a.q", "h1 h2", 8, pe_list="mpi", complex_values="lic=90,disk=90,used=90"),
    environment("mpi"), host("h1"), host("h2"), userset("few", "bert,@staff"),
)  # fmt: skip
GRANTED = {"a.q@h1": 3, "a.q@h2": 2}


def reservation(**more: Any) -> AdvanceReservation:
    fields: dict[str, Any] = {"granted": GRANTED, "state": "r", **more}
    return AdvanceReservation(7, "anna", NOW - 10, NOW + 100, **fields)


def entered(held: AdvanceReservation, *jobs: Job) -> tuple[ArResources, list[RunJob]]:
    state = State(now=NOW, jobs=jobs, reservations=(held,))
    session = session_of(ON)
    run_jobs = collect_run_jobs(session, session.compiled(state), state, NOW).jobs
    compiled = compile_cluster(ON)
    resources = Resources(compiled, state, NO_ADJUSTMENTS)
    return compile_reservations(state, compiled, resources, run_jobs)["7"], list(run_jobs)


def is_refused(held: AdvanceReservation, sent: Job) -> bool:
    """Whether a job is that was submitted when everybody could use the reservation."""
    _, (run_job,) = entered(reservation(), sent)
    return entered(held)[0].refusal(run_job) is not None


def amounts(ar: ArResources) -> list[dict[str, float]]:
    return [{name: amount for name, amount in level.used.items() if amount} for level in ar.levels.values()]


def test_a_reservation_has_its_slots_and_what_it_asked_for() -> None:
    ar, _ = entered(reservation(requests=(("lic", "2"), ("disk", "4"))))
    stock = [{name: level.configured[name].number for name in level.used} for level in ar.levels.values()]
    assert stock == [{"slots": 3, "lic": 6, "disk": 4}, {"slots": 2, "lic": 4}]
    assert [slots for _, slots in ar.grants] == [3, 2]
    assert [ar.slots_on(name) for name in ("h1", "h2", "h3")] == [3, 2, 0]
    assert ar.free_slots == 5


def test_its_jobs_use_it_by_the_slot_and_what_counts_per_job_with_the_master_queue() -> None:
    placed = {1: Task("r", {"a.q@h1": 2, "a.q@h2": 1}, NOW - 5, environment="mpi")}
    parallel = job(1, "-pe mpi 3 -ar 7 -l lic=1,disk=3", tasks=placed)
    held = reservation(requests=(("lic", "2"), ("disk", "4"), ("used", "1")))
    ar, _ = entered(held, parallel)
    assert amounts(ar) == [{"slots": 2, "lic": 2, "disk": 3, "used": 2}, {"slots": 1, "lic": 1, "used": 1}]
    assert ar.free_slots == 2
    suspended = job(2, "-ar 7", tasks={1: Task("s", {"a.q@h1": 1}, NOW - 5)})
    other = job(3, "", tasks={1: Task("r", {"a.q@h2": 1}, NOW - 5)})
    assert entered(held, parallel, suspended, other)[0].free_slots == 1


@pytest.mark.parametrize(
    ("users", "owner", "group", "may"),
    [
        ((), "carl", "guests", True),
        (("anna",), "anna", "guests", True),
        (("anna",), "carl", "guests", False),
        (("@guests",), "carl", "guests", True),
        (("@few",), "bert", "guests", True),
        (("@few",), "carl", "staff", True),
        (("@few",), "carl", "guests", False),
        (("!carl",), "carl", "guests", False),
        (("!carl",), "anna", "guests", True),
        (("anna", "!carl"), "dora", "guests", False),
        (("anna", "!anna"), "anna", "guests", False),
    ],
)
def test_who_may_use_it(users: tuple[str, ...], owner: str, group: str, may: bool) -> None:
    assert is_refused(reservation(users=users), job(1, "-ar 7", owner, group=group)) is not may


@pytest.mark.parametrize(
    ("letter", "strict", "refused"),
    [("r", True, False), ("E", False, False), ("E", True, True), ("w", False, True), ("W", False, True)],
)
def test_its_jobs_wait_for_its_start_and_with_he_for_the_end_of_its_error(
    letter: str, strict: bool, refused: bool
) -> None:
    assert is_refused(reservation(state=letter, strict=strict), job(1, "-ar 7")) is refused


@pytest.mark.parametrize(("letter", "shown"), [("r", GRANTED), ("E", GRANTED), ("d", GRANTED), ("w", {}), ("X", {})])
def test_qstat_shows_the_slots_of_those_that_have_begun(letter: str, shown: dict[str, int]) -> None:
    assert slots_reserved(State(now=NOW, reservations=(reservation(state=letter),))) == shown


def test_slots_of_several_in_one_queue_instance_add_up() -> None:
    assert slots_reserved(State(now=NOW, reservations=(reservation(), reservation()))) == {"a.q@h1": 6, "a.q@h2": 4}


@pytest.mark.parametrize(
    ("letter", "lasts", "holds"),
    [
        ("w", True, True),
        ("W", True, True),
        ("r", True, True),
        ("E", True, True),
        ("d", False, True),
        ("X", False, False),
    ],
)
def test_what_is_deleted_while_jobs_run_keeps_all_that_it_has(letter: str, lasts: bool, holds: bool) -> None:
    held = reservation(state=letter)
    of = State(now=NOW, reservations=(held,))
    assert (lasting(of), holding(of)) == ((held,) if lasts else (), (held,) if holds else ())


def test_a_reservation_got_the_environment_in_which_those_before_it_had_left_room() -> None:
    on = cluster(environment("mpa", slots=6), environment("mpb", slots=9), queue("a.q", "h1", 20, pe_list="mpa mpb"))
    granted: dict[str, Any] = {"granted": {"a.q@h1": 4}, "state": "r", "environment": "mp*"}
    both = tuple(
        AdvanceReservation(number, "anna", NOW - 10, NOW + 100, submitted=NOW - 20 + number, **granted)
        for number in (1, 2)
    )
    of = State(now=NOW, reservations=both)
    compiled = compile_cluster(on)
    ars = compile_reservations(of, compiled, Resources(compiled, of, NO_ADJUSTMENTS), ())
    assert [ar.environment for ar in ars.values()] == ["mpa", "mpb"]


def test_a_job_uses_nothing_of_it_outside_its_queue_instances() -> None:
    astray = job(1, "-ar 7", tasks={1: Task("r", {"a.q@h2": 1}, NOW - 5)})
    assert amounts(entered(reservation(granted={"a.q@h1": 3}), astray)[0]) == [{}]
    partly = job(1, "-pe mpi 3 -ar 7", tasks={1: Task("r", {"a.q@h2": 2, "a.q@h1": 1}, NOW - 5, environment="mpi")})
    assert amounts(entered(reservation(granted={"a.q@h1": 3}), partly)[0]) == [{"slots": 1}]
