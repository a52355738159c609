"""What checks of one level come down to: it says what the rule says, where only what is in use can change."""

from collections.abc import Mapping

import pytest

from qmon_tui.model import Request, State
from qmon_tui.scheduler.configuration import compile_cluster
from qmon_tui.scheduler.jobs import Demand, compile_demand
from qmon_tui.scheduler.matching import FITS, NO_LIMIT, Adjustments, Checker, Level, Resources, SlotCounter
from qmon_tui.scheduler.matching.reduced_check import FastChecker, Needs, ReducedCheck
from tests.unit.scheduler.building import NOW, attribute, cluster, host, queue

COMPILED = compile_cluster(
    cluster(
        attribute("lic lic INT <= YES YES 0"),
        attribute("gpu gpu INT <= YES YES 1"),
        attribute("once once INT <= YES JOB 0"),
        attribute("never never INT <= NO YES 1"),
        attribute("mark mark INT <= YES NO 0"),
        attribute("tag tag STRING == YES NO NONE"),
        attribute("x x BOOL EXCL YES YES 0"),
        attribute("odd odd INT == YES YES 0"),
        attribute("big big DOUBLE <= YES YES 0"),
        host("global", "lic=20"),
        host("h1", "lic=9,gpu=4,once=3,mark=5,tag=red"),
        host("h2", "never=3,lic=infinity,odd=2,big=1e30"),
        host("h3", "x=TRUE,lic=4"),
        host("h4", "lic=infinity,big=1e30,once=2"),
        queue("a.q", "h1 h2 h3 h4", 6, complex_values="lic=3,mark=2"),
    )
)
LOADS = {"h1": {"np_load_avg": "0.5", "num_proc": "4", "lic": "5"}, "h3": {"np_load_avg": "1.5"}}
ADJUSTMENTS = Adjustments.of({"np_load_avg": "0.5"})
ASKED: tuple[Mapping[str, str], ...] = (
    {}, {"lic": "2"}, {"lic": "4"}, {"lic": "0"}, {"lic": "30"}, {"gpu": "1"}, {"gpu": "2", "lic": "1"}, {"gpu": "5"},
    {"once": "1"}, {"once": "2", "lic": "1"}, {"never": "1"}, {"mark": "2"}, {"mark": "3"}, {"tag": "red"},
    {"tag": "blue"}, {"x": "TRUE"}, {"odd": "2"}, {"odd": "1"}, {"big": "1"}, {"np_load_avg": "1"}, {"num_proc": "2"},
    {"h_rt": "100"}, {"qname": "a.q"}, {"slots": "2"}, {"lic": "1", "nothing": "1"},
)  # fmt: skip


def levels() -> dict[str, Level]:
    """The levels of a cluster in which nothing is used."""
    resources = Resources(COMPILED, State(now=NOW, loads=LOADS), ADJUSTMENTS)
    hosts = {name: resources.hosts[resources.host_numbers[name]] for name in ("h1", "h2", "h3", "h4")}
    return {"global": resources.global_level, **hosts, "a.q": resources.queues[0]}


def checkers() -> tuple[FastChecker, Checker]:
    of_checks = COMPILED.attributes, ADJUSTMENTS, COMPILED.attributes.by_name.get("slots")
    return FastChecker(*of_checks), Checker(*of_checks)


def demand(asked: Mapping[str, str]) -> Demand:
    return compile_demand(Request(hard=tuple(asked.items())), COMPILED.attributes)


@pytest.mark.parametrize("used", [0, 1, 2, 3, 4, 6])
def test_what_is_known_says_the_same_as_the_rule(used: int) -> None:
    """In two rounds: at first nothing is known."""
    fast, plain = checkers()
    count = SlotCounter(plain).count
    demands = [demand(asked) for asked in ASKED]
    there = levels()
    for level in there.values():
        for name in level.used:
            level.used[name] = used
    answers = 0
    for _ in range(2):
        for name, level in there.items():
            for wanted in demands:
                known = fast.known(level, wanted)
                for outside in (set[str](), {"lic", "once", "x", "num_proc"}):
                    if known is None or not known.elsewhere <= outside:
                        continue
                    if all(amount <= total - level.used[what] for what, amount, total in known.needs):
                        accepted, answers = set(outside), answers + 1
                        assert plain.check(level, wanted, accepted) is None, (name, wanted.names)
                        assert accepted == outside | known.accepts, (name, wanted.names)
                    room = known.room(level.used)
                    if room is not None:
                        accepted, answers = set(outside), answers + 1
                        counted = count(level, wanted, accepted, None)
                        assert counted.now == room, (name, wanted.names)
                        assert (counted.result, counted.master) == (FITS, None), (name, wanted.names)
                        assert accepted == outside | known.accepts, (name, wanted.names)
    assert answers


