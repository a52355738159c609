"""What qrsub grants, and in which order it looks (reservation.md#what-qrsub-grants)."""

from collections.abc import Sequence
from time import mktime

import pytest

from qmon_tui.model import AdvanceReservation, Job, Kind, State, config_object
from qmon_tui.qmaster.ar_grant import ArRequest, grant
from tests.unit.scheduler.building import (
    NOW,
    attribute,
    cluster,
    environment,
    host,
    job,
    queue,
    running,
    scheduler,
    state,
)

SITE = cluster(
    attribute("lic lic INT <= YES YES 0"),
    environment("mpi"),
    environment("each", "1"),
    host("n1", "lic=2"),
    host("n2", "lic=5"),
    queue("a.q", "n1 n2", 2, seq_no="5", pe_list="mpi each"),
    queue("b.q", "n1", 2, seq_no="1", pe_list="mpi"),
    scheduler(queue_sort_method="seqno", default_duration="1:0:0", params="DURATION_OFFSET=0"),
)
A1, A2, B1 = "a.q@n1", "a.q@n2", "b.q@n1"


def reserved(begin: int, end: int, granted: dict[str, int], environment: str | None = None) -> AdvanceReservation:
    return AdvanceReservation(1, "anna", NOW + begin, NOW + end, granted, "w", environment=environment)


def granted(options: str, jobs: Sequence[Job] = (), others: Sequence[AdvanceReservation] = ()) -> dict[str, int]:
    """From 100 to 200 seconds after now."""
    asked = ArRequest(job(9, options), NOW + 100, 100)
    return grant(SITE, state(jobs, reservations=tuple(others)), asked).slots


FULL = {A1: 2, A2: 2, B1: 2}


@pytest.mark.parametrize(
    ("options", "jobs", "others", "slots"),
    [
        ("", [], [], {A1: 1}),
        ("-l lic=3", [], [], {A2: 1}),
        ("-l lic=6", [], [], {}),
        ("-q b.q", [], [], {B1: 1}),
        # What runs or stands still keeps its place as long as it is to last.
        ("", [job(1, "-l h_rt=99", tasks=running(1, A1, slots=2).tasks)], [], {A1: 1}),
        ("", [job(1, "-l h_rt=200000", tasks=running(1, A1, slots=2).tasks)], [], {A2: 1}),
        ("", [job(1, "-l h_rt=200000"), job(2, "-l h_rt=200000")], [], {A1: 1}),
        # So does what other reservations have meanwhile.
        ("", [], [reserved(50, 150, {A1: 2})], {A2: 1}),
        ("", [], [reserved(50, 100, {A1: 2})], {A1: 1}),
        ("", [], [reserved(200, 300, {A1: 2})], {A1: 1}),
        ("", [], [reserved(199, 300, {A1: 2})], {A2: 1}),
        ("", [], [reserved(50, 150, FULL)], {}),
        # The first slots in an environment come by seq_no, all others as they are configured.
        ("-pe mpi 1", [], [], {B1: 1}),
        ("-pe mpi 3", [], [], {B1: 2, A1: 1}),
        ("-pe mpi 1", [], [reserved(900, 999, {A2: 1})], {B1: 1}),
        ("-pe mpi 1", [], [reserved(900, 999, {A2: 1}, "mpi")], {A1: 1}),
        ("-pe mpi 3", [], [reserved(900, 999, {A2: 1}, "mpi")], {A1: 2, B1: 1}),
        ("-pe mpi 1-9", [], [], {B1: 2, A1: 2, A2: 2}),
        ("-pe each 2", [], [], {A1: 1, A2: 1}),
        ("-pe each 3", [], [], {}),
        ("-pe mpi 9", [], [], {}),
    ],
)
def test_where_slots_are_granted(
    options: str, jobs: list[Job], others: list[AdvanceReservation], slots: dict[str, int]
) -> None:
    assert granted(options, jobs, others) == slots


def test_a_pattern_of_environments_is_kept_as_it_was_asked_for() -> None:
    assert grant(SITE, state([]), ArRequest(job(9, "-pe m* 2"), NOW + 100, 100)).environment == "m*"
    assert grant(SITE, state([]), ArRequest(job(9), NOW + 100, 100)).environment is None


@pytest.mark.parametrize(
    ("hours", "is_open"), [((10, 11), True), ((10, 13), False), ((13, 15), False), ((14, 15), True)]
)
def test_a_calendar_that_closes_before_the_end_leaves_a_queue_out(hours: tuple[int, int], is_open: bool) -> None:
    noon = config_object(Kind.CALENDAR, "noon", {"calendar_name": "noon", "week": "mon-sun=12-14=off"})
    on = cluster(noon, queue("a.q", "n1", calendar="noon"))
    midnight = int(mktime((2026, 1, 5, 0, 0, 0, 0, 0, -1)))
    begin, end = (midnight + 3600 * hour for hour in hours)
    given = grant(on, State(now=midnight), ArRequest(job(1), begin, end - begin))
    assert given.slots == ({A1: 1} if is_open else {})
    assert len(given.notes) == (not is_open)
