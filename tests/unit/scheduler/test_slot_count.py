"""How many slots of a parallel job one level has room for (parallel.md#slots-that-a-level-has-room-for)."""

from collections.abc import Mapping

import pytest

from qmon_tui.model import Request, State
from qmon_tui.scheduler.configuration import compile_cluster
from qmon_tui.scheduler.jobs import compile_demand
from qmon_tui.scheduler.matching import FITS, LATER, NEVER, NO_ADJUSTMENTS, NO_LIMIT, Checker, Resources, SlotCounter
from qmon_tui.scheduler.matching.level import QUOTA
from qmon_tui.scheduler.matching.slot_count import AttributeSlotCount, _joined_reason, divided, whole_slots
from tests.unit.scheduler.building import NOW, attribute, cluster, host, queue

COMPILED = compile_cluster(
    cluster(
        attribute("lic lic INT <= YES YES 0"),
        attribute("gpu gpu INT <= YES YES 1"),
        attribute("once once INT <= YES JOB 0"),
        attribute("never never INT <= NO YES 1"),
        attribute("mark mark INT <= YES NO 0"),
        attribute("x x BOOL EXCL YES YES 0"),
        host("global", "lic=20,once=4"),
        host("h1", "lic=9,gpu=4,once=3,mark=5"),
        host("h2", "never=3"),
        host("h3", "x=TRUE"),
        host("h4", "lic=INFINITY"),
        queue("a.q", "h1 h2 h3 h4", 6, complex_values="lic=3,mark=2,once=2"),
    )
)
RESULTS = {FITS: "fits", LATER: "later", NEVER: "never"}


def counted(
    where: str, asked: Mapping[str, str], used: Mapping[str, float], outside: set[str], layer: str | None = None
) -> str:
    resources = Resources(COMPILED, State(now=NOW), NO_ADJUSTMENTS)
    attributes = COMPILED.attributes
    named = {"global": resources.global_level, "a.q": resources.queues[0]}
    level = named.get(where) or resources.hosts[resources.host_numbers[where]]
    level.used.update(used)
    level.layer = layer or level.layer
    said: list[str] = []
    accepted = set(outside)
    demand = compile_demand(Request(hard=tuple(asked.items())), attributes)
    count = SlotCounter(Checker(attributes, NO_ADJUSTMENTS, attributes.by_name.get("slots"))).count
    room = count(level, demand, accepted, said.append)
    amounts = "/".join("-" if amount == NO_LIMIT else str(amount) for amount in (room.now, room.later))
    assert count(level, demand, set(outside), None) == room
    parts = [RESULTS[room.result], amounts, *([] if room.master is None else [f"m{room.master}"])]
    parts += sorted(accepted - outside)
    reasons = [text.partition(" because ")[2].removeprefix("it offers only ") for text in said]
    return "; ".join([" ".join(parts), *reasons])


