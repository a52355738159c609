"""The share tree after a run as sge_share_mon(1) shows it, worked out by hand."""

import pytest

from qmon_tui.model.cluster import ConfigObject
from qmon_tui.qmaster import simulate
from qmon_tui.qmaster.run import Run
from qmon_tui.qmaster.share_tree_outcome import share_outcomes, usage_ahead
from tests.unit.scheduler.building import (
    cluster,
    host,
    job,
    project,
    queue,
    running,
    scheduler,
    sharetree,
    state,
    usage,
    user,
    userset,
)

JOBS = (running(1, "a.q@n1"), job(2), job(3, owner="bert"), job(4, "-P sea", owner="bert"))


def simulated(*objects: ConfigObject) -> Run:
    fixed = (queue("a.q", "n1", 2), host("n1"), user("anna"), user("bert"), userset("few", "bert"))
    weights = scheduler(weight_tickets_share=1000, halftime=1)
    return simulate(cluster(*fixed, weights, *objects), state(JOBS, usage=usage(anna=100.0, bert=300.0)))


TREE = sharetree(anna=30, bert=10, sea=(60, {"default": 5}))


def test_each_node_has_its_part_and_the_jobs_below_it() -> None:
    assert [
        (node.path, node.user, node.project, node.level, node.total, node.jobs, node.running, node.actual, node.usage)
        for node in share_outcomes(simulated(project("sea"), TREE))
    ] == [
        ("/", None, None, 1.0, 1.0, 4, 1, 1.0, 400.0),
        ("/anna", "anna", None, 0.3, 0.3, 2, 1, 0.25, 100.0),
        ("/bert", "bert", None, 0.1, 0.1, 1, 0, 0.75, 300.0),
        ("/sea", None, "sea", 0.6, 0.6, 1, 0, 0.0, 0.0),
        ("/sea/default", None, "sea", 1.0, 0.6, 1, 0, 0.0, 0.0),
        ("/sea/default/anna", "anna", "sea", 0.5, 0.3, 0, 0, 0.0, 0.0),
        ("/sea/default/bert", "bert", "sea", 0.5, 0.3, 1, 0, 0.0, 0.0),
    ]


@pytest.mark.parametrize(
    ("lists", "users"),
    [
        ({}, ["anna", "bert"]),
        ({"acl": "few"}, ["bert"]),
        ({"xacl": "few"}, ["anna"]),
        ({"acl": "few", "xacl": "few"}, []),
    ],
)
def test_in_a_project_those_stand_below_default_who_may_enter_it(lists: dict[str, str], users: list[str]) -> None:
    nodes = share_outcomes(simulated(project("sea", **lists), TREE))
    assert [node.user for node in nodes if node.path.startswith("/sea/default/")] == users


def test_usage_fades_alike_everywhere() -> None:
    now, later = zip(*usage_ahead(simulated(project("sea"), TREE), (0, 3600)), strict=True)
    assert now == (400.0, 100.0, 300.0, 0.0, 0.0, 0.0, 0.0)
    assert later == pytest.approx([value / 2 for value in now], rel=0.01)
    assert usage_ahead(simulated(), (0,)) == ()
    assert share_outcomes(simulated()) == ()
