"""What a level has for a stretch of time (reservation.md#fitting-now), or from when on (#earliest-time-of-one-slot)."""

from collections.abc import Mapping, Sequence, Set

import pytest

from qmon_tui.model import Request, State
from qmon_tui.scheduler.configuration import Value, compile_cluster
from qmon_tui.scheduler.jobs import Demand, ResourceRequest, compile_demand
from qmon_tui.scheduler.matching import FITS, LATER, NEVER, NO_ADJUSTMENTS, NO_LIMIT, Level, Resources
from qmon_tui.scheduler.reservation import (
    EarliestChecker,
    ResourceDiagrams,
    ScheduleState,
    TaskAllocation,
    TimedChecker,
    TimedCounter,
    TimeWindow,
)
from qmon_tui.values import INFINITE
from tests.unit.scheduler.building import attribute, cluster, host, queue

COMPILED = compile_cluster(
    cluster(
        attribute("lic lic INT <= YES YES 0"),
        attribute("gpu gpu INT <= YES YES 1"),
        attribute("never never INT <= NO YES 1"),
        attribute("mark mark INT <= YES NO 0"),
        attribute("x x BOOL EXCL YES YES 0"),
        host("global", "lic=20"),
        host("h1", "lic=9,gpu=4,mark=5"),
        host("h2", "never=3"),
        host("h3", "x=TRUE"),
        queue("a.q", "h1 h2 h3", 6, complex_values="lic=3"),
    )
)
ATTRIBUTES = COMPILED.attributes
NOW = 1000
FOR_EVER = INFINITE - NOW
RESULTS = {FITS: "fits", LATER: "later", NEVER: "never"}

Asked = Mapping[str, str]
Amounts = Mapping[str, float]
Claim = tuple[str, Asked, int, int, int]
"""The host, requests, slots, and from when to when after now."""


def demand_of(asked: Asked) -> Demand:
    return compile_demand(Request(hard=tuple(asked.items())), ATTRIBUTES)


class Site:
    """Three hosts with claims in their diagrams, and a window of 100 seconds from now on."""

    def __init__(self, claims: Sequence[Claim], schedules: bool = True) -> None:
        self.resources = resources = Resources(COMPILED, State(now=NOW), NO_ADJUSTMENTS)
        visible = frozenset(range(len(resources.instances)))
        self.diagrams = ResourceDiagrams(ATTRIBUTES, resources, schedules, visible)
        for name, asked, slots, start, end in claims:
            grants = ((resources.instance_numbers[f"a.q@{name}"], slots),)
            parts = (ScheduleState.RESERVING, 1, 1, demand_of(asked), grants, NOW + start, end - start)
            self.diagrams.claim(TaskAllocation(*parts, slots=slots))
        self.window = TimeWindow(NOW)
        self.window.open(100)
        self.parts = (ATTRIBUTES, NO_ADJUSTMENTS, ATTRIBUTES.by_name["slots"], self.diagrams, self.window)

    def level(self, where: str, used: Amounts, shared: Amounts) -> Level:
        resources = self.resources
        if where == "global":
            level = resources.global_level
        elif where in resources.host_numbers:
            level = resources.hosts[resources.host_numbers[where]]
        else:
            level = resources.queues[resources.instance_numbers[where]]
        level.used.update(used)
        level.shared.update(shared)
        return level

    def checked(self, level: Level, asked: Asked, outside: Set[str]) -> str:
        accepted = set(outside)
        failure = TimedChecker(*self.parts).check(level, demand_of(asked), accepted)
        if failure is None:
            return " ".join(("fits", *sorted(accepted - outside)))
        return ("later: " if failure.later else "never: ") + failure.reason.replace("it offers only ", "")

    def counted(self, level: Level, asked: Asked, outside: Set[str]) -> str:
        said: list[str] = []
        counter = TimedCounter(TimedChecker(*self.parts), self.diagrams, self.window)
        room = counter.count(level, demand_of(asked), set(outside), said.append)
        amounts = "/".join("-" if amount == NO_LIMIT else str(amount) for amount in (room.now, room.later))
        reasons = [text.partition(" because ")[2].replace("it offers only ", "") for text in said]
        return "; ".join([f"{RESULTS[room.result]} {amounts}", *reasons])

    def earliest(self, level: Level, asked: Asked, outside: Set[str]) -> str | int | None:
        """Seconds from now on; None where there is nothing to wait for."""
        checker = EarliestChecker(*self.parts)
        failure = checker.check(level, demand_of(asked), set(outside))
        (time,) = checker.times
        if failure is not None:
            return f"{'later' if failure.later else 'never'}: {failure.attribute}"
        return time - NOW if time else None


