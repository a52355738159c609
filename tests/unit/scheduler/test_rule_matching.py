"""Quotas for screens and explanations: which rule counts where, and what would let a job in."""

import pytest

from qmon_tui.explain import ReasonKind
from qmon_tui.explain.explainer import explain
from qmon_tui.model.cluster import ConfigObject, config_object
from qmon_tui.model.kinds import Kind
from qmon_tui.qmaster.scheduling import simulate
from qmon_tui.scheduler.configuration.compiled_cluster import CompiledCluster, compile_cluster
from qmon_tui.scheduler.configuration.quota_rule_matching import QuotaSubject
from qmon_tui.scheduler.quotas.matched_rules import MatchedRule
from qmon_tui.scheduler.quotas.quota_usage import QuotaUsage
from qmon_tui.scheduler.quotas.rule_matching import FilterMismatch, match_rules
from tests.unit.scheduler.building import cluster, environment, host, job, queue, running, state, userset


def quota(name: str, *rules: str) -> ConfigObject:
    return config_object(Kind.QUOTA, name, {"name": name, "enabled": "TRUE", "limit": "\n".join(rules)})


SITE = (
    host("h1", "num_proc=2"),
    host("h2", "num_proc=4"),
    queue("all.q", "h1 h2", 9, pe_list="mpi"),
    environment("mpi"),
    quota("users", "name team users {anna,bela} hosts h1 to slots=2", "users {*} to slots=5"),
    quota("hosts", "hosts {*} to slots=$num_proc*2"),
    quota("tasks", "pes {mpi} to slots=3"),
)


def hits_of(
    compiled: CompiledCluster, subject: QuotaSubject, host: str, quota_usage: QuotaUsage | None = None
) -> tuple[MatchedRule, ...]:
    matches = match_rules(compiled, subject, "all.q", host, quota_usage)
    return tuple(match.matched_rule for match in matches if match.enabled and match.matched_rule)


def test_hit_test() -> None:
    on = cluster(*SITE)
    run = simulate(on, state([running(1, "all.q@h1"), running(2, "all.q@h2")]))
    hits = hits_of(run.compiled, QuotaSubject("anna", "staff", None), "h1", run.quota_usage)
    assert [
        (matched_rule.rule, matched_rule.key, matched_rule.limits[0].used, matched_rule.limits[0].limit)
        for matched_rule in hits
    ] == [
        ("users/team", "anna/////", 1.0, 2.0),
        ("hosts/1", "////h1/", 1.0, 4.0),
    ]
    hits = hits_of(run.compiled, QuotaSubject("anna", "staff", None, "mpi"), "h2", run.quota_usage)
    assert [(matched_rule.rule, matched_rule.key) for matched_rule in hits] == [
        ("users/2", "anna/////"), ("hosts/1", "////h2/"), ("tasks/1", "//mpi///"),
    ]  # fmt: skip
    assert [(matched_rule.limits[0].used, matched_rule.limits[0].limit) for matched_rule in hits] == [
        (1.0, 5.0),
        (1.0, 8.0),
        (0.0, 3.0),
    ]


def test_hit_test_without_a_run() -> None:
    hits = hits_of(compile_cluster(cluster(*SITE)), QuotaSubject("chen", "staff", None), "h2")
    assert [
        (matched_rule.rule, matched_rule.limits[0].limit, matched_rule.limits[0].limit_text) for matched_rule in hits
    ] == [
        ("users/2", 5.0, "5"),
        ("hosts/1", None, "$num_proc*2"),
    ]
    assert hits_of(compile_cluster(cluster()), QuotaSubject("chen", "staff", None), "h2") == ()


def test_why_earlier_rules_do_not_count() -> None:
    rules = (
        "users !anna to slots=1",
        "users @staff projects * hosts !@fast to slots=2",
        "pes mpi queues fast.q to slots=3",
        "hosts {*} to slots=4",
        "to slots=5",
    )
    on = cluster(
        host("h1"),
        queue("all.q", "h1"),
        config_object(Kind.HOSTGROUP, "@fast", {"group_name": "@fast", "hostlist": "h1"}),
        userset("staff", "anna"),
        quota("set", *rules),
    )
    (match,) = match_rules(compile_cluster(on), QuotaSubject("anna", "users", None), "all.q", "h1")
    assert [(rule.label, rule.misses) for rule in match.rules] == [
        ("set/1", (FilterMismatch("users", "!anna", "anna", "anna"),)),
        ("set/2", (FilterMismatch("projects", "*", None, None), FilterMismatch("hosts", "!@fast", "h1", "@fast"))),
        ("set/3", (FilterMismatch("pes", "mpi", None, None), FilterMismatch("queues", "fast.q", "all.q", None))),
        ("set/4", ()),
        ("set/5", ()),
    ]
    assert match.matched_rule is not None
    assert (match.matched_rule.rule, match.matched_rule.key) == ("set/4", "////h1/")


def test_a_disabled_set_tells_what_it_would_do() -> None:
    off = quota("off", "users {*} to slots=2").with_value("enabled", "FALSE")
    run = simulate(cluster(host("h1"), queue("all.q", "h1"), off), state([running(1, "all.q@h1")]))
    matches = match_rules(run.compiled, QuotaSubject("anna", "staff", None), "all.q", "h1", run.quota_usage)
    assert [(match.enabled, match.matched_rule and match.matched_rule.rule) for match in matches] == [(False, "off/1")]


@pytest.mark.parametrize("options", ["", "-pe mpi 1"])
def test_raising_the_limit_is_the_smallest_change(options: str) -> None:
    on = cluster(queue("all.q", "h1", 9, pe_list="mpi"), environment("mpi"), quota("set", "users {*} to slots=1"))
    explanation = explain(on, state([running(1, "all.q@h1"), job(2, options)]), 2)
    assert {(reason.why, reason.level) for reason in explanation.instances} == {(ReasonKind.QUOTA, "quota")}
    assert explanation.nearest is not None
    missing = explanation.nearest.missing[0]
    assert (missing.what, missing.level, missing.place) == ("slots", "quota", "set/1")
    assert missing.words == "slots: 1 of 1 used, of quota rule set/1 (user anna)"
    change = explanation.changes[0]
    assert (change.kind, change.name, change.after) == (Kind.QUOTA, "set", "users {*} to slots=2")
    assert change.command == "qconf -mattr resource_quota limit slots=2 set/1"


def test_jobs_ahead_take_the_first_of_a_raised_limit() -> None:
    on = cluster(queue("all.q", "h1", 9), quota("set", "to slots=1"))
    jobs = [running(1, "all.q@h1"), *(job(number) for number in range(2, 5))]
    assert explain(on, state(jobs), 4).changes[-1].after in ("to slots=4", "FALSE")
    assert any(change.after == "to slots=4" for change in explain(on, state(jobs), 4).changes)
