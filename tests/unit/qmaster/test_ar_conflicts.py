"""Edits that take nothing away from an advance reservation, which the recorded sessions do not have."""

from collections.abc import Sequence
from datetime import datetime

import pytest

from qmon_tui.model.cluster import Cluster, ConfigObject, config_object
from qmon_tui.model.jobs import AdvanceReservation
from qmon_tui.model.kinds import Kind
from qmon_tui.qmaster.ar_conflicts import ar_conflicts
from tests.unit.scheduler.building import NOW, attribute, cluster, environment, host, queue, state, userset

RESERVED = state([], reservations=(AdvanceReservation(1, "anna", NOW, NOW + 60, {"a.q@n1": 2}, users=("anna",)),))


def refused(before: Cluster, after: Cluster) -> list[tuple[Kind, str, str]]:
    return [(conflict.kind, conflict.name, conflict.text) for conflict in ar_conflicts(before, after, RESERVED)]


SHUT_OUT = 'denied: the change in "entries" would break advance reservation 1'
OPEN, CLOSED = queue("a.q", "n1", 4, user_lists="few"), queue("a.q", "n1", 4)


@pytest.mark.parametrize(
    ("before", "after", "texts"),
    [
        ([userset("few", "bela")], [userset("few", "bela,chen")], [SHUT_OUT]),
        ([userset("few", "anna")], [userset("few", "anna,bela")], []),
        # A list in which she was not before either, and that nobody edits.
        ([userset("few", "bela")], [userset("few", "bela")], []),
        ([], [], []),
        ([], [userset("few", "bela")], [SHUT_OUT]),
        ([userset("few", "anna")], [], [SHUT_OUT]),
    ],
)
def test_who_is_shut_out_by_a_list(before: list[ConfigObject], after: list[ConfigObject], texts: list[str]) -> None:
    assert refused(cluster(OPEN, *before), cluster(OPEN, *after)) == [(Kind.USERSET, "few", text) for text in texts]


CALENDAR = {"calendar_name": "days", "year": "NONE"}
BASE = cluster(
    attribute("lic lic INT <= YES YES 0"), attribute("tape tape INT <= YES JOB 0"),
    attribute("disk disk INT <= YES NO 0"), attribute("os os CSTRING == YES NO 0"),
    attribute("free free INT <= YES YES 2"),
    environment("mpi", slots=6), environment("smp"), host("n1"), host("n2"), userset("few", "anna"),
    config_object(Kind.CALENDAR, "days", {**CALENDAR, "week": "NONE"}),
    queue("a.q", "n1 n2", 4, pe_list="mpi smp"),
)  # fmt: skip


def reserved(number: int, start: int, end: int, requests: str = "", **more: object) -> AdvanceReservation:
    """Two slots on n1, then one on n2."""
    hard = tuple((name, text) for name, _, text in (word.partition("=") for word in requests.split(",") if word))
    known = {"requests": hard, "environment": "mpi", "users": ("anna",), **more}
    return AdvanceReservation(number, "anna", NOW + start, NOW + end, {"a.q@n1": 2, "a.q@n2": 1}, **known)  # type: ignore[arg-type]


def told(before: Cluster, edit: Sequence[ConfigObject], *reservations: AdvanceReservation) -> list[tuple[object, ...]]:
    known = state([], reservations=reservations)
    return [
        (conflict.kind, conflict.name, conflict.field, conflict.text)
        for conflict in ar_conflicts(before, before.with_objects(edit), known)
    ]


@pytest.mark.parametrize(
    ("slots", "spans", "refused_for"),
    [
        ("4", [(100, 200)], ()),
        ("3", [(100, 200)], ()),
        ("2", [(100, 200)], ()),
        ("1", [(100, 200)], (("n1", 2),)),
        ("0", [(100, 200)], (("n1", 2), ("n2", 1))),
        ("4,[n2=0]", [(100, 200)], (("n2", 1),)),
        ("2", [(100, 200), (200, 300)], ()),
        ("3", [(100, 200), (199, 300)], (("n1", 4),)),
        ("1", [(-200, 300)], (("n1", 2),)),
    ],
)
def test_a_queue_instance_keeps_the_slots_that_are_reserved_at_any_time(
    slots: str, spans: Sequence[tuple[int, int]], refused_for: Sequence[tuple[str, int]]
) -> None:
    reservations = [reserved(number, *span) for number, span in enumerate(spans, 1)]
    assert told(BASE, [queue("a.q", "n1 n2", slots, pe_list="mpi smp")], *reservations) == [
        (
            Kind.QUEUE,
            "a.q",
            "slots",
            f"denied: {most} slots are already reserved in a.q@{name} by an advance reservation",
        )
        for name, most in refused_for
    ]


