"""What limits count of jobs, whose counters are the same, and in which order sets are asked (quotas.md)."""

from collections.abc import Mapping

import pytest

from qmon_tui.model import Request, State, Task
from qmon_tui.qmaster.run_jobs import collect_run_jobs
from qmon_tui.scheduler import session_of
from qmon_tui.scheduler.configuration import QuotaSubject, compile_cluster
from qmon_tui.scheduler.jobs import Demand, compile_demand
from qmon_tui.scheduler.matching import NO_ADJUSTMENTS, Resources
from qmon_tui.scheduler.quotas import QuotaUsage
from qmon_tui.scheduler.quotas.quota_usage import limit_amounts_of
from tests.unit.scheduler.building import NOW, attribute, cluster, environment, job, queue
from tests.unit.scheduler.test_quotas import quota

COMPLEXES = (
    attribute("lic lic INT <= YES YES 0"),
    attribute("gpu gpu INT <= YES YES 1"),
    attribute("once once INT <= YES JOB 0"),
    attribute("mark mark INT <= YES NO 0"),
    attribute("x x BOOL EXCL YES YES 0"),
)
SUBJECT = QuotaSubject("anna", "staff", None, None)
QUEUES = (queue("a.q", "h1 h2", 4, pe_list="mpi"), queue("b.q", "h1 h2", 4))


def usage_of(*limits: str) -> QuotaUsage:
    """Each set of rules is written with ; between them."""
    sets = [quota(f"set{number}", *rules.split(";")) for number, rules in enumerate(limits)]
    compiled = compile_cluster(cluster(*COMPLEXES, *QUEUES, environment("mpi"), *sets))
    assert compiled.rule_matcher is not None
    return QuotaUsage(compiled.rule_matcher, Resources(compiled, State(now=NOW), NO_ADJUSTMENTS))


def demand(asked: Mapping[str, str], usage: QuotaUsage) -> Demand:
    return compile_demand(Request(hard=tuple(asked.items())), usage.resources.compiled.attributes)


@pytest.mark.parametrize(
    ("asked", "counted"),
    [
        ({}, [(0, 1, 0, False), (2, 1, 0, False), (5, 0, 1, False)]),
        ({"lic": "3", "gpu": "0"}, [(0, 1, 0, False), (1, 3, 0, False), (5, 0, 1, False)]),
        ({"once": "2", "mark": "1"}, [(0, 1, 0, False), (2, 1, 0, False), (3, 2, 0, True), (5, 0, 1, False)]),
        ({"x": "TRUE"}, [(0, 1, 0, False), (2, 1, 0, False), (5, 1, 0, False)]),
    ],
)
def test_what_the_limits_of_a_rule_count_of_a_slot(
    asked: dict[str, str], counted: list[tuple[int, float, int, bool]]
) -> None:
    usage = usage_of("to slots=9,lic=9,gpu=9,once=9,mark=9,x=1")
    rule = usage.rule_matcher.sets[0].rules[0]
    assert [tuple(amount) for amount in limit_amounts_of(rule, demand(asked, usage))] == counted


@pytest.mark.parametrize(
    ("rules", "stays", "for_parallel"),
    [
        ("users {*} to slots=1", True, True),
        ("users bob to slots=1", True, True),
        ("name one hosts h1 to slots=1;name two to slots=2", True, True),
        ("name one hosts h1 to slots=1;name one to slots=2", False, False),
        ("name one pes mpi to slots=1", True, True),
        ("name one pes mpi to slots=1;name two to slots=2", True, False),
        ("name one pes mpi users bob to slots=1;name two to slots=2", True, True),
        ("name one pes !* to slots=1;name two to slots=2", True, True),
    ],
)
def test_what_is_exceeded_stays_so(rules: str, stays: bool, for_parallel: bool) -> None:
    usage = usage_of(rules)
    alone, parallel = usage.subject_usage(SUBJECT), usage.subject_usage(SUBJECT._replace(environment="mpi"))
    assert (alone.stays_exceeded, parallel.stays_exceeded_for_pe) == (stays, for_parallel)