@pytest.mark.parametrize(
    ("where", "asked", "used", "outside", "expected"),
    [
        ("global", {}, {}, set(), "fits -/-"),
        ("global", {"lic": "2"}, {}, set(), "fits 10/10 lic"),
        ("global", {"lic": "2"}, {"lic": 19}, set(), "never 0/0; gc:lic=1.000000"),
        ("global", {"lic": "2"}, {"lic": 20}, set(), "never 0/0; gc:lic=0.000000"),
        ("global", {"lic": "21"}, {}, set(), "never 0/0; gc:lic=20.000000"),
        ("global", {"once": "2"}, {}, set(), "fits -/- once"),
        ("global", {"once": "2"}, {"once": 3}, set(), "fits -/- m0"),
        ("global", {"once": "5"}, {}, set(), "fits -/- m0"),
        ("global", {"mark": "2"}, {}, set(), "fits -/-"),
        ("h1", {}, {}, set(), "fits 4/4"),
        ("h1", {}, {"gpu": 4}, set(), "never 0/0; hc:gpu=0.000000"),
        ("h1", {}, {"gpu": 5}, set(), "never 0/0; hc:gpu=-1.000000"),
        ("h1", {"gpu": "2"}, {"gpu": 1}, set(), "fits 1/2 gpu"),
        ("h1", {"gpu": "0"}, {"gpu": 4}, set(), "fits -/- gpu"),
        ("h1", {"once": "2"}, {"once": 1}, set(), "fits 4/4 once"),
        ("h1", {"once": "2"}, {"once": 2}, set(), "fits 4/4 m0"),
        ("h1", {"once": "4"}, {}, set(), "fits 4/4 m0"),
        ("h1", {"mark": "5"}, {}, set(), "fits 4/4 mark"),
        ("h1", {"mark": "6"}, {}, set(), "never 0/0; hf:mark=5.000000"),
        ("h1", {"lic": "5", "gpu": "3"}, {"lic": 8, "gpu": 3}, set(), "never 0/0; hc:gpu=1.000000"),
        ("h2", {}, {}, set(), 'never 0/0; job requests non requestable resource never"'),
        ("h2", {"lic": "1"}, {}, {"lic"}, 'never 0/0; job requests non requestable resource never"'),
        ("h3", {}, {}, set(), "fits -/-"),
        ("h3", {"x": "TRUE"}, {}, set(), "fits -/- x"),
        ("h3", {"x": "TRUE"}, {"x": 1}, set(), "never 0/0; hc:x=false"),
        ("h3", {}, {"x": 1}, set(), "never 0/0; exclusive resource (x) is already in use"),
        ("h4", {"lic": "2"}, {"lic": 9}, set(), "fits -/- lic"),
        ("a.q", {}, {}, set(), "fits 6/6"),
        ("a.q", {"once": "3", "lic": "1"}, {}, set(), "fits 3/3 m0 lic"),
        ("a.q", {"gpu": "1", "lic": "1"}, {}, {"gpu"}, "fits 3/3 lic"),
        ("a.q", {}, {"slots": 4}, set(), "fits 2/6"),
        ("a.q", {}, {"slots": 6}, set(), "never 0/0; qc:slots=0.000000"),
        ("a.q", {"lic": "1"}, {"slots": 2, "lic": 1}, set(), "fits 2/3 lic"),
        ("a.q", {"lic": "4"}, {}, set(), "never 0/0; qc:lic=3.000000"),
        ("a.q", {"gpu": "1"}, {}, set(), "never 0/0"),
        ("a.q", {"gpu": "1"}, {}, {"gpu"}, "fits 6/6"),
        ("a.q", {"once": "2"}, {"once": 1}, set(), "fits 6/6 m0"),
        ("a.q", {"once": "3"}, {}, set(), "fits 6/6 m0"),
        ("a.q", {"once": "1", "gpu": "1"}, {}, {"gpu", "once"}, "fits 6/6"),
        ("a.q", {"slots": "2"}, {"slots": 1}, set(), "fits 2/3 slots"),
    ],
)
def test_the_slots_that_a_level_has_room_for(
    where: str, asked: dict[str, str], used: dict[str, float], outside: set[str], expected: str
) -> None:
    assert counted(where, asked, used, outside) == expected


@pytest.mark.parametrize(
    ("where", "asked", "used", "expected"),
    [
        ("h1", {}, {"gpu": 3}, "fits 1/4"),
        # What the job has not asked for itself leaves the number of slots open, and nothing is said.
        ("h1", {}, {"gpu": 4}, "never -/-"),
        ("a.q", {}, {"slots": 6}, "never -/-"),
        ("h1", {"gpu": "3"}, {"gpu": 2}, "never 0/0"),
        ("h1", {"lic": "10"}, {}, "never 0/0"),
    ],
)
def test_a_quota_has_room_for_no_number_where_something_is_short_that_was_not_asked_for(
    where: str, asked: dict[str, str], used: dict[str, float], expected: str
) -> None:
    assert counted(where, asked, used, set(), QUOTA) == expected


