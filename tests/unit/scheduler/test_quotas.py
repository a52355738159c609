"""Resource quotas: the examples of sge_resource_quota(5) and quotas.md#example, and the rules that they leave open."""

from typing import cast

import pytest

from qmon_tui.model.cluster import ConfigObject, config_object
from qmon_tui.model.kinds import Kind
from qmon_tui.model.outcome import Outcome
from qmon_tui.model.quota_rules import QuotaFilter, parse_rule
from qmon_tui.scheduler.configuration.access_lists import Userset
from qmon_tui.scheduler.configuration.quota_rules import Rule, host_passes, is_open, name_passes, user_passes
from qmon_tui.scheduler.quotas.quota_usage import LimitAmount, RuleUsage
from tests.unit.scheduler.building import (
    attribute,
    cluster,
    environment,
    host,
    job,
    places,
    project,
    queue,
    reasons,
    run,
    running,
    the_job,
)


def quota(name: str, *rules: str, enabled: str = "TRUE") -> ConfigObject:
    return config_object(Kind.QUOTA, name, {"name": name, "enabled": enabled, "limit": "\n".join(rules)})


def started(outcome: Outcome) -> list[int]:
    return sorted(places(outcome))


def used(outcome: Outcome) -> list[tuple[str, str, str]]:
    assert outcome.quotas is not None
    return [(use.rule, use.text, use.filter) for use in outcome.quotas]


def test_a_limit_counts_slots_and_what_is_per_job_once_with_the_master() -> None:
    rule = cast("Rule", None)
    rule_usage = RuleUsage(rule, (None, None, None, None, None), 0, [0.0, 0.0], [0.0, 0.0])
    per_slot, per_job = LimitAmount(0, 2.0, 1, per_job=False), LimitAmount(1, 5.0, 0, per_job=True)
    assert rule_usage.book((per_slot, per_job), 3, master=True)
    assert (rule_usage.used, rule_usage.shared) == ([6.0, 5.0], [3.0, 0.0])
    assert rule_usage.book((per_slot, per_job), 2, master=False)
    assert (rule_usage.used, rule_usage.shared) == ([10.0, 5.0], [5.0, 0.0])
    assert not rule_usage.book((per_job,), 1, master=False)
    assert rule_usage.book((per_slot, per_job), -3, master=True)
    assert (rule_usage.used, rule_usage.shared) == ([4.0, 0.0], [2.0, 0.0])


TWO_HOSTS = (host("h1"), host("h2"), queue("all.q", "h1 h2", 4))


def test_worked_example() -> None:
    """quotas.md#example: three sets, six jobs of one user."""
    sets = (
        quota("A", "users {*} to slots=4"),
        quota("B", "users joe hosts {h1} to slots=1", "hosts {*} to slots=3"),
        quota("C", "projects * to slots=5"),
    )
    outcome = run(cluster(*TWO_HOSTS, *sets), *(job(number, owner="joe") for number in range(1, 7)))
    assert places(outcome) == {1: "all.q@h1", 2: "all.q@h2", 3: "all.q@h2", 4: "all.q@h2"}
    assert reasons(outcome, 5) == ('cannot run because it exceeds limit "joe/////" in rule "A/1"',)
    assert reasons(outcome, 6) == reasons(outcome, 5)
    assert used(outcome) == [
        ("A/1", "slots=4/4", "users joe"),
        ("B/1", "slots=1/1", "users joe hosts h1"),
        ("B/2", "slots=3/3", "hosts h2"),
    ]


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        (("users {anna,bela} to slots=1",), [1, 3]),
        (("users anna to slots=1", "users bela to slots=1"), [1, 3]),
        (("users anna,bela to slots=1",), [1]),
        (("users {*} to slots=1",), [1, 3]),
        (("users * to slots=1",), [1]),
        (("to slots=1",), [1]),
        (("users {*,!bela} to slots=1",), [1, 3, 4]),
        (("users bela to slots=9", "users {*} to slots=1"), [1, 3, 4]),
        (("users {*} to slots=0",), []),
        (("hosts {*} to slots=1",), [1, 2]),
        (("hosts h1 to slots=0",), [1, 2, 3, 4]),
        (("queues all.q to slots=2",), [1, 2]),
        (("queues other.q to slots=2",), [1, 2, 3, 4]),
        (("users @nobody to slots=0",), [1, 2, 3, 4]),
    ],
)
def test_braces_count_each_alone(rules: tuple[str, ...], expected: list[int]) -> None:
    jobs = [job(1), job(2), job(3, owner="bela"), job(4, owner="bela")]
    assert started(run(cluster(*TWO_HOSTS, quota("set", *rules)), *jobs)) == expected