GPU, IN_USE = "for default request hc:gpu=", "exclusive resource (x) is already in use"
NOT_ASKABLE = 'job requests non requestable resource never"'
ALONE: Claim = ("h3", {"x": "TRUE"}, 1, 50, 70)
OTHERS: Claim = ("h3", {}, 2, 50, 70)
LAST: Claim = ("h3", {"x": "TRUE"}, 1, 50, FOR_EVER)
LATER_ON: Claim = ("h3", {}, 2, 100, FOR_EVER)


@pytest.mark.parametrize("schedules", [True, False])
@pytest.mark.parametrize(
    ("where", "asked", "claims", "checked", "counted", "earliest"),
    [
        ("h1", {}, [], "fits", "fits 4/4", 0),
        ("h1", {"gpu": "4"}, [], "fits gpu", "fits 1/1", 0),
        ("h1", {"gpu": "5"}, [], "never: hc:gpu=4.000000", "never 0/0; hc:gpu=4.000000", "never: gpu"),
        ("h1", {}, [("h1", {}, 4, 0, 50)], f"later: {GPU}0.000000", "fits 0/4", 50),
        ("h1", {}, [("h1", {}, 3, 0, 50)], "fits", "fits 1/4", 0),
        ("h1", {}, [("h1", {}, 4, 99, 200)], f"later: {GPU}0.000000 due to a reservation", "fits 0/4", 200),
        ("h1", {}, [("h1", {}, 4, 100, 200)], "fits", "fits 4/4", 200),
        ("h1", {"gpu": "2"}, [("h1", {}, 3, 0, 50)], "later: hc:gpu=1.000000", "fits 0/2", 50),
        ("h1", {"gpu": "1"}, [("h1", {}, 3, 0, 50)], "fits gpu", "fits 1/4", 0),
        ("h1", {"gpu": "0"}, [("h1", {}, 4, 0, 50)], "fits gpu", "fits -/-", 0),
        ("h1", {"lic": "1"}, [("h1", {}, 4, 0, 50)], f"later: {GPU}0.000000", "fits 0/4", 50),
        ("h1", {"gpu": "2"}, [("h1", {}, 3, 0, FOR_EVER)], "never: hc:gpu=1.000000", "fits 0/0", FOR_EVER),
        (
            "h1",
            {"gpu": "2"},
            [("h1", {}, 2, 0, FOR_EVER), ("h1", {}, 1, 0, 50)],
            "later: hc:gpu=1.000000",
            "fits 0/1",
            50,
        ),
        (
            "h1",
            {"gpu": "3"},
            [("h1", {}, 2, 0, FOR_EVER), ("h1", {}, 1, 0, 50)],
            "never: hc:gpu=1.000000",
            "fits 0/0",
            FOR_EVER,
        ),
        (
            "h1",
            {"lic": "9"},
            [("h1", {"lic": "1"}, 1, 20, 80), ("h1", {"lic": "2"}, 1, 50, 150)],
            "later: hc:lic=6.000000 due to a reservation",
            "fits 0/1",
            150,
        ),
        (
            "h1",
            {"lic": "9"},
            [("h1", {"lic": "1"}, 1, 0, 80), ("h1", {"lic": "2"}, 1, 50, 150)],
            "later: hc:lic=6.000000",
            "fits 0/1",
            150,
        ),
        ("h1", {"mark": "5"}, [], "fits mark", "fits 4/4", 0),
        ("h1", {"mark": "6"}, [], "never: hf:mark=5.000000", "never 0/0; hf:mark=5.000000", "never: mark"),
        ("h2", {}, [], "fits", f"never 0/0; {NOT_ASKABLE}", 0),
        ("h2", {"never": "1"}, [], f"never: {NOT_ASKABLE}", f"never 0/0; {NOT_ASKABLE}", "never: never"),
        (
            "h2",
            {},
            [("h2", {}, 3, 0, 50)],
            "later: for default request hc:never=0.000000",
            f"never 0/0; {NOT_ASKABLE}",
            50,
        ),
        ("a.q@h1", {}, [], "fits", "fits 6/6", 0),
        ("a.q@h1", {}, [("h1", {}, 6, 50, 70)], "later: qc:slots=0.000000 due to a reservation", "fits 0/6", 70),
        ("a.q@h1", {}, [("h1", {}, 5, 50, 70)], "fits", "fits 1/6", 0),
        (
            "a.q@h1",
            {"slots": "2"},
            [("h1", {}, 5, 50, 70)],
            "later: qc:slots=1.000000 due to a reservation",
            "fits 0/3",
            70,
        ),
        ("a.q@h1", {"lic": "1"}, [], "fits lic", "fits 3/3", 0),
        ("a.q@h1", {"x": "TRUE"}, [], "never: job requests unknown resource (x)", "never 0/0", "never: x"),
        (
            "a.q@h1",
            {"lic": "3"},
            [("h1", {"lic": "1"}, 1, 50, 70)],
            "later: qc:lic=2.000000 due to a reservation",
            "fits 0/1",
            70,
        ),
        ("a.q@h1", {"lic": "4"}, [], "never: qc:lic=3.000000", "never 0/0; qc:lic=3.000000", "never: lic"),
        ("global", {"lic": "20"}, [], "fits lic", "fits 1/1", 0),
        ("global", {"x": "TRUE"}, [], "fits", "fits -/-", None),
        ("global", {"lic": "20"}, [("h1", {"lic": "1"}, 1, 0, 50)], "later: gc:lic=19.000000", "fits 0/1", 50),
        ("global", {"lic": "0"}, [("h1", {"lic": "20"}, 1, 0, 50)], "fits lic", "fits -/-", 0),
        ("h3", {}, [], "fits", "fits -/-", 0),
        ("h3", {"x": "TRUE"}, [], "fits x", "fits -/-", 0),
    ],
)
def test_what_fits_in_a_stretch_of_time_and_from_when_on(
    where: str, asked: Asked, claims: Sequence[Claim], checked: str, counted: str, earliest: str | int | None,
    schedules: bool,
) -> None:  # fmt: skip
    site = Site(claims, schedules)
    level = site.level(where, {}, {})
    assert site.checked(level, asked, set()) == checked
    assert site.counted(level, asked, set()) == counted
    # Without a plan what has no diagram is there at once.
    known = schedules or bool(claims) or "x" in level.configured or isinstance(earliest, str)
    assert site.earliest(level, asked, set()) == (earliest if known else None)