@pytest.mark.parametrize(
    ("rules", "same"),
    [
        ("users {*} to slots=1", True),
        ("users {*} pes {*} to slots=1", False),
        ("pes mpi to slots=1", False),
        ("pes other to slots=1", True),
        ("pes {other} to slots=1", True),
        ("users bob to slots=1", True),
    ],
)
def test_jobs_in_an_environment_have_the_counters_of_others_unless_rules_tell_them_apart(
    rules: str, same: bool
) -> None:
    usage = usage_of(rules)
    parallel = usage.subject_usage(SUBJECT._replace(environment="mpi"))
    assert (parallel is usage.subject_usage(SUBJECT)) is same
    assert usage.subject_usage(SUBJECT._replace(environment="mpi")) is parallel


@pytest.mark.parametrize(
    ("limits", "limited", "shared"),
    [
        (["users bob to slots=1"], False, []),
        (["users {*} to slots=1"], True, ["anna/////"]),
        (["hosts {*} to slots=1"], True, []),
        (["queues {*} to slots=1"], True, ["///a.q//", "///b.q//"]),
        (["queues a.q to slots=1"], True, ["/////"]),
        (["queues {*} hosts {*} to slots=1", "to slots=9"], True, ["/////"]),
        (["users {*} to slots=1", "users {*} queues {a.q} to slots=9"], True, ["anna/////", "anna///a.q//"]),
    ],
)
def test_counters_that_hosts_share(limits: list[str], limited: bool, shared: list[str]) -> None:
    usage = usage_of(*limits).subject_usage(SUBJECT)
    assert usage.is_limited is limited
    assert [rule_usage.key for rule_usage in usage.shared] == shared


@pytest.mark.parametrize(
    ("changed", "started", "order"),
    [
        ({}, {}, [0, 1, 2]),
        ({}, {"a.q": NOW - 50}, [1, 2, 0]),
        ({}, {"a.q": NOW - 50, "b.q": NOW - 40}, [2, 0, 1]),
        ({}, {"a.q": NOW - 40, "b.q": NOW - 50}, [2, 1, 0]),
        ({}, {"a.q": NOW - 50, "b.q": NOW - 50}, [2, 0, 1]),
        ({}, {"a.q": 0, "b.q": 1}, [2, 0, 1]),
        ({2: NOW - 50}, {}, [0, 1, 2]),
        ({0: NOW - 50}, {}, [1, 2, 0]),
        ({0: NOW - 50, 1: NOW - 60}, {}, [2, 1, 0]),
        ({0: NOW - 50.2, 1: NOW - 50.7}, {}, [2, 1, 0]),
        ({1: NOW - 45}, {"a.q": NOW - 50}, [2, 0, 1]),
        ({1: NOW - 55}, {"a.q": NOW - 50}, [2, 1, 0]),
        # Within a second changes come before starts.
        ({1: NOW - 49.5}, {"a.q": NOW - 50}, [2, 1, 0]),
        ({0: NOW - 30}, {"a.q": NOW - 50, "b.q": NOW - 40}, [2, 1, 0]),
        ({0: NOW - 60}, {"a.q": NOW - 50, "b.q": NOW - 40}, [2, 0, 1]),
    ],
)
def test_sets_are_asked_in_the_order_in_which_they_were_touched(
    changed: dict[int, float], started: dict[str, float], order: list[int]
) -> None:
    sets = [quota(f"set{number}", f"queues {name} to slots=9") for number, name in enumerate(("a.q", "b.q", "c.q"))]
    on = cluster(*QUEUES, queue("c.q", "h1", 4), *sets)
    jobs = [
        job(number, tasks={1: Task("r", {f"{name}@h1": 1}, when)})
        for number, (name, when) in enumerate(started.items(), 1)
    ]
    state = State(now=NOW, jobs=tuple(jobs), changed={f"quotas/set{number}": when for number, when in changed.items()})
    session = session_of(on)
    compiled = session.compiled(state)
    assert compiled.rule_matcher is not None
    usage = QuotaUsage(compiled.rule_matcher, Resources(compiled, state, NO_ADJUSTMENTS))
    usage.debit_started(collect_run_jobs(session, compiled, state, NOW).jobs)
    assert [rules[0].quota_set for rules in usage.subject_usage(SUBJECT).rules] == [f"set{number}" for number in order]


