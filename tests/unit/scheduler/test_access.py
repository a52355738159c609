"""Access lists and projects on queues, hosts and everywhere (matching.md#access-lists)."""

from dataclasses import replace

import pytest

from qmon_tui.scheduler.configuration import QueueAlternatives, compile_cluster
from qmon_tui.scheduler.matching import Requester
from qmon_tui.scheduler.matching.static_checks import queue_rules_out_project, queue_rules_out_user
from tests.unit.scheduler.building import (
    cluster,
    host,
    job,
    places,
    project,
    queue,
    reasons,
    run,
    the_job,
    user,
    userset,
)

STAFF = userset("staff", "anna,@lab")
GUESTS = userset("guests", "carl")
SEA, SKY = project("sea"), project("sky")
SETS = (STAFF, GUESTS, SEA, SKY)


@pytest.mark.parametrize(
    ("owner", "group", "allowed"), [("anna", "x", True), ("bert", "lab", True), ("bert", "x", False)]
)
def test_user_lists_of_a_queue(owner: str, group: str, allowed: bool) -> None:
    on = cluster(*SETS, queue("all.q", "h1", 2, user_lists="staff"))
    outcome = run(on, job(1, owner=owner, group=group))
    assert bool(places(outcome)) is allowed
    if not allowed:
        assert reasons(outcome, 1) == ('has no permission for cluster queue "all.q"',)


def test_xuser_lists_win() -> None:
    on = cluster(*SETS, queue("all.q", "h1", 2, user_lists="staff", xuser_lists="staff"))
    assert reasons(run(on, job(1)), 1) == ('has no permission for cluster queue "all.q"',)


def test_a_list_of_unknown_sets_only_lets_nobody_in() -> None:
    on = cluster(*SETS, queue("all.q", "h1", 2, user_lists="gone"))
    assert reasons(run(on, job(1)), 1) == ('has no permission for cluster queue "all.q"',)


def test_departments_are_no_access_lists() -> None:
    on = cluster(userset("dept", "anna", "DEPT"), queue("all.q", "h1", 2, user_lists="dept"))
    assert places(run(on, job(1))) == {}
    both = cluster(userset("dept", "anna", "ACL DEPT"), queue("all.q", "h1", 2, user_lists="dept"))
    assert places(run(both, job(1))) == {1: "all.q@h1"}


def test_where_only_some_hosts_are_closed_the_instance_says_so() -> None:
    on = cluster(*SETS, queue("all.q", "h1 h2", 1, user_lists="NONE,[h1=guests]"))
    outcome = run(on, job(1), job(2))
    assert places(outcome) == {1: "all.q@h2"}
    closed = run(on, job(1, "-l h=h1"))
    assert reasons(closed, 1) == (
        'has no permission for queue "all.q@h1"',
        '(-l hostname=h1) cannot run in queue "all.q@h2" because it offers only qf:hostname=h2',
    )


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ("", '(no project) does not have the correct project to run in cluster queue "all.q"'),
        # Whatever is wrong with the project, the cluster queue says the same.
        ("-P sky", '(no project) does not have the correct project to run in cluster queue "all.q"'),
    ],
)
def test_projects_of_a_queue(options: str, text: str) -> None:
    on = cluster(*SETS, queue("all.q", "h1", 2, projects="sea"))
    assert reasons(run(on, job(1, options)), 1) == (text,)
    assert places(run(on, job(1, "-P sea"))) == {1: "all.q@h1"}


@pytest.mark.parametrize(
    ("fields", "options", "text"),
    [
        ({"user_lists": "guests"}, "", 'has no permission for host "h1"'),
        ({"xuser_lists": "staff"}, "", 'has no permission for host "h1"'),
        ({"projects": "sea"}, "", '(no project) does not have the correct project to run in host "h1"'),
        ({"projects": "sea"}, "-P sky", '(project sky) does not have the correct project to run in host "h1"'),
        ({"xprojects": "sky sea"}, "-P sky",
         '(project sky) is not allowed to run in host "h1" based on the excluded project list'),
    ],
)  # fmt: skip
def test_hosts(fields: dict[str, str], options: str, text: str) -> None:
    outcome = run(cluster(*SETS, queue("all.q", "h1", 2), host("h1", **fields)), job(1, options))
    assert reasons(outcome, 1) == (text,)