@pytest.mark.parametrize(
    ("clause", "with_project", "without"),
    [
        ("", True, True),
        ("projects *", True, False),
        ("projects !*", False, True),
        ("projects !sea", False, True),
        ("projects sea,!sky", True, False),
        ("projects s*", True, False),
        ("projects sky", False, False),
    ],
)
def test_projects_and_those_without(clause: str, with_project: bool, without: bool) -> None:
    """The table in quotas.md#filters."""
    on = cluster(*TWO_HOSTS, project("sea"), project("sky"), quota("set", f"{clause} to slots=0"))
    outcome = run(on, job(1, "-P sea"), job(2))
    assert started(outcome) == [number for number, stopped in ((1, with_project), (2, without)) if not stopped]


def test_filters() -> None:
    sets = {"dev": Userset("dev", frozenset({"anna"}), frozenset({"staff"}), is_list=True, is_department=False)}
    assert user_passes(QuotaFilter(("@de*",), (), False), "anna", "lab", sets)
    assert user_passes(QuotaFilter(("@dev",), (), False), "bela", "staff", sets)
    assert not user_passes(QuotaFilter(("*",), ("@dev",), False), "bela", "staff", sets)
    assert not user_passes(QuotaFilter(("@dev",), (), False), "bela", "lab", sets)
    groups = {"@left": frozenset({"h1"}), "@right": frozenset({"h2"})}
    assert host_passes(QuotaFilter(("@l*|right",), (), False), "h2", groups)
    assert host_passes(QuotaFilter(("H[12]",), ("@right",), False), "h1", groups)
    assert not host_passes(QuotaFilter((), ("@right",), False), "h2", groups)
    assert name_passes(QuotaFilter(("m?i",), (), False), "mpi")
    assert name_passes(QuotaFilter(("mpi",), (), False), "mp*")
    assert is_open(QuotaFilter(("anna", "*"), (), True))
    assert not is_open(QuotaFilter(("*",), ("anna",), True))
    assert not is_open(QuotaFilter(("a*",), (), False))


def test_a_full_host_spoils_its_queue() -> None:
    """`hosts {*}` beside a queue filter: 8.1.9 gives up the whole queue, in this attempt and no longer."""
    on = cluster(*TWO_HOSTS, queue("spare.q", "h1", 1, seq_no="9"), quota("set", "queues all.q hosts {*} to slots=1"))
    outcome = run(on, *(job(number) for number in range(1, 5)))
    assert places(outcome) == {1: "all.q@h1", 2: "spare.q@h1"}
    assert reasons(outcome, 3) == ('cannot run because it exceeds limit "////h1/" in rule "set/1"',)


def test_dynamic_limit() -> None:
    """The man page's last example, with a host that reports nothing: there the limit is too high to matter."""
    on = cluster(
        host("h1", "num_proc=1"), host("h2"), queue("all.q", "h1 h2", 4), quota("set", "hosts {*} to slots=$num_proc*2")
    )
    outcome = run(on, *(job(number) for number in range(1, 9)))
    assert sorted(places(outcome).values()) == ["all.q@h1"] * 2 + ["all.q@h2"] * 4
    assert used(outcome) == [("set/1", "slots=2/2", "hosts h1"), ("set/1", "slots=4/9999", "hosts h2")]