@pytest.mark.parametrize(
    ("value", "slots"),
    [
        (0.9, 0), (1.0, 1), (-0.9, 0), (-1.5, -1), (NO_LIMIT, NO_LIMIT), (NO_LIMIT + 0.5, NO_LIMIT),
        (NO_LIMIT + 1, -NO_LIMIT - 1), (-NO_LIMIT - 1, -NO_LIMIT - 1), (-NO_LIMIT, -NO_LIMIT),
        (-NO_LIMIT - 2, -NO_LIMIT - 1), (-NO_LIMIT - 3, -NO_LIMIT - 1),
        (1e30, -NO_LIMIT - 1),
    ],
)  # fmt: skip
def test_slots_are_cut_off_as_in_c(value: float, slots: int) -> None:
    assert whole_slots(value) == slots


@pytest.mark.parametrize(
    ("layer", "name", "amount", "used", "used_later", "expected"),
    [
        ("h", "lic", 2, 0, 0, (FITS, 4, 4, "")),
        ("h", "lic", 2, 3, 5, (FITS, 3, 2, "")),
        ("h", "lic", 0, 9, 9, (FITS, NO_LIMIT, NO_LIMIT, "")),
        ("h", "lic", 2, 8, 3, (FITS, 0, 3, "offers only hc:lic=1.000000")),
        ("h", "lic", 2, 3, 8, (FITS, 3, 0, "offers only hc:lic=6.000000 due to a reservation")),
        # What is counted once limits no slots but where it is there for nobody.
        ("g", "once", 2, 0, 0, (FITS, NO_LIMIT, NO_LIMIT, "")),
        ("g", "once", 2, 2, 0, (LATER, 0, NO_LIMIT, "offers only gc:once=1.000000")),
        ("g", "once", 2, 0, 2, (LATER, NO_LIMIT, 0, "offers only gc:once=3.000000 due to a reservation")),
        ("g", "once", 3, 0, 0, (FITS, NO_LIMIT, NO_LIMIT, "")),
        ("h", "once", 2, 2, 0, (LATER, NO_LIMIT, NO_LIMIT, "")),
        ("h", "once", 2, 0, 2, (LATER, NO_LIMIT, NO_LIMIT, "")),
    ],
)
def test_how_often_an_amount_goes_into_what_is_left(
    layer: str, name: str, amount: float, used: float, used_later: float, expected: tuple[int, int, int, str]
) -> None:
    resources = Resources(COMPILED, State(now=NOW), NO_ADJUSTMENTS)
    level = resources.hosts[resources.host_numbers["h1"]]
    level.layer = layer
    single = divided(level, COMPILED.attributes.by_name[name], amount, used, used_later)
    reason = single.reason.removeprefix("it ").removeprefix("because ").strip()
    assert (single.result, single.now, single.later, reason) == expected


def test_what_is_in_use_exclusively_is_said_alone() -> None:
    exclusive, counted_one = COMPILED.attributes.by_name["x"], COMPILED.attributes.by_name["lic"]
    told = {
        (result, attribute.name): _joined_reason("before ", AttributeSlotCount(result, reason="now"), attribute)
        for result in (LATER, NEVER)
        for attribute in (exclusive, counted_one)
    }
    assert told == {
        (LATER, "x"): "now",
        (LATER, "lic"): "before now",
        (NEVER, "x"): "before now",
        (NEVER, "lic"): "before now",
    }
    resources = Resources(COMPILED, State(now=NOW), NO_ADJUSTMENTS)
    level = resources.hosts[resources.host_numbers["h3"]]
    level.used["x"] = 1.0
    single = SlotCounter(Checker(COMPILED.attributes, NO_ADJUSTMENTS, None))._exclusive(level, exclusive, 1.0)
    assert (single.result, single.now, single.later) == (LATER, 0, NO_LIMIT)