def told(level: Level, wanted: Demand, checker: FastChecker) -> str:
    known = checker.known(level, wanted)
    if known is None:
        return "ask"
    needs = " ".join(f"{name}:{amount:g}/{total:g}" for name, amount, total in known.needs)
    divided = "ask" if known.divided is None else " ".join(name for name, _, _ in known.divided)
    return f"{needs};{divided};+{' '.join(sorted(known.accepts))};-{' '.join(sorted(known.elsewhere))}"


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (
            {},
            {
                "global": ";;+;-",
                "h1": "gpu:1/4;gpu;+;-",
                "h2": "never:1/3;ask;+;-",
                "h4": ";;+;-",
                "a.q": "slots:1/6;slots;+;-",
            },
        ),
        (
            {"lic": "2"},
            {
                "global": "lic:2/20;lic;+lic;-",
                "h2": "never:1/3 lic:2/1.79769e+308;ask;+lic;-",
                "h4": "lic:2/1.79769e+308;;+lic;-",
                "a.q": "slots:1/6 lic:2/3;slots lic;+lic;-",
            },
        ),
        (
            {"lic": "4"},
            {
                "global": "lic:4/20;lic;+lic;-",
                "h2": "never:1/3 lic:4/1.79769e+308;ask;+lic;-",
                "h4": "lic:4/1.79769e+308;;+lic;-",
            },
        ),
        (
            {"lic": "0"},
            {
                "global": "lic:0/20;;+lic;-",
                "h2": "never:1/3 lic:0/1.79769e+308;ask;+lic;-",
                "h4": "lic:0/1.79769e+308;;+lic;-",
                "a.q": "slots:1/6 lic:0/3;slots;+lic;-",
            },
        ),
        ({"lic": "30"}, {"h2": "never:1/3 lic:30/1.79769e+308;ask;+lic;-", "h4": "lic:30/1.79769e+308;;+lic;-"}),
        (
            {"gpu": "1"},
            {
                "global": ";;+;-",
                "h1": "gpu:1/4;gpu;+gpu;-",
                "h2": "never:1/3;ask;+;-",
                "h4": ";;+;-",
                "a.q": "slots:1/6;slots;+;-gpu",
            },
        ),
        (
            {"gpu": "2", "lic": "1"},
            {
                "global": "lic:1/20;lic;+lic;-",
                "h2": "never:1/3 lic:1/1.79769e+308;ask;+lic;-",
                "h4": "lic:1/1.79769e+308;;+lic;-",
                "a.q": "slots:1/6 lic:1/3;slots lic;+lic;-gpu",
            },
        ),
        (
            {"gpu": "5"},
            {"global": ";;+;-", "h2": "never:1/3;ask;+;-", "h4": ";;+;-", "a.q": "slots:1/6;slots;+;-gpu"},
        ),
        (
            {"once": "1"},
            {
                "global": ";;+;-",
                "h1": "gpu:1/4 once:1/3;ask;+once;-",
                "h2": "never:1/3;ask;+;-",
                "h4": "once:1/2;ask;+once;-",
                "a.q": "slots:1/6;slots;+;-once",
            },
        ),
        (
            {"once": "2", "lic": "1"},
            {
                "global": "lic:1/20;lic;+lic;-",
                "h2": "never:1/3 lic:1/1.79769e+308;ask;+lic;-",
                "h4": "lic:1/1.79769e+308 once:2/2;ask;+lic once;-",
                "a.q": "slots:1/6 lic:1/3;slots lic;+lic;-once",
            },
        ),
        (
            {"never": "1"},
            {"global": ";;+;-", "h1": "gpu:1/4;gpu;+;-", "h4": ";;+;-", "a.q": "slots:1/6;slots;+;-never"},
        ),
        (
            {"mark": "2"},
            {
                "global": ";;+;-",
                "h1": "gpu:1/4;gpu;+mark;-",
                "h2": "never:1/3;ask;+;-",
                "h4": ";;+;-",
                "a.q": "slots:1/6;slots;+mark;-",
            },
        ),
        (
            {"mark": "3"},
            {"global": ";;+;-", "h1": "gpu:1/4;gpu;+mark;-", "h2": "never:1/3;ask;+;-", "h4": ";;+;-"},
        ),
        (
            {"tag": "red"},
            {
                "global": ";;+;-",
                "h1": "gpu:1/4;gpu;+tag;-",
                "h2": "never:1/3;ask;+;-",
                "h4": ";;+;-",
                "a.q": "slots:1/6;slots;+;-tag",
            },
        ),
        (
            {"tag": "blue"},
            {"global": ";;+;-", "h2": "never:1/3;ask;+;-", "h4": ";;+;-", "a.q": "slots:1/6;slots;+;-tag"},
        ),
        ({"x": "TRUE"}, {}),
        (
            {"odd": "2"},
            {"global": ";;+;-", "h1": "gpu:1/4;gpu;+;-", "h4": ";;+;-", "a.q": "slots:1/6;slots;+;-odd"},
        ),
        (
            {"odd": "1"},
            {"global": ";;+;-", "h1": "gpu:1/4;gpu;+;-", "h4": ";;+;-", "a.q": "slots:1/6;slots;+;-odd"},
        ),
        (
            {"big": "1"},
            {
                "global": ";;+;-",
                "h1": "gpu:1/4;gpu;+;-",
                "h2": "never:1/3 big:1/1e+30;ask;+big;-",
                "h4": "big:1/1e+30;big;+big;-",
                "a.q": "slots:1/6;slots;+;-big",
            },
        ),
        (
            {"np_load_avg": "1"},
            {
                "global": ";;+;-",
                "h2": "never:1/3;ask;+;-",
                "h4": ";;+;-",
                "a.q": "slots:1/6;slots;+;-np_load_avg",
            },
        ),
        (
            {"num_proc": "2"},
            {
                "global": ";;+;-",
                "h2": "never:1/3;ask;+;-",
                "h4": ";;+;-",
                "a.q": "slots:1/6;slots;+;-num_proc",
            },
        ),
        (
            {"h_rt": "100"},
            {
                "global": ";;+;-",
                "h1": "gpu:1/4;gpu;+;-",
                "h2": "never:1/3;ask;+;-",
                "h4": ";;+;-",
                "a.q": "slots:1/6;slots;+h_rt;-",
            },
        ),
        ({"qname": "a.q"}, {}),
        (
            {"slots": "2"},
            {
                "global": ";;+;-",
                "h1": "gpu:1/4;gpu;+;-",
                "h2": "never:1/3;ask;+;-",
                "h4": ";;+;-",
                "a.q": "slots:1/6 slots:2/6;slots slots;+slots;-",
            },
        ),
        (
            {"lic": "1", "nothing": "1"},
            {
                "global": "lic:1/20;lic;+lic;-",
                "h2": "never:1/3 lic:1/1.79769e+308;ask;+lic;-",
                "h4": "lic:1/1.79769e+308;;+lic;-",
                "a.q": "slots:1/6 lic:1/3;slots lic;+lic;-",
            },
        ),
    ],
)
def test_what_a_check_comes_down_to(asked: Mapping[str, str], expected: dict[str, str]) -> None:
    checker, _ = checkers()
    known = {name: told(level, demand(asked), checker) for name, level in levels().items()}
    assert {name: text for name, text in known.items() if text != "ask"} == expected