@pytest.mark.parametrize(
    ("filters", "key"),
    [
        ("users {*}", "anna/////"),
        ("projects {*}", "/p////"),
        ("pes {*}", "//mpi///"),
        ("queues {*}", "///a.q//"),
        ("hosts {*}", "////h1/"),
        ("users {*} projects {*} pes {*} queues {*} hosts {*}", "anna/p/mpi/a.q/h1/"),
        ("users anna projects p pes mpi queues a.q hosts h1", "/////"),
    ],
)
def test_the_key_of_a_counter_has_what_a_rule_tells_apart(filters: str, key: str) -> None:
    usage = usage_of(f"{filters} to slots=1")
    subject = QuotaSubject("anna", "staff", "p", "mpi")
    (looked_up,) = usage.subject_usage(subject).rule_usages[0]
    assert looked_up.key == key
    assert usage.rule_usage(looked_up.rule, subject, 0) is looked_up


@pytest.mark.parametrize(
    ("rule", "asked", "used", "touched"),
    [
        ("hosts {*} to once=9,lic=9", {"once": "2", "lic": "3"}, [[2, 6], [0, 3]], {"set0": 1}),
        ("hosts {*} to once=9", {"once": "2"}, [[2], [0]], {"set0": 0}),
        ("hosts h2 to once=9", {"once": "2"}, [[0]], {}),
        ("hosts h1 to slots=9", {}, [[2]], {"set0": 0}),
        ("hosts h2 to slots=9", {}, [[1]], {"set0": 1}),
        ("hosts h1,h2 to slots=9", {}, [[3]], {"set0": 1}),
        ("to lic=9", {}, [[0]], {}),
    ],
)
def test_what_a_task_got_is_counted_and_taken_back(
    rule: str, asked: dict[str, str], used: list[list[float]], touched: dict[str, int]
) -> None:
    plain = usage_of(rule)
    usage = QuotaUsage(plain.rule_matcher, plain.resources, plain.rule_matcher)
    wanted, grants = demand(asked, usage), ((0, 2), (1, 1))
    assert usage.touched(SUBJECT, wanted, grants) == touched
    assert usage.debit(SUBJECT, wanted, grants) == touched
    for each in (usage, usage.qmaster_usage):
        assert [rule_usage.used for rule_usage in each] == used
    usage.credit(SUBJECT, wanted, grants)
    for each in (usage, usage.qmaster_usage):
        assert not any(amount for rule_usage in each for amount in rule_usage.used)


def test_the_scheduler_starts_from_what_the_qmaster_has_counted() -> None:
    state = State(now=NOW, jobs=(job(1, tasks={1: Task("r", {"a.q@h1": 1}, NOW - 50)}),))
    session = session_of(cluster(*QUEUES, quota("set0", "to slots=9"), quota("set1", "queues b.q to slots=9")))
    compiled = session.compiled(state)
    matcher = compiled.rule_matcher
    assert matcher is not None
    usage = QuotaUsage(matcher, Resources(compiled, state, NO_ADJUSTMENTS), matcher)
    usage.debit_started(collect_run_jobs(session, compiled, state, NOW).jobs)
    (own,), (kept,) = ([each for each in one if any(each.used)] for one in (usage, usage.qmaster_usage))
    assert own.used == kept.used == [1]
    assert own.used is not kept.used
    assert [rules[0].quota_set for rules in usage.subject_usage(SUBJECT).rules] == ["set1", "set0"]