def broken_values(kind: Kind, name: str, *attributes: str) -> list[tuple[object, ...]]:
    text = 'denied: changing "{}" in complex_values would break advance reservation'
    return [(kind, name, "complex_values", text.format(attribute)) for attribute in attributes]


@pytest.mark.parametrize(
    ("requests", "values", "broken"),
    [
        ("lic=2", "lic=4", ()),
        ("lic=2", "lic=3", ("lic",)),
        ("lic=2", "lic=9", ()),
        ("lic=2", "NONE", ()),
        ("", "lic=0", ()),
        ("tape=2", "tape=2", ()),
        ("tape=2", "tape=1", ("tape",)),
        ("tape=1", "tape=1", ()),
        # A number that is not consumed is multiplied by the slots as well.
        ("disk=2", "disk=4", ()),
        ("disk=2", "disk=3", ("disk",)),
        ("disk=3", "disk=5", ("disk",)),
        ("os=lx", "os=lx", ()),
        ("os=lx", "os=sol", ("os",)),
        # Without a request the default counts.
        ("", "free=4", ()),
        ("", "free=3", ("free",)),
        ("free=1", "free=3", ()),
        ("", "slots=2", ()),
        ("", "slots=1", ("slots",)),
        ("lic=2,disk=2", "lic=3,disk=3", ("disk", "lic")),
    ],
)
def test_a_host_keeps_what_is_promised_of_what_it_still_has(
    requests: str, values: str, broken: tuple[str, ...]
) -> None:
    assert told(BASE, [host("n1", values)], reserved(1, 100, 200, requests)) == broken_values(Kind.HOST, "n1", *broken)
    assert told(BASE, [host("n9", values)], reserved(1, 100, 200, requests)) == []
    # Of a queue instance it counts what it had before, whatever it has now.
    before = BASE.with_objects([queue("a.q", "n1 n2", 4, pe_list="mpi smp", complex_values=f"NONE,[n1={values}]")])
    now = queue("a.q", "n1 n2", 4, pe_list="mpi smp", complex_values="NONE,[n1=os=other]")
    of_queue = broken_values(Kind.QUEUE, "a.q", *(name for name in broken if name != "slots"))
    assert told(before, [now], reserved(1, 100, 200, requests)) == of_queue
    assert (
        told(
            before,
            [queue("a.q", "n1 n2", 4, prolog="x", complex_values=f"NONE,[n1={values}]", pe_list="mpi smp")],
            reserved(1, 100, 200, requests),
        )
        == []
    )


def test_what_reservations_hold_of_a_host_at_the_same_time_adds_up() -> None:
    with_queue = BASE.with_objects([queue("b.q", "n1", 4)])
    other = AdvanceReservation(2, "anna", NOW + 150, NOW + 250, {"b.q@n1": 1}, requests=(("lic", "3"), ("tape", "1")))
    for values, broken in (("lic=7,tape=3", ()), ("lic=6,tape=3", ("lic",)), ("lic=7,tape=2", ("tape",))):
        first = reserved(1, 100, 200, "lic=2,tape=2")
        assert told(with_queue, [host("n1", values)], first, other) == broken_values(Kind.HOST, "n1", *broken)
        assert told(with_queue, [host("n1", "lic=4,tape=2")], reserved(1, 100, 150, "lic=2,tape=2"), other) == []


@pytest.mark.parametrize(
    ("slots", "environments", "most"),
    [
        (6, ("mpi", "mpi"), None),
        (5, ("mpi", "mpi"), 6),
        (3, ("mpi", "smp"), None),
        (2, ("mpi", "smp"), 3),
        (0, (None, None), None),
        (0, ("m*", "m*"), None),
    ],
)
def test_an_environment_keeps_the_slots_of_all_its_reservations(
    slots: int, environments: Sequence[str | None], most: int | None
) -> None:
    """Whenever they are."""
    reservations = [
        reserved(number, 100 * number, 100 * number + 50, environment=name)
        for number, name in enumerate(environments, 1)
    ]
    text = f"denied: lowering slots amount below {most} would break advance reservations"
    expected = [] if most is None else [(Kind.PE, "mpi", "slots", text)]
    assert told(BASE, [environment("mpi", slots=slots)], *reservations) == expected
    too_few = BASE.with_objects([environment("mpi", slots=1)])
    assert told(too_few, [environment("smp", slots=50)], *reservations) == [], "only what is edited is looked at"