@pytest.mark.parametrize(
    ("needs", "divided", "used", "room"),
    [
        ((("a", 2, 6),), None, {"a": 0}, None),
        ((("a", 2, 6),), (("a", 2, 6),), {"a": 0}, 3),
        ((("a", 2, 6),), (("a", 2, 6),), {"a": 4}, 1),
        ((("a", 2, 6),), (("a", 2, 6),), {"a": 5}, None),
        ((), (("a", 2, 7),), {"a": 0}, 3),
        ((), (("a", 2, 7), ("b", 1, 2)), {"a": 0, "b": 0}, 2),
        ((), (("b", 1, 2), ("a", 2, 7)), {"a": 4, "b": 0}, 1),
        ((), (), {}, NO_LIMIT),
        ((), (("a", 1, NO_LIMIT),), {"a": 0}, NO_LIMIT),
        # What no int can hold is for the rule.
        ((), (("a", 1, NO_LIMIT + 1.0),), {"a": 0}, None),
        ((), (("a", 1, NO_LIMIT + 1.0),), {"a": 1}, NO_LIMIT),
    ],
)
def test_the_room_for_slots_is_known_from_what_is_in_use(
    needs: Needs, divided: Needs | None, used: Mapping[str, float], room: int | None
) -> None:
    assert ReducedCheck(needs, frozenset(), frozenset(), divided).room(used) == room


def test_what_is_known_of_a_level_is_known_of_all_that_are_alike() -> None:
    names = [f"h{number}" for number in range(1, 8)]
    values = ("lic=2", "lic=2", "lic=3", "lic=2", "lic=2", "lic=2", "lic=2")
    built = cluster(
        attribute("lic lic INT <= YES YES 0"),
        *(host(name, value) for name, value in zip(names, values, strict=True)),
        queue("a.q", " ".join(names), 6),
    )
    loads = {"h4": {"lic": "1"}, "h5": {"np_load_avg": "0.5"}, "h6": {"num_proc": "2"}, "h7": {"lic": "1"}}
    compiled = compile_cluster(built)
    resources = Resources(compiled, State(now=NOW, loads=loads), ADJUSTMENTS)
    checker = FastChecker(compiled.attributes, ADJUSTMENTS, compiled.attributes.by_name.get("slots"))

    def groups(asked: Mapping[str, str]) -> list[int]:
        wanted = compile_demand(Request(hard=tuple(asked.items())), compiled.attributes)
        known = [checker.known(resources.hosts[resources.host_numbers[name]], wanted) for name in names]
        assert any(kept is wanted for kept in checker._kept)
        return [0 if check is None else 1 + next(n for n, k in enumerate(known) if k is check) for check in known]

    assert groups({"lic": "1"}) == [1, 1, 3, 0, 5, 5, 0]
    assert groups({"np_load_avg": "1"}) == [1, 1, 3, 4, 0, 6, 7]
    assert groups({"num_proc": "1"}) == [1, 1, 3, 4, 5, 0, 7]
    queues = [checker.known(level, compile_demand(Request(), compiled.attributes)) for level in resources.queues]
    assert len({id(check) for check in queues}) == len(queues)
