"""What an exceeded limit rules out besides the queue instance at which it was met (quotas.md)."""

import pytest

from qmon_tui.model.state import State
from qmon_tui.scheduler.configuration import QuotaSubject, compile_cluster
from qmon_tui.scheduler.matching import NO_ADJUSTMENTS, Resources
from qmon_tui.scheduler.quotas import QuotaUsage
from qmon_tui.scheduler.quotas.ruled_out import RuledOutByRules
from tests.unit.scheduler.building import NOW, cluster, queue
from tests.unit.scheduler.test_quotas import quota

SUBJECT = QuotaSubject("anna", "staff", None, None)


def ruled_out(place: int, *rules: str) -> tuple[bool, set[str], set[str]]:
    """Everything, queues and hosts that the rule in a place rules out once it is exceeded at a.q@n1."""
    built = cluster(queue("a.q", "n1 n2 n3"), queue("b.q", "n1 n2 n3"), quota("set", *rules))
    compiled = compile_cluster(built)
    assert compiled.rule_matcher is not None
    resources = Resources(compiled, State(now=NOW), NO_ADJUSTMENTS)
    by_rules = RuledOutByRules(QuotaUsage(compiled.rule_matcher, resources).subject_usage(SUBJECT))
    out = by_rules.of(compiled.rule_matcher.sets[0].rules[place], resources.instance_numbers["a.q@n1"])
    return out.everything, set(out.queues), {resources.host_names[number] for number in out.hosts}


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        (["users * to slots=1"], (True, set(), set())),
        (["hosts n2 to slots=1", "users * to slots=1"], (False, set(), {"n1", "n3"})),
        (["queues b.q to slots=1", "users * to slots=1"], (False, {"a.q"}, set())),
        (["queues b.q hosts n2 to slots=1", "users * to slots=1"], (False, {"a.q"}, {"n1", "n3"})),
        (["users bob hosts n2 to slots=1", "users * to slots=1"], (False, set(), {"n1", "n3"})),
        (["projects p to slots=1", "users * to slots=1"], (True, set(), set())),
    ],
)
def test_a_rule_for_everywhere_leaves_what_earlier_rules_are_for(
    rules: list[str], expected: tuple[bool, set[str], set[str]]
) -> None:
    assert ruled_out(len(rules) - 1, *rules) == expected


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("queues a.q to slots=1", (False, {"a.q"}, set())),
        ("queues {a.q,b.q} to slots=1", (False, {"a.q"}, set())),
        ("queues {*} to slots=1", (False, set(), set())),
        ("queues * to slots=1", (True, set(), set())),
        ("hosts n1,n2 to slots=1", (False, set(), {"n1", "n2"})),
        ("hosts {n1,n2} to slots=1", (False, set(), {"n1"})),
        ("hosts {*} to slots=1", (False, set(), set())),
        ("queues a.q hosts n1 to slots=1", (False, set(), set())),
    ],
)
def test_a_rule_for_queues_or_hosts_rules_out_these(rule: str, expected: tuple[bool, set[str], set[str]]) -> None:
    assert ruled_out(0, rule) == expected


def test_a_rule_for_hosts_leaves_those_that_an_earlier_one_is_for() -> None:
    assert ruled_out(1, "hosts n2 to slots=1", "hosts n1,n2 to slots=1") == (False, set(), {"n1"})
    assert ruled_out(1, "queues b.q to slots=1", "hosts n1,n2 to slots=1") == (False, set(), set())