@pytest.mark.parametrize(
    ("asked", "used", "shared", "claims", "schedules", "checked", "counted"),
    [
        ("", 0, 0, [], True, "fits", "fits -/-"),
        ("", 0, 0, [], False, "fits", "fits -/-"),
        ("", 1, 0, [], True, f"later: for default request {IN_USE}", "fits -/-"),
        ("", 1, 0, [], False, f"later: for default request {IN_USE}", f"never 0/0; {IN_USE}"),
        ("", 0, 1, [], True, "fits", "fits -/-"),
        ("", 0, 1, [], False, "fits", "fits -/-"),
        ("", 0, 0, [ALONE], True, f"later: for default request {IN_USE}", f"never 0/0; {IN_USE}"),
        ("", 0, 0, [ALONE], False, f"later: for default request {IN_USE}", "fits -/-"),
        ("", 0, 0, [OTHERS], True, "fits", "fits -/-"),
        ("", 0, 0, [OTHERS], False, "fits", "fits -/-"),
        ("", 0, 0, [LAST], True, f"later: for default request {IN_USE}", f"never 0/0; {IN_USE}"),
        ("", 0, 0, [LATER_ON], True, "fits", "fits -/-"),
        ("", 1, 0, [LAST], False, f"later: for default request {IN_USE}", f"never 0/0; {IN_USE}"),
        ("TRUE", 0, 0, [], True, "fits x", "fits -/-"),
        ("TRUE", 0, 0, [], False, "fits x", "fits -/-"),
        ("TRUE", 1, 0, [], True, f"later: {IN_USE}", "fits -/-"),
        ("TRUE", 1, 0, [], False, "never: hc:x=false", "never 0/0; hc:x=false"),
        ("TRUE", 0, 1, [], True, f"later: {IN_USE}", "fits -/-"),
        ("TRUE", 0, 1, [], False, f"later: {IN_USE}", f"later 0/-; {IN_USE}"),
        ("TRUE", 0, 0, [ALONE], True, f"later: {IN_USE}", f"later 0/-; {IN_USE}"),
        ("TRUE", 0, 0, [ALONE], False, f"later: {IN_USE}", "fits -/-"),
        ("TRUE", 0, 0, [OTHERS], True, f"later: {IN_USE}", f"later 0/-; {IN_USE}"),
        ("TRUE", 0, 0, [OTHERS], False, f"later: {IN_USE}", "fits -/-"),
        ("TRUE", 0, 0, [LAST], True, f"later: {IN_USE}", f"later 0/0; {IN_USE}"),
        ("TRUE", 0, 0, [LATER_ON], True, "fits x", f"later -/0; {IN_USE}"),
        ("TRUE", 1, 0, [LAST], False, "never: hc:x=false", "never 0/0; hc:x=false"),
        ("FALSE", 0, 0, [], True, "fits x", "fits -/-"),
        ("FALSE", 0, 0, [], False, "fits x", "fits -/-"),
        ("FALSE", 1, 0, [], True, f"later: {IN_USE}", "fits -/-"),
        ("FALSE", 1, 0, [], False, f"later: {IN_USE}", f"later 0/-; {IN_USE}"),
        ("FALSE", 0, 1, [], True, "fits x", "fits -/-"),
        ("FALSE", 0, 1, [], False, "fits x", "fits -/-"),
        ("FALSE", 0, 0, [ALONE], True, f"later: {IN_USE}", f"later 0/-; {IN_USE}"),
        ("FALSE", 0, 0, [ALONE], False, f"later: {IN_USE}", "fits -/-"),
        ("FALSE", 0, 0, [OTHERS], True, "fits x", "fits -/-"),
        ("FALSE", 0, 0, [OTHERS], False, "fits x", "fits -/-"),
        ("FALSE", 0, 0, [LAST], True, f"later: {IN_USE}", f"later 0/0; {IN_USE}"),
        ("FALSE", 0, 0, [LATER_ON], True, "fits x", "fits -/-"),
        ("FALSE", 1, 0, [LAST], False, f"later: {IN_USE}", f"later 0/0; {IN_USE}"),
    ],
)
def test_what_is_in_exclusive_use(
    asked: str, used: float, shared: float, claims: Sequence[Claim], schedules: bool, checked: str, counted: str
) -> None:
    site = Site(claims, schedules)
    level = site.level("h3", {"x": used}, {"x": shared})
    wanted = {"x": asked} if asked else {}
    assert site.checked(level, wanted, set()) == checked
    assert site.counted(level, wanted, set()) == counted