def test_what_is_not_counted_is_compared() -> None:
    speed = attribute("speed sp INT <= YES NO 0")
    on = cluster(speed, host("h1", "speed=9"), queue("all.q", "h1", 9, pe_list="mpi"), environment("mpi"))
    on = on.with_objects([quota("set", "to speed=5")])
    outcome = run(on, job(1, "-l speed=3"), job(2, "-l speed=7"), job(3), job(4, "-l speed=3 -pe mpi 1"))
    assert started(outcome) == [1, 3]
    assert used(outcome) == [("set/1", "speed=5", "-")]


def test_default_requests_count() -> None:
    """A consumable that no host and no queue has is limited all the same (quotas.md#surprises-of-quotas)."""
    on = cluster(attribute("seat seat INT <= YES YES 2"), *TWO_HOSTS, quota("set", "to seat=5"))
    outcome = run(on, *(job(number) for number in range(1, 4)))
    assert started(outcome) == [1, 2]
    assert used(outcome) == [("set/1", "seat=4/5", "-")]


@pytest.mark.parametrize(
    ("rule", "limit", "slots"),
    [
        ("$fill_up", "to slots=5", 5),
        ("$round_robin", "hosts {*} to slots=2", 4),
        ("$pe_slots", "hosts {h2} to slots=3", 4),
    ],
)
def test_parallel_jobs_take_what_is_left(rule: str, limit: str, slots: int) -> None:
    on = cluster(host("h1"), host("h2"), queue("all.q", "h1 h2", 4, pe_list="mpi"), environment("mpi", rule))
    outcome = run(on.with_objects([quota("set", limit)]), job(1, "-pe mpi 1-8"))
    assert sum(the_job(outcome, 1).tasks[0].granted.values()) == slots


def test_a_host_that_delivers_too_few_gives_its_slots_back() -> None:
    """Two per host: h1 has one queue of a rule that is used up but for one slot."""
    queues = (queue("a.q", "h1", 4, pe_list="mpi"), queue("b.q", "h2", 4, pe_list="mpi", seq_no="1"))
    on = cluster(host("h1"), host("h2"), *queues, environment("mpi", "2"), quota("set", "to slots=3"))
    outcome = run(on, running(1, "a.q@h1"), job(2, "-pe mpi 2"))
    assert the_job(outcome, 2).tasks[0].granted == {"a.q@h1": 2}


def test_running_and_suspended_jobs_count() -> None:
    on = cluster(*TWO_HOSTS, quota("set", "users {*} to slots=2"))
    suspended = running(2, "all.q@h1")
    outcome = run(on, running(1, "all.q@h1"), suspended, job(3))
    assert started(outcome) == []
    assert used(outcome) == [("set/1", "slots=2/2", "users anna")]


def test_disabled_sets_limit_nothing() -> None:
    outcome = run(cluster(*TWO_HOSTS, quota("set", "to slots=0", enabled="FALSE")), job(1))
    assert started(outcome) == [1]
    assert outcome.quotas is None


def test_printed_filters() -> None:
    rule = parse_rule("users {!root,*} hosts @fast to slots=1")
    assert rule.filters["users"].text() == "{*,!root}"
    assert rule.filters["hosts"].text() == "@fast"


def test_each_limit_of_a_rule_is_asked() -> None:
    on = cluster(
        attribute("lic l INT <= YES YES 0"), host("global", "lic=9"), *TWO_HOSTS, quota("A", "users * to slots=9,lic=2")
    )
    assert started(run(on, *(job(number, "-l lic=1") for number in (1, 2, 3)))) == [1, 2]
    on = on.with_objects((quota("A", "users * to lic=9,slots=1"),))
    assert started(run(on, *(job(number, "-l lic=1") for number in (1, 2, 3)))) == [1]


def test_a_formula_with_an_unknown_attribute_counts_it_as_nothing() -> None:
    known, unknown = (
        run(
            cluster(*TWO_HOSTS, quota("set", f"hosts {{*}} to slots=$num_proc*2{more}")),
            *(job(number) for number in range(1, 4)),
        )
        for more in ("", "+$nosuch*3")
    )
    assert started(unknown) == started(known)
