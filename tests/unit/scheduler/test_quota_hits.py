"""Quotas for screens and explanations: which rule counts where, and what would let a job in."""

import pytest

from qmon_tui.model.cluster import ConfigObject, config_object
from qmon_tui.model.kinds import Kind
from qmon_tui.scheduler.compiled.cluster import compile_cluster
from qmon_tui.scheduler.explain import explain
from qmon_tui.scheduler.explanation import Why
from qmon_tui.scheduler.quotas.hits import hit_test
from qmon_tui.scheduler.run import simulate
from tests.unit.scheduler.building import cluster, environment, host, job, queue, running, state


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


def test_hit_test() -> None:
    on = cluster(*SITE)
    run = simulate(on, state([running(1, "all.q@h1"), running(2, "all.q@h2")]))
    hits = hit_test(run.compiled, "anna", "staff", None, None, "all.q", "h1", run.ledger)
    assert [(hit.rule, hit.key, hit.limits[0].used, hit.limits[0].limit) for hit in hits] == [
        ("users/team", "anna/////", 1.0, 2.0),
        ("hosts/1", "////h1/", 1.0, 4.0),
    ]
    hits = hit_test(run.compiled, "anna", "staff", None, "mpi", "all.q", "h2", run.ledger)
    assert [(hit.rule, hit.key) for hit in hits] == [
        ("users/2", "anna/////"), ("hosts/1", "////h2/"), ("tasks/1", "//mpi///"),
    ]  # fmt: skip
    assert [(hit.limits[0].used, hit.limits[0].limit) for hit in hits] == [(1.0, 5.0), (1.0, 8.0), (0.0, 3.0)]


def test_hit_test_without_a_run() -> None:
    hits = hit_test(compile_cluster(cluster(*SITE)), "chen", "staff", None, None, "all.q", "h2")
    assert [(hit.rule, hit.limits[0].limit, hit.limits[0].limit_text) for hit in hits] == [
        ("users/2", 5.0, "5"),
        ("hosts/1", None, "$num_proc*2"),
    ]
    assert hit_test(compile_cluster(cluster()), "chen", "staff", None, None, "all.q", "h2") == ()


@pytest.mark.parametrize("options", ["", "-pe mpi 1"])
def test_raising_the_limit_is_the_smallest_change(options: str) -> None:
    on = cluster(queue("all.q", "h1", 9, pe_list="mpi"), environment("mpi"), quota("set", "users {*} to slots=1"))
    found = explain(on, state([running(1, "all.q@h1"), job(2, options)]), 2)
    assert {(reason.why, reason.level) for reason in found.instances} == {(Why.QUOTA, "quota")}
    assert found.nearest is not None
    missing = found.nearest.missing[0]
    assert (missing.what, missing.level, missing.place) == ("slots", "quota", "set/1")
    assert missing.words == "slots: 1 of 1 used, of quota rule set/1 (anna/////)"
    change = found.changes[0]
    assert (change.kind, change.name, change.after) == (Kind.QUOTA, "set", "users {*} to slots=2")
    assert change.command == "qconf -mattr resource_quota limit slots=2 set/1"


def test_jobs_ahead_take_the_first_of_a_raised_limit() -> None:
    on = cluster(queue("all.q", "h1", 9), quota("set", "to slots=1"))
    jobs = [running(1, "all.q@h1"), *(job(number) for number in range(2, 5))]
    assert explain(on, state(jobs), 4).changes[-1].after in ("to slots=4", "FALSE")
    assert any(change.after == "to slots=4" for change in explain(on, state(jobs), 4).changes)