@pytest.mark.parametrize(
    ("pe_list", "asked", "is_refused"),
    [
        ("mpi smp", "mpi", False),
        ("mpi", "mpi", False),
        ("smp", "mpi", True),
        ("NONE", "mpi", True),
        ("smp", None, False),
        ("mpi smp", "m*", False),
        ("mpi", "m*", True),
    ],
)
def test_an_environment_stays_where_it_is_promised_under_the_name_that_was_asked_for(
    pe_list: str, asked: str | None, is_refused: bool
) -> None:
    removed = f'denied: removing "{asked}" from pe_list would break advance reservation 1'
    on_each = [(Kind.QUEUE, "a.q", "pe_list", removed)] * 2
    edit = [queue("a.q", "n1 n2", 4, pe_list=pe_list)]
    assert told(BASE, edit, reserved(1, 100, 200, environment=asked)) == on_each * is_refused


def closed(first: int, last: int) -> dict[str, str]:
    ends = (datetime.fromtimestamp(HOUR + seconds).strftime("%H:%M") for seconds in (first, last))
    return {**CALENDAR, "week": f"mon-sun={'-'.join(ends)}=off"}


HOUR = NOW - NOW % 3600 + 3600


@pytest.mark.parametrize(
    ("first", "last", "closes"), [(0, 600, False), (600, 1200, True), (1800, 2400, True), (2460, 3000, False)]
)
def test_a_calendar_closes_nothing_that_is_reserved(first: int, last: int, closes: bool) -> None:
    calendar = config_object(Kind.CALENDAR, "days", closed(first, last))
    reservation = reserved(1, HOUR - NOW + 660, HOUR - NOW + 1860)
    with_calendar = queue("a.q", "n1 n2", 4, pe_list="mpi smp", calendar="days")
    text = 'denied: changing "days" to calendar would break advance reservation 1'
    assert told(BASE, [calendar], reservation) == []
    assert (
        told(BASE.with_objects([with_calendar]), [calendar], reservation)
        == [(Kind.CALENDAR, "days", None, text)] * 2 * closes
    )
    assert (
        told(BASE.with_objects([calendar]), [with_calendar], reservation)
        == [(Kind.QUEUE, "a.q", "calendar", text)] * 2 * closes
    )
    assert told(BASE.with_objects([calendar, with_calendar]), [queue("b.q", "n1")], reservation) == []


@pytest.mark.parametrize(
    ("lists", "users", "is_shut_out"),
    [
        ({"user_lists": "few"}, ("anna",), False),
        ({"user_lists": "few"}, ("anna", "bela"), True),
        ({"user_lists": "few"}, (), False),
        ({"xuser_lists": "few"}, ("anna",), True),
        ({"xuser_lists": "few"}, ("bela",), False),
    ],
)
def test_users_are_not_shut_out(lists: dict[str, str], users: tuple[str, ...], is_shut_out: bool) -> None:
    text = 'denied: the change in "user_lists" would break advance reservation 1'
    reservation = reserved(1, 100, 200, users=users)
    of_queue = [(Kind.QUEUE, "a.q", "user_lists", text)] * 2
    edit = queue("a.q", "n1 n2", 4, pe_list="mpi smp", **lists)
    assert told(BASE, [edit], reservation) == of_queue * is_shut_out
    assert told(BASE, [host("n1", **lists)], reservation) == [(Kind.HOST, "n1", "user_lists", text)] * is_shut_out
    assert told(BASE.with_objects([edit]), [queue("b.q", "n1")], reservation) == []


def test_what_is_deleted_keeps_nothing() -> None:
    for letter, count in (("r", 1), ("w", 1), ("E", 1), ("d", 0), ("X", 0)):
        edit = queue("a.q", "n1 n2", 1, pe_list="mpi smp")
        assert len(told(BASE, [edit], reserved(1, -100, 200, state=letter))) == count


def test_each_edited_host_is_looked_at_and_no_other() -> None:
    scarce = BASE.with_objects([host("n1", "lic=3"), queue("b.q", "n1 n2", 4)])
    few = reserved(1, 100, 200, "lic=2")
    assert told(scarce, [host("n2", "lic=1")], few) == broken_values(Kind.HOST, "n2", "lic")
    assert told(scarce, [host("n2", "lic=2")], few) == []
    known = state([], reservations=[few])
    assert not [*ar_conflicts(scarce, scarce.without(Kind.HOST, "n1"), known)], "it may be taken out"
    added = scarce.without(Kind.QUEUE, "a.q")
    assert not [*ar_conflicts(added, scarce, known)], "nobody was promised anything there before"