def test_the_global_host_closes_everything() -> None:
    outcome = run(cluster(*SETS, queue("all.q", "h1 h2", 2), host("global", xuser_lists="staff")), job(1))
    assert reasons(outcome, 1) == ('has no permission for host "global"',)


def test_projects_of_single_instances() -> None:
    on = cluster(*SETS, queue("all.q", "h1 h2", 2, projects="NONE,[h1=sea],[h2=sky]", xprojects="NONE,[h2=sky]"))
    outcome = run(on, job(1, "-P sky"), job(2))
    assert reasons(outcome, 1) == (
        '(project sky) does not have the correct project to run in queue "all.q@h1"',
        '(project sky) is not allowed to run in queue "all.q@h2" based on the excluded project list',
    )
    assert reasons(outcome, 2) == (
        '(no project) does not have the correct project to run in queue "all.q@h1"',
        '(no project) does not have the correct project to run in queue "all.q@h2"',
    )


def test_a_default_project_counts() -> None:
    on = cluster(*SETS, queue("all.q", "h1", 2, projects="sea"), user("anna", default_project="sea"))
    outcome = run(on, job(1), job(2, "-P sky"))
    assert places(outcome) == {1: "all.q@h1"}
    assert [the_job(outcome, number).project for number in (1, 2)] == ["sea", "sky"]


ALTERNATIVES = QueueAlternatives((), {}, ((),), ((),), ((),), ((),), ((),), interactive=True)


@pytest.mark.parametrize(
    ("projects", "xprojects", "project", "ruled_out"),
    [
        (((),), ((),), None, False),
        (((),), ((),), "p", False),
        ((("p",),), ((),), None, True),
        ((("p",), ()), ((),), None, False),
        ((("p",), ("q",)), ((),), None, True),
        ((("p",), ("q",)), ((),), "p", False),
        ((("q",), ("q",)), ((),), "p", True),
        ((("q",), ()), ((),), "p", False),
        (((),), (("p",),), "p", True),
        (((),), (("p",), ("p", "q")), "p", True),
        (((),), (("p",), ("q",)), "p", False),
        (((),), (("p",),), None, False),
    ],
)
def test_a_cluster_queue_is_ruled_out_where_all_of_it_keeps_a_project_out(
    projects: tuple[tuple[str, ...], ...], xprojects: tuple[tuple[str, ...], ...], project: str | None, ruled_out: bool
) -> None:
    alternatives = replace(ALTERNATIVES, projects=projects, xprojects=xprojects)
    assert queue_rules_out_project(alternatives, project) is ruled_out


@pytest.mark.parametrize(
    ("lists", "xlists", "ruled_out"),
    [
        (((),), ((),), False),
        ((("few",),), ((),), False),
        ((("none",),), ((),), True),
        ((("none",), ()), ((),), False),
        ((("none",), ("few",)), ((),), False),
        ((("none",), ("gone",)), ((),), True),
        (((),), (("few",),), True),
        (((),), (("few",), ()), False),
        (((),), (("few",), ("few", "none")), True),
        ((("few",),), (("few",),), True),
    ],
)
def test_a_cluster_queue_is_ruled_out_where_all_of_it_keeps_a_user_out(
    lists: tuple[tuple[str, ...], ...], xlists: tuple[tuple[str, ...], ...], ruled_out: bool
) -> None:
    usersets = compile_cluster(cluster(userset("few", "anna"), userset("none", "bob"))).usersets
    alternatives = replace(ALTERNATIVES, user_lists=lists, xuser_lists=xlists)
    assert queue_rules_out_user(alternatives, Requester("anna", "staff", None), usersets) is ruled_out