@pytest.mark.parametrize(
    ("asked", "claim", "time"),
    [("TRUE", ALONE, 70), ("TRUE", OTHERS, 70), ("TRUE", LATER_ON, FOR_EVER), ("FALSE", OTHERS, 0), ("", OTHERS, 0)],
)
def test_who_wants_to_be_alone_waits_for_all_others(asked: str, claim: Claim, time: int) -> None:
    site = Site([claim])
    assert site.earliest(site.level("h3", {}, {}), {"x": asked} if asked else {}, set()) == time


@pytest.mark.parametrize(("schedules", "fits"), [(True, True), (False, False)])
def test_with_a_plan_its_diagrams_count_and_without_one_what_is_in_use(schedules: bool, fits: bool) -> None:
    site = Site((), schedules)
    level, asked = site.level("h1", {"lic": 9}, {}), {"lic": "1", "gpu": "0"}
    assert site.checked(level, asked, {"gpu"}) == ("fits lic" if fits else "never: hc:lic=0.000000")
    assert site.counted(level, asked, set()) == ("fits 9/9" if fits else "never 0/0; hc:lic=0.000000")


def test_slots_that_a_host_only_reports_are_no_capacity() -> None:
    site = Site(())
    level = site.level("h1", {}, {})
    level.loads = {"slots": Value("0", 0.0)}
    assert site.checked(level, {}, set()) == "fits"


def test_what_is_in_use_without_a_diagram_is_in_use_until_it_ends_some_time() -> None:
    site = Site((), schedules=False)
    assert site.counted(site.level("h1", {"lic": 4}, {}), {"lic": "2", "gpu": "0"}, set()) == "fits 2/4"


def test_what_an_outer_level_has_is_known_to_the_queue_instance() -> None:
    site = Site(())
    level = site.level("a.q@h1", {}, {})
    assert site.checked(level, {"x": "TRUE"}, {"x"}) == "fits"
    assert site.earliest(level, {"x": "TRUE"}, {"x"}) == 0


@pytest.mark.parametrize(
    ("name", "amount", "failure", "time"),
    [
        ("lic", 1.0, None, 0),
        ("lic", 5.0, "lic", 150),
        ("lic", 7.0, "lic", 170),
        ("lic", 10.0, "lic", None),
        ("never", 1.0, "never", None),
        ("mark", 5.0, None, 0),
        ("x", 1.0, None, None),
    ],
)
def test_a_limit_of_a_quota(name: str, amount: float, failure: str | None, time: int | None) -> None:
    site = Site([("h1", {"lic": "3"}, 1, 50, 170), ("h1", {"lic": "2"}, 1, 80, 150)])
    level = site.level("h1", {}, {})
    wanted = ResourceRequest(ATTRIBUTES.by_name[name], f"{amount:g}", amount, amount)
    now, when = TimedChecker(*site.parts).quota_shortfall(level, wanted)
    assert (None if now is None else now.attribute, when) == (failure, 0)
    checker = EarliestChecker(*site.parts, times=[7])
    some_time, when = checker.quota_shortfall(level, wanted)
    assert (some_time is None) is (time is not None or name == "x")
    assert when == (0 if time is None else NOW + time)
    assert checker.times == [7]
